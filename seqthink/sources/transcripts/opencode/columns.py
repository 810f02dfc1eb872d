"""Reads the columns of a table, whose types nothing promises; `json_fields` reads the JSON that they hold."""

from typing import Any, Final, cast

from seqthink.sources.transcripts.files import json_lines

MAX_ID_CHARS: Final = 200


def decode_object(data: object) -> dict[str, Any] | None:
    """Return the JSON object in ``data``, which is bytes, text or decoded already; None if there is none."""
    if isinstance(data, dict):
        return cast("dict[str, Any]", data)
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    return json_lines.decode_object(data) if isinstance(data, bytes) else None


def text(value: object) -> str:
    """Return the value if it is a text, else an empty one; bytes as SQLite gives them are decoded."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else ""


def identifier(value: object) -> str | None:
    """Return the value if it can be an id: a text of 1 to 200 characters."""
    found = text(value)
    return found if 0 < len(found) <= MAX_ID_CHARS else None


def count(value: object) -> int:
    """Return the value if it is a whole number above 0 that a count can be, else 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if 0 < value < 2**53 else 0
