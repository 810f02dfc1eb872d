"""The MCP server on the official SDK: wiring only. Both eras on one stdin, decided for each request.

A request with the 2026-07-28 envelope in its `_meta` is served on its own; any other belongs to the connection that
`initialize` opens. The SDK's own loop decides once per connection and then refuses the other era, which breaks
clients that send `initialize` after a successful `server/discover`.
"""

import asyncio
import logging
import signal
from collections.abc import Mapping
from typing import Any, cast

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.connection import Connection, NotifyOnlyOutbound
from mcp.server.runner import ServerRunner, serve_one
from mcp.shared.dispatcher import DispatchContext
from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from mcp_types.version import is_version_at_least
from typing_extensions import override

from seqthink import __version__
from seqthink.journal.writer import EndReason
from seqthink.server.stderr import Stderr
from seqthink.server.thinking import TOOL_USE_META, Answer, Call, Thinking
from seqthink.server.tools import Schema, thinking_tool
from seqthink.server.transport import Inbox, Outbox, Wire

NAME = "seqthink"
_MODERN = "2026-07-28"
_LAST_WORDS = 0.6

Params = Mapping[str, Any]
Context = ServerRequestContext[Any, Any]


def run(thinking: Thinking, wire: Wire, *, schema: Schema, stderr: Stderr) -> None:
    """Serve MCP on ``wire`` until the client leaves or a signal comes; then close the journal."""
    logging.basicConfig(handlers=[_StderrHandler(stderr)], level=logging.WARNING, format="%(message)s")
    reason: EndReason = "error"
    error: str | None = None
    try:
        reason = anyio.run(_serve, thinking, wire, schema, stderr)
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
        raise
    finally:
        thinking.end(reason, error)


async def _serve(thinking: Thinking, wire: Wire, schema: Schema, stderr: Stderr) -> EndReason:
    outbox = Outbox(wire.stdout)
    inbox = Inbox(wire.stdin, outbox, _is_modern, stderr.say)
    loop = asyncio.get_running_loop()
    reasons: list[EndReason] = []

    def stop() -> None:
        reasons.append("signal")
        inbox.stop()
        loop.call_later(_LAST_WORDS, outbox.abandon)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, stop)
    dispatcher = JSONRPCDispatcher[TransportContext](inbox, outbox, inline_methods=frozenset({"initialize"}))
    router = _Router(_make_server(thinking, schema), dispatcher, thinking)
    await dispatcher.run(router.on_request, router.on_notify)
    return reasons[0] if reasons else "eof"


def _make_server(thinking: Thinking, schema: Schema) -> Server[Any]:
    tools = types.ListToolsResult.model_validate({"tools": [thinking_tool(schema)]})

    async def list_tools(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return tools

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        answer = _record(thinking, _call(context, params))
        result = answer.result()
        if is_version_at_least(context.protocol_version, _MODERN):
            result["resultType"] = "complete"
        # A plain mapping spares a model's two passes, and leaves out `isError` unless it is true.
        return cast("types.CallToolResult", result)

    server: Server[Any] = Server(
        NAME,
        version=__version__,
        title="Sequential Thinking",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.clear()  # it holds tracing only, and nothing here installs an exporter
    return server


def _record(thinking: Thinking, call: Call) -> Answer:
    try:
        return thinking.record(call)
    except Exception as failure:  # noqa: BLE001 - whatever went wrong, the model is told and the session goes on
        reason = f"The server failed: {type(failure).__name__}: {failure}"
        logging.getLogger(__name__).error("%s", reason)  # noqa: TRY400 - a traceback would show thoughts
        return Answer({"error": reason, "status": "failed"}, is_error=True)


def _call(context: Context, params: types.CallToolRequestParams) -> Call:
    client = context.session.client_params
    tool_use_id = (context.meta or {}).get(TOOL_USE_META)
    return Call(
        tool=params.name,
        arguments=params.arguments or {},
        tool_use_id=tool_use_id if isinstance(tool_use_id, str) else None,
        client=client and {"name": client.client_info.name, "version": client.client_info.version},
        protocol=context.protocol_version,
    )


class _Router:
    """Hands each request to the era it belongs to."""

    def __init__(
        self, server: Server[Any], dispatcher: JSONRPCDispatcher[TransportContext], thinking: Thinking
    ) -> None:
        self._server = server
        self._thinking = thinking
        self._connection = Connection.for_loop(dispatcher)
        self._outbound = NotifyOnlyOutbound(dispatcher)
        self._runner = ServerRunner(server, self._connection, {})

    async def on_request(
        self, context: DispatchContext[TransportContext], method: str, params: Params | None
    ) -> dict[str, Any]:
        """Return the result of one request."""
        if method == "tools/call":
            self._refuse_malformed(params)
        if method != "initialize" and _is_modern(params):
            return await self._serve_modern(context, method, params)
        if method != "initialize" and self._server.get_request_handler(method) is None:
            # The SDK would first look for faults in the parameters of a method that nobody serves.
            raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found", data=method)
        if method in {"tools/call", "tools/list"}:
            # The reference answers these before `initialize` too.
            self._connection.initialized.set()
        return await self._runner.on_request(context, method, params)

    async def on_notify(self, context: DispatchContext[TransportContext], method: str, params: Params | None) -> None:
        """Take note of one notification."""
        await self._runner.on_notify(context, method, params)

    async def _serve_modern(
        self, context: DispatchContext[TransportContext], method: str, params: Params | None
    ) -> dict[str, Any]:
        route = classify_inbound_request({"method": method, "params": params})
        if isinstance(route, InboundLadderRejection):
            raise MCPError(code=route.code, message=route.message, data=route.data)
        connection = Connection.from_envelope(
            route.protocol_version, route.client_info, route.client_capabilities, outbound=self._outbound
        )
        return await serve_one(self._server, context, method, params, connection=connection, lifespan_state={})

    def _refuse_malformed(self, params: Params | None) -> None:
        """Say what is wrong with a call that the SDK would refuse without a word, and journal it."""
        name = (params or {}).get("name")
        if not isinstance(name, str):
            raise MCPError(code=types.INVALID_PARAMS, message="Invalid params: `name` must be a string")
        arguments = (params or {}).get("arguments", {})
        if not isinstance(arguments, dict):
            answer = _record(self._thinking, Call(name, arguments))
            raise MCPError(code=types.INVALID_PARAMS, message=str(answer.body["error"]))


class _StderrHandler(logging.Handler):
    """Log records to ``Stderr``: a warning of the SDK must not block a call either."""

    def __init__(self, stderr: Stderr) -> None:
        super().__init__()
        self._stderr = stderr

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self._stderr.say(self.format(record))


def _is_modern(params: Params | None) -> bool:
    """Return whether a request carries the envelope that only the stateless revisions know."""
    meta: Any = (params or {}).get("_meta")
    return isinstance(meta, dict) and types.PROTOCOL_VERSION_META_KEY in meta
