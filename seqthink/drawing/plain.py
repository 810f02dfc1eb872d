"""A session as plain text: for pipes, screen readers and tests; the same rows as on the screen."""

from collections.abc import Iterator

from seqthink.chain.session import Session
from seqthink.drawing.glyphs import UNICODE, Signs
from seqthink.drawing.rows import Painter, TextOf
from seqthink.drawing.spans import plain
from seqthink.drawing.state_line import state_line
from seqthink.drawing.timeline import Timeline
from seqthink.drawing.tree import Tree


def drawn(
    session: Session,
    text_of: TextOf,
    error_of: TextOf,
    *,
    width: int,
    signs: Signs = UNICODE,
    is_timeline: bool = False,
) -> Iterator[str]:
    """Yield the state line, without an age, and the rows of ``session`` at ``width``; every chain is open.

    Blanks at the end of a line are left out.
    """
    yield plain(state_line(session, width, now=None, signs=signs)).rstrip()
    tree = Timeline() if is_timeline else Tree()
    tree.sync(session)
    tree.open_all()
    painter = Painter(tree=tree, text_of=text_of, error_of=error_of, width=width, screen=width, signs=signs)
    for spans in painter.lines(0, tree.count):
        yield plain(spans).rstrip()
