"""Calls that take several rounds: called, answered with questions, repeated with answers (2026-07-28, SEP-2322).

The work of a call runs in a task of its own, which waits where it asks. Each request for the call returns what comes
next: questions, or the result. The request state that travels with questions is encrypted, so that a client can neither
read nor forge it; a request whose state does not decrypt, or whose arguments differ, is a new call.
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

from seqthink.dialogue.channel import Channel, ClientPresence, Context, DirectChannel, Outcome, Question
from seqthink.dialogue.errors import ClientLeftError
from seqthink.dialogue.input_responses import outcome

Result = dict[str, Any]
"""The result of a call, or its questions, as the protocol spells it."""
Work = Callable[[Channel], Awaitable[Result]]

MAX_OPEN_CALLS: Final = 64
"""How many calls may wait for answers; one more cancels the oldest."""
MAX_KEPT_CALLS: Final = 8
"""How many finished calls are kept, for a client that missed the result and repeats its last answers."""
GRACE_SECONDS: Final = 1.0
"""How long a call may take to end by itself once the client has left."""


class _RequestState(NamedTuple):
    """What an encrypted request state holds."""

    session: str
    """The session's id."""
    seq: int
    """The seq of the call's event in the journal."""
    call: int
    """The call's number in this process, from 1."""
    digest: str
    """SHA-256 of the tool's name and the arguments."""
    round: int
    """After how many rounds the client got it."""


class MultiRoundCalls:
    """The calls of one server that wait to be repeated with answers."""

    def __init__(self, presence: ClientPresence, session: Callable[[], str]) -> None:
        self._presence = presence
        self._session = session
        self._codec = AESGCMRequestStateCodec([os.urandom(32)])
        self._open: dict[int, _MultiRoundCall] = {}
        self._done: dict[int, _MultiRoundCall] = {}
        self._made = 0

    async def start(self, context: Context, params: types.CallToolRequestParams, seq: int, work: Work) -> Result:
        """Start ``work`` for the call whose event is ``seq``, and return its result or its first questions."""
        while len(self._open) >= MAX_OPEN_CALLS:
            self._open.pop(next(iter(self._open))).task.cancel()
        self._made += 1
        state = _RequestState(self._session(), seq, self._made, _digest(params), 0)
        call = _MultiRoundCall(work, context, self._presence, partial(self._encrypt, state))
        self._open[self._made] = call
        call.task.add_done_callback(partial(self._finish, self._made))
        return await call.after(0)

    async def resume(self, context: Context, params: types.CallToolRequestParams) -> Result | None:
        """Return the result or the next questions of a call that is repeated with answers; None for a new call.

        A request that repeats the answers of an earlier round gets the same as then.
        """
        try:
            state = _RequestState(*json.loads(self._codec.unseal(params.request_state or "")))
            is_ours = state.session == self._session() and state.digest == _digest(params)
        except (InvalidRequestState, ValueError, TypeError, RecursionError):
            return None
        call = self._open.get(state.call) or self._done.get(state.call)
        if call is None or not is_ours:
            return None
        if state.round == call.rounds:
            call.answer(context, params.input_responses or {})
        return await call.after(state.round)

    async def close(self) -> None:
        """Give waiting calls a moment to end by themselves once the client has left, then cancel them."""
        tasks = [call.task for call in self._open.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE_SECONDS)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def _encrypt(self, state: _RequestState, rounds: int) -> str:
        return self._codec.seal(json.dumps(state._replace(round=rounds)).encode())

    def _finish(self, number: int, task: "asyncio.Task[Result]") -> None:
        call = self._open.pop(number, None)
        if task.cancelled() or call is None:
            return
        if (failure := task.exception()) is not None and not call.is_awaited:
            logging.getLogger(__name__).error("a call failed between two requests for it: %r", failure)
        if call.rounds:
            self._done[number] = call
        while len(self._done) > MAX_KEPT_CALLS:
            del self._done[next(iter(self._done))]


class _OpenQuestion(NamedTuple):
    """A question that has no answer yet."""

    question: Question
    outcome: "asyncio.Future[Outcome]"


