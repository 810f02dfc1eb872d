"""Asks the client for its roots, the folders in which it works; deprecated since 2026-07-28, but still in use."""

from typing import Final

import anyio
import mcp_types as types

from seqthink.dialogue.channel import Channel, Outcome
from seqthink.dialogue.errors import BadAnswerError, DialogueError, NoAnswerError, NotSupportedByClient

DEFAULT_SECONDS: Final = 10.0
"""How long the answer may take by default."""
_KEY: Final = "roots"


async def ask_roots(channel: Channel, seconds: float) -> list[str]:
    """Return the client's roots as URIs. It involves neither model nor user, so nothing is journaled.

    Raises:
        DialogueError: the client cannot be asked, or there is no answer.
    """
    if channel.capabilities.roots is None:
        raise NotSupportedByClient("roots")
    outcomes: dict[str, Outcome] = {}
    with anyio.move_on_after(seconds):
        await channel.ask({_KEY: types.ListRootsRequest()}, outcomes)
    outcome = outcomes.get(_KEY, NoAnswerError(seconds))
    if isinstance(outcome, types.ListRootsResult):
        return [str(root.uri) for root in outcome.roots]
    raise (
        outcome if isinstance(outcome, DialogueError) else BadAnswerError("the client's answer is not a list of roots")
    )
