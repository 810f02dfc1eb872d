"""A tool in three phases: work on the server, questions to the client, work on the server."""

from typing import Protocol, TypeVar

from seqthink.dialogue.dialogue import Dialogue

Prepared = TypeVar("Prepared")
Answered = TypeVar("Answered")
Finished_co = TypeVar("Finished_co", covariant=True)


class Handoff(Protocol[Prepared, Answered, Finished_co]):
    """The three phases; each gets the results of those before it, and only ``client`` may ask the client."""

    async def before(self) -> Prepared:
        """Prepare the questions, on the server."""
        ...

    async def client(self, prepared: Prepared, dialogue: Dialogue) -> Answered:
        """Ask the client's model or user."""
        ...

    async def after(self, prepared: Prepared, asked: Answered) -> Finished_co:
        """Make the result of the answers, on the server."""
        ...


async def hand_off(handoff: Handoff[Prepared, Answered, Finished_co], dialogue: Dialogue) -> Finished_co:
    """Run the phases in their order, and return the result of the last."""
    prepared = await handoff.before()
    asked = await handoff.client(prepared, dialogue)
    return await handoff.after(prepared, asked)
