"""Row items of a chain: what is ordered to make rows.

An item is an int: an ordinal and a kind. It carries its own age: indices of thoughts and ordinals of asides
count up in time, and a branch's first row and a gap are created together with a thought. So two limits select the rows
at an earlier position: how many thoughts had arrived, and how many asides had arrived.
"""

THOUGHT, BRANCH_HEAD, GAP, ASIDE, LANE_END = range(5)
"""Kinds of items: thought, first row of a branch, gap before a thought, aside, invisible end of a lane."""

KIND_BITS = 3
KIND_MASK = (1 << KIND_BITS) - 1


def row_item(kind: int, ordinal: int) -> int:
    """Return the item of a kind.

    Args:
        kind: THOUGHT, BRANCH_HEAD, GAP, ASIDE or LANE_END.
        ordinal: the thought's index (also for BRANCH_HEAD and GAP: the thought that created them), or the ordinal of
            the aside or of the lane (LANE_END).
    """
    return ordinal << KIND_BITS | kind


def kind_of(item: int) -> int:
    """Return the kind of an item."""
    return item & KIND_MASK


def ordinal_of(item: int) -> int:
    """Return the thought's index, or the aside's or lane's ordinal, of an item."""
    return item >> KIND_BITS
