"""A folded session after some line of its journal: what the viewer, the drawing and the exports read."""

from bisect import bisect_left
from collections.abc import Iterator

from seqthink.chain.agents import MAIN_AGENT, Agents
from seqthink.chain.asides import Asides
from seqthink.chain.chains import Chains, Lanes
from seqthink.chain.columns.compact_lists import newest_other
from seqthink.chain.columns.session_columns import SessionColumns
from seqthink.chain.model import NONE, Landmark
from seqthink.chain.native.native_reasoning import NativeReasoning
from seqthink.chain.positions import Landmarks, Positions
from seqthink.chain.returns.branch_returns import BranchReturns
from seqthink.chain.state import State
from seqthink.chain.thoughts import Thoughts
from seqthink.core.events import AskingEvent, AuditingEvent, EndEvent, SessionEvent, WriterState
from seqthink.core.labels import NO_LABELS, SessionLabels


class Session:
    """A session after the first ``entry_count`` lines of its journal: ``thought_count`` thoughts in chains and lanes.

    It never changes. To see what arrived later, ask the fold for its session again. Thoughts, lanes, chains and agents
    are named by ints that count from 0 in order of arrival; NONE (-1) means there is none. Durations and times are in
    microseconds, times since 1970 in UTC.
    """

    def __init__(
        self,
        columns: SessionColumns,
        entry_count: int,
        thought_count: int,
        writer: WriterState,
        labels: SessionLabels = NO_LABELS,
    ) -> None:
        self._columns = columns
        self.entry_count = entry_count
        """How many lines of the journal it covers, decoded or not."""
        self.thought_count = thought_count
        """How many thoughts are in these lines."""
        self.writer = writer
        """Whether the server that writes the journal is running."""
        self.labels = labels
        """What people say about it, which is not in the journal."""
        self.thoughts = Thoughts(columns, entry_count, thought_count)
        """Facts of single thoughts."""
        self.native = NativeReasoning(columns, entry_count, thought_count)
        """What a transcript says besides the calls of the thinking tool."""
        self.lanes = Lanes(columns, entry_count, thought_count, self.native)
        """Facts of single lanes, and which lanes leave from where."""
        self.branch_returns = BranchReturns(columns, thought_count, self.native)
        """Which thoughts bring branches back."""
        self.chains = Chains(columns, entry_count, thought_count, self.thoughts, self.native)
        """What the chains hold."""
        self.agents = Agents(columns.agents, entry_count)
        """Facts of single agents."""
        self.asides = Asides(columns, entry_count)
        """The rows that are not thoughts."""
        self.positions = Positions(columns, entry_count, thought_count)
        """Where a replay can stop."""
        self.landmarks = Landmarks(columns, entry_count, thought_count)
        """The landmarks between two thoughts."""

    def at(self, entry_count: int) -> "Session":
        """Return the session as it was after the first ``entry_count`` lines of the journal, decoded or not."""
        entry_count = max(0, min(entry_count, self.entry_count))
        length = bisect_left(self._columns.thoughts.entry_index, entry_count, 0, self.thought_count)
        return Session(self._columns, entry_count, length, self.writer, self.labels)

    def at_thought(self, count: int) -> "Session":
        """Return the session as it was right after its ``count``-th thought arrived; 0 for before the first."""
        count = max(0, min(count, self.thought_count))
        return self.at(self._columns.thoughts.entry_index[count - 1] + 1 if count else 0)

    def with_writer(self, writer: WriterState, labels: SessionLabels | None = None) -> "Session":
        """Return the same session with another state of its writer and, if they are given, with other labels."""
        kept = self.labels if labels is None else labels
        return Session(self._columns, self.entry_count, self.thought_count, writer, kept)

    @property
    def chain_count(self) -> int:
        """Number of chains."""
        return bisect_left(self._columns.chain_start, self.thought_count)

    def chain_state(self, chain: int) -> State:
        """Return the state of a chain (docs/journal.md, "Ends")."""
        if self.chains.is_concluded(chain):
            return State.DONE
        if chain < self.chain_count - 1:
            return State.LEFT
        return self._open_state()

    def _open_state(self) -> State:
        if self.end_event is not None:
            return State.STOPPED
        return {WriterState.ALIVE: State.THINKING, WriterState.GONE: State.LOST, WriterState.UNKNOWN: State.UNKNOWN}[
            self.writer
        ]

    @property
    def current_thought(self) -> int:
        """The thought that the status line shows the progress of, or NONE if there is none.

        It is the main agent's newest thought if that is in the newest chain, else the newest thought of all. What was
        left behind counts only if there is nothing else, and native reasoning only in a chain of nothing else.
        """
        if not self.thought_count:
            return NONE
        newest = self.chains.newest_of(self.chain_count - 1, MAIN_AGENT)
        return newest if newest != NONE else self._newest_of_all()

    def _newest_of_all(self) -> int:
        """Return the newest thought of all, as `current_thought` says."""
        newest = self._newest_before(self.thought_count)
        while newest != NONE and (left := self.native.left_behind_since(newest)) != NONE:
            newest = self._newest_before(left)
        return newest if newest != NONE else self._newest_before(self.thought_count)

    def _newest_before(self, length: int) -> int:
        """Return the newest of the first ``length`` thoughts; native reasoning only if the session has nothing else."""
        return newest_other(self._columns.native.thoughts, length) if self.native.call_count else length - 1

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
        """The open question to the client, the user's before the model's; None once the server is gone.

        A question of a transcript is open only while its agent is known to be at work: nothing else says that it was
        given up.
        """
        changes = self._columns.question_changes
        count = bisect_left(changes, self.entry_count, key=lambda change: change.entry)
        if not count or self.writer is WriterState.GONE:
            return None
        return changes[count - 1].newest if self.is_alive else changes[count - 1].newest_of_server

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
    def unknown_count(self) -> int:
        """Number of lines and of a transcript's records of an unknown type or version, which a newer release wrote."""
        return bisect_left(self._columns.unknown_entries, self.entry_count) + self.native.skipped_records.unknown

    @property
    def corrupt_count(self) -> int:
        """Number of corrupt lines, and of a transcript's records that are damaged or too long."""
        return bisect_left(self._columns.corrupt_entries, self.entry_count) + self.native.skipped_records.corrupt

    @property
    def branch_count(self) -> int:
        """Number of branches in all chains."""
        roots = bisect_left(self._columns.agents.root_entries, self.entry_count)
        return bisect_left(self._columns.lanes.entry_index, self.entry_count) - self.chain_count - roots

    @property
    def revision_count(self) -> int:
        """Number of revisions."""
        return bisect_left(self._columns.landmarks[Landmark.REVISION], self.entry_count)
