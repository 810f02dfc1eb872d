"""Which changes of an estimate are news, and which only follow the numbers (docs/journal.md, "Estimates").

Many agents give as `totalThoughts` whatever number they are at, or always the same distance ahead. Such an estimate
changes with every thought and says nothing: the fold marks these changes, and no row, landmark or export shows them.
"""

from typing import NamedTuple


class EstimateStep(NamedTuple):
    """How far a lane is at some thought."""

    highest_number: int
    """The highest number on the lane so far."""
    estimate: int
    """The estimate there."""

    @property
    def remaining(self) -> int:
        """How many thoughts the estimate says are still to come."""
        return max(0, self.estimate - self.highest_number)


def keeps_pace(number: int, estimate: int, before: EstimateStep, earlier: EstimateStep | None) -> bool:
    """Return whether a changed estimate only follows the numbers of its lane.

    It does if it rises by one with a number above all before it, and either is that number, or stays as far ahead for
    the second time in a row.

    Args:
        number: the thought's number.
        estimate: its estimate, another than before.
        before: how far the lane was at the thought before it.
        earlier: how far it was at the thought before that one; None if there was none.
    """
    if number <= before.highest_number or estimate != before.estimate + 1:
        return False
    remaining = estimate - number
    is_second = earlier is not None and remaining == before.remaining == earlier.remaining
    return remaining == 0 or is_second
