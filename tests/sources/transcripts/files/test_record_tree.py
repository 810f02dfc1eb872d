"""What is left behind when a record continues an earlier one."""

from hypothesis import given
from hypothesis import strategies as st

from seqthink.sources.transcripts.files.record_tree import RecordTree


def test_what_is_behind_the_continued_record_is_left_and_told_once() -> None:
    tree = RecordTree()
    for identifier, parent in (("a", None), ("b", "a"), ("c", "b"), ("d", "c")):
        assert tree.add(identifier, parent, may_go_back=True) == ()
        tree.note([f"{identifier}1", f"{identifier}2"])

    assert tree.add("e", "b", may_go_back=True) == ("c1", "c2", "d1", "d2")
    tree.note(["e1"])
    assert tree.add("f", "d", may_go_back=True) == ("e1",)  # back to what was left: only the other way is left now
    assert tree.add("g", None, may_go_back=True) == ("a1", "a2", "b1", "b2")


def test_a_record_that_may_not_go_back_and_one_whose_parent_was_lost_leave_nothing() -> None:
    tree = RecordTree()
    for identifier in "abc":
        tree.add(identifier, None, may_go_back=False)
        tree.note([identifier])

    assert tree.add("d", "a", may_go_back=False) == ()
    assert tree.add("e", "lost", may_go_back=True) == ()
    assert "d" in tree
    assert "lost" not in tree


@given(st.lists(st.integers(-1, 40), max_size=60))
def test_what_is_left_is_what_is_not_above_the_new_record_and_was_not_left_before(parents: list[int]) -> None:
    tree = RecordTree()
    above: dict[int, int] = {}
    left_before: set[int] = set()
    for number, drawn in enumerate(parents):
        parent = min(drawn, number - 1)
        above[number] = parent
        ancestors: set[int] = set()
        step = parent
        while step >= 0:
            ancestors.add(step)
            step = above[step]
        left = [one for one in range(number) if one not in ancestors and one not in left_before]

        left_behind = tree.add(str(number), str(parent) if parent >= 0 else None, may_go_back=True)
        tree.note([str(number)])

        assert left_behind == tuple(map(str, left))
        left_before.update(left)
