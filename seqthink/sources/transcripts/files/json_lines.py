"""Reads single JSON values of untrusted lines without ever raising: what cannot be read is None."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any, Final, TypeVar, cast

import msgspec

from seqthink.core.times import microseconds_of

MAX_ID_CHARS: Final = 128
_Struct = TypeVar("_Struct", bound=msgspec.Struct)


def decode_object(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object that ``line`` is, or None. Lone surrogates and bytes that are no UTF-8 become U+FFFD."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        value = _decode_leniently(line)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def decode_as(decoder: "msgspec.json.Decoder[_Struct]", line: bytes | msgspec.Raw) -> _Struct | None:
    """Return what ``decoder`` reads in ``line``, or None.

    A decoder of a struct whose fields are `msgspec.Raw` passes over all other fields at some GB/s, and keeps nothing of
    them: so the small part of a long line is read. A line that JSON does not allow is repaired as by `decode_object`.
    """
    try:
        return decoder.decode(line)
    except msgspec.ValidationError:
        return None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    repaired = _decode_leniently(bytes(line))
    if repaired is None:
        return None
    try:
        return decoder.decode(msgspec.json.encode(repaired))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def decode_value(raw: bytes | msgspec.Raw) -> Any:  # noqa: ANN401 (a JSON value)
    """Return the JSON value in ``raw``; None if there is none."""
    if not raw:
        return None
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _decode_leniently(bytes(raw))


def _decode_leniently(line: bytes) -> Any:  # noqa: ANN401 (a JSON value)
    try:
        value = json.loads(line.decode("utf-8", "replace"), parse_constant=lambda _: None)
        plain = json.dumps(value, ensure_ascii=False)
        # Encoded this way, each lone surrogate is three bytes that are no UTF-8, and comes back as U+FFFD.
        return json.loads(plain.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def microseconds_of_text(value: object) -> int | None:
    """Return an RFC 3339 time in microseconds since 1970; None if it is none. A time without a zone is UTC."""
    if not isinstance(value, str) or not 10 <= len(value) <= 40:
        return None
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        return None
    return microseconds_of(time if time.tzinfo else time.replace(tzinfo=UTC))


def bounded_id(value: object) -> str | None:
    """Return an id that the source gave; None if it is no text or empty. A longer one is cut, with its hash behind."""
    if not isinstance(value, str) or not value:
        return None
    if len(value) <= MAX_ID_CHARS:
        return value
    digest = hashlib.blake2b(value.encode("utf-8", "replace"), digest_size=16).hexdigest()
    return f"{value[: MAX_ID_CHARS - 33]}#{digest}"


def object_or_empty(value: object) -> dict[str, Any]:
    """Return the value if it is a decoded JSON object, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def text_or_none(value: object) -> str | None:
    """Return the value if it is a text that is not empty, else None."""
    return value if isinstance(value, str) and value else None


def count_or_none(value: object) -> int | None:
    """Return the value if it is a whole number from 0 on, else None. True and false are no numbers."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
