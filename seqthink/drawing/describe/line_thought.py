"""A thought as its own journal line tells it, while what came before it is still unread.

Only what the line proves is said. Its lane, whether its number repeats or skips others, what became of it, and whether
there is a thought that it revises depend on lines before and after it.
"""

from msgspec import Struct

from seqthink.chain.model import NativeKind
from seqthink.core.events import Event, PromptEvent, ReasoningEvent, RemarkEvent, ThoughtEvent, TurnEvent, UnknownEvent
from seqthink.core.text import TextPrefix
from seqthink.core.times import microseconds_of
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Role, Span, Spans


class LineThought(Struct, frozen=True, kw_only=True):
    """What one line says of its thought."""

    offset: int
    """Where the line begins, in bytes."""
    seq: int = 0
    """Its position in the journal, as the line says it."""
    time: int
    """When it was written, in microseconds since 1970."""
    text: TextPrefix
    number: int = 0
    """The thought's number; 0 for native reasoning."""
    branch: str = ""
    """The name of its branch, if it names one."""
    revises: int = 0
    """The number that it says it revises; 0 for none."""
    is_revision: bool = False
    expects_more: bool = False
    """Whether by its own estimate more thoughts follow."""
    native: NativeKind | None = None
    """What kind of native reasoning it is; None for a thought that was told to the tool."""


def line_thought(event: Event | UnknownEvent, offset: int, whole_chars: int = 0) -> LineThought | None:
    """Return the thought of a line; None if the line holds none.

    Args:
        event: the event of the line, of a long thought with the beginning of its text.
        offset: where the line begins, in bytes.
        whole_chars: characters of the whole text.
    """
    match event:
        case ThoughtEvent():
            more = event.totalThoughts > event.thoughtNumber or bool(event.needsMoreThoughts)
            return LineThought(
                offset=offset,
                seq=event.seq,
                time=microseconds_of(event.time),
                text=TextPrefix(event.thought, whole_chars),
                number=event.thoughtNumber,
                branch=event.branchId or "",
                revises=event.revisesThought or 0,
                is_revision=bool(event.isRevision) or event.revisesThought is not None,
                expects_more=event.nextThoughtNeeded and more,
            )
        case PromptEvent():
            kind, text = NativeKind.PROMPT, event.text
        case ReasoningEvent():
            kind, text = NativeKind.REASONING, event.text
        case RemarkEvent():
            kind, text = NativeKind.REMARK, event.text
        case TurnEvent():
            kind, text = NativeKind.ANSWER, event.text
        case _:
            return None
    if not text:
        return None
    time = microseconds_of(event.time)
    return LineThought(offset=offset, seq=event.seq, time=time, text=TextPrefix(text, whole_chars), native=kind)


def revision_mark(thought: LineThought, signs: Signs) -> Spans:
    """Return the mark of a line that names the number it revises: ``↺2``; ``[]`` for any other."""
    return [Span(f"{signs.revision}{thought.revises}", Role.REVISION)] if thought.revises else []
