"""Finds JSON lines that may hold the words, by their bytes, many times as fast as by decoding them.

It may say yes where the words are not, never no where they are; but for a word of ASCII alone, the few other letters
that lose their difference in lower case, such as the long s, do not count as those of ASCII.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from seqthink.chain.query import Query

_ESCAPE: Final = b"\\u"
"""A line with this may spell any character in another way. Our own writers do so with control characters only."""
_SLASH: Final = b"\\/"
"""The other way to spell a slash."""
_MIN_FRAGMENT_BYTES: Final = 3
"""A shorter fragment of a word would be in nearly every line."""
_TEXT_BEGINS, _TEXT_ENDS = b'"thought":"', b'","next'
"""The bytes around the text of a thought in a journal of ours; quotes within a text are escaped."""
_SIGMAS: Final = "σς"

Lines = Iterator[tuple[int, int]]
"""Start and end of lines, the last one first."""


class JournalBytes:
    """What the lines of a journal hold, as bytes, if a text in them holds all the words of a query."""

    def __init__(self, query: Query) -> None:
        self._folds = not query.is_case_sensitive
        words = [_Word.of(word, folds=self._folds) for word in query.words]
        self._spelled = sorted((word.spelled for word in words if word.pattern is None), key=len, reverse=True)
        self._patterns = [word.pattern for word in words if word.pattern is not None]
        self._suspects = [_SLASH] if "/" in "".join(query.words) else []

    def candidates(self, block: bytes, *, has_plain_strings: bool) -> Lines:
        """Yield start and end of the lines of ``block`` that may hold the words, the last one first.

        Args:
            block: complete lines, without the line feed at the end of the last one.
            has_plain_strings: whether no character is escaped that need not be, as in journals of our own writers.
        """
        folded = block.lower() if self._folds else block
        wanted = self._suspects if has_plain_strings else [_ESCAPE, *self._suspects]
        suspects = [suspect for suspect in wanted if block.rfind(suspect) >= 0]
        if suspects:
            for start, stop in _lines_backwards(block):
                is_suspect = any(block.find(suspect, start, stop) >= 0 for suspect in suspects)
                if is_suspect or self._may_be_in(folded, start, stop):
                    yield start, stop
        elif all(word in folded for word in self._spelled) and all(find(folded) for find in self._patterns):
            for start, stop in self._driven(folded):
                if self._may_be_in(folded, *_text_span(folded, start, stop)):
                    yield start, stop

    def _driven(self, folded: bytes) -> Lines:
        if self._spelled:
            yield from _lines_with(self._spelled[0], folded)
        else:
            yield from _lines_backwards(folded)

    def _may_be_in(self, folded: bytes, start: int, stop: int) -> bool:
        return all(folded.find(word, start, stop) >= 0 for word in self._spelled) and all(
            find(folded, start, stop) for find in self._patterns
        )


class _Word(NamedTuple):
    """A word as bytes: what its lines hold, or a pattern where that alone would say too little."""

    spelled: bytes
    pattern: Callable[..., object] | None = None

    @classmethod
    def of(cls, word: str, *, folds: bool) -> "_Word":
        if not folds:
            return cls(_spelled(word))
        # The longest part of the word that is the same bytes in upper and in lower case, or ASCII, which is lowered.
        parts = "".join("\0" if _has_other_cases(one) else one for one in word).split("\0")
        longest = max((_spelled(part).lower() for part in parts), key=len)
        if len(parts) == 1 or len(longest) >= _MIN_FRAGMENT_BYTES:
            return cls(longest)
        return cls(b"", re.compile(b"".join(map(_spelling_pattern, word))).search)


def _spelled(word: str) -> bytes:
    """Return a word as JSON spells it that escapes only what it must."""
    return json.dumps(word, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass")


def _has_other_cases(character: str) -> bool:
    return not character.isascii() and len(_cases(character)) > 1


def _cases(character: str) -> set[str]:
    """Return the characters that are this one but for the case."""
    upper, lower = character.upper(), character.lower()
    cases = {character, upper, lower, upper.lower(), lower.upper(), character.title()}
    return {case for case in (cases | set(_SIGMAS) if cases & set(_SIGMAS) else cases) if len(case) == 1}


def _spelling_pattern(character: str) -> bytes:
    if character.isascii():
        return re.escape(_spelled(character).lower())
    return b"(?:%b)" % b"|".join(sorted(re.escape(_spelled(case)) for case in _cases(character)))


def _text_span(folded: bytes, start: int, stop: int) -> tuple[int, int]:
    """Return where the text of a thought is in a line, so that words of the journal's own do not count; or the line."""
    begin = folded.find(_TEXT_BEGINS, start, stop)
    end = folded.rfind(_TEXT_ENDS, begin, stop) if begin >= 0 else -1
    return (begin + len(_TEXT_BEGINS), end) if end >= 0 else (start, stop)


def _lines_with(word: bytes, block: bytes) -> Lines:
    end = len(block)
    while (at := block.rfind(word, 0, end)) >= 0:
        stop = block.find(b"\n", at)
        start = block.rfind(b"\n", 0, at) + 1
        yield start, stop if stop >= 0 else len(block)
        end = start


def _lines_backwards(block: bytes) -> Lines:
    stop = len(block)
    while stop >= 0:
        start = block.rfind(b"\n", 0, stop) + 1
        yield start, stop
        stop = start - 1
