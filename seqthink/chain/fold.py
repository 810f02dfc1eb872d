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

from seqthink.chain.agent_state import AgentState
from seqthink.chain.asides import AsideRows
from seqthink.chain.columns.session_columns import SessionColumns
from seqthink.chain.columns.thought_rows import ThoughtRows
from seqthink.chain.event_facts import is_same_call, revises, thought_flags, verdict_of
from seqthink.chain.lane_finder import LaneFinder, named_lane
from seqthink.chain.model import NONE, AsideKind, Attachment, Landmark
from seqthink.chain.native.native_rows import NativeRows
from seqthink.chain.native.rewinds import Rewinds
from seqthink.chain.pending import LIMIT_PURPOSE, OpenQuestions, RunningAudits, RunningCalls
from seqthink.chain.returns.branch_watch import BranchWatch
from seqthink.chain.session import Session
from seqthink.core.events import (
    PERMISSION_PURPOSE,
    ActionEvent,
    AgentEvent,
    AskingEvent,
    AttachedEvent,
    AuditEvent,
    AuditingEvent,
    CompactedEvent,
    ContextEvent,
    ElicitEvent,
    EndEvent,
    Event,
    OtherEvent,
    PromptEvent,
    ReasoningEvent,
    RejectedEvent,
    RemarkEvent,
    RewoundEvent,
    SampleEvent,
    SessionEvent,
    SkippedEvent,
    ThoughtEvent,
    TurnEvent,
    UnknownEvent,
    UsageEvent,
    WriterState,
)
from seqthink.core.times import microseconds_of


