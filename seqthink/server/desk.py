"""What the fast front can answer: the requests that every session consists of, well-formed, in either era. Pure.

It must answer as the SDK server does; the SDK server is asked for everything else, so a doubt costs time and no more.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from seqthink.server.messages import Notification, Request
from seqthink.server.protocol import CLIENT_INFO, MODERN, SERVER, SERVER_INFO, TOOL_USE, Handshake, is_modern, named
from seqthink.server.shapes import is_well_formed
from seqthink.server.thinking import Answer, Call
from seqthink.server.tools import Schema, thinking_tool

Result = dict[str, Any]

_CAPABILITIES = {"tools": {"listChanged": False}}
_MODERN_MARKS: Result = {"resultType": "complete", "_meta": {SERVER_INFO: SERVER}}
_CACHE = {"ttlMs": 0, "cacheScope": "private"}


class Asked(NamedTuple):
    """A call of the thinking tool, and the era in which it wants its answer."""

    call: Call
    is_modern: bool

    def result(self, answer: Answer) -> Result:
        """Return ``answer`` as the result of the call."""
        result = answer.result()
        if not self.is_modern:
            return result
        return {**result, **_MODERN_MARKS, "_meta": {**answer.meta, SERVER_INFO: SERVER}}


class Desk:
    """Knows how far the handshake is, and answers or passes on."""

    def __init__(self, schema: Schema) -> None:
        self.handshake = Handshake()
        listed = {"tools": [thinking_tool(schema)]}
        self._legacy: Mapping[str, Result] = {"ping": {}, "tools/list": listed}
        self._modern: Mapping[str, Result] = {
            "tools/list": {**listed, **_MODERN_MARKS, **_CACHE},
            "server/discover": {
                "supportedVersions": [MODERN],
                "capabilities": _CAPABILITIES,
                **_MODERN_MARKS,
                **_CACHE,
            },
        }

    def answer(self, request: Request) -> Result | Asked | None:
        """Return the result of ``request``, or the call that leads to it, or ``None`` when the SDK must be asked."""
        method, params = request.method, request.params or {}
        modern = method != "initialize" and is_modern(params)
        if not is_well_formed(method, params, is_modern=modern):
            return None
        if method == "tools/call":
            return Asked(self._call(params, is_modern=modern), modern)
        if method == "initialize":
            return self._initialize(params)
        return (self._modern if modern else self._legacy)[method]

    def note(self, notification: Notification) -> None:
        """Take note of a notification; all but one are about what is not here."""
        if notification.method == "notifications/initialized":
            self.handshake = self.handshake._replace(is_initialized=True)

    def _initialize(self, params: Mapping[str, Any]) -> Result:
        self.handshake = self.handshake._replace(params=params)
        return {"protocolVersion": self.handshake.revision, "capabilities": _CAPABILITIES, "serverInfo": SERVER}

    def _call(self, params: Mapping[str, Any], *, is_modern: bool) -> Call:
        meta: Mapping[str, Any] = params.get("_meta") or {}
        client = meta.get(CLIENT_INFO)
        tool_use_id = meta.get(TOOL_USE)
        return Call(
            tool=params["name"],
            arguments=params.get("arguments", {}),
            tool_use_id=tool_use_id if isinstance(tool_use_id, str) else None,
            client=(client and named(client)) if is_modern else self.handshake.client,
            protocol=MODERN if is_modern else self.handshake.revision,
        )
