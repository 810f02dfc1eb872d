"""What a revision changed, and as lines: ``[-removed-]`` and ``{+added+}``, so that it is readable without colour."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from seqthink.core.text import sanitize, unescape_breaks
from seqthink.drawing.markup.text_diff import (
    MAX_WORD_DIFF_TOKENS,
    ChangeKind,
    DiffPiece,
    line_diff,
    tokens_of,
    word_diff,
)
from seqthink.drawing.text.glyphs import DOWN, UP, Signs
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_code, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans

_ROLES = {ChangeKind.SAME: Role.TEXT, ChangeKind.REMOVED: Role.BAD, ChangeKind.ADDED: Role.GOOD}
_BRACKETS = {ChangeKind.SAME: ("", ""), ChangeKind.REMOVED: ("[-", "-]"), ChangeKind.ADDED: ("{+", "+}")}
_SIGNS = {ChangeKind.SAME: "  ", ChangeKind.REMOVED: "- ", ChangeKind.ADDED: "+ "}
_HAS_DIFF = re.compile(
    r"^(?:[ \t]*(?:```|~~~)[ \t]*(?:diff|patch)\b|diff --git |@@ |--- .*\n\+\+\+ "
    r"|\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File:))",
    re.MULTILINE,
)
_INNER_ROLES = {"+": Role.GOOD, "-": Role.BAD, "@": Role.MUTED, "*": Role.MUTED}
"""By the first character of a line of a diff: the colour of the line."""
CONTEXT_LINES = 2
"""How many unchanged lines are shown before and after a change."""


class LineRun(NamedTuple):
    """Lines that were kept, removed or added, one after the other."""

    kind: ChangeKind | None
    """None for lines that are the same, and too many to show."""
    lines: Sequence[str]


class WordChanges(Struct, frozen=True):
    """Two texts compared by word."""

    pieces: Sequence[DiffPiece]


class LineChanges(Struct, frozen=True):
    """Two texts compared by line."""

    runs: Sequence[LineRun]
    are_diffs: bool
    """Whether both texts have diffs in them, so that a line begins with a sign of its own."""


def revision_changes(old: str, new: str) -> WordChanges | LineChanges | None:
    """Return the changes from ``old`` to ``new`` (unsanitized), sanitized; None if too little is in common.

    Two texts with diffs in them are compared by line: their words mean little without their signs.
    """
    before, after = (sanitize(unescape_breaks(text)).strip("\n") for text in (old, new))
    if _HAS_DIFF.search(before) and _HAS_DIFF.search(after):
        runs = list(line_diff(before, after))
        if not any(kind is ChangeKind.SAME and any(line.strip() for line in lines) for kind, lines in runs):
            return None
        return LineChanges(list(_shortened(runs)), are_diffs=True)
    if len(tokens_of(before)) + len(tokens_of(after)) > MAX_WORD_DIFF_TOKENS:
        return LineChanges(list(_shortened(list(line_diff(before, after)))), are_diffs=False)
    pieces = word_diff(before, after)
    return None if pieces is None else WordChanges(pieces)


def left_out_words(run: LineRun, signs: Signs) -> str:
    """Return the replacement of lines that are the same and not shown."""
    return f"{signs.missing} {len(run.lines):,} lines are the same"


def inner_role(line: str) -> Role | None:
    """Return the colour of a line of a diff by the sign with which it begins; None without one."""
    return _INNER_ROLES.get(line[:1])


def revision_diff_lines(old: str, new: str, cells: int, signs: Signs) -> list[Spans] | None:
    """Return the changes from ``old`` to ``new`` (unsanitized) as lines; None if too little is in common."""
    match revision_changes(old, new):
        case None:
            return None
        case LineChanges(runs, are_diffs):
            return [line for run in runs for line in _run_lines(run, cells, signs, are_diffs=are_diffs)]
        case WordChanges(pieces):
            spans: Spans = []
            for piece in pieces:
                spans += _spans(piece.kind, piece.text, gap=_gap(spans, piece.gap))
            return [[Span(" "), *line] for line in wrap_spans(spans, max(2, cells - 2))]


def _gap(before: Spans, gap: str) -> str:
    """Return the blanks between a piece and the previous one; after a line break there are none."""
    if not before or before[-1].text.endswith("\n"):
        return ""
    return gap


def _spans(kind: ChangeKind, text: str, gap: str) -> Spans:
    opening, closing = _BRACKETS[kind]
    role = _ROLES[kind]
    if kind is ChangeKind.SAME:
        return [Span(gap + text, role)]
    spans = [Span(gap)] if gap else []
    # An added text of several lines is marked on each of them; removed lines are joined.
    lines = text.split("\n") if kind is ChangeKind.ADDED else [" ".join(text.split())]
    for number, line in enumerate(lines):
        if number:
            spans.append(Span("\n"))
        if line.strip() or (kind is ChangeKind.REMOVED and text.strip()):
            spans.append(Span(f"{opening}{line}{closing}", role))
    return spans


def _run_lines(run: LineRun, cells: int, signs: Signs, *, are_diffs: bool) -> Iterator[Spans]:
    if run.kind is None:
        yield [Span(f" {left_out_words(run, signs)}", Role.MUTED)]
    elif are_diffs:
        yield from _double_signed(run.kind, run.lines, cells, signs.box[UP | DOWN])
    else:
        yield from _signed_lines(run.kind, run.lines, cells)


def _double_signed(kind: ChangeKind, lines: Sequence[str], cells: int, bar: str) -> Iterator[Spans]:
    """Yield the lines of a diff: the sign of the change is before a bar, the line's own sign behind it."""
    for line in lines:
        role = Role.MUTED if kind is ChangeKind.SAME else inner_role(line) or Role.TEXT
        # The first character is the line's own sign: what follows begins in one column also where the line breaks.
        sign, pieces = line[:1] or " ", wrap_code(line[1:], max(2, cells - 5))
        for number, piece in enumerate(pieces):
            outer = Span((_SIGNS[kind] if not number else "  ")[:1], _ROLES[kind])
            inner = Span((" " if number else sign) + piece, role)
            yield [Span(" "), outer, Span(bar, Role.LINE), inner]


def _shortened(runs: Sequence[tuple[ChangeKind, Sequence[str]]]) -> Iterator[LineRun]:
    """Yield the runs; of one that is the same only a few lines beside changes, and as None those between them."""
    for number, (kind, lines) in enumerate(runs):
        head = 0 if number == 0 else CONTEXT_LINES
        tail = 0 if number == len(runs) - 1 else CONTEXT_LINES
        if kind is ChangeKind.SAME and len(lines) > head + tail + 1:
            yield LineRun(kind, lines[:head])
            yield LineRun(None, lines[head : len(lines) - tail])
            yield LineRun(kind, lines[len(lines) - tail :])
        else:
            yield LineRun(kind, lines)


def _signed_lines(kind: ChangeKind, lines: Sequence[str], cells: int) -> Iterator[Spans]:
    role = Role.MUTED if kind is ChangeKind.SAME else _ROLES[kind]
    for line in lines:
        yield from hanging_indent([Span(_SIGNS[kind], role)], wrap_spans([Span(line, role)], max(2, cells - 3)))
