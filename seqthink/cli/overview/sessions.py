"""`seqthink sessions`: lists the journals and the sessions of clients, newest first."""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from seqthink.cli.common import CommandParser, decoder_for, drawing_signs, print_stderr
from seqthink.cli.fleet.options import add_fleet, fleet_url
from seqthink.cli.option_values import journal_folder, require_folder
from seqthink.cli.overview.demo_runs import DemoRuns, add_demos
from seqthink.cli.overview.tagged import Tagged
from seqthink.cli.overview.wanted_sessions import add_wanted, wanted_of, wanted_words
from seqthink.cli.preferences import preferences_of
from seqthink.cli.standard_output import output
from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.sources.transcripts.registry import JOURNAL

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from seqthink.cli.overview.listed_rows import ListedRow
    from seqthink.cli.overview.machine_sessions import MachineSessions
    from seqthink.journal.store import SessionFile


MAX_NAMED_REPOSITORIES = 8
"""How many repositories a message names."""
_READ_FIELDS = ("chains", "thoughts", "branches", "revisions", "state", "attention", "alive")
"""The fields that have a value only where a session was read."""


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "sessions", "seqthink sessions", "seqthink sessions --json", "seqthink sessions --fleet redis://hub:6379"
    )
    add_fleet(parser)
    parser.add_argument("--host", metavar="HOST", help="only sessions of HOST (fleet)")
    parser.add_sources("list")
    add_wanted(parser, "list")
    add_demos(parser)
    parser.add_json()
    parser.add_ascii()
    parser.add_tag()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """List the sessions."""
    options = make_parser().parse_args(arguments)
    url, now = fleet_url(options), _now()
    if url is not None:
        return _list_fleet(url, options, now)
    if options.host is not None:
        raise UsageError("sessions: --host is for the sessions of a fleet; name it with --fleet URL")
    sources, folder = preferences_of(options).sources, journal_folder(options)
    if sources - {JOURNAL}:
        from seqthink.cli.overview.machine_sessions import open_sessions  # loads what reads transcripts

        with open_sessions(options) as sessions:
            looked_in = [folder] * (JOURNAL in sources) + sessions.folders
            _list(sessions.files, sessions, looked_in, options, now)
        return 0
    from seqthink.journal.store import list_sessions  # not needed for Tab or help

    files = list_sessions(folder) if sources else []
    if not files:
        require_folder(folder)
    _list(files, None, [folder] if sources else [], options, now)
    return 0


def _list(
    files: "list[SessionFile]",
    clients: "MachineSessions | None",
    looked_in: list[Path],
    options: argparse.Namespace,
    now: int,
) -> None:
    from seqthink.journal.store import no_journals  # not needed for Tab or help

    folder, demos, tagged, wanted = journal_folder(options), DemoRuns(options), Tagged(options), WantedRows(options)
    with output() as out:
        rows = _labelled(tagged, wanted.among(_rows(files, clients, folder, options, now, tagged)))
        _print_rows(_without(demos, rows), files, options, out, now)
    if tagged.found_nothing:
        print_stderr(tagged.why_nothing)
    if folder in looked_in and (left_out := no_journals(folder)):
        print_stderr(left_out)
    elif wanted.found_nothing:
        print_stderr(wanted.why_nothing)
    elif not files and (clients is None or clients.is_listed):
        where = f"in {', '.join(map(str, looked_in))} yet" if looked_in else "without a source; see --sources"
        print_stderr(f"no sessions {where}")
    if files and demos.count == len(files):
        demos.say_left_out()


def _labelled(tagged: Tagged, rows: "Iterable[ListedRow]") -> "Iterator[ListedRow]":
    """Yield the rows that have the tags, with what people say about each."""
    for row in rows:
        key = row.file.session if row.place is None else f"{row.place.origin}/{row.file.session}"
        labels = tagged.labels_of(key).joined(row.labels)
        if tagged.has(labels):
            tagged.found_count += 1
            yield row._replace(labels=labels)


def _without(demos: DemoRuns, rows: "Iterable[ListedRow]") -> "Iterator[ListedRow]":
    return (row for row in rows if not demos.leaves_out(row.file.session, row.shown.client))


