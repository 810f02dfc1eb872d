"""The table of `seqthink sessions`: for a pipe, and for people in the columns that their terminal has room for."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from seqthink.chain.attention import Standing
from seqthink.chain.state import State
from seqthink.cli.overview.listed_rows import FleetRow, ListedRow
from seqthink.core.text import one_line
from seqthink.drawing.describe import units
from seqthink.journal.store import SessionFile
from seqthink.sources.transcripts.registry import JOURNAL

# Measuring text takes longer to load than a list of plain titles to print.
if TYPE_CHECKING:
    from seqthink.drawing.text.glyphs import Signs

_COLUMN_TITLES = ("id", "name", "client", "age", "chains", "thoughts", "branches", "revisions", "state", "alive")
_COLUMN_CELLS = (14, 13, 5, 6, 8, 8, 9, 8, 5)
_RIGHT_ALIGNED = range(2, 7)
"""Cells of all columns but the first, and which of them are aligned on the right."""
MIN_PIPED_ID_CELLS, MAX_PIPED_ID_CELLS = 30, 50
_NOT_KNOWN = "?"
_ASCII_ROW = "  ".join(
    f"%{'' if place in _RIGHT_ALIGNED else '-'}{cells}s" for place, cells in enumerate(_COLUMN_CELLS)
)
"""The same for values of ASCII: several times as fast."""
MIN_ID_CHARS = 8
STATE_CELLS = (100, 26), (60, 18)
"""Cells of the state by those of the terminal, from its width on."""
MIN_STATE_CELLS, MIN_TABLE_CELLS, TABLE_NAME_CELLS, COUNT_CELLS, MIN_TITLE_CELLS = 12, 40, 12, 12, 12
HOST_CELLS, MIN_HOST_TABLE_CELLS = 14, 60
"""Cells of the machine's name, in a list of a fleet's sessions, and of a terminal that has room for it."""
"""Cells of the table on a terminal, of its columns, and below which a title is left out."""


def piped_lines(
    rows: Iterable[ListedRow], files: Sequence[SessionFile], signs: "Signs", now: int, *, has_hosts: bool = False
) -> Iterator[str]:
    """Yield a heading and a line for each session of ``files``: columns for the eye and for ``cut``."""
    ids = max((len(file.session) for file in files), default=0)
    id_cells = min(max(ids, MIN_PIPED_ID_CELLS), MAX_PIPED_ID_CELLS)
    if files:
        host = f"{'host':<{HOST_CELLS}}  " if has_hosts else ""
        yield _row(_COLUMN_TITLES, f"{host}title", signs.ellipsis, id_cells)
    for row in rows:
        shown = row.shown
        needs_person = row.listed is not None and row.listed.standing.needs_person
        state = "open" if shown.state == State.UNKNOWN else shown.state
        counts = (shown.chains, shown.thoughts, shown.branches, shown.revisions)
        read = (*map(str, counts), shown.attention if needs_person else state, "yes" if row.is_alive else "no")
        values = (
            *(one_line(row.file.session), row.name if row.is_counted else row.name or _NOT_KNOWN, shown.client),
            units.age(now, shown.last_change),
            *(read if row.is_counted else (_NOT_KNOWN,) * len(read)),
        )
        title = _host(row.place) + f"{shown.title}  {_with_signs(shown.shape, signs)}"
        yield _row(values, title, signs.ellipsis, id_cells)


def _host(place: FleetRow | None) -> str:
    """Return the column with the machine's name, uncut: it names a session together with its id."""
    return f"{pad(one_line(place.host), HOST_CELLS)}  " if place is not None else ""


def people_lines(
    rows: Iterable[ListedRow], files: Sequence[SessionFile], signs: "Signs", now: int, *, has_hosts: bool = False
) -> Iterator[str]:
    """Yield a heading and a line for each session of ``files``: what a person looks for."""
    from seqthink.drawing.describe.status import standing_status, standing_words

    cells = max(MIN_TABLE_CELLS, shutil.get_terminal_size((80, 24)).columns)
    ids = short_ids(files)
    id_cells = max(map(len, ids.values()), default=2)
    if files:
        host = "host" if has_hosts else None
        yield table_row("id", "state", "name", "", "title", cells, id_cells, signs, host)
    for row in rows:
        shown = row.shown
        standing = row.listed.standing if row.listed is not None else _standing(row)
        state = f"{standing_status(standing, signs, now).sign} {standing_words(standing, signs, now)}"
        if not row.is_counted:
            state = f"  {units.age(now, shown.last_change)}"
        id_, host = ids[row.file.session], one_line(row.place.host) if row.place is not None else None
        name = f"{signs.marked} {row.name}" if row.labels.is_pinned else row.name
        title = " ".join([*(f"#{one_line(tag)}" for tag in row.labels.tags), shown.title])
        yield table_row(id_, state, name, _counts(row), title, cells, id_cells, signs, host)


