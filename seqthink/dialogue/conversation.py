"""A call that goes on over several requests: asked, repeated with answers, answered (2026-07-28, SEP-2322).

The work of the call runs in a task of its own, which waits where it asks. Each request for the call returns what comes
next: questions, or the result. The state that travels with a question is sealed, so that a client can neither read it
nor make one up; a request whose state does not open, or whose arguments are others, is a new call.
"""

import asyncio
import hashlib
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

import mcp_types as types
from mcp.server.request_state import AESGCMRequestStateCodec, InvalidRequestState

from seqthink.dialogue.channel import BackChannel, Channel, Context, Outcome, Presence, Question
from seqthink.dialogue.errors import BadAnswerError, ClientLeftError

Result = dict[str, Any]
"""The result of a call, as the wire spells it."""
Work = Callable[[Channel], Awaitable[Result]]

MOST_OPEN: Final = 64
"""So many calls may wait for answers; before one more, the one that began first is called off."""


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
        self._made = 0

    async def begin(self, context: Context, arguments: Mapping[str, Any], seq: int, work: Work) -> Result:
        """Begin ``work`` for the call whose event is ``seq``, and return its result or its first questions."""
        while len(self._open) >= MOST_OPEN:
            self._open.pop(next(iter(self._open))).stop()
        self._made += 1
        self._open[self._made] = conversation = _Conversation(work, context, self._presence)
        return await self._next(conversation, _Facts(self._session(), seq, self._made, _digest(arguments), 0))

    async def go_on(
        self, context: Context, arguments: Mapping[str, Any], state: str, answers: types.InputResponses
    ) -> Result | None:
        """Return what comes after ``answers`` to a call that asked; None: ``state`` is of no such call.

        A round that was answered before gets what it got then.
        """
        try:
            facts = _Facts(*json.loads(self._codec.unseal(state)))
        except (InvalidRequestState, ValueError, TypeError):
            return None
        conversation = self._open.get(facts.call)
        if conversation is None or facts.session != self._session() or facts.digest != _digest(arguments):
            return None
        if facts.round == conversation.rounds:
            conversation.answer(context, answers)
        return await self._next(conversation, facts)

    def close(self) -> None:
        """Call off all that waits."""
        while self._open:
            self._open.popitem()[1].stop()

    async def _next(self, conversation: "_Conversation", facts: _Facts) -> Result:
        """Return what followed round ``facts.round``, as soon as it is known."""
        try:
            said = await conversation.after(facts.round)
        except asyncio.CancelledError:
            conversation.stop()  # the client took its call back
            self._open.pop(facts.call, None)
            raise
        if said.result is not None:
            return said.result
        state = self._codec.seal(json.dumps(facts._replace(round=facts.round + 1)).encode())
        wanted = types.InputRequiredResult(input_requests=dict(said.questions), request_state=state)
        return wanted.model_dump(by_alias=True, mode="json", exclude_none=True)


class _Said(NamedTuple):
    """What a request for the call was answered with: the result, or questions."""

    questions: Mapping[str, Question]
    result: Result | None = None


class _Waiting(NamedTuple):
    """A question that the work waits with."""

    question: Question
    outcome: "asyncio.Future[Outcome]"


class _Conversation:
    """The task that works on one call, and the questions that it waits with: the channel of that work."""

    def __init__(self, work: Work, context: Context, presence: Presence) -> None:
        self._back = BackChannel(context, presence)
        self._presence = presence
        self._waiting: dict[str, _Waiting] = {}
        self._said: list[_Said] = []
        self._moved = asyncio.Event()
        self._task = asyncio.create_task(self._run(work))

    @property
    def rounds(self) -> int:
        """How often the call was answered with questions so far."""
        return len(self._said)

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """What the client said that it can do."""
        return self._back.capabilities

    async def ask(self, questions: Mapping[str, Question]) -> Mapping[str, Outcome]:
        """Put questions to the client with the next answer it gets, and wait for the request that answers them."""
        loop = asyncio.get_running_loop()
        asked = {key: _Waiting(question, loop.create_future()) for key, question in questions.items()}
        self._waiting |= {self._free(key): one for key, one in asked.items()}
        self._moved.set()
        left = asyncio.create_task(self._presence.left())
        left.add_done_callback(lambda _: self._settle(asked, ClientLeftError()))
        try:
            outcomes = await asyncio.gather(*(one.outcome for one in asked.values()))
        finally:
            left.cancel()
            mine = {id(one) for one in asked.values()}
            self._waiting = {name: one for name, one in self._waiting.items() if id(one) not in mine}
        return dict(zip(asked, outcomes, strict=True))

    def answer(self, context: Context, answers: types.InputResponses) -> None:
        """Take the answers of another request for the call; what it leaves out is asked again."""
        self._back = BackChannel(context, self._presence)
        self._moved.clear()
        for name in self._waiting.keys() & answers.keys():
            one = self._waiting.pop(name)
            self._settle({name: one}, _outcome(one.question, answers[name]))
        if self._waiting:
            self._moved.set()

    async def after(self, number: int) -> _Said:
        """Return what the request after round ``number`` is answered with, as soon as that is known."""
        while len(self._said) <= number:
            moved = asyncio.create_task(self._moved.wait())
            await asyncio.wait([moved, self._task], return_when=asyncio.FIRST_COMPLETED)
            moved.cancel()
            if len(self._said) > number:
                break
            if self._task.done():
                self._said.append(_Said({}, self._task.result()))
            elif self._waiting:
                self._said.append(_Said({name: one.question for name, one in self._waiting.items()}))
            self._moved.clear()
        return self._said[number]

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Send a line for the client's log, with the request that is being answered."""
        await self._back.log(level, data)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Say how far the call is, to the request that is being answered."""
        await self._back.progress(done, total, message)

    def stop(self) -> None:
        """Work no more."""
        self._task.cancel()

    async def _run(self, work: Work) -> Result:
        return await work(self)

    def _settle(self, asked: Mapping[str, _Waiting], outcome: Outcome) -> None:
        for one in asked.values():
            if not one.outcome.done():
                one.outcome.set_result(outcome)

    def _free(self, key: str) -> str:
        """Return ``key``, or one like it that nobody waits with."""
        name, count = key, 1
        while name in self._waiting:
            count += 1
            name = f"{key}-{count}"
        return name


def _outcome(question: Question, answer: types.InputResponse) -> Outcome:
    """Return a client's answer if it is of the question's kind."""
    match question, answer:
        case types.ElicitRequest(), types.ElicitResult():
            return answer
        case types.CreateMessageRequest(), types.CreateMessageResultWithTools():
            return answer
        case types.CreateMessageRequest(), types.CreateMessageResult():
            return types.CreateMessageResultWithTools.model_validate(answer.model_dump())
        case _:
            return BadAnswerError("the client's answer is none to what was asked")


def _digest(arguments: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()
