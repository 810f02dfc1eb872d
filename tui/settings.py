"""What the command line decided for the viewer."""

from collections.abc import Callable
from datetime import tzinfo
from pathlib import Path
from typing import TypedDict

from msgspec import Struct

from seqthink.chain.state import STALE_SECONDS
from seqthink.drawing.glyphs import UNICODE, Signs
from seqthink.journal.decode import LineDecoder, decode
from tui.playback import IDLE_LIMIT


class Demo(Struct, frozen=True):
    """The agent of a demo: ``find`` gives its journal once it is there, ``trouble`` says why none will come."""

    find: Callable[[], Path | None]
    trouble: Callable[[], str]


class Looks(TypedDict):
    """How the command line says that the viewer is to look and behave."""

    is_ascii: bool
    theme: str
    has_motion: bool
    has_mouse: bool
    decode: LineDecoder
    connect: str


class Settings(Struct, frozen=True, kw_only=True):
    """How a session is shown. ``clock`` gives microseconds since 1970, ``zone`` the person's own time of day.

    ``decode`` makes events of a journal's lines, ``connect`` is the command that tells how to connect a client, and
    ``has_hung_up`` says whether the terminal is gone.
    A replay begins to play, or stands still when its ``replay_at``-th thought has just come; 0 stands for the end.
    """

    folder: Path
    clock: Callable[[], int]
    zone: tzinfo
    decode: LineDecoder = decode
    has_hung_up: Callable[[], bool] = bool
    connect: str = "seqthink config"
    signs: Signs = UNICODE
    look: str = "dark"
    stale: int = STALE_SECONDS
    pipe: int | None = None
    is_replay: bool = False
    replay_at: int | None = None
    speed: float = 1.0
    idle_limit: float = IDLE_LIMIT
    is_looping: bool = False
    demo: Demo | None = None
    has_motion: bool = True
