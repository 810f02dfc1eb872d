"""Times as microseconds since 1970 (UTC), the unit of the fold and of all that is drawn."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MIN_MICROSECONDS, MAX_MICROSECONDS = -62_135_596_800_000_000, 253_402_300_799_999_999
"""The calendar's first and last microsecond, counted from 1970."""


def microseconds_of(time: datetime) -> int:
    """Return a time that knows its zone in microseconds since 1970, exactly."""
    since = time - _EPOCH
    exact = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    if MIN_MICROSECONDS <= exact <= MAX_MICROSECONDS:
        return exact
    # Converted to UTC, times within a day of the calendar's limits may lie outside the calendar.
    return MIN_MICROSECONDS if exact < MIN_MICROSECONDS else MAX_MICROSECONDS


def is_recent(time: int, now: int, seconds: float) -> bool:
    """Return whether a time was less than this many seconds ago; both in microseconds since 1970.

    It may be as far ahead, since two computers' clocks differ. One that is further ahead says nothing of now.
    """
    return abs(now - time) < seconds * 1_000_000


def datetime_of(microseconds: int) -> datetime:
    """Return the time in UTC that `microseconds_of` gave the number of; the last one there is, if it is beyond that."""
    return _EPOCH + timedelta(microseconds=min(microseconds, MAX_MICROSECONDS))
