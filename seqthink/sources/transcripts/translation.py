"""Translates the facts of a transcript to journal events: one dedupe, one translation for every client.

docs/sources.md, "From a transcript to a journal", has the rules. Pure: facts in, events out, in an order that never
changes what was given out before.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

from seqthink.core.arguments import NUMBER_LIMIT, InvalidArguments, accept
from seqthink.core.events import CALL_CANCELLED, CALL_DONE, CALL_INTERRUPTED, CALL_UNANSWERED
from seqthink.core.times import MAX_MICROSECONDS, MIN_MICROSECONDS
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.fact_order import joined_sessions
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    ContextUsed,
    Fact,
    Prompt,
    Reasoning,
    Remark,
    Result,
    Resumed,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.lane_names import LaneNames
from seqthink.sources.transcripts.resumption import EarlierTranslation, FactKey, remember_given_up
from seqthink.sources.transcripts.tool_names import is_thinking_tool

MAX_TEXT_BYTES = 16 << 20
"""A longer thought is refused: its line would be a burden to every reader."""
MAX_ARGUMENT_BYTES = 4096
"""How much of a refused call's arguments is kept."""
MAX_EARLY_RESULTS = 1000
"""How many answers are remembered whose calls have not come, the newest."""
MAX_ARGUMENT_DEPTH = 64
"""Arguments that are nested deeper are kept as text: not every reader of JSON could read them."""

_ERROR_BODY = re.compile(r"""[^{}"]{0,200}\{\s*"error"\s*:\s*("(?:[^"\\]|\\.)+")""")
"""How the body of a refusal begins (docs/tools.md, "Refusals"), behind what a client puts before it."""
MIN_CONTEXT_CHANGE = 2000
"""By how many tokens the use of a context has to change to be an event again; of a known window, by a hundredth."""
MAX_SOURCE_IDS = 200
"""How many forks a `session` event names; its line stays short enough to be found at the beginning of a journal."""

_ANSWERS: Final = {CALL_DONE: "accept", CALL_INTERRUPTED: "cancel"}
"""What the user did with a question, by how the call that asked it ended."""
_EMITTED_TYPES: Final = ("Prompt", "Reasoning", "Remark", "ToolCall", "TurnEnded", "Compacted", "Rewound", "Resumed")
"""The types of the facts that are known by their ids."""


class Draft(NamedTuple):
    """A journal event without ``v`` and ``seq``."""

    kind: str
    """Its type."""
    time: int
    """When it happened, in microseconds since 1970 (UTC)."""
    fields: dict[str, Any]
    """Its fields; those that are None are left out."""


class SessionNames(NamedTuple):
    """What the `session` event of a transcript says, as far as it is known beforehand."""

    session: str
    """Id of the journal's session."""
    source: str
    """Name of the source."""
    source_id: str
    """The client's id of the session."""
    client: str
    """The client's name for people."""
    imported: bool = False
    """Whether the journal is to be kept."""


