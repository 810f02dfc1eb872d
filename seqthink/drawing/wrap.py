"""Text broken into lines of cells."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from seqthink.drawing.cells import fitting_end, width

_HELD = 16 << 10
"""Characters of an unfinished line that are held at least before a part of it comes out."""
_FEEDS = "\n" * _HELD
_BLANKS = re.compile(" *")
_SPACE = " \xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
# A run of blanks is looked at once, from its beginning.
_SPACE_AT_END = re.compile(f"[{_SPACE}](?<![{_SPACE}]{{2}})[{_SPACE}]*$", re.MULTILINE)


def wrap(text: str, cells: int) -> Iterator[str]:
    """Yield ``text`` (sanitized) in lines of at most ``cells`` cells, broken at blanks where there are any.

    Line breaks of the text stay, and so do the blanks that a line begins with.
    """
    for line in text.split("\n"):
        yield from _wrap_line(line, max(2, cells))


def wrap_pieces(pieces: Iterable[str], cells: int, margin: str = "") -> Iterator[str]:
    """Yield what `wrap` makes of a text (sanitized) that comes in ``pieces``, many lines at once, behind a ``margin``.

    Blanks at the end of a line are left out, and so are line feeds before and behind the text. Lines that are short
    enough are not looked at one by one, and of a huge text little is held.
    """
    cells = max(2, cells)
    rest, is_continued = "", False
    for piece in _stripped(pieces):
        text = rest + piece
        if is_continued:
            line, feed, text = text.lstrip(" ").partition("\n")
            if feed:
                if line.strip():
                    yield _block(line, cells, margin)
                is_continued = False
            else:
                text = line
        lines, feed, rest = text.rpartition("\n")
        if feed:
            yield _block(lines, cells, margin)
        if len(rest) > max(_HELD, 8 * cells):
            *full, rest = _wrap_line(rest, cells, kept=5 * cells)
            yield "\n".join(margin + line if line else "" for line in full)
            is_continued = True
    if not is_continued or rest.strip():
        yield _block(rest, cells, margin)


def _stripped(pieces: Iterable[str]) -> Iterator[str]:
    """Yield a text in pieces without the line feeds that it begins and ends with."""
    has_begun, feeds = False, 0
    for piece in pieces:
        begun = piece if has_begun else piece.lstrip("\n")
        body = begun.rstrip("\n")
        if body:
            for start in range(0, feeds, len(_FEEDS)):
                yield _FEEDS[: feeds - start]
            yield body
            has_begun, feeds = True, 0
        feeds += len(begun) - len(body)


def _block(lines: str, cells: int, margin: str) -> str:
    """Return some lines, all of them whole, wrapped."""
    is_ascii = lines.isascii()
    text = _longer(cells if is_ascii else cells // 2).sub(
        lambda found: "\n" + "\n".join(_wrap_line(found[0][1:], cells)), "\n" + lines
    )
    if not is_ascii or " \n" in text or text.endswith(" "):
        text = _SPACE_AT_END.sub("", text)
    if margin:
        text = text.replace("\n", "\n" + margin)
        for _ in range(2):  # a line feed between two empty lines belongs to both
            text = text.replace(f"\n{margin}\n", "\n\n")
    return text[1:].removesuffix(margin) if text.endswith("\n" + margin) else text[1:]


@lru_cache(maxsize=8)
def _longer(most: int) -> re.Pattern[str]:
    """Return what finds a line of more characters than ``most``, with the line feed before it."""
    return re.compile(rf"\n[^\n]{{{most + 1},}}")


def _wrap_line(line: str, cells: int, *, kept: int = 0) -> Iterator[str]:
    """Yield a line in several; with ``kept`` the last one has more characters than that, since more may follow."""
    line = line if kept else line.rstrip()
    is_ascii = line.isascii()
    start = 0
    while len(line) - start > kept and not _fits(line, start, cells, is_ascii=is_ascii):
        end = start + cells if is_ascii else fitting_end(line, start, cells)
        if end < len(line) and line[end] != " ":
            blank = line.rfind(" ", start, end)
            end = blank if blank > start and line[start:blank].strip() else end
        end = max(end, start + 1)
        yield line[start:end].rstrip()
        found = _BLANKS.match(line, end)
        start = found.end() if found else end
    yield line[start:]


def _fits(line: str, start: int, cells: int, *, is_ascii: bool) -> bool:
    """Whether the rest of a line needs no break.

    At most four characters share a cell, and each takes no more cells than it has bytes in UTF-8: much is known without
    measuring.
    """
    count = len(line) - start
    if is_ascii or count > 4 * cells:
        return count <= cells
    rest = line[start:]
    return len(rest.encode("utf-8", "surrogatepass")) <= cells or width(rest) <= cells
