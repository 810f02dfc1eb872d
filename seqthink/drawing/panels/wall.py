"""The wall: live sessions side by side as tiles, or one below the other as bands (docs/screens.md, "The wall").

Everything is drawn from values. A tile takes exactly the cells and rows that it is given, whatever its session holds.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat

from msgspec import Struct

from seqthink.chain.attention import Attention, Standing, StuckReason
from seqthink.chain.overview.states import ShownState, counts_by_state
from seqthink.chain.session import Session
from seqthink.chain.state import STALE_SECONDS
from seqthink.drawing.describe import units
from seqthink.drawing.describe.now_line import NowLine, now_line, now_spans
from seqthink.drawing.describe.session import client_name, session_progress
from seqthink.drawing.describe.status import Status, counts_spans, standing_status, standing_words, state_status
from seqthink.drawing.markup.markdown import markdown_lines
from seqthink.drawing.rows.sparkline import sparkline
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import DOWN, HEAVY_BOXES, LEFT, RIGHT, UP, Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, clip, spans_text, spans_width
from seqthink.drawing.text.wrap import wrap
from seqthink.text import SafeText, one_line

MAX_TILE_CHARS = 6000
"""Characters of a thought or question that a tile looks at."""
CHARS_PER_CELL = 2
"""Characters of a text that are rendered for each cell that it may have."""
MAX_LABEL_CHARS = 400
"""Characters of a name that a tile looks at."""
MIN_NAME_CELLS = 6
"""Cells of a name below which something else gives way."""
GAP_CELLS = 1
"""Cells between two tiles."""
MAX_NUMBER = 9
"""The largest number of a tile: each is a key."""


class WallTile(Struct, frozen=True, kw_only=True):
    """What a tile says of its session."""

    number: int = 0
    """The key that opens it; 0 for none."""
    name: SafeText
    client: SafeText = SafeText("")
    """Client, and host if that is another one."""
    machine: SafeText = SafeText("")
    """The machine of a fleet that it runs on, for tiles that have no room for ``client``."""
    status: Status
    is_heavy: bool = False
    """It needs the person."""
    is_over: bool = False
    """Nothing more is expected to come."""
    progress: str = ""
    """``6 of ~8``."""
    shape: tuple[Span, ...] = ()
    """The sparkline of its newest chain."""
    silence: str = ""
    """For how long nothing came; empty where the state says that."""
    doing: NowLine | None = None
    """What it does now, if it is live."""
    question: str = ""
    """What the person is asked, as it was written."""
    text: str = ""
    """The newest thought, as it was written."""
    is_selected: bool = False


class WallCount(Struct, frozen=True, kw_only=True):
    """How many sessions there are, and how many of them the page does not show."""

    states: tuple[ShownState, ...] = ()
    """The state of each session."""
    page: int = 0
    """The page, counted from 0."""
    pages: int = 1
    hidden: int = 0
    """Sessions on other pages."""
    needing: int = 0
    """Of these, how many need the person."""
    trouble: str = ""
    """Why what is shown may be old, in words."""


# What a session says of itself


def wall_tile(
    session: Session,
    standing: Standing,
    *,
    name: SafeText,
    newest: str,
    changed: int,
    now: int,
    stale_seconds: int = STALE_SECONDS,
    signs: Signs,
    number: int = 0,
    is_selected: bool = False,
    host: str = "",
    machine: str = "",
    trouble: str = "",
) -> WallTile:
    """Return the tile of a session.

    Args:
        session: the session.
        standing: what it needs, or does.
        name: its name.
        newest: its newest thought, as it was written.
        changed: when something came last, in microseconds since 1970.
        now: the current time, in microseconds since 1970.
        stale_seconds: seconds without a thought after which a thinking session counts as quiet.
        signs: the character set.
        number: the key that opens it, or 0.
        is_selected: whether it is selected.
        host: the computer that the viewer runs on; a session of another one names its own.
        machine: the machine of a fleet that it runs on, whatever it says itself.
        trouble: why its journal cannot be read now.
    """
    lane = session.chains.lanes_of(session.chain_count - 1)[0] if session.chain_count else None
    return WallTile(
        number=number,
        name=SafeText(name[:MAX_LABEL_CHARS]),
        client=_client(session, name, host, machine, signs),
        machine=one_line(machine[:MAX_LABEL_CHARS]),
        status=Status(signs.refused, "not read", Role.BAD)
        if trouble
        else wall_status(standing, now, signs, stale_seconds),
        is_heavy=standing.needs_person,
        is_over=standing.is_over,
        progress=session_progress(session),
        shape=tuple(sparkline(session, lane, signs)) if lane is not None else (),
        silence=units.age(now, changed) if changed and not _names_age(standing) else "",
        doing=None if trouble else now_line(session, standing, now, stale_seconds),
        question=standing.question[:MAX_TILE_CHARS],
        text=f"{one_line(trouble)}\n\n{newest}"[:MAX_TILE_CHARS] if trouble else newest[:MAX_TILE_CHARS],
        is_selected=is_selected,
    )


def wall_status(standing: Standing, now: int, signs: Signs, stale_seconds: int = STALE_SECONDS) -> Status:
    """Return how a tile shows a session's standing: the words say for how long it asks, and why it is stuck."""
    shown = standing_status(standing, signs, now, stale_seconds)
    return Status(shown.sign, standing_words(standing, signs, now), shown.role) if standing.needs_person else shown


