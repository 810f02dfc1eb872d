"""Judges that are models: the client's, asked by sampling (server.md, "Judges")."""

from collections.abc import Sequence
from typing import Final

from seqthink.audit.config import SessionConfig
from seqthink.audit.opinions import Opinion
from seqthink.audit.prompts import SYSTEM, review_request
from seqthink.audit.review import Card
from seqthink.audit.sources import Source
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.dialogue.messages import user

INTERNAL: Final = "internal"


async def opinion(
    dialogue: Dialogue, judge: str, config: SessionConfig, thought: str, context: Sequence[Source], purpose: str
) -> Card:
    """Return what the model ``judge`` says of the code in ``thought``.

    Raises:
        DialogueError: it was not asked, or gave no review; the text says why.
    """
    try:
        exchange = await dialogue.sample_schema(
            [user(review_request(config, thought, context))],
            Opinion,
            purpose=purpose,
            models=[judge],
            system_prompt=SYSTEM,
            temperature=0,
        )
    except DialogueError as error:
        raise DialogueError(f"judge {judge!r} gave no review: {error}") from error
    return exchange.parsed.card(judge)
