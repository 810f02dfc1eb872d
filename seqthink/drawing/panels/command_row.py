"""One row of the command palette: the command's name, and its key at the right."""

from collections.abc import Sequence

from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, clip, spread
from seqthink.text import one_line


def command_row(
    name: str, hint: str, match_positions: Sequence[int], cells: int, *, signs: Signs, is_selected: bool = False
) -> Spans:
    """Return a command in exactly ``cells`` cells; the characters at ``match_positions`` are bold.

    The name is cut before the key is.
    """
    name, hint = one_line(name), one_line(hint)
    cursor = Span(signs.selected, Role.ACCENT) if is_selected else Span(" ")
    shown = cut(name, cells - 2 - (width(hint) + 2 if hint else 0), signs.ellipsis)
    matched = {index for index in match_positions if index < len(shown)}
    spans = [Span(sign, Role.ACCENT, BOLD) if at in matched else Span(sign) for at, sign in enumerate(shown)]
    return clip(spread([cursor, *spans], [Span(f"{hint} ", Role.MUTED)], cells), cells)
