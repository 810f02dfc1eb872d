"""A session as plain text with the rows of the screen: for pipes, screen readers and tests."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from seqthink.chain.model import NONE, Attachment
from seqthink.chain.session import Session
from seqthink.drawing.describe.attachments import EventOf
from seqthink.drawing.detail.attachments import attachment_blocks
from seqthink.drawing.detail.thought_page import PrefixOf, ThoughtPage
from seqthink.drawing.markup.markdown import plain_text_lines
from seqthink.drawing.panels.status_line import status_line
from seqthink.drawing.rows.painter import Painter, TextOf
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.spans import spans_text
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.tree import Tree

PiecesOf = Callable[[int], Iterable[str]]
"""Returns the whole text of a thought in pieces, by the thought's index."""


def overview_lines(
    session: Session,
    text_of: TextOf,
    error_of: TextOf,
    *,
    width: int,
    signs: Signs = UNICODE,
    is_timeline: bool = False,
) -> Iterator[str]:
    """Yield the status line, without an age, and the rows of ``session``; every chain is open.

    Trailing blanks are removed. ``text_of`` takes a thought's index, ``error_of`` a refused call's ordinal, ``width``
    is in cells.
    """
    yield spans_text(status_line(session, width, now=None, signs=signs)).rstrip()
    tree = _rows(session, is_timeline=is_timeline)
    painter = Painter(tree=tree, text_of=text_of, error_of=error_of, width=width, screen_width=width, signs=signs)
    for spans in painter.draw_rows(0, tree.count):
        yield spans_text(spans).rstrip()


def full_text_lines(
    session: Session,
    pieces_of: PiecesOf,
    prefix_of: PrefixOf,
    event_of: EventOf,
    *,
    width: int,
    signs: Signs = UNICODE,
    is_timeline: bool = False,
) -> Iterator[str]:
    """Yield every thought in the order of the rows: heading, whole text as written, attachments and facts.

    A string may hold many lines of a long text.
    """
    rows = _rows(session, is_timeline=is_timeline)
    for number in range(rows.count):
        index = rows.row(number).thought
        if index == NONE:
            continue
        page = ThoughtPage(
            session=session, prefix_of=prefix_of, event_of=event_of, index=index,
            width=width, screen_width=width, signs=signs, is_raw=True, is_reading=True, has_keys=False,
        )  # fmt: skip
        yield ""
        yield spans_text(page.heading(page.clock())).rstrip()
        yield from plain_text_lines(pieces_of(index), width)
        for spans in page.footer_lines():
            yield spans_text(spans).rstrip()


def attachment_texts(
    attached: Sequence[Attachment], event_of: EventOf, *, width: int, signs: Signs = UNICODE
) -> Iterator[str]:
    """Yield each of a thought's attachments as the page of that thought shows it."""
    for lines in attachment_blocks(attached, event_of, width, signs):
        yield "\n".join(spans_text(line).rstrip() for line in lines)


def _rows(session: Session, *, is_timeline: bool) -> Timeline | Tree:
    rows = Timeline() if is_timeline else Tree()
    rows.sync(session)
    rows.open_all()
    return rows
