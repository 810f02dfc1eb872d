"""The order of a tree's rows, held against a plain list."""

from collections.abc import Iterator
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from seqthink.chain.model import NONE
from seqthink.drawing.tree.row_items import ASIDE, BRANCH_HEAD, GAP, LANE_END, THOUGHT, kind_of, ordinal_of, row_item
from seqthink.drawing.tree.row_order import AT_END, RowOrder

FIRST, TRUNK = 5, 3


class NaiveOrder:
    """The same order as a list of items."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self.thoughts = self.refusals = 0
        self.folded: dict[int, int] = {}

    def insert_before(self, anchor: int, code: int) -> None:
        self.items.insert(len(self.items) if anchor == AT_END else self.items.index(anchor), code)

    def has_come(self, code: int) -> bool:
        if kind_of(code) == ASIDE:
            return ordinal_of(code) < self.refusals
        return kind_of(code) != LANE_END and ordinal_of(code) < self.thoughts

    def walk(self) -> Iterator[tuple[int, list[int], bool]]:
        """Yield each item with the folded lanes around it, and whether it is to be seen."""
        around: list[int] = []
        lanes = {head: lane for lane, head in self.folded.items()}
        for code in self.items:
            ordinal = ordinal_of(code)
            if kind_of(code) == LANE_END and ordinal in self.folded:
                yield code, list(around), False
                around.remove(ordinal)
                continue
            yield code, list(around), not around and self.has_come(code)
            if kind_of(code) == BRANCH_HEAD and ordinal in lanes:
                around.append(lanes[ordinal])

    def shown(self) -> list[int]:
        return [code for code, _, is_shown in self.walk() if is_shown]

    def rows_before(self, sought: int) -> int | None:
        rows = 0
        for code, around, is_shown in self.walk():
            if code == sought:
                return None if around else rows
            rows += is_shown
        raise AssertionError(sought)

    def hidden_by(self, sought: int) -> int | None:
        return next((around[0] if around else None) for code, around, _ in self.walk() if code == sought)


class OrderMachine(RuleBasedStateMachine):
    """Grows, folds and looks back at both orders."""

    def __init__(self) -> None:
        super().__init__()
        self.order, self.naive = RowOrder(), NaiveOrder()
        self.heads: list[int] = [NONE]
        self.thoughts, self.refusals = FIRST, 0
        self.put(AT_END, row_item(LANE_END, TRUNK))

    def put(self, anchor: int, code: int) -> None:
        self.order.insert(anchor, [code])
        self.naive.insert_before(anchor, code)

    def any_end(self, data: st.DataObject) -> int:
        return row_item(LANE_END, TRUNK + data.draw(st.integers(0, len(self.heads) - 1)))

    def think(self, end: int, kinds: tuple[int, ...] = (THOUGHT,)) -> None:
        for kind in kinds:
            self.put(end, row_item(kind, self.thoughts))
        self.thoughts += 1

    def branch(self, anchor: int) -> None:
        lane = TRUNK + len(self.heads)
        self.heads.append(self.thoughts)
        self.put(anchor, row_item(BRANCH_HEAD, self.thoughts))
        self.put(anchor, row_item(LANE_END, lane))
        self.think(row_item(LANE_END, lane))

    def refuse(self, end: int) -> None:
        self.put(end, row_item(ASIDE, self.refusals))
        self.refusals += 1

    @rule(data=st.data(), steps=st.lists(st.sampled_from("ttttgrbbl"), max_size=12))
    def grow(self, data: st.DataObject, steps: list[str]) -> None:
        for step in steps:
            match step:
                case "t":
                    self.think(self.any_end(data))
                case "g":
                    self.think(self.any_end(data), (GAP, THOUGHT))
                case "r":
                    self.refuse(self.any_end(data))
                case "b":
                    self.branch(data.draw(st.sampled_from(self.naive.items)))
                case _:
                    self.branch(AT_END)

    @rule(data=st.data(), count=st.integers(1, 30))
    def think_on(self, data: st.DataObject, count: int) -> None:
        end = self.any_end(data)
        for _ in range(count):
            self.think(end)

    @rule(data=st.data())
    def fold_all(self, data: st.DataObject) -> None:
        last = len(self.heads) - 1
        places = data.draw(st.sets(st.integers(1, last))) if last else set[int]()
        heads = {TRUNK + place: self.heads[place] for place in places}
        self.order.fold_all(heads)
        self.naive.folded.update(heads)

    @rule()
    def unfold_all(self) -> None:
        self.order.unfold_all()
        self.naive.folded.clear()

    @precondition(lambda self: len(self.heads) > 1)
    @rule(data=st.data(), folded=st.booleans())
    def fold(self, data: st.DataObject, folded: bool) -> None:
        place = data.draw(st.integers(1, len(self.heads) - 1))
        lane, head = TRUNK + place, self.heads[place]
        self.order.fold(lane, head, folded=folded)
        if folded:
            self.naive.folded[lane] = head
        else:
            self.naive.folded.pop(lane, None)

    @rule(data=st.data())
    def look(self, data: st.DataObject) -> None:
        self.naive.thoughts = data.draw(st.integers(0, self.thoughts))
        self.naive.refusals = data.draw(st.integers(0, self.refusals))
        self.order.show_at(self.naive.thoughts, self.naive.refusals)

    @rule()
    def look_at_all(self) -> None:
        self.naive.thoughts, self.naive.refusals = self.thoughts, self.refusals
        self.order.show_at(self.thoughts, self.refusals)

    @invariant()
    def both_show_the_same(self) -> None:
        shown = self.naive.shown()

        assert self.order.count == len(shown)
        assert [self.order.item_at(row) for row in range(len(shown))] == shown
        assert self.order.folded == self.naive.folded

    @rule()
    def both_find_the_same(self) -> None:
        shown = {code: row for row, code in enumerate(self.naive.shown())}
        for code in self.naive.items:
            assert self.order.row_of(code) == shown.get(code)
            assert self.order.rows_before(code) == self.naive.rows_before(code)
            assert self.order.hidden_by(code) == self.naive.hidden_by(code)


TestOrder: Any = OrderMachine.TestCase
TestOrder.settings = settings(stateful_step_count=40)
