"""A viewer under test: the text on its screen, and how to wait for it.

All private members of Textual that tests use are used here.
"""

import asyncio
import fcntl
import socket
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, tzinfo
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import anyio
from textual.pilot import Pilot
from textual.strip import Strip

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.viewer_store.label_book import LabelBook
from tests.support.journals.build import JournalBuilder
from tests.support.screens.idle import wait_for_frame
from tui.app import Viewer
from tui.session_view.screen import SessionScreen
from tui.settings import Settings

TIMEOUT_SECONDS = 60.0
NEVER = 1 << 60


def rests() -> Iterator[float]:
    """Yield how many seconds to rest between two looks: ever longer, since the screen is not drawn for nothing."""
    return chain((0.0, 0.002, 0.005, 0.01), repeat(0.02))


def _strips(app: Viewer) -> list[Strip]:
    return app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage] - there is no public way to see it


def fail_in(app: Viewer, error: Exception) -> None:
    """Let a handler of ``app`` have failed with ``error``."""
    app._handle_exception(error)  # pyright: ignore[reportPrivateUsage] - Textual calls it, and has no public way


def lines_of(app: Viewer) -> list[str]:
    """Return the rows of the screen at full width."""
    return ["".join(segment.text for segment in strip) for strip in _strips(app)]


def text_of(app: Viewer) -> str:
    """Return the screen without trailing blanks and blank lines."""
    return "\n".join(line.rstrip() for line in lines_of(app)).rstrip()


def colours_of(app: Viewer) -> set[str]:
    """Return the colours on the screen."""
    styles = [segment.style for strip in _strips(app) for segment in strip if segment.style]
    named = [colour for style in styles for colour in (style.color, style.bgcolor) if colour is not None]
    return {colour.name for colour in named if not colour.is_default}


class Stage:
    """A running viewer and its simulated user."""

    def __init__(self, app: Viewer, pilot: Pilot[str]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def session(self) -> SessionScreen:
        return self.app.session_screen

    @property
    def text(self) -> str:
        return text_of(self.app)

    @property
    def lines(self) -> list[str]:
        return lines_of(self.app)

    @property
    def cursor(self) -> str:
        """The selected row."""
        return next((line for line in self.lines if line.startswith(("▌", ">"))), "")

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for ``condition``, at most `TIMEOUT_SECONDS`, and until the whole screen is drawn."""
        try:
            with anyio.fail_after(TIMEOUT_SECONDS):
                for delay in rests():
                    if condition():
                        await wait_for_frame()
                        return
                    await self.pilot.pause(delay)
        except TimeoutError:
            raise AssertionError(f"it did not come to that:\n{self.text}") from None

    async def shows(self, *words: str) -> None:
        """Wait until all ``words`` are on the screen."""
        await self.until(lambda: all(word in self.text for word in words))

    async def press(self, *keys: str) -> str:
        """Press keys, wait until everything is drawn, and return the screen."""
        await self.pilot.press(*keys)
        await self.pilot.pause()
        return self.text

    async def resize(self, width: int, height: int) -> str:
        await self.pilot.resize_terminal(width, height)
        await self.pilot.pause()
        return self.text


def settings_of(folder: Path, *, now: int = NEVER, zone: tzinfo = UTC, **more: Any) -> Settings:  # noqa: ANN401 - whatever a test hands over
    """Return settings with a clock fixed at ``now``; without a ``catalog``, for the journals of ``folder``."""
    kept = more.get("viewer_folder")
    book = LabelBook(kept) if kept is not None else None
    more.setdefault("catalog", SessionCatalog(FolderPlace(folder), label_book=book))
    return Settings(folder=folder, clock=lambda: now, zone=zone, **more)


def after(journal: JournalBuilder, seconds: float) -> int:
    """Return the time ``seconds`` after the last event, in microseconds since 1970."""
    return int((journal.now.timestamp() + seconds) * 1_000_000)


@asynccontextmanager
async def running_viewer(
    path: Path | None, size: tuple[int, int], settings: Settings, *, is_ready: bool = True
) -> AsyncGenerator[Stage]:
    """Run a viewer on a screen of ``size``; by default wait until the journal is drawn."""
    app, before = Viewer(path, settings), asyncio.all_tasks()
    async with app.run_test(size=size) as pilot:
        stage = Stage(app, pilot)
        if is_ready:
            await stage.until(lambda: app.is_ready)
            await pilot.pause()
        yield stage
    assert asyncio.all_tasks() == before, "what the viewer began has ended with it"


@contextmanager
def locked_journal(path: Path) -> Generator[None]:
    """Lock a journal as a running server does; the journal must name this host."""
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


HOST = socket.gethostname()
