"""A session on the wall: as a tile, as a band on a narrow screen, or as one line (docs/screens.md, "The wall").

Everything is drawn from values. A tile takes exactly the cells and rows that it is given, whatever its session holds.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from seqthink.core.text import first_line
from seqthink.drawing.describe.now_line import now_spans
from seqthink.drawing.markup.markdown import markdown_lines
from seqthink.drawing.panels.wall_facts import WallTile
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import DOWN, HEAVY_BOXES, LEFT, RIGHT, UP, Signs
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, clip, spans_text, spans_width

CHARS_PER_CELL = 2
"""Characters of a text that are rendered for each cell that it may have."""
MIN_NAME_CELLS = 6
"""Cells of a name below which something else gives way."""
MIN_TEXT_CELLS = 12
"""Cells of a text in a line below which it is left out."""
LOW_ROWS = 8
"""Rows of a tile below which state and present action share a row."""
MAX_NUMBER = 9
"""The largest number of a session: each is a key."""

TreeEnd = Callable[[int, int], Sequence[Spans]]
"""Returns the end of a session's tree in at most that many cells and rows."""


def no_tree(cells: int, rows: int) -> Sequence[Spans]:  # noqa: ARG001 - a `TreeEnd`
    """Return no rows."""
    return []


# Tiles


def draw_tile(
    tile: WallTile, cells: int, rows: int, signs: Signs, *, tree: TreeEnd = no_tree, is_band: bool = False
) -> list[Spans]:
    """Return a tile in exactly ``rows`` lines of ``cells`` cells, with the end of its ``tree``."""
    draw = _band if is_band or rows < 4 or cells < 12 else _framed
    lines = draw(tile, cells, rows, tree, signs)
    return [_filled(line, cells) for line in (*lines[:rows], *[[]] * (rows - len(lines)))]


def _filled(spans: Spans, cells: int) -> Spans:
    spans = clip(spans, cells)
    rest = cells - spans_width(spans)
    return [*spans, Span(" " * rest)] if rest > 0 else spans


def _edge_role(tile: WallTile) -> Role:
    if tile.is_heavy:
        return Role.WARN
    return Role.ACCENT if tile.is_selected else Role.LINE


def _framed(tile: WallTile, cells: int, rows: int, tree: TreeEnd, signs: Signs) -> list[Spans]:
    box, role, inner = HEAVY_BOXES[signs.box] if tile.is_heavy else signs.box, _edge_role(tile), cells - 4
    side = box[UP | DOWN]
    head = _head(tile, inner, rows, signs)
    body = [*head, *_body(tile, inner, rows - 2 - len(head), tree, signs)]
    blank: Spans = []
    lines = [_top(tile, cells, box, role, signs)]
    lines += [
        [Span(f"{side} ", role), *_filled(spans, inner), Span(f" {side}", role)]
        for spans in (*body, *[blank] * (rows - 2 - len(body)))
    ]
    line = box[LEFT | RIGHT]
    return [*lines, [Span(box[UP | RIGHT] + line * (cells - 2) + box[UP | LEFT], role)]]


def _head(tile: WallTile, cells: int, rows: int, signs: Signs) -> list[Spans]:
    """Return the state and what it does now; a low tile says both in one row, and a question says it itself."""
    if tile.doing is None or tile.question:
        return [_state_row(tile, cells)]
    if rows >= LOW_ROWS:
        return [_state_row(tile, cells, has_clock=False), now_spans(tile.doing, cells, signs)]
    if tile.is_heavy:
        return [_state_row(tile, cells)]
    sign = [Span(f"{tile.status.sign} ", tile.status.role)]
    return [[*sign, *now_spans(tile.doing, cells - spans_width(sign), signs)]]


def _top(tile: WallTile, cells: int, box: str, role: Role, signs: Signs) -> Spans:
    """Return the upper edge: the tile's number, name and client, and its progress at the right."""
    line = box[LEFT | RIGHT]
    number = _number(tile)
    tail = (
        [Span(" "), Span(tile.progress, _calm(tile)), Span(f" {line}", role)] if tile.progress else [Span(line, role)]
    )
    corner = Span(box[DOWN | RIGHT] + (signs.selected if tile.is_selected else line), role)
    room = cells - 1 - 2 - spans_width(number) - 2 - spans_width(tail)
    if room < MIN_NAME_CELLS:
        tail, room = [Span(line, role)], room + spans_width(tail) - 1
    label = _label(tile, room, signs)
    rest = room - spans_width(label)
    return [corner, *number, Span(" "), *label, Span(" "), Span(line * rest, role), *tail, Span(box[DOWN | LEFT], role)]


