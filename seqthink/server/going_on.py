"""Past its limit, a chain goes on if the person says so (server.md, "Limits and care of the agent")."""

from pydantic import BaseModel

from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.server.calls import Answer
from seqthink.server.limits import Limits

PURPOSE = "limit"


class GoOn(BaseModel):
    """A form without fields: to accept it is to let the agent go on."""


async def ask_on(dialogue: Dialogue, limits: Limits, answer: Answer) -> Answer:
    """Return ``answer`` as the person wants it: another thought may follow, or the agent is told why not."""
    question = (
        f"The agent has reached the limit of {limits.thoughts} for this, and wants to go on. May it? "
        "Accept: it goes on. Decline: it is told to conclude."
    )
    chain = limits.chain
    try:
        exchange = await dialogue.elicit(question, GoOn, purpose=PURPOSE)
    except DialogueError as error:
        return _stopped(answer, f"{limits.reached} The user could not be asked: {error}.")
    if exchange.action == "cancel":
        return _stopped(answer, f"{limits.reached} The user has not decided.")
    is_allowed = exchange.action == "accept"
    if limits.chain == chain:
        (limits.allow if is_allowed else limits.refuse)()
    if is_allowed:
        return answer._replace(body={**answer.body, "nextThoughtNeeded": True})
    return _stopped(answer, limits.refused)


def _stopped(answer: Answer, why: str) -> Answer:
    hints = [answer.body["hint"]] if "hint" in answer.body else []
    return answer._replace(body={**answer.body, "hint": " ".join([*hints, why])})
