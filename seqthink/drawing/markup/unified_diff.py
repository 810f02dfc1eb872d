"""A unified diff as it is drawn in a thought (docs/screens.md, "Audit verdicts"): signs, line numbers, colours."""

import re
from collections.abc import Iterator

from msgspec import Struct

from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_code, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans

DIFF_LANGUAGES = frozenset({"diff", "patch", "udiff"})
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
_ROLES = {"+": Role.GOOD, "-": Role.BAD, " ": Role.TEXT}
_HEADS = ("diff --git ", "index ")


class _HunkPosition(Struct):
    """The position of the next line of a hunk in the two files."""

    path: str = ""
    """The file's name, as it is shown."""
    old: int = 0
    """Line number in the old file."""
    new: int = 0
    """Line number in the new file."""
    digits: int = 0
    """Width of the line numbers in cells; 0 outside hunks."""


def is_diff(language: str, code: str) -> bool:
    """Return whether a fenced code block is a diff: by its language, or by its first line."""
    return language.lower() in DIFF_LANGUAGES or code.startswith(("diff --git ", "--- a/"))


def unified_diff_lines(code: str, cells: int) -> Iterator[Spans]:
    """Yield a sanitized diff in lines of at most ``cells`` cells, with the sign of each line first.

    The file's name is shown with each hunk, and lines have their numbers where the hunk header gives them.
    """
    lines = code.rstrip("\n").split("\n")
    position, number = _HunkPosition(), 0
    while number < len(lines):
        line = lines[number]
        following = lines[number + 1] if number + 1 < len(lines) else ""
        number += 1
        if line.startswith("--- ") and following.startswith("+++ "):
            position = _HunkPosition(path=_path(line[4:], following[4:]))
            number += 1
            if not any(_HUNK.match(later) for later in lines[number : number + 1]):
                yield from _heading(position.path, cells)
        elif hunk := _HUNK.fullmatch(line):
            position = _hunk_start(position.path, hunk)
            yield from _heading(
                " ".join(part for part in (position.path, hunk[5]) if part) or line.removeprefix("@@ "), cells
            )
        elif not line.startswith(_HEADS):
            yield from _line(line, position, cells)


def _heading(text: str, cells: int) -> Iterator[Spans]:
    yield from hanging_indent([Span(" @@ ", Role.MUTED)], wrap_spans([Span(text, Role.MUTED)], cells - 4))


def _path(old: str, new: str) -> str:
    before, after = (re.sub(r"^[ab]/|\t.*$", "", path.rstrip()) for path in (old, new))
    if after == "/dev/null":
        return f"{before} (deleted)"
    if before in {after, "/dev/null"}:
        return after + (" (new)" if before != after else "")
    return f"{before} to {after}"


def _hunk_start(path: str, hunk: re.Match[str]) -> _HunkPosition:
    old, new = int(hunk[1]), int(hunk[3])
    last = max(old + int(hunk[2] or 1), new + int(hunk[4] or 1))
    return _HunkPosition(path=path, old=old, new=new, digits=len(str(last)))


def _line(line: str, position: _HunkPosition, cells: int) -> Iterator[Spans]:
    sign = line[:1] if line[:1] in _ROLES else ""
    text = line[1:] if sign else line
    role = _ROLES.get(sign, Role.MUTED if line.startswith("\\") else Role.TEXT)
    head = f"{sign or ' '} "
    if position.digits and not line.startswith("\\"):
        head += f"{position.old if sign == '-' else position.new:>{position.digits}}   "
        position.old += sign != "+"
        position.new += sign != "-"
    if len(head) > cells // 2:
        head = head[:2]
    yield from hanging_indent(
        [Span(head, role)], ([Span(piece, role)] for piece in wrap_code(text.rstrip(), cells - len(head)))
    )
