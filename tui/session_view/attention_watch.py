"""Watches what the sessions need: keeps the wall up to date, counts, and notifies the person (docs/sessions.md)."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from time import thread_time
from typing import Protocol, runtime_checkable

from seqthink.chain.overview.states import ShownState
from seqthink.core.errors import UsageError
from seqthink.drawing.describe.session import client_name
from seqthink.drawing.describe.status import counts_text
from seqthink.library.catalog.folder_hints import FolderHints
from seqthink.library.viewer_store.read_state import ReadState
from tui.session_view.view import View, report, run_task
from tui.sessions.wall_notifying import WallNotifier
from tui.sessions.wall_sessions import WallEntry, WallSessions
from tui.state.attention_news import AttentionNews, news_text
from tui.state.next_session import SessionNeed, counted_states, next_session
from tui.terminal.notifications import APP_NAME, BELL, notification_sequence, protocol_of, title_sequence

WATCHING = "watching the sessions"
"""The name of the background task."""
LOOK_SECONDS, BUSY_TIME_FACTOR = 0.5, 10
"""The shortest pause after a look that a change led to, in seconds and as a multiple of the look's own time."""
WALL_SECONDS, WALL_TIME_FACTOR = 0.01, 2
"""The same while the wall is open."""
QUIET_SECONDS, QUIET_TIME_FACTOR, MAX_QUIET_SECONDS = 2.0, 200, 10.0
"""The pause while no change is announced: a server's end, or a long silence, is announced by nothing."""
PRESENT_SECONDS = 60.0
"""How long after a key or a click somebody is taken to look at the screen: then a command need not call them."""
MAX_DISTRUST = 20
"""How many looks without news it takes at most until changes count as announced again."""


@runtime_checkable
class TerminalWriter(Protocol):
    """An app that writes to its terminal."""

    def write_to_terminal(self, sequence: str) -> None:
        """Write a sequence that draws nothing."""
        ...


