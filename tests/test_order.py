"""The order of a tree's rows, held against a plain list."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from seqthink.drawing import order
from seqthink.drawing.blocks import END, GAP, HEAD, REFUSED, THOUGHT, item, kind_of, ordinal_of
from seqthink.drawing.order import Order


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "MOST_IN_BLOCK", 8)
    monkeypatch.setattr(order, "MOST_BLOCKS", 3)


class NaiveOrder:
    """The same order as a list of items, each with its birth."""

    def __init__(self) -> None:
        self.items: list[tuple[int, int | None]] = []
        self.entries = 0
        self.folded: set[int] = set()

    def insert_before(self, anchor: int | None, code: int, born: int | None) -> None:
        codes = [one for one, _ in self.items]
        self.items.insert(len(codes) if anchor is None else codes.index(anchor), (code, born))

    def walk(self) -> Iterator[tuple[int, list[int], bool]]:
        """Yield each item with the folded lanes around it, and whether it is to be seen."""
        around: list[int] = []
        for code, born in self.items:
            lane = ordinal_of(code)
            if kind_of(code) == END and lane in self.folded:
                yield code, list(around), False
                around.remove(lane)
                continue
            yield code, list(around), not around and born is not None and born < self.entries
            if kind_of(code) == HEAD and lane in self.folded:
                around.append(lane)

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
        self.order, self.naive = Order(first=5, first_lane=3), NaiveOrder()
        self.thoughts = self.rare = self.clock = 0
        self.lanes = 1
        self.put(None, item(END, 3), None)

    def put(self, anchor: int | None, code: int, born: int | None) -> None:
        if anchor is None:
            self.order.append(code, born)
        else:
            self.order.insert_before(anchor, code, born)
        self.naive.insert_before(anchor, code, born)

    def anchor(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from([code for code, _ in self.naive.items]))

    def any_end(self, data: st.DataObject) -> int:
        return item(END, 3 + data.draw(st.integers(0, self.lanes - 1)))

    @rule(data=st.data())
    def think(self, data: st.DataObject) -> None:
        self.clock += 1
        self.put(self.any_end(data), item(THOUGHT, 5 + self.thoughts), self.clock)
        self.thoughts += 1

    @rule(data=st.data(), count=st.integers(1, 30))
    def think_on(self, data: st.DataObject, count: int) -> None:
        anchor, first = self.any_end(data), 5 + self.thoughts
        births = [self.clock + 1 + number for number in range(count)]
        self.order.insert_thoughts(anchor, range(first, first + count), births)
        for number, born in enumerate(births):
            self.naive.insert_before(anchor, item(THOUGHT, first + number), born)
        self.thoughts += count
        self.clock += count

    @rule(data=st.data(), kind=st.sampled_from([GAP, REFUSED]))
    def place_rare(self, data: st.DataObject, kind: int) -> None:
        self.clock += 1
        self.put(self.anchor(data), item(kind, self.rare), self.clock)
        self.rare += 1

    @rule(data=st.data(), is_last=st.booleans())
    def branch(self, data: st.DataObject, is_last: bool) -> None:
        self.clock += 1
        anchor = None if is_last else self.anchor(data)
        lane = 3 + self.lanes
        self.put(anchor, item(HEAD, lane), self.clock)
        self.put(anchor, item(END, lane), None)
        self.lanes += 1

    @precondition(lambda self: self.lanes > 1)
    @rule(data=st.data(), folded=st.booleans())
    def fold(self, data: st.DataObject, folded: bool) -> None:
        lane = 3 + data.draw(st.integers(1, self.lanes - 1))
        self.order.fold(lane, folded=folded)
        (self.naive.folded.add if folded else self.naive.folded.discard)(lane)

    @rule(data=st.data())
    def look(self, data: st.DataObject) -> None:
        self.naive.entries = data.draw(st.integers(0, self.clock + 1))
        self.order.look(self.naive.entries)

    @rule()
    def look_at_all(self) -> None:
        self.naive.entries = self.clock + 1
        self.order.look(self.naive.entries)

    @invariant()
    def both_show_the_same(self) -> None:
        shown = self.naive.shown()

        assert self.order.count == len(shown)
        assert [self.order.at(row) for row in range(len(shown))] == shown
        assert self.order.folded == self.naive.folded

    @rule()
    def both_find_the_same(self) -> None:
        shown = {code: row for row, code in enumerate(self.naive.shown())}
        for code, _ in self.naive.items:
            assert self.order.row_of(code) == shown.get(code)
            assert self.order.rows_before(code) == self.naive.rows_before(code)
            assert self.order.hidden_by(code) == self.naive.hidden_by(code)


TestOrder: Any = OrderMachine.TestCase
TestOrder.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


def test_an_item_that_looks_like_parts_of_two_others_is_found_at_its_own_place() -> None:
    block = Order(first=0)
    block.append(item(END, 0), None)
    for index in (1 << 8, 1 << 16, 1 << 24):
        block.insert_before(item(END, 0), item(GAP, index), 0)
    block.look(1)

    assert [block.row_of(item(GAP, index)) for index in (1 << 8, 1 << 16, 1 << 24)] == [0, 1, 2]
