"""The viewer: wires feed, viewing and board, and draws what arrives."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

from textual import events, work
from textual.app import ComposeResult
from textual.filter import LineFilter
from textual.worker import WorkerFailed
from typing_extensions import override

from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.status_line import last_activity
from seqthink.drawing.timeline import Timeline
from seqthink.errors import UsageError
from seqthink.journal.follow import follow, follow_folder, follow_stdin
from seqthink.journal.reader import Batch
from seqthink.text import one_line
from tui import watching
from tui.bookmark import Bookmark
from tui.feed import Feed
from tui.garbage import Garbage
from tui.going import Going
from tui.pace import Pace
from tui.safety import NoControls
from tui.settings import Settings
from tui.shown import Shown
from tui.theme import THEMES
from tui.viewing import Viewing
from tui.watching import Conclusion

OPENING_SECONDS = 0.3
"""An opening that takes longer shows what it has; from then on it says this often how far it is."""
ROWS_SECONDS = 1.0
"""Meanwhile the rows follow at a calm pace."""
GROWN_SECONDS = 0.02
"""The tree of a long journal takes in so much at a time that no key waits for long."""
TURNS = 8
"""Of the event loop between two slices of a long journal: a key takes dozens of them to its frame."""


class Viewer(Going):
    """Shows one session at a time; it ends with what the person wants next: ``demo``, or nothing."""

    TITLE = "seqthink"

    def __init__(self, path: Path | None, settings: Settings) -> None:
        super().__init__(Shown(feed=Feed(path), viewing=Viewing()), settings)
        self._pace = Pace()
        self._grown_at = 0.0
        self._is_due = False
        self._has_drawn = self._is_frozen = False
        self._told_at = self._rows_at = 0.0
        self._garbage = Garbage(self._loop_time)
        self._is_looking_around = False
        self._conclusion = Conclusion()
        self._other: Path | None = None
        self._no_controls = NoControls()  # one for all: what a filter gave is kept under its identity
        self._has_frame = asyncio.Event()
        self.failure: Exception | None = None

    @property
    def is_ready(self) -> bool:
        """Whether what there is to show has been read and drawn."""
        shown = self._shown
        return self._has_drawn and (shown.feed.path is None or shown.feed.is_loaded) and not self._is_due

    @override
    def compose(self) -> ComposeResult:
        yield self._board

    def on_mount(self) -> None:
        """Begin to read and to draw."""
        settings = self._settings
        self.screen.styles.background = THEMES[settings.look].background or "ansi_default"
        self.set_interval(1, self._tick)
        self.call_after_refresh(self._has_frame.set)
        if settings.pipe is not None:
            self._read(follow_stdin(settings.pipe, decode=settings.decode))
        elif self._shown.feed.path is not None:
            self._address_notes()
            self._read(follow(self._shown.feed.path, decode=settings.decode))
        else:
            self._look_around_first()

    @override
    def get_line_filters(self) -> Sequence[LineFilter]:
        """Add the backstop that keeps controls from the terminal."""
        return [*super().get_line_filters(), self._no_controls]

    @override
    def _handle_exception(self, error: Exception) -> None:
        """Leave the terminal as it was and keep the error: Textual's own report would show thoughts, unsanitized."""
        if self.is_headless:
            super()._handle_exception(error)
            return
        self._give_up(error.error if isinstance(error, WorkerFailed) and isinstance(error.error, Exception) else error)

    @override
    async def on_event(self, event: events.Event) -> None:
        """Notice that the person is there: a key, a click, the wheel, but not a mouse that only moves."""
        if isinstance(
            event, events.Key | events.Paste | events.MouseDown | events.MouseScrollDown | events.MouseScrollUp
        ):
            self._conclusion.touch()
        await super().on_event(event)

    # Reading

    @work(exclusive=True, group="journal")
    async def _read(self, batches: AsyncGenerator[Batch, None]) -> None:
        try:
            async with aclosing(batches):
                async for batch in batches:
                    self._take(batch)
                    if self._shown.is_opening:
                        await self._has_frame.wait()  # else each step of the start would wait for a slice
                        for _ in range(TURNS):
                            await asyncio.sleep(0)
        except (OSError, UsageError) as error:
            self._shown.feed.remark = one_line(f"cannot be read: {error}")
            self._draw()

    def _look_around_first(self) -> None:
        # before the first frame, which else would show nothing for a moment
        try:
            self._shown.last = watching.last_in_words(self._settings.folder, self._settings.clock())
            self._choose()
        except UsageError as error:
            self._give_up(error)
        else:
            self._conclusion = Conclusion(is_old=True)
            self._is_looking_around = self._settings.demo is None
            self._look_around()

    @work(exclusive=True, group="folder")
    async def _look_around(self) -> None:
        """Show the session that is worth it, whenever there is another one."""
        loop = asyncio.get_running_loop()
        try:
            async with aclosing(follow_folder(self._settings.folder)) as hints:
                async for announced in hints:
                    if announced or self._shown.feed.path is None:
                        before = loop.time()
                        self._choose()
                        # Looking through thousands of files may take a tenth of the time, not more.
                        await asyncio.sleep(10 * (loop.time() - before))
        except UsageError as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.failure = self.failure or error
        self.exit(return_code=1)

    def _choose(self) -> None:
        folder, demo, current = self._settings.folder, self._settings.demo, self._shown.feed.path
        if current is None:
            found = demo.find() if demo else watching.worth_showing(folder, self._settings.clock())
            if found is not None:
                self.open(found)
            elif demo is not None and demo.trouble():
                self.exit()
        elif demo is None:
            self._look_for_newer(current)

    def _look_for_newer(self, current: Path) -> None:
        folder, shown = self._settings.folder, self._shown
        newest = watching.newer(current, folder, self._settings.clock())
        if newest is not None and self._may_leave:
            self.open(newest)
            return
        live = watching.live_beside(current, folder)
        shown.live = len(live)
        if newest is not None:
            shown.newer = f"{watching.named(newest)} {self._settings.signs.separator} s"
            self._other = newest
        elif self._conclusion.has_ended:
            shown.newer, self._other = "", next(iter(live), None)
        shown.announced = self._other.stem if self._other is not None else ""
        self._look_beside()

    def _look_beside(self) -> None:
        """Show the state of another session once the one shown has ended."""
        shown, before = self._shown, self._shown.beside
        other = self._other if self._conclusion.has_ended else None
        shown.beside = watching.beside(other, self._settings) if other is not None else None
        if shown.beside != before:
            self._draw()

    @property
    def _may_leave(self) -> bool:
        """Whether another session may take the place of the one shown: the person follows, and nothing is unread."""
        shown, session = self._shown, self._shown.viewing.session
        if self._is_chosen or self._conclusion.is_unread or (session is not None and self._is_thinking(session)):
            return False
        is_reading = shown.is_reading or shown.is_text_active or shown.has_field or len(self.screen_stack) > 1
        return shown.viewing.is_following and not shown.is_past and not is_reading

    def _is_thinking(self, session: Session) -> bool:
        """Whether a session thinks, as far as anybody knows: one that is quiet may have been left."""
        quiet = self._settings.clock() - last_activity(session)
        return session.state is State.THINKING and quiet <= self._settings.stale * 1_000_000

    @override
    def open(self, path: Path) -> None:
        """Show the journal at ``path``; a replay goes on where it was left."""
        self._leave()
        super().open(path)
        self._garbage.unsettle()
        self._rows_at, self._is_frozen = 0.0, False
        self._shown.feed, self._shown.viewing = Feed(path), Viewing()
        self._shown.newer = self._shown.announced = ""
        self._shown.beside = self._other = None
        self._conclusion = Conclusion()
        self._shown.bookmark = None
        self._resume_at = self._left.get(path)
        self._reset_find()
        self._aim()
        self._address_notes()
        self._read(follow(path, decode=self._settings.decode))

    def _take(self, batch: Batch) -> None:
        feed = self._shown.feed
        if batch.restarted is not None:
            self._begin_anew()
        feed.take(batch)
        if not feed.is_loaded:
            self._open_on()
        elif not self._is_due:
            self._is_due = True
            self._arrive_in_turn()

    def _begin_anew(self) -> None:
        """Forget what is shown, since the file is another one; where the person was is looked for in it."""
        shown, texts = self._shown, self._shown.feed.texts
        is_timeline, height = (shown.find.home or shown.viewing).is_timeline, shown.viewing.height
        if texts is not None:
            shown.bookmark = Bookmark.of(shown.viewing, texts.row_text) or shown.bookmark
        self._reset_find()
        self._aim()
        self._address_notes()
        shown.viewing = Viewing(Timeline() if is_timeline else None)
        shown.viewing.resize(height)

    @override
    def _show_moment(self) -> None:
        super()._show_moment()
        self._return()

    def _return(self) -> None:
        """Go back to where the person was, once that has been read again; whoever moved meanwhile stays."""
        shown, texts = self._shown, self._shown.feed.texts
        bookmark, viewing = shown.bookmark, shown.viewing
        if bookmark is None or texts is None:
            return
        is_over = shown.feed.is_current and shown.feed.session.thought_count > bookmark.index
        if not viewing.is_following or bookmark.restore(viewing, texts.row_text) or is_over:
            shown.bookmark = None

    def _open_on(self) -> None:
        """Take in another slice of a long journal; the person may already move in what is there."""
        now = asyncio.get_running_loop().time()
        if now - self._grown_at > GROWN_SECONDS:
            self._grown_at = now
            self._show_moment()
        if self._has_drawn and now - self._told_at > OPENING_SECONDS:
            self._told_at = now
            if now - self._rows_at > ROWS_SECONDS:
                self._rows_at = now
                self._draw()
            else:
                self._draw_state()

    @override
    def _draw(self) -> None:
        super()._draw()
        self._pace.draw(self._loop_time())
        self.call_after_refresh(lambda: self._pace.paint(self._loop_time()))

    @staticmethod
    def _loop_time() -> float:
        return asyncio.get_running_loop().time()

    def _arrive_in_turn(self) -> None:
        wait = self._pace.wait(self._loop_time())
        if wait > 0:
            self.set_timer(wait, self._arrive_in_turn)
        else:
            self._arrive()

    def _arrive(self) -> None:
        self._is_due = False
        self._pace.arrive(self._loop_time())
        self._shown.feed.probe()
        before = self._shown.viewing.session.thought_count if self._shown.viewing.session is not None else 0
        self._show_moment()
        self._look_for_notes()
        if self._is_frozen:
            self._welcome(before)
        if self._settings.demo is not None and self._shown.feed.session.end_event is not None:
            self._rest()
        self._draw()
        if not self._is_frozen:
            self._is_frozen = True
            self._garbage.settle()
        has_changed, path = self._conclusion.look(self._shown.feed.session.state), self._shown.feed.path
        if has_changed and self._is_looking_around and path is not None:
            self._look_for_newer(path)

    def _tick(self) -> None:
        if self._settings.has_hung_up():
            self.exit()
            return
        self._garbage.look()
        shown = self._shown
        shown.feed.rest()
        if shown.newer and shown.feed.path is not None and self._may_leave:
            self._look_for_newer(shown.feed.path)  # the one shown may be quiet by now, or its end has been seen
        elif shown.beside is not None:
            self._look_beside()
        if shown.viewing.session is None:
            self._draw()
        elif not shown.is_replay and shown.feed.probe():
            self._arrive()
        elif self._look_for_notes():
            self._draw()
        else:
            self._draw_state()

    # Drawing

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the parts anew; selection and place stay."""
        if not self._has_drawn:
            self._has_drawn, self._told_at = True, asyncio.get_running_loop().time()
        self._board.draw(self._shown, event.size.width, event.size.height)
