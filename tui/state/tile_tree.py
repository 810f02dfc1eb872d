"""The end of a session's tree on a tile of the wall: the rows of the session's own screen, followed to the newest."""

from functools import partial
from itertools import chain

from seqthink.chain.session_texts import SessionTexts
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.rows.wrapped_rows import RowRuler, WrappedRows
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Spans
from tui.state.row_heights import MAX_ROW_LINES
from tui.state.viewport import Viewport

MIN_ROWS_WITH_EXPECTED = 4
"""Lines of a tile from which the row of expected thoughts has one of them, although not all rows fit."""


class TileTree:
    """The newest rows of one session, in any number of lines; what has come since the last time is added to them.

    Args:
        signs: the character set.
    """

    def __init__(self, signs: Signs) -> None:
        self._signs = signs
        self._viewport = Viewport()
        self._texts: SessionTexts | None = None

    def update(self, texts: SessionTexts) -> None:
        """Show the session of these texts, which has usually grown."""
        self._texts, session, shown = texts, texts.session, self._viewport.session
        if shown is not None and not session.positions.follow(shown.positions):
            self._viewport = Viewport()
        if shown is not session:
            self._viewport.update(session)

    def lines(self, cells: int, rows: int, now: int | None = None) -> list[Spans]:
        """Return the last rows in at most ``rows`` lines of ``cells`` cells.

        ``now`` is the time in microseconds since 1970, for how long sub-agents have been silent; None to leave it out.
        """
        viewport, texts = self._viewport, self._texts
        if texts is None or viewport.session is None or not viewport.tree.count or rows < 1 or cells < 1:
            return []
        paint = partial(
            Painter, texts=texts, width=cells, screen_width=cells, signs=self._signs, odd=frozenset[int](), now=now
        )
        viewport.resize(rows)
        viewport.fit(rows, RowRuler(lambda tree: paint(tree=tree)).lines_needed)
        wrapped = WrappedRows(painter=paint(tree=viewport.tree))
        return list(chain.from_iterable(wrapped.draw_row(*row) for row in self._visible(wrapped, rows)))

    def _visible(self, wrapped: WrappedRows, rows: int) -> list[tuple[int, int]]:
        """Return the visible rows, each with its lines: all of them, else the newest in full and as many others as fit.

        A tile with few lines has none for the row of expected thoughts.
        """
        viewport = self._viewport
        tree, heights, newest = viewport.tree, viewport.heights, viewport.selected
        found: list[tuple[int, int]] = []
        own = heights.lines_of(tree, newest)
        spare = rows - heights.total(tree, rows)
        wanted = wrapped.lines_needed(newest, max(MAX_ROW_LINES, own + spare))
        if wanted - own <= spare:
            lines = {newest: wanted}
            return [(number, lines.get(number) or heights.lines_of(tree, number)) for number in range(tree.count)]
        last = min(viewport.top + rows, tree.count) - 1
        for number in range(last if rows >= MIN_ROWS_WITH_EXPECTED else newest, -1, -1):
            found.append((number, min(rows, wanted) if number == newest else 1))
            rows -= found[-1][1]
            if not rows:
                break
        return found[::-1]
