"""A folded session after some line of its journal: what the viewer, the drawing and the exports read."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from seqthink.chain.model import NONE, Attachment, Landmark, Lane, RefusedCall
from seqthink.chain.positions import Positions
from seqthink.chain.session_columns import SessionColumns
from seqthink.chain.state import State
from seqthink.events import AgentEvent, AskingEvent, AuditingEvent, EndEvent, SessionEvent, WriterState


class Session(Positions):
    """A session after the first ``entry_count`` lines of its journal: ``thought_count`` thoughts in chains and lanes.

    It never changes. To see what arrived later, ask the fold for its session again. Thoughts, lanes, chains and agents
    are named by ints that count from 0 in order of arrival; NONE (-1) means there is none. Durations and times are in
    microseconds, times since 1970 in UTC.
    """

    def __init__(self, columns: SessionColumns, entry_count: int, thought_count: int, writer: WriterState) -> None:
        super().__init__(columns, entry_count, thought_count)
        self.writer = writer
        """Whether the server that writes the journal is running."""

    def at(self, entry_count: int) -> "Session":
        """Return the session as it was after the first ``entry_count`` lines of the journal, decoded or not."""
        entry_count = max(0, min(entry_count, self.entry_count))
        length = bisect_left(self._columns.entry_index, entry_count, 0, self.thought_count)
        return Session(self._columns, entry_count, length, self.writer)

    def at_thought(self, count: int) -> "Session":
        """Return the session as it was right after its ``count``-th thought arrived; 0 for before the first."""
        count = max(0, min(count, self.thought_count))
        return self.at(self._columns.entry_index[count - 1] + 1 if count else 0)

    def with_writer(self, writer: WriterState) -> "Session":
        """Return the same session with another state of its writer."""
        return Session(self._columns, self.entry_count, self.thought_count, writer)

    # Lanes

    def lane(self, ordinal: int) -> Lane:
        """Return the lane with this ordinal. It may hold later thoughts, too: ``lane_length`` says how many count."""
        return Lane(self._columns.lanes, ordinal)

    def fork_of(self, ordinal: int) -> int:
        """Return the thought that the lane leaves from, or NONE."""
        return self._columns.lanes.fork[ordinal]

    def lane_length(self, ordinal: int) -> int:
        """Return the number of thoughts in the lane."""
        return bisect_left(self._columns.lanes.thoughts.get(ordinal), self.thought_count)

    def newest_in_lane(self, ordinal: int) -> int:
        """Return the newest thought of the lane, or NONE."""
        newest = self._columns.lanes.last_thought[ordinal]
        if newest < self.thought_count:
            return newest
        length = self.lane_length(ordinal)
        return self._columns.lanes.thoughts.get(ordinal)[length - 1] if length else NONE

    def branches_from(self, index: int) -> Sequence[int]:
        """Return the lanes that leave from the thought ``index``, in the order in which they opened."""
        return self._opened_by_now(self._columns.branches_from.get(index))

    def branches_without_fork(self, chain: int) -> Sequence[int]:
        """Return the chain's branches without a fork, in the order in which they opened."""
        return self._opened_by_now(self._columns.branches_without_fork.get(chain))

    def _opened_by_now(self, lanes: Sequence[int]) -> Sequence[int]:
        return lanes[: bisect_left(lanes, self.entry_count, key=self._columns.lanes.entry_index.__getitem__)]

    def newest_branch_from(self, index: int) -> int:
        """Return the last lane to leave from the thought ``index``, or NONE."""
        lanes = self._columns.branches_from.get(index)
        count = bisect_left(lanes, self.entry_count, key=self._columns.lanes.entry_index.__getitem__)
        return lanes[count - 1] if count else NONE

    def lane_duration(self, ordinal: int) -> int:
        """Return how long the lane's thoughts took together, in microseconds."""
        end = self.newest_in_lane(ordinal)
        return self._columns.lane_duration[end] if end != NONE else 0

    # Chains

    @property
    def chain_count(self) -> int:
        """Number of chains."""
        return bisect_left(self._columns.chain_start, self.thought_count)

    def chain_of(self, index: int) -> int:
        """Return the ordinal of the chain that holds the thought ``index``."""
        return bisect_right(self._columns.chain_start, index) - 1

    def chain_range(self, chain: int) -> range:
        """Return the thoughts of a chain; no other chain's thought arrived between them."""
        starts = self._columns.chain_start
        stop = starts[chain + 1] if chain + 1 < len(starts) else self.thought_count
        return range(starts[chain], min(stop, self.thought_count))

    def chain_lanes(self, chain: int) -> range:
        """Return the lanes of a chain, trunk first, in the order in which they opened."""
        trunks, opened_at = self._columns.lanes.trunks, self._columns.lanes.entry_index
        stop = trunks[chain + 1] if chain + 1 < len(trunks) else len(opened_at)
        if chain == self.chain_count - 1:
            stop = bisect_left(opened_at, self.entry_count, trunks[chain], stop)
        return range(trunks[chain], stop)

    def chain_state(self, chain: int) -> State:
        """Return the state of a chain (docs/journal.md, "Ends")."""
        if self._is_concluded(chain):
            return State.DONE
        if chain < self.chain_count - 1:
            return State.LEFT
        return self._open_state()

    def _is_concluded(self, chain: int) -> bool:
        """Whether the main agent's newest thought is final, and the newest of each subagent that thought after it."""
        thoughts = self.chain_range(chain)
        agents = self._columns.agents
        newest = agents.newest_main_thought(thoughts.stop)
        if newest >= thoughts.start and not self.is_final(newest):
            return False
        since = max(newest, thoughts.start - 1)
        for agent in reversed(agents.by_chain.get(chain)):
            own = agents.thoughts.get(agent)
            count = bisect_left(own, thoughts.stop)
            if count and own[count - 1] > since and not self.is_final(own[count - 1]):
                return False
        return True

    def _open_state(self) -> State:
        if self.end_event is not None:
            return State.STOPPED
        return {WriterState.ALIVE: State.THINKING, WriterState.GONE: State.LOST, WriterState.UNKNOWN: State.UNKNOWN}[
            self.writer
        ]

    # Agents

    @property
    def agent_count(self) -> int:
        """Number of subagents that the journal names; their ordinals begin with 1."""
        return bisect_left(self._columns.agents.entry_index, self.entry_count, 1) - 1

    def agent_id(self, agent: int) -> str | None:
        """Return the id of an agent by its ordinal; None for the main agent."""
        return self._columns.agents.ids[agent]

    def agent_event(self, agent: int) -> AgentEvent | None:
        """Return the newest `agent` event of an agent by its ordinal, or None."""
        events = self._columns.agents.events[agent]
        count = bisect_left(events, self.entry_count, key=lambda event: event[0])
        return events[count - 1][1] if count else None

    @property
    def current_thought(self) -> int:
        """The thought that the status line shows the progress of, or NONE if there is none.

        It is the main agent's newest thought if that is in the newest chain, else the newest thought of all.
        """
        newest = self._columns.agents.newest_main_thought(self.thought_count)
        return (
            newest
            if self.thought_count and newest >= self.chain_range(self.chain_count - 1).start
            else self.thought_count - 1
        )

    # Landmarks

    def landmarks(self, kind: Landmark, first: int, stop: int) -> range:
        """Return the ordinals of the landmarks of a kind that came from thought ``first`` to before ``stop``."""
        entries, landmarks = self._columns.entry_index, self._columns.landmarks[kind]
        end = entries[stop] if stop < self.thought_count else self.entry_count
        return range(bisect_left(landmarks, entries[first]), bisect_left(landmarks, min(end, self.entry_count)))

    def landmark_thought(self, kind: Landmark, ordinal: int) -> int:
        """Return the newest thought at the landmark ``ordinal`` of a kind."""
        return (
            bisect_right(self._columns.entry_index, self._columns.landmarks[kind][ordinal], 0, self.thought_count) - 1
        )

    def verdict(self, ordinal: int) -> Attachment:
        """Return the audit with the verdict ``ordinal``, counted from 0."""
        return self._columns.verdicts[ordinal]

    def has_estimate_changed(self, ordinal: int) -> bool:
        """Whether a thought of the lane has changed its estimate."""
        return NONE < self._columns.lanes.first_estimate_change.get(ordinal) < self.thought_count

    # The session

    @property
    def state(self) -> State:
        """State of the session: that of its newest chain."""
        return self.chain_state(self.chain_count - 1) if self.thought_count else self._open_state()

    @property
    def is_alive(self) -> bool:
        """Whether its server is known to be running."""
        return self.writer is WriterState.ALIVE

    @property
    def session_event(self) -> SessionEvent | None:
        """The newest `session` event, or None."""
        return next((event for event in self._server_events() if isinstance(event, SessionEvent)), None)

    @property
    def title(self) -> str | None:
        """The newest title of the session; a resume without a title keeps the one before."""
        events = self._server_events()
        return next((event.title for event in events if isinstance(event, SessionEvent) and event.title), None)

    @property
    def end_event(self) -> EndEvent | None:
        """The `end` event, if no server has resumed the session after it."""
        last = next(self._server_events(), None)
        return last if isinstance(last, EndEvent) else None

    @property
    def open_question(self) -> AskingEvent | None:
        """The open question to the client, the user's before the model's; None once the server is gone."""
        count = bisect_left(self._columns.question_changes, self.entry_count, key=lambda question: question[0])
        return self._columns.question_changes[count - 1][1] if count and self.writer is not WriterState.GONE else None

    @property
    def running_audit(self) -> AuditingEvent | None:
        """The running audit with the newest progress; None once the server is gone."""
        count = bisect_left(self._columns.running_audit_changes, self.entry_count, key=lambda audit: audit[0])
        return (
            self._columns.running_audit_changes[count - 1][1] if count and self.writer is not WriterState.GONE else None
        )

    def _server_events(self) -> Iterator[SessionEvent | EndEvent]:
        return (event for entry, event in reversed(self._columns.server_events) if entry < self.entry_count)

    @property
    def refusal_count(self) -> int:
        """Number of refused calls."""
        return bisect_left(self._columns.refusals, self.entry_count, key=lambda refusal: refusal.entry_index)

    def refusal(self, ordinal: int) -> RefusedCall:
        """Return the refused call ``ordinal``, counted from 0."""
        return self._columns.refusals[ordinal]

    def refusals_before(self, index: int) -> int:
        """Return how many calls were refused before the thought ``index`` arrived."""
        return bisect_left(
            self._columns.refusals, index + 1, 0, self.refusal_count, key=lambda refusal: refusal.thoughts_before
        )

    def first_refusal_after(self, index: int) -> int:
        """Return the first call refused after the thought ``index`` and before the next of its lane, or NONE."""
        numbers = self._columns.refusals_in_lane.get(self._columns.lane[index])
        position = bisect_left(numbers, index, key=lambda number: self._columns.refusals[number].thought_above)
        number = numbers[position] if position < len(numbers) else NONE
        return number if NONE < number < self.refusal_count and self.refusal(number).thought_above == index else NONE

    @property
    def unknown_count(self) -> int:
        """Number of lines of an unknown type or version, which a newer release wrote."""
        return bisect_left(self._columns.unknown_entries, self.entry_count)

    @property
    def corrupt_count(self) -> int:
        """Number of corrupt lines."""
        return bisect_left(self._columns.corrupt_entries, self.entry_count)

    @property
    def branch_count(self) -> int:
        """Number of branches in all chains."""
        roots = bisect_left(self._columns.agents.root_entries, self.entry_count)
        return bisect_left(self._columns.lanes.entry_index, self.entry_count) - self.chain_count - roots

    @property
    def revision_count(self) -> int:
        """Number of revisions."""
        return bisect_left(self._columns.landmarks[Landmark.REVISION], self.entry_count)
