"""The clock of a replay: it gets the time and never asks. Times are halves of halves of a second, which are exact."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.state.playback import (
    IDLE_LIMIT_SECONDS,
    MAX_LATE_SECONDS,
    MAX_STEPS_AT_ONCE,
    MIN_LOOP_REST_SECONDS,
    SPEEDS,
    Playback,
)

SIXTY_FOURTH = 15_625
"""Microseconds: 64 of them are a second, and every sum and half of them is exact in a float."""


@dataclass
class Reel:
    """A journal whose lines all show, each the given seconds after the one before; its first position is 1."""

    gaps: list[float]
    first: int = 1

    @property
    def end(self) -> int:
        return len(self.gaps) + 1

    def next_visible(self, position: int) -> int:
        return min(position + 1, self.end)

    def time_at(self, position: int) -> int:
        return round(sum(self.gaps[: position - 1]) * 1_000_000)


class Show:
    """A playback of a reel, and a clock that stands until it is moved."""

    def __init__(self, *gaps: float, at: int = 1, speed: float = 1.0, idle: float = 4.0, loops: bool = False) -> None:
        self.reel = Reel(list(gaps))
        self.playback = Playback(speed=speed, idle_limit=idle, is_looping=loops)
        self.now = 1000.0
        self.playback.seek(at, self.reel, self.now)
        self.playback.play(self.reel, self.now)

    @property
    def position(self) -> int:
        return self.playback.position

    @property
    def wait(self) -> float | None:
        return self.playback.seconds_to_next(self.reel, self.now)

    def tick(self, seconds: float = 0.0) -> int:
        self.now += seconds
        self.playback.advance(self.reel, self.now)
        return self.position

    def pause(self) -> None:
        self.playback.pause(self.reel, self.now)

    def play(self) -> None:
        self.playback.play(self.reel, self.now)

    def seek(self, position: int) -> None:
        self.playback.seek(position, self.reel, self.now)

    def change_speed(self, steps: int) -> None:
        self.playback.change_speed(steps, self.reel, self.now)

    def arrivals(self, end: float, step: float = 0.25) -> dict[int, float]:
        """Tick on until ``end`` seconds have passed; return after how many each position was reached."""
        began, found = self.now, dict[int, float]()
        while self.now - began < end:
            before = self.position
            self.tick(step)
            for position in range(before + 1, self.position + 1):
                found[position] = self.now - began
        return found


# The pace


def test_each_line_comes_when_the_journals_own_gap_has_passed() -> None:
    assert Show(1, 0.5, 2).arrivals(10) == {2: 1.0, 3: 1.5, 4: 3.5}


def test_a_long_gap_is_cut_to_the_idle_limit() -> None:
    assert Show(3600, 1, 86_400).arrivals(20) == {2: 4.0, 3: 5.0, 4: 9.0}
    assert Show(3600, 1, idle=1.5).arrivals(20) == {2: 1.5, 3: 2.5}


@pytest.mark.parametrize(("speed", "reached"), [(4.0, {2: 2.0, 3: 6.0}), (0.5, {2: 4.0, 3: 8.0})])
def test_the_idle_limit_applies_to_the_gap_after_speed(speed: float, reached: dict[int, float]) -> None:
    assert Show(8, 100, speed=speed).arrivals(20) == reached


@pytest.mark.parametrize("gap", [0, -1, -3600])
def test_equal_times_and_a_clock_that_jumps_back_are_no_gap(gap: float) -> None:
    show = Show(1, gap, gap, 1)

    assert show.tick(0.75) == 1
    assert show.tick(0.25) == 4
    assert show.wait == 1


def test_after_a_jump_back_the_next_gap_is_counted_from_there() -> None:
    assert Show(1, -3600, 2).arrivals(10) == {2: 1.0, 3: 1.0, 4: 3.0}


def test_it_says_in_how_many_seconds_the_next_line_is_due() -> None:
    show = Show(2, 1)
    assert show.wait == 2
    show.tick(0.5)
    assert show.wait == 1.5
    show.now += 2
    assert show.wait == -0.5
    show.tick()
    assert show.wait == 0.5


def test_a_tick_that_comes_early_changes_nothing() -> None:
    show = Show(2)
    assert [show.playback.advance(show.reel, show.now + early) for early in (0, 1, 1.75)] == [False] * 3
    assert show.playback.advance(show.reel, show.now + 2)


# Late


def test_a_tick_that_is_a_little_late_is_made_up_for() -> None:
    show = Show(1, 1, 1)

    assert show.tick(1.25) == 2
    assert show.tick(0.75) == 3
    assert show.tick(1) == 4


def test_a_machine_that_slept_goes_on_where_it_was() -> None:
    show = Show(1, 1, 1, 1)

    assert show.tick(3600) == 2
    assert show.wait == 1 - MAX_LATE_SECONDS
    assert show.tick(1 - MAX_LATE_SECONDS) == 3
    assert show.tick(1) == 4


@pytest.mark.deep  # ten thousand; what is left of many is tried below
def test_equal_times_are_passed_a_bounded_number_at_once() -> None:
    show = Show(*[0.0] * 10_000)
    passed = [show.tick() for _ in range(12)]

    assert passed[:10] == [1 + MAX_STEPS_AT_ONCE * turn for turn in range(1, 11)]
    assert passed[-1] == 10_001
    assert not show.playback.is_playing


def test_what_is_left_of_many_equal_times_is_due_at_once() -> None:
    show = Show(*[0.0] * (MAX_STEPS_AT_ONCE + 1))
    show.tick()

    assert show.wait == 0


# The end


def test_at_the_end_it_pauses() -> None:
    show = Show(1, 1)
    show.arrivals(2)

    assert show.position == 3
    assert not show.playback.is_playing
    assert show.wait is None
    assert not show.playback.advance(show.reel, show.now + 100)


def test_playing_at_the_end_begins_again() -> None:
    show = Show(1, 1)
    show.arrivals(5)
    show.play()

    assert (show.position, show.playback.is_playing) == (1, True)
    assert show.arrivals(5) == {2: 1.0, 3: 2.0}


def test_a_session_with_one_position_does_not_play() -> None:
    show = Show()

    assert not show.playback.is_playing
    assert show.wait is None
    assert show.tick(10) == 1


def test_lines_that_are_appended_while_it_plays_are_played_too() -> None:
    show = Show(1)
    show.tick(0.5)
    show.reel.gaps.append(2)

    assert show.arrivals(10) == {2: 0.5, 3: 2.5}


def test_lines_that_are_appended_after_the_end_wait_for_the_user() -> None:
    show = Show(1)
    show.arrivals(2)
    show.reel.gaps.append(1)
    assert show.tick(10) == 2

    show.play()
    assert show.position == 2
    assert show.arrivals(5) == {3: 1.0}


# Looping


@pytest.mark.parametrize(("idle", "rest"), [(4.0, 4.0), (1.0, MIN_LOOP_REST_SECONDS), (30.0, 30.0)])
def test_a_loop_rests_at_its_end_and_begins_again(idle: float, rest: float) -> None:
    show = Show(1, 0.5, idle=idle, loops=True)
    assert show.arrivals(1.5) == {2: 1.0, 3: 1.5}

    assert show.playback.is_playing
    assert show.tick(rest - 0.25) == 3
    assert show.tick(0.25) == 1
    assert show.arrivals(1.5) == {2: 1.0, 3: 1.5}


def test_a_pause_or_a_seek_in_the_rest_of_a_loop_begins_it_again() -> None:
    show = Show(1, loops=True)
    show.arrivals(3)
    show.pause()
    show.now += 100
    show.play()
    assert show.position == 1

    show.arrivals(2)
    show.seek(1)
    assert show.tick(0.75) == 1
    assert show.tick(0.25) == 2


def test_a_loop_with_one_position_rests_for_ever() -> None:
    show = Show(loops=True)

    assert show.wait == IDLE_LIMIT_SECONDS
    assert [show.playback.advance(show.reel, show.now + 10 * turn) for turn in range(3)] == [False] * 3
    assert show.playback.is_playing


def test_a_loop_of_equal_times_does_not_spin() -> None:
    show = Show(*[0.0] * 10, loops=True)

    assert show.tick() == 11
    assert show.tick(3600) == 11
    assert show.wait == IDLE_LIMIT_SECONDS - MAX_LATE_SECONDS


# Pausing


def test_a_pause_keeps_what_has_passed_of_the_gap() -> None:
    show = Show(2, 1)
    show.tick(1.5)
    show.pause()
    assert show.wait is None
    assert show.tick(3600) == 1

    show.play()
    assert show.wait == 0.5
    assert show.tick(0.25) == 1
    assert show.tick(0.25) == 2
    assert show.wait == 1


def test_many_pauses_in_one_gap_add_up() -> None:
    show = Show(2)
    for _ in range(3):
        show.tick(0.5)
        show.pause()
        show.pause()
        show.tick(7)
        show.play()

    assert show.wait == 0.5


def test_playing_while_it_plays_changes_nothing() -> None:
    show = Show(2)
    show.tick(1.5)
    show.play()

    assert show.wait == 0.5


def test_a_pause_that_comes_late_keeps_the_whole_gap() -> None:
    show = Show(2, 2)
    show.now += 3  # the tick that was due has not come
    show.pause()
    show.now += 100
    show.play()

    assert show.wait == 0
    assert show.tick() == 2
    assert show.wait == 2


# Speed


def test_there_are_seven_speeds_and_none_beyond() -> None:
    show = Show(1)
    faster = [show.playback.speed for _ in range(6) if show.change_speed(1) is None]
    slower = [show.playback.speed for _ in range(9) if show.change_speed(-1) is None]

    assert faster == [2, 4, 8, 16, 16, 16]
    assert slower == [8, 4, 2, 1, 0.5, 0.25, 0.25, 0.25, 0.25]
    assert tuple(sorted({*faster, *slower})) == SPEEDS


@pytest.mark.parametrize(("steps", "speed"), [(1, 4.0), (-1, 2.0), (2, 8.0), (-3, 0.5)])
def test_from_another_speed_it_goes_to_the_next_of_the_seven(steps: int, speed: float) -> None:
    show = Show(1, speed=3.0)
    show.change_speed(steps)

    assert show.playback.speed == speed


def test_another_speed_in_the_middle_of_a_gap_keeps_the_share_that_has_passed() -> None:
    show = Show(2, 2)
    show.tick(1)
    show.change_speed(1)
    assert show.wait == 0.5
    show.tick(0.25)
    show.change_speed(-2)
    assert show.wait == 1
    assert show.tick(1) == 2
    assert show.wait == 4


def test_the_share_is_of_the_gap_after_the_idle_limit() -> None:
    show = Show(64)
    show.tick(1)  # a quarter of the 4 seconds that are left of it
    show.change_speed(5)
    assert show.wait == 3  # still cut
    show.tick(1)

    show.change_speed(-20)
    assert show.wait == 2


def test_another_speed_during_a_pause_keeps_the_share_too() -> None:
    show = Show(2)
    show.tick(1)
    show.pause()
    show.tick(50)
    show.change_speed(1)
    show.tick(50)
    show.play()

    assert show.wait == 0.5


def test_no_gap_has_no_share_to_keep() -> None:
    show = Show(0, 1)
    show.change_speed(1)
    show.pause()
    show.play()

    assert show.wait == 0
    assert show.tick() == 2


# Seeking


def test_a_seek_while_playing_goes_on_from_there_with_a_new_gap() -> None:
    show = Show(1, 2, 3)
    show.tick(0.75)
    show.seek(2)

    assert show.playback.is_playing
    assert show.wait == 2
    assert show.arrivals(10) == {3: 2.0, 4: 5.0}


def test_a_seek_while_paused_forgets_the_share_of_the_old_gap() -> None:
    show = Show(2, 2)
    show.tick(1)
    show.pause()
    show.seek(2)
    show.now += 10
    show.play()

    assert show.wait == 2


def test_a_seek_to_the_end_while_playing_has_nothing_more_to_play() -> None:
    show = Show(1, 1)
    show.seek(3)

    assert show.wait is None
    assert not show.playback.is_playing


def test_a_seek_to_the_end_of_a_loop_rests_and_begins_again() -> None:
    show = Show(1, 1, loops=True)
    show.seek(3)

    assert show.wait == 4
    assert show.tick(4) == 1


# Laws

gaps = st.lists(st.integers(-64, 640).map(lambda count: count / 64), max_size=12)
speeds = st.sampled_from(SPEEDS)
pauses = st.lists(st.integers(0, 32).map(lambda count: count / 64), max_size=60)


def cut(gap: float, speed: float, idle: float = 4.0) -> float:
    return min(max(0.0, gap) / speed, idle)


def due_times(show: Show) -> list[float]:
    """Return after how many seconds each position is due when no tick is late, from position 1."""
    return [0.0, *accumulate(cut(gap, show.playback.speed) for gap in show.reel.gaps)]


@given(gaps, speeds, pauses)
def test_with_ticks_that_are_not_late_each_position_is_there_exactly_when_it_is_due(
    given_gaps: list[float], speed: float, steps: list[float]
) -> None:
    show = Show(*given_gaps, speed=speed)
    due, began = due_times(show), show.now

    for step in steps:
        assert show.tick(step) == sum(time <= show.now - began for time in due)


@given(gaps, speeds, st.lists(st.integers(0, 1280).map(lambda count: count / 64), max_size=40))
def test_whenever_the_ticks_come_no_position_is_early_or_taken_back_and_only_sleep_makes_it_late(
    given_gaps: list[float], speed: float, steps: list[float]
) -> None:
    show = Show(*given_gaps, speed=speed)
    due, began, asleep = due_times(show), show.now, 0.0

    for step in steps:
        before, left = show.position, show.wait
        show.tick(step)
        asleep += max(0.0, step - MAX_LATE_SECONDS - (left or 0.0))

        assert show.position >= before
        assert show.position == sum(time <= show.now - began - asleep for time in due)
        assert show.wait is None or show.wait > 0


@given(gaps, speeds, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 640)), max_size=30))
def test_all_of_it_takes_as_long_as_its_cut_gaps_together_however_often_it_is_paused(
    given_gaps: list[float], speed: float, breaks: list[tuple[int, int]]
) -> None:
    show = Show(*given_gaps, speed=speed)
    played, expected = 0.0, due_times(show)[-1]

    for playing, resting in breaks:
        if show.wait is not None:
            step = min(playing / 64, show.wait)
            played += step
            show.tick(step)
            show.pause()
            show.now += resting / 64
            if show.position < show.reel.end:
                show.play()
    while (left := show.wait) is not None:
        played += max(0.0, left)
        show.tick(max(0.0, left) + 1e-9)

    assert show.position == show.reel.end
    assert abs(played - expected) < 1e-6


class Naive:
    """The same in fractions, moment by moment: what share of the gap has passed, and how fast it goes."""

    def __init__(self, given_gaps: list[float]) -> None:
        self.gaps = [Fraction(gap) for gap in given_gaps]
        self.place, self.share, self.speed = 0, Fraction(0), Fraction(1)
        self.is_playing = bool(given_gaps)

    @property
    def is_over(self) -> bool:
        return self.place == len(self.gaps)

    @property
    def left(self) -> Fraction:
        gap = min(max(Fraction(0), self.gaps[self.place]) / self.speed, Fraction(4))
        return gap * (1 - self.share)

    def pass_(self, seconds: Fraction) -> None:
        while self.is_playing and self.left <= seconds:
            seconds -= self.left
            self.place, self.share = self.place + 1, Fraction(0)
            self.is_playing = not self.is_over
        if self.is_playing:
            self.share += (1 - self.share) * seconds / self.left


# ticks below half a second: later ones count as sleep
deeds = st.tuples(st.integers(0, 31), st.sampled_from(["", "pause", "play", "faster", "slower"]))
some_gaps = st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0, 3.0, 10.0, 100.0]), max_size=8)


@given(some_gaps, st.lists(deeds, max_size=60))
def test_speeds_and_pauses_in_any_order_keep_the_place_within_the_gap(
    given_gaps: list[float], steps: list[tuple[int, str]]
) -> None:
    show, naive = Show(*given_gaps), Naive(given_gaps)

    for ticks, deed in steps:
        # a tick away from where rounding would decide
        seconds = Fraction(ticks, 64) + Fraction(1, 1 << 14)
        show.tick(float(seconds))
        naive.pass_(seconds)
        if deed == "pause":
            show.pause()
            naive.is_playing = False
        elif deed == "play" and not naive.is_over:
            show.play()
            naive.is_playing = True
        elif deed in {"faster", "slower"}:
            show.change_speed(1 if deed == "faster" else -1)
            naive.speed = Fraction(show.playback.speed)

        assert (show.position, show.playback.is_playing) == (naive.place + 1, naive.is_playing)
        if naive.is_playing:
            assert abs((show.wait or 0) - naive.left) < 1e-6
