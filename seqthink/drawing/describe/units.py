"""Times and counts as short text (docs/screens.md, "Times")."""

from datetime import UTC, datetime, tzinfo

_SECOND = 1_000_000
_WEEK = 7 * 86_400

_SECOND_DAY, _LAST_DAY = -62_135_596_800 + 86_400, 253_402_300_799 - 86_400

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "m"), (1, "s"))


def duration(microseconds: int) -> str:
    """Return a duration in at most five cells: ``0.4s``, ``12s``, ``1m20s``, ``12m``, ``1h05m``, ``26h``, ``3d``."""
    tenths = max(0, microseconds) // 100_000
    if tenths < 10:
        return f"0.{tenths}s"
    seconds = tenths // 10
    if seconds < 60:
        return f"{seconds}s"
    minutes, hours = seconds // 60, seconds // 3600
    if minutes < 60:
        return f"{minutes}m{seconds % 60:02d}s" if minutes < 10 else f"{minutes}m"
    if hours < 48:
        return f"{hours}h{minutes % 60:02d}m" if hours < 10 else f"{hours}h"
    return f"{min(hours // 24, 9999)}d"


def rough(microseconds: int) -> str:
    """Return a duration in its largest unit, as words of a line: ``40 s``, ``4 m``, ``2 h``, ``3 d``."""
    seconds = max(0, microseconds) // _SECOND
    return next((f"{seconds // unit} {sign}" for unit, sign in _UNITS if seconds >= unit), "0 s")


def duration_ms(milliseconds: float) -> str:
    """Return a duration given in milliseconds; values out of range are clamped."""
    return duration(int(max(0.0, min(milliseconds, 1e12)) * 1000))


def age(now: int, then: int) -> str:
    """Return the time since ``then`` (both in microseconds): ``now``, ``12s``, ``4m``, ``2h``, ``3d``, ``11-20``."""
    seconds = max(0, now - then) // _SECOND
    if seconds >= _WEEK:
        return datetime.fromtimestamp(then // _SECOND, UTC).strftime("%m-%d")
    for unit, sign in _UNITS:
        if seconds >= unit:
            return f"{seconds // unit}{sign}"
    return "now"


def clock(then: int, zone: tzinfo = UTC, *, seconds: bool = True) -> str:
    """Return the time of day of ``then`` (microseconds) in ``zone``: ``14:03:56``, or ``14:03`` without ``seconds``."""
    # In another time zone, the first and the last day of the calendar could be out of range.
    timestamp = min(max(then // _SECOND, _SECOND_DAY), _LAST_DAY)
    if zone is UTC:
        minutes = timestamp // 60 % 1440
        hours_and_minutes = f"{minutes // 60:02d}:{minutes % 60:02d}"
        return f"{hours_and_minutes}:{timestamp % 60:02d}" if seconds else hours_and_minutes
    return datetime.fromtimestamp(timestamp, zone).strftime("%H:%M:%S" if seconds else "%H:%M")


def date(then: int, zone: tzinfo = UTC) -> str:
    """Return the day of ``then`` (microseconds) in ``zone``: ``2026-11-20``; "" if it is in no calendar."""
    try:
        return datetime.fromtimestamp(then // _SECOND, UTC).astimezone(zone).strftime("%Y-%m-%d")
    except (OverflowError, ValueError):
        return ""


def count(number: int, noun: str) -> str:
    """Return ``1 branch``, ``2 branches``."""
    plural = noun + ("es" if noun.endswith("ch") else "s")
    return f"{number:,} {noun if number == 1 else plural}"


def size(characters: int) -> str:
    """Return the length of a text in characters: ``247 chars``, ``12k chars``."""
    if characters == 1:
        return "1 char"
    return f"{characters} chars" if characters < 10_000 else f"{characters // 1000}k chars"


def tokens(number: int) -> str:
    """Return a number of tokens in at most five cells: ``940``, ``2.1k``, ``150k``, ``1.2M``."""
    for unit, sign in ((1_000_000, "M"), (1000, "k")):
        if number >= unit:
            tenths = number * 10 // unit
            return f"{tenths // 10}.{tenths % 10}{sign}" if tenths < 100 and tenths % 10 else f"{tenths // 10}{sign}"
    return str(max(0, number))
