"""Remembers which thoughts were on the screen while somebody was there (docs/sessions.md, "What counts as read")."""

import asyncio
from pathlib import Path

from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.library.viewer_store.read_state import ReadState
from tui.session_view.view import View, run_task


class ReadMarking:
    """Marks as read what the user has seen of the session on the screen; nothing without a folder to remember it in.

    Args:
        view: the session screen.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        folder = view.settings.viewer_folder
        self._read_state = ReadState(folder) if folder is not None else None
        self._opened: Path | None = None
        self._pending: dict[str, tuple[int, int]] = {}
        self._is_writing = False
        self._has_begun = False

    def open(self, path: Path | None) -> None:
        """Take notice that the user has opened a session: all that it holds once it is loaded counts as read."""
        self._opened = path
        self.look_on()

    def look_on(self) -> None:
        """Mark what the user has opened, once it is loaded."""
        feed = self._view.state.feed
        if self._opened is not None and feed.path == self._opened and feed.is_loaded:
            self._opened = None
            self._mark()

    def acknowledge(self) -> None:
        """Mark what is on the screen: the user is there."""
        if self._view.is_active:
            self._mark()

    def _mark(self) -> None:
        view_state = self._view.state
        path, session = view_state.feed.path, view_state.feed.session
        if self._read_state is None or path is None or view_state.has_playhead or self._view.settings.demo is not None:
            return
        # who selects a new thought has seen it, although the view may not follow
        count = max(session.thought_count - view_state.unseen_count, view_state.viewport.thought + 1)
        if count > 0:
            until = session.thoughts.time_of(count - 1)
            native = session.at_thought(count).native
            # what a list counts by default: calls of the tool, where there are any
            self._pending[self._view.settings.catalog.session(path).key] = (native.call_count or count, until)

    # Writing

    def tick(self) -> None:
        """Call once a second: write what was marked, in another thread."""
        if self._read_state is not None and not self._is_writing and (self._pending or not self._has_begun):
            self._is_writing = True
            run_task(self._view, self._write_soon, "remembering what you read", group="reading")

    def write_now(self) -> None:
        """Write what was marked, before somebody looks at it or at the end."""
        self._report(self._write())

    async def _write_soon(self) -> None:
        try:
            self._report(await asyncio.to_thread(self._write))
        finally:
            self._is_writing = False

    def _write(self) -> str:
        """Write what was marked; return what went wrong."""
        if self._read_state is None:
            return ""
        pending, self._pending = self._pending, {}
        try:
            if not self._has_begun:
                self._read_state.begin(self._view.settings.clock())
                self._has_begun = True
            for session, (count, until) in pending.items():
                self._read_state.mark_read(session, count, until)
        except (OSError, UsageError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            return f"what you read is not remembered: {one_line(reason)}"
        return ""

    def _report(self, problem: str) -> None:
        """Say once what went wrong, and leave it; what answers a key is not replaced, the next attempt says it then."""
        if problem and not self._view.state.status_message:
            self._read_state = None
            self._view.show_status_message(problem)
