"""Folds in what only a transcript says: prompts, native reasoning, actions, the ends of turns, what was left behind.

docs/journal.md, "Native reasoning", has the rules. Shown or hidden, native reasoning never changes what the fold makes
of the thinking tool's calls: it takes no number, no estimate, and begins a chain only while no such call has come.
"""

import re
from bisect import bisect_left
from typing import Final

from seqthink.chain.agent_state import AgentState
from seqthink.chain.asides import AsideRows
from seqthink.chain.columns.session_columns import (
    FLAG_ANSWER,
    FLAG_FINAL,
    FLAG_PROMPT,
    FLAG_REASONING,
    FLAG_REMARK,
    FLAG_RETRACTION,
    RecordKind,
    SessionColumns,
)
from seqthink.chain.columns.thought_rows import ThoughtRows
from seqthink.chain.lane_finder import LaneFinder
from seqthink.chain.model import NONE, AsideItem, AsideKind, Landmark
from seqthink.chain.native.put_back import EditedFiles
from seqthink.chain.native.retractions import retraction_in
from seqthink.chain.native.rewinds import Rewinds
from seqthink.chain.pending import RunningCalls
from seqthink.core.events import (
    ActionEvent,
    CompactedEvent,
    NativeEvent,
    PromptEvent,
    ReasoningEvent,
    RemarkEvent,
    RewoundEvent,
    TurnEvent,
)
from seqthink.core.times import MAX_MICROSECONDS, microseconds_of

_PATH: Final = re.compile(r"(?![a-z]+://)(?:[^\s*?\[\](){}|^$<>\"'`;=]*[/\\])?([^\s*?\[\](){}|^$<>\"'`;=/\\]+)[/\\]?")
"""A path without what only patterns, commands and addresses have; its last name is the group."""
MAX_PATH_CHARS: Final = 1000
"""A longer summary of a call is not a path: what is kept of each call is bounded."""
TranscriptEvent = NativeEvent | ActionEvent | CompactedEvent | RewoundEvent


