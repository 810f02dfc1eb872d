"""Playback: play, pause, steps, landmarks, tenths, the scrubber; and the timer behind them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.describe.attachments import step_words
from seqthink.drawing.panels.transport import speed_text
from tui.session_view.find import Find
from tui.session_view.navigation import Navigation
from tui.session_view.view import Stoppable, View
from tui.state.playback import Playback
from tui.widgets.punctual import punctual

MIN_FRAME_SECONDS = 1 / 30
"""Minimum time between two frames of a replay."""
TENTHS = 10


class PlaybackControl:
    """Moves the playhead: in a replay, or back from a live session into its past."""

    def __init__(self, view: View, *, find: Find, navigation: Navigation) -> None:
        self._view = view
        self._find = find
        self._navigation = navigation
        settings = view.settings
        view.state.playback = Playback(
            speed=settings.speed, idle_limit=settings.idle_limit, is_looping=settings.is_looping
        )
        self._timer: Stoppable | None = None
        self._replay_at = settings.replay_at
        self._left_positions: dict[Path, int] = {}
        self._resume_position: int | None = None
        self._has_start_position = False
        self.reset()

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {
            "play": self.toggle,
            "step": self.step,
            "landmark": self.go_to_landmark,
            "speed": self.change_speed,
            "start": self.go_to_start,
            "now": self.go_to_end,
            "follow": self.follow,
            "tenth": self.go_to_tenth,
            "loop": self.toggle_loop,
        }

    def reset(self) -> None:
        """Reset playback for another journal or a replaced file."""
        view_state = self._view.state
        view_state.is_replay, view_state.is_past = self._view.settings.is_replay, False
        view_state.playback.is_playing = False
        self._has_start_position = not view_state.is_replay

    def leave(self) -> None:
        """Remember the replay's position, for when the user returns to the session."""
        view_state = self._view.state
        if view_state.is_replay and view_state.feed.path is not None and self._has_start_position:
            self._left_positions[view_state.feed.path] = view_state.playback.position
        self._replay_at = None  # the option applies to the first session only

    def enter(self, path: Path) -> None:
        """Start over with the session at ``path``; a replay resumes at its last position."""
        self._resume_position = self._left_positions.get(path)
        self.reset()

    def skip_time(self, seconds: float) -> None:
        """Ignore time that passed while nothing could be seen."""
        self._view.state.playback.skip_time(seconds)

    def _now(self) -> float:
        return self._view.settings.playback_clock()

    # What is shown

    def update_viewport(self) -> None:
        """Update the viewport to the playhead, or to everything that has arrived."""
        view_state, whole = self._view.state, self._view.state.feed.session
        if not whole.entry_count:
            return
        if not self._has_start_position:
            self._start_replay(whole)
        visible_session = view_state.visible_session
        # What arrives is for the rows on the screen, and for the whole tree behind a filter.
        for viewport in (view_state.search.unfiltered, view_state.viewport):
            if viewport is not None:
                viewport.update(visible_session, whole if view_state.has_playhead else None)
        view_state.search.start_thought = min(
            view_state.search.start_thought, visible_session.thought_count - 1
        )  # which may not exist at this position
        self._find.continue_scans()
        view_state.restore_bookmark()
        if not view_state.is_replay:
            self._land()

    def _start_replay(self, whole: Session) -> None:
        """Go to the replay's start; while the journal loads, as far as it has been read."""
        view_state, at = self._view.state, self._replay_at
        if view_state.landing is not None:
            at, position = 0, self._landing_position(whole)
        elif self._resume_position is not None:
            at, position = 0, min(self._resume_position, whole.entry_count)
        elif at is None:
            position = whole.positions.first
        elif at == 0 or at > whole.thought_count:
            position = whole.entry_count
        else:
            position = whole.positions.after_thought(at - 1)
        view_state.playback.seek(position, whole.positions, self._now())
        if not view_state.is_opening:
            self._has_start_position = True
            if at is None:
                view_state.playback.play(whole.positions, self._now())
                self._schedule()
            elif at > whole.thought_count:
                view_state.status_message = f"no thought {at}: this is the last"

    def _land(self) -> None:
        """Live, select the thought to go to once it has been read, or say that there is none."""
        view_state = self._view.state
        landing, session, is_loaded = view_state.landing, view_state.viewport.session, view_state.feed.is_loaded
        if landing is None or session is None:
            return
        index = landing.find(session, is_loaded=is_loaded)
        if index != NONE:
            view_state.viewport.select_thought(index)
        elif is_loaded:
            view_state.status_message = landing.missing_text
        view_state.landing = None if index != NONE or is_loaded else landing

    def _landing_position(self, whole: Session) -> int:
        """Return the position of the thought to go to, or how far the journal has been read."""
        view_state, landing = self._view.state, self._view.state.landing
        if landing is None:
            return whole.entry_count
        is_loaded = view_state.feed.is_loaded
        index = landing.find(whole, is_loaded=is_loaded)
        if is_loaded:
            view_state.landing = None
            view_state.status_message = landing.missing_text if index == NONE else view_state.status_message
        return whole.positions.after_thought(index) if index != NONE else whole.entry_count

    def _draw_at_playhead(self) -> None:
        view_state = self._view.state
        before = view_state.viewport.session.thought_count if view_state.viewport.session is not None else 0
        self.update_viewport()
        self._view.highlight_new_rows(before)
        self._view.redraw()

    def stay_at_end(self) -> None:
        """Turn a finished live session into a replay at its end."""
        view_state = self._view.state
        view_state.is_replay, view_state.is_past = True, False
        view_state.playback.seek(view_state.feed.session.entry_count, view_state.feed.session.positions, self._now())
        view_state.status_message = "Home Space: again, q: quit"

    # The clock

    def _schedule(self) -> None:
        """Set a timer for the next line."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        wait = self._view.state.playback.seconds_to_next(self._view.state.feed.session.positions, self._now())
        if wait is not None:
            self._timer = punctual(self._view.set_timer(max(MIN_FRAME_SECONDS, wait), self.advance))

    def advance(self) -> None:
        """Move the playhead to where it is due by now."""
        view_state, whole = self._view.state, self._view.state.feed.session
        if view_state.has_playhead and view_state.playback.advance(whole.positions, self._now()):
            if view_state.is_past and view_state.playback.position >= whole.entry_count:
                self._return_to_live()
            else:
                self._draw_at_playhead()
        self._schedule()

    # Moving the playhead

    def seek(self, position: int, *, pauses: bool = False) -> None:
        """Show the session at a position; on a live session the last position means the present."""
        view_state, whole = self._view.state, self._view.state.feed.session
        if view_state.viewport.session is None:
            return
        if not view_state.is_replay and position >= whole.entry_count:
            self._return_to_live()
            return
        if not view_state.has_playhead:
            view_state.is_past, view_state.left_thought_count = True, whole.thought_count
        if pauses or not view_state.is_replay:
            view_state.playback.pause(whole.positions, self._now())
        view_state.playback.seek(position, whole.positions, self._now())
        self._has_start_position = view_state.viewport.is_following = True
        self._draw_at_playhead()
        self._schedule()

    def _return_to_live(self) -> None:
        view_state = self._view.state
        view_state.is_past = view_state.playback.is_playing = False
        self.update_viewport()
        if view_state.viewport.session is not None:
            view_state.viewport.follow()
        self._view.redraw()

    @property
    def _position(self) -> int:
        """The playhead's position; live, the last one."""
        whole = self._view.state.feed.session
        return (
            min(self._view.state.playback.position, whole.entry_count)
            if self._view.state.has_playhead
            else whole.entry_count
        )

    def step(self, steps: int) -> None:
        """Pause, and go to the next or the previous position."""
        whole, before = self._view.state.feed.session, self._position
        after = (whole.positions.next_visible if steps > 0 else whole.positions.previous_visible)(before)
        self._view.state.status_message = step_words(whole, before, after)
        self.seek(after, pauses=True)

    def go_to_landmark(self, steps: int) -> None:
        """Go to the next or the previous landmark."""
        whole = self._view.state.feed.session
        self.seek((whole.positions.next_landmark if steps > 0 else whole.positions.previous_landmark)(self._position))

    def go_to_tenth(self, tenth: int) -> None:
        """Go to a tenth of the thoughts."""
        whole = self._view.state.feed.session
        if self._view.state.is_replay and whole.thought_count:
            self.seek(whole.positions.after_thought(whole.thought_count * tenth // TENTHS))

    def go_to_start(self) -> None:
        """Go to the start, or scroll to the start of a focused text."""
        if self._navigation.is_text_focused:
            self._navigation.go_to_first()
        else:
            self.seek(self._view.state.feed.session.positions.first)

    def go_to_end(self) -> None:
        """Go to the end, live to the present, or scroll to the end of a focused text."""
        if self._navigation.is_text_focused:
            self._navigation.go_to_last()
        elif self._view.state.is_replay:
            self.seek(self._view.state.feed.session.entry_count, pauses=True)
        else:
            self.follow()

    def follow(self) -> None:
        """Select the newest thought and follow; in a replay, follow the playback."""
        view_state = self._view.state
        if view_state.is_past:
            self._return_to_live()
            return
        if view_state.viewport.session is not None:
            view_state.viewport.follow()
        self._view.redraw()

    # Playing

    def toggle(self) -> None:
        """Play or pause; on a live session, hold or follow."""
        view_state, whole = self._view.state, self._view.state.feed.session
        if not view_state.has_playhead:
            self._toggle_following()
        elif view_state.playback.is_playing:
            view_state.playback.pause(whole.positions, self._now())
        else:
            is_over = view_state.playback.position >= whole.entry_count
            view_state.playback.play(whole.positions, self._now())
            if is_over:
                view_state.viewport.is_following = True
                self._draw_at_playhead()
        self._schedule()
        self._view.redraw()

    def _toggle_following(self) -> None:
        if self._view.state.viewport.is_following:
            self._view.state.viewport.stop_following()
        else:
            self._view.state.viewport.follow()

    def change_speed(self, steps: int) -> None:
        """Play faster or slower."""
        view_state = self._view.state
        if not view_state.has_playhead:
            view_state.status_message = "live: press , to go back in time"
        else:
            view_state.playback.change_speed(steps, view_state.feed.session.positions, self._now())
            view_state.status_message = speed_text(view_state.playback.speed, self._view.settings.signs)
            self._schedule()
        self._view.redraw()

    def toggle_loop(self) -> None:
        """Turn looping of a replay on or off."""
        view_state = self._view.state
        if view_state.is_replay:
            view_state.playback.is_looping = not view_state.playback.is_looping
            view_state.status_message = "loops" if view_state.playback.is_looping else "plays once"
        else:
            view_state.status_message = "only a replay loops"
        self._schedule()
        self._view.redraw()

    def seek_thought(self, index: int) -> None:
        """Go to a thought, or to the last one there is."""
        whole = self._view.state.feed.session
        if whole.thought_count:
            self.seek(whole.positions.after_thought(min(index, whole.thought_count - 1)))
