"""`seqthink sessions`: lists the journals, newest first."""

import json
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, TextIO

from seqthink.cli.common import CommandParser, decoder_for, drawing_signs, output, print_stderr
from seqthink.cli.option_values import journal_folder
from seqthink.drawing.describe import units
from seqthink.drawing.describe.session import ListedSession
from seqthink.drawing.describe.status import status_of
from seqthink.drawing.text.cells import cut, pad
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


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser("sessions", "List the sessions, newest first.", "seqthink sessions --json")
    parser.add_json()
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII signs (default: where needed)")
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


def _print_json(files: list[SessionFile], decode: LineDecoder, out: TextIO) -> None:
    # Line by line, so that the first appears before the last file is read.
    out.write("[")
    for number, (file, listed) in enumerate(_summaries(files, decode)):
        out.write(("," if number else "") + "\n" + json.dumps(_fields(file, listed)))
    out.write("\n]\n")


def _fields(file: SessionFile, listed: ListedSession) -> dict[str, Any]:
    return {
        "session": listed.session,
        "path": str(file.path),
        "name": listed.name,
        "client": listed.client or None,
        "title": listed.title or None,
        "last": datetime_of(listed.last_change).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "chains": listed.chains,
        "thoughts": listed.thoughts,
        "branches": listed.branches,
        "revisions": listed.revisions,
        "state": listed.state.value,
        "alive": listed.alive,
    }


def _print_table(files: list[SessionFile], decode: LineDecoder, out: TextIO, signs: Signs) -> None:
    now = microseconds_of(datetime.now(UTC))  # noqa: TID251 - the edge reads the clock
    width = shutil.get_terminal_size((0, 0)).columns if sys.stdout.isatty() else 0
    if files:
        print(_row(_COLUMN_TITLES, "title", width, signs.ellipsis), file=out)
    for _, listed in _summaries(files, decode, signs):
        state = status_of(listed.state, signs).word
        values = (
            *(one_line(listed.session), listed.name, listed.client, units.age(now, listed.last_change)),
            *map(str, (listed.chains, listed.thoughts, listed.branches, listed.revisions)),
            *(state, "yes" if listed.alive else "no"),
        )
        print(
            _row(values, f"{listed.title}  {spans_text(listed.sparkline)}", width, signs.ellipsis),
            file=out,
            flush=width > 0,
        )


def _row(values: tuple[str, ...], title: str, width: int, sign: str) -> str:
    cells = [
        f"{cut(value, column_cells, sign):>{column_cells}}"
        if number in _RIGHT_ALIGNED
        else (pad(value, column_cells) if number else f"{value:<{column_cells}}")
        for number, (value, column_cells) in enumerate(zip(values, _COLUMN_CELLS, strict=True))
    ]
    line = "  ".join([*cells, title]).rstrip()
    return cut(line, width, sign) if width else line


def _summaries(
    files: list[SessionFile], decode: LineDecoder, signs: Signs = UNICODE
) -> Iterator[tuple[SessionFile, ListedSession]]:
    for file in files:
        try:
            listed = summarize(file, signs=signs, decode=decode, max_bytes=None)
        except OSError as error:
            print_stderr(f"{file.path}: {(error.strerror or str(error)).lower()}")
            continue
        if listed is not None:
            yield file, listed
