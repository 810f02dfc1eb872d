"""What a revision changed, in lines: ``[-removed-]`` and ``{+added+}``, so that colour is not all that tells them."""

from collections.abc import Iterator, Sequence

from seqthink.drawing.diff import MOST_WORDS, Kind, line_diff, tokens_of, word_diff
from seqthink.drawing.flow import flow, hang
from seqthink.drawing.glyphs import Signs
from seqthink.drawing.spans import Role, Span, Spans
from seqthink.text import sanitize, unescape_breaks

_ROLES = {Kind.SAME: Role.TEXT, Kind.REMOVED: Role.BAD, Kind.ADDED: Role.GOOD}
_MARKS = {Kind.SAME: ("", ""), Kind.REMOVED: ("[-", "-]"), Kind.ADDED: ("{+", "+}")}
_SIGNS = {Kind.SAME: "  ", Kind.REMOVED: "- ", Kind.ADDED: "+ "}
AROUND = 2
"""How many unchanged lines are shown beside a change."""


def change_lines(old: str, new: str, cells: int, signs: Signs) -> list[Spans] | None:
    """Return what changed from ``old`` to ``new`` (as the model wrote them), or None: too little is in common."""
    before, after = (sanitize(unescape_breaks(text)).strip("\n") for text in (old, new))
    if len(tokens_of(before)) + len(tokens_of(after)) > MOST_WORDS:
        return list(_lines(before, after, cells, signs))
    pieces = word_diff(before, after)
    if pieces is None:
        return None
    spans: Spans = []
    for piece in pieces:
        spans += _spans(piece.kind, piece.text, gap=_gap(spans, piece.gap))
    return [[Span(" "), *line] for line in flow(spans, max(2, cells - 2))]


def _gap(before: Spans, gap: str) -> str:
    """Return what parts a piece from the one before: in the line of two texts, only one may break it."""
    if not before or before[-1].text.endswith("\n"):
        return ""
    return gap


def _spans(kind: Kind, text: str, gap: str) -> Spans:
    opening, closing = _MARKS[kind]
    role = _ROLES[kind]
    if kind is Kind.SAME:
        return [Span(gap + text, role)]
    spans = [Span(gap)] if gap else []
    # A change over several lines is marked on each of them; a line break that is gone joins.
    lines = text.split("\n") if kind is Kind.ADDED else [" ".join(text.split())]
    for number, line in enumerate(lines):
        if number:
            spans.append(Span("\n"))
        if line.strip() or (kind is Kind.REMOVED and text.strip()):
            spans.append(Span(f"{opening}{line}{closing}", role))
    return spans


def _lines(old: str, new: str, cells: int, signs: Signs) -> Iterator[Spans]:
    runs = list(line_diff(old, new))
    for number, (kind, lines) in enumerate(runs):
        head = 0 if number == 0 else AROUND
        tail = 0 if number == len(runs) - 1 else AROUND
        if kind is Kind.SAME and len(lines) > head + tail + 1:
            hidden = len(lines) - head - tail
            yield from _marked(kind, lines[:head], cells)
            yield [Span(f" {signs.missing} {hidden:,} lines are the same", Role.MUTED)]
            yield from _marked(kind, lines[len(lines) - tail :], cells)
        else:
            yield from _marked(kind, lines, cells)


def _marked(kind: Kind, lines: Sequence[str], cells: int) -> Iterator[Spans]:
    role = Role.MUTED if kind is Kind.SAME else _ROLES[kind]
    for line in lines:
        yield from hang([Span(_SIGNS[kind], role)], flow([Span(line, role)], max(2, cells - 3)))
