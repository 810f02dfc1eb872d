"""Wraps text into lines of terminal cells."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from seqthink.drawing.text.cells import fitting_end, width

_MIN_HELD_CHARS = 16 << 10
"""Characters of an unfinished line above which parts of it are yielded."""
_FEEDS = "\n" * _MIN_HELD_CHARS
_MAX_CARRIED_CHARS = 6
"""Characters at most that go to the next line with a mark that must not begin it."""
_NOT_FIRST = frozenset(
    "、。，．・：；？！‥…ー～〜)]}）］｝〕〉》」』】〗〙〛〟’”»›°％‰′″℃々〻ゝゞヽヾ"
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ.,:;?!%｡､｣"
)
_NOT_LAST = frozenset("([{（［｛〔〈《「『【〖〘〚〝‘“«‹￥＄£｢")
"""Marks that do not begin a line, and those that do not end one, where scripts are written without blanks."""
_BLANKS = re.compile(" *")
_SPACE = " \xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
# The look-behind starts a match only at the start of a run of blanks, which keeps the search linear.
_SPACE_AT_END = re.compile(f"[{_SPACE}](?<![{_SPACE}]{{2}})[{_SPACE}]*$", re.MULTILINE)


def wrap(text: str, cells: int) -> Iterator[str]:
    """Yield ``text`` (sanitized) in lines of at most ``cells`` cells, broken at blanks where there are any.

    Line breaks of the text and leading blanks of a line are kept.
    """
    for line in text.split("\n"):
        yield from _wrap_line(line, max(2, cells))


def wrap_pieces(pieces: Iterable[str], cells: int, margin: str = "") -> Iterator[str]:
    """Yield the lines of `wrap` for a sanitized text that comes in ``pieces``, many lines per string.

    Each line gets ``margin`` in front. Trailing blanks, and line feeds at either end of the text, are removed. Only a
    little of a huge text is in memory, and lines that are short enough are not examined one by one.
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
        if len(rest) > max(_MIN_HELD_CHARS, 8 * cells):
            *full, rest = _wrap_line(rest, cells, kept=5 * cells)
            yield "\n".join(margin + line if line else "" for line in full)
            is_continued = True
    if not is_continued or rest.strip():
        yield _block(rest, cells, margin)


def _stripped(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the pieces of a text without leading and trailing line feeds."""
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
    """Return some complete lines, wrapped."""
    is_ascii = lines.isascii()
    text = _longer_than(cells if is_ascii else cells // 2).sub(
        lambda found: "\n" + "\n".join(_wrap_line(found[0][1:], cells)), "\n" + lines
    )
    if not is_ascii or " \n" in text or text.endswith(" "):
        text = _SPACE_AT_END.sub("", text)
    if margin:
        text = text.replace("\n", "\n" + margin)
        for _ in range(2):  # replace() does not find overlapping matches, such as three line feeds
            text = text.replace(f"\n{margin}\n", "\n\n")
    return text[1:].removesuffix(margin) if text.endswith("\n" + margin) else text[1:]


@lru_cache(maxsize=8)
def _longer_than(max_chars: int) -> re.Pattern[str]:
    """Return a pattern that matches a line of more than ``max_chars`` characters, with the line feed before it."""
    return re.compile(rf"\n[^\n]{{{max_chars + 1},}}")


def _wrap_line(line: str, cells: int, *, kept: int = 0) -> Iterator[str]:
    """Yield a line in parts; with ``kept`` the last part has more characters than that, since more text may follow."""
    line = line if kept else line.rstrip()
    is_ascii = line.isascii()
    if is_ascii and line and not kept and line[0] != " " and "  " not in line:
        yield from _ascii_lines(cells).findall(line)
        return
    start = 0
    while len(line) - start > kept and not _fits(line, start, cells, is_ascii=is_ascii):
        end = start + cells if is_ascii else fitting_end(line, start, cells)
        if end < len(line) and line[end] != " ":
            blank = line.rfind(" ", start, end)
            blank = blank if blank > start and line[start:blank].strip() else start
            between = 0 if is_ascii else _end_between_signs(line, blank, end)
            end = between or (blank if blank > start else end if is_ascii else _end_within_word(line, start, end))
        end = max(end, start + 1)
        yield line[start:end].rstrip()
        found = _BLANKS.match(line, end)
        start = found.end() if found else end
    yield line[start:]


@lru_cache(maxsize=64)
def _ascii_lines(cells: int) -> re.Pattern[str]:
    """Return a pattern whose group is each line of an ASCII text in which blanks are single, and not at the ends."""
    return re.compile(rf" ?(.{{1,{cells}}}(?= |\Z)|.{{{cells}}})")


def _end_between_signs(line: str, start: int, end: int) -> int:
    """Return the last place after ``start`` to break where a script is written without blanks; 0 if there is none."""
    for place in range(end, start + 1, -1):
        if (_is_sign(line[place]) or _is_sign(line[place - 1])) and _may_break(line[place - 1], line[place]):
            return place
    return 0


def _end_within_word(line: str, start: int, end: int) -> int:
    """Return where to break a word that is too long: not before a mark that belongs to what is before it."""
    places = range(end, max(start, end - _MAX_CARRIED_CHARS), -1)
    return next((place for place in places if _may_break(line[place - 1], line[place])), end)


def _is_sign(character: str) -> bool:
    """Return whether it is of a script that is written without blanks."""
    return (
        "\u2e80" <= character <= "\ua4cf"
        or "\uf900" <= character <= "\uff60"
        or "\U00020000" <= character <= "\U0003ffff"
    )


def _may_break(before: str, behind: str) -> bool:
    """Return whether a line may end with one character and the next begin with the other."""
    return behind not in _NOT_FIRST and before not in _NOT_LAST and before not in " \u200d" and width(behind) > 0


def _fits(line: str, start: int, cells: int, *, is_ascii: bool) -> bool:
    """Return whether the rest of a line fits into ``cells`` cells.

    At most four characters share a cell, and no character has more cells than UTF-8 bytes, so most cases need no
    measuring.
    """
    count = len(line) - start
    if is_ascii or count > 4 * cells:
        return count <= cells
    rest = line[start:]
    return len(rest.encode("utf-8", "surrogatepass")) <= cells or width(rest) <= cells
