"""The one line of a screen that has room for no other: state, age, count and a thought (screens.md, "What gives way").

The rest gives way to the thought first, then the thought to them.
"""

from seqthink.drawing.cells import cut, width
from seqthink.drawing.glyphs import Signs
from seqthink.drawing.row_layout import MIN_TEXT_CELLS
from seqthink.drawing.spans import Role, Span, Spans, clip, spans_width, spread


def compact_status_line(states: list[Span], count: str, text: Span, right: str, cells: int, signs: Signs) -> Spans:
    """Return the line in exactly ``cells`` cells.

    ``states`` says how the session stands, ever shorter; ``count`` is ``6 of ~8``; ``right`` is what else there is to
    say, where it leaves room.
    """
    short = count.replace(" of ", "/")
    heads = [_head(states[0], count), *(_head(state, short) for state in states)]
    least = [MIN_TEXT_CELLS] * (len(heads) - 2) + [-1, -1]  # the blank at the end may fall away
    found = (head for head, room in zip(heads, least[-len(heads) :], strict=True) if cells - spans_width(head) >= room)
    head = next(found, heads[-1])
    room = cells - spans_width(head)
    tail = [Span(f" {right}", Role.MUTED)] if right and room - width(right) - 1 >= MIN_TEXT_CELLS else []
    shown = text._replace(text=cut(text.text, room - spans_width(tail), signs.ellipsis))
    return clip(spread([*head, shown], tail, cells), cells)


def _head(state: Span, count: str) -> Spans:
    return [state, Span(f" {count} ", Role.MUTED)]
