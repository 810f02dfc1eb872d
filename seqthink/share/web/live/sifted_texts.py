"""The texts of a session for a search, which need not decode the lines that cannot hold what is looked for."""

from typing import Final, TypeGuard

from typing_extensions import override

from seqthink.chain.query import Query
from seqthink.chain.session import Session
from seqthink.journal.decode import decode
from seqthink.journal.journal_file import JournalFile
from seqthink.library.finding.journal_blocks import BLOCK_BYTES, has_plain_strings
from seqthink.library.finding.needles import Needles
from seqthink.library.journal_texts import JournalTexts

_LETTERS_LIKE_ASCII: Final = tuple(letter.encode() for letter in "\u017f\u212a\u0130\u0131")
"""Letters that are one of ASCII but for the case, which `Needles` tells from it and a search does not."""


class SiftedTexts(JournalTexts):
    """The same texts as another's, but that of a thought is empty if it cannot have the words of a query.

    Its thoughts are best asked for in their order.

    Args:
        texts: the others.
        session: the session whose texts they are.
        query: what is looked for.
    """

    def __init__(self, texts: JournalTexts, session: Session, query: Query) -> None:
        journal = texts._journal  # noqa: SLF001 - our own base
        super().__init__(journal, session, texts.corrupt_lines, texts.health)
        self._sieve = _Sieve(journal, query) if _is_told_by_bytes(journal, query) else None

    @override
    def thought(self, index: int) -> str:
        if self._sieve is not None and not self._sieve.may_match(*self.session.thoughts.line_extent_of(index)):
            return ""
        return super().thought(index)


class _Sieve:
    """Says which lines of a journal may have the words, block by block."""

    def __init__(self, journal: JournalFile, query: Query) -> None:
        self._journal, self._needles = journal, Needles(query)
        self._has_plain = has_plain_strings(journal)
        self._letters = () if query.is_case_sensitive else _LETTERS_LIKE_ASCII
        self._begin = self._end = 0
        self._found: set[int] | None = None

    def may_match(self, offset: int, size: int) -> bool:
        """Return whether the line there may have the words."""
        if not self._begin <= offset < self._end:
            self._sift(offset, size)
        return self._found is None or offset in self._found

    def _sift(self, offset: int, size: int) -> None:
        """Look at the lines from ``offset`` on, as many as are in a block."""
        self._begin, self._end, self._found = offset, offset + size + 1, None
        if size >= BLOCK_BYTES:
            return
        try:
            block = self._journal.read_bytes(offset, BLOCK_BYTES)
        except OSError:
            return
        block = block[: block.rfind(b"\n")]
        if len(block) < size:
            return
        self._end = offset + len(block) + 1
        if not any(letter in block for letter in self._letters):
            found = self._needles.candidates(block, has_plain_strings=self._has_plain)
            self._found = {offset + start for start, _ in found}


def _is_told_by_bytes(journal: object, query: Query) -> TypeGuard[JournalFile]:
    """Return whether a thought without the words in its bytes is no hit."""
    # A tag may stand elsewhere, and what was redacted has other words.
    if not query.words or query.tags or not isinstance(journal, JournalFile) or journal.decode is not decode:
        return False
    return query.is_case_sensitive or all(map(_has_one_case, "".join(query.words)))


def _has_one_case(character: str) -> bool:
    """Return whether `Needles` knows all cases of a character: that is ASCII, or has only one."""
    return character.isascii() or character.lower() == character.upper() == character.title() == character
