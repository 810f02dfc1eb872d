"""Times, ages and counts in words."""

from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.drawing.describe import units

SECOND = 1_000_000
FIRST, LAST = -62_135_596_800_000_000, 253_402_300_799_999_999


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (-5, "0.0s"),
        (0.449, "0.4s"),
        (0.999, "0.9s"),
        (1, "1s"),
        (12.9, "12s"),
        (59.99, "59s"),
        (60, "1m00s"),
        (80, "1m20s"),
        (599, "9m59s"),
        (600, "10m"),
        (720, "12m"),
        (3599, "59m"),
        (3900, "1h05m"),
        (35_999, "9h59m"),
        (36_000, "10h"),
        (26 * 3600, "26h"),
        (48 * 3600, "2d"),
        (3 * 86_400, "3d"),
        (10**12, "9999d"),
    ],
)
def test_durations_are_in_the_most_useful_unit(seconds: float, expected: str) -> None:
    assert units.duration(round(seconds * SECOND)) == expected


@given(st.integers(-(2**60), 2**60))
def test_a_duration_takes_at_most_five_cells(microseconds: int) -> None:
    assert len(units.duration(microseconds)) <= 5


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (-10, "now"),
        (0.9, "now"),
        (1, "1s"),
        (59.9, "59s"),
        (240, "4m"),
        (7200, "2h"),
        (3 * 86_400, "3d"),
        (7 * 86_400 - 1, "6d"),
        (7 * 86_400, "03-03"),
    ],
)
def test_ages_have_one_unit_and_then_a_date(seconds: float, expected: str) -> None:
    now = 1_773_151_320 * SECOND  # 10 March 2026, 14:02

    assert units.age(now, now - round(seconds * SECOND)) == expected


@given(st.integers(FIRST, LAST), st.integers(FIRST, LAST), st.integers(-23, 23))
def test_no_time_that_a_journal_can_hold_fails(one: int, other: int, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))

    assert len(units.age(one, other)) <= 5
    assert len(units.clock(one, zone)) == 8
    assert len(units.clock(one, zone, seconds=False)) == 5


def test_clocks_are_those_of_the_zone() -> None:
    then = 1_773_151_323 * SECOND

    assert units.clock(then) == "14:02:03"
    assert units.clock(then, timezone(timedelta(hours=1)), seconds=False) == "15:02"


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [(1, "branch", "1 branch"), (2, "branch", "2 branches"), (1200, "revision", "1,200 revisions"), (0, "x", "0 xs")],
)
def test_counts_have_their_noun_in_the_right_form(number: int, noun: str, expected: str) -> None:
    assert units.count(number, noun) == expected


@pytest.mark.parametrize(("characters", "expected"), [(1, "1 char"), (247, "247 chars"), (12_345, "12k chars")])
def test_sizes_are_short(characters: int, expected: str) -> None:
    assert units.size(characters) == expected