class Translator:
    """Translates one session; the first event that it gives is the `session` event.

    Args:
        names: what is known of the session beforehand.
        first_seq: the ``seq`` of the first event that it will give.
        earlier: the translation that the journal holds already, to which this one adds.
    """

    def __init__(self, names: SessionNames, first_seq: int = 1, earlier: EarlierTranslation | None = None) -> None:
        earlier = earlier or EarlierTranslation()
        self._names = names
        self._next_seq = first_seq
        self._seqs = dict(earlier.seqs)
        self._seen: set[FactKey] = set(self._seqs)
        self._session = _described_before(names, earlier) if earlier.is_begun else None
        self._source_ids = list(earlier.source_ids or [names.source_id])
        self._has_begun = earlier.is_begun
        self._resumed_times = frozenset(earlier.resumed_times)
        self._agents = dict(earlier.agents)
        self._lane_names = LaneNames({agent.id: agent.name for agent in earlier.agents.values()})
        self._agent_row = dict(earlier.agent_rows)
        self._server_fields: dict[str, Any] = {}
        self._forks: dict[str, SessionDescribed] = {}
        self._newest_row = dict(earlier.newest_rows)
        self._caller_row = dict(earlier.caller_rows)
        self._open_calls = dict(earlier.open_calls)
        # The ids of each agent's open calls, in order.
        self._open_of: dict[str | None, dict[str, None]] = {}
        for call in earlier.open_calls.values():
            self._open_of.setdefault(call.agent, {})[call.id] = None
        # Calls of other tools that were given up, whose answers may come yet: the newest.
        self._given_up = dict(earlier.given_up)
        self._left_behind = range(0)
        self._reached = earlier.reached
        # What each agent's newest event says about its context; None after a compaction or a rewind.
        self._context = dict(earlier.context)
        self._context_reached = dict(earlier.context_reached)
        # Answers that came before their calls, in a file whose lines are out of order.
        self._early_results: dict[str, Result] = {}
        self._drafts: list[Draft] = []
        self._earlier_count = len(self._seqs)
        self._skipped = dict(earlier.skipped)
        self._newest_time = earlier.newest_time
        self.known_count = 0
        """How many facts were known already; results are not counted, which belong to their calls."""

    @property
    def taken_count(self) -> int:
        """How many facts have become events, counted as in `known_count`."""
        return len(self._seqs) - self._earlier_count

    @property
    def next_seq(self) -> int:
        """The ``seq`` of the event that comes next."""
        return self._next_seq

    def translate(self, facts: Iterable[Fact]) -> list[Draft]:
        """Return the events of the next facts."""
        for fact in facts:
            self._translate(fact)
        drafts, self._drafts = self._drafts, []
        return drafts

    def flush(self) -> list[Draft]:
        """Return the thoughts whose answers will not be read: the transcript has ended.

        Calls of other tools stay open: the agent may run, and a later import may read how they ended.
        """
        for agent in dict.fromkeys(call.agent for call in self._open_calls.values()):
            self._flush_thinking_calls(agent)
        drafts, self._drafts = self._drafts, []
        return drafts

    def note_skipped(self, identifier: str, counts: ReadCounts, begins_at: int | None = None) -> list[Draft]:
        """Return the event that says how many records of a transcript were left out so far, if that is news.

        A session with nothing else that could be read begins with it, at the time ``begins_at`` in microseconds since
        1970 (UTC); None: it has not been read to its end, and may yet begin by itself.
        """
        if not self._has_begun and begins_at is not None and any(counts.skipped.values()):
            self._newest_time = begins_at
        elif not self._has_begun:
            return []
        if counts.skipped != self._skipped.get(identifier, {}):
            self._skipped[identifier] = counts.skipped
            self._emit("skipped", self._newest_time, None, **counts.skipped, id=identifier)
        drafts, self._drafts = self._drafts, []
        return drafts

    # Lines of our own journals

    def adopt(self, kind: str, time: int, fields: dict[str, Any], call: ToolCall | None) -> tuple[list[Draft], int]:
        """Add an event of a journal of ours; return the new events, and its ``seq``.

        Args:
            kind: its type.
            time: when it happened, in microseconds since 1970 (UTC).
            fields: its fields, with an ``of`` that is valid here.
            call: the call of the transcript that it is about, if that is known: the transcript says whose it was.
        """
        agent = fields.get("agent")
        if call is not None:
            agent = call.agent
            self._close_call(call.id)
            self._seen |= {("ToolCall", call.id), ("Result", call.id)}
        key = ("ToolCall", call.id) if call is not None else None
        agent = agent if isinstance(agent, str) and agent else None  # whatever an unknown type means by it
        self._introduce_agent(agent, time)
        known = {name: value for name, value in fields.items() if name not in {"agent", "time"}}
        if call is not None and "toolUseId" not in known:
            known.setdefault("call", call.id)
        seq = self._emit(kind, time, key, **known, agent=agent)
        if kind == "thought":
            self._newest_row[agent] = seq
        drafts, self._drafts = self._drafts, []
        return drafts, seq

    def open_calls(self, agent: str | None) -> list[str]:
        """Return the ids of an agent's calls that have not been answered so far."""
        return list(self._open_of.get(agent, ()))

    @property
    def has_open_calls(self) -> bool:
        """Whether a call of any agent has not been answered so far."""
        return bool(self._open_calls)

    @property
    def working_folder(self) -> str:
        """The client's working folder; empty if it is not known."""
        return (self._session.cwd if self._session is not None else None) or ""

    def first_open_calls(self) -> list[ToolCall]:
        """Return of each agent the first call that has not been answered, without those that run an agent.

        A client works through the calls of an agent in their order.
        """
        starts_agents = {agent.call for agent in self._agents.values()}
        waiting = [[call for call in calls if call not in starts_agents] for calls in self._open_of.values()]
        return [self._open_calls[calls[0]] for calls in waiting if calls]

    def open_call(self, call_id: str) -> ToolCall | None:
        """Return the call with this id if it has not been answered."""
        return self._open_calls.get(call_id)

    def seq_of_call(self, call_id: str) -> int | None:
        """Return the ``seq`` of the event of a call; None if there is none."""
        return self._seqs.get(("ToolCall", call_id))

    def mark_known(self, call: ToolCall, seq: int) -> None:
        """Record that a call is in the journal already, as the event ``seq``."""
        key = ("ToolCall", call.id)
        self._seen |= {key, ("Result", call.id)}
        self._seqs[key] = seq

    def adopt_session(self, time: int, fields: Mapping[str, Any], *, is_resumed: bool) -> list[Draft]:
        """Add what a server of ours says about the session: its journal leads, the transcript's ids are added."""
        self._server_fields = {
            name: fields[name]
            for name in ("title", "server", "client", "protocolVersion", "pid", "host", "cwd", "branch", "remote")
            if fields.get(name) is not None
        } | {"notes": fields.get("notes"), "agentNotes": fields.get("agentNotes")}
        if self._has_begun:
            self._emit("session", time, None, **self._session_fields(), resumed=is_resumed or None)
        drafts, self._drafts = self._drafts, []
        return drafts

    # What every fact goes through

    def _translate(self, fact: Fact) -> None:
        if isinstance(fact, ContextUsed):
            self._note_context(fact)
            return
        key = (type(fact).__name__, fact.id)
        if not isinstance(fact, SessionDescribed | AgentStarted):
            if key in self._seen:
                self.known_count += not isinstance(fact, Result)
                self._note_repeated(fact, key)
                return
            self._seen.add(key)
        if isinstance(fact, Remark) and fact.time < self._reached.get(fact.agent, fact.time):
            self.known_count += 1
            return
        self._dispatch(fact, key)

    def _dispatch(self, fact: Fact, key: tuple[str, str]) -> None:
        match fact:
            case SessionDescribed():
                self._describe(fact)
            case AgentStarted():
                self._start_agent(fact)
            case ToolCall():
                self._begin_call(fact)
            case Result():
                self._end_call(fact)
            case Prompt() | TurnEnded():
                is_aborted = isinstance(fact, TurnEnded) and fact.is_aborted
                self._flush_calls(fact.agent, fact.time, CALL_INTERRUPTED if is_aborted else CALL_UNANSWERED)
                self._add_row(fact, key)
            case Reasoning() | Remark():
                self._add_row(fact, key)
            case _:
                self._add_rule(fact, key)

    def _note_repeated(self, fact: Fact, key: FactKey) -> None:
        """A fork begins with its parent's facts: remember how far they are the same."""
        if isinstance(fact, Result):
            key = ("ToolCall", fact.id)  # the thought's own event came with its result
        if fact.agent in self._forks and key in self._seqs:
            self._newest_row[fact.agent] = self._seqs[key]

    # A field of a journal of ours may be called as a parameter is, such as the ``kind`` of a question.
    def _emit(self, kind: str, time: int, key: tuple[str, str] | None, /, **fields: Any) -> int:  # noqa: ANN401 - JSON
        """Add an event and return its ``seq``."""
        time = self._newest_time = min(max(time, MIN_MICROSECONDS), MAX_MICROSECONDS)
        if not self._has_begun:
            self._has_begun = True
            self._emit("session", time, None, **self._session_fields())
        self._drafts.append(Draft(kind, time, {name: value for name, value in fields.items() if value is not None}))
        seq, self._next_seq = self._next_seq, self._next_seq + 1
        if key is not None:
            self._seqs[key] = seq
        return seq

    def _emit_row(self, kind: str, fact: Fact, key: tuple[str, str], **fields: Any) -> None:  # noqa: ANN401 - JSON
        self._introduce(fact)
        self._newest_row[fact.agent] = self._emit(kind, fact.time, key, **fields, agent=fact.agent)

    # The session and its agents

    def _session_fields(self) -> dict[str, Any]:
        about, ours = self._session, self._server_fields
        # A client that names its branch does so whenever that changes; our server names the one of its start.
        branch = {"branch": about.branch} if about and about.branch else {}
        client = {"name": self._names.client, "version": (about.client_version if about else None) or ""}
        return {
            "session": self._names.session,
            "title": about.title if about else None,
            "client": client,
            "cwd": about.cwd if about else None,
            "repository": about.repository if about else None,
            "worktree": (about.worktree or None) if about else None,
            "remote": about.remote if about else None,
            "notes": False,
            "source": self._names.source,
            "sourceIds": list(self._source_ids),
            "imported": self._names.imported or None,
            **ours,
            **branch,
        }

    def _describe(self, fact: SessionDescribed) -> None:
        if fact.agent is not None and fact.forked_from is not None:
            self._describe_fork(fact, fact.agent)
            return
        if fact.agent is not None:
            return
        known = self._session
        merged = self._session = joined_sessions(known, fact) if known else fact
        if self._has_begun and _shown_of(merged) != _shown_of(known):
            self._emit("session", fact.time, None, **self._session_fields())

    def _describe_fork(self, fact: SessionDescribed, agent: str) -> None:
        self._forks.setdefault(agent, fact)
        if fact.id in self._source_ids or len(self._source_ids) >= MAX_SOURCE_IDS:
            return
        self._source_ids.append(fact.id)
        if self._has_begun:
            self._emit("session", fact.time, None, **self._session_fields())

    def _start_agent(self, fact: AgentStarted) -> None:
        known = self._agents.get(fact.id)
        merged = AgentStarted(
            id=fact.id,
            time=fact.time,
            agent=fact.agent or (known.agent if known else None),
            name=self._lane_names.of(fact.id, fact.name) if fact.name else known.name if known else None,
            call=fact.call or (known.call if known else None),
            model=fact.model or (known.model if known else None),
        )
        if known is not None and (merged.agent, merged.name, merged.call, merged.model) == (
            known.agent,
            known.name,
            known.call,
            known.model,
        ):
            return
        self._agents[fact.id] = merged
        self._emit_agent(merged)

    def _emit_agent(self, agent: AgentStarted) -> None:
        caller = self._caller_row.get(agent.call) if agent.call else None
        # What is learned later of an agent does not move it to a later row.
        row = caller or self._agent_row.get(agent.id) or self._newest_row.get(agent.agent)
        if row is not None:
            self._agent_row[agent.id] = row
        self._emit(
            "agent",
            agent.time,
            None,
            id=agent.id,
            name=agent.name,
            parent=agent.agent,
            of=row,
            call=agent.call,
            model=agent.model,
        )

    def _introduce(self, fact: Fact) -> None:
        """Name the agent of a row, if no event has."""
        self._introduce_agent(fact.agent, fact.time)

    def _introduce_agent(self, agent: str | None, time: int) -> None:
        if agent is None or agent in self._agents:
            return
        self._agents[agent] = AgentStarted(id=agent, time=time)
        if agent in self._forks:
            fork = self._forks[agent]
            of = self._newest_row.get(agent) or max(self._seqs_of(fork.after), default=None)
            self._emit("agent", time, None, id=agent, name=fork.lane_name or "fork", fork=True, of=of)
        else:
            self._emit_agent(self._agents[agent])

    # Calls

    def _begin_call(self, call: ToolCall) -> None:
        row = self._newest_row.get(call.agent)
        if row is not None:
            self._caller_row[call.id] = row
        early = self._early_results.pop(call.id, None)
        if is_thinking_tool(call.tool):
            self._open_call(call)
            if early is not None:
                self._end_call(early)
            return
        self._introduce(call)
        seq = self._emit(
            "action",
            call.time,
            ("ToolCall", call.id),
            tool=call.tool,
            summary=call.summary or None,
            call=call.id,
            agent=call.agent,
        )
        if call.question:
            asked = {"of": seq, "purpose": call.tool, "call": call.id}
            self._emit("asking", call.time, None, **asked, kind="elicit", message=call.question)
        self._open_call(call)
        if early is not None:
            self._end_call(early)

    def _open_call(self, call: ToolCall) -> None:
        self._close_call(call.id)
        self._open_calls[call.id] = call
        self._open_of.setdefault(call.agent, {})[call.id] = None

    def _close_call(self, call_id: str) -> ToolCall | None:
        call = self._open_calls.pop(call_id, None)
        if call is not None:
            del self._open_of[call.agent][call_id]
        return call

    def _end_call(self, result: Result) -> None:
        call = self._close_call(result.id) or self._given_up.pop(result.id, None)
        if call is None:
            self._early_results[result.id] = result
            if len(self._early_results) > MAX_EARLY_RESULTS:
                del self._early_results[next(iter(self._early_results))]
            return
        if is_thinking_tool(call.tool):
            self._add_thought(call, result)
        elif result.is_error:
            self._emit_end(call, result.time, failed=True, error=result.error or None)
        else:
            self._emit_end(call, result.time, ended=CALL_UNANSWERED if result.is_lost else CALL_DONE)

    def _emit_end(self, call: ToolCall, time: int, **how: Any) -> None:  # noqa: ANN401 - JSON
        self._emit("action", time, None, tool=call.tool, **how, call=call.id, agent=call.agent)
        if call.question:
            action = "decline" if how.get("failed") else _ANSWERS.get(how.get("ended", ""))
            error = CALL_CANCELLED if action is None else None
            asked = {"of": self._seqs[("ToolCall", call.id)], "purpose": call.tool, "call": call.id}
            self._emit("elicit", time, None, **asked, action=action, error=error)

    def _flush_thinking_calls(self, agent: str | None) -> None:
        """Add the thoughts of an agent's open calls without their answers."""
        for call in [self._open_calls[call_id] for call_id in self.open_calls(agent)]:
            if is_thinking_tool(call.tool):
                self._close_call(call.id)
                self._add_thought(call, None)

    def _flush_calls(self, agent: str | None, time: int, ended: str) -> None:
        """A turn began or ended: the agent's open calls are not waited for any more."""
        self._flush_thinking_calls(agent)
        for call in [self._open_calls[call_id] for call_id in self.open_calls(agent)]:
            self._close_call(call.id)
            self._emit_end(call, time, ended=ended)
            if ended == CALL_UNANSWERED:
                remember_given_up(self._given_up, call)

    def _add_thought(self, call: ToolCall, result: Result | None) -> None:
        key = ("ToolCall", call.id)
        if result is not None and result.is_error:
            self._reject(call, plain_error(result.error) or "refused")
            return
        accepted = accept(call.arguments, MAX_TEXT_BYTES)
        if isinstance(accepted, InvalidArguments):
            self._reject(call, accepted.message)
            return
        fields = dict(accepted.fields)
        number, total = fields["thoughtNumber"], fields["totalThoughts"]
        if total < number:
            fields |= {"totalThoughts": number, "requestedTotal": total}
        answered = result.answered_next if result is not None else None
        if answered is not None and answered != fields["nextThoughtNeeded"]:
            fields["answeredNext"] = answered
        if accepted.coerced:
            fields["coerced"] = list(accepted.coerced)
        self._emit_row("thought", call, key, **fields, call=call.id)

    def _reject(self, call: ToolCall, error: str) -> None:
        arguments, is_cut = cut_arguments(call.arguments)
        self._introduce(call)
        self._emit(
            "rejected",
            call.time,
            ("ToolCall", call.id),
            error=error,
            arguments=arguments,
            truncated=is_cut or None,
            agent=call.agent,
            call=call.id,
        )

    # Rows and rules

    def _add_row(self, fact: Prompt | Reasoning | Remark | TurnEnded, key: tuple[str, str]) -> None:
        match fact:
            case Prompt():
                self._emit_row("prompt", fact, key, text=fact.text, id=fact.id)
            case Reasoning():
                self._emit_row(
                    "reasoning",
                    fact,
                    key,
                    text=fact.text or None,
                    tokens=_count(fact.tokens) or None,
                    durationMs=_duration(fact.duration_ms),
                    model=fact.model,
                    id=fact.id,
                )
            case Remark():
                self._emit_row("remark", fact, key, text=fact.text, id=fact.id)
            case TurnEnded():
                self._emit_row("turn", fact, key, text=fact.text or None, aborted=fact.is_aborted or None, id=fact.id)

    def _note_context(self, fact: ContextUsed) -> None:
        """Add how much of the context is used, if it changed enough since the agent's newest event about it.

        What was said before is known by its time; what a fork begins with is its parent's.
        """
        agent, time = fact.agent, fact.time
        if time <= self._context_reached.get(agent, time - 1) or time < self._reached.get(agent, time):
            return
        tokens, window, before = _count(fact.tokens), _count(fact.window) or None, self._context.get(agent)
        if not tokens or (agent in self._forks and agent not in self._agents):
            return
        if before is not None and (before.window, before.model) == (window, fact.model):
            least = window // 100 if window else MIN_CONTEXT_CHANGE
            if abs(before.tokens - tokens) < max(1, least):
                return
        self._context[agent], self._context_reached[agent] = fact, time
        self._introduce(fact)
        self._emit("usage", time, None, tokens=tokens, window=window, model=fact.model, agent=agent)

    def _seqs_of(self, ids: Iterable[str]) -> list[int]:
        """Return the ``seq`` of each event that has one of these ids, of whatever type."""
        known = (self._seqs.get((kind, one)) for one in ids for kind in _EMITTED_TYPES)
        return [seq for seq in known if seq is not None]

    def _is_left_behind(self, seq: int) -> bool:
        """Whether the main agent's newest rewind left an event behind: its subagents' go with it."""
        return seq in self._left_behind

    def _add_rule(self, fact: Fact, key: tuple[str, str]) -> None:
        match fact:
            case Compacted():
                self._introduce(fact)
                self._context[fact.agent] = None
                before, after = _count(fact.tokens_before), _count(fact.tokens_after)
                self._emit(
                    "compacted", fact.time, key, tokensBefore=before, tokensAfter=after, id=fact.id, agent=fact.agent
                )
            case Resumed() if fact.time in self._resumed_times:
                self.known_count += 1
            case Resumed() if self._has_begun:
                self._emit("session", fact.time, key, **self._session_fields(), resumed=True)
            case Rewound():
                self._rewind(fact, key)
            case _:
                return

    def _rewind(self, fact: Rewound, key: FactKey) -> None:
        first = min(self._seqs_of(fact.dropped), default=None)
        if first is None or self._is_left_behind(first):
            return
        self._introduce(fact)
        self._context[fact.agent] = None
        seq = self._emit("rewound", fact.time, key, of=first, id=fact.id, agent=fact.agent)
        self._left_behind = range(first, seq) if fact.agent is None else self._left_behind


