"""When arrivals are drawn: at once, then at a pace that leaves the keys their time, and never before a key's frame."""

import pytest

from tui.pace import LONGEST, SHARE, SHORTEST, Pace


def frame(pace: Pace, at: float, took: float) -> None:
    pace.arrive(at)
    pace.draw(at)
    pace.paint(at + took)


def test_after_a_quiet_moment_it_is_drawn_at_once() -> None:
    pace = Pace()
    frame(pace, 10, 0.01)

    assert pace.wait(11) <= 0


@pytest.mark.parametrize(("took", "pause"), [(0.001, SHORTEST), (0.025, SHARE * 0.025), (0.5, LONGEST)])
def test_the_next_frame_waits_as_long_as_the_last_one_was_dear(took: float, pause: float) -> None:
    pace = Pace()
    frame(pace, 10, took)

    assert pace.wait(10) == pytest.approx(pause)  # pyright: ignore[reportUnknownMemberType] - its own types are incomplete


def test_what_a_key_has_drawn_is_painted_before_what_has_come() -> None:
    pace = Pace()
    pace.draw(10)
    before = pace.wait(10.01)
    pace.paint(10.02)

    assert before > 0
    assert pace.wait(10.02) <= 0


def test_what_is_never_painted_holds_nothing_up() -> None:
    pace = Pace()
    pace.draw(10)

    assert pace.wait(10 + SHORTEST) <= 0


def test_a_keys_frame_says_nothing_of_what_arrivals_cost() -> None:
    pace = Pace()
    frame(pace, 10, 0.001)
    pace.draw(20)
    pace.paint(25)

    assert pace.wait(10) == pytest.approx(SHORTEST)  # pyright: ignore[reportUnknownMemberType] - its own types are incomplete
