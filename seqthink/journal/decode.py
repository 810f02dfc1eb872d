"""A journal line's bytes to its event; what cannot be read is named (journal.md, "Lines")."""

import codecs
import json
from collections.abc import Callable
from typing import Any, cast

import msgspec

from seqthink.errors import CorruptLineError
from seqthink.events import EVENT_TYPES, Event, UnreadEvent

Decode = Callable[[bytes], Event | UnreadEvent]
"""What makes an event of one complete line; it raises CorruptLineError where there is none."""

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def decode(line: bytes) -> Event | UnreadEvent:
    """Return the event of one complete line.

    Raises:
        CorruptLineError: the line is no JSON object, or a known type with bad fields.
    """
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _decode_slowly(line, error)


def _decode_slowly(line: bytes, first: Exception) -> Event | UnreadEvent:
    """Decode what the fast parser refuses: newer lines and lone surrogates; or say what is wrong."""
    try:
        value: Any = json.loads(line.decode("utf-8", "surrogatepass"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise CorruptLineError(_stray_bytes(line) or _reason(error)) from first
    if not isinstance(value, dict):
        raise CorruptLineError("not a JSON object")
    fields = cast("dict[str, Any]", value)
    version, kind = fields.get("v"), fields.get("type")
    if type(version) is not int or version < 1:
        raise CorruptLineError("no version: `v` must be an integer above 0")
    if version > 1 or (isinstance(kind, str) and kind not in EVENT_TYPES):
        return UnreadEvent(version, str(kind))
    if not isinstance(kind, str):
        raise CorruptLineError("no `type`")
    # No known field has such a name, and msgspec cannot look up one with a lone surrogate in it.
    known = {name: item for name, item in fields.items() if name.isascii()}
    try:
        return msgspec.convert(known, cast("type[Event]", Event))
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        raise CorruptLineError(_reason(error)) from first


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _stray_bytes(line: bytes) -> str:
    if line.startswith(codecs.BOM_UTF8):
        return "not JSON: a byte order mark stands before it"
    zeros = line.count(0)
    return f"not JSON: {zeros:,} NUL bytes in it, as a loss of power can leave them" if zeros else ""


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg}, at character {error.pos}"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8: {error.reason}, at byte {error.start}"
    return str(error)
