"""The page of marked thoughts: a row for each, and what surrounds them (docs/screens.md, "Marks")."""

from typing import NamedTuple

from seqthink.core.text import SafeText
from seqthink.drawing.describe import units
from seqthink.drawing.text.cells import cut, pad, width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans, clip, fitted_ends, key_hints, spread
from seqthink.drawing.text.wrap import wrap

NAME_CELLS, NARROW_NAME_CELLS = 20, 11
"""Width of the column with the name of the session; with much room it has up to a fourth of the row."""
NUMBER_CELLS, AGE_CELLS = 4, 5


class MarkedThought(NamedTuple):
    """What a row shows of a mark."""

    name: SafeText
    """Name of the session."""
    number: int
    """Number of the thought, 0 for none."""
    text: SafeText
    """First line of its text."""
    marked: int
    """When it was marked, in microseconds since 1970."""
    missing: str = ""
    """Why it cannot be opened: ``gone``; empty if it can."""


def mark_row(mark: MarkedThought, cells: int, *, now: int, signs: Signs = UNICODE, is_selected: bool = False) -> Spans:
    """Return a mark in exactly ``cells`` cells: session, number, text, age."""
    is_narrow = cells < NARROW_BELOW_CELLS
    name_cells = NARROW_NAME_CELLS if is_narrow else max(NAME_CELLS, min(cells // 4, width(mark.name) + 2))
    role = Role.MUTED if mark.missing else Role.TEXT
    number = f"{mark.number}" if mark.number else signs.reasoning
    left = [
        Span(signs.selected, Role.ACCENT) if is_selected else Span(" "),
        Span(pad(cut(mark.name, name_cells - 1, signs.ellipsis), name_cells), role),
        Span(f"{number:>{NUMBER_CELLS}}  ", Role.MUTED),
    ]
    missing = f"  {mark.missing}" if mark.missing else ""
    right = f"{missing}{units.age(now, mark.marked):>{AGE_CELLS}} "
    room = cells - 1 - name_cells - NUMBER_CELLS - 2 - len(right)
    left.append(Span(cut(mark.text, max(1, room), signs.ellipsis), role))
    return clip(spread(left, [Span(right, Role.MUTED)], cells), cells)


def marks_heading(shown: int, sessions: int, cells: int, *, right: Spans) -> Spans:
    """Return the first line: how many marks there are, and ``right`` at its end."""
    text = f"   {shown} in {units.count(sessions, 'session')}" if shown else ""
    title = Span(" Marks", Role.ACCENT)
    return fitted_ends([[title, Span(text)], [title], []], [[*right, Span(" ")]], cells)


def marks_keys(message: str, cells: int, *, has_marks: bool) -> Spans:
    """Return the last line: the keys, or a message."""
    keys = [("Enter", "open"), ("d", "remove"), ("Y", "link"), ("/", "search"), ("Esc", "back")]
    keys = keys if has_marks else keys[-1:]
    if message and cells < NARROW_BELOW_CELLS:
        return clip([Span(f" {message}", Role.GOOD)], cells)
    return clip(spread(key_hints(keys, cells), [Span(message, Role.GOOD), Span(" ")], cells), cells)


def no_marks_lines(cells: int, *, is_filtered: bool) -> list[Spans]:
    """Return the text shown instead of an empty list."""
    if is_filtered:
        return [
            [],
            *([Span(f" {line}", Role.MUTED)] for line in wrap("Nothing matches. Esc shows them all.", cells - 2)),
        ]
    lines = (
        "No marks yet. b on a thought marks it,",
        "b again takes the mark away; B comments",
        "on it. Those of all sessions are here.",
    )
    shown = lines if cells > max(map(len, lines)) + 1 else wrap(" ".join(lines), cells - 2)
    return [[], *([Span(f" {line}", Role.MUTED)] for line in shown)]
