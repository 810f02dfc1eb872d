"""Values of a decoded JSON object, taken as what they should be; what is of another type counts as missing."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final, cast

from seqthink.sources.transcripts.files.json_lines import bounded_id, microseconds_of_number, microseconds_of_text

Fields = Mapping[str, Any]
"""A decoded JSON object."""

NO_FIELDS: Final[Fields] = {}
PICTURE: Final = "[image]"
"""What a picture that somebody sent is called where nothing else was said."""
_MAX_NUMBER: Final = 1 << 53


def as_fields(value: object) -> Fields:
    """Return a decoded value that is an object; else an empty one."""
    return cast("Fields", value) if isinstance(value, dict) else NO_FIELDS


def text_in(fields: Fields, *keys: str) -> str:
    """Return the first of these fields that is a text and not empty; else an empty text."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def id_in(fields: Fields, *keys: str) -> str:
    """Return the first of these fields that is a text and not empty, cut as an id is; else an empty text."""
    return bounded_id(text_in(fields, *keys)) or ""


def time_in(fields: Fields, key: str) -> int | None:
    """Return a field that is an RFC 3339 time, in microseconds since 1970; else None."""
    return microseconds_of_text(fields.get(key))


def milliseconds_in(fields: Fields, key: str) -> int | None:
    """Return a field of milliseconds since 1970, as microseconds; else None."""
    return microseconds_of_number(fields.get(key))


def object_in(fields: Fields, *keys: str) -> Fields:
    """Return the first of these fields that is an object; else an empty one."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, dict):
            return cast("Fields", value)
    return NO_FIELDS


def list_in(fields: Fields, *keys: str) -> list[Any]:
    """Return the first of these fields that is a list; else an empty one."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, list):
            return cast("list[Any]", value)
    return []


def objects_in(fields: Fields, *keys: str) -> list[Fields]:
    """Return the objects in the first of these fields that is a list."""
    return [cast("Fields", value) for value in list_in(fields, *keys) if isinstance(value, dict)]


def texts_in(fields: Fields, key: str) -> list[str]:
    """Return the texts in a field that is a list: its texts themselves, and the field ``text`` of its objects."""
    texts: list[str] = []
    for value in list_in(fields, key):
        text = text_in(cast("Fields", value), "text") if isinstance(value, dict) else value
        if isinstance(text, str) and text:
            texts.append(text)
    return texts


def picture_in(fields: Fields, key: str) -> str:
    """Return a word for a picture, if a field that is a list holds one; else an empty text."""
    return PICTURE if any("image" in text_in(one, "type").lower() for one in objects_in(fields, key)) else ""


def number_in(fields: Fields, key: str) -> int | None:
    """Return a field that is a whole number from 0 on, also one written as ``3.0``; else None, as for one too large."""
    value = fields.get(key)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= _MAX_NUMBER else None


def digest(text: str) -> str:
    """Return a short digest of a text, for the ids of records that have none."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
