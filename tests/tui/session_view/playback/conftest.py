"""A replay, or a session that is watched, with a clock that stands until a test moves it."""

# What is shown is asked of the screen itself where its picture does not show it.

import re
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from seqthink.drawing.panels.scrubber import time_axis
from seqthink.drawing.panels.time_axis import TimeAxis
from seqthink.library.live_session import load_journal
from tests.support.journals.build import SESSION, JournalBuilder, shop_api
from tests.support.screens.screen_text import HOST, Stage, locked_journal, running_viewer, settings_of
from tui.settings import Settings

LATER = "20260310T150000.000000Z-zzzzzz"
NARROW, WIDE = (44, 20), (120, 35)
TICK = 0.25


class Clock:
    """The clock of a replay; it stands, unless it is let run."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.is_running = False

    def read(self) -> float:
        return monotonic() if self.is_running else self.now

    async def play(self, stage: Stage, seconds: float) -> str:
        """Let time pass as a replay sees it."""
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            stage.session.playback.advance()
        await stage.pilot.pause()
        return stage.lines[0]


_CLOCK = Clock()
"""The clock of every replay here; `clock` sets it back."""


@pytest.fixture(autouse=True)
def clock() -> Clock:
    _CLOCK.now, _CLOCK.is_running = Clock().now, False
    return _CLOCK


def timed(folder: Path, **more: Any) -> Settings:  # noqa: ANN401 - whatever a test hands over
    return settings_of(folder, playback_clock=_CLOCK.read, **more)


def write(journal: JournalBuilder, folder: Path, session: str = SESSION, *, lines: int | None = None) -> Path:
    """Write a journal, or its first lines, as a server of this host would."""
    path = folder / f"{session}.jsonl"
    path.write_bytes(b"".join(journal.lines[:lines]).replace(b'"host":"desk"', f'"host":"{HOST}"'.encode()))
    return path


def append(path: Path, lines: list[bytes]) -> None:
    with path.open("ab") as file:
        file.write(b"".join(lines))


def straight(count: int, total: int = 30, gap: float = 1) -> JournalBuilder:
    journal = JournalBuilder().session(host=HOST)
    for number in range(1, count + 1):
        journal.thought(f"Step {number} of a long way", number, total, after=gap)
    return journal


@asynccontextmanager
async def replaying(
    path: Path,
    size: tuple[int, int] = NARROW,
    **more: Any,  # noqa: ANN401 - whatever a test hands over
) -> AsyncGenerator[Stage]:
    async with running_viewer(path, size, timed(path.parent, is_replay=True, **more)) as stage:
        yield stage


@asynccontextmanager
async def watching(path: Path, size: tuple[int, int] = NARROW, **more: Any) -> AsyncGenerator[Stage]:  # noqa: ANN401 - whatever a test hands over
    """Watch a journal whose server lives."""
    async with AsyncExitStack() as stack:
        stack.enter_context(locked_journal(path))
        yield await stack.enter_async_context(running_viewer(path, size, timed(path.parent, **more)))


def place(stage: Stage) -> tuple[int, int]:
    """Return what the first line says about the playhead: the thought, and their number."""
    found = re.search(r"([\d,]+) of ([\d,]+)|([\d,]+) thoughts?", stage.lines[0])
    assert found is not None, stage.lines[0]
    shown, whole = (found[1], found[2]) if found[1] else (found[3], found[3])
    return int(shown.replace(",", "")), int(whole.replace(",", ""))


def is_playing(stage: Stage) -> bool:
    state = stage.lines[0].split()[0]
    assert state in {"playing", "paused", "ended"}, stage.lines[0]
    return state == "playing"


def is_in_past(stage: Stage) -> bool:
    return stage.lines[0].startswith(("playing", "paused", "ended"))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write(shop_api(), tmp_path)


def axis_of(path: Path, size: tuple[int, int]) -> TimeAxis:
    return time_axis(load_journal(path).session, size[0])
