"""A journal line's bytes to its event; what cannot be read is named (journal.md, "Lines").

Whatever JSON parsers disagree on is decided here, alike on the fast way and on the slow one: of a key that is there
twice the last counts, a number that no double holds is the largest one, and what is not UTF-8 is corrupt wherever it
stands, except for lone surrogates.
"""

import codecs
import json
import sys
from collections.abc import Callable
from typing import Any, cast

import msgspec

from seqthink.errors import CorruptLineError
from seqthink.events import EVENT_TYPES, Event, UnreadEvent

Decode = Callable[[bytes], Event | UnreadEvent]
"""What makes an event of one complete line; it raises CorruptLineError where there is none."""

_REASON_LENGTH = 200
_MOST_DIGITS = 4000

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def decode(line: bytes) -> Event | UnreadEvent:
    """Return the event of one complete line.

    Raises:
        CorruptLineError: the line is no JSON object, or a known type with bad fields.
    """
    try:
        event = _decoder.decode(line)
        if not line.isascii():
            line.decode()  # the parser looks only into the strings that it keeps
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _decode_slowly(line, error)
    return event


def _decode_slowly(line: bytes, first: Exception) -> Event | UnreadEvent:
    """Decode what the fast parser refuses: newer lines and lone surrogates; or say what is wrong."""
    try:
        value = parse(line.decode("utf-8", "surrogatepass"))
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


def parse(text: str) -> Any:  # noqa: ANN401 - whatever a line holds
    """Return what ``text`` says in JSON, a number that no double holds as the largest one.

    Raises:
        ValueError: it is no JSON.
        RecursionError: it is nested too deeply.
    """
    return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite, parse_int=_whole)


def _finite(text: str) -> float:
    return max(-sys.float_info.max, min(sys.float_info.max, float(text)))


def _whole(text: str) -> int | float:
    return int(text) if len(text) < _MOST_DIGITS else _finite(text)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _stray_bytes(line: bytes) -> str:
    if line.startswith(codecs.BOM_UTF8):
        return "not JSON: a byte order mark stands before it"
    zeros = line.count(0)
    if zeros:
        return f"not JSON: {zeros:,} NUL byte{'s' * (zeros > 1)} in it, as a loss of power can leave them"
    return ""


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg}, at character {error.pos}"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8: {error.reason}, at byte {error.start}"
    return str(error)[:_REASON_LENGTH]
