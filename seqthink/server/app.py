"""The MCP server on the official SDK: wiring only. Both eras on one stdin, decided for each request.

A request with the 2026-07-28 envelope in its `_meta` is served on its own; any other belongs to the connection that
`initialize` opens. The SDK's own loop decides once per connection and then refuses the other era, which breaks
clients that send `initialize` after a successful `server/discover`.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
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

from seqthink.journal.writer import EndReason
from seqthink.server.front import Handover
from seqthink.server.protocol import LOG_LEVEL, MODERN, SERVER, TOOL_USE, Handshake, hears_warnings, is_modern, warning
from seqthink.server.signals import STOPPING, Signals
from seqthink.server.thinking import Call, Thinking
from seqthink.server.tools import Schema, listed
from seqthink.server.transport import Inbox, Outbox
from seqthink.server.wire import PATIENCE

Params = Mapping[str, Any]
Context = ServerRequestContext[Any, Any]
Say = Callable[[str], None]


def serve(
    handover: Handover, thinking: Thinking, stdin: int, signals: Signals, *, schema: Schema, say: Say
) -> EndReason:
    """Go on from ``handover`` until the client leaves or a signal comes, and say which."""
    logging.basicConfig(handlers=[_Logged(say)], level=logging.WARNING, format="%(message)s")
    return anyio.run(_serve, handover, thinking, stdin, signals, schema, say)


async def _serve(
    handover: Handover, thinking: Thinking, stdin: int, signals: Signals, schema: Schema, say: Say
) -> EndReason:
    outbox = Outbox(handover.sink)
    inbox = Inbox(stdin, outbox, handover.buffer, say)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        signals.came = True
        inbox.stop()
        loop.call_later(PATIENCE, outbox.abandon)

    for number in STOPPING:
        loop.add_signal_handler(number, stop)
    if signals.came:
        stop()  # while the SDK was loading
    dispatcher = JSONRPCDispatcher[TransportContext](inbox, outbox, inline_methods=frozenset({"initialize"}))
    router = _Router(
        make_server(thinking, schema, handover.handshake.log_level), dispatcher, thinking, handover.handshake
    )
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outbox.pump)
        for message in handover.messages:
            await inbox.take(message)
        await dispatcher.run(router.on_request, router.on_notify)
        tasks.cancel_scope.cancel()
    return "signal" if signals.came else "eof"


def make_server(thinking: Thinking, schema: Schema, log_level: str = Handshake().log_level) -> Server[Any]:
    """Return the SDK's server with the tools there are; what carries its messages is not its affair.

    ``log_level`` is what the client of the connection that `initialize` opened has asked for so far.
    """
    tools = types.ListToolsResult.model_validate({"tools": listed(schema, has_context=thinking.has_context)})

    async def list_tools(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return tools

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        answer = thinking.record(_call(context, params, log_level))
        if answer.warning:
            told = types.LoggingMessageNotificationParams.model_validate(warning(answer.warning))
            await context.session.send_notification(types.LoggingMessageNotification(params=told), context.request_id)
        result = answer.result()
        if is_version_at_least(context.protocol_version, MODERN):
            result["resultType"] = "complete"
        # A plain mapping spares a model's two passes, and leaves out `isError` unless it is true.
        return cast("types.CallToolResult", result)

    async def set_level(_context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
        nonlocal log_level
        log_level = params.level
        return types.EmptyResult()

    server: Server[Any] = Server(
        SERVER["name"],
        version=SERVER["version"],
        title=SERVER["title"],
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    # The constructor's own argument for it warns: the newest revision has another way to ask for log messages.
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)
    server.middleware.clear()  # it holds tracing only, and nothing here installs an exporter
    return server


def _call(context: Context, params: types.CallToolRequestParams, log_level: str) -> Call:
    client = context.session.client_params
    meta: Params = context.meta or {}
    tool_use_id = meta.get(TOOL_USE)
    is_asked_once = is_version_at_least(context.protocol_version, MODERN)
    return Call(
        tool=params.name,
        arguments=params.arguments or {},
        tool_use_id=tool_use_id if isinstance(tool_use_id, str) else None,
        client=client and {"name": client.client_info.name, "version": client.client_info.version},
        protocol=context.protocol_version,
        hears_warnings=hears_warnings(meta.get(LOG_LEVEL) if is_asked_once else log_level),
    )


class _Router:
    """Hands each request to the era it belongs to."""

    def __init__(
        self,
        server: Server[Any],
        dispatcher: JSONRPCDispatcher[TransportContext],
        thinking: Thinking,
        handshake: Handshake,
    ) -> None:
        self._server = server
        self._thinking = thinking
        self._connection = _connection(dispatcher, handshake)
        self._outbound = NotifyOnlyOutbound(dispatcher)
        self._runner = ServerRunner(server, self._connection, {})

    async def on_request(
        self, context: DispatchContext[TransportContext], method: str, params: Params | None
    ) -> dict[str, Any]:
        """Return the result of one request."""
        if method == "tools/call":
            self._refuse_malformed(params)
        if method != "initialize" and is_modern(params):
            return await self._serve_modern(context, method, params)
        if method != "initialize" and self._server.get_request_handler(method) is None:
            # The SDK would first look for faults in the parameters of a method that nobody serves.
            raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found", data=method)
        if method in {"tools/call", "tools/list", "logging/setLevel"}:
            # The reference answers the tools' requests before `initialize` too.
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
            answer = self._thinking.record(Call(name, arguments))
            raise MCPError(code=types.INVALID_PARAMS, message=str(answer.body["error"]))


def _connection(dispatcher: JSONRPCDispatcher[TransportContext], handshake: Handshake) -> Connection:
    """Return the connection as ``handshake`` left it."""
    connection = Connection.for_loop(dispatcher)
    if handshake.params is not None:
        connection.client_params = types.InitializeRequestParams.model_validate(handshake.params, by_name=False)
        connection.protocol_version = handshake.revision
    if handshake.is_initialized:
        connection.initialized.set()
    return connection


class _Logged(logging.Handler):
    """Log records as lines on stderr: a warning of the SDK must not block a call either."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self._say = say

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self._say(self.format(record))
