"""All that a call can say to the client, whichever revision it speaks (server.md, "Talking back to the client")."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import cast

import anyio
import mcp_types as types
from anyio.abc import TaskGroup

from seqthink.dialogue.elicitation import Elicitation
from seqthink.dialogue.roots import Roots
from seqthink.dialogue.sampling import Sampling


class Dialogue(Sampling, Elicitation, Roots):
    """Asks the client's model, its person and itself, and tells the client how far a call is."""

    async def left(self) -> None:
        """Wait until the client is gone."""
        await self.channel.left()

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Send a line for the client's log."""
        await self.channel.log(level, data)

    async def notify(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Say how far the call is; only a client that gave a token for it is told."""
        await self.channel.progress(progress, total, message)

    @asynccontextmanager
    async def branch(self) -> AsyncGenerator[TaskGroup]:
        """Give a group of children that end with the block; one that fails ends its siblings, and is what is raised."""
        try:
            async with anyio.create_task_group() as tasks:
                yield tasks
        except BaseException as error:
            raise _first(error) from error


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error