def _names_age(standing: Standing) -> bool:
    """Return whether the state's words say for how long nothing came."""
    return standing.attention is Attention.ASKING or standing.reason is StuckReason.SILENT


def _client(session: Session, name: SafeText, host: str, machine: str, signs: Signs) -> SafeText:
    event = session.session_event
    client, other = client_name(event), one_line((event.host or "")[:MAX_LABEL_CHARS]) if event is not None else ""
    where = one_line(machine[:MAX_LABEL_CHARS]) if machine else other if other != host and host else ""
    parts = [where if machine else "", client[:MAX_LABEL_CHARS] if client != name else "", "" if machine else where]
    return SafeText(f" {signs.separator} ".join(part for part in parts if part))


# Tiles


def draw_tile(tile: WallTile | None, cells: int, rows: int, signs: Signs, *, is_band: bool = False) -> list[Spans]:
    """Return a tile, or an empty place, in exactly ``rows`` lines of ``cells`` cells."""
    if tile is None:
        lines: list[Spans] = []
    elif is_band or rows < 4 or cells < 12:
        lines = _band(tile, cells, rows, signs)
    else:
        lines = _framed(tile, cells, rows, signs)
    return [_filled(line, cells) for line in (*lines[:rows], *[[]] * (rows - len(lines)))]


def _filled(spans: Spans, cells: int) -> Spans:
    spans = clip(spans, cells)
    rest = cells - spans_width(spans)
    return [*spans, Span(" " * rest)] if rest > 0 else spans


def _edge_role(tile: WallTile) -> Role:
    if tile.is_heavy:
        return Role.WARN
    return Role.ACCENT if tile.is_selected else Role.LINE


def _framed(tile: WallTile, cells: int, rows: int, signs: Signs) -> list[Spans]:
    box, role, inner = HEAVY_BOXES[signs.box] if tile.is_heavy else signs.box, _edge_role(tile), cells - 4
    side = box[UP | DOWN]
    doing = _doing_rows(tile, inner, rows - 4, signs)
    body = chain([_state_row(tile, inner)], doing, _body(tile, inner, rows - 3 - len(doing), signs))
    lines = [_top(tile, cells, box, role, signs)]
    blank: Spans = []
    lines += [
        [Span(f"{side} ", role), *_filled(spans, inner), Span(f" {side}", role)]
        for spans in islice(chain(body, repeat(blank)), rows - 2)
    ]
    line = box[LEFT | RIGHT]
    return [*lines, [Span(box[UP | RIGHT] + line * (cells - 2) + box[UP | LEFT], role)]]


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


def _state_row(tile: WallTile, cells: int) -> Spans:
    """Return sign and word, and at the right the shape and the clock."""
    state = [Span(f"{tile.status.sign} {tile.status.word}", tile.status.role, BOLD if tile.is_heavy else 0)]
    clock = _clock(tile)
    right: Spans = [*tile.shape, Span("  "), *clock] if tile.shape and clock else [*tile.shape, *clock]
    if spans_width(state) + 2 + spans_width(right) > cells:
        right = clock
    return _ends(state, right, cells)


