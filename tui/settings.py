"""Settings of the viewer, from the command line."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import TypedDict

from msgspec import Struct

from seqthink.chain.attention import STUCK_SECONDS
from seqthink.chain.state import STALE_SECONDS
from seqthink.core import system
from seqthink.core.settings_file import FileSettings
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.journal.decode import LineDecoder, decode
from seqthink.library.catalog.session_catalog import SessionCatalog
from tui.key_map import KeyMap
from tui.state.landing import Beginning
from tui.state.playback import IDLE_LIMIT_SECONDS


class NamedSession(Struct, frozen=True):
    """A session of another program that the user named."""

    name: str
    """What the user called it."""
    open: Callable[[Callable[[str], object]], Path]
    """Finds it, calls a function with messages about it, and returns its journal; may take a second.

    Raises:
        OSError, SeqthinkError: there is no such session, or it cannot be read.
    """


class Demo(Struct, frozen=True):
    """The agent of a demo."""

    find_journal: Callable[[], Path | None]
    """Returns its journal once that exists."""
    error: Callable[[], str]
    """Returns why there will be no journal; empty while all is well."""


class Alerts(Struct, frozen=True, kw_only=True):
    """How the viewer notifies a person who does not look at it that a session needs them, or ended."""

    has_title: bool = False
    """The terminal's title counts the sessions."""
    has_bell: bool = False
    """The terminal's bell rings."""
    has_notifications: bool = False
    """The desktop says so, too, where the terminal is known to pass it on."""


class ViewerOptions(TypedDict):
    """Options of the command line for how the viewer looks and behaves."""

    is_ascii: bool
    """Draw with ASCII characters only."""
    theme: str
    """Name of the colour theme."""
    has_motion: bool
    """New rows fade in."""
    has_mouse: bool
    """Mouse events are requested from the terminal."""
    has_title: bool
    """The terminal's title counts the sessions."""
    has_bell: bool
    """The terminal's bell rings when a session needs the person or ends."""
    has_notifications: bool
    """The desktop says so, too, where the terminal is known to pass it on."""
    stuck_seconds: int
    """Seconds of silence after which a thinking session is stuck."""
    decode: LineDecoder
    """Turns journal lines into events."""
    connect: str
    """Command that prints a client's configuration."""
    wall: tuple[int, int] | None
    """Columns and rows of the wall's tiles; None for as many as fit."""
    author: str
    """Who writes comments here; empty for the user's name on this machine."""
    file_settings: FileSettings
    """What the settings file says: its keys, and what is wrong with it."""
    commands: Mapping[str, Sequence[str]]
    """The commands that are started when a session needs the person or has ended: their words, by the state."""


class Settings(Struct, frozen=True, kw_only=True):
    """How sessions are shown."""

    folder: Path
    """Where journals are."""
    catalog: SessionCatalog
    """All sessions that can be shown."""
    clock: Callable[[], int]
    """Returns microseconds since 1970."""
    zone: tzinfo
    """Time zone of displayed times."""
    monotonic: Callable[[], float] = time.monotonic
    """Returns seconds: paces frames and progress, and the collection of garbage."""
    playback_clock: Callable[[], float] = time.monotonic
    """Returns seconds: what a replay is played by. A test may stop it while frames go on."""
    decode: LineDecoder = decode
    """Turns journal lines into events; redacts if that is on."""
    has_hung_up: Callable[[], bool] = bool
    """Returns whether the terminal is gone."""
    connect: str = "seqthink setup"
    """Command that prints a client's configuration."""
    signs: Signs = UNICODE
    theme: str = "dark"
    stale: int = STALE_SECONDS
    """Seconds after which a quiet session counts as stale; 0 for never."""
    named: NamedSession | None = None
    """The session of another program that the user named."""
    is_replay: bool = False
    """Sessions are played, not followed."""
    replay_at: int | None = None
    """Show the replay right after this thought, counted from 1; 0 for the end, None to play from the start."""
    speed: float = 1.0
    """Factor on the journal's own pace."""
    idle_limit: float = IDLE_LIMIT_SECONDS
    """Longest gap of a replay, in seconds."""
    is_looping: bool = False
    demo: Demo | None = None
    """The demo's agent, if this is the demo."""
    has_motion: bool = True
    """New rows fade in."""
    key_map: KeyMap = KeyMap()
    """The commands' keys."""
    beginning: Beginning = Beginning()
    """What is shown first."""
    stuck_seconds: int = STUCK_SECONDS
    """Seconds of silence after which a thinking session is stuck; 0 for never."""
    alerts: Alerts = Alerts()
    """How the viewer notifies the person that a session needs them, or ended."""
    commands: Mapping[str, Sequence[str]] = {}
    """The commands that are started then: their words, by the state."""
    viewer_folder: Path | None = None
    """Where the viewer keeps what was read; None if it keeps nothing."""
    wall: tuple[int, int] | None = None
    """Columns and rows of the wall's tiles; None for as many as fit."""
    author: str = ""
    """Who writes comments here; empty for the user's name on this machine."""

    @property
    def author_name(self) -> str:
        """The name under which comments are kept."""
        return self.author or system.person_name()
