"""A call that goes on over several requests: asked, repeated with answers, answered (2026-07-28, SEP-2322).

The work of the call runs in a task of its own, which waits where it asks. Each request for the call returns what comes
next: questions, or the result. The state that travels with a question is sealed, so that a client can neither read it
nor make one up; a request whose state does not open, or whose arguments are others, is a new call.
"""

import asyncio
import hashlib
import json
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import mcp_types as types
from mcp import MCPError
from mcp.server.request_state import AESGCMRequestStateCodec, InvalidRequestState

from seqthink.dialogue.answers import outcome
from seqthink.dialogue.channel import BackChannel, Channel, Context, Outcome, Presence, Question
from seqthink.dialogue.errors import ClientLeftError

Result = dict[str, Any]
"""The result of a call, as the wire spells it."""
Work = Callable[[Channel], Awaitable[Result]]

MOST_OPEN: Final = 64
"""So many calls may wait for answers; before one more, the one that began first is called off."""
MOST_DONE: Final = 8
"""So many are remembered when they have their result, for a client that missed it and repeats its last answers."""
GRACE: Final = 1.0
"""So many seconds a call gets to end by itself once the client has left."""


class _Facts(NamedTuple):
    """What a sealed state says: of which session, which event, which call, with which arguments, after which round."""

    session: str
    seq: int
    call: int
    digest: str
    round: int