def _doing_rows(tile: WallTile, cells: int, rows: int, signs: Signs) -> list[Spans]:
    """Return the line that says what it does now, where it leaves a row to the text; a question says it itself."""
    return [now_spans(tile.doing, cells, signs)] if tile.doing and not tile.question and rows > 0 else []


def _clock(tile: WallTile) -> Spans:
    return [Span(f"{tile.silence:>3}", tile.status.role if tile.is_heavy else Role.MUTED)] if tile.silence else []


def _ends(left: Spans, right: Spans, cells: int) -> Spans:
    """Return both ends of a row; without room for both, the left one."""
    gap = cells - spans_width(left) - spans_width(right)
    return [*left, Span(" " * gap), *right] if gap >= 0 else clip(left, cells)


def _body(tile: WallTile, cells: int, rows: int, signs: Signs) -> list[Spans]:
    """Return the question, then as much of the newest thought as there is room for, in at most ``rows`` lines."""
    asked = _fitting(_prose(tile.question, cells, rows, Role.WARN, signs), cells, rows, signs) if tile.question else []
    role = Role.MUTED if tile.is_over or tile.question else Role.TEXT
    return asked + _fitting(_prose(tile.text, cells, rows, role, signs), cells, rows - len(asked), signs)


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


def _band(tile: WallTile, cells: int, rows: int, signs: Signs) -> list[Spans]:
    """Return a tile without a frame: a heading, and the text behind a bar."""
    heavy = HEAVY_BOXES[signs.box][UP | DOWN]
    bar = Span(signs.selected if tile.is_selected else heavy if tile.is_heavy else " ", _edge_role(tile))
    lines = [[bar, *_band_heading(tile, cells - 1, signs)]]
    doing = _doing_rows(tile, cells - 2, rows - 2, signs)
    body = chain(doing, _body(tile, cells - 2, rows - 1 - len(doing), signs))
    lines += [[bar, Span(" "), *line] for line in body]
    return [*lines, *[[bar]] * (rows - len(lines))]


