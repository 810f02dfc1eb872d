"""The SDK path: the MCP server on the official SDK. Wiring only."""

import asyncio
import logging
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from typing_extensions import override

from seqthink.dialogue.channel import ClientPresence, Context
from seqthink.dialogue.client_sessions import ClientSessions
from seqthink.journal.drafts import EndReason
from seqthink.server.sdk_path.sdk_prompts import answer_prompt, list_prompts
from seqthink.server.sdk_path.sdk_streams import StdinStream, StdoutStream
from seqthink.server.sdk_path.sdk_tool_calls import ToolCallHandler
from seqthink.server.sdk_path.version_router import VersionRouter
from seqthink.server.setup import Handover, ServerSetup
from seqthink.server.tools.thinking_tool import INSTRUCTIONS
from seqthink.server.wire.protocol import SERVER_IDENTITY
from seqthink.server.wire.signals import STOP_SIGNALS
from seqthink.server.wire.stdio import DRAIN_SECONDS

if TYPE_CHECKING:  # loaded with audits only
    from seqthink.audit.judges.worker_pool import WorkerPool
    from seqthink.server.sdk_path.audit_hook import AuditHook

ServerFactory = Callable[[ClientSessions], Server[Any]]
"""Makes the SDK server whose tools ask the client questions through the given object."""


class Preparation(NamedTuple):
    """What the first call would otherwise wait for; made while the client says nothing, if there is time for it."""

    setup: ServerSetup
    audit_hook: "AuditHook | None"

    def serve(self, handover: Handover) -> EndReason:
        """Continue from ``handover`` until the client leaves or a signal arrives; return which of the two it was."""

        def factory(clients: ClientSessions) -> Server[Any]:
            clients.log_level = handover.handshake.log_level
            return make_server(self.setup, clients, self.audit_hook)

        return run(self.setup, handover, factory)


def prepare(setup: ServerSetup, workers: "WorkerPool | None" = None) -> Preparation:
    """Return what `Preparation.serve` needs; with audits on, ``workers`` judge."""
    anyio.run(anyio.sleep, 0)  # loads the event loop
    if setup.audit_options is None:
        return Preparation(setup, None)
    from seqthink.server.sdk_path.audit_hook import AuditHook  # noqa: PLC0415 - loads the judges

    recorder = setup.recorder
    audit_hook = AuditHook(setup.audit_options, recorder.append_event, lambda: recorder.session, workers)
    audit_hook.prepare()
    return Preparation(setup, audit_hook)


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

    _call_at_signals(loop, stop)
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


def _call_at_signals(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    for number in STOP_SIGNALS:
        try:
            # This also wakes up the loop. A handler alone would not: a signal that comes just before the loop waits,
            # or in another thread, would be noticed with the client's next message.
            loop.add_signal_handler(number, stop)
        except NotImplementedError:  # Windows' loops have no such method, but wake up at every signal by themselves
            signal.signal(number, lambda _number, _frame: loop.call_soon_threadsafe(stop))


def make_server(setup: ServerSetup, clients: ClientSessions, audit_hook: "AuditHook | None" = None) -> Server[Any]:
    """Return the SDK's server with all tools and prompts listed. It is independent of the transport."""
    tools = types.ListToolsResult.model_validate({"tools": setup.tools})
    handler = ToolCallHandler(setup.recorder, clients, audit_hook)

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
        on_list_prompts=list_prompts,
        on_get_prompt=answer_prompt,
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
