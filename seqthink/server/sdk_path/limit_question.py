"""Asks the user whether a chain may exceed `--max-thoughts` (docs/tools.md, "Limits")."""

from typing import Final

import anyio
from pydantic import BaseModel

from seqthink.core.events import CALL_CANCELLED
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.dialogue.exchanges import ElicitExchange
from seqthink.dialogue.messages import message_fields
from seqthink.server.recording.calls import Answer
from seqthink.server.recording.chain_limit import ChainLimit

PURPOSE = "limit"
"""The purpose of the question in the journal."""
ABANDONED_AFTER_SECONDS: Final = 60.0
"""After this time the client may have abandoned an open question: stateless versions of MCP have no notice of it."""


class GoOn(BaseModel):
    """A form without fields: to accept it is to let the agent continue."""


_Outcome = ElicitExchange[GoOn] | DialogueError


class _OpenQuestion:
    """A question without an answer so far; ``outcome`` stays None when its call is cancelled."""

    def __init__(self) -> None:
        self.outcome: _Outcome | None = None
        self.ended = anyio.Event()


class LimitQuestions:
    """Asks one question per chain at a time; concurrent calls on one chain share it."""

    def __init__(self) -> None:
        self._open: dict[tuple[ChainLimit, int], _OpenQuestion] = {}

    async def ask(
        self,
        dialogue: Dialogue,
        limit: ChainLimit,
        chain_number: int,
        answer: Answer,
        wait_seconds: float | None = None,
    ) -> Answer:
        """Return ``answer`` as the user decides: another thought may follow, or the agent has to stop.

        A call waits ``wait_seconds`` for the outcome of another call's question before it asks its own; None: no time
        limit.
        """
        outcome = await self._shared_outcome(dialogue, limit, chain_number, wait_seconds)
        if outcome is None:
            outcome = await self._own_outcome(dialogue, limit, chain_number)
        else:
            _journal_shared_outcome(dialogue, outcome)
        if isinstance(outcome, DialogueError):
            return _with_hint(answer, f"{limit.reached_message} The user could not be asked: {outcome}.")
        match outcome.action:
            case "accept":
                return answer._replace(body={**answer.body, "nextThoughtNeeded": True}, is_over_limit=False)
            case "decline":
                return _with_hint(answer, limit.refused_message)
            case "cancel":
                return _with_hint(answer, f"{limit.reached_message} The user has not decided.")

    async def _shared_outcome(
        self, dialogue: Dialogue, limit: ChainLimit, chain_number: int, wait_seconds: float | None
    ) -> _Outcome | None:
        """Return the outcome of the question that is already open, or None if there is none or it got no answer."""
        key = limit, chain_number
        if key not in self._open:
            return None
        dialogue.write_asking("elicit", PURPOSE, _question_text(limit))
        try:
            with anyio.move_on_after(wait_seconds):
                while (question := self._open.get(key)) is not None:
                    await question.ended.wait()
                    if question.outcome is not None:
                        return question.outcome
        except anyio.get_cancelled_exc_class():
            dialogue.write("elicit", PURPOSE, error=CALL_CANCELLED)
            raise
        return None

    async def _own_outcome(self, dialogue: Dialogue, limit: ChainLimit, chain_number: int) -> _Outcome:
        """Ask the question, and apply the answer to the chain's limit."""
        key = limit, chain_number
        question = self._open[key] = _OpenQuestion()
        try:
            question.outcome = await _elicit(dialogue, limit)
        finally:
            if self._open.get(key) is question:
                del self._open[key]
            question.ended.set()
        if isinstance(question.outcome, ElicitExchange) and limit.chain_number == chain_number:
            if question.outcome.action == "accept":
                limit.allow()
            elif question.outcome.action == "decline":
                limit.refuse()
        return question.outcome


async def _elicit(dialogue: Dialogue, limit: ChainLimit) -> _Outcome:
    try:
        return await dialogue.elicit(_question_text(limit), GoOn, purpose=PURPOSE)
    except DialogueError as error:
        return error


def _question_text(limit: ChainLimit) -> str:
    return (
        f"{limit.agent_label} has reached the limit of {limit.limit_text} for this problem and wants to continue. "
        "Accept: it continues. Decline: it is asked to conclude."
    )


def _journal_shared_outcome(dialogue: Dialogue, outcome: _Outcome) -> None:
    """Journal the outcome of another call's question for this call too: its thought may be reopened by it."""
    if isinstance(outcome, DialogueError):
        dialogue.write("elicit", PURPOSE, error=str(outcome))
    else:
        dialogue.write("elicit", PURPOSE, messages=[*map(message_fields, outcome.messages)], action=outcome.action)


def _with_hint(answer: Answer, reason: str) -> Answer:
    hints = [answer.body["hint"]] if "hint" in answer.body else []
    return answer._replace(body={**answer.body, "hint": " ".join([*hints, reason])})
