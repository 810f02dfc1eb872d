"""The health of a session: looked at thought by thought beside the fold, asked for at any position.

The fold never reads a text, and a screen must not wait for all of them. So `Health` reads the texts, step by step as
time allows. What it found at a thought depends on the thoughts before alone; therefore a
position of a replay has what the session had then.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator

from seqthink.chain.columns.compact_lists import NONE, SparseInts
from seqthink.chain.health.chain_ends import chain_end_oddities
from seqthink.chain.health.near_duplicates import NearDuplicates
from seqthink.chain.health.number_patterns import CircleFinder, EstimateWatch
from seqthink.chain.health.oddities import HealthCounts, Oddity, OddityKind
from seqthink.chain.session import Session
from seqthink.core.events import Event, ThoughtEvent, UnknownEvent

EventOf = Callable[[int, int], Event | UnknownEvent | None]
"""Returns the event of a journal line by byte offset and size, of a long thought with the beginning of its text at
least; None if it cannot be read."""
MAX_READ_THOUGHTS = 10_000
"""How many thoughts of a session are read, from its beginning. Of later ones only the numbers are looked at: an agent
that thinks this long thinks in circles, and that shows before."""
_PERCENT_BITS = 7


class Health:
    """What was found so far in one session, as one fold counts its thoughts. It only grows.

    One thread may look on while another asks.
    """

    def __init__(self) -> None:
        self.seen_count = 0
        """How many thoughts were looked at, from the first."""
        self._near_duplicates = NearDuplicates()
        self._circle_finder = CircleFinder()
        self._estimates = EstimateWatch()
        # By thought: the earlier one and the percentage, in one number.
        self._duplicates = SparseInts()
        self._circles: dict[int, Oddity] = {}
        self._repaired = array("i")
        self._unread = array("i")
        self._view: SessionHealth | None = None

    def look_on(self, session: Session, event_of: EventOf, max_count: int | None = None) -> None:
        """Look at the next thoughts of ``session``, at most ``max_count``."""
        stop = session.thought_count if max_count is None else min(session.thought_count, self.seen_count + max_count)
        for index in range(self.seen_count, stop):
            self._look_at(session, index, event_of)
            self.seen_count = index + 1

    @property
    def finding_count(self) -> int:
        """How many findings there are that need a look at the thoughts: it grows when there is something new."""
        return self._duplicates.count + len(self._circles) + len(self._estimates.thoughts())

    def is_behind(self, session: Session) -> bool:
        """Whether some thoughts of ``session`` were not looked at yet."""
        return self.seen_count < session.thought_count

    def at(self, session: Session) -> "SessionHealth":
        """Return the health of a session, or of an earlier position of it, as far as it was looked at."""
        view = self._view
        if view is None or not view.is_of(session, self.seen_count):
            view = self._view = SessionHealth(self, session, self.seen_count)
        return view

    def _look_at(self, session: Session, index: int, event_of: EventOf) -> None:
        if session.native.kind_of(index) is not None:
            return
        if session.thoughts.may_change_estimate(index):
            self._estimates.add(session.thoughts.get(index))
        circle = self._circle_finder.add(session, index)
        if circle is not None:
            self._circles[index] = circle
        if index < MAX_READ_THOUGHTS:
            self._read(session, index, event_of)

    def _read(self, session: Session, index: int, event_of: EventOf) -> None:
        """Compare a thought's text with the earlier ones."""
        event = event_of(*session.thoughts.line_extent_of(index))
        if not isinstance(event, ThoughtEvent):
            self._unread.append(index)
            return
        if event.coerced:
            self._repaired.append(index)

        def text_of(other: int) -> str:
            event = event_of(*session.thoughts.line_extent_of(other))
            return event.thought if isinstance(event, ThoughtEvent) else ""

        duplicate = self._near_duplicates.add(session, index, event.thought, text_of)
        if duplicate is not None:
            self._duplicates.put(index, duplicate.other << _PERCENT_BITS | duplicate.percent)

    def thought_oddities(self, session: Session, index: int) -> Iterator[Oddity]:
        """Yield what is odd about a thought itself, and about the estimate that it gave."""
        if index >= session.thought_count:
            return
        duplicate = self._duplicates.get(index, NONE)
        if duplicate != NONE:
            yield Oddity(
                kind=OddityKind.NEAR_DUPLICATE,
                thought=index,
                other=duplicate >> _PERCENT_BITS,
                percent=duplicate & (1 << _PERCENT_BITS) - 1,
            )
        if index in self._circles:
            yield self._circles[index]
        growing = self._estimates.oddity_at(session, index)
        if growing is not None:
            yield growing

    def duplicate_count(self, start: int, stop: int) -> int:
        """Return how many of the thoughts from ``start`` to before ``stop`` are near-duplicates."""
        return self._duplicates.count_between(start, stop)

    def odd_thoughts(self, start: int, stop: int, *, has_duplicates: bool = True) -> list[int]:
        """Return the thoughts from ``start`` to before ``stop`` that may be odd themselves, in order."""
        found = set(self._duplicates.keys_between(start, stop) if has_duplicates else ())
        found.update(index for index in (*self._circles, *self._estimates.thoughts()) if start <= index < stop)
        return sorted(found)

    def repaired_count(self, thought_count: int) -> int:
        """Return in how many of the first thoughts the call was repaired."""
        return bisect_left(self._repaired, thought_count)

    def unread_count(self, thought_count: int) -> int:
        """Return how many of the first thoughts were not read: lines that are gone, and those that are too many."""
        return bisect_left(self._unread, thought_count) + max(0, thought_count - MAX_READ_THOUGHTS)


