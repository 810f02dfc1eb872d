"""Records a replay of the viewer: what it writes to a terminal of a given size, frame by frame.

The viewer runs as in a terminal, with a driver that keeps what is written. Nothing waits for time to pass: the
recorder gives playback its time, and goes from one change of the screen to the next.
"""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from rich.color import Color
from rich.console import Console
from rich.style import Style as RichStyle
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.filter import LineFilter, Monochrome, NoColor
from textual.pilot import Pilot
from typing_extensions import override

from seqthink.chain.native.switchable_fold import Shown
from seqthink.core.errors import SeqthinkError
from seqthink.core.text import one_line
from seqthink.drawing.describe.session import session_name
from seqthink.drawing.text.spans import Role
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.share.recordings.recording import CellStyle, Frame, Recording, Row, StyledText
from tui.app import Viewer
from tui.session_view.playback_control import MIN_FRAME_SECONDS
from tui.settings import Settings
from tui.theme import THEMES

TIMEOUT_SECONDS = 60.0
"""Limit for one change of the screen."""
FIRST_LOOK_SECONDS, LAST_LOOK_SECONDS = 0.001, 0.02
"""How long to wait, ever longer, between two looks whether the journal has been read."""


def record(
    path: Path,
    settings: Settings,
    size: tuple[int, int],
    *,
    shown: Shown | None = None,
    report: Callable[[float], object] = bool,
) -> Recording:
    """Return the recording of a replay of the journal at ``path``.

    Args:
        path: the journal.
        settings: colours, speed, the longest pause, the time zone.
        size: columns and lines of the terminal.
        shown: what of a transcript is shown; None for what the viewer would show.
        report: called with the share that is recorded, from 0 to 1.

    Raises:
        SeqthinkError: the viewer failed.
    """
    recorder = _Recorder(path, settings, shown, report)
    viewer = recorder.viewer
    asyncio.run(recorder.run(size))
    if isinstance(viewer.failure, SeqthinkError):
        raise viewer.failure
    if viewer.failure is not None or not recorder.frames:
        reason = one_line(str(viewer.failure or "nothing was drawn"))[:200]
        raise SeqthinkError(f"the viewer failed while it was recorded: {reason}; the journal is not affected")
    session = viewer.session_screen.state.feed.session
    return Recording(
        title=session_name(session),
        started_at=session.positions.time_at(session.positions.first) // 1_000_000,
        columns=size[0],
        lines=size[1],
        background=THEMES[settings.theme].background,
        frames=recorder.frames,
    )


