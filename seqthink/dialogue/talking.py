"""Lets a call talk to its client in the way of the client's revision."""

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp_types.version import is_version_at_least

from seqthink.dialogue.asking import Journal
from seqthink.dialogue.channel import BackChannel, Channel, Context, Presence
from seqthink.dialogue.conversation import Conversations, Result
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.eras import LOG_LEVELS, MODERN

Work = Callable[[Dialogue], Awaitable[Result]]


class Talking:
    """The talks of one server with its client; ``session`` names the journal that they are written to."""

    def __init__(self, presence: Presence, journal: Journal, session: Callable[[], str]) -> None:
        self.log_level: types.LoggingLevel = LOG_LEVELS[0]
        """What the client of the connection that `initialize` opened wants in its log."""
        self._presence = presence
        self._journal = journal
        self._conversations = Conversations(presence, session)

    def listen(self, server: Server[Any]) -> None:
        """Let ``server`` take in from which level on its client wants log messages."""

        async def set_level(_context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
            self.log_level = params.level
            return types.EmptyResult()

        # The constructor's own argument for it warns: the newest revision has another way to ask for log messages.
        server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)

    async def answer(self, context: Context, params: types.CallToolRequestParams, seq: int, work: Work) -> Result:
        """Return what ``work`` makes of the call whose event is ``seq``, or what it has to ask before it can."""

        async def talk(channel: Channel) -> Result:
            return await work(Dialogue(channel, self._journal, seq, monotonic))

        if is_version_at_least(context.protocol_version, MODERN):
            return await self._conversations.begin(context, params, seq, talk)
        return await talk(BackChannel(context, self._presence, self.log_level))

    async def repeated(self, context: Context, params: types.CallToolRequestParams) -> Result | None:
        """Return what a call gets that comes again with answers; None: it is a new one."""
        return await self._conversations.go_on(context, params) if params.request_state else None

    async def close(self) -> None:
        """Call off what still waits."""
        await self._conversations.close()
