"""Carries questions to the client and the answers back; the code that asks is the same for every MCP version.

Up to version 2025-11-25 a server sends a request of its own while it works on a call (`DirectChannel`). Since
2026-07-28 it cannot: it answers the call with its questions, and the client repeats the call with the answers
(SEP-2322). There, a call with open questions waits in `multi_round.py` until it is repeated.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import is_version_at_least
from pydantic import ValidationError

from seqthink.dialogue.errors import BadAnswerError, ClientLeftError, DialogueError, RefusedError
from seqthink.dialogue.protocol_versions import LOG_LEVEL_KEY, LOG_LEVELS, STATELESS_VERSION

Context = ServerRequestContext[Any, Any]
"""What the SDK hands to a request's handler, beside the parameters."""
Question = types.CreateMessageRequest | types.ElicitRequest | types.ListRootsRequest
Answer = types.CreateMessageResultWithTools | types.ElicitResult | types.ListRootsResult
Outcome = Answer | DialogueError
"""How a question ended: with an answer of its kind, or with the reason why there is none."""


class ClientPresence:
    """Whether the client is still connected, for everything that waits for its answers."""

    def __init__(self) -> None:
        self._left = anyio.Event()

    @property
    def has_left(self) -> bool:
        """Whether the client is gone."""
        return self._left.is_set()

    def leave(self) -> None:
        """Record that the client is gone, and wake everything that waits for it."""
        self._left.set()

    async def left(self) -> None:
        """Wait until the client is gone."""
        await self._left.wait()


class Channel(Protocol):
    """The connection to the client on behalf of one call."""

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The capabilities that the client declared."""
        ...

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        """Send questions, and put the outcome of each into ``outcomes``, under its key.

        After a cancellation, ``outcomes`` holds the answers that had arrived.
        """
        ...

    async def left(self) -> None:
        """Wait until the client is gone."""
        ...

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Send a message for the client's log, if it wants this level."""
        ...

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Report the call's progress, if the client gave a token for it."""
        ...


class DirectChannel:
    """Sends questions as requests (up to version 2025-11-25), and notifications (in every version)."""

    def __init__(
        self, context: Context, presence: ClientPresence, log_level: types.LoggingLevel = LOG_LEVELS[0]
    ) -> None:
        self._context = context
        self._presence = presence
        self._log_level = log_level

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The capabilities that the client declared."""
        return self._context.session.client_capabilities or types.ClientCapabilities()

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        """Ask one question after another: a user answers one at a time."""
        for key, question in questions.items():
            outcomes[key] = await self._ask(question)

    async def left(self) -> None:
        """Wait until the client is gone."""
        await self._presence.left()

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Send a message for the client's log, if it wants this level."""
        if not self._wants(level):
            return
        params = types.LoggingMessageNotificationParams(level=level, data=data, logger="seqthink")
        notification = types.LoggingMessageNotification(params=params)
        await self._context.session.send_notification(notification, self._context.request_id)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Report the call's progress, if the client gave a token for it."""
        await self._context.session.report_progress(done, total, message)

    def _wants(self, level: types.LoggingLevel) -> bool:
        """Return whether the client wants messages of this level; each stateless request names its own minimum."""
        min_level = (self._context.meta or {}).get(LOG_LEVEL_KEY) if is_stateless(self._context) else self._log_level
        return min_level in LOG_LEVELS and LOG_LEVELS.index(level) >= LOG_LEVELS.index(min_level)

    async def _ask(self, question: Question) -> Outcome:
        outcome: Outcome = ClientLeftError()

        async def wait() -> None:
            nonlocal outcome
            outcome = await self._send(question)
            tasks.cancel_scope.cancel()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            await self._presence.left()
            tasks.cancel_scope.cancel()
        return outcome

    async def _send(self, question: Question) -> Outcome:
        related = ServerMessageMetadata(related_request_id=self._context.request_id)
        try:
            return await self._context.session.send_request(question, answer_kind(question), metadata=related)
        except MCPError as error:
            return ClientLeftError() if self._presence.has_left else refused_error(error)
        except ValidationError as error:
            return BadAnswerError(f"the client's answer is malformed: {first_problem(error)}")


def is_stateless(context: Context) -> bool:
    """Return whether a request uses a version without a handshake; an unknown version counts as one with it."""
    return is_version_at_least(context.protocol_version, STATELESS_VERSION)


def answer_kind(question: Question) -> type[Answer]:
    """Return the type of an answer to ``question``."""
    match question:
        case types.CreateMessageRequest():
            return types.CreateMessageResultWithTools
        case types.ElicitRequest():
            return types.ElicitResult
        case types.ListRootsRequest():
            return types.ListRootsResult


def refused_error(error: MCPError) -> RefusedError:
    """Return the error for a client's error answer."""
    return RefusedError(f"the client refused: {error.error.message}")


def first_problem(error: ValidationError) -> str:
    """Return the first problem of an answer and the field that has it."""
    problem = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, problem["loc"]))
    return f"{place}: {problem['msg']}" if place else problem["msg"]
