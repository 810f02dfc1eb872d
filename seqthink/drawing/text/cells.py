"""Text measured in terminal cells.

Terminals disagree: some measure a grapheme as a whole, others add up its code points, and a spacing vowel sign takes
one cell in some and none in others. `width` returns the largest of these, so that no text is pushed past the edge.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from unicodedata import category

from seqthink.core.text import SafeText

_UNEVEN = re.compile(
    "["
    # scripts with spacing vowel signs
    "\u0900-\u0dff\u0f00-\u109f\u1700-\u1cff\ua800-\uabff\U00011000-\U00011fff\U00016f00-\U00016fff"
    # emoji, flags, joiners and variation selectors, tone marks and stems of musical notes
    "\u200d\ufe0f\u20e3\U0001f000-\U0001faff\u302e\u302f\U0001d165-\U0001d172"
    "]"
)
_NARROW = (
    " -~\xa1-\xac\xae-\u02ff\u0370-\u0373\u0391-\u03a1\u03a3-\u0482\u048a-\u052f"
    "\u2010-\u2027\u2190-\u22ff\u2400-\u2426\u2500-\u25fc\u2713-\u2727\u27e8\u27e9\u2800-\u28ff\ufffd"
)
_WIDE = (
    "\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60"
    "\U0001f400-\U0001f43e\U0001f442-\U0001f4fc\U0001f5fb-\U0001f64f\U0001f680-\U0001f6c5"
)
"""Ranges of characters that take one cell, and two, whatever follows; all others are measured one by one."""
_IS_NARROW = re.compile(f"[{_NARROW}]*").fullmatch
_IS_WIDE = re.compile(f"[{_WIDE}]*").fullmatch
_MAX_KNOWN_CHARS = 16
_FLAGS = range(0x1F1E6, 0x1F200)


def has_ambiguous_width(text: str) -> bool:
    """Return whether terminals may disagree about the width of ``text``."""
    return not text.isascii() and _UNEVEN.search(text) is not None


def width(text: SafeText | str) -> int:
    """Return the most cells that ``text`` may take. It must be sanitized: a control character has no width."""
    if text.isascii():
        return len(text)
    return _known_width(text) if len(text) <= _MAX_KNOWN_CHARS else _measured(text)


def _measured(text: str) -> int:
    if _IS_NARROW(text):
        return len(text)
    from wcwidth import wcswidth  # noqa: PLC0415 - takes a tenth of the viewer's start, and plain texts need none of it

    cells = max(0, wcswidth(text))
    return max(cells, sum(map(_cells_of, text))) if has_ambiguous_width(text) else cells


_known_width = lru_cache(maxsize=1 << 12)(_measured)
"""The same of a short text, as signs and marks are, which are measured again and again."""


@lru_cache(maxsize=1 << 14)
def _cells_of(character: str) -> int:
    """Return the cells of one character for terminals that add up code points."""
    if category(character) == "Mc" or ord(character) in _FLAGS:
        return 1
    if _IS_NARROW(character):
        return 1
    from wcwidth import wcwidth  # noqa: PLC0415 - see `_measured`

    return max(0, wcwidth(character))


def cut(text: str, cells: int, ellipsis: str = "…") -> str:
    """Return ``text``, shortened to at most ``cells`` cells; ``ellipsis`` is appended if anything was cut."""
    if cells <= 0:
        return ""
    if text.isascii():
        return text if len(text) <= cells else text[: max(0, cells - width(ellipsis))] + ellipsis
    if len(text) <= cells * 4 and width(text) <= cells:
        return text
    room = cells - width(ellipsis)
    return text[: fitting_end(text, 0, max(0, room))] + ellipsis


def cut_name(name: str, cells: int, ellipsis: str = "…") -> str:
    """Return the name of a lane as `cut` does, but keep a number at its end: it distinguishes lanes of one name."""
    _, _, number = name.rpartition(" ")
    room = cells - len(number) - 1
    if not number.isdecimal() or room <= width(ellipsis) or width(name) <= cells:
        return cut(name, cells, ellipsis)
    return f"{cut(name.removesuffix(number).rstrip(), room, ellipsis)} {number}"


def cut_left(path: str, cells: int, ellipsis: str = "…") -> str:
    """Return a path, shortened to at most ``cells`` cells from its beginning, where there is room in whole names."""
    if width(path) <= cells:
        return path
    names = path.replace("\\", "/").split("/")
    for first in range(1, len(names)):
        shown = "/".join((ellipsis, *names[first:]))
        if width(shown) <= cells:
            return shown
    return cut(names[-1], cells, ellipsis)


def fitting_end(text: str, start: int, cells: int) -> int:
    """Return the end of the longest slice of ``text`` from ``start`` that fits into ``cells`` cells.

    ``text`` must be too long to fit. The cost depends on ``cells``, not on the length of ``text``: at most four
    characters share a cell.
    """
    plain = _plain_end(text, start, cells)
    if plain is not None:
        return plain
    head = text[start : start + cells]
    ends = list(accumulate(map(_cells_of, head)))
    if not ends or ends[-1] <= cells:
        head = text[start : start + 4 * cells + 4]
        ends = list(accumulate(map(_cells_of, head)))
    fits = bisect_right(ends, cells)
    # Width is not additive across combining sequences.
    while fits and width(head[:fits]) > cells:
        fits -= 1
    return start + fits


def _plain_end(text: str, start: int, cells: int) -> int | None:
    """Return where ``cells`` cells of plain characters end, if another plain one follows; None if they are not plain.

    One pattern for all widths: to compile these ranges for each of them took a tenth of the first frame.
    """
    end = start + cells
    if end <= len(text) and _IS_NARROW(text, start, end):
        is_followed = end == len(text) or _IS_NARROW(text, end, end + 1) or _IS_WIDE(text, end, end + 1)
        return end if is_followed else None
    end = start + cells // 2
    if end > len(text) or not _IS_WIDE(text, start, end):
        return None
    may_be_narrow = not cells % 2  # else it would have a cell
    is_followed = end == len(text) or _IS_WIDE(text, end, end + 1) or (may_be_narrow and _IS_NARROW(text, end, end + 1))
    return end if is_followed else None


def pad(text: str, cells: int) -> str:
    """Return ``text`` padded with blanks, or cut, to exactly ``cells`` cells."""
    shown = cut(text, cells)
    return shown + " " * (cells - width(shown))
