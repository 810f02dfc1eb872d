"""What a revision changed: laws of the diff, and its drawing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.drawing.markup import text_diff
from seqthink.drawing.markup.revision_diff import revision_diff_lines
from seqthink.drawing.markup.text_diff import ChangeKind, line_diff, tokens_of, word_diff
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import Role, spans_text, spans_width


def drawn(old: str, new: str, cells: int = 60) -> list[str] | None:
    lines = revision_diff_lines(old, new, cells, UNICODE)
    return None if lines is None else [spans_text(line).rstrip() for line in lines]


def test_removed_and_added_words_have_signs_and_roles() -> None:
    lines = revision_diff_lines("The pool has 50 places.", "The pool has 60 free places.", 60, UNICODE)

    assert lines is not None
    assert [spans_text(line) for line in lines] == [" The pool has [-50-] {+60 free+} places."]
    assert [(span.text, span.role) for span in lines[0] if span.role in {Role.BAD, Role.GOOD}] == [
        ("[-50-]", Role.BAD),
        ("{+60 free+}", Role.GOOD),
    ]


def test_too_little_in_common_is_no_diff() -> None:
    assert drawn("one two three four", "five six seven four eight") is None
    assert drawn("one two three four", "five one two six") is not None


def test_scripts_without_blanks_are_compared_by_the_character() -> None:
    assert drawn("目录应该按任务还是按模块划分", "目录应该按任务划分吗") == [" 目录应该按任务[-还是按模块-]划分{+吗+}"]


def test_an_addition_over_lines_is_marked_on_each() -> None:
    assert drawn("a b c d", "a b c d\ne\nf") == [" a b c d", " {+e+}", " {+f+}"]


def test_a_long_text_is_compared_by_the_line() -> None:
    old = [f"line {number} of a long text" for number in range(600)]
    new = [*old[:300], "something else", *old[301:]]

    assert drawn("\n".join(old), "\n".join(new)) == [
        " ··· 298 lines are the same",
        "  line 298 of a long text",
        "  line 299 of a long text",
        "- line 300 of a long text",
        "+ something else",
        "  line 301 of a long text",
        "  line 302 of a long text",
        " ··· 297 lines are the same",
    ]


WORDS = st.lists(st.sampled_from(["a", "b", "c.", "d-e", "目", "\n", "\x1b", "don't"]), max_size=25).map(" ".join)


@pytest.mark.parametrize("most", [text_diff.MAX_COMPARISONS, -1], ids=["difflib", "shortest way"])
@given(WORDS, WORDS)
def test_each_text_can_be_had_back(most: int, old: str, new: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_diff, "MAX_COMPARISONS", most)
        patch.setattr(text_diff, "MIN_COMMON_SHARE", 0)
        pieces = word_diff(old, new)
        lines = list(line_diff(old, new))

    assert pieces is not None
    assert [token for piece in pieces if piece.kind is not ChangeKind.ADDED for token in piece.tokens] == tokens_of(old)
    assert [token for piece in pieces if piece.kind is not ChangeKind.REMOVED for token in piece.tokens] == tokens_of(
        new
    )
    assert [line for kind, run in lines if kind is not ChangeKind.ADDED for line in run] == old.split("\n")
    assert [line for kind, run in lines if kind is not ChangeKind.REMOVED for line in run] == new.split("\n")


@given(WORDS, WORDS, st.integers(4, 60))
def test_without_what_was_added_the_drawing_has_the_old_words(old: str, new: str, cells: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_diff, "MIN_COMMON_SHARE", 0)
        lines = revision_diff_lines(old, new, cells, UNICODE)

    assert lines is not None
    assert [line for line in lines if width(spans_text(line)) > cells] == []
    removed = "".join(spans_text(span for span in line if span.role is not Role.GOOD) for line in lines)
    bare = old.replace("\x1b", "␛")
    assert re.sub(r"\[-|-\]", "", re.sub(r"\s", "", removed)) == re.sub(r"\s", "", bare)


def test_words_that_return_all_the_time_take_bounded_work() -> None:
    lines = drawn("a " * 1200, "a b " * 1000)

    assert lines is not None
    assert lines[0].startswith(" a {+b+} a")


OLD_DIFF = """Fix it:
```diff
--- a/report.py
+++ b/report.py
@@ -38,3 +38,3 @@
     q = query()
-    pool = Pool(size=50)
+    pool = Pool(size=10)
```"""


def test_a_diff_of_diffs_keeps_the_signs_of_both() -> None:
    new = OLD_DIFF.replace("+    pool = Pool(size=10)", "-    old = 1\n+    with Pool(size=10) as pool:")

    assert diff_of_diffs(OLD_DIFF, new, 44) == [
        " ··· 5 lines are the same",
        "  │     q = query()",
        "  │-    pool = Pool(size=50)",
        " -│+    pool = Pool(size=10)",
        " +│-    old = 1",
        " +│+    with Pool(size=10) as pool:",
        "  │```",
    ]


def test_a_broken_line_of_a_diff_of_diffs_goes_on_behind_the_bar() -> None:
    old = "*** Begin Patch\n*** Update File: a.py\n-old\n*** End Patch"
    new = old.replace("-old", "-old\n+rows = pool.run(query)  # released on timeout too")

    assert diff_of_diffs(old, new, 30, ASCII) == [
        "  |*** Begin Patch",
        "  |*** Update File: a.py",
        "  |-old",
        " +|+rows = pool.run(query)",
        "  | # released on timeout too",
        "  |*** End Patch",
    ]


@pytest.mark.parametrize("cells", [28, 44, 80])
def test_a_diff_of_diffs_stays_within_its_width(cells: int) -> None:
    wide = OLD_DIFF.replace("query()", "目录应该按任务还是按模块划分" * 9)
    lines = revision_diff_lines(OLD_DIFF, wide, cells, UNICODE)

    assert lines is not None
    assert max(map(spans_width, lines)) <= cells


def test_the_colour_of_a_changed_line_is_that_of_its_own_sign() -> None:
    lines = revision_diff_lines("@@ -1 +1 @@\n-a\n+b", "@@ -1 +1 @@\n-a\n+c", 44, UNICODE)

    assert lines is not None
    roles = {spans_text(line): [span.role for span in line][1:] for line in lines}
    assert roles[" -│+b"] == [Role.BAD, Role.LINE, Role.GOOD]
    assert roles[" +│+c"] == [Role.GOOD, Role.LINE, Role.GOOD]
    assert roles["  │-a"] == [Role.TEXT, Role.LINE, Role.MUTED]


def test_a_diff_beside_prose_is_compared_by_word() -> None:
    lines = revision_diff_lines("the pool is small", "the pool is large", 44, UNICODE)

    assert lines is not None
    assert [spans_text(line) for line in lines] == [" the pool is [-small-] {+large+}"]


def test_two_diffs_without_a_line_in_common_are_too_different() -> None:
    assert revision_diff_lines("@@ -1 +1 @@\n-a", "@@ -2 +2 @@\n-b", 44, UNICODE) is None


def diff_of_diffs(old: str, new: str, cells: int, signs: Signs = UNICODE) -> list[str]:
    lines = revision_diff_lines(old, new, cells, signs)
    assert lines is not None
    return [spans_text(line).rstrip() for line in lines]
