"""Gives each tool call a `Dialogue` with the client, whichever MCP version the call speaks."""

from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from time import monotonic
from types import TracebackType
from typing import Any, Self, cast

import mcp_types as types
from mcp.server import Server

from seqthink.dialogue.channel import Channel, ClientPresence, Context, DirectChannel, is_stateless
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.dialogue.multi_round import MultiRoundCalls, Result
from seqthink.dialogue.protocol_versions import LOG_LEVELS
from seqthink.dialogue.questions import EventSink

Work = Callable[[Dialogue], Awaitable[Result]]
"""Works on a call, and returns its result as the wire spells it."""
ToolWork = Callable[[Dialogue], Awaitable[types.CallToolResult]]
"""Works on a call, and returns its result."""


class ClientSessions:
    """The clients of one server, and their calls that wait for answers.

    Use it as an async context manager around the server's run: what still waits when the client has left is cancelled.

    Args:
        presence: whether the client is still connected; by default it leaves when the ``async with`` block ends.
        journal: takes an event for each question and each answer, for a record of them; by default nothing.
        session: names the session, so that the answers of another one are refused.
    """

    def __init__(
        self,
        presence: ClientPresence | None = None,
        journal: EventSink | None = None,
        session: Callable[[], str] | None = None,
    ) -> None:
        self.log_level: types.LoggingLevel = LOG_LEVELS[0]
        """From which level on the client of the handshake version wants log messages."""
        self._presence = presence or ClientPresence()
        self._journal = journal or _forget
        self._calls = MultiRoundCalls(self._presence, session or str)
        self._made = count(1)

    def register(self, server: Server[Any]) -> None:
        """Handle ``logging/setLevel`` for ``server``, so that `Dialogue.log` respects the client's level."""

        async def set_level(_context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
            self.log_level = params.level
            return types.EmptyResult()

        # The constructor's own argument for it warns: stateless requests ask for log messages in another way.
        server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)

    async def call(self, context: Context, params: types.CallToolRequestParams, work: ToolWork) -> types.CallToolResult:
        """Return what an `on_call_tool` handler returns: the result of ``work``, or first its questions.

        A stateless client repeats the call with its answers; the work that runs already then goes on, and the one given
        here is not used. A `DialogueError` that ``work`` does not catch becomes an error result with its text.

        Args:
            context: as the handler got it.
            params: as the handler got them.
            work: works on the call, and asks the client by the `Dialogue` that it gets.
        """

        async def wire_result(dialogue: Dialogue) -> Result:
            try:
                result = await work(dialogue)
            except DialogueError as error:
                result = types.CallToolResult(content=[types.TextContent(text=str(error))], is_error=True)
            left_out = None if is_stateless(context) else {"result_type"}
            return result.model_dump(by_alias=True, mode="json", exclude_none=True, exclude=left_out)

        result = await self.resume(context, params)
        if result is None:
            result = await self.answer(context, params, next(self._made), wire_result)
        return cast("types.CallToolResult", result)  # the SDK takes a mapping as well, which may hold questions

    async def answer(self, context: Context, params: types.CallToolRequestParams, seq: int, work: Work) -> Result:
        """Return the result of ``work`` for a new call whose event is ``seq``, or the questions that it asks first."""

        async def talk(channel: Channel) -> Result:
            return await work(Dialogue(channel, self._journal, seq, monotonic))

        if is_stateless(context):
            return await self._calls.start(context, params, seq, talk)
        return await talk(DirectChannel(context, self._presence, self.log_level))

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


def _forget(_kind: str, _fields: Mapping[str, Any]) -> None:
    """Keep no record."""
