"""Horizontal rules with a title at the left and facts at the right."""

from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_width

RULE_ENDS_CELLS = 6
"""Cells of a rule that belong neither to its left nor to its right text: blanks and line."""

MIN_LEFT_CELLS = 6
"""Cells of a left text below which the right one is shown alone."""


def rule(left: Spans, right: str, cells: int, signs: Signs, role: Role = Role.LINE) -> Spans:
    """Return a rule of exactly ``cells`` cells with ``left`` at its start and ``right`` near its end.

    When both do not fit, ``right`` loses its last parts first (parts are separated by ``signs.separator``); then
    ``left`` is cut, or dropped if next to nothing of it is left.
    """
    separator = f" {signs.separator} "
    parts = right.split(separator)
    if len(parts) > 1:
        while parts and spans_width(left) + width(separator.join(parts)) + RULE_ENDS_CELLS > cells:
            parts.pop()
        right = separator.join(parts)
    right = cut(right, cells - 10, signs.ellipsis)
    tail = f" {right} {signs.rule * 2}" if right else ""
    room = cells - spans_width(left) - width(tail) - 1
    if room < 1 and cells - width(tail) - 3 < MIN_LEFT_CELLS:
        line, shown = Span(signs.rule * 2, role), Span(f" {cut(right, cells - 6, signs.ellipsis)} ", Role.MUTED)
        return clip([line, shown, Span(signs.rule * max(0, cells - 2 - width(shown.text)), role)], cells)
    if room < 1:
        kept = clip(left, cells - width(tail) - 3)
        left = [*kept, Span(signs.ellipsis, kept[-1].role if kept else role)]
        room = cells - spans_width(left) - width(tail) - 1
    return [*left, Span(" " + signs.rule * room, role), Span(tail, Role.MUTED)]


def titled_rule(title: str, right: str, cells: int, signs: Signs, role: Role = Role.MUTED) -> Spans:
    """Return a rule whose title has one role."""
    return rule([Span(f"{signs.rule * 2} ", Role.LINE), Span(title, role)], right, cells, signs)
