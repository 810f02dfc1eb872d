"""`seqthink import`: writes journals of other programs' sessions, which stay when those programs delete their own."""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

from seqthink.cli.common import CommandParser, print_left_out, print_stderr, report_wrong_lines
from seqthink.cli.option_values import journal_folder, since
from seqthink.cli.overview.wanted_sessions import add_wanted, has_wanted, wanted_transcripts, wanted_words
from seqthink.cli.preferences import preferences_of
from seqthink.cli.standard_output import output
from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.core.times import datetime_of, microseconds_of
from seqthink.drawing.describe.units import count
from seqthink.journal.folder import SUFFIX
from seqthink.sources.transcripts.budget import Budget, budget_of
from seqthink.sources.transcripts.choosing import ChosenSession, ClientFolders, is_written_as_a_file, sessions_of_file
from seqthink.sources.transcripts.imports.import_progress import ImportProgress
from seqthink.sources.transcripts.imports.importing import Importer, Outcome, SessionImport, reason_of
from seqthink.sources.transcripts.registry import transcript_names

MAX_SESSION_LINES = 20
"""With more sessions than this, only those that could not be imported have a line each."""


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "import",
        "seqthink import last",
        "seqthink import --all --since 30d",
        "seqthink import --all --dry-run",
        notes="The journals stay when the client deletes its own files. Importing again adds only what is new.",
    )
    parser.add_argument(
        "session",
        nargs="?",
        metavar="TRANSCRIPT|SESSION_ID|last",
        help="a client's file or database in any folder, the client's session id or the start of it, or `last`",
    )
    parser.add_argument("--all", action="store_true", help="import all sessions in the clients' folders")
    parser.add_argument(
        "--since",
        type=since,
        metavar="AGE|DATE",
        help="with --all: only sessions that changed since then: 12h, 30d, 8w, 2026-11-20",
    )
    parser.add_argument(
        "--sources",
        metavar="LIST",
        help=f"import only these sources, separated by commas: {', '.join(transcript_names())} "
        "(default: SEQTHINK_SOURCES, else the settings, else all); the client of a file is recognized",
    )
    add_wanted(parser, "import")
    parser.add_argument("--dry-run", action="store_true", help="print what would be imported, write nothing")
    parser.add_json()
    return parser


def run(arguments: list[str]) -> int:
    """Import sessions; exit 1 if one could not be read or written."""
    options = make_parser().parse_args(arguments)
    _require_one_choice(options)
    now = microseconds_of(datetime.now(UTC))  # noqa: TID251 - the edge reads the clock
    folder = journal_folder(options)
    budget = budget_of(os.environ)
    chosen = _choose(options, now, budget)
    try:
        importer = Importer(folder, now=now, sleep=time.sleep, is_dry_run=options.dry_run)  # noqa: TID251 - a lock
    except OSError as error:
        raise UsageError(f"{folder}: {reason_of(error)}; check its owner and mode") from error
    print_left_out(budget)
    with output() as out, ImportProgress(sys.stderr, time.monotonic, chosen) as progress:
        results = _imported(importer, chosen, progress)
        if options.json:
            return _print_json(results, out, is_dry_run=options.dry_run)
        return _print_text(results, out, has_lines=len(chosen) <= MAX_SESSION_LINES, is_dry_run=options.dry_run)


def _require_one_choice(options: argparse.Namespace) -> None:
    """Raise unless the options name one thing to import.

    Raises:
        UsageError: they name nothing, or more than one.
    """
    if options.all and options.session:
        raise UsageError("import: --all imports every session; name one, or give --all")
    if not options.all and not options.session:
        raise UsageError("import: name a file, a session by its id, or `last`; or give --all")
    if has_wanted(options) and not options.all and options.session != "last":
        raise UsageError(f"import: {wanted_words(options)} is for --all and `last`; leave it out, or the session")
    if options.since and not options.all:
        raise UsageError("import: --since goes with --all")


def _choose(options: argparse.Namespace, now: int, budget: Budget) -> list[ChosenSession]:
    reference = options.session
    if reference and is_written_as_a_file(reference):
        return sessions_of_file(reference, budget)
    preferences = preferences_of(options)
    report_wrong_lines(preferences)
    folders = ClientFolders(preferences.sources, os.environ, system.home_folder(), budget)
    if options.all:
        since_time = microseconds_of(options.since.time(datetime_of(now))) if options.since else None
        return list(wanted_transcripts(options, folders.all_sessions(since_time)))
    if has_wanted(options):
        newest = next(wanted_transcripts(options, folders.all_sessions()), None)
        if newest is None:
            raise UsageError(f"import: no session matches {wanted_words(options)}; `seqthink sessions` lists all")
        return [newest]
    return [folders.last_session() if reference == "last" else folders.named_session(reference)]


