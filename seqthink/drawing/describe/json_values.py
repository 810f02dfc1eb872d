"""Untrusted JSON values of a journal, coerced to the expected type or to text."""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from seqthink.core.text import one_line

MAX_ITEMS, MAX_TEXT_CHARS = 40, 4000
"""How many items of a list, and characters of a text, are shown."""

JsonObject = Mapping[str, Any]


def as_object(value: object) -> JsonObject:
    """Return the value if it is a JSON object, else an empty one."""
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Return the first ``MAX_ITEMS`` items of the value if it is a JSON array, else []."""
    return cast("list[object]", value)[:MAX_ITEMS] if isinstance(value, list) else []


def as_line(value: object) -> str:
    """Return a value that should be text on one line, sanitized and shortened."""
    return (
        one_line(value[:MAX_TEXT_CHARS])
        if isinstance(value, str)
        else ("" if value is None else one_line(str(value)[:80]))
    )


def pretty_json(value: object, indent: int = 2) -> str:
    """Return the value as readable JSON, on one line if ``indent`` is 0; a string as it is. It is not sanitized."""
    if isinstance(value, str):
        return value  # of a value that was too long, the journal has the first bytes of its JSON as a string
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=indent).decode("utf-8", "replace")
    except (msgspec.MsgspecError, RecursionError, TypeError, ValueError):
        return "(they cannot be shown)"
