"""The fold: events in, a session out (journal.md, "From events to a session: the fold").

The same events always give the same session, whether folded at once, one by one, or live. No sequence of valid events
raises. Everything is decided on arrival in constant time, from what came before.

Several agents may think at once. Each counts by itself: what a number means, whether it repeats or leaves a gap, and
whether a 1 begins another problem is decided among the thoughts of one agent. The main agent's problems are the
session's chains. Another agent's thoughts stand in lanes of its own: the first leaves from the thought that the journal
names as its caller, else from the newest thought of the agent that started it. When it begins another problem, or goes
on after the main agent has begun another chain, it does so in a new lane.
"""

from bisect import bisect_left
from collections.abc import Iterable
from datetime import UTC, datetime

from seqthink.chain.agent_state import AgentState
from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.event_facts import is_same_call, thought_flags, verdict_of
from seqthink.chain.model import NONE, Attachment, Landmark, RefusedCall
from seqthink.chain.number_index import NumberIndex
from seqthink.chain.questions import LIMIT_PURPOSE, OpenQuestions
from seqthink.chain.running_audits import RunningAudits
from seqthink.chain.session import Session
from seqthink.chain.session_columns import SessionColumns
from seqthink.events import (
    AgentEvent,
    AskingEvent,
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

_AttachedEvent = AuditEvent | SampleEvent | ElicitEvent | ContextEvent | NoteEvent
"""What belongs to a thought."""


class Fold:
    """A session that grows by one event at a time."""

    def __init__(self) -> None:
        self._columns = SessionColumns()
        self._main_agent = AgentState(MAIN_AGENT, NumberIndex(self._columns, NONE))
        self._agents: dict[int, AgentState] = {MAIN_AGENT: self._main_agent}
        self._open_questions = OpenQuestions(self._columns.question_changes, self._columns.undecided_toggles)
        self._running_audits = RunningAudits(self._columns.running_audit_changes)
        marks = self._columns.landmarks
        self._mark_revision = marks[Landmark.REVISION].append
        self._mark_branch = marks[Landmark.BRANCH].append
        self._mark_change = marks[Landmark.CHANGE].append

    def session(self, writer: WriterState = WriterState.UNKNOWN) -> Session:
        """Return the session as folded so far, read-only; ``writer`` says whether its server lives."""
        return Session(self._columns, self._columns.entry_count, len(self._columns.seq), writer)

    def evolve(self, event: Event | UnknownEvent, offset: int = 0, size: int = 0) -> None:
        """Fold in the next event of the journal, whose line stands at ``offset`` and is ``size`` bytes long."""
        log = self._columns
        match event:
            case ThoughtEvent():
                self._add_thought(event, offset, size)
            case SessionEvent() | EndEvent():
                self._add_server_event(event)
            case RejectedEvent():
                self._add_refusal(event, offset, size)
            case AgentEvent():
                agent = log.agents.register(event.id, log.entry_count)
                log.agents.events[agent].append((log.entry_count, event))
            case UnknownEvent():
                log.unknown_entries.append(log.entry_count)
            case AskingEvent() | AuditingEvent():
                self._begin_pending(event)
            case SampleEvent() | ElicitEvent() | AuditEvent() | ContextEvent() | NoteEvent():
                self._end_pending(event)
                self._attach(event, offset, size)
        log.entry_count += 1

    def _begin_pending(self, event: AskingEvent | AuditingEvent) -> None:
        """Note what goes on until an event of its kind says that it has ended."""
        match event:
            case AskingEvent():
                self._open_questions.open(event, self._columns.entry_count)
            case AuditingEvent():
                self._running_audits.update(event, self._columns.entry_count)

    def _end_pending(self, event: _AttachedEvent) -> None:
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
        """Take in a line that does not decode: it is counted, as an entry too, so that every prefix knows its own."""
        self._columns.corrupt_entries.append(self._columns.entry_count)
        self._columns.entry_count += 1

    def _add_thought(self, event: ThoughtEvent, offset: int, size: int) -> None:
        log, index, number = self._columns, len(self._columns.seq), event.thoughtNumber
        line = self._agent_state(event.agent) if event.agent else self._main_agent
        is_revision = bool(event.isRevision or (event.revisesThought and event.isRevision is None))
        previous = line.previous
        is_retry = previous is not None and previous.thoughtNumber == number and is_same_call(previous, event)
        begins = number == 1 and not is_revision and not is_retry and self._begins_problem(event, line)
        if begins or line is not self._main_agent or not index:
            self._enter_chain(line, index, begins=begins)
        lane = self._lane_for(event, line)
        if is_revision:
            self._add_revision(event.revisesThought or 0, lane, index, line)
        if number > line.highest:
            if number > line.highest + 1 and not is_revision:
                log.skipped_count.put(index, number - line.highest - 1)
            line.highest = number
        last = log.lanes.last_thought[lane]
        taken = 1
        if last != NONE and number <= log.highest_number[last]:
            taken = line.numbers.add_occurrence(lane, number, index)
        if taken > 1:
            log.occurrence.put(index, taken)
        is_repeat = is_retry or (taken > 1 and not is_revision)
        self._append_thought(
            event, lane, last, line.last, thought_flags(event, is_revision=is_revision, is_repeat=is_repeat)
        )
        log.offset.append(offset)
        log.size.append(size)
        if lane != line.root:
            line.numbers.add_branch_thought(number, index)
        line.previous, line.last = event, index

    def _agent_state(self, name: str) -> AgentState:
        agent = self._columns.agents.register(name, self._columns.entry_count)
        line = self._agents.get(agent)
        if line is None:
            line = self._agents[agent] = AgentState(agent, NumberIndex(self._columns, NONE))
        return line

    def _enter_chain(self, line: AgentState, index: int, *, begins: bool) -> None:
        """Let the thought ``index`` begin a chain, or another problem of another agent, or go on in the chain."""
        log = self._columns
        if not index or (begins and line is self._main_agent):
            self._begin_chain(index)
        if line is self._main_agent:
            return
        log.agents.add_thought(line.agent, index)
        chain = len(log.chain_start) - 1
        if line.chain != chain:
            log.agents.in_chain.append(chain, line.agent)
            line.move(chain)
        if begins:
            line.begin(NumberIndex(log, NONE))

    def _lane_for(self, event: ThoughtEvent, line: AgentState) -> int:
        """Return the lane that a thought belongs to, opened if it is new."""
        if event.branchId or event.branchFromThought:
            return self._branch_for(event, line)
        return line.root if line.root != NONE else self._open_root_lane(line)

    def _add_refusal(self, event: RejectedEvent, offset: int, size: int) -> None:
        log = self._columns
        self._add_landmark(Landmark.REFUSAL)
        time = self._add_non_thought(event.time)
        line = self._agents.get(log.agents.find(event.agent))
        start = log.chain_start[-1] if log.chain_start else 0
        above = line.last if line and line.last >= start else len(log.seq) - 1
        log.refusals.append(RefusedCall(log.entry_count, len(log.seq), event.seq, time, offset, size, above))
        if above != NONE:
            log.refusals_in_lane.append(log.lane[above], len(log.refusals) - 1)

    def _add_revision(self, number: int, lane: int, index: int, line: AgentState) -> None:
        log = self._columns
        self._mark_revision(log.entry_count)
        target = line.numbers.resolve_target(number, lane) if number else NONE
        if target != NONE:
            log.target.put(index, target)
            log.revisers.append(target, index)
        elif number:
            log.unresolved_target.put(index, number)

    def _add_landmark(self, kind: Landmark) -> None:
        self._columns.landmarks[kind].append(self._columns.entry_count)

    def _add_non_thought(self, time: datetime) -> int:
        """Note that this line shows, though it is no thought; return its time in microseconds."""
        moment = _microseconds(time)
        self._columns.non_thought_entry.append(self._columns.entry_count)
        self._columns.non_thought_time.append(moment)
        return moment

    def _append_thought(self, event: ThoughtEvent, lane: int, last: int, before: int, flags: int) -> None:
        """Append a thought to its lane, whose newest one was ``last``; its agent's was ``before``; or NONE."""
        log, number, total = self._columns, event.thoughtNumber, event.totalThoughts
        index = len(log.seq)
        total = total if total > number else number
        place, spent, peak = 0, 0, number
        if last != NONE:
            place, spent, peak = log.index_in_lane[last] + 1, log.lane_duration[last], log.highest_number[last]
            peak = peak if peak > number else number
            if log.estimate[last] != total:
                self._add_estimate_change(lane, index)
        time = _microseconds(event.time)
        if before != NONE and time > log.time[before]:
            # a clock that jumps to and fro could add up to more than a column holds
            spent += time - log.time[before]
            spent = spent if spent < _MAX_MICROSECONDS else _MAX_MICROSECONDS
        if before != (index - 1 if index != log.chain_start[-1] else NONE):
            log.previous_of_agent.put(index, before)
        log.lanes.thoughts.append(lane, index)
        log.lanes.last_thought[lane] = index
        log.index_in_lane.append(place)
        log.lane.append(lane)
        log.seq.append(event.seq)
        log.entry.append(log.entry_count)
        log.time.append(time)
        log.lane_duration.append(spent)
        log.number.append(number)
        log.estimate.append(total)
        log.highest_number.append(peak)
        log.flags.append(flags)

    def _add_estimate_change(self, lane: int, index: int) -> None:
        self._mark_change(self._columns.entry_count)
        changes = self._columns.lanes.first_change
        if changes.get(lane) == NONE:
            changes.put(lane, index)

    def _begins_problem(self, event: ThoughtEvent, line: AgentState) -> bool:
        """Whether a thought with number 1, no revision and no retry, is the agent's first on another problem."""
        if line.last == NONE:
            return False
        has_root = (
            line.root != NONE and self._columns.lanes.last_thought[line.root] != NONE
        ) or line.earlier_root() != NONE
        if not event.branchId and not event.branchFromThought:
            return has_root
        if has_root:
            return False
        key = event.branchId or self._fork_key(event, line)
        existing = line.branches.get(key, line.earlier.get(key))
        if existing is not None:
            return line.numbers.newest(existing, 1) != NONE
        return not event.branchFromThought

    def _begin_chain(self, index: int) -> None:
        log = self._columns
        self._add_landmark(Landmark.CHAIN)
        log.chain_start.append(index)
        self._main_agent.begin(NumberIndex(log, log.lanes.open_trunk(log.entry_count)))

    def _open_root_lane(self, line: AgentState) -> int:
        """Open the lane of another agent's thoughts that are on no branch."""
        log, earlier = self._columns, line.earlier_root()
        fork = log.lanes.last_thought[earlier] if earlier != NONE else self._agent_origin(line)
        line.root = line.numbers.root_lane = self._open_lane(line, None, 0, fork)
        log.agents.root_entries.append(log.entry_count)
        return line.root

    def _agent_origin(self, line: AgentState) -> int:
        """Return the thought of the current chain from which another agent's line leaves, or NONE."""
        log = self._columns
        said = log.agents.events[line.agent]
        known = said[-1][1] if said else None
        start = log.chain_start[-1]
        caller = self._index_of_seq(known.of) if known and known.of else NONE
        if caller >= start:
            return caller
        parent = self._agents.get(log.agents.find(known.parent if known else None), self._main_agent)
        parent = self._main_agent if parent is line else parent
        return parent.last if parent.last >= start else NONE

    def _branch_for(self, event: ThoughtEvent, line: AgentState) -> int:
        """Return the branch of an event that names one, opened if it is new."""
        key = event.branchId or self._fork_key(event, line)
        lane = line.branches.get(key)
        if lane is None:
            lane = line.branches[key] = self._open_branch(event, line, line.earlier.get(key, NONE))
        return lane

    def _fork_key(self, event: ThoughtEvent, line: AgentState) -> int:
        """Name a branch without an id within its chain by its fork (below 0: a number that no thought has)."""
        fork = self._fork_of(event, line)
        return fork if fork != NONE else NONE - (event.branchFromThought or 0)

    def _fork_of(self, event: ThoughtEvent, line: AgentState) -> int:
        log = self._columns
        if event.branchFromThought:
            current = log.lane[line.last] if line.last != NONE else line.root
            return line.numbers.resolve_fork(event.branchFromThought, current)
        root = line.root if line.root != NONE else line.earlier_root()
        last = log.lanes.last_thought[root] if root != NONE else NONE
        return last if last != NONE or line is self._main_agent else self._agent_origin(line)

    def _open_branch(self, event: ThoughtEvent, line: AgentState, earlier: int) -> int:
        """Open a branch, which may go on from the lane ``earlier`` in another chain."""
        fork = self._columns.lanes.last_thought[earlier] if earlier != NONE else self._fork_of(event, line)
        return self._open_lane(line, event.branchId or None, event.branchFromThought or 0, fork)

    def _open_lane(self, line: AgentState, name: str | None, number: int, fork: int) -> int:
        log = self._columns
        lane = log.lanes.open_lane(log.entry_count, name, number, fork, line.agent)
        self._mark_branch(log.entry_count)
        fork = log.lanes.fork[lane]
        if fork != NONE:
            log.branches_from.append(fork, lane)
        else:
            log.branches_without_fork.append(len(log.chain_start) - 1, lane)
        return lane

    def _attach(self, event: _AttachedEvent, offset: int, size: int) -> None:
        log = self._columns
        index = self._index_of_seq(event.of) if event.of else len(log.seq) - 1
        if index == NONE:
            return
        verdict, score = verdict_of(event) if isinstance(event, AuditEvent) else ("", 0)
        kind = type(event).__struct_config__.tag
        time = self._add_non_thought(event.time)
        attachment = Attachment(log.entry_count, str(kind), event.seq, time, offset, size, verdict, score)
        log.attachments[index].append(attachment)
        asks_on = isinstance(event, ElicitEvent) and event.purpose == LIMIT_PURPOSE and event.action == "accept"
        if verdict:
            self._add_landmark(Landmark.VERDICT)
            log.verdicts_on.append(index, len(log.verdicts))
            log.verdicts.append(attachment)
        elif attachment.kind in log.first_attached:
            log.first_attached[attachment.kind].setdefault(index, log.entry_count)
        if verdict in {"revise", "reject"} or asks_on:
            log.reopened.setdefault(index, log.entry_count)

    def _index_of_seq(self, seq: int) -> int:
        index = bisect_left(self._columns.seq, seq)
        return index if index < len(self._columns.seq) and self._columns.seq[index] == seq else NONE


def fold(events: Iterable[Event | UnknownEvent], writer: WriterState = WriterState.UNKNOWN) -> Session:
    """Return the session that ``events`` give, in their order."""
    growing = Fold()
    for event in events:
        growing.evolve(event)
    return growing.session(writer)


def _microseconds(time: datetime) -> int:
    since = time - _EPOCH
    exact = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    # with an offset, the first and last hours of the calendar fall out of it in UTC
    return (
        exact
        if _MIN_MICROSECONDS <= exact <= _MAX_MICROSECONDS
        else min(max(exact, _MIN_MICROSECONDS), _MAX_MICROSECONDS)
    )


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MIN_MICROSECONDS, _MAX_MICROSECONDS = -62_135_596_800_000_000, 253_402_300_799_999_999