def _imported(importer: Importer, chosen: Sequence[ChosenSession], progress: ImportProgress) -> Iterator[SessionImport]:
    for source, found in chosen:
        progress.begin(found)
        result = importer.run(source, found, progress.advance)
        progress.end()
        if result.outcome is Outcome.FAILED or len(chosen) <= MAX_SESSION_LINES:
            progress.clear()  # what is printed now must not be behind it
        yield result


class _Sums:
    """The sums of what was imported."""

    def __init__(self) -> None:
        self.outcomes = dict.fromkeys(Outcome, 0)
        self.read = self.taken = self.known = self.unknown = self.corrupt = self.too_long = 0

    def add(self, result: SessionImport) -> None:
        self.outcomes[result.outcome] += 1
        counts = result.counts
        self.read += counts.read
        self.taken += result.taken
        self.known += result.known
        self.unknown += counts.unknown
        self.corrupt += counts.corrupt
        self.too_long += counts.too_long

    @property
    def status(self) -> int:
        return 1 if self.outcomes[Outcome.FAILED] else 0

    def lines(self, *, is_dry_run: bool) -> Iterator[str]:
        total = sum(self.outcomes.values())
        shown = [outcome for outcome in Outcome if outcome is not Outcome.EMPTY or self.outcomes[outcome]]
        words = ", ".join(f"{self.outcomes[outcome]:,} {outcome.value}" for outcome in shown)
        yield f"{count(total, 'session')}: {words}{' (dry run: nothing was written)' if is_dry_run else ''}"
        skipped = self.unknown + self.corrupt + self.too_long
        reasons = ((self.unknown, "of an unknown type"), (self.corrupt, "corrupt"), (self.too_long, "too long"))
        why = ", ".join(f"{number:,} {reason}" for number, reason in reasons if number)
        yield (
            f"{count(self.read, 'record')} read: {count(self.taken, 'fact')} imported, {self.known:,} already known, "
            f"{count(skipped, 'record')} skipped{f' ({why})' if why else ''}"
        )


def _print_text(results: Iterator[SessionImport], out: TextIO, *, has_lines: bool, is_dry_run: bool) -> int:
    sums = _Sums()
    for result in results:
        sums.add(result)
        if result.outcome is Outcome.FAILED:
            print_stderr(_failure(result))
        elif has_lines:
            print(_session_line(result), file=out)
    for line in sums.lines(is_dry_run=is_dry_run):
        print(line, file=out)
    return sums.status


def _failure(result: SessionImport) -> str:
    found = result.found
    return f"cannot import {found.source} {found.id} ({found.path}): {result.error}"


def _session_line(result: SessionImport) -> str:
    found = result.found
    journal = result.journal.name.removesuffix(SUFFIX) if result.journal else "nothing in it yet"
    numbers = f"{result.taken:,} new, {result.known:,} known"
    return f"{result.outcome.value:<9}  {found.source:<8}  {one_line(found.id)}  {one_line(journal)}  {numbers}"


def _print_json(results: Iterator[SessionImport], out: TextIO, *, is_dry_run: bool) -> int:
    sums = _Sums()
    out.write("[")
    between = "\n"
    for result in results:
        sums.add(result)
        out.write(between + json.dumps(_fields(result, is_dry_run=is_dry_run)))
        between = ",\n"
    out.write("\n]\n")
    return sums.status


def _fields(result: SessionImport, *, is_dry_run: bool) -> dict[str, Any]:
    found, counts = result.found, result.counts
    return {
        "source": found.source,
        "sourceId": found.id,
        "file": str(found.path),
        "outcome": result.outcome.value,
        "session": result.journal.name.removesuffix(SUFFIX) if result.journal else None,
        "path": str(result.journal) if result.journal else None,
        "written": result.outcome in {Outcome.IMPORTED, Outcome.UPDATED} and not is_dry_run,
        "read": counts.read,
        "taken": result.taken,
        "known": result.known,
        "skipped": {"unknown": counts.unknown, "corrupt": counts.corrupt, "tooLong": counts.too_long},
        "error": result.error or None,
    }
