"""The end of a long journal, shown and moved in at once, until all of it has been read and the tree takes its place."""

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from tui.session_view.navigation import ALL_ROWS, Navigation
from tui.session_view.playback_control import PlaybackControl
from tui.session_view.view import View
from tui.sessions.journal_tail import read_tail
from tui.state.tail_view import TailView

_NEED_NO_TREE = frozenset(
    {"help", "palette", "sessions", "next_session", "wall", "marks", "close", "raw", "other_pane"}
)
"""Actions that work as ever while the tree is being read."""
STILL_READING = "still reading"
"""What is said to a key that needs all of the session."""
MAX_SOUGHT_THOUGHTS = 20_000
"""Among so many of the newest thoughts the selected one is looked for when the tree is there."""


class TailControl:
    """Shows the end of a journal while it is being read, and answers the keys meanwhile.

    Args:
        view: the session screen.
        navigation: scrolls a text that has the keys.
        playback: says whether the end of the journal is what will be shown.
    """

    def __init__(self, view: View, *, navigation: Navigation, playback: PlaybackControl) -> None:
        self._view = view
        self._navigation = navigation
        self._playback = playback
        self._path: Path | None = None
        self._is_copy = False
        self._signature: tuple[int, int, int] | None = None
        self._own: Mapping[str, Callable[..., object]] = {
            "move": self._move,
            "page": self._page,
            "half_page": self._half_page,
            "last": self._go_to_last,
            "follow": self._follow,
            "now": self._follow,
            "play": self._hold,
            "enter": self._enter,
        }

    # Reading

    def begin(self, path: Path) -> None:
        """Show the end of the journal at ``path``, if it is long and its end is what will be shown."""
        view_state = self._view.state
        view_state.tail, self._path, self._signature, self._is_copy = None, None, None, False
        # A journal that is made here grows as that is done: its last line is not the end of the session.
        if self._may_show and self._view.settings.catalog.place_of(path).is_local:
            self._path = path
            self.refresh()

    def begin_with(self, ending: Path) -> None:
        """Show the end of a journal that is being fetched from elsewhere, from a file that holds its last lines."""
        if self._may_show:
            self._path, self._signature, self._is_copy = ending, None, True
            self.refresh()

    @property
    def _may_show(self) -> bool:
        return self._playback.begins_at_end and self._view.state.bookmark is None

    def refresh(self) -> bool:
        """Show what was appended since, if the end is shown; return whether there is anything new."""
        path, view_state = self._path, self._view.state
        if path is None:
            return False
        try:
            status = path.stat()
            signature = status.st_size, status.st_mtime_ns, status.st_ino
            if signature == self._signature:
                return False
            self._signature = signature
            thoughts = read_tail(path, self._view.settings.decode, is_ending=self._is_copy)
        except OSError:
            thoughts = []  # whoever reads the whole journal says what is wrong
        if not thoughts:
            view_state.tail = None
        elif view_state.tail is not None:
            view_state.tail.replace(thoughts)
        else:
            view_state.tail = TailView(thoughts)
        return True

    def drop(self) -> None:
        """Show it no more."""
        self._view.state.tail = self._path = None

    def hand_over(self) -> None:
        """Let the tree take its place, once everything has been read: the selected thought stays, in its line."""
        view_state, tail, is_copy = self._view.state, self._view.state.tail, self._is_copy
        self.drop()
        if view_state.status_message.startswith(STILL_READING):
            view_state.status_message = ""
        session, viewport = view_state.viewport.session, view_state.viewport
        if tail is None or session is None or not session.thought_count or not viewport.is_following:
            return  # also if somebody went to a thought meanwhile, from the marks or a search
        viewport.resize(tail.lines)
        viewport.follow()
        if is_copy:
            index = session.thoughts.index_of_seq(tail.thought.seq)
        else:
            index = _thought_at(session, tail.thought.offset)
        if not tail.is_following and index != NONE:
            viewport.select_thought(index)
            viewport.select_at(viewport.selected, tail.rows_below_top)

    # Keys

    def guarded(self, name: str, act: Callable[..., object]) -> Callable[..., object]:
        """Return the action ``name``; while the end is shown, it works as ever, on the end alone, or says why not."""

        @wraps(act)
        def run(*arguments: object) -> object:
            if self._view.state.tail is None or name in _NEED_NO_TREE:
                return act(*arguments)
            own = self._own.get(name)
            if own is None:
                return self._say_why_not()
            own(*arguments)
            return self._view.redraw()

        return run

    @property
    def _tail(self) -> TailView:
        tail = self._view.state.tail
        assert tail is not None, "the end is shown"
        return tail

    def _say_why_not(self) -> None:
        self._view.show_status_message(f"{STILL_READING}: {self._view.state.feed.read_percent} %")

    def _move(self, rows: int) -> None:
        if self._navigation.is_text_focused:
            self._navigation.move(rows)
        else:
            self._tail.move(rows)

    def _page(self, pages: int) -> None:
        if self._navigation.is_text_focused:
            self._navigation.page(pages)
        else:
            self._tail.page(pages)

    def _half_page(self, halves: int) -> None:
        if self._navigation.is_text_focused:
            self._navigation.half_page(halves)
        else:
            self._tail.half_page(halves)

    def _go_to_last(self) -> None:
        if self._navigation.is_text_focused:
            self._navigation.go_to_last()
        else:
            self._tail.select(ALL_ROWS)

    def _follow(self) -> None:
        self._tail.follow()

    def _hold(self) -> None:
        if self._view.state.is_replay:
            self._say_why_not()
        else:
            self._tail.follow(follows=not self._tail.is_following)

    def _enter(self) -> None:
        self._view.state.is_reading = not self._view.state.is_reading

    # The mouse

    def click_line(self, line: int, *, is_double: bool) -> None:
        """Select the row in a line; read its thought on a double click."""
        place = self._tail.place_at(line)
        if place is not None:
            self._tail.select(place)
            self._view.state.is_text_active = False
            self._view.state.is_reading = is_double
            self._view.redraw()

    def scroll(self, rows: int) -> None:
        """Scroll the rows."""
        self._tail.scroll(rows)
        self._view.redraw()


def _thought_at(session: Session, offset: int) -> int:
    """Return the thought whose line begins at ``offset``, among the newest ones, or NONE."""
    newest = range(session.thought_count - 1, max(NONE, session.thought_count - 1 - MAX_SOUGHT_THOUGHTS), -1)
    return next((index for index in newest if session.thoughts.line_extent_of(index)[0] == offset), NONE)
