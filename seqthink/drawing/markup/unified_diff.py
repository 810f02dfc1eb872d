"""A unified diff as it is drawn in a thought (docs/screens.md, "Audit verdicts"): signs, line numbers, colours."""

from collections.abc import Iterator

from seqthink.core.text import sanitize
from seqthink.core.unified_diff import (
    DIFF_LANGUAGES,
    DiffLine,
    HunkHeader,
    LineKind,
    diff_lines,
    names_in_headers,
    read_hunk_header,
)
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_code, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans

_ROLES = {
    LineKind.KEPT: Role.TEXT,
    LineKind.REMOVED: Role.BAD,
    LineKind.ADDED: Role.GOOD,
    LineKind.NO_NEWLINE: Role.MUTED,
}
_CHANGED = {LineKind.REMOVED, LineKind.ADDED}
_HIDDEN_HEADS = ("diff --git ", "index ")


def is_diff(language: str, code: str) -> bool:
    """Return whether a fenced code block is a diff: by its language, or by its first line."""
    return language.lower() in DIFF_LANGUAGES or code.startswith(("diff --git ", "--- a/", "*** Begin Patch"))


def unified_diff_lines(code: str, cells: int) -> Iterator[Spans]:
    """Yield a sanitized diff in lines of at most ``cells`` cells, with the sign of each line first.

    The file's name is shown with each hunk, and lines have their numbers where the hunk header gives them.
    """
    lines = list(diff_lines(code.rstrip("\n").split("\n")))
    path, digits = "", 0
    for number, line in enumerate(lines):
        if line.kind is LineKind.OLD_NAME:
            path, digits = _path(line.text, lines[number + 1].text), 0
            if not any(below.kind is LineKind.HUNK for below in lines[number + 2 : number + 3]):
                yield from _heading(path, cells)
        elif header := read_hunk_header(line.text) if line.kind is LineKind.HUNK else None:
            digits = _digits(header)
            title = " ".join(part for part in (path, header.section) if part)
            yield from _heading(title or line.text.removeprefix("@@ "), cells)
        elif line.kind is not LineKind.NEW_NAME and not _is_hidden(line):
            yield from _line(line, digits, cells)


def _is_hidden(line: DiffLine) -> bool:
    """Return whether ``line`` says nothing that the names and hunks do not say."""
    return line.kind in {LineKind.GIT_HEADER, LineKind.HEADER} and line.text.startswith(_HIDDEN_HEADS)


def _heading(text: str, cells: int) -> Iterator[Spans]:
    yield from hanging_indent([Span(" @@ ", Role.MUTED)], wrap_spans([Span(text, Role.MUTED)], cells - 4))


def _path(old_line: str, new_line: str) -> str:
    """Return how a file is named. Quotes may have hidden control characters, so names are sanitized again."""
    before, after = (sanitize(name or "").replace("\n", "␊").rstrip() for name in names_in_headers(old_line, new_line))
    if not after:
        return f"{before} (deleted)"
    if before in {after, ""}:
        return after + (" (new)" if before != after else "")
    return f"{before} to {after}"


def _digits(header: HunkHeader) -> int:
    """Return the width of the hunk's line numbers in cells."""
    return len(str(max(header.old_start + header.old_count, header.new_start + header.new_count)))


def _line(line: DiffLine, digits: int, cells: int) -> Iterator[Spans]:
    role = _ROLES.get(line.kind, Role.TEXT)
    sign = " " if line.kind not in _CHANGED else line.kind
    number = line.old if line.kind is LineKind.REMOVED else line.new
    head = f"{sign} "
    if number:
        head += f"{number:>{digits}}   "
    if len(head) > cells // 2:
        head = head[:2]
    yield from hanging_indent(
        [Span(head, role)], ([Span(piece, role)] for piece in wrap_code(line.text.rstrip(), cells - len(head)))
    )
