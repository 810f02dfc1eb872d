"""Recordings for tests: of the viewer, and small ones that need none."""

from collections.abc import Callable
from datetime import UTC
from pathlib import Path

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.share.recordings.recording import CellStyle, Frame, Recording, Row, StyledText
from tui.recording import record
from tui.settings import Settings

TEXT, SURFACE = "#eeeeee", "#111111"
PLAIN, MARKED = CellStyle(TEXT, SURFACE), CellStyle("#ffff00", "#222222", is_bold=True)


def recorded(
    journal: Path,
    size: tuple[int, int] = (60, 16),
    *,
    speed: float = 1.0,
    idle_limit: float = 2.0,
    report: Callable[[float], object] = bool,
) -> Recording:
    """Return the recording of a journal's replay."""
    settings = Settings(
        folder=journal.parent, catalog=SessionCatalog(), clock=lambda: 0, zone=UTC, speed=speed, idle_limit=idle_limit
    )
    return record(journal, settings, size, report=report)


def small_recording(title: str = "small", *, said: str = "two") -> Recording:
    """Return a recording of 8 columns and 2 lines: the second line changes after 1.5 and after 2.5 seconds."""
    first: Row = (StyledText("one", MARKED), StyledText("     ", PLAIN))
    seconds: list[Row] = [
        (StyledText("        ", PLAIN),),
        (StyledText(f"  {said:6}", PLAIN),),
        (StyledText("  three ", MARKED),),
    ]
    frames = [
        Frame(at, f"\x1b[2;1H{place}", (first, second))
        for place, (at, second) in enumerate(zip((0.0, 1.5, 2.5), seconds, strict=True))
    ]
    return Recording(title=title, started_at=1_773_151_320, columns=8, lines=2, background=SURFACE, frames=frames)
