"""A recorded replay: what the viewer wrote to its terminal, when, and the rows that were then on the screen."""

from collections.abc import Sequence

from msgspec import Struct

REST_SECONDS = 4.0
"""How long the last frame stays, before a player ends or starts again."""


class CellStyle(Struct, frozen=True):
    """How characters look; colours are ``#rrggbb``."""

    colour: str
    background: str
    is_bold: bool = False
    is_italic: bool = False
    is_underlined: bool = False
    is_struck: bool = False


class StyledText(Struct, frozen=True):
    """Characters of one row that look alike."""

    text: str
    style: CellStyle


Row = tuple[StyledText, ...]
"""One row of the screen, as wide as the screen."""


class Frame(Struct, frozen=True):
    """The screen from a time on."""

    at: float
    """Seconds since the first frame."""
    written: str
    """What the viewer wrote since the frame before."""
    rows: tuple[Row, ...]


class Recording(Struct, frozen=True):
    """A replay of one session in a terminal of one size."""

    title: str
    """The session's name, safe for a terminal."""
    started_at: int
    """When the session began, in seconds since 1970; 0 if that is not known."""
    columns: int
    lines: int
    background: str
    """The colour of the empty screen."""
    frames: Sequence[Frame]
    """At least one."""

    @property
    def seconds(self) -> float:
        """How long it takes, with the rest at its end."""
        return self.frames[-1].at + REST_SECONDS
