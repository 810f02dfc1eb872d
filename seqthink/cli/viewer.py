"""Starts the viewer from the commands. No other module of the command line loads it."""

import gc
import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from seqthink.chain.overview.session_filter import SessionFilter
    from seqthink.journal.decode import LineDecoder
    from seqthink.share.recordings.recording import Recording
    from seqthink.sources.fleet.mirror.folder import FleetFolder
    from seqthink.sources.transcripts.named_transcript import NamedTranscript
    from tui.settings import ViewerOptions


FRAMES_PER_SECOND = "120"
"""The maximum frame rate: high, so that a key pressed just after an update does not wait for the next frame."""


def watch(
    named: "Path | NamedTranscript | None",
    *,
    folder: Path,
    stale: int,
    sources: frozenset[str],
    seq: int = 0,
    begins_with_wall: bool,
    fleet: "FleetFolder | None" = None,
    wanted: "SessionFilter | None" = None,
    **options: "Unpack[ViewerOptions]",
) -> str:
    """Show a session live until the user leaves: the named one, or else the recent one of ``folder``, or the wall.

    With ``seq``, the thought at this entry is selected. The sessions of a ``fleet`` are shown in place of the folder's.
    Only those that are ``wanted`` are shown; None for all.

    Returns what the user wants next: "demo", or an empty string.
    """
    return _viewer("run").watch(
        named,
        folder=folder,
        stale=stale,
        sources=sources,
        seq=seq,
        begins_with_wall=begins_with_wall,
        fleet=fleet,
        **({"wanted": wanted} if wanted is not None else {}),
        **options,
    )


def watch_demo(
    find_journal: Callable[[], Path | None],
    error: Callable[[], str],
    *,
    folder: Path,
    stale: int,
    **options: "Unpack[ViewerOptions]",
) -> None:
    """Show the journal of a demo until the user leaves or the demo fails; ``find`` returns its path once it exists."""
    demo = _viewer("settings").Demo(find_journal, error)
    _viewer("run").watch(None, folder=folder, stale=stale, demo=demo, **options)


def watch_stdin(*, stale: int, **options: "Unpack[ViewerOptions]") -> int:
    """Show the journal on stdin until the user leaves."""
    _viewer("run").watch_stdin(stale=stale, **options)
    return 0


def replay(
    path: Path,
    *,
    at: int | None,
    number: int,
    seq: int,
    speed: float,
    idle_limit: float,
    is_looping: bool,
    **options: "Unpack[ViewerOptions]",
) -> int:
    """Play a saved session until the user leaves, or show it at its ``at``-th thought by arrival (0: at its end).

    Else it is shown at the thought with a ``number``, or at the entry ``seq``, unless these are 0.
    """
    _viewer("run").replay(
        path, at=at, number=number, seq=seq, speed=speed, idle_limit=idle_limit, is_looping=is_looping, **options
    )
    return 0


def record(
    path: Path,
    *,
    size: tuple[int, int],
    speed: float,
    idle_limit: float,
    theme: str,
    decode: "LineDecoder",
    shown: str | None,
    report: Callable[[float], object],
) -> "Recording":
    """Return the recording of a replay in a terminal of ``size``; ``report`` gets the share that is done."""
    return _viewer("run").record(
        path,
        size=size,
        speed=speed,
        idle_limit=idle_limit,
        theme=theme,
        decode=decode,
        shown=shown,
        report=report,
    )


def put_off_collections() -> None:
    """Collect no garbage until the viewer is loaded: nearly all that is loaded before it stays, too."""
    gc.disable()


def _viewer(module: str) -> Any:  # noqa: ANN401 - loaded by name: a command that draws nothing must not load it
    os.environ.setdefault("TEXTUAL_FPS", FRAMES_PER_SECOND)  # Textual reads it on import
    # Hundreds of thousands of objects, and nearly all stay: scanning them for garbage would only take time.
    gc.disable()
    try:
        return importlib.import_module(f"tui.{module}")
    finally:
        gc.freeze()
        gc.enable()
