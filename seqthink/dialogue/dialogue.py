"""Everything that a tool call can ask or report to its client, in every MCP version (docs/dialogue.md)."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, cast

import anyio
import mcp_types as types
from anyio.abc import TaskGroup

from seqthink.dialogue.channel import Channel, Outcome
from seqthink.dialogue.elicitation import Elicitation
from seqthink.dialogue.errors import BadAnswerError, DialogueError, NoAnswerError, NotSupportedByClient
from seqthink.dialogue.questions import EventSink, Kind, QuestionSender
from seqthink.dialogue.sampling import Sampling

ROOTS_SECONDS: Final = 10.0
"""How long the client may take to list its roots, by default."""
_ROOTS_KEY: Final = "roots"


class Dialogue(Sampling, Elicitation):
    """One tool call's conversation with the client: questions to its model, its user and itself, log and progress.

    Args:
        channel: the connection to the client.
        journal: receives the `asking`, `sample` and `elicit` events.
        of: the seq of the call's own event in the journal, to which those events refer.
        clock: returns seconds, for the durations in the journal.
    """

    def __init__(self, channel: Channel, journal: EventSink, of: int, clock: Callable[[], float]) -> None:
        super().__init__(QuestionSender(channel, journal, of, clock))
        self._channel = channel

    async def roots(self, seconds: float = ROOTS_SECONDS) -> list[str]:
        """Return the client's roots, the folders in which it works, as URIs.

        Deprecated since 2026-07-28, but still in use. It involves neither model nor user, so nothing is journaled.

        Raises:
            DialogueError: the client cannot be asked, or there is no answer.
        """
        if self._channel.capabilities.roots is None:
            raise NotSupportedByClient("roots")
        outcomes: dict[str, Outcome] = {}
        with anyio.move_on_after(seconds):
            await self._channel.ask({_ROOTS_KEY: types.ListRootsRequest()}, outcomes)
        outcome = outcomes.get(_ROOTS_KEY, NoAnswerError(seconds))
        if isinstance(outcome, types.ListRootsResult):
            return [str(root.uri) for root in outcome.roots]
        raise (
            outcome
            if isinstance(outcome, DialogueError)
            else BadAnswerError("the client's answer is not a list of roots")
        )

    def write_asking(self, kind: Kind, purpose: str, message: str | None) -> None:
        """Journal that the call waits for an answer, to its own question or to that of another call."""
        self._questions.write_asking(kind, purpose, message)

    def write(self, kind: Kind, purpose: str, **fields: Any) -> None:  # noqa: ANN401 - any field of an event
        """Journal how a question ended."""
        self._questions.write(kind, purpose, **fields)

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
