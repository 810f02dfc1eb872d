"""A line from the client to a JSON-RPC message, to an error answer, or to silence.

Silence is for lines that name no request, as in the reference server; whoever waits for an answer gets one.
"""

import json
import re
from typing import Any, NamedTuple, cast

from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from pydantic import ValidationError

Message = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError

# Of a line that is no JSON only these places surely hold the request's own id: further in, a thought may quote one.
_ID = rb'"id"\s*:\s*(-?[0-9]{1,15}|"[^"\\]{0,200}")'
_ID_FIRST = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID)
_ID_LAST = re.compile(rb'"jsonrpc"\s*:\s*"2\.0"\s*,\s*' + _ID + rb"\s*\}\s*\Z")
_EDGE = 400


class Reply(NamedTuple):
    """An error answer to a request that never reaches the server behind."""

    id: int | str
    code: int
    text: str

    def message(self) -> dict[str, Any]:
        """Return the answer as the wire spells it."""
        return {"jsonrpc": "2.0", "id": self.id, "error": {"code": self.code, "message": self.text}}


def read_message(line: bytes) -> Message | Reply | None:
    """Return what ``line`` says: a message, the error answer it deserves, or nothing."""
    if not line or line.isspace():
        return None
    try:
        value = _parse(line)
    except (ValueError, RecursionError) as error:
        request_id = _salvaged_id(line)
        reason = "nested too deeply" if isinstance(error, RecursionError) else "not JSON"
        return None if request_id is None else Reply(request_id, PARSE_ERROR, f"Parse error: the line is {reason}")
    if not isinstance(value, dict) or cast("dict[str, Any]", value).get("jsonrpc") != "2.0":
        return None
    fields = cast("dict[str, Any]", value)
    return _request(fields) if "method" in fields else _validated(JSONRPCResponse, JSONRPCError, fields)


def _request(fields: dict[str, Any]) -> Message | Reply | None:
    if "id" not in fields:
        return _validated(JSONRPCNotification, JSONRPCNotification, fields)
    request_id = fields["id"]
    if type(request_id) not in {int, str}:
        return None
    params = fields.get("params")
    if params is not None and not isinstance(params, dict):
        return Reply(request_id, INVALID_PARAMS, "Invalid params: must be an object")
    try:
        return JSONRPCRequest.model_validate(fields)
    except ValidationError:
        return Reply(request_id, INVALID_REQUEST, "Invalid request: `method` must be a string")


def _validated(first: type[Message], second: type[Message], fields: dict[str, Any]) -> JSONRPCMessage | None:
    for kind in (first, second):
        try:
            return kind.model_validate(fields)
        except ValidationError:
            continue
    return None


def _parse(line: bytes) -> Any:  # noqa: ANN401 - any JSON
    text = line.decode("utf-8", "replace")
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Python refuses integers of more than 4,300 digits; to a field's check they are simply too large.
        return json.loads(text, parse_constant=_refuse, parse_int=_bounded_int)


def _bounded_int(digits: str) -> int | float:
    return int(digits) if len(digits) < 400 else float(digits)  # a float is infinite from 309 digits on


def _refuse(name: str) -> None:
    raise json.JSONDecodeError(f"{name} is not JSON", name, 0)


def _salvaged_id(line: bytes) -> int | str | None:
    found = _ID_FIRST.match(line[:_EDGE]) or _ID_LAST.search(line[-_EDGE:])
    try:
        return None if found is None else json.loads(found[1])
    except ValueError:
        return None
