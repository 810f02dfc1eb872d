"""What the fast front can answer: the requests that every session consists of, well-formed, in either era. Pure.

It must answer as the SDK server does; the SDK server is asked for everything else, so a doubt costs time and no more.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from seqthink.dialogue.protocol_versions import LOG_LEVEL, STATELESS_VERSION
from seqthink.server.agents import identify_caller
from seqthink.server.calls import Answer, Call
from seqthink.server.jsonrpc import IncomingNotification, IncomingRequest, dump_json, write_message
from seqthink.server.protocol import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    SERVER_IDENTITY,
    SERVER_INFO_KEY,
    Handshake,
    client_identity,
    includes_warnings,
    is_stateless,
    warning_params,
)
from seqthink.server.tools import INSTRUCTIONS, SchemaStyle, tool_definitions
from seqthink.server.validation import is_well_formed

Result = dict[str, Any]

_CAPABILITIES: Result = {"logging": {}, "tools": {"listChanged": False}}
_MODERN_MARKS: Result = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: SERVER_IDENTITY}}
_SPELLED_MARKS = "," + dump_json(_MODERN_MARKS)[1:-1]
_LINE = '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}%s],"structuredContent":%s%s}}\n'
_CACHE = {"ttlMs": 0, "cacheScope": "private"}


class PendingCall(NamedTuple):
    """A call of the thinking tool, and the era in which it wants its answer."""

    call: Call
    is_stateless: bool

    def answer_line(self, request_id: int | str, answer: Answer) -> bytes:
        """Return ``answer`` as the line that answers the call, behind that of its warning if it has one."""
        if answer.is_error or answer.meta:
            line = write_message({"jsonrpc": "2.0", "id": request_id, "result": self._result(answer)})
            return _warned(answer.warning) + line
        # The same object twice, as text and as structured content: spelling it once is a third of an answer's cost.
        text = answer.text
        marks = _SPELLED_MARKS if self.is_stateless else ""
        spelled_id = str(request_id) if isinstance(request_id, int) else dump_json(request_id)
        beside = "".join("," + dump_json(content) for content in answer.note_blocks)
        return (_LINE % (spelled_id, dump_json(text), beside, text, marks)).encode()

    def _result(self, answer: Answer) -> Result:
        if not self.is_stateless:
            return answer.result()
        return {**answer.result(), **_MODERN_MARKS, "_meta": {**answer.meta, SERVER_INFO_KEY: SERVER_IDENTITY}}


class RequestHandler:
    """Knows how far the handshake is, and answers or passes on."""

    def __init__(self, schema: SchemaStyle, *, has_context: bool = False, has_audits: bool = False) -> None:
        self.handshake = Handshake()
        tools = {"tools": tool_definitions(schema, has_context=has_context, has_audits=has_audits)}
        self._legacy: Mapping[str, Result] = {"ping": {}, "logging/setLevel": {}, "tools/list": tools}
        self._modern: Mapping[str, Result] = {
            "tools/list": {**tools, **_MODERN_MARKS, **_CACHE},
            "server/discover": {
                "supportedVersions": [STATELESS_VERSION],
                "capabilities": _CAPABILITIES,
                "instructions": INSTRUCTIONS,
                **_MODERN_MARKS,
                **_CACHE,
            },
        }

    def answer(self, request: IncomingRequest) -> Result | PendingCall | None:
        """Return the result of ``request``, or the call that leads to it, or ``None`` when the SDK must be asked."""
        method, params = request.method, request.params or {}
        modern = method != "initialize" and is_stateless(params)
        if not is_well_formed(method, params, is_stateless=modern):
            return None
        if method == "tools/call":
            return PendingCall(self._call(params, is_modern=modern), modern)
        if method == "initialize":
            return self._initialize(params)
        if method == "logging/setLevel":
            self.handshake = self.handshake._replace(log_level=params["level"])
        return (self._modern if modern else self._legacy)[method]

    def can_elicit(self, request: IncomingRequest) -> bool:
        """Return whether the client of ``request`` asks its person by forms."""
        params = request.params or {}
        meta: Mapping[str, Any] = params.get("_meta") or {}
        settled: Mapping[str, Any] = self.handshake.params or {}
        said: Any = meta.get(CLIENT_CAPABILITIES_KEY) if is_stateless(params) else settled.get("capabilities")
        offered: Any = said.get("elicitation") if said else None
        return isinstance(offered, dict) and ("form" in offered or "url" not in offered)

    def handle_notification(self, notification: IncomingNotification) -> None:
        """Take note of a notification; all but one are about what is not here."""
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

    def _call(self, params: Mapping[str, Any], *, is_modern: bool) -> Call:
        meta: Mapping[str, Any] = params.get("_meta") or {}
        agent, call = identify_caller(meta)
        if is_modern:
            client, revision = (
                (client_identity(meta[CLIENT_INFO_KEY]) if CLIENT_INFO_KEY in meta else None),
                STATELESS_VERSION,
            )
            log_level = meta.get(LOG_LEVEL)
        else:
            client, revision = self.handshake.client, self.handshake.protocol_version
            log_level = self.handshake.log_level
        arguments = params.get("arguments", {})
        return Call(params["name"], arguments, agent, call, client, revision, includes_warnings(log_level))


def _warned(text: str) -> bytes:
    if not text:
        return b""
    return write_message({"jsonrpc": "2.0", "method": "notifications/message", "params": warning_params(text)})
