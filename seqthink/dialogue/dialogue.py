"""Everything that a tool call can ask or tell its client, in every MCP version (docs/dialogue.md)."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import cast

import anyio
import mcp_types as types
from anyio.abc import TaskGroup

from seqthink.dialogue.channel import Channel
from seqthink.dialogue.elicitation import Elicitation
from seqthink.dialogue.questions import EventSink, QuestionSender
from seqthink.dialogue.roots import DEFAULT_SECONDS, ask_roots
from seqthink.dialogue.sampling import Sampling


class Dialogue(Sampling, Elicitation):
    """One tool call's conversation with the client: questions to its model, its user and itself, log and progress.

    Args:
        channel: the connection to the client.
        journal: receives the `asking`, `sample` and `elicit` events.
        of: the seq of the call's own event in the journal, to which those events refer.
        clock: returns seconds, for the durations in the journal.
    """

    def __init__(self, channel: Channel, journal: EventSink, of: int, clock: Callable[[], float]) -> None:
        self.questions = QuestionSender(channel, journal, of, clock)
        """Sends its questions, and journals them."""
        Sampling.__init__(self, self.questions)
        Elicitation.__init__(self, self.questions)
        self._channel = channel

    async def roots(self, seconds: float = DEFAULT_SECONDS) -> list[str]:
        """Return the client's roots as URIs.

        Raises:
            DialogueError: the client cannot be asked, or there is no answer.
        """
        return await ask_roots(self._channel, seconds)

    async def left(self) -> None:
        """Wait until the client is gone."""
        await self._channel.left()

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Send a message for the client's log, if it wants messages of this level.

        Args:
            level: the severity, as in syslog.
            data: any JSON value.
        """
        await self._channel.log(level, data)

    async def notify(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Report the call's progress; nothing is sent to a client that gave no progress token.

        Args:
            progress: how much is done, in the same unit as ``total``; it must increase with each call.
            total: how much there is to do; None: unknown.
            message: what is being done, for the user.
        """
        await self._channel.progress(progress, total, message)

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
