"""When arrivals are drawn: at once, then at a pace that leaves the keys their time, and never before a key's frame."""

import pytest

from tui.state.frame_pacing import MAX_PAUSE_SECONDS, MAX_UNPAINTED_SECONDS, MIN_PAUSE_SECONDS, PAUSE_FACTOR, FramePacer


def frame(pace: FramePacer, at: float, took: float) -> None:
    pace.record_arrival(at)
    pace.record_draw(at)
    pace.record_paint(at + took)


def test_after_a_pause_an_arrival_is_drawn_at_once() -> None:
    pace = FramePacer()
    frame(pace, 10, 0.01)

    assert pace.seconds_until_arrival(11) <= 0


@pytest.mark.parametrize(
    ("took", "pause"), [(0.001, MIN_PAUSE_SECONDS), (0.025, PAUSE_FACTOR * 0.025), (0.5, MAX_PAUSE_SECONDS)]
)
def test_the_pause_before_the_next_frame_grows_with_the_duration_of_the_last(took: float, pause: float) -> None:
    pace = FramePacer()
    frame(pace, 10, took)

    assert pace.seconds_until_arrival(10) == pytest.approx(pause)  # pyright: ignore[reportUnknownMemberType] - its own types are incomplete


def test_frames_for_keys_are_painted_before_arrivals_are_drawn() -> None:
    pace = FramePacer()
    pace.record_draw(10)
    before = pace.seconds_until_arrival(10.01)
    pace.record_paint(10.02)

    assert before > 0
    assert pace.seconds_until_arrival(10.02) <= 0


def test_a_frame_that_is_never_painted_blocks_nothing() -> None:
    pace = FramePacer()
    pace.record_draw(10)

    assert pace.seconds_until_arrival(10 + MAX_UNPAINTED_SECONDS) <= 0


def test_a_frame_for_a_key_does_not_change_the_pause() -> None:
    pace = FramePacer()
    frame(pace, 10, 0.001)
    pace.record_draw(20)
    pace.record_paint(25)

    assert pace.seconds_until_arrival(10) == pytest.approx(MIN_PAUSE_SECONDS)  # pyright: ignore[reportUnknownMemberType] - its own types are incomplete
