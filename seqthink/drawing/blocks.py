"""The items of a chain's rows, and the blocks and groups in which their order is kept."""

from array import array

THOUGHT, HEAD, END, GAP, REFUSED = range(5)
"""Kinds of items: a thought, a branch's first row, the unseen end of a lane, a gap before a thought, a refused call."""

KIND_BITS = 3
KIND_MASK = (1 << KIND_BITS) - 1
NEVER = 1 << 62


def item(kind: int, ordinal: int) -> int:
    """Return the item of a kind: of a thought or gap by the thought's index, of a head or end by the lane's ordinal."""
    return ordinal << KIND_BITS | kind


def kind_of(code: int) -> int:
    """Return the kind of an item."""
    return code & KIND_MASK


def ordinal_of(code: int) -> int:
    """Return the index or ordinal of an item."""
    return code >> KIND_BITS


class Group:
    """Some blocks that stand one after another; ``births`` are those of all their rows, in order."""

    __slots__ = ("balance", "births", "blocks", "brackets", "depths", "key", "sums")

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.births = array("q")
        self.brackets = 0
        self.balance = 0
        self.key: tuple[int, int] | None = None
        self.sums: list[int] = []
        self.depths: list[int] = []


class Block:
    """Some items that stand one after another; ``born`` goes with ``items``, ``births`` are the same in order."""

    __slots__ = ("balance", "births", "born", "brackets", "group", "items", "key", "shown")

    def __init__(self, group: Group, items: "array[int]", born: "array[int]") -> None:
        self.group = group
        self.items = items
        self.born = born
        self.births = array("q", sorted(one for one in born if one != NEVER))
        self.brackets = 0
        self.balance = 0
        self.key: tuple[int, int] | None = None
        self.shown: list[int] = []

    def cut_off(self, middle: int) -> "Block":
        """Return a block of the items from the ``middle`` on, which are this one's no longer."""
        rest = Block(self.group, self.items[middle:], self.born[middle:])
        del self.items[middle:], self.born[middle:]
        self.births = array("q", sorted(one for one in self.born if one != NEVER))
        return rest

    def place_of(self, code: int) -> int:
        """Return where an item stands, which is there: mostly at the end, and the rest is found as bytes."""
        if self.items[-1] == code:
            return len(self.items) - 1
        data, sought = self.items.tobytes(), code.to_bytes(8, "little")
        found = data.find(sought)
        while found % 8:
            found = data.find(sought, found + 1)
        return found // 8
