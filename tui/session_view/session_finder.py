"""Finding in all sessions (``F``): opens the page, and lands on the thought that was chosen there."""

from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.chain.model import NONE
from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.query import Query
from seqthink.chain.session import Session
from tui.session_view.find import Find
from tui.session_view.loader import Loader
from tui.session_view.playback_control import PlaybackControl
from tui.session_view.session_switcher import SessionSwitcher
from tui.session_view.view import View

if TYPE_CHECKING:
    from tui.screens.find import FindChoice, LastFind


class SessionFinder:
    """Searches all sessions, and goes to what was found.

    Args:
        view: the session screen.
        switcher: shows another session.
        loader: shows native reasoning, if the text is there.
        playback: goes to the thought in a replay.
        find: highlights the words in the session.
    """

    def __init__(
        self, view: View, *, switcher: SessionSwitcher, loader: Loader, playback: PlaybackControl, find: Find
    ) -> None:
        self._view = view
        self._switcher, self._loader, self._playback, self._find = switcher, loader, playback, find
        self._last: LastFind | None = None
        self._wanted_seq = 0
        self._wanted_query = Query()

    def open(self) -> None:
        """Open the page, above whatever is open."""
        view = self._view
        if not view.settings.catalog.is_list:
            view.show_status_message("a piped journal is the only session here")
            return
        from tui.screens.find import FindScreen, LastFind  # noqa: PLC0415 - loaded when it is opened

        self._last = self._last or LastFind()
        view.host.push_screen(FindScreen(view.settings, self._last), self._go_to)

    def _go_to(self, found: "FindChoice | None") -> None:
        if found is None:
            return
        host = self._view.host
        while not self._view.is_active and len(host.screen_stack) > 1:
            host.pop_screen()
        self.show(found.hit.file.path, found.hit.text.thought_seq or found.hit.text.seq, found.query)

    def show(self, path: Path, seq: int, query: Query | None = None) -> None:
        """Open the session at ``path`` with the thought selected whose journal position is ``seq``."""
        self._switcher.choose(path)
        self._wanted_seq, self._wanted_query = seq, query or Query()
        self.land()

    def land(self) -> None:
        """Select the wanted thought once it has been read; call when there are arrivals."""
        view_state = self._view.state
        if not self._wanted_seq or not view_state.feed.is_loaded:
            return
        seq, feed = self._wanted_seq, view_state.feed
        if feed.session.thoughts.index_of_seq(seq) == NONE and feed.has_native and feed.shown is not Shown.EVERYTHING:
            was_shown = feed.shown
            self._loader.show(Shown.EVERYTHING)
            if feed.session.thoughts.index_of_seq(seq) == NONE:
                self._loader.show(was_shown)  # it is not a thought there, either
        self._wanted_seq = 0
        while self._find.clear():
            pass
        index = _thought_at(feed.session, seq)
        if index == NONE:
            self._view.show_status_message("that text is in no thought")
            return
        if view_state.has_playhead:
            self._playback.seek_thought(index)
        else:
            view_state.viewport.select_thought(index)
        self._find.highlight(self._wanted_query)
        self._view.redraw()


def _thought_at(session: Session, seq: int) -> int:
    """Return the thought with a journal position, else the last one before it, else NONE."""
    exact = session.thoughts.index_of_seq(seq)
    if exact != NONE or not session.thought_count:
        return exact
    before = bisect_right(range(session.thought_count), seq, key=lambda index: session.thoughts.get(index).seq)
    return max(0, before - 1)