class Fold:
    """A session that grows by one event at a time.

    Args:
        has_native: whether prompts, native reasoning and answers are rows; else they are lines without a row, except
            for what docs/journal.md, "Native reasoning", names.
        has_words: whether remarks are rows though native reasoning is not.
    """

    def __init__(self, *, has_native: bool = False, has_words: bool = False) -> None:
        self.has_native = has_native
        """Whether native reasoning has rows."""
        self._columns = SessionColumns()
        rewinds = Rewinds(self._columns)
        self._asides = AsideRows(self._columns)
        self._lanes = LaneFinder(self._columns, rewinds, self._asides)
        rows = ThoughtRows(self._columns)
        self._append_thought = rows.append
        self._running_calls = RunningCalls(self._columns.native)
        self._native = NativeRows(
            self._columns,
            self._lanes,
            rows,
            self._asides,
            rewinds,
            self._running_calls,
            is_shown=has_native,
            has_words=has_words,
        )
        self._newest_call = NONE
        self._open_questions = OpenQuestions(self._columns.question_changes, self._columns.undecided_toggles)
        self._running_audits = RunningAudits(self._columns.running_audit_changes)
        landmarks = self._columns.landmarks
        self._add_revision_landmark = landmarks[Landmark.REVISION].append

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
        if isinstance(event, ThoughtEvent):
            self._add_thought(event, offset, size)
        else:
            self._note_time(event)
            self._add_other(event, offset, size)
        self._columns.entry_count += 1

    def _add_other(self, event: OtherEvent | UnknownEvent, offset: int, size: int) -> None:
        columns = self._columns
        match event:
            case SessionEvent() | EndEvent():
                self._add_server_event(event, offset, size)
            case RejectedEvent():
                self._add_refusal(event, offset, size)
            case (
                PromptEvent()
                | ReasoningEvent()
                | RemarkEvent()
                | ActionEvent()
                | TurnEvent()
                | CompactedEvent()
                | RewoundEvent()
            ):
                self._native.add(event, offset, size)
            case AgentEvent():
                agent = columns.agents.register(event.id, columns.entry_count)
                columns.agents.events[agent].append((columns.entry_count, event))
                if event.fork:
                    columns.agents.forks.add(agent)
            case UsageEvent():
                columns.agents.context.use(event, columns.entry_count)
            case SkippedEvent() | UnknownEvent():
                self._note_unread(event)
            case _:
                self._add_to_thought(event, offset, size)

    def _note_time(self, event: OtherEvent | UnknownEvent) -> None:
        """Record when a line came that is not a thought; of an unknown one the time is not known."""
        if isinstance(event, UnknownEvent):
            return
        is_of_server = isinstance(event, SessionEvent | EndEvent)
        arrivals, time = self._columns.thoughts.arrivals, microseconds_of(event.time)
        arrivals.add_other(self._columns.entry_count, time, is_of_server=is_of_server)

    def _add_to_thought(self, event: AskingEvent | AuditingEvent | AttachedEvent, offset: int, size: int) -> None:
        """Record something that stays open until its closing event (a question, a running audit), or what ends it."""
        match event:
            case AskingEvent():
                self._open_questions.open(event, self._columns.entry_count)
            case AuditingEvent():
                self._running_audits.update(event, self._columns.entry_count)
            case _:
                self._end_pending(event)
                self._attach(event, offset, size)

    def _end_pending(self, event: AttachedEvent) -> None:
        if isinstance(event, SampleEvent | ElicitEvent):
            self._open_questions.close(event, self._columns.entry_count)
            if isinstance(event, ElicitEvent) and event.purpose == PERMISSION_PURPOSE:
                self._running_calls.allow(event, self._columns.entry_count)
        elif isinstance(event, AuditEvent):
            self._running_audits.end(event, self._columns.entry_count)

    def _add_server_event(self, event: SessionEvent | EndEvent, offset: int, size: int) -> None:
        self._columns.server_events.append((self._columns.entry_count, event))
        self._open_questions.clear(self._columns.entry_count)
        self._running_audits.clear(self._columns.entry_count)
        self._running_calls.clear_all(self._columns.entry_count)
        if isinstance(event, EndEvent):
            self._add_landmark(Landmark.END)
        elif event.resumed and self._columns.thoughts.seq:
            self._asides.add_rule(AsideKind.RESUMED, event, self._lanes.main_agent, offset, size)

    def skip_corrupt(self) -> None:
        """Fold in a line that does not decode: it counts as corrupt and as an entry."""
        self._columns.corrupt_entries.append(self._columns.entry_count)
        self._columns.entry_count += 1

    def _note_unread(self, event: SkippedEvent | UnknownEvent) -> None:
        if isinstance(event, SkippedEvent):
            self._columns.skipped_records.note(event, self._columns.entry_count)
        else:
            self._columns.unknown_entries.append(self._columns.entry_count)

    def _add_thought(self, event: ThoughtEvent, offset: int, size: int) -> None:
        columns, thoughts, number = self._columns, self._columns.thoughts, event.thoughtNumber
        index = len(thoughts.seq)
        agent = self._lanes.state_of(event.agent)
        self._running_calls.clear(event.agent or None, columns.entry_count)
        columns.native.note_turn_to(event.agent or None, columns.entry_count)
        is_revision = revises(event)
        previous = agent.previous_event
        is_retry = previous is not None and previous.thoughtNumber == number and is_same_call(previous, event)
        lane = self._lanes.place(event, agent, index, may_begin=number == 1 and not is_revision and not is_retry)
        if is_revision:
            self._add_revision(event.revisesThought or 0, lane, index, agent)
        if number > agent.highest_number:
            if number > agent.highest_number + 1 and not is_revision:
                thoughts.skipped_count.put(index, number - agent.highest_number - 1)
            agent.highest_number = number
            agent.highs.append(index)
        lane_end, occurrence = columns.lanes.last_thought[lane], 1
        if lane_end != NONE and number <= thoughts.highest_number[lane_end]:
            occurrence = agent.numbers.add_occurrence(lane, number, index)
        if occurrence > 1:
            thoughts.occurrence.put(index, occurrence)
        is_repeat = is_retry or (occurrence > 1 and not is_revision)
        flags = thought_flags(event, is_revision=is_revision, is_repeat=is_repeat)
        self._append_thought(event, number, event.totalThoughts, lane, agent.last_thought, flags)
        thoughts.offset.append(offset)
        thoughts.size.append(size)
        if lane != agent.root_lane:
            agent.numbers.add_branch_thought(number, index)
            agent.branch_watch = agent.branch_watch or BranchWatch(columns)
        else:
            agent.last_unbranched = index
        if agent.branch_watch is not None:
            agent.branch_watch.add(lane, agent.root_lane, event, index)
        agent.previous_event, agent.last_thought, agent.newest, self._newest_call = event, index, index, index

    def _add_refusal(self, event: RejectedEvent, offset: int, size: int) -> None:
        self._add_landmark(Landmark.REFUSAL)
        agent = self._lanes.find_state(event.agent)
        lane = named_lane(event, agent) if agent is not None else NONE
        refused = self._asides.add(AsideKind.REFUSED, event, agent, offset, size, lane)
        self._columns.refused_asides.append(refused)

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

    def _attach(self, event: AttachedEvent, offset: int, size: int) -> None:
        columns, thoughts = self._columns, self._columns.thoughts
        index = thoughts.index_of_seq(event.of) if event.of else self._newest_call
        if index == NONE and isinstance(event, ContextEvent):
            self._asides.add(AsideKind.CONTEXT, event, self._lanes.find_state(None), offset, size)
        if index == NONE or columns.is_native(index):
            return
        verdict, score = verdict_of(event) if isinstance(event, AuditEvent) else ("", 0)
        kind = type(event).__struct_config__.tag
        time = self._asides.mark_visible(event)
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
