"""The cells to the left of a row's text: lines and signs. A terminal has glyphs for them, a picture paths."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from seqthink.drawing.text.glyphs import LEFT, RIGHT, Signs
from seqthink.drawing.text.spans import Role, Span, Spans


class CellSign(StrEnum):
    """A sign that takes one cell, by its name in `Signs`."""

    CURSOR = "selected"
    MARKED = "marked"
    THOUGHT = "thought"
    FINAL = "final"
    REFUSED = "refused"
    EXPECTED = "expected"
    REVISION = "revision"
    STOPPED = "stopped"
    PROMPT = "prompt"
    REASONING = "reasoning"
    REMARK = "bullet"
    UNKEPT = "separator"
    ACTION = "changed"
    CONTEXT = "context"
    RULE = "rule"
    ARROW_STUB = "arrow_stub"
    ARROW_HEAD = "arrow_head"


class GutterCell(Struct, gc=False):
    """One cell: lines, or a sign in front of them. A gutter draws into its cells; nobody else changes one."""

    arms: int = 0
    """Directions of its lines, as bits."""
    role: Role = Role.TEXT
    """The colour of the line in front, or of the sign."""
    sign: CellSign | None = None
    text: str = ""
    """A character in place of lines and sign, of a number."""

    @property
    def is_blank(self) -> bool:
        """Whether there is neither a line nor a sign nor a character."""
        return not self.arms and self.sign is None and not self.text

    def draw(self, arms: int, role: Role) -> None:
        """Add a line; where two lines meet in one cell, it gets a neutral colour."""
        self.role = role if not self.arms or role is self.role else Role.LINE
        self.arms |= arms

    def cross(self, role: Role) -> None:
        """Add a horizontal line behind what is there."""
        self.role = self.role if self.arms else role
        self.arms |= LEFT | RIGHT


def blanks(count: int) -> list[GutterCell]:
    """Return ``count`` blank cells."""
    return [GutterCell() for _ in range(count)]


def text_cells(text: str, role: Role) -> list[GutterCell]:
    """Return the cells of an ASCII ``text``."""
    return [GutterCell(role=role, text=character) for character in text]


def cell_spans(cells: Iterable[GutterCell], signs: Signs) -> Spans:
    """Return the cells in a character set, one span each."""
    box = signs.box
    return [
        Span(cell.text or (getattr(signs, cell.sign) if cell.sign else box[cell.arms]), cell.role) for cell in cells
    ]


def cells_text(cells: Iterable[GutterCell], signs: Signs) -> str:
    """Return the text of `cell_spans`."""
    box = signs.box
    return "".join([cell.text or (getattr(signs, cell.sign) if cell.sign else box[cell.arms]) for cell in cells])
