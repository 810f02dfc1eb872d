"""What a search finds: one text of a session, with the place where the words are."""

from collections.abc import Callable
from typing import Final, NamedTuple

from seqthink.chain.query import Query
from seqthink.core.events import (
    ContextEvent,
    Event,
    NoteEvent,
    PromptEvent,
    ReasoningEvent,
    RemarkEvent,
    ThoughtEvent,
    TurnEvent,
    UnknownEvent,
)
from seqthink.core.text import SafeText, one_line
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe.hits import FoundText, HitSession
from seqthink.journal.store import SessionFile

MAX_EXCERPT_CHARS: Final = 400
_CHARS_BEFORE: Final = 120
"""Characters of an excerpt before the first word that was found."""
_MAX_SPANS: Final = 200
"""Places of words that are considered for an excerpt."""
_MAX_NEAR: Final = 20
"""Places of words that are looked at together."""
_MAX_MARGIN_CHARS: Final = 4000
"""Characters around an excerpt that are made safe: white space is shortened, escapes grow."""


class Hit(NamedTuple):
    """A text that was found, in its session."""

    file: SessionFile
    """The journal that it is in."""
    session: HitSession
    text: FoundText

    @property
    def link(self) -> SafeText:
        """What names the place on the command line: ``SESSION#e41``."""
        return SafeText(f"{self.session.session}#e{self.text.seq}")


def found_in(event: Event | UnknownEvent, query: Query, has_words: Callable[[str], bool]) -> FoundText | None:
    """Return the text of an event if it has all the words of ``query``; ``has_words`` is their matcher."""
    text, kind = _text_of(event)
    if not text or isinstance(event, UnknownEvent) or not has_words(text):
        return None
    is_thought = isinstance(event, ThoughtEvent)
    shown, is_begun = excerpt(text, query)
    return FoundText(
        seq=event.seq,
        kind=kind,
        time=microseconds_of(event.time),
        excerpt=shown,
        is_begun_before=is_begun,
        number=event.thoughtNumber if is_thought else None,
        branch=one_line(event.branchId or "") if is_thought else SafeText(""),
        thought_seq=(event.of or 0) if isinstance(event, ContextEvent | NoteEvent) else event.seq,
    )


def _text_of(event: Event | UnknownEvent) -> tuple[str | None, str]:  # noqa: PLR0911 - one return a kind
    match event:
        case ThoughtEvent():
            return event.thought, "thought"
        case ReasoningEvent():
            return event.text, "reasoning"
        case RemarkEvent():
            return event.text, "remark"
        case PromptEvent():
            return event.text, "prompt"
        case TurnEvent():
            return event.text, "answer"
        case ContextEvent():
            return event.content, "context"
        case NoteEvent():
            return event.text, "note"
        case _:
            return None, ""


def excerpt(text: str, query: Query) -> tuple[SafeText, bool]:
    """Return the text around the words of ``query`` in ``text``, on one safe line, and whether text is before it."""
    middle = _place_with_most(text, query)
    begin = max(0, middle - _MAX_MARGIN_CHARS)
    before = one_line(text[begin:middle])
    whole = one_line(text[begin : middle + _MAX_MARGIN_CHARS])
    cut = max(0, len(before) - _CHARS_BEFORE)
    if cut or begin:
        cut = whole.find(" ", cut, len(before)) + 1 or cut  # from the beginning of a word, if there is one
    return one_line(whole[cut : cut + MAX_EXCERPT_CHARS]), bool(cut or begin)


def _place_with_most(text: str, query: Query) -> int:
    """Return the first place near which most of the words are."""
    words = [(start, text[start:end].casefold()) for start, end in query.spans(text)[:_MAX_SPANS]]
    best, place = 0, 0
    for number, (start, _) in enumerate(words):
        near = {
            word for at, word in words[number : number + _MAX_NEAR] if at - start < MAX_EXCERPT_CHARS - _CHARS_BEFORE
        }
        if len(near) > best:
            best, place = len(near), start
    return place
