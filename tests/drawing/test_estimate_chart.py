"""The chart of an estimate fits its place, whatever the lane's length."""

from pathlib import Path

from seqthink.drawing.panels.estimate_chart import estimate_chart
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import spans_text
from seqthink.loading import load_journal
from tests.support.journals.build import JournalBuilder


def test_a_chart_of_any_length_fits_into_any_width(tmp_path: Path) -> None:
    for length in (1, 2, 3, 5, 8, 13, 21, 34, 120):
        for total in (length, length + 3):
            journal = JournalBuilder().session()
            for number in range(1, length + 1):
                journal.thought("x", number, total, next=number < total)
            session = load_journal(journal.write(tmp_path / "a.jsonl")).session
            for width in range(12, 62):
                chart = estimate_chart(session, 0, width=width, height=9, signs=UNICODE)

                assert all(len(spans_text(spans)) <= width for spans in chart), (length, total, width)
                assert not chart or any(UNICODE.thought in spans_text(spans) for spans in chart)
