"""Reads single JSON values of untrusted lines without ever raising: what cannot be read is None."""

import hashlib
import json
from datetime import UTC, datetime
from types import UnionType
from typing import Any, Final, TypeVar, Union, cast, get_args, get_origin

import msgspec

from seqthink.core.times import microseconds_of

MAX_ID_CHARS: Final = 128
_MAX_MILLISECONDS: Final = 253_402_300_799_999
"""The last millisecond of the year 9999."""
_UNFIT: Final = object()
_MEMBERS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_Struct = TypeVar("_Struct", bound=msgspec.Struct)


def decode_object(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object that ``line`` is, or None. Lone surrogates and bytes that are not UTF-8 become U+FFFD."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        value = _decode_leniently(line)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def decode_as(decoder: "msgspec.json.Decoder[_Struct]", line: bytes | msgspec.Raw) -> _Struct | None:
    """Return what ``decoder`` reads in ``line``, or None.

    A decoder of a struct passes over all other fields at some GB/s, and keeps nothing of them: so the small part of a
    long line is read. What is of another type than its field counts as missing. A line that JSON does not allow is
    repaired as by `decode_object`.
    """
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        value = decode_value(line)
    try:
        fitting = _fitting(value, decoder.type)
        return None if fitting is _UNFIT else decoder.decode(msgspec.json.encode(fitting))
    except (msgspec.MsgspecError, UnicodeError, OverflowError, RecursionError):
        return None


def _fitting(value: Any, kind: Any) -> Any:  # noqa: ANN401 (a JSON value, and any type)
    """Return as much of a value as has the types of ``kind``."""
    parts = get_args(kind)
    if get_origin(kind) in {Union, UnionType}:
        return next((found for part in parts if (found := _fitting(value, part)) is not _UNFIT), _UNFIT)
    if get_origin(kind) is list and isinstance(value, list):
        items = (_fitting(item, parts[0]) for item in cast("list[Any]", value))
        return [item for item in items if item is not _UNFIT]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        found = (
            (field.encode_name, _fitting(fields[field.encode_name], field.type))
            for field in msgspec.structs.fields(kind)
            if field.encode_name in fields
        )
        return {name: part for name, part in found if part is not _UNFIT}
    if kind is not msgspec.Raw:
        try:
            msgspec.convert(value, cast("Any", kind))
        except msgspec.ValidationError:
            return _UNFIT
    return value


def decode_value(raw: bytes | msgspec.Raw) -> Any:  # noqa: ANN401 (a JSON value)
    """Return the JSON value in ``raw``; None if there is none."""
    if not raw:
        return None
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _decode_leniently(bytes(raw))


def decode_short_members(raw: bytes | msgspec.Raw, max_bytes: int) -> dict[str, Any]:
    """Return the JSON object in ``raw`` without values of more than ``max_bytes``, which are not decoded."""
    try:
        values = _MEMBERS.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return decode_object(bytes(raw)) or {}
    return {name: decode_value(value) for name, value in values.items() if memoryview(value).nbytes <= max_bytes}


def _decode_leniently(line: bytes) -> Any:  # noqa: ANN401 (a JSON value)
    try:
        value = json.loads(line.decode("utf-8", "replace"), parse_constant=lambda _: None)
        plain = json.dumps(value, ensure_ascii=False)
        # Encoded this way, each lone surrogate is three bytes that are not UTF-8, and comes back as U+FFFD.
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


def microseconds_of_number(value: object) -> int | None:
    """Return milliseconds since 1970 as microseconds; None if the value is not such a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value * 1000) if 0 <= value <= _MAX_MILLISECONDS else None


def bounded_id(value: object) -> str | None:
    """Return an id that the source gave; None if it is not text or empty. A longer one is cut, with its hash behind."""
    if not isinstance(value, str) or not value:
        return None
    if len(value) <= MAX_ID_CHARS:
        return value
    digest = hashlib.blake2b(value.encode("utf-8", "replace"), digest_size=16).hexdigest()
    return f"{value[: MAX_ID_CHARS - 33]}#{digest}"