def _band_heading(tile: WallTile, cells: int, signs: Signs) -> Spans:
    """Return number, sign, name, machine, state, shape and progress in ``cells`` cells.

    What is at the right goes first, then the machine.
    """
    status, face = tile.status, BOLD if tile.is_heavy else 0
    has_word = status.role is not Role.ACCENT or status.word != "thinking"
    said = " ".join(part for part in (status.word if has_word else "", tile.silence) if part)
    left: Spans = [*(_number(tile) or [Span("  ")]), *([] if tile.is_selected and tile.number else [Span(" ")])]
    left.append(Span(f"{status.sign} ", status.role, face))
    state: Spans = [Span(f" {signs.separator} ", Role.MUTED), Span(said, status.role, face)] if said else []
    progress = Span(f"  {tile.progress}", _calm(tile))
    where = cut(tile.machine, cells // 3, signs.ellipsis)
    machine = [Span(f" {signs.separator} {where}", Role.MUTED)] if where else []
    rights: tuple[Spans, ...] = ([Span("  "), *tile.shape, progress], [progress], [])
    least = min(width(tile.name), 2 * MIN_NAME_CELLS)
    for middle, right in [*((machine, right) for right in rights if machine), *(([], right) for right in rights)]:
        room = cells - spans_width(left) - spans_width(middle) - spans_width(state) - spans_width(right)
        if room >= least or not (middle or right):
            name = Span(cut(tile.name, room, signs.ellipsis), Role.TEXT, BOLD)
            return _ends([*left, name, *middle, *state], right, cells)
    return left


# The screen


def wall_lines(
    tiles: Sequence[WallTile | None], columns: int, rows: int, cells: int, height: int, signs: Signs
) -> list[Spans]:
    """Return a page of ``columns`` by ``rows`` places in ``height`` lines of ``cells`` cells, row by row."""
    lines: list[Spans] = []
    widths = shares(cells - GAP_CELLS * (columns - 1), columns)
    for row, tile_rows in enumerate(shares(height, rows)):
        drawn = [
            draw_tile(
                tiles[place] if (place := row * columns + column) < len(tiles) else None,
                tile_cells,
                tile_rows,
                signs,
                is_band=columns == 1 and cells < NARROW_BELOW_CELLS,
            )
            for column, tile_cells in enumerate(widths)
        ]
        lines += [_joined(parts) for parts in zip(*drawn, strict=True)]
    return lines


def shares(whole: int, parts: int) -> list[int]:
    """Return ``whole`` cells or rows divided among ``parts``, the first ones larger by one."""
    each, rest = divmod(max(0, whole), max(1, parts))
    return [each + (part < rest) for part in range(parts)]


def _joined(parts: Iterable[Spans]) -> Spans:
    spans: Spans = []
    for number, part in enumerate(parts):
        spans += [Span(" " * GAP_CELLS), *part] if number else part
    return spans


def wall_heading(count: WallCount, cells: int, signs: Signs) -> Spans:
    """Return the first line: how many sessions need, think and are done, and what other pages hold."""
    wordy = _counts(count.states, signs, has_words=True)
    brief = _counts(count.states, signs, has_words=False)
    right, short = _other_pages(count, signs), _other_pages(count, signs, is_short=True)
    numbers: Spans = [*short[:-1], Span(f"{count.page + 1}/{count.pages} ", Role.MUTED)] if short else []
    ends = [right, short, numbers, []]
    if count.trouble:
        said: Spans = [Span(f"{signs.refused} {count.trouble} ", Role.BAD)]
        ends = [said + right, said]
    for left, end in ((wordy, ends[0]), *((brief, end) for end in ends)):
        if spans_width(left) + spans_width(end) + 1 <= cells:
            return _ends(left, end, cells)
    if count.trouble:
        return [Span(cut(f"{signs.refused} {count.trouble}", cells, signs.ellipsis), Role.BAD)]
    return clip(brief, cells)


def _counts(states: Sequence[ShownState], signs: Signs, *, has_words: bool) -> Spans:
    """Return how many sessions are in each state, in words or by sign alone."""
    spans: Spans = [Span(" Wall", Role.ACCENT)]
    if not states:
        return [*spans, Span("   none yet", Role.MUTED)]
    if not has_words:
        brief = [Span("  "), *counts_spans(states, signs, gap="  ")]
        return [*spans, *(span._replace(face=BOLD) for span in brief)]
    for state, number in counts_by_state(states).items():
        shown = state_status(state, signs)
        spans += [Span("   "), Span(f"{shown.sign}{number}", shown.role, BOLD), Span(f" {shown.word}", shown.role)]
    return spans


def _other_pages(count: WallCount, signs: Signs, *, is_short: bool = False) -> Spans:
    if count.pages < 2:
        return []
    page = f"{count.page + 1}/{count.pages}" if is_short else f"page {count.page + 1} of {count.pages}"
    needing = f"{signs.attention}{count.needing}"
    spans: Spans = [Span(f"{needing} " if is_short else f"{needing} on another page   ", Role.WARN, BOLD)]
    hidden = "" if is_short else f"{count.hidden} more {signs.separator} "
    return [*(spans if count.needing else []), Span(f"{hidden}{page} {signs.separator} PgDn ", Role.MUTED)]


def wall_keys(keys: Sequence[tuple[str, str]], right: Span, cells: int) -> Spans:
    """Return the last line: as many keys as there is room for, and ``right`` at its end."""
    spans: Spans = [Span(" ")]
    room = cells - (width(right.text) + 2 if right.text else 0)
    for key, meaning in keys:
        entry = [Span(key, Role.ACCENT), Span(f" {meaning}  ", Role.MUTED)]
        if spans_width(spans) + spans_width(entry) - 2 > room:
            break
        spans += entry
    return _ends(clip(spans, room), [right, Span(" ")], cells) if right.text else clip(spans, cells)


def empty_wall_lines(cells: int) -> list[Spans]:
    """Return what the wall says while there is nothing to show."""
    said = (
        "Nothing is going on: the wall waits for an agent that thinks.",
        "It shows the sessions that are live, and those that changed in the last ten minutes.",
        "s lists the earlier ones.",
    )
    return [[], *([Span(f" {line}", Role.MUTED)] for text in said for line in wrap(text, cells - 2))]
