"""Patches as `apply_patch` takes them: where one begins and ends in a text, and what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.codex_patch import BAD_LINE, begins_patch, changes_in, is_patch, parse_patch, patch_end
from seqthink.core.unified_diff import LineKind

BEGIN, END = "*** Begin Patch\n", "*** End Patch\n"
PATCH = (
    f"{BEGIN}*** Update File: src/pool.py\n*** Move to: src/pools.py\n@@ class Pool:\n@@     def take(self):\n"
    "     a = 1\n-    b = 2\n+    b = 3\n*** End of File\n*** Add File: notes.txt\n+first\n+\n*** Delete File: old.py\n"
    f"{END}"
)
PIECES = [
    BEGIN, END, "*** Update File: a.py\n", "*** Add File: b.py\n", "*** Delete File: c.py\n", "*** Move to: d.py\n",
    "*** End of File\n", "@@\n", "@@ def f():\n", "+x\n", "-x\n", " x\n", "\n", "prose\n", "- list\n", "@@ -1 +1 @@\n",
]  # fmt: skip


def test_a_patch_says_what_becomes_of_each_file() -> None:
    updated, added, deleted = parse_patch(PATCH)
    [hunk] = updated.hunks

    assert (updated.path, updated.new_path, updated.is_new, updated.is_deleted) == (
        "src/pool.py",
        "src/pools.py",
        False,
        False,
    )
    assert hunk.anchors == ("class Pool:", "def take(self):")
    assert hunk.is_at_end
    assert (hunk.old_side, hunk.new_side) == (["    a = 1", "    b = 2"], ["    a = 1", "    b = 3"])
    assert (added.path, added.is_new, added.hunks[0].new_side) == ("notes.txt", True, ["first", ""])
    assert (deleted.path, deleted.is_deleted, deleted.hunks) == ("old.py", True, ())


def test_its_changes_are_those_of_a_diff_numbered_from_1() -> None:
    updated, added, deleted = changes_in(PATCH)

    assert (updated.old_path, updated.new_path, updated.is_rename) == ("src/pool.py", "src/pools.py", True)
    assert [(line.kind, line.old, line.new) for line in updated.hunks[0].lines] == [
        (LineKind.KEPT, 1, 1),
        (LineKind.REMOVED, 2, 0),
        (LineKind.ADDED, 0, 2),
    ]
    assert (added.old_path, added.new_path, added.added_lines) == (None, "notes.txt", ((1, "first"), (2, "")))
    assert (deleted.old_path, deleted.new_path) == ("old.py", None)
    assert {change.problem for change in (updated, added, deleted)} == {""}
    assert {hunk.problem for change in (updated, added, deleted) for hunk in change.hunks} == {""}


def test_other_diffs_are_read_as_before() -> None:
    [change] = changes_in("--- a/x\n+++ b/x\n@@ -7 +7 @@\n-a\n+*** Begin Patch\n")

    assert (change.path, change.added_lines) == ("x", ((7, "*** Begin Patch"),))


@pytest.mark.parametrize(
    "text",
    [
        "*** Begin Patch is how it starts\n*** Update File: x\n",
        "*** Begin Patch\n\nprose\n",
        "  *** Begin Patch\n*** Add File: x\n",
        "+*** Begin Patch\n+*** Add File: x\n",
        "*** Update File: x\n@@\n-a\n+b\n",
        "*** Begin Patch",
    ],
)
def test_talk_of_patches_is_none(text: str) -> None:
    assert not is_patch(text)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (PATCH + "prose\n", PATCH.count("\n")),
        (f"{BEGIN}*** Update File: x\n@@\n-a\n+b\n\nprose\n", 5),
        (f"{BEGIN}*** Add File: x\n+a\n\nprose\n- list\n", 3),
        (f"{BEGIN}*** Update File: x\n a\n\n b\n{END}", 6),
        (f"{BEGIN}*** Update File: x\n-a\n{BEGIN}*** Add File: y\n+b\n{END}", 3),
        (f"{BEGIN}*** Update File: x\n-a\nno sign\n{END}after", 5),
    ],
)
def test_a_patch_ends_below_its_last_line_or_where_its_lines_end(text: str, end: int) -> None:
    assert patch_end(text.split("\n"), 0) == end


def test_a_line_without_a_sign_is_a_problem_and_is_read_as_kept() -> None:
    [change] = changes_in(f"{BEGIN}*** Update File: x\n a\nb\n+c\n{END}")

    assert change.problem == BAD_LINE
    assert [line.text for line in change.hunks[0].new_side] == ["a", "b", "c"]


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.text())
def test_any_text_is_read_and_each_patch_lies_within_it(text: str) -> None:
    lines = text.split("\n")
    starts = [number for number in range(len(lines)) if begins_patch(lines, number)]

    assert is_patch(text) == bool(starts)
    assert all(start < patch_end(lines, start) <= len(lines) for start in starts)
    assert all(kind in set(LineKind) for file in parse_patch(text) for hunk in file.hunks for kind, _ in hunk.lines)
