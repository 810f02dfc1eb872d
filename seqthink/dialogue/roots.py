"""Asking the client in which folders it works (roots, deprecated since 2026-07-28, and still what hosts offer)."""

from typing import Final

import anyio
import mcp_types as types

from seqthink.dialogue.asking import Asker
from seqthink.dialogue.channel import Outcome
from seqthink.dialogue.errors import BadAnswerError, DialogueError, NoAnswerError, NotSupportedByClient

SECONDS: Final = 10.0
_KEY: Final = "roots"


class Roots(Asker):
    """What can be asked of the client itself; no model and no person is asked, so the journal is not told."""

    async def roots(self, seconds: float = SECONDS) -> list[str]:
        """Return the client's roots as it names them, which are URIs.

        Raises:
            DialogueError: it was not asked, or there is no answer.
        """
        if self.channel.capabilities.roots is None:
            raise NotSupportedByClient("roots")
        outcomes: dict[str, Outcome] = {}
        with anyio.move_on_after(seconds):
            await self.channel.ask({_KEY: types.ListRootsRequest()}, outcomes)
        outcome = outcomes.get(_KEY, NoAnswerError(seconds))
        if isinstance(outcome, types.ListRootsResult):
            return [str(root.uri) for root in outcome.roots]
        raise outcome if isinstance(outcome, DialogueError) else BadAnswerError("no list of roots")
