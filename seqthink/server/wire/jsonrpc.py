"""Reads and writes JSON-RPC messages, one per line. Standard library only: both paths use it.

A line without a request in it is ignored, as the reference server does; every request with an id gets an answer.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

from seqthink.journal.encode import compact_encoder, flat_object

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

# In a line that is not JSON, only an id at its beginning or end is surely the request's: a thought may quote one.
_ID = rb'"id"\s*:\s*(-?[0-9]{1,15}|"[^"\\]{0,200}")'
# Patterns of `re`, which compiles them for the first such line: the first answer need not wait for that.
_ID_FIRST = rb'(?:\xef\xbb\xbf)?\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID
_ID_LAST = rb'"jsonrpc"\s*:\s*"2\.0"\s*,\s*' + _ID + rb"\s*\}\s*\Z"
_EDGE_BYTES = 400
_MAX_QUOTED_BYTES = 80


class IncomingRequest(NamedTuple):
    """A message that expects an answer."""

    id: int | str
    method: str
    params: dict[str, Any] | None


class IncomingNotification(NamedTuple):
    """A message that expects no answer."""

    method: str
    params: dict[str, Any] | None


class IncomingResponse(NamedTuple):
    """The client's answer to a request from the server; ``fields`` is the whole message."""

    fields: dict[str, Any]


class ErrorReply(NamedTuple):
    """The error answer to a request that is not passed on to a server."""

    id: int | str
    code: int
    """The JSON-RPC error code."""
    text: str

    def to_message(self) -> dict[str, Any]:
        """Return the answer as sent to the client."""
        return {"jsonrpc": "2.0", "id": self.id, "error": {"code": self.code, "message": self.text}}


IncomingMessage = IncomingRequest | IncomingNotification | IncomingResponse

dump_json: Final = compact_encoder(allow_nan=True)
"""Writes compact JSON. Lone surrogates stay in the text, so it may not be encodable."""


def read_message(line: bytes) -> IncomingMessage | ErrorReply | None:
    """Return the message in ``line``, the error answer to it, or None if the line is to be ignored."""
    try:
        value = parse_json(line)
    except (ValueError, RecursionError) as error:
        request_id = _salvaged_id(line)
        reason = "nested too deeply" if isinstance(error, RecursionError) else "not JSON"
        return None if request_id is None else ErrorReply(request_id, PARSE_ERROR, f"Parse error: the line is {reason}")
    if not isinstance(value, dict) or cast("dict[str, Any]", value).get("jsonrpc") != "2.0":
        return None
    fields = cast("dict[str, Any]", value)
    if "method" not in fields:
        return IncomingResponse(fields)
    return _request(fields) if "id" in fields else _notification(fields)


def skipped_line_message(line: bytes) -> str:
    """Return the warning about an ignored line; empty for a blank one."""
    if not line or line.isspace():
        return ""
    return f"ignored a line that is not an MCP message: {line[:_MAX_QUOTED_BYTES].decode(errors='replace')}"


def write_message(message: dict[str, Any]) -> bytes:
    """Return a message as a line."""
    return dump_utf8_json(message).encode() + b"\n"


def dump_utf8_json(value: Any) -> str:  # noqa: ANN401 - any JSON
    """Return ``value`` as compact JSON that can be encoded as UTF-8: lone surrogates are escaped."""
    text = dump_json(value)
    return text if is_utf8_text(text) else json.dumps(value, separators=(",", ":"))


def dump_utf8_object(fields: Mapping[str, Any]) -> str:
    """Return what `dump_utf8_json` does of an object, sooner."""
    text = flat_object(fields, dump_json)
    return text if is_utf8_text(text) else json.dumps(fields, separators=(",", ":"))


def is_utf8_text(value: Any) -> bool:  # noqa: ANN401 - whatever a client sent
    """Return whether ``value`` is a string that can be encoded as UTF-8."""
    if not isinstance(value, str):
        return False
    try:
        return value.isascii() or bool(value.encode())
    except UnicodeEncodeError:
        return False


def _request(fields: dict[str, Any]) -> IncomingRequest | ErrorReply | None:
    request_id, method, params = fields["id"], fields["method"], fields.get("params")
    if type(request_id) not in {int, str}:
        return None
    if isinstance(request_id, str) and not is_utf8_text(request_id):
        return ErrorReply(request_id, INVALID_REQUEST, "Invalid request: `id` must not hold lone surrogates")
    if params is not None and not isinstance(params, dict):
        return ErrorReply(request_id, INVALID_PARAMS, "Invalid params: must be an object")
    if not is_utf8_text(method):
        return ErrorReply(request_id, INVALID_REQUEST, "Invalid request: `method` must be a string")
    return IncomingRequest(request_id, method, cast("dict[str, Any] | None", params))


def _notification(fields: dict[str, Any]) -> IncomingNotification | None:
    method, params = fields["method"], fields.get("params")
    if not is_utf8_text(method) or not (params is None or isinstance(params, dict)):
        return None
    return IncomingNotification(method, cast("dict[str, Any] | None", params))


def parse_json(line: bytes) -> Any:  # noqa: ANN401 - any JSON
    """Return the value in ``line``, whatever the size of its integers; bytes that are not UTF-8 are replaced.

    A byte order mark before it is skipped: some clients on Windows begin stdin with one.

    Raises:
        ValueError: it is not JSON.
        RecursionError: it is nested too deeply.
    """
    text = line.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        return _loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Python refuses integers of more than 4,300 digits; the checks of the fields refuse them as too large.
        return json.loads(text, parse_constant=_reject_constant, parse_int=_bounded_int)


def _bounded_int(digits: str) -> int | float:
    return int(digits) if len(digits) < 400 else float(digits)  # from 309 digits on, the float is infinite


def _reject_constant(name: str) -> None:
    raise json.JSONDecodeError(f"{name} is not JSON", name, 0)


_decoder = json.JSONDecoder(parse_constant=_reject_constant)


def _loads(text: str) -> Any:  # noqa: ANN401 - any JSON
    if text.startswith("{"):
        # `decode` would also look for white space on both sides, which takes a third of the time.
        value, end = _decoder.raw_decode(text)
        if end == len(text):
            return value
    return _decoder.decode(text)


def _salvaged_id(line: bytes) -> int | str | None:
    found = re.match(_ID_FIRST, line[:_EDGE_BYTES]) or re.search(_ID_LAST, line[-_EDGE_BYTES:])
    try:
        return None if found is None else json.loads(found[1])
    except ValueError:
        return None
