"""Text measured in terminal cells, not characters.

Some terminals measure what a person takes for one character, others add up its parts, and a vowel that stands beside
its consonant counts for one cell here and for none there. What is measured here is the most that any of them takes, so
that nothing is ever pushed over an edge.
"""

import re
from itertools import accumulate
from unicodedata import category

from wcwidth import wcswidth, wcwidth

from seqthink.text import SafeText

_UNEVEN = re.compile(
    "["
    # scripts with vowels beside their consonants
    "\u0900-\u0dff\u0f00-\u109f\u1700-\u1cff\ua800-\uabff\U00011000-\U00011fff\U00016f00-\U00016fff"
    # emoji, flags, what makes one of several, tone marks and stems of notes
    "\u200d\ufe0f\u20e3\U0001f000-\U0001faff\u302e\u302f\U0001d165-\U0001d172"
    "]"
)
_FLAGS = range(0x1F1E6, 0x1F200)


def is_uneven(text: str) -> bool:
    """Whether terminals may differ on how many cells ``text`` takes."""
    return not text.isascii() and _UNEVEN.search(text) is not None


def width(text: SafeText | str) -> int:
    """Return how many cells ``text`` takes at most. It must be sanitized: a control has no width."""
    if text.isascii():
        return len(text)
    cells = max(0, wcswidth(text))
    return max(cells, sum(map(_cells_of, text))) if is_uneven(text) else cells


def _cells_of(character: str) -> int:
    """Return how many cells a character takes where all are counted one by one."""
    if category(character) == "Mc" or ord(character) in _FLAGS:
        return 1
    return max(0, wcwidth(character))


def cut(text: str, cells: int, sign: str = "…") -> str:
    """Return ``text``, shortened with ``sign`` to at most ``cells`` cells."""
    if cells <= 0:
        return ""
    if len(text) <= cells * 4 and width(text) <= cells:
        return text
    room = cells - width(sign)
    # At most four characters share a cell, so a line of a megabyte costs no more than a short one.
    head = text[: cells * 4]
    if head.isascii():
        return head[: max(0, room)] + sign
    ends = list(accumulate(map(_cells_of, head)))
    fits = next((place for place, end in enumerate(ends) if end > room), len(head))
    # In company some characters are wider or narrower than alone.
    while fits and width(head[:fits]) > room:
        fits -= 1
    return head[:fits] + sign


def pad(text: str, cells: int) -> str:
    """Return ``text`` followed by blanks up to exactly ``cells`` cells; a longer one is cut."""
    shown = cut(text, cells)
    return shown + " " * (cells - width(shown))
