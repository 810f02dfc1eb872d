"""The status line of a screen with room for one line: state, age, count and a thought.

See docs/screens.md, "What gives way as width shrinks": everything else is shortened before the thought gets less than
its minimum width.
"""

from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.row_layout import MIN_TEXT_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_width, spread


def compact_status_line(states: list[Span], count: str, text: Span, right: str, cells: int, signs: Signs) -> Spans:
    """Return the line in exactly ``cells`` cells.

    Args:
        states: the session's status, the longest form first.
        count: the progress, as ``6 of ~8``.
        text: the thought.
        right: further text, shown where there is room.
        cells: width of the line.
        signs: the character set.
    """
    short = count.replace(" of ", "/")
    heads = [_head(states[0], count), *(_head(state, short) for state in states)]
    least = [MIN_TEXT_CELLS] * (len(heads) - 2) + [-1, -1]  # for the last two the trailing blank may be cut
    found = (head for head, room in zip(heads, least[-len(heads) :], strict=True) if cells - spans_width(head) >= room)
    head = next(found, heads[-1])
    room = cells - spans_width(head)
    tail = [Span(f" {right}", Role.MUTED)] if right and room - width(right) - 1 >= MIN_TEXT_CELLS else []
    shown = text._replace(text=cut(text.text, room - spans_width(tail), signs.ellipsis))
    return clip(spread([*head, shown], tail, cells), cells)


def _head(state: Span, count: str) -> Spans:
    return [state, Span(f" {count} ", Role.MUTED)]
