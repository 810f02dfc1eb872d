"""A diff as it is drawn in a thought (screens.md, (j)): its signs, its line numbers, good and bad."""

import re
from collections.abc import Iterator

from msgspec import Struct

from seqthink.drawing.span_wrapping import hanging_indent, wrap_code, wrap_spans
from seqthink.drawing.spans import Role, Span, Spans

DIFF_LANGUAGES = frozenset({"diff", "patch", "udiff"})
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
_ROLES = {"+": Role.GOOD, "-": Role.BAD, " ": Role.TEXT}
_HEADS = ("diff --git ", "index ")


class _Place(Struct):
    """Where in the two files the next line of a hunk stands; ``digits`` is 0 while that is not known."""

    path: str = ""
    old: int = 0
    new: int = 0
    digits: int = 0


def is_diff(language: str, code: str) -> bool:
    """Whether the fence is a diff: it says so, or begins like one."""
    return language.lower() in DIFF_LANGUAGES or code.startswith(("diff --git ", "--- a/"))


def unified_diff_lines(code: str, cells: int) -> Iterator[Spans]:
    """Yield a diff (sanitized) in lines of at most ``cells`` cells, the sign of each in its first.

    A file's name stands at its hunks, and lines have their numbers where the hunk tells them.
    """
    lines = code.rstrip("\n").split("\n")
    place, number = _Place(), 0
    while number < len(lines):
        line = lines[number]
        following = lines[number + 1] if number + 1 < len(lines) else ""
        number += 1
        if line.startswith("--- ") and following.startswith("+++ "):
            place = _Place(path=_path(line[4:], following[4:]))
            number += 1
            if not any(_HUNK.match(later) for later in lines[number : number + 1]):
                yield from _head(place.path, cells)
        elif hunk := _HUNK.fullmatch(line):
            place = _enter(place.path, hunk)
            yield from _head(
                " ".join(part for part in (place.path, hunk[5]) if part) or line.removeprefix("@@ "), cells
            )
        elif not line.startswith(_HEADS):
            yield from _line(line, place, cells)


def _head(text: str, cells: int) -> Iterator[Spans]:
    yield from hanging_indent([Span(" @@ ", Role.MUTED)], wrap_spans([Span(text, Role.MUTED)], cells - 4))


def _path(old: str, new: str) -> str:
    before, after = (re.sub(r"^[ab]/|\t.*$", "", path.rstrip()) for path in (old, new))
    if after == "/dev/null":
        return f"{before} (deleted)"
    if before in {after, "/dev/null"}:
        return after + (" (new)" if before != after else "")
    return f"{before} to {after}"


def _enter(path: str, hunk: re.Match[str]) -> _Place:
    old, new = int(hunk[1]), int(hunk[3])
    last = max(old + int(hunk[2] or 1), new + int(hunk[4] or 1))
    return _Place(path=path, old=old, new=new, digits=len(str(last)))


def _line(line: str, place: _Place, cells: int) -> Iterator[Spans]:
    sign = line[:1] if line[:1] in _ROLES else ""
    text = line[1:] if sign else line
    role = _ROLES.get(sign, Role.MUTED if line.startswith("\\") else Role.TEXT)
    head = f"{sign or ' '} "
    if place.digits and not line.startswith("\\"):
        head += f"{place.old if sign == '-' else place.new:>{place.digits}}   "
        place.old += sign != "+"
        place.new += sign != "-"
    if len(head) > cells // 2:
        head = head[:2]
    yield from hanging_indent(
        [Span(head, role)], ([Span(piece, role)] for piece in wrap_code(text.rstrip(), cells - len(head)))
    )
