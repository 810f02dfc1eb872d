"""The fold: events in, a session out.

The journal stores what happened, one event a line. Everything that a reader sees beyond that is derived here: chains,
lanes, what a number refers to, repeats, gaps, changed estimates, and how a chain ends.

1. An event is folded in once, on arrival, in constant time. It may look back, never ahead.
2. What a thought got on arrival (its lane, its target, its flags) never changes. A later event may only add facts,
   each with the index of the line that brought it.
3. All facts are columns that only grow. So the session as it was after any line is the same columns, cut there: a
   replay can jump anywhere at the same cost, and folding a prefix equals having stopped there.
4. The same events give the same session, whether folded at once, one by one, or live. No sequence of valid events
   raises.

Several agents may think at once, and each counts by itself: what a number means, whether it repeats or leaves a gap,
and whether a 1 begins another problem depend only on that agent's own thoughts. The main agent's problems are the
session's chains. A subagent's thoughts are in lanes of its own. The first of these lanes forks from the thought that
the journal names as the subagent's caller, or else from the newest thought of the agent that started it. A subagent
gets a new lane when it begins another problem, and when it continues after the main agent has begun another chain.

The rules are in docs/journal.md, "From events to a session: the fold".
Why it is built like this: docs/architecture.md, "The fold".
"""

from collections.abc import Iterable
from datetime import datetime

from seqthink.chain.agent_state import AgentState
from seqthink.chain.event_facts import is_same_call, thought_flags, verdict_of
from seqthink.chain.lane_finder import LaneFinder
from seqthink.chain.model import NONE, Attachment, Landmark, RefusedCall
from seqthink.chain.pending import LIMIT_PURPOSE, OpenQuestions, RunningAudits
from seqthink.chain.session import Session
from seqthink.chain.session_columns import SessionColumns
from seqthink.events import (
    AgentEvent,
    AskingEvent,
    AttachedEvent,
    AuditEvent,
    AuditingEvent,
    ContextEvent,
    ElicitEvent,
    EndEvent,
    Event,
    NoteEvent,
    RejectedEvent,
    SampleEvent,
    SessionEvent,
    ThoughtEvent,
    UnknownEvent,
    WriterState,
)
from seqthink.times import MAX_MICROSECONDS, microseconds_of


