"""The bar of the time line: what is played, what is to come, and where chains begin."""

from seqthink.chain.fold import fold
from seqthink.drawing.panels.scrubber import scrubber_lines
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import spans_text
from tests.support.journals.build import JournalBuilder
from tests.support.journals.example_chains import questions


def _bar(journal: JournalBuilder, cells: int, *, shown: int | None = None, signs: Signs = UNICODE) -> str:
    whole = fold(journal.events)
    moment = whole if shown is None else whole.at_thought(shown)
    return spans_text(scrubber_lines(moment, whole, cells, end_time=0, signs=signs)[1])


def _chains(*lengths: int) -> JournalBuilder:
    journal = JournalBuilder().session()
    for length in lengths:
        for number in range(1, length + 1):
            journal.thought("t", number, length, next=number < length)
    return journal


def test_a_thin_line_stands_where_another_chain_begins() -> None:
    journal = _chains(3, 2, 2)

    assert _bar(journal, 23) == "  ━━━━━━━━━│━━━━━│━━╋"
    assert _bar(journal, 23, shown=2) == "  ━━━╋─────│─────│───"
    assert _bar(journal, 23, signs=ASCII) == "  =========|=====|==#"


def test_the_playhead_stands_before_the_line_of_a_chain() -> None:
    assert _bar(_chains(3, 2, 2), 23, shown=4) == "  ━━━━━━━━━╋─────│───"


def test_a_session_of_one_chain_has_no_lines() -> None:
    assert "│" not in _bar(_chains(9), 44)


def test_so_many_chains_that_lines_would_hide_the_bar_have_none() -> None:
    assert "│" in _bar(questions(), 120)
    assert "│" not in _bar(questions(), 60)
