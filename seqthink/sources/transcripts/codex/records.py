"""The core of the Codex source: the lines of one rollout in, facts out, for all generations of the format since 2025.

Bare lines (2025), records with a payload, and those with ordinals and completed items (2026) are distinguished by their
fields, since a long thread may begin in one and go on in another. What several records say is emitted once. A legacy
fork repeats the lines of its original, with new times and the same ids: its facts are those of the original.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from seqthink.sources.transcripts.call_ids import first_call_id
from seqthink.sources.transcripts.codex.copied_lines import ForkCopies
from seqthink.sources.transcripts.codex.events import EVENTS, EVENTS_WITHOUT_FACTS
from seqthink.sources.transcripts.codex.fork_points import ForkPoints
from seqthink.sources.transcripts.codex.line_head import (
    RECORD_START,
    LineHead,
    answered_call,
    line_head,
    may_have_facts,
)
from seqthink.sources.transcripts.codex.repeated_lines import RepeatedLines
from seqthink.sources.transcripts.codex.response_items import ITEMS, ITEMS_WITHOUT_FACTS, agent_message
from seqthink.sources.transcripts.codex.thread_meta import ThreadMeta, is_bare_meta, meta_of_payload
from seqthink.sources.transcripts.codex.thread_state import ThreadState
from seqthink.sources.transcripts.codex.turn_lines import TurnLines
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import AgentStarted, ContextUsed, Fact, Prompt, Rewound, SessionDescribed
from seqthink.sources.transcripts.files.damaged_lines import whole_records
from seqthink.sources.transcripts.files.json_lines import decode_object, microseconds_of_text
from seqthink.sources.transcripts.files.processes import Processes
from seqthink.sources.transcripts.json_fields import Fields, id_in, number_in, object_in, text_in, time_in
from seqthink.sources.transcripts.lane_names import task_name

_RECORDS_WITHOUT_FACTS: Final = frozenset(
    {"world_state", "token_usage_record", "inter_agent_communication_metadata", "retained_context", "state"}
)


def _is_record(value: dict[str, Any]) -> bool:
    return isinstance(value.get("timestamp"), str) and isinstance(value.get("type"), str) and "payload" in value


class RolloutReader:
    """Reads one rollout: a thread of its own, a fork's, or a subagent's."""

    def __init__(
        self,
        counts: ReadCounts,
        root: str | None = None,
        forks: ForkPoints | None = None,
        processes: Processes | None = None,
    ) -> None:
        """Read a rollout.

        Args:
            counts: Counts what cannot be read.
            root: The session's main thread, by default this one.
            forks: Shared by all rollouts of a session; an original is read before its forks.
            processes: The turns with which further processes began, shared, also with readings that follow.
        """
        self._counts = counts
        self._repeated = RepeatedLines()
        self._forks = forks or ForkPoints()
        self._root = root
        self._lines = TurnLines(processes or Processes())
        self._meta: ThreadMeta | None = None
        # The agent of the rollout's own line.
        self._main_agent: str | None = None
        self._copied: ForkCopies | None = None
        self._shown_model: str | None = None
        # Whether a subagent's name is reported that says what it is for.
        self._has_name = False
        self._readers: Mapping[str, Callable[[Fields], list[Fact] | None]] = {
            "session_meta": self._read_meta,
            "turn_context": self._read_context,
            "response_item": self._read_item,
            "event_msg": self._read_event,
            "compacted": self._read_compacted,
            "inter_agent_communication": self._read_agent_message,
        }

    @property
    def _state(self) -> ThreadState:
        """What is known of the line of the current record."""
        return self._lines.now.state

    @property
    def _own_agent(self) -> str | None:
        """The agent of that line."""
        turn = self._lines.now.turn
        return first_call_id(turn, self._main_agent) if turn else self._main_agent

    def wants(self, line: bytes) -> bool:
        """Return False if no fact can follow from this line, by its first bytes."""
        return may_have_facts(line)

    def read(self, line: bytes) -> list[Fact]:
        """Return what the next line says. Never raises."""
        head = line_head(line)
        if self._repeated.take(line, head):
            return []
        if line.find(RECORD_START, 1) > 0 and decode_object(line) is None:
            return self._read_damaged(line)
        if head is not None:
            self._state.time = microseconds_of_text(head.timestamp) or self._state.time
        if head is not None and head.type == b"compacted":
            facts = [*self._enter("compacted", {}, head.ordinal), *self._read_compacted({})]
        elif (call := answered_call(line, head)) is not None and not self._is_thinking(call, head):
            facts = [*self._state.settle(), *self._state.answered(call, "")]
        else:
            facts = self._read_whole(line)
        facts = self._with_name(facts)
        self._state.remember(facts)
        is_main = not self._lines.now.turn
        if is_main and head is not None and head.ordinal is not None and self._meta is not None:
            rows = [fact for fact in facts if not isinstance(fact, Rewound | ContextUsed)]
            self._forks.note(self._meta.id, head.ordinal, rows)
        return facts

    def _is_thinking(self, call: str, head: LineHead | None) -> bool:
        self._enter("response_item", {"call_id": call}, head.ordinal if head else None)
        return self._state.calls.is_thinking(call)

    def _enter(self, kind: str, payload: Fields, ordinal: int | None) -> list[Fact]:
        """Go to the line of the next record, and return that it begins, if it does."""
        is_copy = self._copied is not None and self._copied.holds("")
        if not self._lines.enter(kind, payload, ordinal, is_copy=is_copy) or self._meta is None:
            return []
        thread, line = self._meta.id, self._lines.now
        return [
            SessionDescribed(
                id=thread,
                time=self._state.time,
                agent=self._own_agent,
                forked_from=thread,
                lane_name=f"process {self._lines.place_of(line) + 1}",
                after=self._forks.facts_before(thread, ordinal),
            )
        ]

    def settle(self) -> list[Fact]:
        """Return the answer of a turn whose end no record marks, if nothing more comes."""
        states = [line.state for line in self._lines]
        return [fact for state in states for fact in (*state.pause(), *state.end_unmarked_turn())]

    def _read_damaged(self, line: bytes) -> list[Fact]:
        self._counts.corrupt += 1
        return [fact for whole in whole_records(line, _is_record) for fact in self.read(whole)]

    def _read_whole(self, line: bytes) -> list[Fact]:
        record = decode_object(line)
        if record is None:
            return self._read_damaged(line)
        self._state.time = time_in(record, "timestamp") or self._state.time
        kind, payload = text_in(record, "type", "record_type"), object_in(record, "payload")
        if is_bare_meta(record):
            kind, payload = "session_meta", record
        elif "payload" not in record and kind in ITEMS:
            kind, payload = "response_item", record
        begun = self._enter(kind, payload, number_in(record, "ordinal"))
        reader = self._readers.get(kind)
        facts = None if reader is None else reader(payload)
        if facts is None and kind not in _RECORDS_WITHOUT_FACTS:
            self._counts.unknown += 1
        return [*begun, *(facts or [])]

    def _read_meta(self, payload: Fields) -> list[Fact]:
        meta = meta_of_payload(payload)
        if meta is None:
            self._counts.corrupt += 1
            return []
        if self._meta is not None:
            if self._copied is not None:
                self._copied.begin(meta, self._state.time)
            return []
        self._meta, self._copied = meta, ForkCopies(meta)
        self._repeated.note_beginning()
        self._has_name = meta.has_task_name
        self._root = self._root or meta.id
        self._state.task = (meta.name or "") if meta.is_subagent else ""
        self._main_agent = self._state.agent = meta.labelled(self._root)
        self._state.time = self._state.time or meta.time or 0
        if meta.continues_before is not None:
            return self._left_behind(meta, meta.continues_before)
        return [self._described(meta), *self._left_at(meta)]

    def _left_behind(self, meta: ThreadMeta, before: int) -> list[Fact]:
        """Return what a rewind left behind in the thread's file before this one."""
        dropped = self._forks.leave_behind(meta.id, before)
        time = meta.time or self._state.time
        return (
            [Rewound(id=f"rewind-{dropped[0]}", time=time, agent=self._main_agent, dropped=dropped)] if dropped else []
        )

    def _left_at(self, meta: ThreadMeta) -> list[Fact]:
        """Return where a fork leaves its original, if it does not repeat it."""
        if meta.forked_from is None or meta.forked_before is None or meta.is_subagent or self._main_agent is None:
            return []
        time = meta.time or self._state.time
        return self._forks.last_before(meta.forked_from, meta.forked_before, time, self._main_agent)

    def _described(self, meta: ThreadMeta) -> Fact:
        time, agent = meta.time or self._state.time, self._main_agent
        if meta.is_subagent and agent is not None:
            name = meta.name if meta.has_task_name else None
            return AgentStarted(id=agent, time=time, agent=self._label(meta.parent), name=name)
        return SessionDescribed(
            id=meta.id,
            time=time,
            agent=agent,
            client_version=meta.version,
            cwd=meta.cwd,
            branch=meta.branch,
            remote=meta.remote,
            forked_from=meta.forked_from,
        )

    def _with_name(self, facts: list[Fact]) -> list[Fact]:
        """Return the facts with the name of a subagent that has none, once it is known what it was asked."""
        meta, agent = self._meta, self._main_agent
        if self._has_name or meta is None or agent is None or not meta.is_subagent:
            return facts
        asked = next((fact for fact in facts if isinstance(fact, Prompt) and fact.agent == agent), None)
        if asked is None:
            return facts
        self._has_name = True
        name = task_name(meta.name or "", prompt=asked.text)
        return [AgentStarted(id=agent, time=asked.time, agent=self._label(meta.parent), name=name), *facts]

    def _read_context(self, payload: Fields) -> list[Fact]:
        turn = id_in(payload, "turn_id")
        self._notice_turn(turn)
        self._state.enter_turn(turn)
        self._state.model = text_in(payload, "model") or self._state.model
        meta = self._meta
        is_news = self._state.model is not None and self._shown_model is None and self._state.agent == self._main_agent
        if meta is None or self._main_agent is None or not meta.is_subagent or not is_news:
            return []
        self._shown_model = self._state.model
        started = AgentStarted(
            id=self._main_agent, time=self._state.time, agent=self._label(meta.parent), model=self._shown_model
        )
        return [started]

    def _read_item(self, payload: Fields) -> list[Fact] | None:
        kind = text_in(payload, "type")
        if kind in ITEMS_WITHOUT_FACTS:
            return []
        self._notice_speaker("")
        reader = ITEMS.get(kind)
        return None if reader is None else reader(self._state, payload)

    def _read_event(self, payload: Fields) -> list[Fact] | None:
        kind = text_in(payload, "type")
        if kind in EVENTS_WITHOUT_FACTS:
            return []
        self._notice_turn(id_in(payload, "turn_id") if kind in {"task_started", "turn_started"} else None)
        self._notice_speaker(id_in(payload, "thread_id"))
        reader = EVENTS.get(kind)
        return None if reader is None else reader(self._state, payload)

    def _read_compacted(self, _: Fields) -> list[Fact]:
        self._notice_speaker("")
        return [*self._state.settle(), *self._state.compacted("record")]

    def _read_agent_message(self, payload: Fields) -> list[Fact]:
        self._notice_speaker("")
        return agent_message(self._state, payload)

    def _notice_turn(self, turn: str | None) -> None:
        """Take in the beginning of a turn: a fork's first own one ends what it copied."""
        if self._copied is None or turn is None:
            return
        was_copy = self._copied.holds("")
        self._copied.take_turn(turn, self._state.time)
        if was_copy and not self._copied.holds(""):
            # without an agent of its own, its original is gone, and this thread is all there is
            self._state.forget_copies(are_shown_elsewhere=self._main_agent is not None)

    def _notice_speaker(self, thread: str) -> None:
        """Take in whose the current record is; ``thread`` is the one that it names, or empty.

        What a subagent copies is its parent's. What a fork copies is emitted as the fork's: what comes twice says how
        far the two are the same.
        """
        self._state.agent = self._state.owner = self._own_agent
        if self._main_agent is not None and self._copied is not None and self._copied.holds(thread):
            self._state.owner = self._label(self._copied.speaker(thread))
        if self._main_agent is None or self._copied is None or self._meta is None or not self._meta.is_subagent:
            return
        if self._copied.holds(thread):
            self._state.agent = self._label(self._copied.original)

    def _label(self, thread: str | None) -> str | None:
        return None if thread == self._root else thread
