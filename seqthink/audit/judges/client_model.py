"""Judges that are models of the client, asked through sampling (docs/audit.md, "Judges")."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit
from seqthink.audit.config import SessionConfig
from seqthink.audit.model_review import ModelReview
from seqthink.audit.prompts import SYSTEM, review_request, visible_units
from seqthink.audit.review import JudgeCard
from seqthink.audit.unread_lines import UnreadLines, all_unread, some_unread
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.dialogue.messages import user

_NOT_SHOWN: Final = "more than it was shown"


async def ask_model(
    dialogue: Dialogue, judge: str, config: SessionConfig, thought: str, context: Sequence[CodeUnit], purpose: str
) -> JudgeCard:
    """Return the card of the model ``judge`` for the code in ``thought``.

    Raises:
        DialogueError: The model was not asked, or gave no review; the text says why.
    """
    try:
        exchange = await dialogue.sample_schema(
            [user(review_request(config, thought, context))],
            ModelReview,
            purpose=purpose,
            models=[judge],
            system_prompt=SYSTEM,
            temperature=0,
        )
    except DialogueError as error:
        raise DialogueError(f"judge {judge!r} gave no review: {error}") from error
    read = visible_units(thought, context)
    return replace(
        exchange.parsed.as_card(judge), read_units=tuple(read), unread=tuple(_left_out(thought, context, read))
    )


def _left_out(thought: str, context: Sequence[CodeUnit], read: Sequence[CodeUnit]) -> Iterator[UnreadLines]:
    """Yield the lines that the model was not shown; a line that was shown in part counts as not shown."""
    whole = [CodeUnit(path=THOUGHT_PATH, text=thought), *context]
    for unit, part in zip(whole, read, strict=False):
        if part.text != unit.text:
            first = part.first_line + part.text.count("\n")
            yield from some_unread(unit, range(first, unit.last_line + 1), _NOT_SHOWN)
    yield from (all_unread(unit, _NOT_SHOWN) for unit in whole[len(read) :])
