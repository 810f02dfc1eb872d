"""A unified diff in the text pane: what is a heading, what has a number."""

from seqthink.core.text import sanitize
from seqthink.drawing.markup.unified_diff import is_diff, unified_diff_lines
from seqthink.drawing.text.spans import spans_text


def drawn(code: str, cells: int = 40) -> list[str]:
    return [spans_text(line).rstrip() for line in unified_diff_lines(sanitize(code), cells)]


def test_counted_lines_that_look_like_names_are_lines() -> None:
    assert drawn("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n") == [
        " @@ x",
        "- 1   -- old",
        "+ 1   ++ new",
        "  2   same",
    ]


def test_headers_of_the_next_file_have_no_number_and_nothing_but_gits_own_lines_is_left_out() -> None:
    first, second = "@@ -9 +9 @@\n-a\n+b\n", "diff --git a/y b/y\nindex 1..2 100644\nold mode 100644\n"

    assert drawn(f"{first}{second}index of y") == [
        " @@ -9 +9 @@",
        "-  9   a",
        "+  9   b",
        "  old mode 100644",
        "  index of y",
    ]


def test_a_hunk_with_wrong_counts_keeps_its_numbers() -> None:
    assert drawn("@@ -1 +1 @@ f\n-a\n+b\n c\n+d\nplain\n") == [
        " @@ f",
        "- 1   a",
        "+ 1   b",
        "  2   c",
        "+ 3   d",
        "  4   plain",
    ]


def test_a_quoted_name_is_spelled_out_and_safe() -> None:
    assert drawn('--- "a/\\303\\244"\n+++ "b/\\303\\244"\n@@ -1 +1 @@\n') == [" @@ ä"]
    assert drawn('--- /dev/null\n+++ "b/\\033[2J\\n"\n') == [" @@ ␛[2J␊ (new)"]


def test_a_patch_of_codex_has_the_signs_of_a_diff() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-a\n+b\n*** End Patch\n"

    assert is_diff("", patch)
    assert [line for line in drawn(patch) if line[0] in "+-"] == ["- a", "+ b"]
