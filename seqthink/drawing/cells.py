"""Text measured in terminal cells, not characters."""

from itertools import accumulate

from wcwidth import wcswidth, wcwidth

from seqthink.text import SafeText


def width(text: SafeText | str) -> int:
    """Return how many cells ``text`` takes. It must be sanitized: a control has no width."""
    return len(text) if text.isascii() else max(0, wcswidth(text))


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
    ends = list(accumulate(max(0, wcwidth(character)) for character in head))
    fits = next((place for place, end in enumerate(ends) if end > room), len(head))
    # In company some characters are wider or narrower than alone.
    while fits and width(head[:fits]) > room:
        fits -= 1
    return head[:fits] + sign


def pad(text: str, cells: int) -> str:
    """Return ``text`` followed by blanks up to exactly ``cells`` cells; a longer one is cut."""
    shown = cut(text, cells)
    return shown + " " * (cells - width(shown))
