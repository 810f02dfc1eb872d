"""A viewer at the keys of a test: waiting for it, and what its screen shows."""

# What is shown is asked of the screen itself, not of its picture.

import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, timedelta
from pathlib import Path

import anyio
from textual.pilot import Pilot

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from tests.support.journals.build import START, JournalBuilder
from tests.support.screens.idle import wait_for_frame
from tui.app import Viewer
from tui.screens.sessions import SessionsScreen
from tui.settings import Settings
from tui.widgets.line_view import LineView, OneLine

BOUND = 60.0
NOW = int((START + timedelta(minutes=5)).timestamp() * 1_000_000)


async def until(pilot: Pilot[str], holds: Callable[[], bool]) -> None:
    with anyio.fail_after(BOUND):
        while not holds():
            await pilot.pause(0.01)
        await wait_for_frame()


def viewer_of(pilot: Pilot[str]) -> Viewer:
    app = pilot.app
    assert isinstance(app, Viewer)
    return app


def sessions_of(pilot: Pilot[str]) -> SessionsScreen:
    screen = pilot.app.screen
    assert isinstance(screen, SessionsScreen)
    return screen


def drawn(view: LineView) -> list[str]:
    return [view.render_line(y).text for y in range(view.size.height)]


def line(pilot: Pilot[str], name: str) -> str:
    return pilot.app.screen_stack[0].query_one(f"#{name}", OneLine).text


def screen_text(pilot: Pilot[str]) -> str:
    return "\n".join("\n".join(drawn(view)) for view in pilot.app.screen.query(LineView) if view.display)


def write(folder: Path, name: str, journal: JournalBuilder) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_bytes(b"".join(journal.lines))
    changed = journal.now.timestamp()
    os.utime(path, (changed, changed))
    return path


@asynccontextmanager
async def running(path: Path | None, folder: Path, *, width: int = 120, height: int = 30) -> AsyncGenerator[Pilot[str]]:
    app = Viewer(
        path, Settings(folder=folder, catalog=SessionCatalog(FolderPlace(folder)), clock=lambda: NOW, zone=UTC)
    )
    async with app.run_test(size=(width, height)) as pilot:
        await until(pilot, lambda: app.is_ready)
        yield pilot
