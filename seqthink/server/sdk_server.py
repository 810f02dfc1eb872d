"""The MCP server on the official SDK: wiring only."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, cast

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from typing_extensions import override

from seqthink.dialogue.channel import ClientPresence, Context
from seqthink.dialogue.client_sessions import ClientSessions
from seqthink.journal.writer import EndReason
from seqthink.server.fast_server import Handover
from seqthink.server.protocol import SERVER_IDENTITY
from seqthink.server.recorder import ThoughtRecorder
from seqthink.server.sdk_streams import StdinStream, StdoutStream
from seqthink.server.sdk_tool_calls import ToolCallHandler
from seqthink.server.signals import STOP_SIGNALS, Signals
from seqthink.server.stdio import DRAIN_SECONDS
from seqthink.server.tools import INSTRUCTIONS, SchemaStyle, tool_definitions
from seqthink.server.version_router import VersionRouter

PrintLine = Callable[[str], None]
ServerFactory = Callable[[ClientSessions], Server[Any]]
"""Makes the server whose tools talk to the client by what it is given."""


def serve(
    handover: Handover,
    thinking: ThoughtRecorder,
    stdin: int,
    signals: Signals,
    *,
    schema: SchemaStyle,
    print_stderr: PrintLine,
) -> EndReason:
    """Go on from ``handover`` until the client leaves or a signal comes, and say which."""

    def make(clients: ClientSessions) -> Server[Any]:
        clients.log_level = handover.handshake.log_level
        return make_server(thinking, schema, clients)

    return run(handover, make, thinking, stdin, signals, print_stderr)


def run(
    handover: Handover,
    make: ServerFactory,
    thinking: ThoughtRecorder,
    stdin: int,
    signals: Signals,
    print_stderr: PrintLine,
) -> EndReason:
    """Serve what ``make`` makes, from ``handover`` on, until the client leaves or a signal comes, and say which."""
    logging.basicConfig(handlers=[_Logged(print_stderr)], level=logging.WARNING, format="%(message)s")
    return anyio.run(_run, handover, make, thinking, stdin, signals, print_stderr)


async def _run(
    handover: Handover, make: ServerFactory, thinking: ThoughtRecorder, stdin: int, signals: Signals, say: PrintLine
) -> EndReason:
    outbox, presence = StdoutStream(handover.writer), ClientPresence()
    inbox = StdinStream(stdin, outbox, handover.buffer, say, presence.leave)
    clients = ClientSessions(presence, thinking.write, lambda: thinking.session)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        signals.has_arrived = True
        inbox.stop()
        loop.call_later(DRAIN_SECONDS, outbox.abandon)

    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop)
    if signals.has_arrived:
        stop()  # while the SDK was loading
    dispatcher = JSONRPCDispatcher[TransportContext](inbox, outbox, inline_methods=frozenset({"initialize"}))
    router = VersionRouter(make(clients), dispatcher, handover.handshake, thinking.refuse)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outbox.pump)
        for message in handover.messages:
            await inbox.deliver(message)
        await dispatcher.run(router.on_request, router.on_notify)
        await clients.close()
        tasks.cancel_scope.cancel()
    return "signal" if signals.has_arrived else "eof"


def make_server(thinking: ThoughtRecorder, schema: SchemaStyle, clients: ClientSessions) -> Server[Any]:
    """Return the SDK's server with the tools there are; what carries its messages is not its affair."""
    names = tool_definitions(schema, has_context=thinking.has_context, has_audits=thinking.audit_options is not None)
    tools = types.ListToolsResult.model_validate({"tools": names})
    caller = ToolCallHandler(thinking, clients)

    async def list_tools(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return tools

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        # A plain mapping spares a model's two passes, and leaves out `isError` unless it is true.
        return cast("types.CallToolResult", await caller.handle(context, params))

    server: Server[Any] = Server(
        SERVER_IDENTITY["name"],
        version=SERVER_IDENTITY["version"],
        title=SERVER_IDENTITY["title"],
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    clients.register(server)
    server.middleware.clear()  # it holds tracing only, and nothing here installs an exporter
    return server


class _Logged(logging.Handler):
    """Log records as lines on stderr: a warning of the SDK must not block a call either."""

    def __init__(self, say: PrintLine) -> None:
        super().__init__()
        self._say = say

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self._say(self.format(record))
