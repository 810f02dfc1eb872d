"""Calls that take several rounds: called, answered with questions, repeated with answers (2026-07-28, SEP-2322).

The work of a call runs in a task of its own, which waits at each question. Each request for the call returns the next
questions, or the result. The request state that travels with questions is encrypted, so that a client can neither
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
from mcp.server.request_state import AESGCMRequestStateCodec, InvalidRequestState
from mcp.shared.exceptions import MCPError

from seqthink.dialogue.channel import Channel, ClientPresence, Context, DirectChannel, Outcome, Question
from seqthink.dialogue.errors import ClientLeftError
from seqthink.dialogue.input_responses import read_outcome

Result = dict[str, Any]
"""The result of a call, or its questions, as the protocol spells it."""
Work = Callable[[Channel], Awaitable[Result]]

MAX_OPEN_CALLS: Final = 64
"""How many calls may wait for answers; one more cancels the oldest."""
MAX_KEPT_CALLS: Final = 8
"""How many finished calls are kept, for a client that missed the result and repeats its last answers."""
GRACE_SECONDS: Final = 1.0
"""How long a call may take to end by itself after the client has left."""


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
    """How many rounds the client has had, including the one that carries this state."""


class MultiRoundCalls:
    """The calls of one server that wait to be repeated with answers."""

    def __init__(self, presence: ClientPresence, session: Callable[[], str]) -> None:
        self._presence = presence
        self._session = session
        self._codec = AESGCMRequestStateCodec([os.urandom(32)])
        self._open_calls: dict[int, _MultiRoundCall] = {}
        self._finished_calls: dict[int, _MultiRoundCall] = {}
        self._call_count = 0

    async def start(self, context: Context, params: types.CallToolRequestParams, seq: int, work: Work) -> Result:
        """Start ``work`` for the call whose event is ``seq``, and return its result or its first questions."""
        while len(self._open_calls) >= MAX_OPEN_CALLS:
            self._open_calls.pop(next(iter(self._open_calls))).task.cancel()
        self._call_count += 1
        state = _RequestState(self._session(), seq, self._call_count, _digest(params), 0)
        call = _MultiRoundCall(work, context, self._presence, partial(self._encrypt, state))
        self._open_calls[self._call_count] = call
        call.task.add_done_callback(partial(self._finish, self._call_count))
        return await call.wait_for_round(0)

    async def resume(self, context: Context, params: types.CallToolRequestParams) -> Result | None:
        """Return the result or the next questions of a call that is repeated with answers; None for a new call.

        A request that repeats the answers of an earlier round gets the same result again.
        """
        try:
            state = _RequestState(*json.loads(self._codec.unseal(params.request_state or "")))
            is_ours = state.session == self._session() and state.digest == _digest(params)
        except (InvalidRequestState, ValueError, TypeError, RecursionError):
            return None
        call = self._open_calls.get(state.call) or self._finished_calls.get(state.call)
        if call is None or not is_ours:
            return None
        if state.round == call.rounds:
            call.answer(context, params.input_responses or {})
        return await call.wait_for_round(state.round)

    async def close(self) -> None:
        """Give waiting calls a moment to end by themselves once the client has left, then cancel them."""
        tasks = [call.task for call in self._open_calls.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE_SECONDS)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def _encrypt(self, state: _RequestState, rounds: int) -> str:
        return self._codec.seal(json.dumps(state._replace(round=rounds)).encode())

    def _finish(self, number: int, task: "asyncio.Task[Result]") -> None:
        call = self._open_calls.pop(number, None)
        if task.cancelled() or call is None:
            return
        if (failure := task.exception()) is not None and not call.is_awaited:
            logging.getLogger(__name__).error("a call failed between two requests for it: %r", failure)
        if call.rounds:
            self._finished_calls[number] = call
        while len(self._finished_calls) > MAX_KEPT_CALLS:
            del self._finished_calls[next(iter(self._finished_calls))]


class _OpenQuestion(NamedTuple):
    """A question and its future outcome."""

    question: Question
    outcome: "asyncio.Future[Outcome]"


class _MultiRoundCall:
    """The task of one call, and its open questions; the work in the task uses it as its `Channel`."""

    def __init__(self, work: Work, context: Context, presence: ClientPresence, encrypt: Callable[[int], str]) -> None:
        self._direct = DirectChannel(context, presence)
        self._presence = presence
        self._encrypt = encrypt
        self._open_questions: dict[str, _OpenQuestion] = {}
        self._used_names: set[str] = set()
        self._results: list[Result] = []
        self._has_next_round = asyncio.Event()
        self._waiting_request_count = 0
        self.task = asyncio.create_task(self._run(work))

    @property
    def rounds(self) -> int:
        """How many requests for the call were answered so far."""
        return len(self._results)

    @property
    def is_awaited(self) -> bool:
        """Whether a request for the call waits for its answer now."""
        return self._waiting_request_count > 0

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The capabilities that the client declared."""
        return self._direct.capabilities

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        """Send questions as the answer to the current request, and wait for the requests that answer them."""
        loop = asyncio.get_running_loop()
        asked = {key: _OpenQuestion(question, loop.create_future()) for key, question in questions.items()}
        by_name = {self._unused_name(key): question for key, question in asked.items()}
        self._open_questions |= by_name
        self._has_next_round.set()
        watch_presence = asyncio.create_task(self._presence.left())
        watch_presence.add_done_callback(lambda _: self._set_outcome(asked, ClientLeftError()))
        try:
            await asyncio.wait([question.outcome for question in asked.values()])
        finally:
            watch_presence.cancel()
            for name in by_name:
                self._open_questions.pop(name, None)
            outcomes |= {key: open_.outcome.result() for key, open_ in asked.items() if open_.outcome.done()}

    def answer(self, context: Context, answers: types.InputResponses) -> None:
        """Accept the answers in another request for the call; questions without an answer are asked again."""
        self._direct = DirectChannel(context, self._presence)
        self._has_next_round.clear()
        for name in [name for name in self._open_questions if name in answers]:
            answered = self._open_questions.pop(name)
            self._set_outcome({name: answered}, read_outcome(answered.question, answers[name]))
        if self._open_questions:
            self._has_next_round.set()

    async def wait_for_round(self, number: int) -> Result:
        """Wait for round ``number`` (from 0), and return the answer to its request: questions or the result.

        Raises:
            MCPError: the call was cancelled.
        """
        self._waiting_request_count += 1
        try:
            while len(self._results) <= number:
                await self._finish_round()
        except asyncio.CancelledError:
            if self._waiting_request_count == 1:
                self.task.cancel()  # the client cancelled its call
            raise
        finally:
            self._waiting_request_count -= 1
        return self._results[number]

    async def _finish_round(self) -> None:
        """Wait for questions or the result, and append them to ``_results`` unless another request has done so."""
        rounds = self.rounds
        has_news = asyncio.create_task(self._has_next_round.wait())
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
        elif self._open_questions:
            self._results.append(self._questions())
        self._has_next_round.clear()

    def _questions(self) -> Result:
        questions = types.InputRequiredResult(
            input_requests={name: open_.question for name, open_ in self._open_questions.items()},
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

    def _set_outcome(self, asked: Mapping[str, _OpenQuestion], outcome: Outcome) -> None:
        for question in asked.values():
            if not question.outcome.done():
                question.outcome.set_result(outcome)

    def _unused_name(self, key: str) -> str:
        """Return ``key`` with a number if it was used before, so that a late answer cannot match another question."""
        name, count = key, 1
        while name in self._used_names:
            count += 1
            name = f"{key}-{count}"
        self._used_names.add(name)
        return name


def _digest(params: types.CallToolRequestParams) -> str:
    name_and_arguments = json.dumps([params.name, params.arguments or {}], sort_keys=True)
    return hashlib.sha256(name_and_arguments.encode()).hexdigest()
