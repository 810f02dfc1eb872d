"""The map of a long chain beside the tree: a click or a drag goes there."""

from typing_extensions import override

from seqthink.chain.session_texts import SessionTexts
from seqthink.drawing.panels.chapter_map import (
    ChapterMap,
    PlacedChapter,
    PlacedMark,
    RowsInView,
    placed_chapters,
    placed_marks,
)
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.tree.row_source import RowSource
from seqthink.library.catalog.search_hits import Search
from tui.widgets.line_view import WHEEL_ROWS, ClickableLines, DraggedLines


class MapView(DraggedLines):
    """Draws the map; while rows, view and size stay the same, that costs nothing."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._chapters: list[PlacedChapter] = []
        self._marks: list[PlacedMark] = []
        self._placed_for: tuple[RowSource | None, int, int] = (None, 0, 0)
        self._marked_for: tuple[Search | None, int, frozenset[int]] = (None, 0, frozenset())
        self._drawn: tuple[int, int, RowsInView] | None = None
        self._map: ChapterMap | None = None

    def show_map(
        self,
        tree: RowSource,
        texts: SessionTexts,
        view: RowsInView,
        size: tuple[int, int],
        signs: Signs,
        *,
        search: Search | None,
        marked: frozenset[int],
    ) -> None:
        """Draw the map of a tree in ``size``, columns and lines, with the hits of a search and what the user marked."""
        hits = search.thoughts if search is not None else []
        is_placed, marked_for = self._placed_for == (tree, tree.version, size[1]), (search, len(hits), marked)
        if not is_placed:
            self._placed_for = (tree, tree.version, size[1])
            self._chapters = placed_chapters(tree, size[1])
        if not is_placed or self._marked_for != marked_for:
            self._marked_for, self._drawn = marked_for, None
            self._marks = placed_marks(tree, size[1], hits, marked)
        if self._drawn == (*size, view):
            return
        self._drawn = (*size, view)
        self._map = ChapterMap(
            tree=tree,
            texts=texts,
            chapters=self._chapters,
            marks=self._marks,
            width=size[0],
            height=size[1],
            signs=signs,
        )
        self.show(self._map.lines(view))

    @override
    def place_at(self, column: int, line: int) -> int | None:
        """Return the row to go to from a line."""
        if self._map is None or not self._map.tree.count:
            return None
        return self._map.row_at(max(0, min(line, self._map.height - 1)))

    def on_mouse_scroll_down(self) -> None:
        """Scroll the tree down."""
        self.post_message(ClickableLines.Scrolled(WHEEL_ROWS))

    def on_mouse_scroll_up(self) -> None:
        """Scroll the tree up."""
        self.post_message(ClickableLines.Scrolled(-WHEEL_ROWS))
