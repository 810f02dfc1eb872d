"""Oddities: what may have gone wrong in a chain, as values (docs/journal.md, "Chain health")."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from seqthink.chain.model import NONE

__all__ = ["HealthCounts", "Oddity", "OddityKind"]


class OddityKind(StrEnum):
    """The kinds of oddities: a closed set. Each is also a string."""

    NEAR_DUPLICATE = "near-duplicate"
    """A thought says almost the same as an earlier one."""
    CIRCLING = "circling"
    """The same few numbers come again and again."""
    GROWING_ESTIMATE = "growing estimate"
    """An estimate only grew, to more than twice the first."""
    EARLY_END = "early end"
    """A conclusion came at half of the estimate or before."""
    LEFT_BRANCH = "left branch"
    """A branch stopped before its estimate, and nothing came after it on the lanes that it left."""


class Oddity(Struct, frozen=True, gc=False, kw_only=True):
    """One oddity. It is at the thought that made it one."""

    kind: OddityKind
    thought: int
    """The thought at which it is marked."""
    other: int = NONE
    """Of a near-duplicate: the earlier thought. Of a circle: the first thought of it. Else NONE."""
    percent: int = 0
    """Of a near-duplicate: how much of the words they share, 0 to 100."""
    numbers: tuple[int, ...] = ()
    """Of a circle: the numbers that come again. Of an estimate: the first and the newest. Of an early end: the number
    of the conclusion and the estimate."""
    lane: int = NONE
    """Of a left branch: its ordinal."""


class HealthCounts(Struct, frozen=True, kw_only=True):
    """The health of a session in numbers."""

    oddities: Mapping[OddityKind, int]
    """How many oddities of each kind there are, zeros included."""
    refused: int
    """How many calls were refused."""
    repaired: int
    """How many calls were accepted with repaired arguments, among those that were read."""
    unread: int
    """How many thoughts were not read: not yet, no longer, or because there are too many."""