class AttentionWatch:
    """Looks at the sessions that are live or changed a short while ago.

    Args:
        view: the session screen.
        hints: says when journals may have changed.
        environ: the environment, which shows what the terminal understands.
    """

    def __init__(self, view: View, hints: FolderHints, environ: Mapping[str, str] = os.environ) -> None:
        self._view = view
        self._hints = hints
        settings = view.settings
        self.wall = WallSessions(settings.catalog, settings.clock, settings.decode, settings.stuck_seconds)
        """The sessions, for every screen that shows them."""
        self._read_state = ReadState(settings.viewer_folder) if settings.viewer_folder is not None else None
        self.after_look: Callable[[], None] | None = None
        """Called after each look, while the wall is open."""
        self._is_running = False
        self._look_at = 0.0
        self._missed = 0
        self._news = AttentionNews(settings.clock())
        self._protocol = protocol_of(environ) if settings.alerts.has_notifications else None
        self._is_in_tmux = bool(environ.get("TMUX"))
        self._title = ""
        self._notifier = self._make_notifier()
        self._present_at = float("-inf")

    def _make_notifier(self) -> WallNotifier | None:
        view, settings = self._view, self._view.settings
        if not (settings.commands and self.is_wanted):
            return None

        def say(sentence: str) -> None:
            with suppress(RuntimeError):  # the viewer has ended
                view.host.call_later(view.announce, sentence)

        return WallNotifier(settings.catalog, settings.commands, settings.viewer_folder, settings.clock, say)

    @property
    def is_wanted(self) -> bool:
        """Whether other sessions matter: not beside a replay, a pipe or a demo."""
        settings = self._view.settings
        return not settings.is_replay and settings.catalog.is_list and settings.demo is None

    def start(self) -> None:
        """Begin to watch, unless nobody wants that."""
        if self.is_wanted:
            self._run()

    def open_wall(self, after_look: Callable[[], None]) -> None:
        """Watch for the wall, too, and call back after each look."""
        self.after_look = after_look
        self._look_at = 0.0
        self._run()

    def close_wall(self) -> None:
        """Watch for the counts alone."""
        self.after_look = None

    def note_presence(self) -> None:
        """Take notice that somebody is at the screen."""
        self._present_at = self._view.settings.monotonic()

    def close(self) -> None:
        """Start no further command: the viewer is being left."""
        if self._notifier is not None:
            self._notifier.close()

    def _run(self) -> None:
        if not self._is_running:
            self._is_running = True
            run_task(self._view, self._watch, WATCHING, group="attention", exclusive=True, has_retries=True)

    async def _watch(self) -> None:
        """Look whenever a change is announced, and now and then in any case."""
        loop = asyncio.get_running_loop()
        async with aclosing(self._hints.stream()) as hints:
            async for announced in hints:
                if announced or self.wall.is_behind or loop.time() >= self._look_at:
                    await self._catch_up(announced=announced)

    async def _catch_up(self, *, announced: bool) -> None:
        """Look until nothing is left, and set when to look again."""
        loop, growth_count = asyncio.get_running_loop(), self.wall.growth_count
        is_left = True
        took = 0.0
        while is_left:
            needs, took = await asyncio.to_thread(self._look, self._seen)
            error = self.wall.error
            report(self._view, WATCHING, f"{WATCHING}: {error}; trying again" if error else self.wall.lost)
            self._show(needs)
            is_left = self.wall.is_behind
            if is_left:
                await asyncio.sleep(took if self.after_look is not None else BUSY_TIME_FACTOR * took)
        self._judge_hints(announced=announced, had_news=self.wall.growth_count != growth_count)
        is_watched = self.after_look is not None and self.wall.has_live_transcripts
        quiet = LOOK_SECONDS if self._missed > 1 or is_watched else QUIET_SECONDS
        self._look_at = loop.time() + min(MAX_QUIET_SECONDS, max(quiet, QUIET_TIME_FACTOR * took))
        least, factor = (WALL_SECONDS, WALL_TIME_FACTOR) if self.after_look else (LOOK_SECONDS, BUSY_TIME_FACTOR)
        await asyncio.sleep(max(least, factor * took))

    def _judge_hints(self, *, announced: bool, had_news: bool) -> None:
        """Learn whether the file system announces changes: where it does not, looks are more frequent."""
        if announced:
            self._missed = 0
        elif had_news:
            self._missed = MAX_DISTRUST if self._missed else 1
        else:
            self._missed = max(0, self._missed - 1)

    @property
    def _seen(self) -> Path | None:
        """The session that somebody looks at: it is on the screen, and they have just pressed a key."""
        view = self._view
        is_there = view.settings.monotonic() - self._present_at < PRESENT_SECONDS
        return view.state.feed.path if is_there and view.host.app_focus and view.is_active else None

    def _look(self, seen: Path | None) -> tuple[tuple[SessionNeed, ...], float]:
        """Return what the sessions need, and how long this thread worked for it: waiting for its turn is not work."""
        before = thread_time()
        self.wall.refresh()
        if self._notifier is not None:
            self._notifier.look(self.wall, seen)
        return tuple(self._need(entry) for entry in self.wall.entries), thread_time() - before

    def _need(self, entry: WallEntry) -> SessionNeed:
        return SessionNeed(
            key=str(entry.file.path),
            name=entry.name,
            standing=entry.standing,
            started=entry.started,
            is_unread=self._is_unread(entry),
            client=client_name(entry.session.session_event),
        )

    def _is_unread(self, entry: WallEntry) -> bool:
        session = entry.session
        if self._read_state is None or not session.thought_count:
            return False
        newest = session.thoughts.time_of(session.thought_count - 1)
        try:
            return self._read_state.is_unread(self._view.settings.catalog.session(entry.file.path).key, newest)
        except (OSError, UsageError):
            return False

    # Showing and notifying

    def _show(self, needs: tuple[SessionNeed, ...]) -> None:
        if self.is_wanted:
            self._show_needs(needs)
        if self.after_look is not None:
            self.after_look()

    def _show_needs(self, needs: tuple[SessionNeed, ...]) -> None:
        view_state = self._view.state
        path = view_state.feed.path
        shown = str(path) if path is not None else None
        settings = self._view.settings

        def counted(found: Sequence[SessionNeed]) -> tuple[list[ShownState], SessionNeed | None]:
            states = counted_states(found, settings.clock(), settings.stale, shown)
            return sorted(states), next_session(found, shown)

        before = counted(view_state.folder.needs)
        view_state.folder.needs = needs
        if before != counted(needs):
            self._view.redraw()
        self._set_title(needs)
        self._notify(needs, shown)

    def _set_title(self, needs: tuple[SessionNeed, ...]) -> None:
        settings = self._view.settings
        shown = counts_text(counted_states(needs, settings.clock(), settings.stale), settings.signs)
        title = f"{shown} {APP_NAME}" if shown else APP_NAME
        is_first_count_partial = not self._title and self.wall.is_behind
        if settings.alerts.has_title and title != self._title and not is_first_count_partial:
            self._title = title
            self._write(title_sequence(title))

    def _notify(self, needs: tuple[SessionNeed, ...], shown: str | None) -> None:
        settings = self._view.settings
        is_seen = self._view.host.app_focus and self._view.is_active
        due = self._news.look(needs, settings.monotonic(), seen=shown if is_seen else None)
        if not due:
            return
        if settings.alerts.has_bell:
            self._write(BELL)
        if self._protocol is not None:
            self._write(notification_sequence(news_text(due), self._protocol, is_in_tmux=self._is_in_tmux))

    def retitle(self) -> None:
        """Set the title again: the terminal was given back meanwhile."""
        self._title = ""
        self._set_title(self._view.state.folder.needs)

    def _write(self, sequence: str) -> None:
        host = self._view.host
        if isinstance(host, TerminalWriter):
            host.write_to_terminal(sequence)


def path_of(need: SessionNeed) -> Path:
    """Return the journal of a session."""
    return Path(need.key)
