"""The end of a session from the newest lines of its journal, without a fold: for `seqthink status`, which has no time.

The fold's rules are applied to what the lines say; what came before them is not known. Standard library only.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, cast

from seqthink.chain.attention import MAX_ENDING_THOUGHTS, Doing, Ending, EndingCall, EndingThought, Question
from seqthink.chain.state import State, is_nearly_full

MAX_TEXT_CHARS: Final = 4096
"""Characters of a text that are compared."""

_OF_AGENT: Final = frozenset({"thought", "prompt", "reasoning", "remark", "action", "turn", "compacted", "rewound"})
"""The types of lines that say what their agent does."""
_OF_TURN: Final = frozenset({"prompt", "reasoning", "remark", "turn"})
"""Those that say whether their agent is in a turn."""
_ATTACHED: Final = frozenset({"asking", "sample", "elicit", "auditing", "audit", "context", "note"})
_ACTIVE: Final = (_ATTACHED | _OF_AGENT | {"rejected", "agent", "skipped", "usage"}) - {"thought"}
"""The types of lines that are activity, besides thoughts."""
_GIVEN_UP: Final = frozenset({"client left", "the call was called off"})
"""The errors of a question that decide nothing."""

Fields = Mapping[str, Any]


def fields_of_line(line: bytes) -> Fields | None:
    """Return the fields of a journal line; None if it cannot be read."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_event = isinstance(fields, dict) and isinstance(cast("Fields", fields).get("type"), str)
    return cast("Fields", fields) if is_event else None


def ending_of_lines(lines: Iterable[Fields], open_state: State) -> Ending:
    """Return the end of a session.

    Args:
        lines: the fields of its newest lines, in their order.
        open_state: the state of a session whose newest chain is not done, which its lock shows.
    """
    scan = _Scan()
    for fields in lines:
        scan.add(fields)
    return scan.ending(open_state)


def microseconds_of_text(time: object) -> int:
    """Return a line's time in microseconds since 1970; 0 if it is none."""
    try:
        parsed = datetime.fromisoformat(time) if isinstance(time, str) else None
    except ValueError:
        return 0
    if parsed is None or parsed.tzinfo is None:
        return 0
    since = parsed - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


class _Said(NamedTuple):
    """A prompt, reasoning, a remark or an answer of an agent."""

    seq: int
    place: int
    """Its place among those of all agents."""
    is_end: bool
    """Whether it ended a turn."""


