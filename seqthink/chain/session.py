"""A folded session, at one moment of it: what the drawing and the exports ask."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from seqthink.chain.log import Log
from seqthink.chain.model import NONE, Attachment, Landmark, Lane, Refusal
from seqthink.chain.moments import Moments
from seqthink.chain.state import State
from seqthink.events import AgentEvent, AskingEvent, AuditingEvent, EndEvent, SessionEvent, Writer


class Session(Moments):
    """The fold of the first ``entries`` lines of a journal: ``length`` thoughts in one or more chains.

    Nothing here changes. What arrives later is seen by asking the fold for its session again.
    """

    def __init__(self, log: Log, entries: int, length: int, writer: Writer) -> None:
        super().__init__(log, entries, length)
        self.writer = writer

    def at(self, entries: int) -> "Session":
        """Return the session as it was after its first ``entries`` lines, read or not: the rest has never come."""
        entries = max(0, min(entries, self.entries))
        length = bisect_left(self._log.entry, entries, 0, self.length)
        return Session(self._log, entries, length, self.writer)

    def at_thought(self, count: int) -> "Session":
        """Return the session as it was when its ``count``-th thought to arrive had just come."""
        count = max(0, min(count, self.length))
        return self.at(self._log.entry[count - 1] + 1 if count else 0)

    def with_writer(self, writer: Writer) -> "Session":
        """Return the same session, for one who knows this of its server."""
        return Session(self._log, self.entries, self.length, writer)

    # Lanes

    def lane(self, ordinal: int) -> Lane:
        """Return the lane with this ordinal. It may have grown since: see ``lane_length``."""
        return Lane(self._log.lanes, ordinal)

    def fork_of(self, ordinal: int) -> int:
        """Return the thought that the lane leaves from, or NONE."""
        return self._log.lanes.fork[ordinal]

    def lane_length(self, ordinal: int) -> int:
        """Return how many thoughts the lane has."""
        return bisect_left(self._log.lanes.thoughts.get(ordinal), self.length)

    def lane_end(self, ordinal: int) -> int:
        """Return the newest thought of the lane, or NONE."""
        newest = self._log.lanes.last[ordinal]
        if newest < self.length:
            return newest
        length = self.lane_length(ordinal)
        return self._log.lanes.thoughts.get(ordinal)[length - 1] if length else NONE

    def branches_from(self, index: int) -> Sequence[int]:
        """Return the lanes that leave from the thought ``index``, in the order in which they opened."""
        return self._born(self._log.forks.get(index))

    def loose_branches(self, chain: int) -> Sequence[int]:
        """Return the chain's branches without a fork, in the order in which they opened."""
        return self._born(self._log.loose.get(chain))

    def _born(self, lanes: Sequence[int]) -> Sequence[int]:
        return lanes[: bisect_left(lanes, self.entries, key=self._log.lanes.born.__getitem__)]

    def newest_branch_from(self, index: int) -> int:
        """Return the last lane to leave from the thought ``index``, or NONE."""
        lanes = self._log.forks.get(index)
        count = bisect_left(lanes, self.entries, key=self._log.lanes.born.__getitem__)
        return lanes[count - 1] if count else NONE

    def lane_duration(self, ordinal: int) -> int:
        """Return the microseconds that the lane's thoughts took together."""
        end = self.lane_end(ordinal)
        return self._log.spent[end] if end != NONE else 0

    # Chains

    @property
    def chain_count(self) -> int:
        """How many chains there are."""
        return bisect_left(self._log.chain_start, self.length)

    def chain_of(self, index: int) -> int:
        """Return the ordinal of the chain that holds the thought ``index``."""
        return bisect_right(self._log.chain_start, index) - 1

    def chain_range(self, chain: int) -> range:
        """Return the thoughts of a chain: they arrived one after another."""
        starts = self._log.chain_start
        stop = starts[chain + 1] if chain + 1 < len(starts) else self.length
        return range(starts[chain], min(stop, self.length))

    def chain_lanes(self, chain: int) -> range:
        """Return the lanes of a chain, trunk first, in the order in which they opened."""
        trunks, born = self._log.lanes.trunks, self._log.lanes.born
        stop = trunks[chain + 1] if chain + 1 < len(trunks) else len(born)
        if chain == self.chain_count - 1:
            stop = bisect_left(born, self.entries, trunks[chain], stop)
        return range(trunks[chain], stop)

    def chain_state(self, chain: int) -> State:
        """Return how a chain stands (journal.md, "Ends")."""
        if self._is_concluded(chain):
            return State.DONE
        if chain < self.chain_count - 1:
            return State.LEFT
        return self._open_state()

    def _is_concluded(self, chain: int) -> bool:
        """Whether the main agent's newest thought is final, and that of each other one that has thought since."""
        thoughts = self.chain_range(chain)
        agents = self._log.agents
        newest = agents.newest_of_main(thoughts.stop)
        if newest >= thoughts.start and not self.is_final(newest):
            return False
        since = max(newest, thoughts.start - 1)
        for agent in reversed(agents.in_chain.get(chain)):
            own = agents.thoughts.get(agent)
            count = bisect_left(own, thoughts.stop)
            if count and own[count - 1] > since and not self.is_final(own[count - 1]):
                return False
        return True

    def _open_state(self) -> State:
        if self.end is not None:
            return State.STOPPED
        return {Writer.ALIVE: State.THINKING, Writer.GONE: State.LOST, Writer.UNKNOWN: State.UNKNOWN}[self.writer]

    # Agents

    @property
    def agent_count(self) -> int:
        """How many agents the journal names besides the main one; their ordinals begin with 1."""
        return bisect_left(self._log.agents.born, self.entries, 1) - 1

    def agent_id(self, agent: int) -> str | None:
        """Return the id of an agent by its ordinal; None for the main one, 0."""
        return self._log.agents.ids[agent]

    def agent_event(self, agent: int) -> AgentEvent | None:
        """Return what is known of an agent by its ordinal; None where the journal does not say."""
        said = self._log.agents.said[agent]
        count = bisect_left(said, self.entries, key=lambda one: one[0])
        return said[count - 1][1] if count else None

    @property
    def leading(self) -> int:
        """The newest thought of the newest chain that is the main agent's, else the newest of all; NONE for none."""
        newest = self._log.agents.newest_of_main(self.length)
        return newest if self.length and newest >= self.chain_range(self.chain_count - 1).start else self.length - 1

    # Landmarks

    def landmarks(self, kind: Landmark, first: int, stop: int) -> range:
        """Return which landmarks of a kind, counted from 0, came from the thought ``first`` until before ``stop``."""
        entries, marks = self._log.entry, self._log.landmarks[kind]
        end = entries[stop] if stop < self.length else self.entries
        return range(bisect_left(marks, entries[first]), bisect_left(marks, min(end, self.entries)))

    def landmark_thought(self, kind: Landmark, number: int) -> int:
        """Return the thought that was the newest when the landmark ``number`` of a kind came."""
        return bisect_right(self._log.entry, self._log.landmarks[kind][number], 0, self.length) - 1

    def verdict(self, number: int) -> Attachment:
        """Return the audit with a verdict ``number``, from 0."""
        return self._log.verdicts[number]

    def has_changed(self, ordinal: int) -> bool:
        """Whether the lane's estimate has changed."""
        return NONE < self._log.lanes.first_change.get(ordinal) < self.length

    # The session

    @property
    def state(self) -> State:
        """How the session stands: as its newest chain does."""
        return self.chain_state(self.chain_count - 1) if self.length else self._open_state()

    @property
    def alive(self) -> bool:
        """Whether its server lives, as far as can be told."""
        return self.writer is Writer.ALIVE

    @property
    def info(self) -> SessionEvent | None:
        """The newest line in which a server named itself."""
        return next((event for event in self._servers() if isinstance(event, SessionEvent)), None)

    @property
    def title(self) -> str | None:
        """The title that the session was last given: a resume without one takes none away."""
        events = self._servers()
        return next((event.title for event in events if isinstance(event, SessionEvent) and event.title), None)

    @property
    def end(self) -> EndEvent | None:
        """The line in which the server said goodbye, when it was the last of its kind."""
        last = next(self._servers(), None)
        return last if isinstance(last, EndEvent) else None

    @property
    def question(self) -> AskingEvent | None:
        """The question to the client that is open, a person's before a model's; None once its server is gone."""
        count = bisect_left(self._log.questions, self.entries, key=lambda question: question[0])
        return self._log.questions[count - 1][1] if count and self.writer is not Writer.GONE else None

    @property
    def auditing(self) -> AuditingEvent | None:
        """The audit that goes on, the one that moved last; None once its server is gone."""
        count = bisect_left(self._log.audits, self.entries, key=lambda audit: audit[0])
        return self._log.audits[count - 1][1] if count and self.writer is not Writer.GONE else None

    def _servers(self) -> Iterator[SessionEvent | EndEvent]:
        return (event for entry, event in reversed(self._log.servers) if entry < self.entries)

    @property
    def refusal_count(self) -> int:
        """How many calls were refused."""
        return bisect_left(self._log.refusals, self.entries, key=lambda refusal: refusal.entry)

    def refusal(self, number: int) -> Refusal:
        """Return the refused call ``number``, from 0."""
        return self._log.refusals[number]

    def refusals_before(self, index: int) -> int:
        """Return how many calls were refused before the thought ``index`` came."""
        return bisect_left(self._log.refusals, index + 1, 0, self.refusal_count, key=lambda refusal: refusal.after)

    def refusal_below(self, index: int) -> int:
        """Return the first call that was refused after the thought ``index`` and before its lane's next, or NONE."""
        numbers = self._log.refusals_in.get(self._log.lane[index])
        place = bisect_left(numbers, index, key=lambda number: self._log.refusals[number].above)
        number = numbers[place] if place < len(numbers) else NONE
        return number if NONE < number < self.refusal_count and self.refusal(number).above == index else NONE

    @property
    def unread(self) -> int:
        """How many lines a newer version wrote."""
        return bisect_left(self._log.unread, self.entries)

    @property
    def corrupt(self) -> int:
        """How many lines do not decode."""
        return bisect_left(self._log.corrupt, self.entries)

    @property
    def branch_count(self) -> int:
        """How many branches the chains have together."""
        roots = bisect_left(self._log.agents.roots, self.entries)
        return bisect_left(self._log.lanes.born, self.entries) - self.chain_count - roots

    @property
    def revision_count(self) -> int:
        """How many thoughts are revisions."""
        return bisect_left(self._log.landmarks[Landmark.REVISION], self.entries)
