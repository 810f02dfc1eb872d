"""The end of a long journal on the screen while what comes before it is being read: rows, selection, scroll offset.

Pure, as the viewport that takes its place once everything has been read.
"""

from collections.abc import Sequence

from seqthink.drawing.describe.line_thought import LineThought

HEADING_ROWS = 1
"""Lines above the rows, which say how far the reading is."""


class TailView:
    """The newest thoughts, of which there is always at least one."""

    def __init__(self, thoughts: Sequence[LineThought]) -> None:
        self.thoughts = thoughts
        self.selected = len(thoughts) - 1
        """Place of the selected thought."""
        self.top = 0
        """Place of the first visible one; below 0 where there are fewer than lines: they stand at the bottom."""
        self.is_following = True
        """Whether the newest thought stays selected."""
        self.lines = HEADING_ROWS + 1
        """Lines on the screen, the one above the rows included."""

    @property
    def thought(self) -> LineThought:
        """The selected thought."""
        return self.thoughts[self.selected]

    @property
    def rows_below_top(self) -> int:
        """How many lines are above the selected row."""
        return self.heading_rows + self.selected - self.top

    @property
    def heading_rows(self) -> int:
        """Lines above the rows: none where there is a single line."""
        return HEADING_ROWS if self.lines > HEADING_ROWS else 0

    @property
    def _height(self) -> int:
        return max(1, self.lines - self.heading_rows)

    def place_at(self, line: int) -> int | None:
        """Return the place of the thought in a line of the screen, or None."""
        place = self.top + line - self.heading_rows
        return place if line >= self.heading_rows and 0 <= place < len(self.thoughts) else None

    def replace(self, thoughts: Sequence[LineThought]) -> None:
        """Show newer thoughts; the selected one stays selected, in its line, as long as it is among them."""
        selected, below = self.thought.offset, self.selected - self.top
        self.thoughts = thoughts
        places = [place for place, thought in enumerate(thoughts) if thought.offset <= selected]
        self.selected = len(thoughts) - 1 if self.is_following else places[-1] if places else 0
        self.top = self.selected - below
        self._bring_into_view()

    def resize(self, lines: int) -> None:
        """Set the number of lines on the screen, the one above the rows included."""
        if lines != self.lines:
            self.lines = lines
            self._bring_into_view()

    def move(self, rows: int) -> None:
        """Move the selection by ``rows`` and stop following."""
        self.select(self.selected + rows)

    def page(self, pages: int) -> None:
        """Move the selection by screenfuls."""
        self.move(pages * max(1, self._height - 1))

    def half_page(self, halves: int) -> None:
        """Move the selection by halves of a screenful."""
        self.move(halves * max(1, self._height // 2))

    def select(self, place: int) -> None:
        """Select a thought and stop following."""
        self.is_following = False
        self.selected = max(0, min(place, len(self.thoughts) - 1))
        self._bring_into_view()

    def scroll(self, rows: int) -> None:
        """Scroll without moving the selection, and stop following."""
        self.is_following = False
        self.top += rows
        self._clamp()

    def follow(self, *, follows: bool = True) -> None:
        """Select the newest thought and follow, or stop following."""
        self.is_following = follows
        if follows:
            self.selected = len(self.thoughts) - 1
        self._bring_into_view()

    @property
    def _expected_rows(self) -> int:
        """Rows that the tree has below the newest thought for expected ones; their line is left free for it."""
        return int(self.thoughts[-1].expects_more and self._height > 1)

    def _bring_into_view(self) -> None:
        last = self.selected + (self._expected_rows if self.is_following else 0)
        self.top = min(max(self.top, last - self._height + 1), self.selected)
        self._clamp()

    def _clamp(self) -> None:
        end = len(self.thoughts) + self._expected_rows - self._height
        self.top = min(end, max(0, self.top))
