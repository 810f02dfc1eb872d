"""Judges that are models: the client's, asked by sampling (server.md, "Judges")."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from seqthink.audit.config import SessionConfig
from seqthink.audit.opinions import Opinion
from seqthink.audit.prompts import SYSTEM, review_request, shown
from seqthink.audit.review import Card
from seqthink.audit.sources import THOUGHT, Source
from seqthink.audit.unread import Unread, all_of, some_of
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.dialogue.messages import user

INTERNAL: Final = "internal"
_NO_ROOM: Final = "more than it was shown"


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
    read = shown(thought, context)
    return replace(exchange.parsed.card(judge), read=tuple(read), unread=tuple(_left_out(thought, context, read)))


def _left_out(thought: str, context: Sequence[Source], read: Sequence[Source]) -> Iterator[Unread]:
    """Yield what a model did not get to read; a line of which it saw only the beginning is one."""
    whole = [Source(path=THOUGHT, text=thought), *context]
    for source, part in zip(whole, read, strict=False):
        if part.text != source.text:
            first = part.first_line + part.text.count("\n")
            yield from some_of(source, range(first, source.last_line + 1), _NO_ROOM)
    yield from (all_of(source, _NO_ROOM) for source in whole[len(read) :])
