"""The core: rows of OpenCode's database in, facts out.

OpenCode rewrites a row while it grows, so a message is taken with all its parts whenever one of them changed, and each
fact is returned once, when it is certain.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from seqthink.sources.transcripts.call_ids import CallIds
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import AgentStarted, ContextUsed, Fact, Prompt, Rewound, SessionDescribed
from seqthink.sources.transcripts.files.json_lines import microseconds_of_number
from seqthink.sources.transcripts.json_fields import milliseconds_in, object_in, text_in
from seqthink.sources.transcripts.lane_names import task_name
from seqthink.sources.transcripts.opencode.columns import decode_object, identifier
from seqthink.sources.transcripts.opencode.rows import LogRow, MessageRow, PartRow, SessionRow
from seqthink.sources.transcripts.opencode.steps import (
    HeldCall,
    MessageState,
    Part,
    PartFact,
    compaction_facts,
    completed_time,
    context_tokens,
    end_of_step,
    idle_facts,
    prompt_facts,
    step_facts,
    unmarked_end,
)

_KNOWN_PARTS: Final = frozenset({
    "text", "reasoning", "tool", "file", "agent", "patch", "snapshot", "step-start", "step-finish", "retry",
    "compaction", "subtask",
})  # fmt: skip
_SUBAGENT_TITLE: Final = re.compile(r"(.*) \(@(.+) subagent\)", re.DOTALL)
_DEFAULT_TITLE: Final = re.compile(r"(?:New|Child) session - \d{4}-\d\d-\d\dT[\d:.]+Z")


class OpenCodeReader:
    """Reads one root session with its subagents."""

    def __init__(self, root: str, counts: ReadCounts) -> None:
        self._root = root
        self._counts = counts
        self._time = 0
        self._described: dict[str, AgentStarted | SessionDescribed] = {}
        self._reported: dict[tuple[type[Fact], str], int] = {}
        """The place of each fact among all."""
        self._messages: dict[str, MessageState] = {}
        self._steps: dict[str, MessageState] = {}
        """Of each session the step that the model is at."""
        self._context: dict[str, int] = {}
        """Of each session how many tokens its conversation had."""
        self._call_ids = CallIds()
        self._skipped: set[str] = set()
        """The rows that were counted as left out: a row is read again whenever its message changes."""
        self._dropped: dict[str | None, list[tuple[int, str]]] = {}
        """Of each agent place and id of the facts that are gone."""
        self._dropped_at = 0

    def take_session(self, row: SessionRow, forked_from: str | None = None) -> list[Fact]:
        """Take in the row of the root, of a subagent's session or of a fork; return what is new about it."""
        time = microseconds_of_number(row.created) or self._time
        title = None if _DEFAULT_TITLE.fullmatch(row.title) else row.title or None
        if row.id != self._root and forked_from is None:
            names = _SUBAGENT_TITLE.fullmatch(row.title)
            name = task_name(names[2], names[1]) if names else title and task_name("", title)
            return self._describe(AgentStarted(id=row.id, time=time, agent=self._agent(row.parent_id), name=name))
        return self._describe(
            SessionDescribed(
                id=row.id,
                time=time,
                agent=self._agent(row.id),
                client_version=row.version or None,
                cwd=row.directory or None,
                title=title,
                forked_from=forked_from,
            )
        )

    def take_message(self, row: MessageRow, parts: Sequence[PartRow]) -> list[Fact]:
        """Take in a message with all its parts as they are now; return the facts that are new."""
        info = self._decode(row.id, row.data)
        if info is None:
            return []
        state = self._messages.get(row.id)
        if state is None:
            begun = milliseconds_in(object_in(info, "time"), "created") or microseconds_of_number(row.created)
            state = self._messages[row.id] = MessageState(row.id, self._agent(row.session_id), begun or self._time)
        state.part_ids = frozenset(part.id for part in parts)
        for gone in state.facts.keys() - state.part_ids - {row.id}:
            self._drop(state, state.facts.pop(gone))
        match info.get("role"):
            case "user":
                is_reported = (Prompt, row.id) in self._reported
                return self._new(state, prompt_facts(state, self._decoded(state, parts), is_reported))
            case "assistant":
                return self._take_step(row.session_id, state, info, parts)
            case "idle":
                return self._new(state, idle_facts(state, info))
            case "note":
                return []
            case _:
                self._counts.unknown += self._is_first_look(row.id)
                return []

    def remove_message(self, message_id: str) -> None:
        """Take in that a message is gone, with all its parts."""
        state = self._messages.pop(message_id, None)
        if state is not None:
            for facts in state.facts.values():
                self._drop(state, facts)

    def settle(self) -> list[Fact]:
        """Return the answers of turns whose last step was not completed, if nothing more comes."""
        return [fact for step in self._steps.values() for fact in self._new(step, unmarked_end(step))]

    @property
    def unstarted_calls(self) -> Mapping[str, int]:
        """The commands that do not run yet, with the time at which each was called."""
        return {call: time for step in self._steps.values() for call, time in step.unstarted.items()}

    @property
    def held_calls(self) -> Mapping[str, HeldCall]:
        """The calls that do not run yet if the client has asked for a permission."""
        return {call: held for step in self._steps.values() for call, held in step.held.items()}

    @property
    def last_time(self) -> int:
        """The time of the newest fact, in microseconds since 1970."""
        return self._time

    def take_removals(self) -> list[Fact]:
        """Return for each agent what of its facts is gone since the last time."""
        gone, self._dropped = self._dropped, {}
        main_first = sorted(gone.items(), key=lambda dropped: dropped[0] is not None)
        return [_rewound(agent, facts, self._dropped_at) for agent, facts in main_first]

    def changed_message(self, row: LogRow) -> str | None:
        """Return the message that an entry of the event log is about; None if it is about none."""
        data = self._decode(f"log/{row.seq}", row.data) or {}
        match row.type.rpartition(".")[0]:
            case "message.updated":
                return identifier(object_in(data, "info").get("id"))
            case "message.part.updated":
                return identifier(object_in(data, "part").get("messageID"))
            case "message.removed" | "message.part.removed":
                return identifier(data.get("messageID"))
            case _:  # of other things, or of a type that came later: what is shown is in messages
                return None

    def part_count(self, message_ids: Iterable[str]) -> int:
        """Return how many parts these messages had when they were taken in."""
        return sum(len(self._messages[each].part_ids) for each in message_ids if each in self._messages)

    def _take_step(
        self, session_id: str, state: MessageState, info: dict[str, Any], rows: Sequence[PartRow]
    ) -> list[Fact]:
        facts: list[Fact] = []
        before = self._steps.get(session_id)
        if before is None or before.time <= state.time:
            self._steps[session_id] = state
            if before is not None and before is not state:
                facts += self._new(before, end_of_step(before))
        if info.get("summary") is True:
            tokens = self._context.get(session_id)
            return facts + self._new(state, compaction_facts(state, info, tokens))
        self._context[session_id] = context_tokens(info) or self._context.get(session_id, 0)
        facts += self._new(state, step_facts(state, info, self._decoded(state, rows), self._call_ids))
        return facts + self._used(state, info)

    def _used(self, state: MessageState, info: dict[str, Any]) -> list[Fact]:
        """Return how much of the context a completed step took, once; the client records no window."""
        completed, tokens = completed_time(info), context_tokens(info)
        if completed is None or not tokens or state.has_context:
            return []
        state.has_context = True
        model = text_in(info, "modelID") or None
        return [ContextUsed(id=state.id, time=completed, agent=state.agent, tokens=tokens, model=model)]

    def _agent(self, session_id: str | None) -> str | None:
        return None if session_id == self._root else session_id

    def _decode(self, row: str, data: object) -> dict[str, Any] | None:
        self._counts.read += 1
        decoded = None if data is None else decode_object(data)
        if decoded is not None:
            return decoded
        is_first_look = self._is_first_look(row)
        self._counts.too_long += data is None and is_first_look
        self._counts.corrupt += data is not None and is_first_look
        return None

    def _is_first_look(self, row: str) -> bool:
        """Return whether a row that is left out was not counted before."""
        is_first_look = row not in self._skipped
        self._skipped.add(row)
        return is_first_look

    def _decoded(self, state: MessageState, rows: Sequence[PartRow]) -> list[Part]:
        parts: list[Part] = []
        for row in rows:
            if row.id in state.settled:
                continue
            data = self._decode(row.id, row.data)
            if data is not None and text_in(data, "type") in _KNOWN_PARTS:
                parts.append(Part(row.id, microseconds_of_number(row.created) or state.time, data))
            elif data is not None or row.data is None:
                state.settled.add(row.id)
                self._counts.unknown += data is not None
        return parts

    def _describe(self, fact: AgentStarted | SessionDescribed) -> list[Fact]:
        """Return the fact if it adds to what is known. A subagent keeps what it was called first; titles change."""
        known = self._described.get(fact.id)
        if known is not None:
            old, new = ({key: value for key, value in msgspec.structs.asdict(each).items() if value is not None}
                        for each in (known, fact))  # fmt: skip
            merged = {**new, **old} if isinstance(fact, AgentStarted) else {**old, **new}
            fact = type(fact)(**merged)
        self._described[fact.id] = fact
        self._time = max(self._time, fact.time)
        return [] if fact == known else [fact]

    def _new(self, state: MessageState, found: Iterable[PartFact]) -> list[Fact]:
        """Return the facts that were not reported yet, and remember what they would be gone with."""
        new: list[Fact] = []
        for owner, fact in found:
            if isinstance(fact, AgentStarted):
                new += self._describe(fact)
            elif (type(fact), fact.id) not in self._reported:
                place = self._reported[type(fact), fact.id] = len(self._reported)
                state.facts.setdefault(owner, []).append((place, fact.id))
                self._time = max(self._time, fact.time)
                new.append(fact)
        return new

    def _drop(self, state: MessageState, facts: Iterable[tuple[int, str]]) -> None:
        if not self._dropped:
            self._dropped_at = self._time
        self._dropped.setdefault(state.agent, []).extend(facts)


def _rewound(agent: str | None, facts: Iterable[tuple[int, str]], time: int) -> Rewound:
    dropped = tuple(dict.fromkeys(fact_id for _, fact_id in sorted(facts)))
    return Rewound(id=f"{dropped[0]}:rewound", time=time, agent=agent, dropped=dropped)