class NativeRows:
    """Adds the rows of a transcript's events.

    Args:
        columns: the columns of the session.
        lanes: finds the lanes of rows.
        rows: appends thoughts to the columns.
        rewinds: records what is left behind.
        running: finds which calls of tools run.
        asides: adds the rows that are not thoughts.
        is_shown: whether native reasoning has rows; else it only counts as lines.
        has_words: whether remarks have rows though native reasoning has none.
    """

    def __init__(
        self,
        columns: SessionColumns,
        lanes: LaneFinder,
        rows: ThoughtRows,
        asides: AsideRows,
        rewinds: Rewinds,
        running: RunningCalls,
        *,
        is_shown: bool,
        has_words: bool,
    ) -> None:
        self._columns, self._lanes, self._rows, self._asides, self._rewinds = columns, lanes, rows, asides, rewinds
        self._running = running
        self._is_shown, self._has_words = is_shown, has_words
        self._edited = EditedFiles()

    def add(self, event: TranscriptEvent, offset: int, size: int) -> None:
        """Fold in the next event; ``offset`` and ``size`` say where its line is."""
        self._record(event)
        match event:
            case PromptEvent() | ReasoningEvent() | RemarkEvent() | TurnEvent():
                self._columns.native.entries.append(self._columns.entry_count)
                if isinstance(event, RemarkEvent) and self._columns.native.first_remark is None:
                    self._columns.native.first_remark = self._columns.entry_count
                if event.agent:
                    self._record_turn(event, event.agent)
                elif isinstance(event, TurnEvent):
                    self._end_main_turn(event)
                self._add_native(event, offset, size)
            case ActionEvent():
                self._running.add(event, self._columns.entry_count, self._add_action(event, offset, size))
            case CompactedEvent():
                self._columns.agents.context.compact(event, self._columns.entry_count)
                self._asides.add_rule(AsideKind.COMPACTED, event, self._agent(event.agent), offset, size)
            case RewoundEvent():
                self._columns.agents.context.rewind(event, self._columns.entry_count)
                self._add_rewind(event, offset, size)

    def _record(self, event: TranscriptEvent) -> None:
        """Record what an agent's line says about its current work."""
        entry_index, agent = self._columns.entry_count, event.agent or None
        records = self._columns.native.by_agent[agent]
        records.entries.append(entry_index)
        records.times.append(microseconds_of(event.time))
        records.kinds.append(_kind_of(event))
        if not isinstance(event, ActionEvent):
            self._running.clear(agent, entry_index)
        self._columns.native.note_turn_to(agent, entry_index)

    def _record_turn(self, event: NativeEvent, agent_id: str) -> None:
        agents, entry_index = self._columns.agents, self._columns.entry_count
        agents.record_turn(agents.register(agent_id, entry_index), entry_index, has_ended=isinstance(event, TurnEvent))

    def _end_main_turn(self, event: TurnEvent) -> None:
        if event.aborted:
            self._columns.agents.interrupt_turns(self._columns.entry_count)
        elif event.text:
            self._columns.native.answers.append(self._columns.entry_count)

    def _agent(self, agent_id: str | None) -> AgentState | None:
        return self._lanes.find_state(agent_id)

    def _laneless(self, agent_id: str | None) -> int:
        """Return the ordinal of a subagent that has not thought yet; NONE for any other agent."""
        is_known = not agent_id or self._agent(agent_id) is not None
        return NONE if is_known else self._columns.agents.find(agent_id)

    def _add_native(self, event: NativeEvent, offset: int, size: int) -> None:
        if not self._is_shown:
            self._add_hidden(event, offset, size)
        elif isinstance(event, ReasoningEvent) and not event.text:
            item = AsideItem(
                self._columns.entry_count,
                microseconds_of(event.time),
                offset,
                size,
                duration_us=_microseconds(event.durationMs),
                tokens=event.tokens or 0,
            )
            if self._columns.native.first_unkept is None:
                self._columns.native.first_unkept = self._columns.entry_count
            self._asides.count(AsideKind.UNKEPT, event, self._agent(event.agent), item)
        else:
            self._add_row(event, offset, size)

    def _add_hidden(self, event: NativeEvent, offset: int, size: int) -> None:
        """Add the rows that are shown though native reasoning is not: prompts, answers, and remarks if wanted.

        Of a subagent only its answer and its remarks are shown; the remarks only where it has a lane.
        """
        if isinstance(event, PromptEvent) and not event.agent:
            prompt = self._asides.add_rule(AsideKind.PROMPT, event, self._agent(None), offset, size)
            self._columns.native.prompt_asides.append(prompt)
        elif isinstance(event, RemarkEvent):
            agent = self._agent(event.agent)
            if self._has_words and (agent is not None or not event.agent):
                self._asides.add_between(
                    AsideKind.REMARK, event, agent, offset, size, is_retraction=_is_retraction(event)
                )
        elif isinstance(event, TurnEvent) and (event.text or event.agent):
            kind = AsideKind.UNFINISHED if event.aborted else AsideKind.RESULT
            agent, laneless = self._agent(event.agent), self._laneless(event.agent)
            is_retraction = _is_retraction(event)
            self._asides.add(kind, event, agent, offset, size, is_retraction=is_retraction, laneless=laneless)

    def _add_row(self, event: NativeEvent, offset: int, size: int) -> None:
        columns, thoughts = self._columns, self._columns.thoughts
        index = len(thoughts.seq)
        agent = self._lanes.state_of(event.agent)
        has_tool_thoughts = len(columns.native.thoughts) < index
        begins_chain = isinstance(event, PromptEvent) and agent is self._lanes.main_agent and not has_tool_thoughts
        lane = self._lanes.place_native(agent, index, begins_chain=begins_chain)
        columns.native.thoughts.append(index)
        match event:
            case PromptEvent():
                flags, agent.turn_length = FLAG_PROMPT, 0
                if agent is self._lanes.main_agent:
                    columns.native.prompt_rows.append(index)
            case ReasoningEvent():
                flags, agent.turn_length = FLAG_REASONING, agent.turn_length + 1
                columns.native.place_in_turn.put(index, agent.turn_length)
            case RemarkEvent():
                flags = FLAG_REMARK
            case TurnEvent():
                flags = FLAG_ANSWER if event.aborted else FLAG_ANSWER | FLAG_FINAL
        if not isinstance(event, PromptEvent) and _is_retraction(event):
            flags |= FLAG_RETRACTION
            columns.native.retractions.append(index)
            columns.landmarks[Landmark.RETRACTION].append(columns.entry_count)
        end = columns.newest_kept(lane)
        estimate = thoughts.estimate[end] if end != NONE else 0
        columns.native.agent_call.put(index, agent.last_thought)
        columns.native.lane_call.put(index, columns.newest_kept_call(lane))
        # The time before a prompt is the user's.
        previous = agent.newest if flags != FLAG_PROMPT else NONE
        self._rows.append(event, 0, estimate, lane, previous, flags)
        thoughts.offset.append(offset)
        thoughts.size.append(size)
        is_end = flags & FLAG_ANSWER != 0 or not has_tool_thoughts
        self._asides.note_native(index, agent, is_prompt=flags == FLAG_PROMPT, is_end=is_end)
        agent.newest = index

    def _add_action(self, event: ActionEvent, offset: int, size: int) -> int:
        """Count a call and return its ordinal, or record the end of one and return NONE."""
        calls = self._columns.native.calls
        if event.ended is not None and calls.first_named_end == NONE:
            calls.first_named_end = self._columns.entry_count
        if event.is_end and (self._asides.end_call(event, offset, size) or not event.failed):
            return NONE
        if self._running.begins(event):
            self._reopen_turn(event.agent)
        time, file = microseconds_of(event.time), file_name(event.summary or "")
        item = AsideItem(self._columns.entry_count, time, offset, size, name=event.tool, file=file)
        laneless = self._laneless(event.agent)
        ordinal = self._asides.count(AsideKind.ACTIONS, event, self._agent(event.agent), item, laneless)
        puts_back = self._edited.put_back_by(event.tool, event.summary or "")
        call = calls.begin(self._columns.entry_count)
        if event.failed:
            self._asides.add_failure(ordinal)
            calls.end(call, event, self._columns.entry_count, offset, size)
        elif event.call:
            self._asides.open_call(event.call, ordinal, call, puts_back)
        return call

    def _reopen_turn(self, agent_id: str | None) -> None:
        """Record that an agent acts after what it seemed to end its turn with: Gemini CLI writes calls that late."""
        columns, agent = self._columns, self._agent(agent_id)
        columns.agents.reopen_turn(columns.agents.find(agent_id), columns.entry_count)
        if agent is None or agent.newest == NONE or not columns.thoughts.flags[agent.newest] & FLAG_ANSWER:
            return
        columns.thoughts.reopened.setdefault(agent.newest, columns.entry_count)

    def _add_rewind(self, event: RewoundEvent, offset: int, size: int) -> None:
        columns, agent = self._columns, self._agent(event.agent)
        self._asides.add_rule(AsideKind.REWOUND, event, agent, offset, size)
        first = bisect_left(columns.thoughts.seq, event.of)
        if agent is not None and first < len(columns.thoughts.seq):
            self._rewinds.add(first, agent.ordinal)


def file_name(summary: str) -> str:
    """Return the last name of the path that a summary of a call is; empty if it is none, as a command or a pattern."""
    path = _PATH.fullmatch(summary) if len(summary) <= MAX_PATH_CHARS else None
    if path is None or (path[1] == summary and "." not in summary.rstrip(".")):
        return ""
    return path[1] if any(map(str.isalnum, path[1])) else ""


def _is_retraction(event: NativeEvent) -> bool:
    return bool(retraction_in(event.text or ""))


def _kind_of(event: TranscriptEvent) -> RecordKind:
    match event:
        case PromptEvent() | ReasoningEvent():
            return RecordKind.THINKING
        case ActionEvent():
            return RecordKind.ACTION
        case TurnEvent():
            return RecordKind.END
        case RemarkEvent() | CompactedEvent() | RewoundEvent():
            return RecordKind.OTHER


def _microseconds(milliseconds: float | None) -> int:
    """Return a duration in microseconds, within what a column holds; 0 for none."""
    if milliseconds is None or not milliseconds > 0:
        return 0
    return int(min(milliseconds * 1000, MAX_MICROSECONDS))
