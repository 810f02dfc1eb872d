"""Selection and scroll offset of a list. Pure: entries come and go, the selection stays."""

from collections.abc import Sequence


class ListCursor:
    """A selection in a list of names; it stays with its name wherever that moves."""

    def __init__(self, wanted: str = "") -> None:
        self.names: Sequence[str] = ()
        self.selected: int = 0
        """Index of the selected row."""
        self.top: int = 0
        """Index of the first visible row."""
        self.height = 1
        """Number of visible rows."""
        self._wanted_name = wanted

    @property
    def name(self) -> str:
        """The selected name, or an empty string."""
        return self.names[self.selected] if self.names else ""

    def set_names(self, names: Sequence[str]) -> None:
        """Replace the list; the selection and its place on the screen stay."""
        kept, in_place = self._wanted_name or self.name, self.selected - self.top
        self.names = names
        if kept in names:
            self.selected = names.index(kept)
            if 0 <= in_place < self.height:
                self.top = self.selected - in_place
            if self._wanted_name:
                self._wanted_name = ""
                self._bring_into_view()
        self._clamp()

    def resize(self, height: int) -> None:
        """Set the number of visible rows; the selected one stays visible."""
        if height != self.height:
            self.height = max(1, height)
            self._bring_into_view()

    def move(self, rows: int) -> None:
        """Move the selection."""
        self.select(self.selected + rows)

    def page(self, pages: int) -> None:
        """Move the selection by a page."""
        self.move(pages * max(1, self.height - 1))

    def select_line(self, line: int) -> bool:
        """Select what is in a visible row; return whether there is anything."""
        row = self.top + line
        if not 0 <= row < len(self.names):
            return False
        self.select(row)
        return True

    def select(self, row: int) -> None:
        """Select a row, clamped to the list."""
        self.selected, self._wanted_name = row, ""
        self._bring_into_view()

    def scroll(self, rows: int) -> None:
        """Scroll; the selection stays."""
        self.top += rows
        self._clamp()

    def _bring_into_view(self) -> None:
        self._clamp()
        self.top = min(max(self.top, self.selected - self.height + 1), self.selected)
        self._clamp()

    def _clamp(self) -> None:
        self.selected = max(0, min(self.selected, len(self.names) - 1))
        self.top = max(0, min(self.top, len(self.names) - self.height))