def _standing(row: ListedRow) -> Standing:
    return Standing(row.shown.attention, since=row.shown.since)


def short_ids(files: Iterable[SessionFile]) -> dict[str, str]:
    """Return by session the shortest beginning of its id that fits no other one, and is easy to type.

    The name of its client, with which the id of a client's session begins, does not count.
    """
    lengths = {file.session: MIN_ID_CHARS + (len(f"{file.source}-") if file.source != JOURNAL else 0) for file in files}
    ordered = sorted(lengths)
    for one, other in pairwise(ordered):
        common = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
        lengths[one], lengths[other] = max(lengths[one], common + 1), max(lengths[other], common + 1)
    return {session: one_line(session[: lengths[session]]) for session in ordered}


def table_row(
    id_: str,
    state: str,
    name: str,
    counts: str,
    title: str,
    cells: int,
    id_cells: int,
    signs: "Signs",
    host: str | None = None,
) -> str:
    """Return a row of the table; the title has what is left, on narrow ones the counts give way, the host, then it."""
    state_cells = next((room for least, room in STATE_CELLS if cells >= least), MIN_STATE_CELLS)
    columns = [pad(id_, id_cells), pad(cut(state, state_cells, signs.ellipsis), state_cells)]
    if host is not None and cells >= MIN_HOST_TABLE_CELLS:
        columns.append(pad(cut(host, HOST_CELLS, signs.ellipsis), HOST_CELLS))
    columns.append(pad(cut(name, TABLE_NAME_CELLS, signs.ellipsis), TABLE_NAME_CELLS))
    room = cells - sum(map(width, columns)) - 2 * len(columns)
    if room >= COUNT_CELLS + 2 + MIN_TITLE_CELLS:
        columns.append(f"{counts:>{COUNT_CELLS}}")
        room -= COUNT_CELLS + 2
    if room >= MIN_TITLE_CELLS:
        columns.append(cut(title, room, signs.ellipsis))
    return cut("  ".join(columns).rstrip(), cells, signs.ellipsis)


def _counts(row: ListedRow) -> str:
    """Return how long a session is: ``12 thoughts``, ``3 turns``; nothing of one that was not read."""
    if not row.is_counted:
        return ""
    if row.shown.turns and not row.shown.thoughts:
        return units.count(row.shown.turns, "turn")
    return units.count(row.shown.thoughts, "thought")


def _with_signs(shape: str, signs: "Signs") -> str:
    """Return a sparkline, drawn with the signs of Unicode, with others."""
    from seqthink.drawing.text.glyphs import DOWN, RIGHT, UNICODE, UP

    if signs is UNICODE:
        return shape
    fork = UP | DOWN | RIGHT
    pairs = ((UNICODE.thought, signs.thought), (UNICODE.revision, signs.revision), (UNICODE.box[fork], signs.box[fork]))
    return shape.translate({ord(old): new for old, new in pairs})


def _row(values: tuple[str, ...], title: str, sign: str, id_cells: int) -> str:
    """Return a row; all but the id are cut to the width of their columns."""
    id_, *others = values
    columns = zip(others, _COLUMN_CELLS, strict=True)
    if "".join(values).isascii():
        fitting = [value if len(value) <= cells else value[: cells - len(sign)] + sign for value, cells in columns]
        return f"{id_:<{id_cells}}  {_ASCII_ROW % (*fitting,)}  {title}".rstrip()
    cells = [
        f"{cut(value, column_cells, sign):>{column_cells}}" if number in _RIGHT_ALIGNED else pad(value, column_cells)
        for number, (value, column_cells) in enumerate(columns)
    ]
    return "  ".join([f"{id_:<{id_cells}}", *cells, title]).rstrip()


def cut(text: str, cells: int, ellipsis: str) -> str:
    """Return `seqthink.drawing.text.cells.cut`, without loading that for ASCII."""
    if not text.isascii():
        from seqthink.drawing.text import cells as measured

        return measured.cut(text, cells, ellipsis)
    if cells <= 0:
        return ""
    return text if len(text) <= cells else text[: max(0, cells - len(ellipsis))] + ellipsis


def pad(text: str, cells: int) -> str:
    """Return `seqthink.drawing.text.cells.pad`, likewise."""
    if text.isascii() and len(text) <= cells:
        return text.ljust(cells)
    from seqthink.drawing.text import cells as measured

    return measured.pad(text, cells)


def width(text: str) -> int:
    """Return `seqthink.drawing.text.cells.width`, likewise."""
    if text.isascii():
        return len(text)
    from seqthink.drawing.text import cells as measured

    return measured.width(text)