class Fold:
    """A session that grows by one event at a time."""

    def __init__(self) -> None:
        self._columns = SessionColumns()
        self._lanes = LaneFinder(self._columns)
        self._open_questions = OpenQuestions(self._columns.question_changes, self._columns.undecided_toggles)
        self._running_audits = RunningAudits(self._columns.running_audit_changes)
        landmarks = self._columns.landmarks
        self._add_revision_landmark = landmarks[Landmark.REVISION].append
        self._add_estimate_landmark = landmarks[Landmark.ESTIMATE_CHANGE].append

    def session(self, writer: WriterState = WriterState.UNKNOWN) -> Session:
        """Return a read-only view of the session so far; ``writer`` says whether its server is still running."""
        return Session(self._columns, self._columns.entry_count, len(self._columns.thoughts.seq), writer)

    def evolve(self, event: Event | UnknownEvent, offset: int = 0, size: int = 0) -> None:
        """Fold in the next event.

        Args:
            event: the event.
            offset: byte offset of its line in the journal.
            size: length of the line in bytes, without the newline.
        """
        columns = self._columns
        match event:
            case ThoughtEvent():
                self._add_thought(event, offset, size)
            case SessionEvent() | EndEvent():
                self._add_server_event(event)
            case RejectedEvent():
                self._add_refusal(event, offset, size)
            case AgentEvent():
                agent = columns.agents.register(event.id, columns.entry_count)
                columns.agents.events[agent].append((columns.entry_count, event))
            case UnknownEvent():
                columns.unknown_entries.append(columns.entry_count)
            case AskingEvent() | AuditingEvent():
                self._begin_pending(event)
            case SampleEvent() | ElicitEvent() | AuditEvent() | ContextEvent() | NoteEvent():
                self._end_pending(event)
                self._attach(event, offset, size)
        columns.entry_count += 1

    def _begin_pending(self, event: AskingEvent | AuditingEvent) -> None:
        """Record something that stays open until its closing event: a question or a running audit."""
        match event:
            case AskingEvent():
                self._open_questions.open(event, self._columns.entry_count)
            case AuditingEvent():
                self._running_audits.update(event, self._columns.entry_count)

    def _end_pending(self, event: AttachedEvent) -> None:
        if isinstance(event, SampleEvent | ElicitEvent):
            self._open_questions.close(event, self._columns.entry_count)
        elif isinstance(event, AuditEvent):
            self._running_audits.end(event, self._columns.entry_count)

    def _add_server_event(self, event: SessionEvent | EndEvent) -> None:
        self._columns.server_events.append((self._columns.entry_count, event))
        self._open_questions.clear(self._columns.entry_count)
        self._running_audits.clear(self._columns.entry_count)
        if isinstance(event, EndEvent):
            self._add_landmark(Landmark.END)

    def skip_corrupt(self) -> None:
        """Fold in a line that does not decode: it counts as corrupt and as an entry."""
        self._columns.corrupt_entries.append(self._columns.entry_count)
        self._columns.entry_count += 1

    def _add_thought(self, event: ThoughtEvent, offset: int, size: int) -> None:
        columns, thoughts, number = self._columns, self._columns.thoughts, event.thoughtNumber
        index = len(thoughts.seq)
        agent = self._lanes.state_of(event.agent) if event.agent else self._lanes.main_agent
        is_revision = bool(event.isRevision or (event.revisesThought and event.isRevision is None))
        previous = agent.previous_event
        is_retry = previous is not None and previous.thoughtNumber == number and is_same_call(previous, event)
        lane = self._lanes.place(event, agent, index, may_begin=number == 1 and not is_revision and not is_retry)
        if is_revision:
            self._add_revision(event.revisesThought or 0, lane, index, agent)
        if number > agent.highest_number:
            if number > agent.highest_number + 1 and not is_revision:
                thoughts.skipped_count.put(index, number - agent.highest_number - 1)
            agent.highest_number = number
        lane_end = columns.lanes.last_thought[lane]
        occurrence = 1
        if lane_end != NONE and number <= thoughts.highest_number[lane_end]:
            occurrence = agent.numbers.add_occurrence(lane, number, index)
        if occurrence > 1:
            thoughts.occurrence.put(index, occurrence)
        is_repeat = is_retry or (occurrence > 1 and not is_revision)
        self._append_thought(
            event,
            lane,
            lane_end,
            agent.last_thought,
            thought_flags(event, is_revision=is_revision, is_repeat=is_repeat),
        )
        thoughts.offset.append(offset)
        thoughts.size.append(size)
        if lane != agent.root_lane:
            agent.numbers.add_branch_thought(number, index)
        agent.previous_event, agent.last_thought = event, index

    def _add_refusal(self, event: RejectedEvent, offset: int, size: int) -> None:
        columns, thought_count = self._columns, len(self._columns.thoughts.seq)
        self._add_landmark(Landmark.REFUSAL)
        time = self._add_non_thought(event.time)
        agent = self._lanes.find_state(event.agent)
        start = columns.chain_start[-1] if columns.chain_start else 0
        above = agent.last_thought if agent and agent.last_thought >= start else thought_count - 1
        columns.refusals.append(RefusedCall(columns.entry_count, thought_count, event.seq, time, offset, size, above))
        if above != NONE:
            columns.refusals_in_lane.append(columns.thoughts.lane[above], len(columns.refusals) - 1)

    def _add_revision(self, number: int, lane: int, index: int, agent: AgentState) -> None:
        thoughts = self._columns.thoughts
        self._add_revision_landmark(self._columns.entry_count)
        target = agent.numbers.resolve_target(number, lane) if number else NONE
        if target != NONE:
            thoughts.target.put(index, target)
            thoughts.revisers.append(target, index)
        elif number:
            thoughts.unresolved_target.put(index, number)

    def _add_landmark(self, kind: Landmark) -> None:
        self._columns.landmarks[kind].append(self._columns.entry_count)

    def _add_non_thought(self, time: datetime) -> int:
        """Record that the current line is visible though it is not a thought; return its time in microseconds."""
        microseconds = microseconds_of(time)
        self._columns.non_thought_entries.append(self._columns.entry_count)
        self._columns.non_thought_times.append(microseconds)
        return microseconds

    def _append_thought(self, event: ThoughtEvent, lane: int, lane_end: int, previous: int, flags: int) -> None:
        """Append a thought to the columns.

        Args:
            event: the thought.
            lane: ordinal of its lane.
            lane_end: the newest thought of the lane so far, or NONE.
            previous: the agent's newest thought on the same problem so far, or NONE.
            flags: bit mask of its ``FLAG_…`` values.
        """
        columns, thoughts = self._columns, self._columns.thoughts
        number, estimate = event.thoughtNumber, event.totalThoughts
        index = len(thoughts.seq)
        estimate = estimate if estimate > number else number
        index_in_lane, duration, highest = 0, 0, number
        if lane_end != NONE:
            index_in_lane, duration = thoughts.index_in_lane[lane_end] + 1, thoughts.lane_duration[lane_end]
            highest = thoughts.highest_number[lane_end]
            highest = highest if highest > number else number
            if thoughts.estimate[lane_end] != estimate:
                self._add_estimate_change(lane, index)
        time = microseconds_of(event.time)
        if previous != NONE and time > thoughts.time[previous]:
            # The sum of a clock that jumps back and forth could exceed what a column holds.
            duration += time - thoughts.time[previous]
            duration = duration if duration < MAX_MICROSECONDS else MAX_MICROSECONDS
        if previous != (index - 1 if index != columns.chain_start[-1] else NONE):
            thoughts.previous_of_agent.put(index, previous)
        columns.lanes.thoughts.append(lane, index)
        columns.lanes.last_thought[lane] = index
        thoughts.index_in_lane.append(index_in_lane)
        thoughts.lane.append(lane)
        thoughts.seq.append(event.seq)
        thoughts.entry_index.append(columns.entry_count)
        thoughts.time.append(time)
        thoughts.lane_duration.append(duration)
        thoughts.number.append(number)
        thoughts.estimate.append(estimate)
        thoughts.highest_number.append(highest)
        thoughts.flags.append(flags)

    def _add_estimate_change(self, lane: int, index: int) -> None:
        self._add_estimate_landmark(self._columns.entry_count)
        changes = self._columns.lanes.first_estimate_change
        if changes.get(lane) == NONE:
            changes.put(lane, index)

    def _attach(self, event: AttachedEvent, offset: int, size: int) -> None:
        columns, thoughts = self._columns, self._columns.thoughts
        index = thoughts.index_of_seq(event.of) if event.of else len(thoughts.seq) - 1
        if index == NONE:
            return
        verdict, score = verdict_of(event) if isinstance(event, AuditEvent) else ("", 0)
        kind = type(event).__struct_config__.tag
        time = self._add_non_thought(event.time)
        attachment = Attachment(columns.entry_count, str(kind), event.seq, time, offset, size, verdict, score)
        thoughts.attachments[index].append(attachment)
        is_allowed_more = isinstance(event, ElicitEvent) and event.purpose == LIMIT_PURPOSE and event.action == "accept"
        if verdict:
            self._add_landmark(Landmark.VERDICT)
            thoughts.verdicts_on.append(index, len(columns.verdicts))
            columns.verdicts.append(attachment)
        elif attachment.kind in thoughts.first_attached:
            thoughts.first_attached[attachment.kind].setdefault(index, columns.entry_count)
        if verdict in {"revise", "reject"} or is_allowed_more:
            thoughts.reopened.setdefault(index, columns.entry_count)


def fold(events: Iterable[Event | UnknownEvent], writer: WriterState = WriterState.UNKNOWN) -> Session:
    """Fold ``events`` in order and return the session."""
    builder = Fold()
    for event in events:
        builder.evolve(event)
    return builder.session(writer)
