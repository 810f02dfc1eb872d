"""Unified diffs: what is read of them, and the laws of reading."""

import subprocess
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.unified_diff import (
    BAD_COUNTS,
    NO_FILE_NAME,
    DiffLine,
    FileChange,
    LineKind,
    begins_diff,
    diff_end,
    diff_lines,
    normalise_diff,
    parse_diff,
)

MODIFIED = """\
diff --git a/shop/api.py b/shop/api.py
index 1234567..89abcde 100644
--- a/shop/api.py
+++ b/shop/api.py
@@ -1,3 +1,4 @@
 import os
-x = 1
+x = 2
+y = 3
 z = 4
@@ -10 +11,0 @@ def f():
-gone
"""


def only(text: str) -> FileChange:
    (change,) = parse_diff(text)
    return change


def test_a_change_of_a_file_has_its_lines_as_they_are_numbered_afterwards() -> None:
    change = only(MODIFIED)

    assert (change.old_path, change.new_path) == ("shop/api.py", "shop/api.py")
    assert change.added_lines == ((2, "x = 2"), (3, "y = 3"))
    assert change.removed_lines == ("x = 1", "gone")
    assert change.problem == ""
    assert [change.is_new, change.is_deleted, change.is_rename, change.is_binary] == [False] * 4


def test_a_plain_diff_without_prefixes_and_with_time_stamps_names_its_file() -> None:
    tabbed = "--- old name.py\t2024-01-02 03:04:05.123456789 +0100\n+++ old name.py\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n"
    spaced = "--- a.py.orig 2024-01-02 03:04:05\n+++ a.py 2024-01-02 03:04:05 +0100\n@@ -1 +1 @@\n-a\n+b\n"

    assert (only(tabbed).path, only(tabbed).prefix_depth) == ("old name.py", 0)
    assert (only(spaced).old_path, only(spaced).new_path) == ("a.py.orig", "a.py")
    assert [only(text).has_two_names for text in (tabbed, spaced)] == [False, True]


@pytest.mark.parametrize("prefixes", ["ab", "iw", "ci", "cw"])
def test_gits_prefixes_are_no_folders(prefixes: str) -> None:
    old, new = prefixes
    change = only(f"--- {old}/src/x.py\n+++ {new}/src/x.py\n@@ -1 +1 @@\n-1\n+2\n")

    assert (change.path, change.prefix_depth) == ("src/x.py", 1)


def test_a_folder_that_is_called_a_is_no_prefix() -> None:
    change = only("--- a/x.py\n+++ a/x.py\n@@ -1 +1 @@\n-1\n+2\n")

    assert (change.path, change.prefix_depth) == ("a/x.py", 0)


def test_new_and_deleted_files_have_no_path_on_one_side() -> None:
    new = only("--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+1\n")
    empty = only("diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n")
    deleted = only("diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n")

    assert (new.is_new, new.new_path, new.added_lines) == (True, "n.py", ((1, "1"),))
    assert (empty.is_new, empty.new_path) == (True, "e")
    assert (deleted.is_deleted, deleted.old_path) == (True, "d")


def test_a_rename_a_copy_and_a_mode_change_need_no_hunk() -> None:
    rename = only("diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to dir/n m\n")
    copy = only("diff --git a/o b/n\ncopy from o\ncopy to n\n")
    mode = only("diff --git a/my run.sh b/my run.sh\nold mode 100644\nnew mode 100755\n")

    assert (rename.is_rename, rename.old_path, rename.new_path) == (True, "o", "dir/n m")
    assert (copy.old_path, copy.new_path) == ("o", "n")
    assert mode.path == "my run.sh"
    assert [change.has_two_names for change in (rename, copy, mode)] == [False] * 3


@pytest.mark.parametrize(
    "text",
    [
        "diff --git a/x.png b/x.png\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmV-z0RR910000\n\n",
        "diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n",
        "Binary files a/x.png and b/x.png differ\n",
    ],
)
def test_a_binary_file_is_reported(text: str) -> None:
    assert (only(text).is_binary, only(text).path, only(text).hunks) == (True, "x.png", ())


@pytest.mark.parametrize(
    ("quoted", "name"),
    [(r"\303\244.txt", "ä.txt"), (r"tab\tquote\"back\\", 'tab\tquote"back\\'), (r"new\nline", "new\nline")],
)
def test_a_quoted_name_is_spelled_out(quoted: str, name: str) -> None:
    head = f'diff --git "a/{quoted}" "b/{quoted}"\n'

    assert only(f"{head}old mode 100644\nnew mode 100755\n").path == name
    assert only(f'{head}--- "a/{quoted}"\n+++ "b/{quoted}"\n@@ -1 +1 @@\n-1\n+2\n').path == name


def test_text_around_a_diff_and_a_fence_are_not_of_it() -> None:
    text = f"I would do this:\n\n```diff\n{MODIFIED}```\n- a list\n+ of things\n-- \n2.39\n"

    assert parse_diff(text) == parse_diff(MODIFIED)


