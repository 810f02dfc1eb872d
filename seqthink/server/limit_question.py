"""Past its limit, a chain goes on if the person says so (server.md, "Limits and care of the agent")."""

from typing import Final

import anyio
from pydantic import BaseModel

from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.dialogue.exchanges import ElicitExchange
from seqthink.dialogue.messages import spelled
from seqthink.events import CALL_CANCELLED
from seqthink.server.calls import Answer
from seqthink.server.chain_limit import ChainLimit

PURPOSE = "limit"
ABANDONED_AFTER_SECONDS: Final = 60.0
"""After so many seconds a question may be one that its client has given up: since 2026-07-28 it need not say so."""


class GoOn(BaseModel):
    """A form without fields: to accept it is to let the agent go on."""


_Outcome = ElicitExchange[GoOn] | DialogueError


class _Question:
    """One that is open; ``outcome`` stays ``None`` when the call that put it is called off."""

    def __init__(self) -> None:
        self.outcome: _Outcome | None = None
        self.ended = anyio.Event()


class LimitQuestions:
    """Asks one question about an agent's chain at a time: a call that comes while it is open gets what comes of it."""

    def __init__(self) -> None:
        self._open: dict[tuple[ChainLimit, int], _Question] = {}

    async def ask(
        self, dialogue: Dialogue, limits: ChainLimit, chain_number: int, answer: Answer, patience: float | None = None
    ) -> Answer:
        """Return ``answer`` as the person wants it: another thought may follow, or the agent is told why not.

        A call waits ``patience`` seconds for what comes of another's question before it puts its own.
        """
        outcome = await self._heard(dialogue, limits, chain_number, patience)
        if outcome is None:
            outcome = await self._asked(dialogue, limits, chain_number)
        else:
            _keep(dialogue, outcome)
        if isinstance(outcome, DialogueError):
            return _stopped(answer, f"{limits.reached_message} The user could not be asked: {outcome}.")
        match outcome.action:
            case "accept":
                return answer._replace(body={**answer.body, "nextThoughtNeeded": True}, is_over_limit=False)
            case "decline":
                return _stopped(answer, limits.refused_message)
            case "cancel":
                return _stopped(answer, f"{limits.reached_message} The user has not decided.")

    async def _heard(
        self, dialogue: Dialogue, limits: ChainLimit, chain: int, patience: float | None
    ) -> _Outcome | None:
        """Return what came of the question that is open, if one is and something does."""
        place = limits, chain
        if place not in self._open:
            return None
        dialogue.write_asking("elicit", PURPOSE, _words(limits))
        try:
            with anyio.move_on_after(patience):
                while (question := self._open.get(place)) is not None:
                    await question.ended.wait()
                    if question.outcome is not None:
                        return question.outcome
        except anyio.get_cancelled_exc_class():
            dialogue.write("elicit", PURPOSE, error=CALL_CANCELLED)
            raise
        return None

    async def _asked(self, dialogue: Dialogue, limits: ChainLimit, chain: int) -> _Outcome:
        """Put the question, and let the chain's limit follow the answer."""
        place = limits, chain
        asked = self._open[place] = _Question()
        try:
            asked.outcome = await _put(dialogue, limits)
        finally:
            if self._open.get(place) is asked:
                del self._open[place]
            asked.ended.set()
        if isinstance(asked.outcome, ElicitExchange) and limits.chain_number == chain:
            if asked.outcome.action == "accept":
                limits.allow()
            elif asked.outcome.action == "decline":
                limits.refuse()
        return asked.outcome


async def _put(dialogue: Dialogue, limits: ChainLimit) -> _Outcome:
    try:
        return await dialogue.elicit(_words(limits), GoOn, purpose=PURPOSE)
    except DialogueError as error:
        return error


def _words(limits: ChainLimit) -> str:
    return (
        f"{limits.agent_label} has reached the limit of {limits.limit_text} for this, and wants to go on. May it? "
        "Accept: it goes on. Decline: it is told to conclude."
    )


def _keep(dialogue: Dialogue, outcome: _Outcome) -> None:
    """Journal what came of another call's question as what this call was told, too: it may reopen its thought."""
    if isinstance(outcome, DialogueError):
        dialogue.write("elicit", PURPOSE, error=str(outcome))
    else:
        dialogue.write("elicit", PURPOSE, messages=[*map(spelled, outcome.messages)], action=outcome.action)


def _stopped(answer: Answer, why: str) -> Answer:
    hints = [answer.body["hint"]] if "hint" in answer.body else []
    return answer._replace(body={**answer.body, "hint": " ".join([*hints, why])})
