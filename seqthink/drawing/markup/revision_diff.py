"""What a revision changed, as lines: ``[-removed-]`` and ``{+added+}``, so that it is readable without colour."""

from collections.abc import Iterator, Sequence

from seqthink.drawing.markup.text_diff import MAX_WORD_DIFF_TOKENS, ChangeKind, line_diff, tokens_of, word_diff
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.text import sanitize, unescape_breaks

_ROLES = {ChangeKind.SAME: Role.TEXT, ChangeKind.REMOVED: Role.BAD, ChangeKind.ADDED: Role.GOOD}
_BRACKETS = {ChangeKind.SAME: ("", ""), ChangeKind.REMOVED: ("[-", "-]"), ChangeKind.ADDED: ("{+", "+}")}
_SIGNS = {ChangeKind.SAME: "  ", ChangeKind.REMOVED: "- ", ChangeKind.ADDED: "+ "}
CONTEXT_LINES = 2
"""How many unchanged lines are shown before and after a change."""


def revision_diff_lines(old: str, new: str, cells: int, signs: Signs) -> list[Spans] | None:
    """Return the changes from ``old`` to ``new`` (unsanitized) as lines; None if too little is in common."""
    before, after = (sanitize(unescape_breaks(text)).strip("\n") for text in (old, new))
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


def _lines(old: str, new: str, cells: int, signs: Signs) -> Iterator[Spans]:
    runs = list(line_diff(old, new))
    for number, (kind, lines) in enumerate(runs):
        head = 0 if number == 0 else CONTEXT_LINES
        tail = 0 if number == len(runs) - 1 else CONTEXT_LINES
        if kind is ChangeKind.SAME and len(lines) > head + tail + 1:
            hidden = len(lines) - head - tail
            yield from _signed_lines(kind, lines[:head], cells)
            yield [Span(f" {signs.missing} {hidden:,} lines are the same", Role.MUTED)]
            yield from _signed_lines(kind, lines[len(lines) - tail :], cells)
        else:
            yield from _signed_lines(kind, lines, cells)


def _signed_lines(kind: ChangeKind, lines: Sequence[str], cells: int) -> Iterator[Spans]:
    role = Role.MUTED if kind is ChangeKind.SAME else _ROLES[kind]
    for line in lines:
        yield from hanging_indent([Span(_SIGNS[kind], role)], wrap_spans([Span(line, role)], max(2, cells - 3)))