class _Scan:
    """What the lines have shown so far."""

    def __init__(self) -> None:
        self._thoughts: list[Fields] = []
        self._seqs: set[str | int | None] = set()
        """Those of the thoughts: what is said of another line decides nothing."""
        self._left_behind: set[str | int | None] = set()
        """Those of the thoughts that a rewind left behind."""
        self._said: dict[str | int | None, list[_Said]] = {}
        """By agent, without what was left behind."""
        self._said_count = self._asked_at = 0
        """How much all agents said, and the place of the main agent's newest prompt."""
        self._reopened: set[str | int | None] = set()
        self._undecided: set[str | int | None] = set()
        self._questions: dict[tuple[str | int | None, ...], Fields] = {}
        self._audits: dict[str | int | None, Fields] = {}
        self._running: dict[str | int | None, dict[str | int, Fields]] = {}
        self._calls: set[tuple[str | int | None, str | int]] = set()
        self._last_agent: str | int | None = None
        self._in_turn: set[str | int] = set()
        self._have_ended: set[str | int] = set()
        """The subagents whose turn their own line has ended, not an interruption of all."""
        self._contexts: dict[str | int | None, Fields] = {}
        """By agent: the newest line about its context, as long as that is what it uses."""
        self._has_ends = False
        self._has_ended = False
        self._other_time: object = None
        self._began = 0

    def add(self, fields: Fields) -> None:
        kind = fields["type"]
        if kind in _ACTIVE:
            self._other_time = fields.get("time")
        if kind in _OF_AGENT:
            self._add_to_agent(kind, fields)
        if kind in {"usage", "compacted", "rewound"}:
            self._note_context(kind, fields)
        if kind == "thought":
            self._thoughts.append(fields)
            self._seqs.add(_name(fields, "seq"))
        elif kind in {"session", "end"}:
            self._questions.clear()
            self._audits.clear()
            self._running.clear()
            self._has_ended = kind == "end"
            if kind == "session":
                self._began = microseconds_of_text(fields.get("time"))
        elif kind in _ATTACHED:
            self._add_attached(kind, fields)

    def _add_to_agent(self, kind: str, fields: Fields) -> None:
        """Note which agent wrote, and which calls of tools it waits for: what it says ends them."""
        agent, call = _name(fields, "agent") or None, _name(fields, "call") or ""
        self._last_agent = agent
        running = self._running.setdefault(agent, {})
        if kind != "action":
            running.clear()
        elif _is_end(fields) or (call and (agent, call) in self._calls):
            running.pop(call, None)
            self._has_ends = self._has_ends or fields.get("failed") is not True
        else:
            if not self._has_ends:
                running.clear()
            running[call] = fields
            self._reopen_turn(agent)
        if kind == "action":
            self._calls.add((agent, call))
        elif kind == "rewound":
            self._leave_behind(agent, _seq(fields, "of"))
        elif kind in _OF_TURN:
            self._note_said(agent, fields)
            self._note_turn(agent, fields)

    def _note_context(self, kind: str, fields: Fields) -> None:
        """Note how much of its context an agent uses; after a compaction or a rewind that is not known."""
        agent = _name(fields, "agent") or None
        if kind == "usage":
            self._contexts[agent] = fields
        else:
            self._contexts.pop(agent, None)

    def _note_said(self, agent: str | int | None, fields: Fields) -> None:
        """Note what decides the state of a session without thoughts; reasoning without a text says nothing new."""
        kind = fields["type"]
        if agent in self._said and kind == "reasoning" and not fields.get("text"):
            return
        self._said_count += 1
        if kind == "prompt" and agent is None:
            self._asked_at = self._said_count
        is_end = kind == "turn" and fields.get("aborted") is not True
        self._said.setdefault(agent, []).append(_Said(_seq(fields, "seq"), self._said_count, is_end))

    def _leave_behind(self, agent: str | int | None, of: int) -> None:
        """Leave behind what an agent did since the line ``of``; the main agent, what every agent did."""
        for fields in self._thoughts:
            if _seq(fields, "seq") >= of and agent in {None, _name(fields, "agent") or None}:
                self._left_behind.add(_name(fields, "seq"))
        for name, said in self._said.items():
            if agent in {None, name}:
                said[:] = [one for one in said if one.seq < of]

    def _note_turn(self, agent: str | int | None, fields: Fields) -> None:
        """Note which subagents are in a turn; one of the main agent that is interrupted ends those of all."""
        has_ended = fields["type"] == "turn"
        if agent is None:
            self._in_turn -= self._in_turn if has_ended and fields.get("aborted") is True else set()
        elif has_ended:
            self._in_turn.discard(agent)
            self._have_ended.add(agent)
        else:
            self._in_turn.add(agent)
            self._have_ended.discard(agent)

    def _reopen_turn(self, agent: str | int | None) -> None:
        """Note that an agent begins a call: it has not ended its turn."""
        if said := self._said.get(agent):
            said[-1] = said[-1]._replace(is_end=False)
        if agent is not None and agent in self._have_ended:
            self._in_turn.add(agent)
            self._have_ended.discard(agent)

    def _add_attached(self, kind: str, fields: Fields) -> None:
        of = _name(fields, "of")
        if kind in {"asking", "sample", "elicit"}:
            self._add_question(kind, of, fields)
        elif kind == "auditing":
            self._audits.pop(of, None)
            self._audits[of] = fields
        elif kind == "audit":
            self._audits.pop(of, None)
            review = fields.get("review")
            verdict = _name(cast("Fields", review), "verdict") if isinstance(review, dict) else None
            if verdict in {"revise", "reject"} and of in self._seqs:
                self._reopened.add(of)

    def _add_question(self, kind: str, of: str | int | None, fields: Fields) -> None:
        purpose, is_asked = _name(fields, "purpose"), kind == "asking"
        asked = (_name(fields, "kind") if is_asked else kind), of, purpose
        self._questions.pop(asked, None)
        if is_asked:
            self._questions[asked] = fields
        if asked[0] != "elicit":
            return
        if purpose == "permission" and not is_asked:
            self._allow(fields)
        elif purpose == "limit" and of in self._seqs:
            self._add_limit(of, fields, is_asked=is_asked)

    def _add_limit(self, of: str | int | None, fields: Fields, *, is_asked: bool) -> None:
        """Note whether the user decides on the end of a chain, or has decided: not if the question was given up."""
        action = _name(fields, "action")
        if is_asked:
            self._undecided.add(of)
        elif action is not None or _name(fields, "error") not in _GIVEN_UP:
            self._undecided.discard(of)
            self._reopened |= {of} if action == "accept" else set()

    def _allow(self, fields: Fields) -> None:
        """Note since when calls run about which the user was asked; of one of several that is not known."""
        asked = _name(fields, "call")
        for running in self._running.values():
            for call in [asked] if asked else list(running):
                if call in running:
                    running[call] = {**running[call], "time": fields.get("time") if asked else None}

    def ending(self, open_state: State) -> Ending:
        state = State.STOPPED if self._has_ended else open_state
        if open_state is not State.THINKING:
            # nothing says that a question of a transcript was given up
            self._questions = {key: asked for key, asked in self._questions.items() if not _name(asked, "call")}
        asked = [fields for (kind, _, _), fields in self._questions.items() if kind == "elicit"]
        if self._is_done():
            state = State.DONE
        if open_state is State.LOST:
            # nobody waits for an answer any more
            asked, self._questions, self._audits = [], {}, {}
        doing = Doing.THINKING
        if self._audits:
            doing = Doing.AUDITING
        elif self._questions:
            doing = Doing.SAMPLING
        elif state is not State.LOST and self._running.get(self._last_agent):
            doing = Doing.ACTING
        elif not self._thoughts and not self._said:
            doing = Doing.WAITING
        question = self._question(asked[-1]) if asked else None
        is_looked_at = state is State.THINKING and question is None and doing in {Doing.THINKING, Doing.ACTING}
        thoughts = self._newest_thoughts() if is_looked_at else ()
        has_agents_at_work = open_state is State.THINKING and bool(self._in_turn)
        return Ending(
            state,
            self._last_activity(),
            question,
            doing,
            thoughts,
            self._call(),
            has_agents_at_work,
            any(_is_nearly_full(self._contexts[agent]) for agent in self._contexts if self._may_go_on(agent)),
        )

    def _may_go_on(self, agent: str | int | None) -> bool:
        """Return whether an agent is the main one, or in a turn."""
        return agent is None or agent in self._in_turn

    def _call(self) -> EndingCall | None:
        """Return the newest call that the agent that wrote last waits for."""
        running = self._running.get(self._last_agent)
        if not running:
            return None
        fields = next(reversed(running.values()))
        tool, text = (_name(fields, key) for key in ("tool", "summary"))
        return EndingCall(str(tool or ""), str(text or ""), microseconds_of_text(fields.get("time")))

    def _is_done(self) -> bool:
        if not self._thoughts:
            said = {agent: said[-1] for agent, said in self._said.items() if said and said[-1].place >= self._asked_at}
            since = said[None].place if None in said else 0
            return bool(self._said) and all(one.is_end for one in said.values() if one.place >= since)
        newest: dict[str | int | None, tuple[int, Fields]] = {}
        for place, fields in enumerate(self._thoughts):
            if _name(fields, "seq") not in self._left_behind:
                newest[_name(fields, "agent") or None] = place, fields
        since = newest[None][0] if None in newest else -1
        kept_open = self._undecided | self._reopened
        return all(
            _is_final(fields) and _name(fields, "seq") not in kept_open
            for place, fields in newest.values()
            if place >= since
        )

    def _question(self, asked: Fields) -> Question:
        number = next(
            (one.get("thoughtNumber") for one in self._thoughts if _name(one, "seq") == _name(asked, "of")), 0
        )
        message = asked.get("message")
        return Question(
            microseconds_of_text(asked.get("time")),
            message if isinstance(message, str) else "",
            number if isinstance(number, int) else 0,
        )

    def _newest_thoughts(self) -> tuple[EndingThought, ...]:
        agent = _name(self._thoughts[-1], "agent") or None if self._thoughts else None
        own = [fields for fields in self._thoughts if (_name(fields, "agent") or None) == agent]
        first = len(own) - 1
        while first > 0 and not _begins_chain(own[first], own[first - 1]):
            first -= 1
        return tuple(map(_ending_thought, own[max(0, first) :][-MAX_ENDING_THOUGHTS:]))

    def _last_activity(self) -> int:
        times = [microseconds_of_text(self._thoughts[-1].get("time"))] if self._thoughts else []
        return max(*times, microseconds_of_text(self._other_time), 0) or self._began