class RecordingDriver(HeadlessDriver):
    """A terminal of a fixed size, without keys, that keeps what is written to it."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)  # pyright: ignore[reportUnknownMemberType] - Textual leaves out what its app ends with
        self._written: list[str] = []

    @property
    @override
    def is_headless(self) -> bool:
        return False

    @override
    def write(self, data: str) -> None:
        """Keep it as a terminal gets it, which has a return before each line feed."""
        self._written.append(data.replace("\n", "\r\n"))

    def take_written(self) -> str:
        """Return what was written since the last call."""
        written = "".join(self._written)
        self._written.clear()
        return written


class RecordedViewer(Viewer):
    """A viewer whose colours depend on its theme alone, not on the terminal that the command was started in."""

    def __init__(self, path: Path, settings: Settings) -> None:
        super().__init__(path, settings)
        self.console = Console(
            color_system="truecolor", file=self.console.file, force_terminal=True, highlight=False, legacy_windows=False
        )
        self.driver_class = RecordingDriver

    @override
    def get_line_filters(self) -> list[LineFilter]:
        """Leave out what `NO_COLOR` asks for."""
        return [one for one in super().get_line_filters() if not isinstance(one, Monochrome | NoColor)]

    def take_written(self) -> str:
        """Return what was written to the terminal since the last call."""
        driver = self._driver
        return driver.take_written() if isinstance(driver, RecordingDriver) else ""

    def rows(self) -> Iterator[Row]:
        """Yield the rows of the screen."""
        theme = THEMES[self._settings.theme]
        for strip in self.screen._compositor.render_strips():  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - there is no public way to see it
            yield tuple(
                StyledText(segment.text, _style(segment.style or RichStyle(), theme.roles[Role.TEXT], theme.background))
                for segment in strip.simplify()
            )

    @property
    def has_frame_due(self) -> bool:
        """Whether something is drawn that is not painted yet."""
        screen: Any = self.screen  # Textual does not say it in public
        return bool(screen._layout_required or screen._repaint_required or screen._dirty_widgets)  # noqa: SLF001


def _style(style: RichStyle, text: str, surface: str) -> CellStyle:
    colour, background = _hex(style.color, text), _hex(style.bgcolor, surface)
    if style.reverse:
        colour, background = background, colour
    return CellStyle(
        colour,
        background,
        is_bold=bool(style.bold),
        is_italic=bool(style.italic),
        is_underlined=bool(style.underline),
        is_struck=bool(style.strike),
    )


def _hex(colour: Color | None, default: str) -> str:
    return default if colour is None or colour.is_default else colour.get_truecolor().hex


class _Recorder:
    """Plays a replay from its start to its end, as its auto pilot, and keeps the frames."""

    def __init__(self, path: Path, settings: Settings, shown: Shown | None, report: Callable[[float], object]) -> None:
        self.frames: list[Frame] = []
        self._shown, self._report = shown, report
        self._playing: asyncio.Task[Any] | None = None
        self._seconds = 0.0
        self._ended_at: int = 0
        replayed = replace(
            settings,
            # Other sessions of the folder do not concern who sees the recording.
            catalog=SessionCatalog(label_book=settings.catalog.label_book),
            clock=lambda: self._ended_at,
            playback_clock=lambda: self._seconds,
            has_motion=False,
            is_replay=True,
        )
        self.viewer = RecordedViewer(path, replayed)

    async def run(self, size: tuple[int, int]) -> None:
        """Run the viewer until all is recorded. Ctrl+C ends both at once: Textual would wait for its pilot."""
        running = asyncio.create_task(self.viewer.run_async(size=size, mouse=False, auto_pilot=self._play))
        try:
            await asyncio.wait({running})
        except asyncio.CancelledError:
            if self._playing is not None:
                self._playing.cancel()
            running.cancel()
            await asyncio.wait({running})
            raise
        await running

    async def _play(self, pilot: Pilot[Any]) -> None:
        """Record all of it, then end the viewer."""
        self._playing = asyncio.current_task()
        viewer, screen = self.viewer, self.viewer.session_screen
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._until_ready()
            if self._shown is not None:
                screen.loader.show(self._shown)
            playback, state = screen.playback, screen.state
            positions = state.feed.session.positions
            self._ended_at = positions.time_at(positions.end)  # so the same session gives the same recording
            playback.seek(positions.first)
            if not state.playback.is_playing:
                playback.toggle()
            await self._add_frame(pilot)
            while (wait := state.playback.seconds_to_next(positions, self._seconds)) is not None:
                self._seconds += max(MIN_FRAME_SECONDS, wait)
                playback.advance()
                await self._add_frame(pilot)
                self._report(state.playback.position / positions.end)
        finally:
            viewer.exit()

    async def _until_ready(self) -> None:
        pause = FIRST_LOOK_SECONDS
        while not self.viewer.is_ready:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LAST_LOOK_SECONDS)

    async def _add_frame(self, pilot: Pilot[Any]) -> None:
        """Add the screen once it is painted, unless it is the one before."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await pilot.pause()
            while self.viewer.has_frame_due:
                await pilot.pause(0)
        written, rows = self.viewer.take_written(), tuple(self.viewer.rows())
        if not self.frames or rows != self.frames[-1].rows:
            self.frames.append(Frame(self._seconds, written, rows))
        elif written:
            self.frames[-1] = replace(self.frames[-1], written=self.frames[-1].written + written)
