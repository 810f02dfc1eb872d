"""A tool in three phases: what the server does, what it asks of the client, and what the server makes of that."""

from typing import Protocol, TypeVar

from seqthink.dialogue.dialogue import Dialogue

Prepared = TypeVar("Prepared")
Asked = TypeVar("Asked")
Made_co = TypeVar("Made_co", covariant=True)


class Handoff(Protocol[Prepared, Asked, Made_co]):
    """The phases; each gets what the ones before it made, and only the middle one may talk to the client."""

    async def before(self) -> Prepared:
        """Prepare, on the server."""
        ...

    async def client(self, prepared: Prepared, dialogue: Dialogue) -> Asked:
        """Ask the client's model or person."""
        ...

    async def after(self, prepared: Prepared, asked: Asked) -> Made_co:
        """Finish, on the server."""
        ...


async def hand_off(handoff: Handoff[Prepared, Asked, Made_co], dialogue: Dialogue) -> Made_co:
    """Go through the phases, in their order."""
    prepared = await handoff.before()
    asked = await handoff.client(prepared, dialogue)
    return await handoff.after(prepared, asked)
