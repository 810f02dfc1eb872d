"""Gives each tool call a `Dialogue` with the client, whichever MCP version the call speaks."""

from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from time import monotonic
from types import TracebackType
from typing import Any, Self, cast

import mcp_types as types
from mcp.server.lowlevel.server import Server

from seqthink.dialogue.channel import Channel, ClientPresence, Context, DirectChannel, is_stateless
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.dialogue.multi_round import MultiRoundCalls, Result
from seqthink.dialogue.protocol_versions import LOG_LEVELS
from seqthink.dialogue.questions import EventSink

Work = Callable[[Dialogue], Awaitable[Result]]
"""Works on a call, and returns its result as JSON."""
ToolWork = Callable[[Dialogue], Awaitable[types.CallToolResult]]
"""Works on a call, and returns its result."""


class ClientSessions:
    """The clients of one server, and their calls that wait for answers.

    Use it as an async context manager around the server's run: on exit, calls that still wait are cancelled.

    Args:
        presence: returns whether the client is connected; by default it leaves when the ``async with`` block ends.
        journal: receives an event for each question and each answer; by default they are not recorded.
        session: returns the id of the session; answers that belong to another session are refused.
    """

    def __init__(
        self,
        presence: ClientPresence | None = None,
        journal: EventSink | None = None,
        session: Callable[[], str] | None = None,
    ) -> None:
        self.log_level: types.LoggingLevel = LOG_LEVELS[0]
        """The least severe log message that a client with a handshake version wants."""
        self._presence = presence or ClientPresence()
        self._journal = journal or _ignore_event
        self._calls = MultiRoundCalls(self._presence, session or str)
        self._call_seqs = count(1)

    def register(self, server: Server[Any]) -> None:
        """Handle ``logging/setLevel`` for ``server``, so that `Dialogue.log` respects the client's level."""

        async def set_level(_context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
            self.log_level = params.level
            return types.EmptyResult()

        # The constructor's own argument for it warns: stateless requests ask for log messages in another way.
        server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)

    async def call(self, context: Context, params: types.CallToolRequestParams, work: ToolWork) -> types.CallToolResult:
        """Return the result for an `on_call_tool` handler: the result of ``work``, or before that its questions.

        A stateless client repeats the call with its answers. The work that is already running then continues, and the
        new ``work`` is not used. A `DialogueError` that ``work`` does not catch becomes an error result with its text.

        Args:
            context: the first argument of the handler.
            params: the second argument of the handler.
            work: works on the call; it asks the client through its `Dialogue` argument.
        """

        async def wire_result(dialogue: Dialogue) -> Result:
            try:
                result = await work(dialogue)
            except DialogueError as error:
                result = types.CallToolResult(content=[types.TextContent(text=str(error))], is_error=True)
            excluded_fields = None if is_stateless(context) else {"result_type"}
            return result.model_dump(by_alias=True, mode="json", exclude_none=True, exclude=excluded_fields)

        result = await self.resume(context, params)
        if result is None:
            result = await self.answer(context, params, next(self._call_seqs), wire_result)
        return cast("types.CallToolResult", result)  # the SDK takes a mapping as well, which may hold questions

    async def answer(self, context: Context, params: types.CallToolRequestParams, seq: int, work: Work) -> Result:
        """Return the result of ``work`` for a new call, or its first questions; ``seq`` is that of the call's event."""

        async def run_work(channel: Channel) -> Result:
            return await work(Dialogue(channel, self._journal, seq, monotonic))

        if is_stateless(context):
            return await self._calls.start(context, params, seq, run_work)
        return await run_work(DirectChannel(context, self._presence, self.log_level))

    async def resume(self, context: Context, params: types.CallToolRequestParams) -> Result | None:
        """Return the result of a call that is repeated with answers, or its next questions; None for a new call."""
        return await self._calls.resume(context, params) if params.request_state else None

    async def close(self) -> None:
        """Cancel the calls that still wait."""
        await self._calls.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._presence.leave()
        await self.close()


def _ignore_event(_kind: str, _fields: Mapping[str, Any]) -> None:
    """Ignore an event: no journal records the questions."""
