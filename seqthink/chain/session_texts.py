"""What a drawing or an export reads of a session besides its structure: texts and events, which stay in the journal."""

from collections.abc import Iterable
from typing import Protocol

from seqthink.chain.health.health import Health
from seqthink.chain.session import Session
from seqthink.events import Event, UnknownEvent
from seqthink.text import TextPrefix


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