class SessionHealth:
    """The health of a session at one position."""

    def __init__(self, health: Health, session: Session, seen_count: int) -> None:
        self._health = health
        self._session = session
        self._seen_count = seen_count
        self._ends: dict[int, dict[int, list[Oddity]]] = {}

    def is_of(self, session: Session, seen_count: int) -> bool:
        """Whether this is the health of ``session``, as far as it is known now."""
        own = self._session
        return seen_count == self._seen_count and (own.entry_count, own.thought_count) == (
            session.entry_count,
            session.thought_count,
        )

    def oddities_at(self, index: int) -> list[Oddity]:
        """Return what is odd at a thought; [] for most."""
        chain = self._session.thoughts.chain_of(index)
        return [*self._health.thought_oddities(self._session, index), *self._ends_of(chain).get(index, ())]

    def oddities(self) -> Iterator[Oddity]:
        """Yield all oddities of the session, in the order of their thoughts."""
        for chain in range(self._session.chain_count):
            thoughts, ends = self._session.chains.thoughts_of(chain), self._ends_of(chain)
            odd = self._health.odd_thoughts(thoughts.start, thoughts.stop)
            for index in sorted({*odd, *ends}):
                yield from self._health.thought_oddities(self._session, index)
                yield from ends.get(index, ())

    def odd_thoughts(self) -> list[int]:
        """Return the thoughts with an oddity, in order."""
        return sorted({oddity.thought for oddity in self.oddities()})

    def count_in(self, chain: int) -> int:
        """Return how many oddities a chain has."""
        thoughts = self._session.chains.thoughts_of(chain)
        count = self._health.duplicate_count(thoughts.start, thoughts.stop)
        for index in self._health.odd_thoughts(thoughts.start, thoughts.stop, has_duplicates=False):
            count += sum(
                oddity.kind is not OddityKind.NEAR_DUPLICATE
                for oddity in self._health.thought_oddities(self._session, index)
            )
        return count + sum(map(len, self._ends_of(chain).values()))

    def counts(self) -> HealthCounts:
        """Return the health in numbers."""
        oddities = dict.fromkeys(OddityKind, 0)
        for oddity in self.oddities():
            oddities[oddity.kind] += 1
        return HealthCounts(
            oddities=oddities, refused=self.refused_count, repaired=self.repaired_count, unread=self.unread_count
        )

    @property
    def refused_count(self) -> int:
        """How many calls were refused."""
        return self._session.asides.refused_count

    @property
    def repaired_count(self) -> int:
        """How many calls were accepted with repaired arguments."""
        return self._health.repaired_count(self._session.thought_count)

    @property
    def unread_count(self) -> int:
        """How many thoughts were not read: not yet, no longer, or because there are too many."""
        seen = min(self._session.thought_count, self._seen_count)
        return self._session.thought_count - seen + self._health.unread_count(seen)

    def _ends_of(self, chain: int) -> dict[int, list[Oddity]]:
        ends = self._ends.get(chain)
        if ends is None:
            ends = self._ends[chain] = {}
            for oddity in chain_end_oddities(self._session, chain):
                ends.setdefault(oddity.thought, []).append(oddity)
        return ends
