"""Values of a journal's JSON that may be of any type, as what they should be, or as text."""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from seqthink.text import one_line

MOST_SHOWN, MOST_TEXT = 40, 4000

Fields = Mapping[str, Any]


def fields(value: object) -> Fields:
    """Return a value as an object of JSON; anything else has no fields."""
    return cast("Fields", value) if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """Return a value as a list of JSON; anything else has no items."""
    return cast("list[object]", value)[:MOST_SHOWN] if isinstance(value, list) else []


def said(value: object) -> str:
    """Return a value that should be a text as one line."""
    return (
        one_line(value[:MOST_TEXT]) if isinstance(value, str) else ("" if value is None else one_line(str(value)[:80]))
    )


def pretty(value: object, indent: int = 2) -> str:
    """Return a value as a person reads it, on one line without ``indent``; it is yet to be sanitized."""
    if isinstance(value, str):
        return value  # what was too long stands as its first bytes
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=indent).decode("utf-8", "replace")
    except (msgspec.MsgspecError, RecursionError, TypeError, ValueError):
        return "(they cannot be shown)"
