"""Selection and scroll offset of a list with headings. Pure: names come, go and change places, the selection stays."""

from collections.abc import Sequence

HEADING = ""
"""The name of a line that cannot be selected."""


class GroupedCursor:
    """A selection in lines, some of them headings; it stays with its name wherever that moves.

    A name may have several lines, one below the other. The first of them is the selected one.

    Args:
        wanted: the name to select as soon as it is there.
    """

    def __init__(self, wanted: str = "") -> None:
        self.lines: Sequence[str] = ()
        """The name of each line; `HEADING` for one that cannot be selected."""
        self.top: int = 0
        """Index of the first visible line."""
        self.height = 1
        """Number of visible lines."""
        self._line = 0
        self._wanted_name = wanted
        self._is_settled = bool(wanted)

    @property
    def name(self) -> str:
        """The selected name, or an empty string."""
        return self.lines[self._line] if self._line < len(self.lines) else ""

    @property
    def line(self) -> int:
        """Index of the selected line; -1 if there is nothing to select."""
        return self._line if self.name else -1

    def set_lines(self, lines: Sequence[str]) -> None:
        """Replace the lines; the selection stays, and its place on the screen unless the list is at its top."""
        kept = (self._wanted_name or self.name) if self._is_settled else ""
        in_place, was_at_top = self._line - self.top, self.top == 0
        self.lines = lines
        if kept and kept in lines:
            self._line = lines.index(kept)
            if was_at_top or self._wanted_name:
                self._wanted_name = ""
                self._bring_into_view()
            elif 0 <= in_place < self.height:
                self.top = self._line - in_place
        else:
            self._line = self._nearest(self._line if self._is_settled else 0)
        self._clamp()

    def settle(self) -> None:
        """Keep the selection with its name from now on; until then the first name is selected, if none is wanted."""
        self._is_settled = True

    def resize(self, height: int) -> None:
        """Set the number of visible lines; the selected one stays visible."""
        if height != self.height:
            self.height = max(1, height)
            self._bring_into_view()

    def move(self, rows: int) -> None:
        """Move the selection by this many names."""
        places = [
            line
            for line, name in enumerate(self.lines)
            if name != HEADING and (line == 0 or name != self.lines[line - 1])
        ]
        if places:
            here = places.index(self._line) if self._line in places else 0
            self.select(places[max(0, min(here + rows, len(places) - 1))])

    def page(self, pages: int) -> None:
        """Move the selection by a page."""
        self.move(pages * max(1, self.height - 1))

    def select_line(self, line: int) -> bool:
        """Select the name in a visible row; return whether there is one."""
        line += self.top
        if not 0 <= line < len(self.lines) or self.lines[line] == HEADING:
            return False
        self.select(line)
        return True

    def select(self, line: int) -> None:
        """Select a line; beside a heading, the name that is nearest."""
        self._line, self._wanted_name, self._is_settled = self._nearest(line), "", True
        self._bring_into_view()

    def select_name(self, name: str) -> None:
        """Select the line of ``name``, if there is one."""
        if name and name in self.lines:
            self.select(self.lines.index(name))

    def scroll(self, rows: int) -> None:
        """Scroll; the selection stays."""
        self.top += rows
        self._clamp()

    def _nearest(self, line: int) -> int:
        """Return the first line of the name that is nearest, below before above."""
        line = max(0, min(line, len(self.lines) - 1))
        if self.lines and self.lines[line] != HEADING:
            return self.lines.index(self.lines[line])
        below = next((place for place in range(line, len(self.lines)) if self.lines[place] != HEADING), None)
        above = next((place for place in range(line, -1, -1) if self.lines and self.lines[place] != HEADING), 0)
        return above if below is None else below

    def _bring_into_view(self) -> None:
        self._clamp()
        # the heading above the first name of a group belongs to it
        first = self._line - (self._line > 0 and self.lines[self._line - 1] == HEADING and self.height > 1)
        self.top = min(max(self.top, self._line - self.height + 1), first)
        self._clamp()

    def _clamp(self) -> None:
        self._line = max(0, min(self._line, len(self.lines) - 1))
        self.top = max(0, min(self.top, len(self.lines) - self.height))
