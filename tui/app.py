"""The viewer application: follows a journal, updates the view state and draws it."""

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
from seqthink.drawing.describe.session import last_activity
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.errors import UsageError
from seqthink.journal.follow import follow, follow_folder, follow_stdin
from seqthink.journal.reader import Batch
from seqthink.text import one_line
from tui.app_actions import AppActions
from tui.settings import Settings
from tui.state import session_choice
from tui.state.bookmark import Bookmark
from tui.state.frame_pacing import FramePacer
from tui.state.journal_feed import JournalFeed
from tui.state.session_choice import EndNotice
from tui.state.view_state import ViewState
from tui.state.viewport import Viewport
from tui.terminal.control_filter import ControlCharacterFilter
from tui.terminal.garbage_collection import GarbageScheduler
from tui.theme import THEMES

OPENING_REPORT_SECONDS = 0.3
"""Loading that takes longer shows partial content; progress is then updated at this interval."""
OPENING_DRAW_SECONDS = 1.0
"""Interval between full redraws while a journal loads."""
OPENING_GROWTH_SECONDS = 0.02
"""Interval between tree updates while a journal loads, so that keys stay responsive."""
LOOP_TURNS_PER_SLICE = 8
"""Event loop turns between two slices of a long journal: a key press takes dozens of turns to its frame."""


