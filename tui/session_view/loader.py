"""Reads the journal on screen, and shows what arrives: in slices while it opens, then at a pace that leaves room."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import aclosing, suppress
from functools import partial
from pathlib import Path

from msgspec import UNSET

from seqthink.chain.native.switchable_fold import Shown
from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.journal.follow import follow
from seqthink.journal.reader import Batch
from seqthink.library.catalog.journal_feed import READING, JournalFeed
from seqthink.library.catalog.labelled import labels_of
from seqthink.library.places.place import PlacedSession
from seqthink.library.session_client import keeping_hint
from seqthink.library.viewer_store.shown_choices import ShownChoice, ShownChoices, merged
from tui.session_view.find import Find
from tui.session_view.note_entry import NoteEntry
from tui.session_view.playback_control import PlaybackControl
from tui.session_view.view import View, run_task
from tui.state.frame_pacing import FramePacer
from tui.state.viewport import Viewport
from tui.terminal.memory_tuning import GarbageScheduler
from tui.widgets.punctual import punctual

# It takes time to load, and most viewers show this machine's sessions.

OPENING_REPORT_SECONDS = 0.3
"""Loading that takes longer shows partial content; progress is then updated at this interval."""
OPENING_DRAW_SECONDS = 1.0
"""Interval between full redraws while a journal loads."""
OPENING_GROWTH_SECONDS = 0.02
"""Interval between tree updates while a journal loads, so that keys stay responsive."""
LOOP_TURNS_PER_SLICE = 8
"""Event loop turns between two slices of a long journal: a key press takes dozens of turns to its frame."""
IDLE_TURN_SECONDS = 0.00005
"""A shorter turn had nothing to do: after it the next slice follows at once."""


_SHOWN_WORDS = {
    Shown.THOUGHTS: "thoughts only",
    Shown.WORDS: "what agents said shown",
    Shown.EVERYTHING: "native reasoning shown",
}


class Loader:
    """Brings the journal into the view state, and arrivals onto the screen.

    Args:
        view: the session screen.
        playback: decides which part of the session is visible.
        find: starts over with another file.
        notes: starts over with another file.
        after_arrivals: called when arrivals are on the screen.
    """

    def __init__(
        self,
        view: View,
        *,
        playback: PlaybackControl,
        find: Find,
        notes: NoteEntry,
        after_arrivals: Callable[[], None],
    ) -> None:
        self._view = view
        self._playback = playback
        self._find = find
        self._notes = notes
        self._after_arrivals = after_arrivals
        self._has_hinted = False
        self._choices: dict[Path, ShownChoice] = {}
        folder = view.settings.viewer_folder
        self._kept_choices = ShownChoices(folder) if folder is not None and view.settings.demo is None else None
        self._pacer = FramePacer()
        self._garbage_scheduler = GarbageScheduler(view.settings.monotonic)
        self._first_frame_painted = asyncio.Event()
        self._has_drawn = self._is_arrival_due = self._is_memory_settled = False
        self._tree_grown_at = self._status_drawn_at = self._rows_drawn_at = 0.0

    @property
    def is_ready(self) -> bool:
        """Whether everything available has been read and drawn."""
        feed = self._view.state.feed
        return self._has_drawn and (feed.path is None or feed.is_loaded) and not self._is_arrival_due

    def _now(self) -> float:
        return self._view.settings.monotonic()

    # Reading

    def open(self, path: Path) -> None:
        """Show the journal at ``path`` instead of the current one."""
        view_state = self._view.state
        self._playback.leave()
        self._garbage_scheduler.unfreeze()
        self._rows_drawn_at, self._is_memory_settled = 0.0, False
        catalog = self._view.settings.catalog
        session = catalog.session(path)
        session.hold()  # a short transcript is read by that
        feed = JournalFeed(path, is_transcript=catalog.is_transcript(path), awaited_bytes=session.awaited_bytes)
        view_state.leave_session(feed)
        self._find.reset()
        self._playback.enter(path)
        self.follow_journal(path)

    def follow_journal(self, path: Path) -> None:
        """Follow the journal of the current feed."""
        self._view.state.feed.labels = labels_of(self._view.settings.catalog, path)
        choice = self._choices.setdefault(path, self._kept_choice(path))
        with suppress(ValueError):
            self._view.state.feed.shown_choice = Shown(choice.shown) if choice.shown is not UNSET else None
        self._view.state.feed.map_choice = choice.map if choice.map is not UNSET else None
        self._notes.switch_mailbox()
        session = self._view.settings.catalog.session(path)
        session.hold()
        self._run(partial(self._keep_up_to_date, session), session.task, "session", has_retries=True)
        self.read(lambda: follow(path, decode=self._view.settings.decode))

    async def _keep_up_to_date(self, session: PlacedSession) -> None:
        """Keep the journal on the screen up to date where somebody has to: it is translated, or fetched."""
        feed = self._view.state.feed

        def note_trouble(text: str) -> None:
            feed.remark = text

        await session.follow(partial(self._end_waiting, feed), note_trouble)

    def _end_waiting(self, feed: JournalFeed) -> None:
        """Take notice that all of a session is there."""
        if not feed.is_awaited:
            return
        feed.end_waiting()
        if self._view.state.feed is feed and feed.is_loaded and not self._is_arrival_due:
            self._is_arrival_due = True
            self._schedule_arrivals()

    def read(self, batches: Callable[[], AsyncGenerator[Batch, None]]) -> None:
        """Read a journal in the background, instead of the last one."""
        self._run(partial(self._read, batches), READING, "journal")

    def _run(
        self, work: Callable[[], Coroutine[None, None, None]], name: str, group: str, *, has_retries: bool = False
    ) -> None:
        feed = self._view.state.feed
        run_task(self._view, work, name, group=group, exclusive=True, has_retries=has_retries, feed=feed)

    async def _read(self, batches: Callable[[], AsyncGenerator[Batch, None]]) -> None:
        async with aclosing(batches()) as arriving:
            async for batch in arriving:
                self._add_batch(batch)
                if self._view.state.is_opening and not batch.trouble:
                    await self._first_frame_painted.wait()  # else each step of the start would wait for a slice
                    await self._yield_to_keys()

    async def _yield_to_keys(self) -> None:
        """Let the event loop do its pending work before the next slice of a long journal."""
        for _ in range(LOOP_TURNS_PER_SLICE):
            before = self._now()
            await asyncio.sleep(0)
            if self._now() - before < IDLE_TURN_SECONDS:
                return

    def _add_batch(self, batch: Batch) -> None:
        feed = self._view.state.feed
        if batch.restarted is not None:
            self._restart()
        was_shown, trouble = feed.shown, feed.trouble
        feed.add_batch(batch)
        if feed.trouble != trouble:
            self._view.redraw()
        if feed.shown is not was_shown:
            self._rebuild_rows()
        if not feed.is_loaded:
            self.show_opening_progress()
        elif not self._is_arrival_due:
            self._is_arrival_due = True
            self._schedule_arrivals()

    def _restart(self) -> None:
        """Start over with a replaced file; a bookmark finds the user's position again."""
        self._rebuild_rows()
        if self._view.state.feed.is_transcript:  # the same session, translated again
            self._notes.renew_mailbox()
        else:
            self._notes.switch_mailbox()

    def _rebuild_rows(self) -> None:
        view_state = self._view.state
        before = view_state.search.unfiltered or view_state.viewport
        view_state.keep_bookmark()
        self._find.reset()
        self._playback.reset()
        view_state.viewport = Viewport(Timeline() if before.is_timeline else None)
        view_state.viewport.resize(before.height)

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {"shown": self.show_next, "map": self.toggle_map}

    def show_next(self) -> None:
        """Show more of a transcript: what agents said, then everything, then thoughts only."""
        feed = self._view.state.feed
        if not feed.has_native:
            self._view.show_status_message("nothing but thoughts here")
            return
        later = [choice for choice in feed.choices if [*Shown].index(choice) > [*Shown].index(feed.shown)]
        self.show(later[0] if later else feed.choices[0])
        self._view.show_status_message(_SHOWN_WORDS[feed.shown])
        self._remember(ShownChoice(shown=feed.shown))

    def toggle_map(self) -> None:
        """Show or hide the map of the chain's chapters."""
        view_state, feed = self._view.state, self._view.state.feed
        if view_state.viewport.session is None or view_state.is_reading:
            return
        feed.map_choice = not (self._view.panes.has_map or feed.map_choice)
        self._remember(ShownChoice(map=feed.map_choice))
        self._view.redraw()
        if not self._view.panes.has_map:
            is_whole = view_state.viewport.tree.count <= view_state.viewport.height
            why = "all rows are on the screen" if is_whole else "no room for it here"
            self._view.show_status_message(f"map: {why}" if feed.map_choice else "no map")

    def _kept_choice(self, path: Path) -> ShownChoice:
        """Return what the user chose to see of a session before; what cannot be read is as if nothing was chosen."""
        if self._kept_choices is not None:
            with suppress(OSError, UsageError, ValueError):
                return self._kept_choices.of(self._view.settings.catalog.session(path).key)
        return ShownChoice()

    def _remember(self, choice: ShownChoice) -> None:
        """Remember a choice for the session on the screen."""
        path = self._view.state.feed.path
        if path is None:
            return
        self._choices[path] = merged(self._choices.get(path, ShownChoice()), choice)
        if self._kept_choices is not None:
            keep = partial(self._keep_choice, self._kept_choices, path, choice)
            self._run(keep, "remembering what you chose to see", "shown")

    async def _keep_choice(self, kept: ShownChoices, path: Path, choice: ShownChoice) -> None:
        key = self._view.settings.catalog.session(path).key
        try:
            await asyncio.to_thread(kept.choose, key, choice)
        except (OSError, UsageError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self._view.show_status_message(f"what you chose is not remembered: {one_line(reason)}")

    def show(self, shown: Shown) -> None:
        """Show this of a transcript."""
        view_state, feed = self._view.state, self._view.state.feed
        feed.shown_choice = shown
        had_playhead, position = view_state.has_playhead, view_state.playback.position
        self._rebuild_rows()
        self._playback.update_viewport()
        if had_playhead:
            self._playback.seek(position)
        self._after_arrivals()

    # Showing

    def record_resize(self) -> None:
        """Record that the screen has its size, and is drawn for it."""
        if not self._has_drawn:
            self._has_drawn, self._status_drawn_at = True, self._now()

    def record_first_frame(self) -> None:
        """Record that the first frame has been painted: slices of a long journal may follow."""
        self._first_frame_painted.set()

    def record_draw(self) -> None:
        """Record that something is drawn, for a key or for arrivals."""
        self._pacer.record_draw(self._now())

    def record_paint(self) -> None:
        """Record that the last drawing has been painted."""
        self._pacer.record_paint(self._now())

    def show_opening_progress(self) -> None:
        """Show the next slice of a long journal; the user may already navigate in the part that is loaded."""
        now = self._now()
        if now - self._tree_grown_at > OPENING_GROWTH_SECONDS:
            self._tree_grown_at = now
            self._playback.update_viewport()
        if self._has_drawn and now - self._status_drawn_at > OPENING_REPORT_SECONDS:
            self._status_drawn_at = now
            if now - self._rows_drawn_at > OPENING_DRAW_SECONDS:
                self._rows_drawn_at = now
                self._view.redraw()
            else:
                self._view.redraw_status()

    def _schedule_arrivals(self) -> None:
        wait = self._pacer.seconds_until_arrival(self._now())
        if wait > 0:
            punctual(self._view.set_timer(wait, self._schedule_arrivals))
        else:
            self.show_arrivals()

    def show_arrivals(self) -> None:
        """Show everything that has arrived."""
        view_state = self._view.state
        self._is_arrival_due = False
        self._pacer.record_arrival(self._now())
        view_state.feed.update_writer_state()
        before = view_state.viewport.session.thought_count if view_state.viewport.session is not None else 0
        self._playback.update_viewport()
        self._notes.update_waiting()
        if self._is_memory_settled:
            self._view.highlight_new_rows(before)
        if self._view.settings.demo is not None and view_state.feed.session.end_event is not None:
            self._playback.stay_at_end()
        self._hint_at_unkept()
        self._view.redraw()
        if not self._is_memory_settled:
            self._is_memory_settled = True
            self._garbage_scheduler.freeze_soon()
        self._after_arrivals()

    def _hint_at_unkept(self) -> None:
        """Say once that there is a way to have the text of reasoning kept."""
        view_state = self._view.state
        session = view_state.feed.session
        has_room = self._view.panes.size.width >= NARROW_BELOW_CELLS
        is_due = not self._has_hinted and has_room and session.native.has_unkept
        if is_due and keeping_hint(session.session_event):
            self._has_hinted = True
            view_state.status_message = f"Enter on {self._view.settings.signs.separator}: how to have reasoning kept"

    def settle_memory(self) -> None:
        """Take what is in memory as there to stay, such as a list of thousands of sessions."""
        self._garbage_scheduler.freeze_soon()

    def tick(self) -> None:
        """Call once a second: remarks expire, and an idle second is used to collect garbage."""
        self._garbage_scheduler.collect_if_due()
        if self._view.state.is_opening:  # for a long time there may be nothing in a transcript that has a row
            self.show_opening_progress()
        self._view.state.feed.tick()