def _number(tile: WallTile) -> Spans:
    if not tile.number:
        return []
    if tile.is_selected:
        return [Span(f" {tile.number} ", Role.MATCH)]
    return [Span(" "), Span(str(tile.number), Role.WARN if tile.is_heavy else Role.ACCENT)]


def _label(tile: WallTile, room: int, signs: Signs) -> Spans:
    """Return name and client in at most ``room`` cells; the client goes first."""
    name = Span(cut(tile.name, room, signs.ellipsis), Role.TEXT, BOLD)
    rest = room - width(name.text) - 3
    if not tile.client or rest < MIN_NAME_CELLS:
        return [name]
    return [name, Span(f" {signs.separator} {cut(tile.client, rest, signs.ellipsis)}", Role.MUTED)]


def _calm(tile: WallTile) -> Role:
    return Role.MUTED if tile.is_over else Role.TEXT


def _state_row(tile: WallTile, cells: int, *, has_clock: bool = True) -> Spans:
    """Return sign and word, and at the right context, shape and clock, unless the row below has one.

    Where there is no room, the shape goes first, then the context.
    """
    state = [Span(f"{tile.status.sign} {tile.status.word}", tile.status.role, BOLD if tile.is_heavy else 0)]
    clock = _clock(tile) if has_clock else []
    shape, contexts = list(tile.shape), [[form] for form in tile.context]
    rights = [_spaced(form, shape, clock) for form in contexts] + [_spaced(form, clock) for form in contexts]
    rights = rights or [_spaced(shape, clock)]
    fitting = (right for right in rights if spans_width(state) + 2 + spans_width(right) <= cells)
    return _ends(state, next(fitting, clock), cells)


def _spaced(*groups: Spans) -> Spans:
    """Return groups of spans with two blanks between them, without those that are empty."""
    spans: Spans = []
    for group in groups:
        spans += [Span("  "), *group] if spans and group else group
    return spans


def _clock(tile: WallTile) -> Spans:
    return [Span(f"{tile.silence:>3}", tile.status.role if tile.is_heavy else Role.MUTED)] if tile.silence else []


def _ends(left: Spans, right: Spans, cells: int) -> Spans:
    """Return both ends of a row; without room for both, the left one."""
    gap = cells - spans_width(left) - spans_width(right)
    return [*left, Span(" " * gap), *right] if gap >= 0 else clip(left, cells)


def _body(tile: WallTile, cells: int, rows: int, tree: TreeEnd, signs: Signs) -> list[Spans]:
    """Return the question or the trouble, in at most half of the rows, then the end of the tree."""
    first = tile.text if tile.is_broken else tile.question
    most = rows - rows // 2
    question = _fitting(_prose(first, cells, most, Role.WARN, signs), cells, most, signs) if first else []
    return [*question, *(tree(cells, rows - len(question)) if rows > len(question) else ())]


def _fitting(lines: Iterator[Spans], cells: int, rows: int, signs: Signs) -> list[Spans]:
    """Return the first ``rows`` lines; the last one says whether anything was cut."""
    if rows <= 0:
        return []
    shown = list(islice(lines, rows))
    if next(lines, None) is None:
        return shown
    *whole, last = shown
    kept = clip(last, cells - width(signs.ellipsis))
    return [*whole, [*kept, Span(signs.ellipsis, kept[-1].role if kept else Role.TEXT)]]


def _prose(text: str, cells: int, rows: int, role: Role, signs: Signs) -> Iterator[Spans]:
    """Yield a text rendered in lines, without the blank ones between paragraphs."""
    shown = text[: CHARS_PER_CELL * cells * max(1, rows)]  # the rest of a long text has no room in any case
    return (line for line in markdown_lines(shown, cells, role=role, signs=signs, margin=0) if spans_text(line).strip())


# Bands