class _MultiRoundCall:
    """One call's task and its open questions; it is the `Channel` of the work in that task."""

    def __init__(self, work: Work, context: Context, presence: ClientPresence, encrypt: Callable[[int], str]) -> None:
        self._direct = DirectChannel(context, presence)
        self._presence = presence
        self._encrypt = encrypt
        self._waiting: dict[str, _OpenQuestion] = {}
        self._names: set[str] = set()
        self._results: list[Result] = []
        self._has_news = asyncio.Event()
        self._requests = 0
        self.task = asyncio.create_task(self._run(work))

    @property
    def rounds(self) -> int:
        """How many requests for the call were answered so far."""
        return len(self._results)

    @property
    def is_awaited(self) -> bool:
        """Whether a request for the call waits for its answer now."""
        return self._requests > 0

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """What the client declared that it can do."""
        return self._direct.capabilities

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        """Send questions as the answer to the current request, and wait for the requests that answer them."""
        loop = asyncio.get_running_loop()
        asked = {key: _OpenQuestion(question, loop.create_future()) for key, question in questions.items()}
        named = {self._name(key): question for key, question in asked.items()}
        self._waiting |= named
        self._has_news.set()
        left = asyncio.create_task(self._presence.left())
        left.add_done_callback(lambda _: self._settle(asked, ClientLeftError()))
        try:
            await asyncio.wait([question.outcome for question in asked.values()])
        finally:
            left.cancel()
            for name in named:
                self._waiting.pop(name, None)
            outcomes |= {key: open_.outcome.result() for key, open_ in asked.items() if open_.outcome.done()}

    def answer(self, context: Context, answers: types.InputResponses) -> None:
        """Take the answers of another request for the call; questions that it leaves out are asked again."""
        self._direct = DirectChannel(context, self._presence)
        self._has_news.clear()
        for name in [name for name in self._waiting if name in answers]:
            answered = self._waiting.pop(name)
            self._settle({name: answered}, outcome(answered.question, answers[name]))
        if self._waiting:
            self._has_news.set()

    async def after(self, number: int) -> Result:
        """Wait for the round after ``number`` rounds, and return what its request is answered with.

        Raises:
            MCPError: the call was cancelled.
        """
        self._requests += 1
        try:
            while len(self._results) <= number:
                await self._next_round()
        except asyncio.CancelledError:
            if self._requests == 1:
                self.task.cancel()  # the client cancelled its call
            raise
        finally:
            self._requests -= 1
        return self._results[number]

    async def _next_round(self) -> None:
        """Wait for questions or the result, and append them to the rounds unless another request has."""
        rounds = self.rounds
        has_news = asyncio.create_task(self._has_news.wait())
        try:
            await asyncio.wait([has_news, self.task], return_when=asyncio.FIRST_COMPLETED)
        finally:
            has_news.cancel()
        if self.rounds > rounds:
            return
        if self.task.cancelled():
            raise MCPError(code=types.INTERNAL_ERROR, message="The call was cancelled")
        if self.task.done():
            self._results.append(self.task.result())
        elif self._waiting:
            self._results.append(self._questions())
        self._has_news.clear()

    def _questions(self) -> Result:
        questions = types.InputRequiredResult(
            input_requests={name: open_.question for name, open_ in self._waiting.items()},
            request_state=self._encrypt(self.rounds + 1),
        )
        return questions.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def left(self) -> None:
        """Wait until the client is gone."""
        await self._presence.left()

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Send a message for the client's log, related to the current request."""
        await self._direct.log(level, data)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Report progress to the current request."""
        await self._direct.progress(done, total, message)

    async def _run(self, work: Work) -> Result:
        return await work(self)

    def _settle(self, asked: Mapping[str, _OpenQuestion], outcome: Outcome) -> None:
        for question in asked.values():
            if not question.outcome.done():
                question.outcome.set_result(outcome)

    def _name(self, key: str) -> str:
        """Return ``key``, numbered if it was used before, so that a late answer is not taken for another question's."""
        name, count = key, 1
        while name in self._names:
            count += 1
            name = f"{key}-{count}"
        self._names.add(name)
        return name


def _digest(params: types.CallToolRequestParams) -> str:
    called = json.dumps([params.name, params.arguments or {}], sort_keys=True)
    return hashlib.sha256(called.encode()).hexdigest()
