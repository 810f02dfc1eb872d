"""Encodes an event into its journal line. Standard library only: this runs between a call and its answer."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any


def compact_encoder(*, allow_nan: bool) -> Callable[[Any], str]:
    """Return a function that encodes a value as compact JSON with non-ASCII characters unescaped.

    `JSONEncoder.encode` builds a C encoder for each value, which takes longer than encoding a thought.
    """
    encoder = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"), allow_nan=allow_nan)
    make_encoder = getattr(json.encoder, "c_make_encoder", None)
    if make_encoder is None:
        return encoder.encode
    encode = make_encoder(
        None, encoder.default, json.encoder.encode_basestring, None, ":", ",", False, False, allow_nan
    )
    return lambda value: "".join(encode(value, 0))


_dumps = compact_encoder(allow_nan=False)


def encode(seq: int, time: datetime, kind: str, fields: Mapping[str, Any]) -> bytes:
    """Return one line, newline included: ``v``, ``seq``, ``time``, ``type``, then ``fields`` in their order.

    Fields that are ``None`` are left out. Strings are not escaped beyond what JSON requires, except for lone surrogates
    (docs/journal.md, "Lines").
    """
    head = {"v": 1, "seq": seq, "time": format_time(time), "type": kind}
    return encode_line(head | {name: value for name, value in fields.items() if value is not None})


def encode_line(event: Mapping[str, Any]) -> bytes:
    """Return the line of an event whose fields are complete, newline included."""
    text = _dumps(event)
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        return _escape_surrogates(text).encode() + b"\n"


@lru_cache(maxsize=1)
def format_time(time: datetime) -> str:
    """Return ``time`` as RFC 3339 in UTC with microseconds and ``Z``; cached, as the lines of one append share it."""
    utc = time if time.tzinfo is UTC else time.astimezone(UTC)
    return utc.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def _escape_surrogates(text: str) -> str:
    return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)
