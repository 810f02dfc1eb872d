"""Lets a call talk to its client in the way of the client's revision."""

from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Any

import mcp_types as types
from mcp_types.version import is_version_at_least

from seqthink.dialogue.asking import Journal
from seqthink.dialogue.channel import BackChannel, Channel, Context, Presence
from seqthink.dialogue.conversation import Conversations, Result
from seqthink.dialogue.dialogue import Dialogue

MODERN = "2026-07-28"
"""From this revision on a server has no requests of its own."""

Work = Callable[[Dialogue], Awaitable[Result]]


class Talking:
    """The talks of one server with its client; ``session`` names the journal that they are written to."""

    def __init__(self, presence: Presence, journal: Journal, session: Callable[[], str]) -> None:
        self._presence = presence
        self._journal = journal
        self._conversations = Conversations(presence, session)

    async def answer(self, context: Context, arguments: Mapping[str, Any], seq: int, work: Work) -> Result:
        """Return what ``work`` makes of the call whose event is ``seq``, or what it has to ask before it can."""

        async def talk(channel: Channel) -> Result:
            return await work(Dialogue(channel, self._journal, seq, monotonic))

        if is_version_at_least(context.protocol_version, MODERN):
            return await self._conversations.begin(context, arguments, seq, talk)
        return await talk(BackChannel(context, self._presence))

    async def repeated(self, context: Context, params: types.CallToolRequestParams) -> Result | None:
        """Return what a call gets that comes again with answers; None: it is a new one."""
        if params.request_state is None:
            return None
        arguments, answers = params.arguments or {}, params.input_responses or {}
        return await self._conversations.go_on(context, arguments, params.request_state, answers)

    def close(self) -> None:
        """Call off what still waits."""
        self._conversations.close()
