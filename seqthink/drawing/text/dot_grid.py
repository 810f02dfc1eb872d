"""A picture of dots in Braille characters, two by four in a cell; in ASCII of lines as coarse as a cell."""

from seqthink.drawing.text.glyphs import DOWN, LEFT, RIGHT, UP, Signs

CELL_COLUMNS, CELL_LEVELS = 2, 4
"""Dots of a cell, side by side and one above the other."""
_BRAILLE = 0x2800
_BITS = ((0x40, 0x80), (0x04, 0x20), (0x02, 0x10), (0x01, 0x08))
"""The bits of a cell's dots: from the lowest level up, left and right."""
_MIN_UPRIGHT_LEVELS = 3
"""In ASCII, a line through this many levels of a cell is upright."""


class DotGrid:
    """Dots by column and level; levels count from the bottom."""

    def __init__(self) -> None:
        self._bits: dict[tuple[int, int], int] = {}
        self._levels: dict[tuple[int, int], int] = {}

    def draw(self, column: int, first: int, last: int) -> None:
        """Draw dots in a column, from one level to another."""
        for level in range(min(first, last), max(first, last) + 1):
            cell = column // CELL_COLUMNS, level // CELL_LEVELS
            self._bits[cell] = self._bits.get(cell, 0) | _BITS[level % CELL_LEVELS][column % CELL_COLUMNS]
            self._levels[cell] = self._levels.get(cell, 0) | 1 << level % CELL_LEVELS

    def sign_at(self, cell: int, row: int, signs: Signs) -> str:
        """Return the character of a cell, its row counted from the bottom; "" without a dot in it."""
        bits = self._bits.get((cell, row), 0)
        if not bits or not signs.box.isascii():
            return chr(_BRAILLE + bits) if bits else ""
        is_upright = self._levels[cell, row].bit_count() >= _MIN_UPRIGHT_LEVELS
        return signs.box[UP | DOWN if is_upright else LEFT | RIGHT]
