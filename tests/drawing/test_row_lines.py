"""The lines of a pipe are the painter's rows without their roles, however they were put together."""

import re
import tempfile
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.model import NONE
from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.session import Session
from seqthink.core.text import first_line, first_line_and_rest, one_line, sanitize
from seqthink.drawing.markup.markdown import has_markup
from seqthink.drawing.rows.painter import whole_session_painter
from seqthink.drawing.rows.row_lines import OrdinaryLines, row_lines
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.spans import spans_text
from seqthink.drawing.text.wrap import wrap
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from seqthink.share.export.texts_in_order import TextsInOrder
from tests.support.journals.build import JournalBuilder
from tests.support.servers.commands import JOURNALS

WIDTHS = (20, 44, 59, 60, 99, 100, 200)
PARTS = (
    "plain words", "a longer plain text that no row of forty cells can show as a whole", "**bold**", "`code`", "# head",
    "- item", "a\\nb", "\x1b[31m", "目录应该按任务", "é\u0301\u0301\u0301\u0301", "👩\u200d💻", "  two  blanks ",
    "\u200b",
    "\n", "\r\n", "\x0c",
    "```py\nx\n```", "%s {0}", "<b>&\"'", "x" * 120, "\u0301", "", "1. one", "\ue000", "  \n", "***", "\U0001f3fd",
)  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=8)), min_size=1, max_size=5).map(" ".join)
THOUGHTS = st.tuples(
    TEXTS,
    st.integers(1, 12),
    st.integers(1, 1200),
    st.sampled_from([None, None, None, "b", "other **branch**"]),
    st.sampled_from([None, None, None, 1, 2, 9]),
    st.sampled_from([0, 0.04, 9, 61, 4000, 90_000]),
)


def loaded(thoughts: list[tuple[str, int, int, str | None, int | None, float]]) -> JournalTexts:
    builder = JournalBuilder().session()
    for text, number, total, branch, revises, after in thoughts:
        fork = 1 if branch else None
        builder.thought("x" + text, number, total, branch=branch, from_=fork, revises=revises, after=after)
    with tempfile.TemporaryDirectory() as folder:
        return load_journal(builder.write(Path(folder) / "a.jsonl"))


@given(st.lists(THOUGHTS, max_size=12), st.sampled_from(WIDTHS), st.booleans(), st.booleans())
def test_lines_are_rows_without_roles(
    thoughts: list[tuple[str, int, int, str | None, int | None, float]], width: int, is_ascii: bool, is_timeline: bool
) -> None:
    texts = loaded(thoughts)
    signs = ASCII if is_ascii else UNICODE
    painter = whole_session_painter(texts, width=width, signs=signs, is_timeline=is_timeline)

    rows = [spans_text(spans).rstrip() for spans in painter.draw_rows(0, painter.tree.count)]
    assert list(row_lines(painter)) == rows


