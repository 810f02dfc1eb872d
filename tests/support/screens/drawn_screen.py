"""The screen of a terminal that gets the viewer's bytes: as much of a terminal as they need."""

import re

from seqthink.drawing.text.cells import width
from seqthink.share.recordings.recording import CellStyle, Row

_SEQUENCE = re.compile(
    r"\x1b\[(?P<parameters>[?<>=]?[0-9;]*\$?)(?P<final>[@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>78]|[\r\n]|(?P<text>[^\x1b\r\n])"
)
_SWITCHES = {"1": "is_bold", "3": "is_italic", "4": "is_underlined", "9": "is_struck"}
Cell = tuple[str, CellStyle]
"""What is in a cell, nothing in the second cell of a wide character, and how it looks."""


class DrawnScreen:
    """A screen of ``size``, columns and lines, in the colours ``plain`` where nothing was written."""

    def __init__(self, size: tuple[int, int], plain: CellStyle) -> None:
        self._plain = self._style = plain
        self._columns, lines = size
        self._cells: list[list[Cell]] = [[(" ", plain)] * self._columns for _ in range(lines)]
        self._line = self._column = 0

    @property
    def rows(self) -> list[list[Cell]]:
        """The cells of each line."""
        return self._cells

    @property
    def text(self) -> list[str]:
        """The characters of each line."""
        return ["".join(character for character, _ in row) for row in self._cells]

    def write(self, written: str) -> None:
        """Take what a program writes.

        Raises:
            AssertionError: something in it is neither text nor a whole sequence.
        """
        end = 0
        for found in _SEQUENCE.finditer(written):
            assert found.start() == end, repr(written[end : found.start()])
            end = found.end()
            if found["text"]:
                self._put(found["text"])
            elif found["final"] == "H":
                line, _, column = found["parameters"].partition(";")
                self._line, self._column = int(line or 1) - 1, int(column or 1) - 1
            elif found["final"] == "G":
                self._column = int(found["parameters"]) - 1
            elif found["final"] == "m":
                self._look(found["parameters"].split(";"))
            elif found[0] == "\r":
                self._column = 0
            elif found[0] == "\n":
                self._line += 1
        assert end == len(written), repr(written[end:])

    def _put(self, character: str) -> None:
        row, cells = self._cells[self._line], width(character)
        if cells:
            row[self._column : self._column + cells] = [(character, self._style), *[("", self._style)] * (cells - 1)]
            self._column += cells
        else:
            before, style = row[self._column - 1]
            row[self._column - 1] = (before + character, style)

    def _look(self, codes: list[str]) -> None:
        style = self._style
        fields = {name: getattr(style, name) for name in style.__struct_fields__}
        while codes:
            code = codes.pop(0)
            if code in {"", "0"}:
                fields = {name: getattr(self._plain, name) for name in fields}
            elif code in {"38", "48"}:
                _, *colour = (codes.pop(0) for _ in range(4))
                fields["colour" if code == "38" else "background"] = f"#{bytes(map(int, colour)).hex()}"
            elif code in _SWITCHES:
                fields[_SWITCHES[code]] = True
        self._style = CellStyle(**fields)


def cells_of(row: Row) -> list[Cell]:
    """Return the cells of a recorded row."""
    cells: list[Cell] = []
    for run in row:
        for character in run.text:
            if size := width(character):
                cells += [(character, run.style), *[("", run.style)] * (size - 1)]
            else:
                cells[-1] = (cells[-1][0] + character, cells[-1][1])
    return cells