def test_several_files_follow_each_other_without_git_lines() -> None:
    plain = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-3\n+4\n"

    assert [(change.path, change.added_lines) for change in parse_diff(plain)] == [
        ("x", ((1, "2"),)),
        ("y", ((1, "4"),)),
    ]


def test_lines_of_a_file_that_look_like_a_head_are_lines_of_it() -> None:
    change = only("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n@@ -9 +9 @@\n-1\n+2\n")

    assert change.added_lines == ((1, "++ new"), (9, "2"))
    assert change.removed_lines == ("-- old", "1")


@pytest.mark.parametrize(
    ("hunk", "added"),
    [
        ("@@ -1,9 +1,9 @@\n a\n+b\n", ((2, "b"),)),
        ("@@ -1 +1 @@\n-a\n+b\n+c\n+d\n", ((1, "b"), (2, "c"), (3, "d"))),
        ("@@ -5,9 +5,9 @@\n-a\n+b\n c\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n", ((5, "b"),)),
    ],
    ids=["too few", "too many", "before the next file"],
)
def test_a_hunk_with_wrong_counts_is_kept_and_reported(hunk: str, added: tuple[tuple[int, str], ...]) -> None:
    change = parse_diff(f"--- a/x\n+++ b/x\n{hunk}")[0]

    assert (change.added_lines, change.problem) == (added, BAD_COUNTS)


def test_a_shown_hunk_goes_on_to_the_next_header_whatever_its_counts_say() -> None:
    outline = ["+a", "@@ -5 +5 @@ f()", " a", "b", "", "+c", "index 1..2", "+d", "@@ -1,9 +1,9 @@", "+e", "--- x"]
    shown = [(line.kind, line.text, line.old, line.new) for line in diff_lines([*outline, "+++ y", "@@ -1 +1 @@"])]

    assert shown[:8] == [
        (LineKind.ADDED, "a", 0, 0),
        (LineKind.HUNK, "@@ -5 +5 @@ f()", 0, 0),
        (LineKind.KEPT, "a", 5, 5),
        (LineKind.KEPT, "b", 6, 6),
        (LineKind.KEPT, "", 7, 7),
        (LineKind.ADDED, "c", 0, 8),
        (LineKind.HEADER, "index 1..2", 0, 0),
        (LineKind.ADDED, "d", 0, 0),
    ]
    assert [kind for kind, *_ in shown[8:]] == [
        LineKind.HUNK, LineKind.ADDED, LineKind.OLD_NAME, LineKind.NEW_NAME, LineKind.HUNK
    ]  # fmt: skip


def test_counted_lines_are_content_in_either_reading() -> None:
    lines = ["@@ -1,2 +1,2 @@", "--- old", "+++ new", " same"]

    assert [line.kind for line in diff_lines(lines)][1:] == [LineKind.REMOVED, LineKind.ADDED, LineKind.KEPT]
    assert parse_diff("\n".join(lines))[0].added_lines == ((1, "++ new"),)


def test_a_hunk_without_a_file_is_reported() -> None:
    assert only("@@ -1 +1 @@\n-a\n+b\n").problem == NO_FILE_NAME


def test_an_empty_line_and_the_mark_of_a_missing_newline_count_as_git_counts_them() -> None:
    change = only(
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
    )

    assert (change.added_lines, change.removed_lines, change.problem) == (((3, "c"),), ("b",), "")


def test_a_carriage_return_of_the_file_stays_and_one_of_the_diff_goes() -> None:
    text = "diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n"

    assert only(text).added_lines == ((1, "b\r"),)
    assert normalise_diff(text) == "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n"


def test_a_diff_is_cut_out_of_its_fence_and_ends_its_last_line() -> None:
    assert normalise_diff(f"\n```diff\n{MODIFIED}```\nafter\n") == MODIFIED
    assert normalise_diff(f"  ```diff\n{MODIFIED}```\nafter\n") == MODIFIED
    assert normalise_diff(MODIFIED.removesuffix("\n")) == MODIFIED
    assert normalise_diff(MODIFIED) == MODIFIED


def test_a_fence_in_the_file_of_a_diff_does_not_end_the_fence_around_the_diff() -> None:
    diff = "--- a/R.md\n+++ b/R.md\n@@ -1,3 +1,4 @@\n ```\n make\n+make test\n ```\n"

    assert normalise_diff(f"```diff\n{diff}```\n") == diff


