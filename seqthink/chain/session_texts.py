"""What a drawing or an export reads of a session besides its structure: texts and events, which stay in the journal."""

from collections.abc import Iterable
from typing import Protocol

from seqthink.chain.health.health import Health
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.core.events import Event, UnknownEvent, text_of
from seqthink.core.text import TextPrefix


class SessionTexts(Protocol):
    """The texts of a session, read on demand. Where a line cannot be read any more, a sentence says so."""

    @property
    def session(self) -> Session:
        """The session whose texts these are; an earlier position of it has the same texts."""
        ...

    @property
    def health(self) -> Health:
        """What is odd about the session, as far as its texts were looked at."""
        ...

    def row_text(self, index: int) -> str:
        """Return the beginning of the text of the thought ``index``, as much as a row can show."""
        ...

    def prefix(self, index: int) -> TextPrefix:
        """Return the beginning of the text of the thought ``index``, as much as a screen shows."""
        ...

    def pieces(self, index: int) -> Iterable[str]:
        """Return the whole text of the thought ``index`` in pieces, to keep a huge text out of memory."""
        ...

    def refusal_reason(self, ordinal: int) -> str:
        """Return why a call was refused; ``ordinal`` is that of its aside."""
        ...

    def event(self, offset: int, size: int) -> Event | UnknownEvent | None:
        """Return the event of a journal line by byte offset and size; None if it cannot be read."""
        ...


def title_line(session: Session, chain: int) -> tuple[int, int] | None:
    """Return offset and size of the line that titles a chain: the main agent's first thought in it, else the prompt.

    A subagent's thought titles nothing, so there may be none.
    """
    first = session.chains.first_of_main(chain)
    if first != NONE:
        return session.thoughts.line_extent_of(first)
    if session.asides.first_prompt == NONE:
        return None
    prompt = session.asides.get(session.asides.first_prompt)
    return prompt.offset, prompt.size


def text_that_titles(texts: SessionTexts, chain: int) -> str:
    """Return the beginning of the text whose first line is a chain's title; "" if there is none."""
    first, line = texts.session.chains.first_of_main(chain), title_line(texts.session, chain)
    if first != NONE or line is None:
        return texts.row_text(first) if first != NONE else ""
    prompt = texts.event(*line)
    return (text_of(prompt) or "") if prompt is not None else ""
