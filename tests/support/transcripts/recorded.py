"""The recorded runs of tests/sources/transcripts/recorded, laid out as their client wrote them.

README.md there says what each run holds and how it was made.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.conftest import PROJECT

RECORDED: Final = PROJECT / "tests/sources/transcripts/recorded"
RUNS: Final = tuple(sorted(str(found.parent.relative_to(RECORDED)) for found in RECORDED.glob("*/*/home")))
"""The names of the runs, as ``claude/agents``."""
A_RUN: Final = {run.partition("/")[0]: run for run in reversed(RUNS)}
"""One run of each client, by the client's source."""


def lay_out(run: str, home: Path) -> Path:
    """Copy the transcripts of a run below ``home``, and return ``home``.

    A database that is kept as SQL is there as a database again, closed and without a ``-wal``.
    """
    shutil.copytree(RECORDED / run / "home", home, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.sql"))
    pieces = sorted((RECORDED / run / "home").rglob("*.sql"))
    if pieces:
        database = home / pieces[0].relative_to(RECORDED / run / "home").with_suffix("").with_suffix("")
        load_database(pieces, database)
    return home


def load_database(pieces: list[Path], database: Path) -> None:
    """Make a database of the pieces of its SQL."""
    database.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.executescript("".join(piece.read_text("utf-8") for piece in pieces))


def journals_of(run: str) -> list[Path]:
    """Return the journals that our server wrote during a run, in the order in which they were begun."""
    return sorted((RECORDED / run / "journals").glob("*.jsonl"))
