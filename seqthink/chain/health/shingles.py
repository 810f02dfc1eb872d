"""How much two texts have in common, by their word shingles.

A shingle is three words in a row. The similarity of two texts is the share of their shingles that both have (Jaccard).
To find similar texts among many, a text's sketch is compared: its eight shingles with the smallest hashes, a bottom-k
sketch (Broder, 1997), which estimates the same share.
"""

import re
import sys
from array import array
from collections.abc import Set
from functools import cache
from zlib import crc32

SHINGLE_WORDS = 3
MIN_WORDS = 12
"""Texts with fewer words are not compared: by chance they are often alike."""
MAX_CHARS = 20_000
"""Characters of a text that are compared, from its beginning."""
SKETCH_SIZE = 8
_DROPPED_BITS = sys.hash_info.width - 32
_ASCII_WORDS = re.sub(rb"\W", b" ", bytes(range(128))).lower().ljust(256)
"""By byte of an ASCII text: itself in lower case where it is of a word, else a blank."""
_UNWRITTEN_SPACES = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"


def shingles(text: str) -> Set[int]:
    """Return the hashes of the shingles of ``text``; none if it has fewer than ``MIN_WORDS`` words."""
    found = words_of(text[:MAX_CHARS])
    if len(found) < MIN_WORDS:
        return frozenset()
    words = list(map(crc32, found))
    return set(map(hash, zip(words, words[1:], words[2:], strict=False)))


def words_of(text: str) -> list[bytes]:
    """Return the words of a text in lower case, in UTF-8."""
    if text.isascii():  # the same without a pattern, in a fraction of the time
        return text.encode().translate(_ASCII_WORDS).split()
    found = _word_pattern().findall(text.casefold())
    return "\n".join(found).encode("utf-8", "surrogatepass").split(b"\n")


@cache
def _word_pattern() -> re.Pattern[str]:
    """Return the pattern of a word; where words are written without spaces (Chinese, Japanese), of one character.

    It is compiled when it is needed: that takes milliseconds, which the start of a viewer need not wait for.
    """
    return re.compile(rf"[{_UNWRITTEN_SPACES}]|[^\W{_UNWRITTEN_SPACES}]+")


def sketch(hashes: Set[int]) -> "array[int]":
    """Return the smallest ``SKETCH_SIZE`` hashes, in rising order, the upper 32 bits of each."""
    return array("i", [value >> _DROPPED_BITS for value in sorted(hashes)[:SKETCH_SIZE]])


def shared_in_sketches(one: "array[int]", other: "array[int]") -> float:
    """Return the share of the smallest hashes of both texts together that both have: an estimate of the similarity."""
    own, others = set(one), set(other)
    smallest = sorted(own | others)[:SKETCH_SIZE]
    return len((own & others).intersection(smallest)) / max(1, len(smallest))


def similarity(one: Set[int], other: Set[int]) -> float:
    """Return the share of the shingles of both texts together that both have, from 0 to 1."""
    shared = len(one & other)
    return shared / max(1, len(one) + len(other) - shared)
