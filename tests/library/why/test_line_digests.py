"""Lines as digests: which lines an edit added and removed, and which lines prove something."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.library.why.line_digests import (
    ADDED,
    changed_lines,
    digest_of,
    digests_of,
    equal_around,
    is_blank,
    is_distinct,
    lines_of,
    packed,
    plain_digest,
    unpacked,
)

TEXTS = st.text(alphabet="ab \n\r\x0c\u2028\ud800", max_size=30)


@given(TEXTS, TEXTS)
def test_what_an_edit_adds_and_removes_is_the_difference_of_its_texts(before: str, after: str) -> None:
    changed = changed_lines(before, after)

    added = Counter(plain_digest(one) for one in changed.after if one & ADDED)
    old, new = Counter(digests_of(before)), Counter(digests_of(after))
    assert [plain_digest(one) for one in changed.after] == digests_of(after)
    assert added == new - old
    assert set(changed.removed) == {digest for digest in old - new if not is_blank(digest)}


@given(TEXTS)
def test_digests_come_back_as_they_were_packed(text: str) -> None:
    after = changed_lines(None, text).after

    assert unpacked(packed(after)) == after
    assert len(unpacked(packed(after) + b"cut")) == len(after)


def test_lines_end_at_line_feeds_alone_as_git_has_them() -> None:
    assert lines_of("a\r\nb\x0cc\u2028d\n") == ["a\r", "b\x0cc\u2028d"]
    assert lines_of("") == []


def test_blanks_do_not_count() -> None:
    assert digest_of("  a b\t") == digest_of("ab")
    assert digest_of("ab") != digest_of("ac")
    assert is_blank(digest_of(" \t"))


@pytest.mark.parametrize("line", ["    pool = make_pool(20)", "retries are hidden here", "# the pool starves"])
def test_a_line_with_words_of_its_own_is_distinct(line: str) -> None:
    assert is_distinct(line)


@pytest.mark.parametrize("line", ["", "}", "    return None", "else:", "    )", "});", "pass", "---", "import self"])
def test_a_line_that_any_file_may_have_is_not(line: str) -> None:
    assert not is_distinct(line)


def test_lines_around_are_compared_as_far_as_they_are_equal() -> None:
    these, those = digests_of("a\nb\n\nc\nd\n"), digests_of("b\n\nc\nx\n")

    assert equal_around(these, 3, those, 2, 4) == (1, 0)
    assert equal_around(these, 1, those, 0, 4) == (0, 1)