class Conversations:
    """The calls of one server that wait to be repeated."""

    def __init__(self, presence: Presence, session: Callable[[], str]) -> None:
        self._presence = presence
        self._session = session
        self._codec = AESGCMRequestStateCodec([os.urandom(32)])
        self._open: dict[int, _Conversation] = {}
        self._done: dict[int, _Conversation] = {}
        self._made = 0

    async def begin(self, context: Context, params: types.CallToolRequestParams, seq: int, work: Work) -> Result:
        """Begin ``work`` for the call whose event is ``seq``, and return its result or its first questions."""
        while len(self._open) >= MOST_OPEN:
            self._open.pop(next(iter(self._open))).task.cancel()
        self._made += 1
        facts = _Facts(self._session(), seq, self._made, _digest(params), 0)
        conversation = _Conversation(work, context, self._presence, partial(self._seal, facts))
        self._open[self._made] = conversation
        conversation.task.add_done_callback(partial(self._finish, self._made))
        return await conversation.after(0)

    async def go_on(self, context: Context, params: types.CallToolRequestParams) -> Result | None:
        """Return what comes after the answers of ``params`` to a call that asked; None: their state is of no such call.

        A round that was answered before gets what it got then.
        """
        try:
            facts = _Facts(*json.loads(self._codec.unseal(params.request_state or "")))
            is_ours = facts.session == self._session() and facts.digest == _digest(params)
        except (InvalidRequestState, ValueError, TypeError, RecursionError):
            return None
        conversation = self._open.get(facts.call) or self._done.get(facts.call)
        if conversation is None or not is_ours:
            return None
        if facts.round == conversation.rounds:
            conversation.answer(context, params.input_responses or {})
        return await conversation.after(facts.round)

    async def close(self) -> None:
        """Let what is told that the client left end by itself, and call off what does not."""
        tasks = [conversation.task for conversation in self._open.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def _seal(self, facts: _Facts, rounds: int) -> str:
        return self._codec.seal(json.dumps(facts._replace(round=rounds)).encode())

    def _finish(self, call: int, task: "asyncio.Task[Result]") -> None:
        conversation = self._open.pop(call, None)
        if task.cancelled() or conversation is None:
            return
        if (failure := task.exception()) is not None and not conversation.is_awaited:
            logging.getLogger(__name__).error("a call failed between two requests for it: %r", failure)
        if conversation.rounds:
            self._done[call] = conversation
        while len(self._done) > MOST_DONE:
            del self._done[next(iter(self._done))]


class _Waiting(NamedTuple):
    """A question that the work waits with."""

    question: Question
    outcome: "asyncio.Future[Outcome]"


class _Conversation:
    """The task that works on one call, and the questions that it waits with: the channel of that work."""

    def __init__(self, work: Work, context: Context, presence: Presence, seal: Callable[[int], str]) -> None:
        self._back = BackChannel(context, presence)
        self._presence = presence
        self._seal = seal
        self._waiting: dict[str, _Waiting] = {}
        self._names: set[str] = set()
        self._said: list[Result] = []
        self._moved = asyncio.Event()
        self._requests = 0
        self.task = asyncio.create_task(self._run(work))

    @property
    def rounds(self) -> int:
        """How often a request for the call was answered so far."""
        return len(self._said)

    @property
    def is_awaited(self) -> bool:
        """Whether a request for the call waits now."""
        return self._requests > 0

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """What the client said that it can do."""
        return self._back.capabilities

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        """Put questions to the client with the next answer it gets, and wait for the requests that answer them."""
        loop = asyncio.get_running_loop()
        asked = {key: _Waiting(question, loop.create_future()) for key, question in questions.items()}
        named = {self._name(key): one for key, one in asked.items()}
        self._waiting |= named
        self._moved.set()
        left = asyncio.create_task(self._presence.left())
        left.add_done_callback(lambda _: self._settle(asked, ClientLeftError()))
        try:
            await asyncio.wait([one.outcome for one in asked.values()])
        finally:
            left.cancel()
            for name in named:
                self._waiting.pop(name, None)
            outcomes |= {key: one.outcome.result() for key, one in asked.items() if one.outcome.done()}

    def answer(self, context: Context, answers: types.InputResponses) -> None:
        """Take the answers of another request for the call; what it leaves out is asked again."""
        self._back = BackChannel(context, self._presence)
        self._moved.clear()
        for name in [name for name in self._waiting if name in answers]:
            one = self._waiting.pop(name)
            self._settle({name: one}, outcome(one.question, answers[name]))
        if self._waiting:
            self._moved.set()

    async def after(self, number: int) -> Result:
        """Return what the request after round ``number`` is answered with, as soon as that is known.

        Raises:
            MCPError: the call was called off.
        """
        self._requests += 1
        try:
            while len(self._said) <= number:
                await self._move()
        except asyncio.CancelledError:
            if self._requests == 1:
                self.task.cancel()  # the client took its call back
            raise
        finally:
            self._requests -= 1
        return self._said[number]

    async def _move(self) -> None:
        """Wait until there is something to say, and note it unless another request has."""
        rounds = self.rounds
        moved = asyncio.create_task(self._moved.wait())
        try:
            await asyncio.wait([moved, self.task], return_when=asyncio.FIRST_COMPLETED)
        finally:
            moved.cancel()
        if self.rounds > rounds:
            return
        if self.task.cancelled():
            raise MCPError(code=types.INTERNAL_ERROR, message="The call was called off")
        if self.task.done():
            self._said.append(self.task.result())
        elif self._waiting:
            self._said.append(self._asking())
        self._moved.clear()

    def _asking(self) -> Result:
        wanted = types.InputRequiredResult(
            input_requests={name: one.question for name, one in self._waiting.items()},
            request_state=self._seal(self.rounds + 1),
        )
        return wanted.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def left(self) -> None:
        """Wait until the client is gone."""
        await self._presence.left()

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Send a line for the client's log, with the request that is being answered."""
        await self._back.log(level, data)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Say how far the call is, to the request that is being answered."""
        await self._back.progress(done, total, message)

    async def _run(self, work: Work) -> Result:
        return await work(self)

    def _settle(self, asked: Mapping[str, _Waiting], outcome: Outcome) -> None:
        for one in asked.values():
            if not one.outcome.done():
                one.outcome.set_result(outcome)

    def _name(self, key: str) -> str:
        """Return ``key``, or one like it: a late answer must not be taken for that of another question."""
        name, count = key, 1
        while name in self._names:
            count += 1
            name = f"{key}-{count}"
        self._names.add(name)
        return name


def _digest(params: types.CallToolRequestParams) -> str:
    said = json.dumps([params.name, params.arguments or {}], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()
