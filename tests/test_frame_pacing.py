"""When arrivals are drawn: at once, then at a pace that leaves the keys their time, and never before a key's frame."""

import pytest

from tui.frame_pacing import MAX_PAUSE_SECONDS, MIN_PAUSE_SECONDS, PAUSE_FACTOR, FramePacer


def frame(pace: FramePacer, at: float, took: float) -> None:
    pace.record_arrival(at)
    pace.record_draw(at)
    pace.record_paint(at + took)


def test_after_a_quiet_moment_it_is_drawn_at_once() -> None:
    pace = FramePacer()
    frame(pace, 10, 0.01)

    assert pace.seconds_until_arrival(11) <= 0


@pytest.mark.parametrize(
    ("took", "pause"), [(0.001, MIN_PAUSE_SECONDS), (0.025, PAUSE_FACTOR * 0.025), (0.5, MAX_PAUSE_SECONDS)]
)
def test_the_next_frame_waits_as_long_as_the_last_one_was_dear(took: float, pause: float) -> None:
    pace = FramePacer()
    frame(pace, 10, took)

    assert pace.seconds_until_arrival(10) == pytest.approx(pause)  # pyright: ignore[reportUnknownMemberType] - its own types are incomplete


def test_what_a_key_has_drawn_is_painted_before_what_has_come() -> None:
    pace = FramePacer()
    pace.record_draw(10)
    before = pace.seconds_until_arrival(10.01)
    pace.record_paint(10.02)

    assert before > 0
    assert pace.seconds_until_arrival(10.02) <= 0


def test_what_is_never_painted_holds_nothing_up() -> None:
    pace = FramePacer()
    pace.record_draw(10)

    assert pace.seconds_until_arrival(10 + MIN_PAUSE_SECONDS) <= 0


def test_a_keys_frame_says_nothing_of_what_arrivals_cost() -> None:
    pace = FramePacer()
    frame(pace, 10, 0.001)
    pace.record_draw(20)
    pace.record_paint(25)

    assert pace.seconds_until_arrival(10) == pytest.approx(MIN_PAUSE_SECONDS)  # pyright: ignore[reportUnknownMemberType] - its own types are incomplete
