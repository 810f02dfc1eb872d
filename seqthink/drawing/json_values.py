"""Values of a journal's JSON that may be of any type, as what they should be, or as text."""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from seqthink.text import one_line

MAX_ITEMS, MAX_TEXT_CHARS = 40, 4000

JsonObject = Mapping[str, Any]


def as_object(value: object) -> JsonObject:
    """Return a value as an object of JSON; anything else has no fields."""
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Return a value as a list of JSON; anything else has no items."""
    return cast("list[object]", value)[:MAX_ITEMS] if isinstance(value, list) else []


def as_line(value: object) -> str:
    """Return a value that should be a text as one line."""
    return (
        one_line(value[:MAX_TEXT_CHARS])
        if isinstance(value, str)
        else ("" if value is None else one_line(str(value)[:80]))
    )


def pretty_json(value: object, indent: int = 2) -> str:
    """Return a value as a person reads it, on one line without ``indent``; it is yet to be sanitized."""
    if isinstance(value, str):
        return value  # what was too long stands as its first bytes
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=indent).decode("utf-8", "replace")
    except (msgspec.MsgspecError, RecursionError, TypeError, ValueError):
        return "(they cannot be shown)"
