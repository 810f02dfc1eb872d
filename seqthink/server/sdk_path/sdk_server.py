"""The SDK path: the MCP server on the official SDK. Wiring only."""

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
from seqthink.server.sdk_path.sdk_streams import StdinStream, StdoutStream
from seqthink.server.sdk_path.sdk_tool_calls import ToolCallHandler
from seqthink.server.sdk_path.version_router import VersionRouter
from seqthink.server.setup import Handover, ServerSetup
from seqthink.server.tools.thinking_tool import INSTRUCTIONS
from seqthink.server.wire.protocol import SERVER_IDENTITY
from seqthink.server.wire.signals import STOP_SIGNALS
from seqthink.server.wire.stdio import DRAIN_SECONDS

ServerFactory = Callable[[ClientSessions], Server[Any]]
"""Makes the SDK server whose tools ask the client questions through the given object."""


def serve(setup: ServerSetup, handover: Handover) -> EndReason:
    """Continue from ``handover`` until the client leaves or a signal arrives, and return which of the two it was."""

    def factory(clients: ClientSessions) -> Server[Any]:
        clients.log_level = handover.handshake.log_level
        return make_server(setup, clients)

    return run(setup, handover, factory)


def run(setup: ServerSetup, handover: Handover, factory: ServerFactory) -> EndReason:
    """Serve the server that ``factory`` makes, from ``handover`` on; return why it ended: "eof" or "signal"."""
    logging.basicConfig(handlers=[_StderrLogHandler(setup.print_stderr)], level=logging.WARNING, format="%(message)s")
    return anyio.run(_run, setup, handover, factory)


async def _run(setup: ServerSetup, handover: Handover, factory: ServerFactory) -> EndReason:
    recorder, signals = setup.recorder, setup.signals
    stdout, presence = StdoutStream(handover.writer), ClientPresence()
    stdin_stream = StdinStream(setup.stdio.stdin, stdout, handover.buffer, setup.print_stderr, presence.leave)
    clients = ClientSessions(presence, recorder.append_event, lambda: recorder.session)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        signals.has_arrived = True
        stdin_stream.stop()
        loop.call_later(DRAIN_SECONDS, stdout.abandon)

    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop)
    if signals.has_arrived:
        stop()  # a signal came while the SDK was loading
    dispatcher = JSONRPCDispatcher[TransportContext](stdin_stream, stdout, inline_methods=frozenset({"initialize"}))
    router = VersionRouter(factory(clients), dispatcher, handover.handshake, recorder.refuse)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stdout.pump)
        for message in handover.messages:
            await stdin_stream.deliver(message)
        await dispatcher.run(router.on_request, router.on_notify)
        await clients.close()
        tasks.cancel_scope.cancel()
    return "signal" if signals.has_arrived else "eof"


def make_server(setup: ServerSetup, clients: ClientSessions) -> Server[Any]:
    """Return the SDK's server with all tools listed. It is independent of the transport."""
    tools = types.ListToolsResult.model_validate({"tools": setup.tools})
    handler = ToolCallHandler(setup, clients)

    async def list_tools(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return tools

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        # A plain dict saves the model's validation and dump, and omits `isError` unless it is true.
        return cast("types.CallToolResult", await handler.handle(context, params))

    server: Server[Any] = Server(
        SERVER_IDENTITY["name"],
        version=SERVER_IDENTITY["version"],
        title=SERVER_IDENTITY["title"],
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    clients.register(server)
    server.middleware.clear()  # only tracing, and no exporter is installed
    return server


class _StderrLogHandler(logging.Handler):
    """Writes log records as lines on stderr, so that a warning of the SDK cannot block a call."""

    def __init__(self, print_stderr: Callable[[str], None]) -> None:
        super().__init__()
        self._print_stderr = print_stderr

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self._print_stderr(self.format(record))
