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
from seqthink.server.calling import Caller
from seqthink.server.front import Handover
from seqthink.server.protocol import SERVER
from seqthink.server.router import Router
from seqthink.server.signals import STOPPING, Signals
from seqthink.server.thinking import Thinking
from seqthink.server.tools import INSTRUCTIONS, Schema, listed
from seqthink.server.transport import Inbox, Outbox
from seqthink.server.wire import PATIENCE

Say = Callable[[str], None]
Make = Callable[[ClientSessions], Server[Any]]
"""Makes the server whose tools talk to the client by what it is given."""


def serve(
    handover: Handover, thinking: Thinking, stdin: int, signals: Signals, *, schema: Schema, say: Say
) -> EndReason:
    """Go on from ``handover`` until the client leaves or a signal comes, and say which."""

    def make(clients: ClientSessions) -> Server[Any]:
        clients.log_level = handover.handshake.log_level
        return make_server(thinking, schema, clients)

    return run(handover, make, thinking, stdin, signals, say)


def run(handover: Handover, make: Make, thinking: Thinking, stdin: int, signals: Signals, say: Say) -> EndReason:
    """Serve what ``make`` makes, from ``handover`` on, until the client leaves or a signal comes, and say which."""
    logging.basicConfig(handlers=[_Logged(say)], level=logging.WARNING, format="%(message)s")
    return anyio.run(_run, handover, make, thinking, stdin, signals, say)


async def _run(handover: Handover, make: Make, thinking: Thinking, stdin: int, signals: Signals, say: Say) -> EndReason:
    outbox, presence = Outbox(handover.sink), ClientPresence()
    inbox = Inbox(stdin, outbox, handover.buffer, say, presence.leave)
    clients = ClientSessions(presence, thinking.write, lambda: thinking.session)
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
    router = Router(make(clients), dispatcher, handover.handshake, thinking.refuse)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outbox.pump)
        for message in handover.messages:
            await inbox.take(message)
        await dispatcher.run(router.on_request, router.on_notify)
        await clients.close()
        tasks.cancel_scope.cancel()
    return "signal" if signals.came else "eof"


def make_server(thinking: Thinking, schema: Schema, clients: ClientSessions) -> Server[Any]:
    """Return the SDK's server with the tools there are; what carries its messages is not its affair."""
    names = listed(schema, has_context=thinking.has_context, has_audits=thinking.audits is not None)
    tools = types.ListToolsResult.model_validate({"tools": names})
    caller = Caller(thinking, clients)

    async def list_tools(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return tools

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        # A plain mapping spares a model's two passes, and leaves out `isError` unless it is true.
        return cast("types.CallToolResult", await caller.call(context, params))

    server: Server[Any] = Server(
        SERVER["name"],
        version=SERVER["version"],
        title=SERVER["title"],
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    clients.register(server)
    server.middleware.clear()  # it holds tracing only, and nothing here installs an exporter
    return server


class _Logged(logging.Handler):
    """Log records as lines on stderr: a warning of the SDK must not block a call either."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self._say = say

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self._say(self.format(record))
