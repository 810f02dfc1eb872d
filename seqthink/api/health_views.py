"""What is odd about a session (docs/journal.md, "Chain health"), as read-only views."""

from collections.abc import Mapping, Sequence

from typing_extensions import override

from seqthink.api.thought_views import LaneView, ThoughtView
from seqthink.api.view_sources import EventReader, Views
from seqthink.chain.health.health import SessionHealth
from seqthink.chain.health.oddities import Oddity, OddityKind
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.describe.oddities import oddity_sentence


class OddityView:
    """One oddity. It is at the thought that made it one."""

    __slots__ = ("_folded", "_oddity", "_reader")

    def __init__(self, folded: Session, reader: EventReader, oddity: Oddity) -> None:
        self._folded = folded
        self._reader = reader
        self._oddity = oddity

    @property
    def kind(self) -> OddityKind:
        """What is odd."""
        return self._oddity.kind

    @property
    def thought(self) -> ThoughtView:
        """The thought at which it is marked."""
        return ThoughtView(self._folded, self._reader, self._oddity.thought)

    @property
    def other(self) -> ThoughtView | None:
        """The earlier thought of a near-duplicate, the first thought of a circle; else None."""
        other = self._oddity.other
        return None if other == NONE else ThoughtView(self._folded, self._reader, other)

    @property
    def branch(self) -> LaneView | None:
        """The branch that was left; else None."""
        is_branch = self._oddity.kind is OddityKind.LEFT_BRANCH
        return LaneView(self._folded, self._reader, self._oddity.lane) if is_branch else None

    @property
    def percent(self) -> int | None:
        """Of a near-duplicate: how much of their word shingles both texts have, 85 to 100; else None."""
        return self._oddity.percent if self._oddity.kind is OddityKind.NEAR_DUPLICATE else None

    @property
    def sentence(self) -> str:
        """What is odd in words, safe to print: ``almost the same as 4 (91 %)``."""
        return oddity_sentence(self._folded, self._oddity)

    @override
    def __repr__(self) -> str:
        return f"<{self.kind} at seq {self.thought.seq}>"


class HealthView:
    """What is odd about a session at some moment of it."""

    __slots__ = ("_folded", "_health", "_reader")

    def __init__(self, folded: Session, reader: EventReader, health: SessionHealth) -> None:
        self._folded = folded
        self._reader = reader
        self._health = health

    @property
    def oddities(self) -> Sequence[OddityView]:
        """All oddities, in the order of their thoughts."""
        found = list(self._health.oddities())
        return Views(range(len(found)), lambda place: OddityView(self._folded, self._reader, found[place]))

    @property
    def counts(self) -> Mapping[OddityKind, int]:
        """How many oddities of each kind there are, zeros included."""
        return self._health.counts().oddities

    @property
    def refused(self) -> int:
        """How many calls were refused."""
        return self._health.refused_count

    @property
    def repaired(self) -> int:
        """How many calls were accepted with repaired arguments, among those that were read."""
        return self._health.repaired_count

    @property
    def unread(self) -> int:
        """How many thoughts were not compared, since the session is too long."""
        return self._health.unread_count

    @override
    def __repr__(self) -> str:
        return f"<health: {sum(self.counts.values())} odd, {self.refused} refused, {self.repaired} repaired>"