def _count(value: int | None) -> int | None:
    """Return a count that a journal can hold; None for any other."""
    return value if value is not None and 0 <= value < NUMBER_LIMIT else None


def _duration(milliseconds: float | None) -> float | None:
    """Return a duration that a journal can hold; None for any other."""
    return milliseconds if milliseconds is not None and 0 <= milliseconds < NUMBER_LIMIT else None


def _is_shallow(value: object, depth: int) -> bool:
    """Return whether a JSON value is nested at most ``depth`` levels deep."""
    inner: Iterable[object] = ()
    if isinstance(value, dict):
        inner = cast("dict[str, object]", value).values()
    elif isinstance(value, list):
        inner = cast("list[object]", value)
    return depth > 0 and all(_is_shallow(one, depth - 1) for one in inner)


def _shown_of(about: SessionDescribed | None) -> tuple[str, ...]:
    """Return what is shown of a session and may change."""
    if about is None:
        return ("",) * 5
    return tuple(text or "" for text in (about.title, about.repository, about.worktree, about.branch, about.remote))


def _described_before(names: SessionNames, earlier: EarlierTranslation) -> SessionDescribed:
    return SessionDescribed(
        id=names.source_id,
        time=0,
        client_version=earlier.client_version,
        cwd=earlier.cwd,
        repository=earlier.repository,
        worktree=earlier.worktree,
        branch=earlier.branch,
        remote=earlier.remote,
        title=earlier.title,
    )


def plain_error(error: str) -> str:
    """Return why a call was refused: the error in our server's answer, which may be cut; any other text as it is."""
    body = _ERROR_BODY.match(error)
    try:
        return error if body is None else str(json.loads(body[1], strict=False))
    except ValueError:
        return error


def cut_arguments(arguments: object) -> tuple[object, bool]:
    """Return a refused call's arguments as the journal keeps them, and whether they were cut."""
    try:
        text = json.dumps(arguments, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
            "utf-8", "replace"
        )
    except (TypeError, ValueError, RecursionError):
        return "(cannot be shown)", True
    if len(text) <= MAX_ARGUMENT_BYTES:
        return (arguments, False) if _is_shallow(arguments, MAX_ARGUMENT_DEPTH) else (text.decode(), False)
    return text[:MAX_ARGUMENT_BYTES].decode("utf-8", "ignore"), True