@pytest.mark.parametrize("path", sorted(JOURNALS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_lines_of_every_example_are_its_rows(path: Path) -> None:
    texts = load_journal(path)
    for width in WIDTHS:
        painter = whole_session_painter(TextsInOrder(texts), width=width)

        rows = [spans_text(spans).rstrip() for spans in painter.draw_rows(0, painter.tree.count)]
        assert list(row_lines(painter)) == rows


def test_most_thoughts_take_the_fast_way() -> None:
    texts = loaded([("plain words", number, 9, None, None, 1) for number in range(1, 10)])
    painter = whole_session_painter(texts, width=80)
    lines = OrdinaryLines(painter)

    assert sum(lines.line(painter.tree.row(number), number) is not None for number in range(9)) == 9


@given(st.lists(THOUGHTS, max_size=12), st.booleans())
def test_a_plain_thought_has_no_mark_at_any_position(
    thoughts: list[tuple[str, int, int, str | None, int | None, float]], is_whole: bool
) -> None:
    session = loaded(thoughts).session
    _has_no_marks(session if is_whole else session.at_thought(len(thoughts) // 2))


@pytest.mark.parametrize("path", sorted(JOURNALS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_plain_thought_of_an_example_has_no_mark_at_any_position(path: Path) -> None:
    for shown in Shown:
        session = load_journal(path, shown=shown).session
        for position in range(0, session.thought_count + 1, max(1, session.thought_count // 8)):
            _has_no_marks(session.at_thought(position))


def _has_no_marks(session: Session) -> None:
    thoughts = session.thoughts
    for index in filter(thoughts.is_plain, range(session.thought_count)):
        thought = thoughts.get(index)
        assert thought.number
        assert thought.native is None
        assert thought.marked_change is None
        assert not any((thought.is_revision, thought.revised_number, thought.is_repeat, thought.needs_more))
        assert not any(
            (thoughts.is_final(index), thoughts.has_attached(index, "note"), thoughts.has_attached(index, "context"))
        )
        assert thoughts.reviser_of(index) == NONE
        assert thoughts.verdict_on(index) is None
        assert not session.branch_returns.brought_back_by(index)


@given(st.lists(THOUGHTS, max_size=12))
def test_texts_in_order_are_the_same_texts(
    thoughts: list[tuple[str, int, int, str | None, int | None, float]],
) -> None:
    texts = loaded(thoughts)
    in_order = TextsInOrder(texts)
    for index in (*range(len(thoughts)), *reversed(range(len(thoughts)))):
        extent = texts.session.thoughts.line_extent_of(index)

        assert "".join(in_order.pieces(index)) == "".join(texts.pieces(index))
        assert in_order.prefix(index) == texts.prefix(index)
        assert in_order.row_text(index) == texts.row_text(index)
        assert in_order.event(*extent) == texts.event(*extent)


def test_a_line_that_is_gone_says_so_in_both(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("one").thought("two", 2, 2).write(tmp_path / "a.jsonl")
    texts = load_journal(path)
    path.write_bytes(b"{}\n")

    assert list(TextsInOrder(texts).pieces(1)) == list(texts.for_thread().pieces(1))


@given(TEXTS, st.sampled_from([20, 100, 1000]))
def test_a_plain_line_is_found_as_every_other(text: str, limit: int) -> None:
    with patch("seqthink.core.text.is_plain_line", return_value=False):
        slow = first_line(text, limit), first_line_and_rest(text, "·", limit)

    assert (first_line(text, limit), first_line_and_rest(text, "·", limit)) == slow


@given(TEXTS)
def test_the_quick_test_for_controls_agrees_with_the_characters(text: str) -> None:
    assert sanitize(text) == "".join(sanitize(piece) for piece in re.split("(\n)", text.replace("\r\n", "\n")))
    assert one_line(one_line(text)) == one_line(text)


@given(st.text(alphabet="ab *_-+=1).\n\\#é", max_size=30))
def test_markup_is_what_it_was(text: str) -> None:
    signs = re.compile(r"[*_`#>|\[\]<&\\~!]|^ *(?:[-+=]|\d{1,9}[.)])|^ {4}", re.MULTILINE)

    assert has_markup(sanitize(text)) == bool(signs.search(text))


@given(st.lists(st.text(alphabet="abc.,(", min_size=1, max_size=30), min_size=1, max_size=12), st.integers(2, 24))
def test_plain_words_are_wrapped_one_after_the_other(words: list[str], cells: int) -> None:
    lines = [""]
    for word in words:
        both = f"{lines[-1]} {word}" if lines[-1] else word
        if len(both) <= cells:
            lines[-1] = both
            continue
        # a word that is longer than a line begins on one of its own
        pieces = [word[start : start + cells] for start in range(0, len(word), cells)]
        lines += pieces
    lines = [line for line in lines if line]

    assert list(wrap(" ".join(words), cells)) == lines
