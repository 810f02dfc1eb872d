from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.times import MAX_MICROSECONDS, MIN_MICROSECONDS, datetime_of, microseconds_of

EAST, WEST = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))


@given(st.datetimes(timezones=st.just(UTC)))
def test_microseconds_and_times_are_the_same_in_both_directions(time: datetime) -> None:
    assert datetime_of(microseconds_of(time)) == time


def test_a_time_that_lies_outside_the_calendar_in_utc_is_the_nearest_one_within() -> None:
    assert microseconds_of(datetime(1, 1, 1, tzinfo=EAST)) == MIN_MICROSECONDS
    assert microseconds_of(datetime(9999, 12, 31, 23, tzinfo=WEST)) == MAX_MICROSECONDS
    assert datetime_of(MIN_MICROSECONDS).year == 1
    assert datetime_of(MAX_MICROSECONDS).year == 9999
