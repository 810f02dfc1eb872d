"""Searches sessions for words, newest first, and gives what is found at once."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from seqthink.chain.query import Query
from seqthink.core.errors import CorruptLineError
from seqthink.core.text import one_line
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe.hits import FoundText, HitSession
from seqthink.drawing.describe.session import session_label
from seqthink.journal.decode import LineDecoder
from seqthink.journal.decode import decode as plain_decode
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.peek import first_session_event
from seqthink.journal.store import SessionFile
from seqthink.library.finding.found import Hit, found_in
from seqthink.library.finding.journal_blocks import blocks_backwards, has_plain_strings
from seqthink.library.finding.journal_bytes import JournalBytes
from seqthink.library.session_client import listed_client

MAX_HITS: Final = 1000
"""How many hits are shown unless the user says otherwise."""
_MAX_WHOLE_BYTES: Final = 4 << 20
"""Of a longer line, the beginning of the text is searched, as much as a screen shows."""
_MAX_REMEMBERED: Final = 100_000
"""Texts that are remembered, so that none is shown twice."""


class TextSearch:
    """One search, for use by one thread.

    Args:
        query: what is looked for; not empty.
        decode: decodes lines; one that redacts also searches what it leaves alone.
        since: microseconds since 1970 before which texts do not count.
        prepare: called before a session is read: brings a transcript's journal up to date; false if it need not be.
        is_cancelled: asked between two blocks.
    """

    def __init__(
        self,
        query: Query,
        decode: LineDecoder = plain_decode,
        *,
        since: int | None = None,
        prepare: Callable[[SessionFile], bool] = lambda _: True,
        is_cancelled: Callable[[], bool] = bool,
    ) -> None:
        self.searched = 0
        """Sessions that have been searched."""
        self.unreadable = 0
        """Sessions that could not be read."""
        self._query, self._has_words, self._decode, self._since = query, _matcher(query), decode, since
        self._bytes = JournalBytes(query)
        self._prepare, self._is_cancelled = prepare, is_cancelled
        self._sources: dict[tuple[int, str], str] = {}

    def hits(self, files: Iterable[SessionFile]) -> Iterator[Hit | None]:
        """Yield the hits in ``files``, in their order, newest first in each; None after a session without any."""
        for file in files:
            if self._is_cancelled():
                return
            session = None
            for text in self._texts_of(file):
                session = session or _session_of(file, self._decode)
                yield Hit(file, session, text)
            self.searched += 1
            if session is None:
                yield None

    def _texts_of(self, file: SessionFile) -> Iterator[FoundText]:
        if self._since is not None and microseconds_of(file.last) < self._since:
            return
        try:
            if self._prepare(file):
                yield from (text for text in self._texts_in(file.path) if self._is_new(text, file.source))
        except FileNotFoundError:
            return  # deleted meanwhile
        except OSError:
            self.unreadable += 1

    def _texts_in(self, path: Path) -> Iterator[FoundText]:
        file = JournalFile.open(path)
        try:
            file.will_be_read()
            has_plain = has_plain_strings(file)
            for block in blocks_backwards(file):
                if self._is_cancelled():
                    return
                for start, stop in self._bytes.candidates(block, has_plain_strings=has_plain):
                    text = self._found_in_line(block[start:stop])
                    if text is not None and (self._since is None or text.time >= self._since):
                        yield text
        finally:
            file.close()

    def _found_in_line(self, line: bytes) -> FoundText | None:
        try:
            event = plain_decode.preview(line).event if len(line) > _MAX_WHOLE_BYTES else plain_decode(line)
            found = found_in(event, self._query, self._has_words)
            if found is None or self._decode is plain_decode:
                return found
            # Only now, since redaction takes its time. What it hides is not found either.
            event = self._decode.preview(line).event if len(line) > _MAX_WHOLE_BYTES else self._decode(line)
            return found_in(event, self._query, self._has_words)
        except CorruptLineError:
            return None

    def _is_new(self, text: FoundText, source: str) -> bool:
        """Whether this thought was not found elsewhere: our journal and the client's transcript may both have it."""
        if text.number is None or len(self._sources) >= _MAX_REMEMBERED:
            return True
        return self._sources.setdefault((text.number, text.excerpt), source) == source


def _matcher(query: Query) -> Callable[[str], bool]:
    """Return `Query.text_matcher`, or the same several times as fast for words of ASCII."""
    if query.is_case_sensitive or not all(word.isascii() for word in query.words):
        return query.text_matcher()

    def has_words(text: str) -> bool:
        lowered = text.lower()
        return all(word in lowered for word in query.words)

    return has_words


def _session_of(file: SessionFile, decode: LineDecoder) -> HitSession:
    event = first_session_event(file.path, decode)
    return HitSession(
        session=one_line(file.session),
        name=session_label(event) if event is not None else one_line(file.session),
        client=listed_client(event),
        last=microseconds_of(file.last),
    )