PIECES = st.sampled_from([
    *("diff --git a/x b/x", "--- a/x", "+++ b/x", "--- ", "+++ ", "@@ -1,2 +3 @@", "@@ -1 +1 @@", "+", "-", " ", "\\"),
    *('"', 'diff --git "a/\\3', "rename from", "rename to ", "copy to \udc80", "new file mode 1"),
    *("GIT binary patch", "\r", "```", "@@ -99999999999 +1 @@", "diff --git ", "\ud800", '--- "a\\', "\0"),
    *("index a..b ", "Binary files a and "),
])  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.text(max_size=8))), st.sampled_from(["\n", "", "\r\n", " "]))
def test_no_text_is_an_error(pieces: list[str], between: str) -> None:
    text = between.join(pieces)

    for change in parse_diff(text):
        assert change.path or change.problem
    assert parse_diff(normalise_diff(normalise_diff(text))) == parse_diff(normalise_diff(text))


@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), min_size=1))
def test_every_line_is_shown_once_and_as_it_is(pieces: list[str]) -> None:
    lines = [line for piece in pieces for line in piece.split("\n")]
    shown = list(diff_lines(lines))

    assert [line for line, written in zip(shown, lines, strict=True) if not is_as_written(line, written)] == []
    names = [line.kind for line in shown if line.kind in {LineKind.OLD_NAME, LineKind.NEW_NAME}]
    assert names == [LineKind.OLD_NAME, LineKind.NEW_NAME] * (len(names) // 2)
    diffs = [(row, diff_end(lines, row)) for row in range(len(lines)) if begins_diff(lines, row)]
    assert [(start, end) for start, end in diffs if not start < end <= len(lines)] == []


def is_as_written(line: DiffLine, written: str) -> bool:
    is_content = line.kind in {LineKind.KEPT, LineKind.REMOVED, LineKind.ADDED}
    return (
        line.text == written
        or (is_content and line.kind.value + line.text in {written, f" {written}"})
        or (written == "\r" and line.text == "")
    )


LINES = st.lists(
    st.sampled_from(["a", "b", "-- x", "++ y", "", " ", "@@ -1 +1 @@", "\\ No", "é", "x\r", "\x0c", "diff", "-- "])
)


def patched(old: Sequence[str], change: FileChange) -> list[str]:
    """Return the lines of the new file, by the hunks of ``change``."""
    lines, at = list[str](), 0
    for hunk in change.hunks:
        start = hunk.header.old_start - (hunk.header.old_count > 0)
        lines += [*old[at:start], *(line.text for line in hunk.new_side)]
        at = start + hunk.header.old_count
    return [*lines, *old[at:]]


def has_right_numbers(change: FileChange, old: Sequence[str], new: Sequence[str]) -> bool:
    lines = [line for hunk in change.hunks for line in hunk.lines]
    return all(
        (line.old == 0 or old[line.old - 1] == line.text) and (line.new == 0 or new[line.new - 1] == line.text)
        for line in lines
    )


@given(LINES, LINES, st.integers(0, 3))
def test_a_diff_of_two_texts_reads_back_to_both(old: list[str], new: list[str], context: int) -> None:
    written = list(unified_diff(old, new, "a/x", "b/x", n=context, lineterm=""))
    changes = parse_diff("\n".join(written))

    assert [change.problem for change in changes] == [""] * (old != new)
    for change in changes:
        assert patched(old, change) == new
        assert has_right_numbers(change, old, new)
        content = [line for line in diff_lines(written) if line.old or line.new]
        assert content == [line for hunk in change.hunks for line in hunk.lines]


@given(LINES, LINES, st.booleans(), st.integers(0, 3))
def test_what_git_says_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str], ends: bool, context: int
) -> None:
    folder = tmp_path_factory.mktemp("texts")
    diff = git_diff(folder, "\n".join(old) + "\n" * ends, "\n".join(new) + "\n", context)

    old_lines = ("\n".join(old) + "\n" * ends).split("\n")
    lines = ("\n".join(new) + "\n").split("\n")
    for change in parse_diff(diff):
        assert change.problem == ""
        assert has_right_numbers(change, old_lines, lines)
        assert [lines[number - 1] for number, _ in change.added_lines] == [text for _, text in change.added_lines]
        assert patched(old_lines if old_lines[-1] else old_lines[:-1], change) == lines[:-1]
    numstat = [line.split("\t")[:2] for line in diff.stat.splitlines()]
    assert [[str(len(change.added_lines)), str(len(change.removed_lines))] for change in parse_diff(diff)] == numstat


class GitDiff(str):
    """The output of git, and its counts of added and removed lines."""

    __slots__ = ("stat",)
    stat: str


def git_diff(folder: Path, old: str, new: str, context: int) -> GitDiff:
    (folder / "old").write_bytes(old.encode())
    (folder / "new").write_bytes(new.encode())
    command = ["git", "-c", "core.quotePath=true", "diff", "--no-index", "--text"]
    outs = [
        subprocess.run([*command, *option, "old", "new"], cwd=folder, capture_output=True, check=False).stdout.decode()
        for option in ([f"-U{context}"], ["--numstat"])
    ]
    diff = GitDiff(outs[0])
    diff.stat = outs[1]
    return diff