def _name(fields: Fields, key: str) -> str | int | None:
    """Return a field that names something; None if it is nothing of that kind."""
    value = fields.get(key)
    return value if isinstance(value, str | int) else None


def _seq(fields: Fields, key: str) -> int:
    """Return the position in a journal, or the count, that a field is; 0 if it is none."""
    value = fields.get(key)
    return value if isinstance(value, int) else 0


def _is_nearly_full(fields: Fields) -> bool:
    """Return whether a line says that most of a context is used, and what its window is."""
    return is_nearly_full(_seq(fields, "tokens"), _seq(fields, "window"))


def _is_end(fields: Fields) -> bool:
    """Return whether a line of a call says that it ended."""
    return fields.get("failed") is True or isinstance(fields.get("ended"), str)


def _is_final(fields: Fields) -> bool:
    answered = fields.get("answeredNext")
    return not (fields.get("nextThoughtNeeded") if answered is None else answered)


def _begins_chain(fields: Fields, before: Fields) -> bool:
    """Return whether a thought begins another chain; one that was sent again does not."""
    is_first = fields.get("thoughtNumber") == 1 and not fields.get("branchId")
    return is_first and (before.get("thoughtNumber"), before.get("thought")) != (1, fields.get("thought"))


def _ending_thought(fields: Fields) -> EndingThought:
    number, text, branch = fields.get("thoughtNumber"), fields.get("thought"), fields.get("branchId")
    return EndingThought(
        number if isinstance(number, int) else 0,
        branch if isinstance(branch, str) else "",
        text[:MAX_TEXT_CHARS] if isinstance(text, str) else "",
        fields.get("revisesThought") is not None or fields.get("isRevision") is True,
    )
