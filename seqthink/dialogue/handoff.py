"""A tool in three phases: work on the server, questions to the client, work on the server."""

from typing import Protocol, TypeVar

from seqthink.dialogue.dialogue import Dialogue

Prepared = TypeVar("Prepared")
Answered = TypeVar("Answered")
Result_co = TypeVar("Result_co", covariant=True)


class Handoff(Protocol[Prepared, Answered, Result_co]):
    """A tool in three phases: each gets what those before it returned; only ``client`` can ask anything."""

    async def before(self) -> Prepared:
        """Prepare the questions, on the server."""
        ...

    async def client(self, prepared: Prepared, dialogue: Dialogue) -> Answered:
        """Ask the client: its model, its user."""
        ...

    async def after(self, prepared: Prepared, answered: Answered) -> Result_co:
        """Make the result of the answers, on the server."""
        ...


async def hand_off(handoff: Handoff[Prepared, Answered, Result_co], dialogue: Dialogue) -> Result_co:
    """Run the phases in their order, each once, and return what the last one returns.

    A phase that fails ends the handoff with its error; those behind it do not run.
    """
    prepared = await handoff.before()
    answered = await handoff.client(prepared, dialogue)
    return await handoff.after(prepared, answered)