class Viewer(AppActions):
    """Shows one session at a time; exits with the requested next command: ``demo`` or nothing."""

    TITLE = "seqthink"

    def __init__(self, path: Path | None, settings: Settings) -> None:
        super().__init__(ViewState(feed=JournalFeed(path), viewport=Viewport()), settings)
        self._pacer = FramePacer()
        self._tree_grown_at = 0.0
        self._is_arrival_due = False
        self._has_drawn = self._is_memory_settled = False
        self._status_drawn_at = self._rows_drawn_at = 0.0
        self._garbage_scheduler = GarbageScheduler(self._loop_time)
        self._is_watching_folder = False
        self._end_notice = EndNotice()
        self._other_path: Path | None = None
        self._control_filter = ControlCharacterFilter()  # shared: strips cache filter results by the filter's identity
        self._first_frame_drawn = asyncio.Event()
        self.failure: Exception | None = None

    @property
    def is_ready(self) -> bool:
        """Whether everything available has been read and drawn."""
        view_state = self._view_state
        return (
            self._has_drawn and (view_state.feed.path is None or view_state.feed.is_loaded) and not self._is_arrival_due
        )

    @override
    def compose(self) -> ComposeResult:
        yield self._panes

    def on_mount(self) -> None:
        """Start reading and drawing."""
        settings = self._settings
        self.screen.styles.background = THEMES[settings.theme].background or "ansi_default"
        self.set_interval(1, self._tick)
        self.call_after_refresh(self._first_frame_drawn.set)
        if settings.pipe is not None:
            self._read_journal(follow_stdin(settings.pipe, decode=settings.decode))
        elif self._view_state.feed.path is not None:
            self._switch_mailbox()
            self._read_journal(follow(self._view_state.feed.path, decode=settings.decode))
        else:
            self._start_watching_folder()

    @override
    def get_line_filters(self) -> Sequence[LineFilter]:
        """Add the filter that keeps control characters from the terminal."""
        return [*super().get_line_filters(), self._control_filter]

    @override
    def _handle_exception(self, error: Exception) -> None:
        """Restore the terminal and keep the error: Textual's own report would show thoughts, unsanitised."""
        if self.is_headless:
            super()._handle_exception(error)
            return
        self._fail(error.error if isinstance(error, WorkerFailed) and isinstance(error.error, Exception) else error)

    @override
    async def on_event(self, event: events.Event) -> None:
        """Treat a key, a click or the wheel as a sign that the user is present; mouse movement is none."""
        if isinstance(
            event, events.Key | events.Paste | events.MouseDown | events.MouseScrollDown | events.MouseScrollUp
        ):
            self._end_notice.acknowledge()
        await super().on_event(event)

    # Reading

    @work(exclusive=True, group="journal")
    async def _read_journal(self, batches: AsyncGenerator[Batch, None]) -> None:
        try:
            async with aclosing(batches):
                async for batch in batches:
                    self._add_batch(batch)
                    if self._view_state.is_opening:
                        await self._first_frame_drawn.wait()  # otherwise each step of the start would wait for a slice
                        for _ in range(LOOP_TURNS_PER_SLICE):
                            await asyncio.sleep(0)
        except (OSError, UsageError) as error:
            self._view_state.feed.remark = one_line(f"cannot be read: {error}")
            self._draw()

    def _start_watching_folder(self) -> None:
        # before the first frame, which otherwise would be blank for a moment
        try:
            self._view_state.last_session = session_choice.last_session_text(
                self._settings.folder, self._settings.clock()
            )
            self._choose_session()
        except UsageError as error:
            self._fail(error)
        else:
            self._end_notice = EndNotice(is_old=True)
            self._is_watching_folder = self._settings.demo is None
            self._watch_folder()

    @work(exclusive=True, group="folder")
    async def _watch_folder(self) -> None:
        """Show the most relevant session of the folder, and look again whenever the folder changes."""
        loop = asyncio.get_running_loop()
        try:
            async with aclosing(follow_folder(self._settings.folder)) as hints:
                async for announced in hints:
                    if announced or self._view_state.feed.path is None:
                        before = loop.time()
                        self._choose_session()
                        # Checking thousands of files may take at most a tenth of the time.
                        await asyncio.sleep(10 * (loop.time() - before))
        except UsageError as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self.failure = self.failure or error
        self.exit(return_code=1)

    def _choose_session(self) -> None:
        folder, demo, current = self._settings.folder, self._settings.demo, self._view_state.feed.path
        if current is None:
            found = demo.find_journal() if demo else session_choice.session_to_show(folder, self._settings.clock())
            if found is not None:
                self.open_session(found)
            elif demo is not None and demo.error():
                self.exit()
        elif demo is None:
            self._check_for_newer(current)

    def _check_for_newer(self, current: Path) -> None:
        folder, view_state = self._settings.folder, self._view_state
        newest = session_choice.newer_session(current, folder, self._settings.clock())
        if newest is not None and self._may_switch_session:
            self.open_session(newest)
            return
        live = session_choice.other_live_sessions(current, folder)
        view_state.live_count = len(live)
        if newest is not None:
            view_state.newer_session = f"{session_choice.session_name_of(newest)} {self._settings.signs.separator} s"
            self._other_path = newest
        elif self._end_notice.has_ended:
            view_state.newer_session, self._other_path = "", next(iter(live), None)
        view_state.announced_id = self._other_path.stem if self._other_path is not None else ""
        self._update_other_session()

    def _update_other_session(self) -> None:
        """Show the state of another session once the current one has ended."""
        view_state, before = self._view_state, self._view_state.other_session
        other = self._other_path if self._end_notice.has_ended else None
        view_state.other_session = (
            session_choice.read_other_session(other, self._settings) if other is not None else None
        )
        if view_state.other_session != before:
            self._draw()

    @property
    def _may_switch_session(self) -> bool:
        """Whether the viewer may switch sessions by itself: the user follows, and no end is unread."""
        view_state, session = self._view_state, self._view_state.viewport.session
        if (
            self._is_session_chosen
            or self._end_notice.is_unread
            or (session is not None and self._is_session_thinking(session))
        ):
            return False
        is_reading = (
            view_state.is_reading or view_state.is_text_active or view_state.has_input or len(self.screen_stack) > 1
        )
        return view_state.viewport.is_following and not view_state.is_past and not is_reading

    def _is_session_thinking(self, session: Session) -> bool:
        """Whether a session is thinking. One that has been quiet for the stale time may have been abandoned."""
        quiet = self._settings.clock() - last_activity(session)
        return session.state is State.THINKING and quiet <= self._settings.stale * 1_000_000

    @override
    def open_session(self, path: Path) -> None:
        """Show the journal at ``path``; a replay resumes at its last position."""
        self._remember_position()
        super().open_session(path)
        self._garbage_scheduler.unfreeze()
        self._rows_drawn_at, self._is_memory_settled = 0.0, False
        self._view_state.feed, self._view_state.viewport = JournalFeed(path), Viewport()
        self._view_state.newer_session = self._view_state.announced_id = ""
        self._view_state.other_session = self._other_path = None
        self._end_notice = EndNotice()
        self._view_state.bookmark = None
        self._resume_position = self._left_positions.get(path)
        self._reset_search()
        self._reset_playback()
        self._switch_mailbox()
        self._read_journal(follow(path, decode=self._settings.decode))

    def _add_batch(self, batch: Batch) -> None:
        feed = self._view_state.feed
        if batch.restarted is not None:
            self._restart_view()
        feed.add_batch(batch)
        if not feed.is_loaded:
            self._show_opening_progress()
        elif not self._is_arrival_due:
            self._is_arrival_due = True
            self._schedule_arrivals()

    def _restart_view(self) -> None:
        """Start over with a replaced file; a bookmark finds the user's position again."""
        view_state, texts = self._view_state, self._view_state.feed.texts
        is_timeline, height = (
            (view_state.search.unfiltered or view_state.viewport).is_timeline,
            view_state.viewport.height,
        )
        if texts is not None:
            view_state.bookmark = Bookmark.of_viewport(view_state.viewport, texts.row_text) or view_state.bookmark
        self._reset_search()
        self._reset_playback()
        self._switch_mailbox()
        view_state.viewport = Viewport(Timeline() if is_timeline else None)
        view_state.viewport.resize(height)

    @override
    def _update_viewport(self) -> None:
        super()._update_viewport()
        self._restore_bookmark()

    def _restore_bookmark(self) -> None:
        """Restore the bookmarked position once it has been read again, unless the user has moved meanwhile."""
        view_state, texts = self._view_state, self._view_state.feed.texts
        bookmark, viewport = view_state.bookmark, view_state.viewport
        if bookmark is None or texts is None:
            return
        is_over = view_state.feed.is_caught_up and view_state.feed.session.thought_count > bookmark.index
        if not viewport.is_following or bookmark.restore(viewport, texts.row_text) or is_over:
            view_state.bookmark = None

    def _show_opening_progress(self) -> None:
        """Show the next slice of a long journal; the user may already navigate in the part that is loaded."""
        now = asyncio.get_running_loop().time()
        if now - self._tree_grown_at > OPENING_GROWTH_SECONDS:
            self._tree_grown_at = now
            self._update_viewport()
        if self._has_drawn and now - self._status_drawn_at > OPENING_REPORT_SECONDS:
            self._status_drawn_at = now
            if now - self._rows_drawn_at > OPENING_DRAW_SECONDS:
                self._rows_drawn_at = now
                self._draw()
            else:
                self._draw_status()

    @override
    def _draw(self) -> None:
        super()._draw()
        self._pacer.record_draw(self._loop_time())
        self.call_after_refresh(lambda: self._pacer.record_paint(self._loop_time()))

    @staticmethod
    def _loop_time() -> float:
        return asyncio.get_running_loop().time()

    def _schedule_arrivals(self) -> None:
        wait = self._pacer.seconds_until_arrival(self._loop_time())
        if wait > 0:
            self.set_timer(wait, self._schedule_arrivals)
        else:
            self._show_arrivals()

    def _show_arrivals(self) -> None:
        self._is_arrival_due = False
        self._pacer.record_arrival(self._loop_time())
        self._view_state.feed.update_writer_state()
        before = self._view_state.viewport.session.thought_count if self._view_state.viewport.session is not None else 0
        self._update_viewport()
        self._update_waiting_notes()
        if self._is_memory_settled:
            self._highlight_new_rows(before)
        if self._settings.demo is not None and self._view_state.feed.session.end_event is not None:
            self._stay_at_end()
        self._draw()
        if not self._is_memory_settled:
            self._is_memory_settled = True
            self._garbage_scheduler.freeze_soon()
        has_changed, path = self._end_notice.update(self._view_state.feed.session.state), self._view_state.feed.path
        if has_changed and self._is_watching_folder and path is not None:
            self._check_for_newer(path)

    def _tick(self) -> None:
        if self._settings.has_hung_up():
            self.exit()
            return
        self._garbage_scheduler.collect_if_due()
        view_state = self._view_state
        view_state.feed.tick()
        if view_state.newer_session and view_state.feed.path is not None and self._may_switch_session:
            self._check_for_newer(view_state.feed.path)  # the session may be quiet by now, or its end read
        elif view_state.other_session is not None:
            self._update_other_session()
        if view_state.viewport.session is None:
            self._draw()
        elif not view_state.is_replay and view_state.feed.update_writer_state():
            self._show_arrivals()
        elif self._update_waiting_notes():
            self._draw()
        else:
            self._draw_status()

    # Drawing

    def on_resize(self, event: events.Resize) -> None:
        """Recompute the layout; selection and position stay."""
        if not self._has_drawn:
            self._has_drawn, self._status_drawn_at = True, asyncio.get_running_loop().time()
        self._panes.draw(self._view_state, event.size.width, event.size.height)
