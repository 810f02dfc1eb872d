"""`seqthink sessions`: lists the journals, newest first."""

import json
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, TextIO

from seqthink.chain.health.oddities import HealthCounts
from seqthink.cli.common import CommandParser, decoder_for, drawing_signs, print_stderr
from seqthink.cli.option_values import journal_folder
from seqthink.cli.standard_output import output
from seqthink.drawing.describe import units
from seqthink.drawing.describe.session import ListedSession
from seqthink.drawing.describe.status import standing_status, standing_words, status_of
from seqthink.drawing.text.cells import cut, pad
from seqthink.drawing.text.cells import width as display_width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.spans import spans_text
from seqthink.journal.decode import LineDecoder
from seqthink.journal.store import SessionFile, list_sessions
from seqthink.summary import summarize
from seqthink.text import one_line
from seqthink.times import datetime_of, microseconds_of

_COLUMN_TITLES = ("id", "name", "client", "age", "chains", "thoughts", "branches", "revisions", "state", "alive")
_COLUMN_CELLS = (30, 14, 13, 5, 6, 8, 8, 9, 8, 5)
_RIGHT_ALIGNED = range(3, 8)
MIN_ID_CHARS = 8
STATE_CELLS = (100, 26), (60, 18)
"""Cells of the state by those of the terminal, from its width on."""
MIN_STATE_CELLS, MIN_TABLE_CELLS, TABLE_NAME_CELLS, COUNT_CELLS, MIN_TITLE_CELLS = 12, 40, 12, 12, 12
"""Cells of the table on a terminal, of its columns, and below which a title is left out."""


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser("sessions", "List the sessions, newest first.", "seqthink sessions --json")
    parser.add_json()
    parser.add_ascii()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """List the sessions."""
    options = make_parser().parse_args(arguments)
    folder = journal_folder(options)
    files = list_sessions(folder)
    with output() as out:
        if options.json:
            _print_json(files, decoder_for(options), out)
        else:
            _print_table(files, decoder_for(options), out, drawing_signs(options))
    if not files:
        print_stderr(f"no sessions in {folder} yet")
    return 0


def _now() -> int:
    return microseconds_of(datetime.now(UTC))  # noqa: TID251 - the edge reads the clock


def _print_json(files: list[SessionFile], decode: LineDecoder, out: TextIO) -> None:
    # Line by line, so that the first appears before the last file is read.
    now = _now()
    out.write("[")
    for number, (file, listed) in enumerate(_summaries(files, decode, has_health=True, now=now)):
        out.write(("," if number else "") + "\n" + json.dumps(_fields(file, listed)))
    out.write("\n]\n")


def _fields(file: SessionFile, listed: ListedSession) -> dict[str, Any]:
    return {
        "session": listed.session,
        "path": str(file.path),
        "name": listed.name,
        "client": listed.client or None,
        "title": listed.title or None,
        "last": _iso(listed.last_change),
        "chains": listed.chains,
        "thoughts": listed.thoughts,
        "branches": listed.branches,
        "revisions": listed.revisions,
        "state": listed.state.value,
        "attention": listed.standing.attention.value,
        "reason": listed.standing.reason.value if listed.standing.reason is not None else None,
        "question": listed.standing.question or None,
        "newest": listed.newest or None,
        "progress": listed.progress or None,
        "started": _iso(listed.started) if listed.started else None,
        "alive": listed.alive,
        "health": _health_fields(listed.health),
    }


def _iso(microseconds: int) -> str:
    return datetime_of(microseconds).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _health_fields(health: HealthCounts | None) -> dict[str, Any] | None:
    if health is None:
        return None
    counts = {"refused": health.refused, "repaired": health.repaired, "unread": health.unread}
    return {"oddities": {kind.value: count for kind, count in health.oddities.items()}, **counts}


