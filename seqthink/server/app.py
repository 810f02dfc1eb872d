"""The MCP server on the official SDK: wiring only."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, cast

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from mcp_types.version import is_version_at_least
from typing_extensions import override

from seqthink.dialogue.channel import Context, Presence
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.elicitation import can_elicit
from seqthink.dialogue.eras import LOG_LEVEL, MODERN
from seqthink.dialogue.talking import Talking
from seqthink.journal.writer import EndReason
from seqthink.server.calls import Answer, Call
from seqthink.server.front import Handover
from seqthink.server.going_on import GIVEN_UP, GoingOn
from seqthink.server.protocol import SERVER, TOOL_USE, hears_warnings, warning
from seqthink.server.router import Router
from seqthink.server.signals import STOPPING, Signals
from seqthink.server.thinking import Thinking
from seqthink.server.tools import Schema, listed
from seqthink.server.transport import Inbox, Outbox
from seqthink.server.wire import PATIENCE

Say = Callable[[str], None]
Make = Callable[[Talking], Server[Any]]
"""Makes the server whose tools talk to the client by what it is given."""


def serve(
    handover: Handover, thinking: Thinking, stdin: int, signals: Signals, *, schema: Schema, say: Say
) -> EndReason:
    """Go on from ``handover`` until the client leaves or a signal comes, and say which."""

    def make(talking: Talking) -> Server[Any]:
        talking.log_level = handover.handshake.log_level
        return make_server(thinking, schema, talking)

    return run(handover, make, thinking, stdin, signals, say)


def run(handover: Handover, make: Make, thinking: Thinking, stdin: int, signals: Signals, say: Say) -> EndReason:
    """Serve what ``make`` makes, from ``handover`` on, until the client leaves or a signal comes, and say which."""
    logging.basicConfig(handlers=[_Logged(say)], level=logging.WARNING, format="%(message)s")
    return anyio.run(_run, handover, make, thinking, stdin, signals, say)


async def _run(handover: Handover, make: Make, thinking: Thinking, stdin: int, signals: Signals, say: Say) -> EndReason:
    outbox, presence = Outbox(handover.sink), Presence()
    inbox = Inbox(stdin, outbox, handover.buffer, say, presence.leave)
    talking = Talking(presence, thinking.write, lambda: thinking.session)
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
    router = Router(make(talking), dispatcher, handover.handshake, thinking.refuse)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outbox.pump)
        for message in handover.messages:
            await inbox.take(message)
        await dispatcher.run(router.on_request, router.on_notify)
        await talking.close()
        tasks.cancel_scope.cancel()
    return "signal" if signals.came else "eof"


def make_server(thinking: Thinking, schema: Schema, talking: Talking) -> Server[Any]:
    """Return the SDK's server with the tools there are; what carries its messages is not its affair."""
    tools = types.ListToolsResult.model_validate({"tools": listed(schema, has_context=thinking.has_context)})
    going_on = GoingOn()

    async def list_tools(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return tools

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        result = await talking.repeated(context, params)
        if result is None:
            answer, chain = thinking.record(_call(context, params, talking.log_level)), thinking.limits.chain
            await _warn(context, answer)
            result = await _asked(context, params, answer, chain) if answer.asks else _result(context, answer)
        # A plain mapping spares a model's two passes, and leaves out `isError` unless it is true.
        return cast("types.CallToolResult", result)

    async def _asked(
        context: Context, params: types.CallToolRequestParams, answer: Answer, chain: int
    ) -> dict[str, Any]:
        patience = GIVEN_UP if is_version_at_least(context.protocol_version, MODERN) else None

        async def work(dialogue: Dialogue) -> dict[str, Any]:
            return _result(context, await going_on.ask(dialogue, thinking.limits, chain, answer, patience))

        return await talking.answer(context, params, answer.seq, work)

    server: Server[Any] = Server(
        SERVER["name"],
        version=SERVER["version"],
        title=SERVER["title"],
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    talking.listen(server)
    server.middleware.clear()  # it holds tracing only, and nothing here installs an exporter
    return server


async def _warn(context: Context, answer: Answer) -> None:
    """Send what the client's log is to be told before the answer, if anything."""
    if answer.warning:
        told = types.LoggingMessageNotificationParams.model_validate(warning(answer.warning))
        await context.session.send_notification(types.LoggingMessageNotification(params=told), context.request_id)


def _result(context: Context, answer: Answer) -> dict[str, Any]:
    marks = {"resultType": "complete"} if is_version_at_least(context.protocol_version, MODERN) else {}
    return answer.result() | marks


def _call(context: Context, params: types.CallToolRequestParams, log_level: str) -> Call:
    client = context.session.client_params
    meta: Mapping[str, Any] = context.meta or {}
    tool_use_id = meta.get(TOOL_USE)
    is_asked_once = is_version_at_least(context.protocol_version, MODERN)
    return Call(
        tool=params.name,
        arguments=params.arguments or {},
        tool_use_id=tool_use_id if isinstance(tool_use_id, str) else None,
        client=client and {"name": client.client_info.name, "version": client.client_info.version},
        protocol=context.protocol_version,
        hears_warnings=hears_warnings(meta.get(LOG_LEVEL) if is_asked_once else log_level),
        can_ask=can_elicit(context.session.client_capabilities),
    )


class _Logged(logging.Handler):
    """Log records as lines on stderr: a warning of the SDK must not block a call either."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self._say = say

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self._say(self.format(record))
