"""The way of a question to the client and of its answer back, in either era; whoever asks does not see which.

Up to revision 2025-11-25 a server sends a request of its own while it works on a call. Since 2026-07-28 it cannot: it
answers the call with what it wants to know, and the client repeats the call with the answers (SEP-2322). There, a call
that has asked waits in a `Conversation` until it is repeated.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import is_version_at_least
from pydantic import ValidationError

from seqthink.dialogue.eras import LOG_LEVEL, LOG_LEVELS, MODERN
from seqthink.dialogue.errors import BadAnswerError, ClientLeftError, DialogueError, RefusedError

Context = ServerRequestContext[Any, Any]
Question = types.CreateMessageRequest | types.ElicitRequest | types.ListRootsRequest
Answer = types.CreateMessageResultWithTools | types.ElicitResult | types.ListRootsResult
Outcome = Answer | DialogueError
"""What came of a question: an answer of its kind, or why there is none."""


class Presence:
    """Whether the client is still there; whoever waits for it is told at once when it leaves."""

    def __init__(self) -> None:
        self._left = anyio.Event()

    @property
    def has_left(self) -> bool:
        """Whether the client is gone; what it answers tells nothing of that, whatever its error's code."""
        return self._left.is_set()

    def leave(self) -> None:
        """The client is gone."""
        self._left.set()

    async def left(self) -> None:
        """Wait until it is."""
        await self._left.wait()


class Channel(Protocol):
    """The way to the client on behalf of one call."""

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """What the client said that it can do."""
        ...

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        """Put questions to the client, and add to ``outcomes`` what came of each, by its key.

        Whoever does not wait to the end has the answers that came until then.
        """
        ...

    async def left(self) -> None:
        """Wait until the client is gone."""
        ...

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Send a line for the client's log, if it wants any."""
        ...

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Say how far the call is, if the client asked to be told."""
        ...


class BackChannel:
    """The way up to revision 2025-11-25: requests of the server's own; notifications in either era."""

    def __init__(self, context: Context, presence: Presence, log_level: types.LoggingLevel = LOG_LEVELS[0]) -> None:
        self._context = context
        self._presence = presence
        self._log_level = log_level

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """What the client said that it can do."""
        return self._context.session.client_capabilities or types.ClientCapabilities()

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        """Put the questions one after another: a person answers one at a time."""
        for key, question in questions.items():
            outcomes[key] = await self._ask(question)

    async def left(self) -> None:
        """Wait until the client is gone."""
        await self._presence.left()

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Send a line for the client's log, if it wants any."""
        if not self._wants(level):
            return
        params = types.LoggingMessageNotificationParams(level=level, data=data, logger="seqthink")
        notification = types.LoggingMessageNotification(params=params)
        await self._context.session.send_notification(notification, self._context.request_id)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Say how far the call is, if the client asked to be told."""
        await self._context.session.report_progress(done, total, message)

    def _wants(self, level: types.LoggingLevel) -> bool:
        """Return whether the client wants lines of this level: since 2026-07-28 each request says so."""
        is_modern = is_version_at_least(self._context.protocol_version, MODERN)
        least = (self._context.meta or {}).get(LOG_LEVEL) if is_modern else self._log_level
        return least in LOG_LEVELS and LOG_LEVELS.index(level) >= LOG_LEVELS.index(least)

    async def _ask(self, question: Question) -> Outcome:
        outcome: Outcome = ClientLeftError()

        async def wait() -> None:
            nonlocal outcome
            outcome = await self._sent(question)
            tasks.cancel_scope.cancel()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            await self._presence.left()
            tasks.cancel_scope.cancel()
        return outcome

    async def _sent(self, question: Question) -> Outcome:
        related = ServerMessageMetadata(related_request_id=self._context.request_id)
        try:
            return await self._context.session.send_request(question, answer_kind(question), metadata=related)
        except MCPError as error:
            return ClientLeftError() if self._presence.has_left else refused(error)
        except ValidationError as error:
            return BadAnswerError(f"the client's answer is malformed: {first_problem(error)}")


def answer_kind(question: Question) -> type[Answer]:
    """Return of which kind an answer to ``question`` is."""
    match question:
        case types.CreateMessageRequest():
            return types.CreateMessageResultWithTools
        case types.ElicitRequest():
            return types.ElicitResult
        case types.ListRootsRequest():
            return types.ListRootsResult


def refused(error: MCPError) -> RefusedError:
    """Return what a client's error answer comes to."""
    return RefusedError(f"the client refused: {error.error.message}")


def first_problem(error: ValidationError) -> str:
    """Return the first thing that is wrong, and where."""
    problem = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, problem["loc"]))
    return f"{place}: {problem['msg']}" if place else problem["msg"]
