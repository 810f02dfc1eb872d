"""Handlers of the fast path, for both kinds of protocol version. Pure.

They answer exactly as the SDK does, and return None for any request they are not sure about. The SDK then answers it:
slower, but correctly.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from seqthink.dialogue.protocol_versions import LOG_LEVEL_KEY, STATELESS_VERSION
from seqthink.journal.encode import quote_json
from seqthink.server.fast_path.validation import is_well_formed
from seqthink.server.recording.calls import Answer, Call
from seqthink.server.tools.agents import identify_caller
from seqthink.server.tools.thinking_tool import INSTRUCTIONS
from seqthink.server.wire.jsonrpc import (
    INVALID_PARAMS,
    ErrorReply,
    IncomingNotification,
    IncomingRequest,
    dump_json,
    write_message,
)
from seqthink.server.wire.meta_keys import CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, SERVER_INFO_KEY
from seqthink.server.wire.protocol import (
    SERVER_IDENTITY,
    Handshake,
    client_identity,
    includes_warnings,
    is_stateless,
    warning_params,
)

Result = dict[str, Any]

_CAPABILITIES: Result = {"logging": {}, "prompts": {"listChanged": False}, "tools": {"listChanged": False}}
_STATELESS_FIELDS: Result = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: SERVER_IDENTITY}}
_STATELESS_FIELDS_JSON = "," + dump_json(_STATELESS_FIELDS)[1:-1]
_CACHE_HINTS = {"ttlMs": 0, "cacheScope": "private"}


class RequestHandler:
    """Answers requests of the fast path, and tracks the handshake."""

    def __init__(self, tools: Sequence[Mapping[str, Any]]) -> None:
        self.handshake = Handshake()
        """What the connection has agreed on so far."""
        listed: Result = {"tools": tools}
        self._handshake_results: Mapping[str, Result] = {"ping": {}, "logging/setLevel": {}, "tools/list": listed}
        self._stateless_results: Mapping[str, Result] = {
            "tools/list": {**listed, **_STATELESS_FIELDS, **_CACHE_HINTS},
            "server/discover": {
                "supportedVersions": [STATELESS_VERSION],
                "capabilities": _CAPABILITIES,
                "instructions": INSTRUCTIONS,
                **_STATELESS_FIELDS,
                **_CACHE_HINTS,
            },
        }

    def answer(self, request: IncomingRequest) -> Result | Call | ErrorReply | None:
        """Return the result of ``request``, its error, the call to record for it, or None when the SDK must answer."""
        method, params = request.method, request.params or {}
        stateless = method != "initialize" and is_stateless(params)
        if not is_well_formed(method, params, is_stateless=stateless):
            return None
        if method == "tools/call":
            return self._make_call(params, is_stateless=stateless)
        if method == "initialize":
            return self._initialize(params)
        if method in {"prompts/list", "prompts/get"}:
            return _answer_prompts(request, is_stateless=stateless)
        if method == "logging/setLevel":
            self.handshake = self.handshake._replace(log_level=params["level"])
        return (self._stateless_results if stateless else self._handshake_results)[method]

    def can_elicit(self, request: IncomingRequest) -> bool:
        """Return whether the client of ``request`` can show the user a form."""
        params = request.params or {}
        meta: Mapping[str, Any] = params.get("_meta") or {}
        initialize_params: Mapping[str, Any] = self.handshake.params or {}
        capabilities: Any = (
            meta.get(CLIENT_CAPABILITIES_KEY) if is_stateless(params) else initialize_params.get("capabilities")
        )
        if not isinstance(capabilities, dict):
            return False
        elicitation: Any = cast("Mapping[str, Any]", capabilities).get("elicitation")
        return isinstance(elicitation, dict) and ("form" in elicitation or "url" not in elicitation)

    def handle_notification(self, notification: IncomingNotification) -> None:
        """Handle a notification. Only `notifications/initialized` has an effect."""
        if notification.method == "notifications/initialized":
            self.handshake = self.handshake._replace(is_initialized=True)

    def _initialize(self, params: Mapping[str, Any]) -> Result:
        self.handshake = self.handshake.after_initialize(params)
        return {
            "protocolVersion": self.handshake.protocol_version,
            "capabilities": _CAPABILITIES,
            "serverInfo": SERVER_IDENTITY,
            "instructions": INSTRUCTIONS,
        }

    def _make_call(self, params: Mapping[str, Any], *, is_stateless: bool) -> Call:
        meta: Mapping[str, Any] = params.get("_meta") or {}
        agent, call_id = identify_caller(meta)
        if is_stateless:
            client, protocol_version = (
                (client_identity(meta[CLIENT_INFO_KEY]) if CLIENT_INFO_KEY in meta else None),
                STATELESS_VERSION,
            )
            log_level = meta.get(LOG_LEVEL_KEY)
        else:
            client, protocol_version = self.handshake.client, self.handshake.protocol_version
            log_level = self.handshake.log_level
        arguments = params.get("arguments", {})
        return Call(params["name"], arguments, agent, call_id, client, protocol_version, includes_warnings(log_level))


def _answer_prompts(request: IncomingRequest, *, is_stateless: bool) -> Result | ErrorReply:
    # Clients ask for prompts after the first answer, which these modules need not delay.
    from seqthink.server.prompts import prompt_requests, thinking_prompts  # noqa: PLC0415 - see above

    added = _STATELESS_FIELDS if is_stateless else {}
    if request.method == "prompts/list":
        return {"prompts": thinking_prompts.prompt_definitions(), **added, **(_CACHE_HINTS if is_stateless else {})}
    try:
        return {**prompt_requests.get_prompt(request.params or {}), **added}
    except prompt_requests.InvalidPromptRequestError as error:
        return ErrorReply(request.id, INVALID_PARAMS, str(error))


def answer_line(call: Call, request_id: int | str, answer: Answer) -> bytes:
    """Return the line that answers ``call``, after the line of its warning if there is one."""
    if answer.is_error or answer.meta:
        line = write_message({"jsonrpc": "2.0", "id": request_id, "result": _result(call, answer)})
        return _warning_line(answer.warning) + line
    # Text and structured content are the same object: encoding it once instead of twice saves a third of the time.
    text = answer.text
    extra = _STATELESS_FIELDS_JSON if call.is_stateless else ""
    id_json = str(request_id) if isinstance(request_id, int) else quote_json(request_id)
    note_blocks = "".join(["," + dump_json(content) for content in answer.note_blocks])
    content = f'{{"type":"text","text":{quote_json(text)}}}{note_blocks}'
    result = f'{{"content":[{content}],"structuredContent":{text}{extra}}}'
    return f'{{"jsonrpc":"2.0","id":{id_json},"result":{result}}}\n'.encode()


def _result(call: Call, answer: Answer) -> Result:
    if not call.is_stateless:
        return answer.result()
    return {**answer.result(), **_STATELESS_FIELDS, "_meta": {**answer.meta, SERVER_INFO_KEY: SERVER_IDENTITY}}


def _warning_line(text: str) -> bytes:
    if not text:
        return b""
    return write_message({"jsonrpc": "2.0", "method": "notifications/message", "params": warning_params(text)})
