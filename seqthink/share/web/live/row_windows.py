"""Windows of rows for the page's tree: each row with its place, its folds and its drawing."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from msgspec import Raw, Struct

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree
from seqthink.share.export.html_shapes import RowDrawer
from seqthink.share.export.outline import fold_key, is_row_open, row_key
from seqthink.share.web.parameters import Folds

MAX_ROWS = 200
"""Rows of one answer."""
MAX_KEY_CHARS = 20


class Window(Struct, frozen=True, kw_only=True):
    """Which rows a reader wants."""

    view: str
    """``tree`` or ``timeline``."""
    first: int
    stop: int
    folds: Folds
    keep: str = ""
    """The key of a row whose number is wanted, too."""


def drawn_rows(drawer: RowDrawer, painter: Painter, first: int, stop: int) -> list[dict[str, Any]]:
    """Return the existing rows from ``first`` to before ``stop``, at most ``MAX_ROWS``."""
    rows = painter.tree
    assert isinstance(rows, Tree | Timeline), "these are shown"
    first = min(first, rows.count)
    return [_row(drawer, painter, rows, number) for number in range(first, min(stop, first + MAX_ROWS, rows.count))]


def _row(drawer: RowDrawer, painter: Painter, rows: Tree | Timeline, number: int) -> dict[str, Any]:
    session, row = rows.session, rows.row(number)
    is_open = is_row_open(rows, row) if row.kind is not RowKind.CHAIN or rows.has_headings else None
    level, position, size = (1, number + 1, rows.count) if isinstance(rows, Timeline) else _place(rows, row)
    node: Raw = drawer.node(painter, number)
    return {
        "key": row_key(session, row),
        "seq": seq_of(session, row),
        "level": level,
        "position": position,
        "size": size,
        "is_open": is_open,
        "fold": fold_key(row) if is_open is not None else "",
        "node": node,
    }


def seq_of(session: Session, row: TreeRow) -> int:
    """Return the journal position of a row's thought or aside; 0 for another row."""
    match row.kind:
        case RowKind.THOUGHT:
            return session.thoughts.get(row.ordinal).seq
        case RowKind.ASIDE:
            return session.asides.get(row.ordinal).seq
        case _:
            return 0


def _place(rows: Tree, row: TreeRow) -> tuple[int, int, int]:
    """Return a row's level from 1, and the place among how many: a thought in its lane, a branch at its fork.

    Both are 0 for a row that is not counted.
    """
    session, base = rows.session, 1 + rows.has_headings
    if row.kind is RowKind.CHAIN:
        return 1, row.chain + 1, session.chain_count
    if row.lane == NONE:
        return base, 0, 0
    lane = session.lanes.get(row.lane)
    if row.kind is RowKind.THOUGHT:
        place = session.thoughts.index_in_lane(row.ordinal) + 1
        return base + lane.depth, place, session.lanes.length_of(row.lane)
    if row.kind is RowKind.BRANCH and lane.fork != NONE:
        siblings = session.lanes.branches_from(lane.fork)
        return base + lane.depth - 1, bisect_left(siblings, row.lane) + 1, len(siblings)
    return base + lane.depth - (row.kind is RowKind.BRANCH), 0, 0


# Where a row is now


def number_of_key(rows: Tree | Timeline, key: str) -> int | None:
    """Return the number of the row with a key, or of what hides it; None if there is no such row now."""
    session, kind, digits = rows.session, key[:1], key[1:]
    if len(key) > MAX_KEY_CHARS or not (digits.isascii() and digits.isdigit()):
        return None
    if kind in {"t", "g", "a"}:
        return number_of_seq(rows, int(digits), is_gap=kind == "g")
    candidates = _rows_of_lane(session, kind, int(digits))
    return next((found for row in candidates if (found := _number_of(rows, row)) is not None), None)


def number_of_seq(rows: Tree | Timeline, seq: int, *, is_gap: bool = False) -> int | None:
    """Return the row of the thought or aside of an entry, or of what hides it; None if the entry has none now."""
    session = rows.session
    index = session.thoughts.index_of_seq(seq)
    if index != NONE:
        row = TreeRow(
            RowKind.GAP if is_gap else RowKind.THOUGHT,
            session.chains.drawn_in(index),
            session.chains.drawn_on(index),
            index,
        )
        return _number_of(rows, row)
    ordinal = aside_of_seq(session, seq)
    return _number_of(rows, _aside_row(session, ordinal)) if ordinal != NONE else None


def aside_of_seq(session: Session, seq: int) -> int:
    """Return the ordinal of the aside that began with an entry, or NONE."""
    asides = session.asides
    ordinal = bisect_left(range(asides.count), seq, key=lambda each: asides.get(each).seq)
    return ordinal if ordinal < asides.count and asides.get(ordinal).seq == seq else NONE


def thought_at_or_before(session: Session, seq: int) -> int:
    """Return the thought of an entry, or the last one before it, or NONE."""
    after = bisect_left(range(session.thought_count), seq + 1, key=lambda index: session.thoughts.get(index).seq)
    return after - 1


def _aside_row(session: Session, ordinal: int) -> TreeRow:
    aside = session.asides.get(ordinal)
    chain = session.asides.chain_of(ordinal)
    lane = session.thoughts.lane_of(aside.thought_above) if aside.thought_above != NONE else NONE
    return TreeRow(RowKind.ASIDE, chain if session.chain_count else NONE, lane, ordinal)


def _rows_of_lane(session: Session, kind: str, ordinal: int) -> Iterator[TreeRow]:
    """Yield the row with a key of a branch, of what is expected, or of a chain, if that exists."""
    if kind == "c" and ordinal < session.chain_count:
        yield TreeRow(RowKind.CHAIN, ordinal, NONE, ordinal)
    elif kind in {"b", "e"} and session.chain_count:
        lanes = session.chains.lanes_of(session.chain_count - 1).stop
        if ordinal < lanes and session.lanes.length_of(ordinal):
            chain = session.lanes.get(ordinal).chain
            yield TreeRow(RowKind.BRANCH if kind == "b" else RowKind.EXPECTED, chain, ordinal, ordinal)


def _number_of(rows: Tree | Timeline, row: TreeRow) -> int | None:
    """Return the number of a row that exists at the position shown, or of what hides it."""
    session = rows.session
    found = rows.row_of(row)
    if found is not None or not session.thought_count:
        return found
    match row.kind:
        case RowKind.THOUGHT | RowKind.GAP:
            index = row.ordinal
        case RowKind.ASIDE:
            above = session.asides.get(row.ordinal).thought_above
            index = above if above != NONE else session.chains.thoughts_of(session.asides.chain_of(row.ordinal))[0]
        case RowKind.BRANCH:
            index = session.lanes.get(row.lane).thoughts[0]
        case RowKind.EXPECTED:
            index = session.lanes.newest_in(row.lane)
        case RowKind.CHAIN:
            index = session.chains.thoughts_of(row.chain)[0]
    return rows.row_of_thought(index) if 0 <= index < session.thought_count else None
