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

from bisect import bisect_left
from collections.abc import Iterable
from datetime import datetime

from seqthink.chain.agent_state import AgentState
from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.beginnings import begins_problem
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
        self._main_agent = AgentState(MAIN_AGENT, NumberIndex(self._columns, NONE))
        self._agents: dict[int, AgentState] = {MAIN_AGENT: self._main_agent}
        self._open_questions = OpenQuestions(self._columns.question_changes, self._columns.undecided_toggles)
        self._running_audits = RunningAudits(self._columns.running_audit_changes)
        landmarks = self._columns.landmarks
        self._add_revision_landmark = landmarks[Landmark.REVISION].append
        self._add_branch_landmark = landmarks[Landmark.BRANCH].append
        self._add_estimate_landmark = landmarks[Landmark.ESTIMATE_CHANGE].append

    def session(self, writer: WriterState = WriterState.UNKNOWN) -> Session:
        """Return a read-only view of the session so far; ``writer`` says whether its server is still running."""
        return Session(self._columns, self._columns.entry_count, len(self._columns.seq), writer)

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
        columns, index, number = self._columns, len(self._columns.seq), event.thoughtNumber
        agent = self._agent_state(event.agent) if event.agent else self._main_agent
        is_revision = bool(event.isRevision or (event.revisesThought and event.isRevision is None))
        previous = agent.previous_event
        is_retry = previous is not None and previous.thoughtNumber == number and is_same_call(previous, event)
        begins_problem = number == 1 and not is_revision and not is_retry and self._begins_problem(event, agent)
        if begins_problem or agent is not self._main_agent or not index:
            self._enter_chain(agent, index, begins_problem=begins_problem)
        lane = self._lane_for(event, agent)
        if is_revision:
            self._add_revision(event.revisesThought or 0, lane, index, agent)
        if number > agent.highest_number:
            if number > agent.highest_number + 1 and not is_revision:
                columns.skipped_count.put(index, number - agent.highest_number - 1)
            agent.highest_number = number
        lane_end = columns.lanes.last_thought[lane]
        occurrence = 1
        if lane_end != NONE and number <= columns.highest_number[lane_end]:
            occurrence = agent.numbers.add_occurrence(lane, number, index)
        if occurrence > 1:
            columns.occurrence.put(index, occurrence)
        is_repeat = is_retry or (occurrence > 1 and not is_revision)
        self._append_thought(
            event,
            lane,
            lane_end,
            agent.last_thought,
            thought_flags(event, is_revision=is_revision, is_repeat=is_repeat),
        )
        columns.offset.append(offset)
        columns.size.append(size)
        if lane != agent.root_lane:
            agent.numbers.add_branch_thought(number, index)
        agent.previous_event, agent.last_thought = event, index

    def _agent_state(self, agent_id: str) -> AgentState:
        ordinal = self._columns.agents.register(agent_id, self._columns.entry_count)
        agent = self._agents.get(ordinal)
        if agent is None:
            agent = self._agents[ordinal] = AgentState(ordinal, NumberIndex(self._columns, NONE))
        return agent

    def _enter_chain(self, agent: AgentState, index: int, *, begins_problem: bool) -> None:
        """Prepare the agent for its new thought ``index``, which begins a problem or continues in the current chain."""
        columns = self._columns
        if not index or (begins_problem and agent is self._main_agent):
            self._begin_chain(index)
        if agent is self._main_agent:
            return
        columns.agents.add_thought(agent.ordinal, index)
        chain = len(columns.chain_start) - 1
        if agent.chain != chain:
            columns.agents.by_chain.append(chain, agent.ordinal)
            agent.enter_chain(chain)
        if begins_problem:
            agent.begin_problem(NumberIndex(columns, NONE))

    def _lane_for(self, event: ThoughtEvent, agent: AgentState) -> int:
        """Return the lane of a new thought; open it if needed."""
        if event.branchId or event.branchFromThought:
            return self._branch_for(event, agent)
        return agent.root_lane if agent.root_lane != NONE else self._open_root_lane(agent)

    def _add_refusal(self, event: RejectedEvent, offset: int, size: int) -> None:
        columns = self._columns
        self._add_landmark(Landmark.REFUSAL)
        time = self._add_non_thought(event.time)
        agent = self._agents.get(columns.agents.find(event.agent))
        start = columns.chain_start[-1] if columns.chain_start else 0
        above = agent.last_thought if agent and agent.last_thought >= start else len(columns.seq) - 1
        columns.refusals.append(
            RefusedCall(columns.entry_count, len(columns.seq), event.seq, time, offset, size, above)
        )
        if above != NONE:
            columns.refusals_in_lane.append(columns.lane[above], len(columns.refusals) - 1)

    def _add_revision(self, number: int, lane: int, index: int, agent: AgentState) -> None:
        columns = self._columns
        self._add_revision_landmark(columns.entry_count)
        target = agent.numbers.resolve_target(number, lane) if number else NONE
        if target != NONE:
            columns.target.put(index, target)
            columns.revisers.append(target, index)
        elif number:
            columns.unresolved_target.put(index, number)

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
        columns, number, estimate = self._columns, event.thoughtNumber, event.totalThoughts
        index = len(columns.seq)
        estimate = estimate if estimate > number else number
        index_in_lane, duration, highest = 0, 0, number
        if lane_end != NONE:
            index_in_lane, duration = columns.index_in_lane[lane_end] + 1, columns.lane_duration[lane_end]
            highest = columns.highest_number[lane_end]
            highest = highest if highest > number else number
            if columns.estimate[lane_end] != estimate:
                self._add_estimate_change(lane, index)
        time = microseconds_of(event.time)
        if previous != NONE and time > columns.time[previous]:
            # The sum of a clock that jumps back and forth could exceed what a column holds.
            duration += time - columns.time[previous]
            duration = duration if duration < MAX_MICROSECONDS else MAX_MICROSECONDS
        if previous != (index - 1 if index != columns.chain_start[-1] else NONE):
            columns.previous_of_agent.put(index, previous)
        columns.lanes.thoughts.append(lane, index)
        columns.lanes.last_thought[lane] = index
        columns.index_in_lane.append(index_in_lane)
        columns.lane.append(lane)
        columns.seq.append(event.seq)
        columns.entry_index.append(columns.entry_count)
        columns.time.append(time)
        columns.lane_duration.append(duration)
        columns.number.append(number)
        columns.estimate.append(estimate)
        columns.highest_number.append(highest)
        columns.flags.append(flags)

    def _add_estimate_change(self, lane: int, index: int) -> None:
        self._add_estimate_landmark(self._columns.entry_count)
        changes = self._columns.lanes.first_estimate_change
        if changes.get(lane) == NONE:
            changes.put(lane, index)

    def _begins_problem(self, event: ThoughtEvent, agent: AgentState) -> bool:
        """Whether a thought with number 1, neither revision nor retry, begins another problem of its agent."""
        if agent.last_thought == NONE:
            return False
        ends = self._columns.lanes.last_thought
        has_root = agent.earlier_root_lane() != NONE or (agent.root_lane != NONE and ends[agent.root_lane] != NONE)
        return begins_problem(
            is_on_branch=bool(event.branchId or event.branchFromThought),
            names_fork=bool(event.branchFromThought),
            has_trunk=has_root,
            branch_has_first=lambda: self._branch_has_first(event, agent),
        )

    def _branch_has_first(self, event: ThoughtEvent, agent: AgentState) -> bool | None:
        """Return whether the branch of a thought has a thought numbered 1; None: there is no such branch."""
        key = event.branchId or self._fork_key(event, agent)
        existing = agent.branches.get(key, agent.earlier_branches.get(key))
        return None if existing is None else agent.numbers.newest(existing, 1) != NONE

    def _begin_chain(self, index: int) -> None:
        columns = self._columns
        self._add_landmark(Landmark.CHAIN)
        columns.chain_start.append(index)
        self._main_agent.begin_problem(NumberIndex(columns, columns.lanes.open_trunk(columns.entry_count)))

    def _open_root_lane(self, agent: AgentState) -> int:
        """Open the lane of a subagent's unbranched thoughts in the current chain."""
        columns, earlier = self._columns, agent.earlier_root_lane()
        fork = columns.lanes.last_thought[earlier] if earlier != NONE else self._agent_origin(agent)
        agent.root_lane = agent.numbers.root_lane = self._open_lane(agent, None, 0, fork)
        columns.agents.root_entries.append(columns.entry_count)
        return agent.root_lane

    def _agent_origin(self, agent: AgentState) -> int:
        """Return the thought of the current chain from which a subagent's lane forks, or NONE."""
        columns = self._columns
        events = columns.agents.events[agent.ordinal]
        newest = events[-1][1] if events else None
        start = columns.chain_start[-1]
        caller = self._index_of_seq(newest.of) if newest and newest.of else NONE
        if caller >= start:
            return caller
        parent = self._agents.get(columns.agents.find(newest.parent if newest else None), self._main_agent)
        parent = self._main_agent if parent is agent else parent
        return parent.last_thought if parent.last_thought >= start else NONE

    def _branch_for(self, event: ThoughtEvent, agent: AgentState) -> int:
        """Return the branch that a thought names; open it if it is new."""
        key = event.branchId or self._fork_key(event, agent)
        lane = agent.branches.get(key)
        if lane is None:
            lane = agent.branches[key] = self._open_branch(event, agent, agent.earlier_branches.get(key, NONE))
        return lane

    def _fork_key(self, event: ThoughtEvent, agent: AgentState) -> int:
        """Return the key of a branch without id: its fork, or a value below NONE if no thought has that number."""
        fork = self._fork_of(event, agent)
        return fork if fork != NONE else NONE - (event.branchFromThought or 0)

    def _fork_of(self, event: ThoughtEvent, agent: AgentState) -> int:
        columns = self._columns
        if event.branchFromThought:
            current = columns.lane[agent.last_thought] if agent.last_thought != NONE else agent.root_lane
            return agent.numbers.resolve_fork(event.branchFromThought, current)
        root = agent.root_lane if agent.root_lane != NONE else agent.earlier_root_lane()
        last = columns.lanes.last_thought[root] if root != NONE else NONE
        return last if last != NONE or agent is self._main_agent else self._agent_origin(agent)

    def _open_branch(self, event: ThoughtEvent, agent: AgentState, earlier: int) -> int:
        """Open a branch; if it continues the lane ``earlier`` of an earlier chain, it forks from that lane's end."""
        fork = self._columns.lanes.last_thought[earlier] if earlier != NONE else self._fork_of(event, agent)
        return self._open_lane(agent, event.branchId or None, event.branchFromThought or 0, fork)

    def _open_lane(self, agent: AgentState, name: str | None, number: int, fork: int) -> int:
        columns = self._columns
        lane = columns.lanes.open_lane(columns.entry_count, name, number, fork, agent.ordinal)
        self._add_branch_landmark(columns.entry_count)
        fork = columns.lanes.fork[lane]
        if fork != NONE:
            columns.branches_from.append(fork, lane)
        else:
            columns.branches_without_fork.append(len(columns.chain_start) - 1, lane)
        return lane

    def _attach(self, event: AttachedEvent, offset: int, size: int) -> None:
        columns = self._columns
        index = self._index_of_seq(event.of) if event.of else len(columns.seq) - 1
        if index == NONE:
            return
        verdict, score = verdict_of(event) if isinstance(event, AuditEvent) else ("", 0)
        kind = type(event).__struct_config__.tag
        time = self._add_non_thought(event.time)
        attachment = Attachment(columns.entry_count, str(kind), event.seq, time, offset, size, verdict, score)
        columns.attachments[index].append(attachment)
        is_allowed_more = isinstance(event, ElicitEvent) and event.purpose == LIMIT_PURPOSE and event.action == "accept"
        if verdict:
            self._add_landmark(Landmark.VERDICT)
            columns.verdicts_on.append(index, len(columns.verdicts))
            columns.verdicts.append(attachment)
        elif attachment.kind in columns.first_attached:
            columns.first_attached[attachment.kind].setdefault(index, columns.entry_count)
        if verdict in {"revise", "reject"} or is_allowed_more:
            columns.reopened.setdefault(index, columns.entry_count)

    def _index_of_seq(self, seq: int) -> int:
        index = bisect_left(self._columns.seq, seq)
        return index if index < len(self._columns.seq) and self._columns.seq[index] == seq else NONE


def fold(events: Iterable[Event | UnknownEvent], writer: WriterState = WriterState.UNKNOWN) -> Session:
    """Fold ``events`` in order and return the session."""
    builder = Fold()
    for event in events:
        builder.evolve(event)
    return builder.session(writer)
