"""Where lines break: at blanks, between the signs of scripts without blanks, never before a mark that ends a word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.drawing.text.cells import width
from seqthink.drawing.text.wrap import wrap, wrap_pieces

CLOSING, OPENING = "。，、：；？！）」』】》,.:;?!)", "（「『【《("


@pytest.mark.parametrize(
    ("text", "cells", "lines"),
    [
        ("按任务划分更好。原因有三", 14, ["按任务划分更", "好。原因有三"]),
        ("他说「任务」是语言", 6, ["他说", "「任", "务」是", "语言"]),
        ("目录,模块", 4, ["目", "录,", "模块"]),
        ("用 API设计很好的人都知道", 14, ["用 API设计很好", "的人都知道"]),
        ("テストです。。。。。。。。", 10, ["テストで", "す。。。。", "。。。。"]),
        ("한국어는 띄어쓰기가 있다", 12, ["한국어는", "띄어쓰기가", "있다"]),
        ("Straßenbahnhaltestelle", 10, ["Straßenbah", "nhaltestel", "le"]),
    ],
)
def test_a_line_breaks_where_a_reader_expects_it(text: str, cells: int, lines: list[str]) -> None:
    assert list(wrap(text, cells)) == lines


@given(st.text("目录任务あア,。（「」)ab ", max_size=60), st.integers(8, 30))
def test_no_mark_stands_alone_on_a_line(text: str, cells: int) -> None:
    lines = list(wrap(text, cells))
    long_runs = any(mark * 3 in text for mark in text) or any(a + b in text for a in OPENING for b in CLOSING)

    assert all(width(line) <= cells for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    if not long_runs and " " not in text and not _has_run_of_marks(text):
        assert [line for line in lines[1:] if line[:1] in tuple(CLOSING)] == []
        assert [line for line in lines[:-1] if line[-1:] in tuple(OPENING)] == []


def _has_run_of_marks(text: str) -> bool:
    """Whether that many marks follow each other that no line could keep them with a word."""
    marks = CLOSING + OPENING
    return any(all(sign in marks for sign in text[at : at + 3]) for at in range(len(text) - 2))


@given(st.text("目录任务,。（「」)ab \n", max_size=80), st.integers(8, 30), st.integers(1, 7))
def test_a_text_in_pieces_has_the_lines_of_the_whole(text: str, cells: int, chars: int) -> None:
    whole = "\n".join(line.rstrip() for line in wrap(text.strip("\n"), cells))
    pieces = (text[start : start + chars] for start in range(0, len(text), chars))

    assert "\n".join(wrap_pieces(pieces, cells)) == whole
