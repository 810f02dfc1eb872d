"""What a revision changed, as lines: ``[-removed-]`` and ``{+added+}``, so that it is readable without colour."""

import re
from collections.abc import Iterator, Sequence

from seqthink.drawing.markup.text_diff import MAX_WORD_DIFF_TOKENS, ChangeKind, line_diff, tokens_of, word_diff
from seqthink.drawing.text.glyphs import DOWN, UP, Signs
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_code, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.text import sanitize, unescape_breaks

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


def revision_diff_lines(old: str, new: str, cells: int, signs: Signs) -> list[Spans] | None:
    """Return the changes from ``old`` to ``new`` (unsanitized) as lines; None if too little is in common.

    Two texts with diffs in them are compared by line: their words mean little without their signs.
    """
    before, after = (sanitize(unescape_breaks(text)).strip("\n") for text in (old, new))
    if _HAS_DIFF.search(before) and _HAS_DIFF.search(after):
        return _diff_of_diffs(before, after, cells, signs)
    if len(tokens_of(before)) + len(tokens_of(after)) > MAX_WORD_DIFF_TOKENS:
        return list(_lines(before, after, cells, signs))
    pieces = word_diff(before, after)
    if pieces is None:
        return None
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


def _diff_of_diffs(old: str, new: str, cells: int, signs: Signs) -> list[Spans] | None:
    """Return the changed lines of a diff: the sign of the change stands before a bar, the line's own sign behind it."""
    runs = list(line_diff(old, new))
    if not any(kind is ChangeKind.SAME and any(line.strip() for line in lines) for kind, lines in runs):
        return None
    bar = signs.box[UP | DOWN]
    return [drawn for kind, lines in _shortened(runs) for drawn in _double_signed(kind, lines, cells, signs, bar)]


def _double_signed(
    kind: ChangeKind | None, lines: Sequence[str], cells: int, signs: Signs, bar: str
) -> Iterator[Spans]:
    if kind is None:
        yield _left_out(len(lines), signs)
        return
    for line in lines:
        role = Role.MUTED if kind is ChangeKind.SAME else _INNER_ROLES.get(line[:1], Role.TEXT)
        # The first character is the line's own sign: what follows begins in one column also where the line breaks.
        sign, pieces = line[:1] or " ", wrap_code(line[1:], max(2, cells - 5))
        for number, piece in enumerate(pieces):
            outer = Span((_SIGNS[kind] if not number else "  ")[:1], _ROLES[kind])
            inner = Span((" " if number else sign) + piece, role)
            yield [Span(" "), outer, Span(bar, Role.LINE), inner]


def _lines(old: str, new: str, cells: int, signs: Signs) -> Iterator[Spans]:
    for kind, lines in _shortened(list(line_diff(old, new))):
        yield from [_left_out(len(lines), signs)] if kind is None else _signed_lines(kind, lines, cells)


def _left_out(count: int, signs: Signs) -> Spans:
    return [Span(f" {signs.missing} {count:,} lines are the same", Role.MUTED)]


def _shortened(
    runs: Sequence[tuple[ChangeKind, Sequence[str]]],
) -> Iterator[tuple[ChangeKind | None, Sequence[str]]]:
    """Yield the runs; of one that is the same only a few lines beside changes, and as None those between them."""
    for number, (kind, lines) in enumerate(runs):
        head = 0 if number == 0 else CONTEXT_LINES
        tail = 0 if number == len(runs) - 1 else CONTEXT_LINES
        if kind is ChangeKind.SAME and len(lines) > head + tail + 1:
            yield kind, lines[:head]
            yield None, lines[head : len(lines) - tail]
            yield kind, lines[len(lines) - tail :]
        else:
            yield kind, lines


def _signed_lines(kind: ChangeKind, lines: Sequence[str], cells: int) -> Iterator[Spans]:
    role = Role.MUTED if kind is ChangeKind.SAME else _ROLES[kind]
    for line in lines:
        yield from hanging_indent([Span(_SIGNS[kind], role)], wrap_spans([Span(line, role)], max(2, cells - 3)))