def _print_table(files: list[SessionFile], decode: LineDecoder, out: TextIO, signs: Signs) -> None:
    now = _now()
    if sys.stdout.isatty():
        _print_for_people(files, decode, out, signs, now)
        return
    if files:
        print(_row(_COLUMN_TITLES, "title", signs.ellipsis), file=out)
    for _, listed in _summaries(files, decode, signs, now=now):
        attention = listed.standing.attention
        state = attention.value if listed.standing.needs_person else status_of(listed.state, signs).word
        values = (
            *(one_line(listed.session), listed.name, listed.client, units.age(now, listed.last_change)),
            *map(str, (listed.chains, listed.thoughts, listed.branches, listed.revisions)),
            *(state, "yes" if listed.alive else "no"),
        )
        print(
            _row(values, f"{listed.title}  {spans_text(listed.sparkline)}", signs.ellipsis),
            file=out,
        )


def _print_for_people(files: list[SessionFile], decode: LineDecoder, out: TextIO, signs: Signs, now: int) -> None:
    """Print what a person looks for, in the columns for which the terminal has room."""
    cells = max(MIN_TABLE_CELLS, shutil.get_terminal_size((80, 24)).columns)
    ids = short_ids([file.session for file in files])
    id_cells = max(map(len, ids.values()), default=2)
    if files:
        print(table_row("id", "state", "name", "", "title", cells, id_cells, signs), file=out)
    for file, listed in _summaries(files, decode, signs, now=now):
        words = standing_words(listed.standing, signs, now)
        sign = standing_status(listed.standing, signs, now).sign
        row = table_row(
            ids[file.session], f"{sign} {words}", listed.name, _counts(listed), listed.title, cells, id_cells, signs
        )
        print(row, file=out, flush=True)


def short_ids(sessions: list[str]) -> dict[str, str]:
    """Return by session the shortest beginning of its id that fits no other one, and is easy to type."""
    ordered = sorted(sessions)
    lengths = dict.fromkeys(ordered, MIN_ID_CHARS)
    for one, other in pairwise(ordered):
        common = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
        lengths[one], lengths[other] = max(lengths[one], common + 1), max(lengths[other], common + 1)
    return {session: one_line(session[: lengths[session]]) for session in ordered}


def table_row(id_: str, state: str, name: str, counts: str, title: str, cells: int, id_cells: int, signs: Signs) -> str:
    """Return a row of the table; the title has what is left, on narrow terminals first the counts give way, then it."""
    state_cells = next((room for least, room in STATE_CELLS if cells >= least), MIN_STATE_CELLS)
    columns = [pad(id_, id_cells), pad(cut(state, state_cells, signs.ellipsis), state_cells)]
    columns.append(pad(cut(name, TABLE_NAME_CELLS, signs.ellipsis), TABLE_NAME_CELLS))
    room = cells - sum(map(display_width, columns)) - 2 * len(columns)
    if room >= COUNT_CELLS + 2 + MIN_TITLE_CELLS:
        columns.append(f"{counts:>{COUNT_CELLS}}")
        room -= COUNT_CELLS + 2
    if room >= MIN_TITLE_CELLS:
        columns.append(cut(title, room, signs.ellipsis))
    return cut("  ".join(columns).rstrip(), cells, signs.ellipsis)


def _counts(listed: ListedSession) -> str:
    """Return how long a session is: ``12 thoughts``, ``3 turns``."""
    if listed.turns and not listed.thoughts:
        return units.count(listed.turns, "turn")
    return units.count(listed.thoughts, "thought")


def _row(values: tuple[str, ...], title: str, sign: str) -> str:
    cells = [
        f"{cut(value, column_cells, sign):>{column_cells}}"
        if number in _RIGHT_ALIGNED
        else (pad(value, column_cells) if number else f"{value:<{column_cells}}")
        for number, (value, column_cells) in enumerate(zip(values, _COLUMN_CELLS, strict=True))
    ]
    return "  ".join([*cells, title]).rstrip()


def _summaries(
    files: list[SessionFile], decode: LineDecoder, signs: Signs = UNICODE, *, has_health: bool = False, now: int = 0
) -> Iterator[tuple[SessionFile, ListedSession]]:
    for file in files:
        try:
            listed = summarize(file, signs=signs, decode=decode, max_bytes=None, has_health=has_health, now=now)
        except OSError as error:
            print_stderr(f"{file.path}: {(error.strerror or str(error)).lower()}")
            continue
        if listed is not None:
            yield file, listed