def _band(tile: WallTile, cells: int, rows: int, tree: TreeEnd, signs: Signs) -> list[Spans]:
    """Return a tile without a frame: a heading, and the rest behind a bar."""
    bar = Span(*_bar(tile, signs))
    has_now = tile.doing is not None and not tile.question and rows > 2
    lines = [[bar, *_band_heading(tile, cells - 1, signs, has_clock=not has_now)]]
    lines += [[bar, Span(" "), *now_spans(tile.doing, cells - 2, signs)]] if has_now else []
    lines += [[bar, Span(" "), *line] for line in _body(tile, cells - 2, rows - len(lines), tree, signs)]
    return [*lines, *[[bar]] * (rows - len(lines))]


def _bar(tile: WallTile, signs: Signs) -> tuple[str, Role]:
    """Return the sign at the left edge: whether the session is selected, or needs the person."""
    heavy = HEAVY_BOXES[signs.box][UP | DOWN]
    return signs.selected if tile.is_selected else heavy if tile.is_heavy else " ", _edge_role(tile)


def _band_heading(tile: WallTile, cells: int, signs: Signs, *, has_clock: bool) -> Spans:
    """Return number, sign, name, machine, state, clock, shape and progress in ``cells`` cells.

    What is at the right goes first, then the machine.
    """
    status, face = tile.status, BOLD if tile.is_heavy else 0
    has_word = status.role is not Role.ACCENT or status.word != "thinking"
    words = " ".join(filter(None, (status.word if has_word else "", tile.silence if has_clock else "")))
    left: Spans = [*(_number(tile) or [Span("  ")]), *([] if tile.is_selected and tile.number else [Span(" ")])]
    left.append(Span(f"{status.sign} ", status.role, face))
    state: Spans = [Span(f" {signs.separator} ", Role.MUTED), Span(words, status.role, face)] if words else []
    progress = Span(f"  {tile.progress}", _calm(tile))
    where = cut(tile.machine, cells // 3, signs.ellipsis)
    machine = [Span(f" {signs.separator} {where}", Role.MUTED)] if where else []
    context = [Span("  "), tile.context[-1]] if tile.context else []
    rights: tuple[Spans, ...] = ([Span("  "), *tile.shape, *context, progress], [*context, progress], [progress], [])
    least = min(width(tile.name), 2 * MIN_NAME_CELLS)
    for middle, right in [*((machine, right) for right in rights if machine), *(([], right) for right in rights)]:
        room = cells - spans_width(left) - spans_width(middle) - spans_width(state) - spans_width(right)
        if room >= least or not (middle or right):
            name = Span(cut(tile.name, room, signs.ellipsis), Role.TEXT, BOLD)
            return _ends([*left, name, *middle, *state], right, cells)
    return left


# Lines


def draw_line(tile: WallTile, cells: int, signs: Signs) -> Spans:
    """Return a session in one line: its sign, its name, what it said last, its progress, and when.

    The text is left out first, then the progress, then the end of the name.
    """
    status, role = tile.status, Role.TEXT if tile.is_unread or tile.is_selected else Role.MUTED
    left: Spans = [Span(*_bar(tile, signs)), *(_number(tile) or [Span("  ")])]
    left += [*([] if tile.is_selected and tile.number else [Span(" ")]), Span(f"{status.sign} ", status.role)]
    when = f"  {tile.when:>3} " if tile.when else ""
    rights: list[Spans] = [[Span(f"  {tile.progress}{when}", Role.MUTED)], [Span(when, Role.MUTED)], []]
    name, room = tile.name, cells - spans_width(left)
    least = min(width(name), 2 * MIN_NAME_CELLS)
    right = next((right for right in rights if room - spans_width(right) >= least), rights[-1])
    room -= spans_width(right)
    left.append(Span(cut(name, room, signs.ellipsis), role, BOLD if tile.is_unread else 0))
    room = cells - spans_width(left) - spans_width(right) - 2
    left += [Span(f"  {text}", Role.MUTED) for text in _said(tile, room, signs)]
    return _filled(_ends(left, right, cells), cells)


def _said(tile: WallTile, room: int, signs: Signs) -> list[str]:
    """Return the machine, the word of a state whose sign is that of others, and the text, as far as they fit."""
    word = "" if tile.is_over else tile.status.word
    parts = [part for part in (tile.machine, word, first_line(tile.text)) if part]
    text = f" {signs.separator} ".join(parts) if room >= MIN_TEXT_CELLS else word if width(word) <= room else ""
    return [cut(text, room, signs.ellipsis)] if text else []