class WantedRows:
    """The rows that `--repo` and `--branch` want; without these, all of them."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._wanted, self._words = wanted_of(options), wanted_words(options)
        self._other_repositories: dict[str, None] = {}
        self._count = 0

    def among(self, rows: "Iterable[ListedRow]") -> "Iterator[ListedRow]":
        """Yield those of ``rows`` that are wanted."""
        if self._wanted.is_empty:
            yield from rows
            return
        for row in rows:
            if self._wanted.matches(row.facts):
                self._count += 1
                yield row
            elif row.repository.name:
                self._other_repositories[row.repository.name] = None

    @property
    def found_nothing(self) -> bool:
        """Whether there were conditions, and no row met them."""
        return bool(self._words) and not self._count

    @property
    def why_nothing(self) -> str:
        """A sentence about that, which names repositories that there are."""
        known = [*self._other_repositories]
        more = f" and {len(known) - MAX_NAMED_REPOSITORIES} more" if len(known) > MAX_NAMED_REPOSITORIES else ""
        named = f"; there are sessions of {', '.join(known[:MAX_NAMED_REPOSITORIES])}{more}" if known else ""
        return f"no sessions of {self._words}{named}"


def _list_fleet(url: str, options: argparse.Namespace, now: int) -> int:
    from seqthink.cli.fleet.listed_rows import fleet_rows
    from seqthink.cli.fleet.reading import MAX_SESSIONS, opened, refresh

    with opened(url) as folder, output() as out:
        refresh(folder, MAX_SESSIONS)
        rows = fleet_rows(folder, options.host, is_redacted=options.redact)
        demos = DemoRuns(options)
        tagged, wanted = Tagged(options), WantedRows(options)
        rows = list(_without(demos, _labelled(tagged, wanted.among(rows))))
        _print_rows(iter(rows), [row.file for row in rows], options, out, now)
    if wanted.found_nothing:
        print_stderr(wanted.why_nothing)
    elif tagged.found_nothing:
        print_stderr(tagged.why_nothing)
    elif not rows and not demos.say_left_out():
        where = f"of the host {options.host!r} " if options.host is not None else ""
        print_stderr(f"no sessions {where}in the fleet yet")
    return 0


def _print_rows(
    rows: "Iterator[ListedRow]", files: "list[SessionFile]", options: argparse.Namespace, out: TextIO, now: int
) -> None:
    if options.json:
        _print_json(rows, out)
    else:
        _print_table(rows, files, options, out, now)


def _now() -> int:
    from datetime import UTC, datetime

    from seqthink.core.times import microseconds_of

    return microseconds_of(datetime.now(UTC))  # noqa: TID251 - the edge reads the clock


def _rows(
    files: "list[SessionFile]",
    clients: "MachineSessions | None",
    folder: Path,
    options: argparse.Namespace,
    now: int,
    tagged: Tagged,
) -> "Iterator[ListedRow]":
    """Yield the rows as they are read; say on stderr what cannot be."""
    from seqthink.cli.overview.listed_rows import RowReader

    reader = RowReader(clients, decoder_for(options), now, has_health=options.json)

    def is_wanted(file: "SessionFile") -> bool:
        """Whether a session has the tags."""
        return tagged.has(tagged.labels_of(file.session))

    for file, row in reader.rows(files, folder, _viewer_folder(), is_wanted):
        if isinstance(row, OSError):
            path = file.path if clients is None else clients.original_of(file)
            print_stderr(f"{path}: {(row.strerror or str(row)).lower()}")
        else:
            yield row


def _viewer_folder() -> Path | None:
    from seqthink.journal.folder import seqthink_home
    from seqthink.library.viewer_store.folder import viewer_folder

    try:
        return viewer_folder(seqthink_home(os.environ))
    except RuntimeError:  # an unknown home folder
        return None


def _print_json(rows: "Iterator[ListedRow]", out: TextIO) -> None:
    # Line by line, so that the first appears before the last file is read.
    encode = json.JSONEncoder().encode
    out.write("[")
    for number, row in enumerate(rows):
        out.write(("," if number else "") + "\n" + encode(_fields(row)))
    out.write("\n]\n")


def _fields(row: "ListedRow") -> dict[str, Any]:
    file, shown, place = row.file, row.shown, row.place
    standing = row.listed.standing if row.listed is not None else None
    fields = {
        "session": file.session,
        "path": str(row.original) if row.original is not None else None,
        **(place._asdict() if place is not None else {}),
        "source": file.source,
        "name": row.name or None,
        "tags": list(map(one_line, row.labels.tags)),
        "pinned": row.labels.is_pinned,
        "client": shown.client or None,
        "title": shown.title or None,
        "repository": row.repository.name or None,
        "repositoryAddress": row.repository.address or None,
        "branch": row.repository.branch or None,
        "last": _iso(shown.last_change),
        "chains": shown.chains,
        "thoughts": shown.thoughts,
        "branches": shown.branches,
        "revisions": shown.revisions,
        "state": shown.state,
        "attention": shown.attention,
        "reason": standing.reason.value if standing is not None and standing.reason is not None else None,
        "question": (standing.question or None) if standing is not None else None,
        "newest": row.newest or None,
        "progress": shown.progress or None,
        "context": _context(*shown.context),
        "started": _iso(shown.started) if shown.started else None,
        "alive": row.is_alive,
        "health": shown.health,
    }
    return fields if row.is_counted else fields | dict.fromkeys(_READ_FIELDS)


def _context(tokens: int, window: int) -> dict[str, int | None] | None:
    """Return how full the main agent's context is; None if its client does not record it."""
    from seqthink.chain.state import percent_of

    return {"tokens": tokens, "window": window or None, "percent": percent_of(tokens, window)} if tokens else None


def _iso(microseconds: int) -> str:
    from seqthink.core.times import datetime_of

    return datetime_of(microseconds).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _print_table(
    rows: "Iterator[ListedRow]", files: "list[SessionFile]", options: argparse.Namespace, out: TextIO, now: int
) -> None:
    from seqthink.cli.overview.session_table import people_lines, piped_lines

    lines = people_lines if sys.stdout.isatty() else piped_lines
    for line in lines(rows, files, drawing_signs(options), now, has_hosts=fleet_url(options) is not None):
        print(line, file=out)
