"""The page of what calls changed in files: the files with their counts, and each change line by line."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import Final, NamedTuple

from seqthink.drawing.describe import units
from seqthink.drawing.markup.text_diff import ChangeKind
from seqthink.drawing.panels.file_changes import ChangedFile, EditLine, ShownEdit, count_words
from seqthink.drawing.text.cells import cut_left, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.rules import rule
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_code, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_width, spread

MIN_NUMBERED_CELLS: Final = 30
"""Width below which lines have no numbers."""
_LOOKS: Final = {
    ChangeKind.SAME: (" ", Role.MUTED),
    ChangeKind.REMOVED: ("-", Role.BAD),
    ChangeKind.ADDED: ("+", Role.GOOD),
}


class ChangePage(NamedTuple):
    """The lines of all files, one after the other."""

    lines: list[Spans]
    starts: list[int]
    """The line with which each file begins."""


def change_page(files: Sequence[ChangedFile], cells: int, signs: Signs, zone: tzinfo) -> ChangePage:
    """Return the changes of all files in lines of at most ``cells`` cells."""
    lines: list[Spans] = []
    starts: list[int] = []
    for file in files:
        if lines:
            lines.append([])
        starts.append(len(lines))
        lines += _file_lines(file, cells, signs, zone)
    return ChangePage(lines, starts)


def file_row(file: ChangedFile, cells: int, signs: Signs, *, is_selected: bool) -> Spans:
    """Return the row of a file in a list: its path, and how many lines were added and removed."""
    counts = _counts(file)
    cursor = signs.selected if is_selected else " " * width(signs.selected)
    room = cells - width(cursor) - spans_width(counts) - 3
    path = cut_left(file.path, max(1, room), signs.ellipsis)
    left = [Span(cursor, Role.ACCENT), Span(f" {path}", Role.TEXT if file.is_changed else Role.MUTED)]
    return clip(spread(left, [*counts, Span(" ")], cells), cells)


def _counts(file: ChangedFile) -> Spans:
    if not file.is_changed:
        return [Span("failed", Role.BAD)]
    words = count_words(file.added, file.removed).split()
    roles = {"+": Role.GOOD, "-": Role.BAD}
    return [Span(f" {word}", roles[word[0]]) for word in words] or [Span(" moved", Role.MUTED)]


def _file_lines(file: ChangedFile, cells: int, signs: Signs, zone: tzinfo) -> Iterator[Spans]:
    counts = count_words(file.added, file.removed)
    path = cut_left(file.path, max(1, cells - width(counts) - 12), signs.ellipsis)
    yield rule([Span(f"{signs.rule * 2} ", Role.LINE), Span(path, Role.ACCENT)], counts, cells, signs)
    digits = len(str(max((line.number for edit in file.edits for line in edit.lines), default=0)))
    has_numbers = cells >= MIN_NUMBERED_CELLS
    for place, edit in enumerate(file.edits):
        if place:
            yield []
        yield from _edit_heading(edit, cells, signs, zone)
        for line in edit.lines:
            yield from _line(line, digits if has_numbers else 0, cells, signs, is_failed=edit.is_failed)


def _edit_heading(edit: ShownEdit, cells: int, signs: Signs, zone: tzinfo) -> Iterator[Spans]:
    facts = "".join(f" {signs.separator} {fact}" for fact in edit.facts)
    role = Role.BAD if edit.is_failed else Role.MUTED
    text = [Span(f"{units.clock(edit.time, zone)} ", Role.MUTED), Span(edit.tool), Span(facts, role)]
    yield from hanging_indent([Span(" ")], wrap_spans(text, max(2, cells - 2)))


def _line(line: EditLine, digits: int, cells: int, signs: Signs, *, is_failed: bool) -> Iterator[Spans]:
    if line.kind is None:
        yield clip([Span(f"   {signs.missing} {line.text}", Role.MUTED)], cells)
        return
    sign, role = _LOOKS[line.kind]
    role = Role.MUTED if is_failed else role
    number = f"{line.number or '':>{digits}} " if digits else ""
    head = [Span(f" {number}", Role.MUTED), Span(f"{sign} ", role)]
    pieces = wrap_code(line.text.rstrip(), max(2, cells - spans_width(head)))
    yield from hanging_indent(head, ([Span(piece, role)] for piece in pieces))
