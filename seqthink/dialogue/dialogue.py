"""Everything that a tool call can ask or tell its client, in every MCP version (docs/dialogue.md)."""

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
    """One tool call's conversation with the client: questions to its model, its user and itself, log and progress."""

    async def left(self) -> None:
        """Wait until the client is gone."""
        await self.channel.left()

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Send a message for the client's log, if it wants messages of this level.

        Args:
            level: the severity, as in syslog.
            data: any JSON value.
        """
        await self.channel.log(level, data)

    async def notify(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Report the call's progress; nothing is sent to a client that gave no progress token.

        Args:
            progress: how much is done, in the same unit as ``total``; it must increase with each call.
            total: how much there is to do; None: unknown.
            message: what is being done, for the user.
        """
        await self.channel.progress(progress, total, message)

    @asynccontextmanager
    async def branch(self) -> AsyncGenerator[TaskGroup]:
        """Yield a task group, to ask several questions at the same time; it ends with the ``async with`` block.

        A task that fails cancels the others, and its own error is raised, not an exception group.
        """
        try:
            async with anyio.create_task_group() as tasks:
                yield tasks
        except BaseException as error:
            raise _first_error(error) from error


def _first_error(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error
