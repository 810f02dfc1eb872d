"""The texts of a journal for a page or pipe that shows all of them, most in the order of the file."""

from collections.abc import Iterator

from typing_extensions import override

from seqthink.chain.session import Session
from seqthink.core.errors import CorruptLineError
from seqthink.core.events import text_of
from seqthink.core.text import MAX_RENDERED_CHARS
from seqthink.journal.decode import LONG_LINE_BYTES, EventPreview
from seqthink.journal.journal_file import EventSource, JournalFile
from seqthink.library.journal_texts import MAX_CACHED_LINE_BYTES, JournalTexts

BLOCK_BYTES = 256 << 10
"""How much is read at once where lines follow each other."""


class TextsInOrder(JournalTexts):
    """The same texts as `JournalTexts`: lines that follow each other are read in blocks, and decoded once.

    A line that is not the next one is read by itself, so that an order of branches costs no more than before.
    """

    def __init__(self, texts: JournalTexts) -> None:
        super().__init__(texts._journal, texts.session, texts.corrupt_lines, texts.health)  # noqa: SLF001 - our own base
        self._lines = _Lines(self._journal)
        self._newest: tuple[int, EventPreview | None] = (-1, None)

    @override
    def at_position(self, session: Session) -> "TextsInOrder":
        return TextsInOrder(super().at_position(session))

    @override
    def pieces(self, index: int) -> Iterator[str]:
        _, size = self.session.thoughts.line_extent_of(index)
        if size <= LONG_LINE_BYTES:
            prefix = self.prefix(index)
            if prefix.is_whole and len(prefix.text) <= MAX_RENDERED_CHARS:
                return iter((prefix.text,))
        return super().pieces(index)

    @override
    def _preview(self, offset: int, size: int) -> EventPreview | None:
        if offset == self._newest[0]:
            return self._newest[1]
        if size > MAX_CACHED_LINE_BYTES:
            return super()._preview(offset, size)
        preview = self._lines.preview(offset, size)
        self._newest = (offset, preview)
        return preview


class _Lines:
    """Reads short lines of a journal."""

    def __init__(self, journal: EventSource) -> None:
        self._journal = journal
        self._block, self._block_start = b"", 0
        self._end = 0

    def preview(self, offset: int, size: int) -> EventPreview | None:
        """Return the event of a line, None if it cannot be read."""
        journal = self._journal
        try:
            if not isinstance(journal, JournalFile):
                return journal.read_preview(offset, size)
            event = journal.decode(self._line(journal, offset, size))
        except (CorruptLineError, OSError):
            return None
        text = text_of(event)
        return EventPreview(event, len(text) if text is not None else 0)

    def _line(self, journal: JournalFile, offset: int, size: int) -> bytes:
        """Return the bytes of a line."""
        start = offset - self._block_start
        if not 0 <= start <= start + size <= len(self._block):
            # The line after the last one begins behind its newline.
            is_next, self._end = offset == self._end + 1, offset + size
            if not is_next:
                return journal.read_bytes(offset, size)
            self._block, self._block_start, start = journal.read_bytes(offset, max(BLOCK_BYTES, size)), offset, 0
        self._end = offset + size
        return self._block[start : start + size]
