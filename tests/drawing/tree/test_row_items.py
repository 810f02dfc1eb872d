"""Consecutive thoughts are recorded at once: with the same result as one by one."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from seqthink.drawing.tree.row_items import (
    ASIDE,
    BRANCH_HEAD,
    GAP,
    LANE_END,
    THOUGHT,
    CreationIndex,
    row_item,
    thought_items,
    thoughts_of_run,
)

ITEMS = st.lists(
    st.builds(row_item, st.sampled_from([THOUGHT, BRANCH_HEAD, GAP, ASIDE, LANE_END]), st.integers(0, 30)), max_size=12
)


@given(ITEMS, st.booleans())
def test_only_consecutive_thoughts_in_their_order_are_a_run(items: list[int], is_array: bool) -> None:
    run = thoughts_of_run(array("i", items) if is_array else items)

    ordinals = [item >> 3 for item in items]
    is_run = bool(items) and all(not item & 7 for item in items)
    is_run = is_run and ordinals == list(range(ordinals[0], ordinals[0] + len(ordinals)))
    assert (run is not None) == is_run
    assert run is None or list(run) == ordinals


@given(st.integers(0, 1000), st.integers(1, 50), st.booleans())
def test_a_run_with_or_without_the_end_of_its_lane_is_created_as_its_items_are(
    start: int, length: int, has_end: bool
) -> None:
    items = [*thought_items(range(start, start + length)), *([row_item(LANE_END, 3)] if has_end else [])]
    index = CreationIndex()
    index.add_newest(items, has_asides=True)

    assert (list(index.thoughts), list(index.asides)) == (list(range(start, start + length)), [])


def test_the_order_of_thoughts_matters() -> None:
    shuffled = [row_item(THOUGHT, at) for at in (4, 6, 5, 7)]

    assert thoughts_of_run(shuffled) is None
    assert thoughts_of_run(array("i", shuffled)) is None
    assert thoughts_of_run(range(0)) is None
