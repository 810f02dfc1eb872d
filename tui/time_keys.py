"""Going through time: what Space, the steps, the marks, the tenths and the time line do, and the clock behind them."""

import asyncio
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.timer import Timer

from seqthink.chain.session import Session
from seqthink.drawing.transport import speed_text
from tui.note_keys import NoteKeys
from tui.playback import Playback
from tui.settings import Settings
from tui.shown import Shown
from tui.widgets.time_bar import TimeBar

LEAST_WAIT = 1 / 30
"""Seconds between two frames of a replay, at least."""
TENTHS = 10


class TimeKeys(NoteKeys):
    """The app as far as a person goes through time: in a replay, and back from what is live."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "play", "play, pause; live: hold, follow"),
        Binding("comma", "step(-1)", "step back"),
        Binding("full_stop", "step(1)", "step"),
        Binding("left_square_bracket,left_parenthesis", "mark(-1)", "mark before"),
        Binding("right_square_bracket,right_parenthesis", "mark(1)", "next mark"),
        Binding("less_than_sign,minus", "speed(-1)", "slower"),
        Binding("greater_than_sign,plus", "speed(1)", "faster"),
        Binding("home", "start", "start"),
        Binding("end", "now", "end, now"),
        Binding("f", "follow", "newest, follow"),
        *(Binding(str(tenth), f"tenth({tenth})", "tenths") for tenth in range(TENTHS)),
    ]

    def __init__(self, shown: Shown, settings: Settings) -> None:
        super().__init__(shown, settings)
        shown.playback = Playback(speed=settings.speed, idle_limit=settings.idle_limit, is_looping=settings.is_looping)
        self._pending: Timer | None = None
        self._replay_at = settings.replay_at
        self._left: dict[Path, int] = {}
        self._resume_at: int | None = None
        self._is_aimed = False
        self._aim()

    def _aim(self) -> None:
        """Begin with another journal, or with what the journal has become: a replay anew, else with the present."""
        shown = self._shown
        shown.is_replay, shown.is_past = self._settings.is_replay, False
        shown.playback.is_playing = False
        self._is_aimed = not shown.is_replay

    def _leave(self) -> None:
        """Remember where the replay of a session stands: whoever comes back to it finds it there."""
        shown = self._shown
        if shown.is_replay and shown.feed.path is not None and self._is_aimed:
            self._left[shown.feed.path] = shown.playback.position
        self._replay_at = None  # that was asked of the first one

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    # What is shown

    def _show_moment(self) -> None:
        """Let the tree show what there is at the playhead, or all that has come."""
        shown, whole = self._shown, self._shown.feed.session
        if not whole.entry_count:
            return
        if not self._is_aimed:
            self._open_replay(whole)
        moment = shown.moment
        for viewing in filter(None, (shown.find.home, shown.viewing)):
            viewing.arrive(moment, whole if shown.has_playhead else None)
        shown.find.origin = min(shown.find.origin, moment.thought_count - 1)  # which may not have come by then
        self._look_on()

    def _open_replay(self, whole: Session) -> None:
        """Go where the replay is to begin; until all is read, as far as that goes."""
        shown, at = self._shown, self._replay_at
        if self._resume_at is not None:
            at, position = 0, min(self._resume_at, whole.entry_count)
        elif at is None:
            position = whole.first_position
        elif at == 0 or at > whole.thought_count:
            position = whole.entry_count
        else:
            position = whole.position_of(at - 1)
        shown.playback.seek(position, whole, self._now())
        if not shown.is_opening:
            self._is_aimed = True
            if at is None:
                shown.playback.play(whole, self._now())
                self._wait()
            elif at > whole.thought_count:
                shown.said = f"no thought {at}: this is the last"

    def _show_playhead(self) -> None:
        shown = self._shown
        before = shown.viewing.session.thought_count if shown.viewing.session is not None else 0
        self._show_moment()
        self._welcome(before)
        self._draw()

    def _rest(self) -> None:
        """Stay at the end of a session that is over, as a replay of it."""
        shown = self._shown
        shown.is_replay, shown.is_past = True, False
        shown.playback.seek(shown.feed.session.entry_count, shown.feed.session, self._now())
        shown.said = "Home Space: again, q: quit"

    # The clock

    def _wait(self) -> None:
        """Wake up when the next line is due."""
        if self._pending is not None:
            self._pending.stop()
            self._pending = None
        wait = self._shown.playback.wait(self._shown.feed.session, self._now())
        if wait is not None:
            self._pending = self.set_timer(max(LEAST_WAIT, wait), self._play_on)

    def _play_on(self) -> None:
        shown, whole = self._shown, self._shown.feed.session
        if shown.has_playhead and shown.playback.advance(whole, self._now()):
            if shown.is_past and shown.playback.position >= whole.entry_count:
                self._return_to_now()
            else:
                self._show_playhead()
        self._wait()

    # Moving the playhead

    def seek(self, position: int, *, pauses: bool = False) -> None:
        """Show the session as it was at a position; on a live session its end is the present."""
        shown, whole = self._shown, self._shown.feed.session
        if shown.viewing.session is None:
            return
        if not shown.is_replay and position >= whole.entry_count:
            self._return_to_now()
            return
        if not shown.has_playhead:
            shown.is_past, shown.left_at = True, whole.thought_count
        if pauses or not shown.is_replay:
            shown.playback.pause(whole, self._now())
        shown.playback.seek(position, whole, self._now())
        self._is_aimed = shown.viewing.is_following = True
        self._show_playhead()
        self._wait()

    def _return_to_now(self) -> None:
        shown = self._shown
        shown.is_past = shown.playback.is_playing = False
        self._show_moment()
        if shown.viewing.session is not None:
            shown.viewing.follow()
        self._draw()

    @property
    def _position(self) -> int:
        """Where the playhead is; live it is at the end."""
        whole = self._shown.feed.session
        return min(self._shown.playback.position, whole.entry_count) if self._shown.has_playhead else whole.entry_count

    def action_step(self, steps: int) -> None:
        """Pause, and go to the next line that shows, or exactly back."""
        whole = self._shown.feed.session
        self.seek((whole.next_position if steps > 0 else whole.previous_position)(self._position), pauses=True)

    def action_mark(self, steps: int) -> None:
        """Go to the next landmark, or the one before."""
        whole = self._shown.feed.session
        self.seek((whole.next_landmark if steps > 0 else whole.previous_landmark)(self._position))

    def action_tenth(self, tenth: int) -> None:
        """Go to so many tenths of the thoughts."""
        whole = self._shown.feed.session
        if self._shown.is_replay and whole.thought_count:
            self.seek(whole.position_of(whole.thought_count * tenth // TENTHS))

    def action_start(self) -> None:
        """Go to the beginning, or to the beginning of the text that the keys move."""
        if self._moves_text:
            self.action_first()
        else:
            self.seek(self._shown.feed.session.first_position)

    def action_now(self) -> None:
        """Go to the end, live to the present, or to the end of the text that the keys move."""
        if self._moves_text:
            self.action_last()
        elif self._shown.is_replay:
            self.seek(self._shown.feed.session.entry_count, pauses=True)
        else:
            self.action_follow()

    def action_follow(self) -> None:
        """Go to the newest thought and stay with what comes; in a replay, with what is played."""
        shown = self._shown
        if shown.is_past:
            self._return_to_now()
            return
        if shown.viewing.session is not None:
            shown.viewing.follow()
        self._draw()

    # Playing

    def action_play(self) -> None:
        """Play or pause; on a live session hold, or follow again."""
        shown, whole = self._shown, self._shown.feed.session
        if not shown.has_playhead:
            self._hold()
        elif shown.playback.is_playing:
            shown.playback.pause(whole, self._now())
        else:
            is_over = shown.playback.position >= whole.entry_count
            shown.playback.play(whole, self._now())
            if is_over:
                shown.viewing.is_following = True
                self._show_playhead()
        self._wait()
        self._draw()

    def _hold(self) -> None:
        if self._shown.viewing.is_following:
            self._shown.viewing.stop_following()
        else:
            self._shown.viewing.follow()

    def action_speed(self, steps: int) -> None:
        """Play faster or slower."""
        shown = self._shown
        if not shown.has_playhead:
            shown.said = "live: , goes back, and plays from there"
        else:
            shown.playback.change_speed(steps, shown.feed.session, self._now())
            shown.said = speed_text(shown.playback.speed, self._settings.signs)
            self._wait()
        self._draw()

    def action_loop(self) -> None:
        """Begin again at the end of a replay, or rest there."""
        shown = self._shown
        if shown.is_replay:
            shown.playback.is_looping = not shown.playback.is_looping
            shown.said = "loops" if shown.playback.is_looping else "plays once"
        else:
            shown.said = "only a replay loops"
        self._wait()
        self._draw()

    def on_time_bar_sought(self, message: TimeBar.Sought) -> None:
        """Go to the thought that the person pointed at."""
        whole = self._shown.feed.session
        if whole.thought_count:
            self.seek(whole.position_of(min(message.index, whole.thought_count - 1)))
