"""The end of a session's tree on a tile of the wall: the rows of the session's own screen, followed to the newest."""

from functools import partial
from itertools import chain

from seqthink.chain.session_texts import SessionTexts
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.rows.wrapped_rows import RowRuler, WrappedRows
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Spans
from seqthink.drawing.tree.row_source import RowKind
from tui.state.row_heights import MAX_ROW_LINES
from tui.state.viewport import Viewport

MIN_ROOM_FOR_EXPECTED = 3
"""Lines beside the newest thought from which the row of expected thoughts has one, although not all rows fit."""


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
        """Return the visible rows, each with its lines: all, else the newest in full and what fits around it."""
        tree, heights, newest = self._viewport.tree, self._viewport.heights, self._viewport.selected
        own = heights.lines_of(tree, newest)
        spare = rows - heights.total(tree, rows)
        wanted = wrapped.lines_needed(newest, max(MAX_ROW_LINES, own + spare))
        if wanted - own <= spare:
            lines = {newest: wanted}
            return [(number, lines.get(number) or heights.lines_of(tree, number)) for number in range(tree.count)]
        wanted = min(rows, wanted)
        room = rows - wanted
        below = max(self._rows_below(newest, room), room - newest)
        last = min(newest + below, tree.count - 1)
        first = newest - (room - (last - newest))
        return [(number, wanted if number == newest else 1) for number in range(max(0, first), last + 1)]

    def _rows_below(self, newest: int, room: int) -> int:
        """Return how many rows are visible below the newest thought: what was done since, or all if they are few.

        They have half of the room at most. A tile with little room has none for the row of expected thoughts.
        """
        tree, most = self._viewport.tree, (room + 1) // 2
        if tree.count - 1 - newest <= most and (room >= MIN_ROOM_FOR_EXPECTED or tree.expected_row != newest + 1):
            return tree.count - 1 - newest
        count = 0
        while count < most and newest + count + 1 < tree.count:
            kind = tree.row(newest + count + 1).kind
            if kind is not RowKind.ASIDE and not (kind is RowKind.EXPECTED and room >= MIN_ROOM_FOR_EXPECTED):
                break
            count += 1
        return count
