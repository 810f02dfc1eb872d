"""The hits of a search in all sessions as rows: a line for each session, below it its hits. Pure."""

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from seqthink.drawing.describe.hits import HitSession
from tui.state.list_cursor import ListCursor


class ListedHit(Protocol):
    """What a hit has that is listed."""

    @property
    def session(self) -> HitSession:
        """Its session."""
        ...

    @property
    def link(self) -> str:
        """What names it; no two hits have the same."""
        ...


Hit = TypeVar("Hit", bound=ListedHit)


class HitList(Generic[Hit]):
    """Hits in the order in which they were found, with a selection that is always on a hit.

    Args:
        wanted: the link of a hit that is to be selected once it is found, unless the user has moved by then.
    """

    def __init__(self, wanted: str = "") -> None:
        self.hits: list[Hit] = []
        """All hits so far."""
        self.session_count = 0
        """Sessions with a hit."""
        self._rows: list[Hit] = []
        self._names: list[str] = []
        self._cursor = ListCursor()
        self._wanted_name = wanted

    def add(self, hits: Sequence[Hit]) -> None:
        """Add hits that were found after all others."""
        for hit in hits:
            if not self.hits or self.hits[-1].session != hit.session:
                self.session_count += 1
                self._append(hit, "")
            self.hits.append(hit)
            self._append(hit, f"{hit.link}")
        self._cursor.set_names(self._names)
        if self._wanted_name in self._names and self._wanted_name:
            self._cursor.select(self._names.index(self._wanted_name))
            self._wanted_name = ""
        elif self._rows and not self._cursor.name:
            self._cursor.select(1)
        self._show_heading()

    def _append(self, hit: Hit, name: str) -> None:
        self._rows.append(hit)
        self._names.append(name)

    @property
    def selected(self) -> Hit | None:
        """The selected hit, if there is any."""
        return self._rows[self._cursor.selected] if self._rows else None

    @property
    def selected_line(self) -> int:
        """In which of the visible rows it is."""
        return self._cursor.selected - self._cursor.top if self._rows else -1

    def resize(self, height: int) -> None:
        """Set the number of visible rows."""
        self._cursor.resize(height)
        self._show_heading()

    def visible(self) -> list[tuple[Hit, bool]]:
        """Return the visible rows: a hit, and whether it is the line of its session, above its hits."""
        cursor = self._cursor
        rows = range(cursor.top, min(len(self._rows), cursor.top + cursor.height))
        return [(self._rows[row], not self._names[row]) for row in rows]

    def move(self, hits: int) -> None:
        """Move the selection, over the lines of sessions."""
        self.select_row(self._cursor.selected + hits, 1 if hits > 0 else -1)

    def page(self, pages: int) -> None:
        """Move the selection by a page."""
        self.move(pages * max(1, self._cursor.height - 1))

    def scroll(self, rows: int) -> None:
        """Scroll; the selection stays."""
        self._cursor.scroll(rows)

    def select_line(self, line: int) -> bool:
        """Select what is in a visible row; return whether there is a hit."""
        row = self._cursor.top + line
        if not 0 <= row < len(self._rows) or not self._names[row]:
            return False
        self._cursor.select(row)
        self._wanted_name = ""
        return True

    def select_row(self, row: int, direction: int) -> None:
        """Select the hit in a row, or the next one in a direction if that is a session's line."""
        if not self._rows:
            return
        row = max(1, min(row, len(self._rows) - 1))
        if not self._names[row]:
            row += direction
        self._wanted_name = ""
        self._cursor.select(row)
        self._show_heading()

    def _show_heading(self) -> None:
        """Bring the line of the session into view, too, if the first visible row is its first hit."""
        cursor = self._cursor
        if self._rows and cursor.top == cursor.selected > 0 and not self._names[cursor.top - 1] and cursor.height > 1:
            cursor.scroll(-1)
