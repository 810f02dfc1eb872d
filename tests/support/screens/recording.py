"""Records the viewer while a story is played: the screen at each thought, and each second between."""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import anyio
from textual.pilot import Pilot

from seqthink.cli.stories.story import DemoStory, StoryStep
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from tests.support.journals.build import SESSION, START, JournalBuilder
from tui.app import Viewer
from tui.settings import Settings

TIMEOUT_SECONDS = 60.0


class Frame(NamedTuple):
    """The screen from a time on, in seconds since the first frame."""

    at: float
    svg: str


async def record(story: DemoStory, home: Path, size: tuple[int, int]) -> list[Frame]:
    """Return the frames while a server writes the thoughts of ``story``, at the story's pace."""
    folder = home / ".local/state/seqthink/sessions"
    folder.mkdir(parents=True)
    path = folder / f"{SESSION}.jsonl"
    path.touch()
    start = int(START.timestamp() * 1_000_000)
    now = [start]
    frames: list[Frame] = []
    with ExitStack() as held:
        held.enter_context(patch.dict(os.environ, HOME=str(home)))
        fcntl.flock(held.enter_context(path.open("rb")), fcntl.LOCK_EX)
        app = Viewer(
            path,
            Settings(
                folder=folder,
                catalog=SessionCatalog(FolderPlace(folder)),
                clock=lambda: now[0],
                zone=UTC,
                has_motion=False,
            ),
        )
        async with app.run_test(size=size) as pilot:
            written = 0
            for second, lines in _moments(story):
                with path.open("ab") as file:
                    file.write(b"".join(lines))
                written += len(lines)
                now[0] = start + round(second * 1_000_000)
                await _drawn(app, pilot, written)
                frames.append(Frame(second, app.export_screenshot(title="seqthink watch")))
    return frames


async def _drawn(app: Viewer, pilot: Pilot[Any], lines: int) -> None:
    with anyio.fail_after(TIMEOUT_SECONDS):
        while not app.is_ready or app.session_screen.state.feed.session.entry_count < lines:
            await pilot.pause()
    app.session_screen.tick()
    await pilot.pause()


def _moments(story: DemoStory) -> Iterator[tuple[float, list[bytes]]]:
    """Yield each time at which something changes, and the lines that the journal has gained by then."""
    builder = JournalBuilder().session(cwd=f"/home/ana/{story.title}", host=socket.gethostname())
    at, written = 0.0, 0
    for place, step in enumerate(story.steps):
        before, at = at, at + (step.pause_seconds if place else 0)
        yield from ((float(second), []) for second in range(int(before) + 1, int(at) + 1) if before < second < at)
        _add(builder, step, step.pause_seconds if place else 0)
        yield at, builder.lines[written:]
        written = len(builder.lines)


def _add(builder: JournalBuilder, step: StoryStep, after: float) -> None:
    if step.is_refused:
        error = f'Invalid totalThoughts: must be a positive integer, got "{step.arguments["totalThoughts"]}"'
        builder.rejected(error, arguments=step.arguments, after=after)
    else:
        builder.event("thought", step.arguments, after=after)
