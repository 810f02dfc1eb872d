"""A session as plain text with the rows of the screen: for pipes, screen readers and tests."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo

from msgspec.structs import replace

from seqthink.chain.comparison.side_facts import ComparedSessions
from seqthink.chain.model import NONE, Attachment
from seqthink.chain.session_texts import SessionTexts
from seqthink.chain.statistics.totals import Statistics
from seqthink.drawing.describe.oddities import newest_chain_oddities
from seqthink.drawing.describe.status import session_status
from seqthink.drawing.detail.attachments import attachment_blocks
from seqthink.drawing.detail.thought_page import ThoughtPage
from seqthink.drawing.markup.markdown import plain_text_lines
from seqthink.drawing.panels.comparison_page import ComparisonPage
from seqthink.drawing.panels.statistics_blocks import Period
from seqthink.drawing.panels.statistics_page import statistics_lines
from seqthink.drawing.panels.status_line import status_line
from seqthink.drawing.rows.painter import whole_session_painter
from seqthink.drawing.rows.row_lines import row_lines
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import spans_text


def overview_lines(
    texts: SessionTexts, *, width: int, signs: Signs = UNICODE, is_timeline: bool = False, selected: int = NONE
) -> Iterator[str]:
    """Yield the status line, without an age, and the rows of the session; every chain is open, an empty one says so.

    The cursor is at the row of the thought ``selected``, if there is one. Trailing blanks are removed;
    ``width`` is in cells.
    """
    extra = newest_chain_oddities(texts.health, texts.session, signs) if width >= NARROW_BELOW_CELLS else []
    status = session_status(texts.session, None, signs=signs)
    yield spans_text(status_line(texts.session, width, status, signs=signs, extra=extra)).rstrip()
    painter = whole_session_painter(texts, width=width, signs=signs, is_timeline=is_timeline)
    if selected != NONE:
        painter = replace(painter, selected=painter.tree.row_of_thought(selected))
    yield from row_lines(painter)
    if not texts.session.thought_count and not texts.session.asides.count:
        yield " no thoughts yet"


def statistics_text(
    statistics: Statistics,
    heading: str,
    *,
    width: int,
    period: tuple[int, int] | None,
    zone: tzinfo,
    signs: Signs = UNICODE,
) -> Iterator[str]:
    """Yield the page of statistics; ``period`` is its start and end in microseconds since 1970 (UTC), if it has one."""
    shown = Period(*period) if period is not None else None
    for spans in statistics_lines(statistics, heading, width, period=shown, signs=signs, zone=zone):
        yield spans_text(spans).rstrip()


def comparison_lines(
    sessions: ComparedSessions, *, width: int, zone: tzinfo, signs: Signs = UNICODE, is_full: bool = False
) -> Iterator[str]:
    """Yield two compared sessions: their facts, then their texts; ``is_full`` shows these to their end."""
    page = ComparisonPage(sessions, width, signs, zone, is_full)
    for spans in page.head_lines():
        yield spans_text(spans).rstrip()
    for row in page.rows:
        for spans in page.lines_of(row):
            yield spans_text(spans).rstrip()


def full_text_lines(
    texts: SessionTexts, *, width: int, signs: Signs = UNICODE, is_timeline: bool = False, selected: int = NONE
) -> Iterator[str]:
    """Yield every thought in the order of the rows, or ``selected`` alone: heading, text, attachments, facts.

    A string may hold many lines of a long text.
    """
    rows = whole_session_painter(texts, width=width, signs=signs, is_timeline=is_timeline).tree
    for number in range(rows.count):
        index = rows.row(number).thought
        if index == NONE or selected not in {NONE, index}:
            continue
        page = ThoughtPage(
            session=texts.session, texts=texts, index=index,
            width=width, screen_width=width, signs=signs, is_raw=True, is_reading=True, has_keys=False,
        )  # fmt: skip
        yield ""
        yield spans_text(page.heading(page.clock())).rstrip()
        yield from plain_text_lines(texts.pieces(index), width)
        for spans in page.footer_lines():
            yield spans_text(spans).rstrip()


def attachment_texts(
    attached: Sequence[Attachment], texts: SessionTexts, *, width: int, signs: Signs = UNICODE
) -> Iterator[str]:
    """Yield each of a thought's attachments as the page of that thought shows it."""
    for lines in attachment_blocks(attached, texts, width, signs):
        yield "\n".join(spans_text(line).rstrip() for line in lines)
