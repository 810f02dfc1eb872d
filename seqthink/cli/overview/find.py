"""`seqthink find`: looks for words in the texts of all sessions, the newest first."""

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

from seqthink.cli.common import (
    DEFAULT_WIDTH_CELLS,
    MIN_WIDTH_CELLS,
    CommandParser,
    decoder_for,
    drawing_signs,
    is_terminal,
    print_stderr,
)
from seqthink.cli.fleet.options import add_fleet, fleet_url
from seqthink.cli.option_values import journal_folder, require_folder, since, whole_number
from seqthink.cli.overview.demo_runs import DemoRuns, add_demos
from seqthink.cli.overview.wanted_sessions import add_wanted, wanted_of
from seqthink.cli.preferences import preferences_of
from seqthink.cli.standard_output import output
from seqthink.core.errors import UsageError
from seqthink.sources.transcripts.registry import JOURNAL

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from seqthink.chain.query import Query
    from seqthink.drawing.describe.hits import FoundText, HitSession
    from seqthink.drawing.text.glyphs import Signs
    from seqthink.drawing.text.spans import Span, Spans
    from seqthink.journal.store import SessionFile
    from seqthink.library.catalog.session_catalog import SessionCatalog
    from seqthink.library.finding.found import Hit
    from seqthink.library.finding.search import TextSearch
    from seqthink.library.viewer_store.label_book import LabelBook
    from seqthink.sources.transcripts.budget import Budget

NOTHING_FOUND = 1
"""Exit status when there is no hit, as grep has it."""
_COLOURS = {"accent": "\x1b[1m", "match": "\x1b[1;31m", "muted": "\x1b[2m"}
"""What a role looks like in a terminal's own colours."""
_PLAIN = "\x1b[0m"


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "find",
        "seqthink find pool --since 7d",
        "seqthink find '\"pool starves\"'",
        "seqthink find pool --json",
        notes="A text matches if it has all words, also as parts of longer words. Words in double quotes are a "
        "phrase. A capital letter makes the search case-sensitive.",
    )
    parser.add_argument("words", nargs="+", metavar="WORDS", help="what to look for")
    parser.add_argument(
        "--since",
        type=since,
        metavar="AGE|DATE",
        help="only newer texts: 12h, 7d, 8w, 2026-11-20 or 2026-11-20T09:30",
    )
    parser.add_sources("search")
    add_wanted(parser, "search")
    add_demos(parser)
    add_fleet(parser)
    parser.add_tag()
    parser.add_argument("--limit", type=whole_number, metavar="N", help="show at most N hits (default: 1,000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII signs (default: if needed)")
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Print the hits as they are found; return 1 if there are none."""
    options = make_parser().parse_args(arguments)
    # Not needed for Tab or help.
    from seqthink.chain.query import words_query
    from seqthink.library.catalog.session_search import search_catalog

    query = words_query(" ".join(map(_as_query, options.words)))
    if query.is_empty:
        raise UsageError("find: there is nothing to look for but blanks and quotes; name a word")
    now = datetime.now(UTC)  # noqa: TID251 - the edge reads the clock
    with open_catalog(options) as catalog, output() as out:
        catalog.list_whole()
        files = catalog.sessions()
        if options.tag:
            files = _tagged(files, catalog, options)
        search = search_catalog(catalog, query, decoder_for(options), since=_since(options, now))
        demos = DemoRuns(options)
        hits = (hit for hit in search.hits(files) if not _is_left_out(hit, demos))
        show = _printer(options, query, now, out, catalog)
        count, has_more = _print_hits(hits, search, Progress(len(files)), show, options.limit)
    if has_more:
        print_stderr(f"the newest {count:,}; there is more: --limit N shows N of them, --since 7d only the newest")
    if search.unreadable:
        print_stderr(f"{search.unreadable:,} of {len(files):,} sessions could not be read")
    if not count:
        demos.say_left_out()
    if not files and not options.tag:
        print_stderr("no sessions yet")
    return 0 if count else NOTHING_FOUND


def _tagged(files: "list[SessionFile]", catalog: "SessionCatalog", options: argparse.Namespace) -> "list[SessionFile]":
    """Return the sessions that have all the tags, and say so if there are none."""
    # Not needed for Tab or help.
    from seqthink.cli.overview.tagged import Tagged
    from seqthink.library.catalog.labelled import labels_of

    tagged = Tagged(options)
    found = [file for file in files if tagged.has(labels_of(catalog, file.path))]
    tagged.found_count = len(found)
    if tagged.found_nothing:
        print_stderr(tagged.why_nothing)
    return found


def _as_query(argument: str) -> str:
    """Return an argument as a part of a query: one that the shell was given in quotes is a phrase."""
    is_phrase = '"' not in argument and len(argument.split()) > 1
    return f'"{argument}"' if is_phrase else argument


def _since(options: argparse.Namespace, now: datetime) -> int | None:
    from seqthink.core.times import microseconds_of  # not needed for Tab or help

    return microseconds_of(options.since.time(now)) if options.since else None


@contextmanager
def open_catalog(options: argparse.Namespace, budget: "Budget | None" = None) -> "Generator[SessionCatalog]":
    """Give the sessions of the sources, or of the fleet, that the command line names.

    Reading those of other programs may cost as much as ``budget`` allows; by default, as much as any command may.
    """
    url = fleet_url(options)
    if url is not None:
        from seqthink.cli.fleet.catalog import open_fleet_catalog  # loads what speaks to an engine

        with open_fleet_catalog(url, _label_book(options)) as fleet:
            fleet.wanted.choose(wanted_of(options))
            yield fleet
        return
    sources, folder = preferences_of(options).sources, journal_folder(options)
    if JOURNAL in sources:
        require_folder(folder)
    # Not needed for Tab or help.
    from seqthink.library.catalog.session_catalog import SessionCatalog
    from seqthink.library.places.of_this_machine import places_of_this_machine

    catalog = SessionCatalog(*places_of_this_machine(folder, sources, budget), label_book=_label_book(options))
    catalog.wanted.choose(wanted_of(options))
    try:
        yield catalog
    finally:
        catalog.close()
        for sentence in catalog.left_out_of_programs:
            print_stderr(sentence)


def _label_book(options: argparse.Namespace) -> "LabelBook | None":
    from seqthink.library.viewer_store.label_book import label_book_of  # not needed for Tab or help

    return label_book_of(os.environ, is_redacted=getattr(options, "redact", False))


def _is_left_out(hit: "Hit | None", demos: DemoRuns) -> bool:
    return hit is not None and demos.leaves_out(hit.session.session, hit.session.client)


def _print_hits(
    hits: "Iterator[Hit | None]",
    search: "TextSearch",
    progress: "Progress",
    show: "Callable[[Hit], None]",
    limit: int | None,
) -> tuple[int, bool]:
    """Print hits as they are found; return how many, and whether there are more than the limit."""
    from seqthink.library.finding.search import MAX_HITS  # not needed for Tab or help

    count = 0
    for hit in hits:
        if hit is None:
            progress.show(search.searched)
        elif count == (limit or MAX_HITS):
            progress.clear()
            return count, True
        else:
            count += 1
            progress.clear()
            show(hit)
    progress.clear()
    return count, False


class Progress:
    """One line on stderr while a search, or what else is done with each session, takes time, if that is a terminal."""

    def __init__(self, total: int, does: str = "searching") -> None:
        from seqthink.core.progress_line import ProgressLine  # not needed for Tab or help

        self._total = total
        self._does = does
        self._line = ProgressLine(sys.stderr)

    def show(self, searched: int) -> None:
        """Say how far it has come, not more often than is worth it."""
        self._line.show(lambda: f"{self._does}: {searched:,} of {self._total:,} sessions")

    def clear(self) -> None:
        """Take the line away, before something else is printed."""
        self._line.clear()


def _printer(
    options: argparse.Namespace, query: "Query", now: datetime, out: TextIO, catalog: "SessionCatalog"
) -> "Callable[[Hit], None]":
    if options.json:
        return lambda hit: print(json.dumps(_fields(_as_named(hit, catalog), catalog)), file=out, flush=True)
    if not is_terminal():
        return lambda hit: print(_piped(_with_host(_as_named(hit, catalog), catalog)), file=out, flush=True)
    from seqthink.core.times import microseconds_of  # not needed for Tab or help

    terminal = _TerminalHits(query, microseconds_of(now), out, drawing_signs(options))
    return lambda hit: terminal.show(_with_host(_as_named(hit, catalog), catalog))


def _with_host(hit: "Hit", catalog: "SessionCatalog") -> "Hit":
    """Return a hit whose session's name says on which machine of a fleet it is."""
    machine = catalog.session(hit.file.path).machine
    if not machine:
        return hit
    from seqthink.core.text import one_line

    return hit._replace(session=hit.session._replace(name=one_line(f"{hit.session.name} on {machine}")))


def _as_named(hit: "Hit", catalog: "SessionCatalog") -> "Hit":
    """Return a hit with the name that somebody gave its session, if one did."""
    from seqthink.library.catalog.labelled import labels_of  # not needed for Tab or help

    given = labels_of(catalog, hit.file.path).name
    if not given:
        return hit
    from seqthink.core.text import one_line

    return hit._replace(session=hit.session._replace(name=one_line(given)))


def _fields(hit: "Hit", catalog: "SessionCatalog") -> dict[str, Any]:
    file, session, text = hit
    placed = catalog.session(file.path)
    return {
        "session": session.session,
        "path": str(placed.original) if placed.original is not None else None,
        **({"host": placed.machine, "origin": placed.key.split("/")[0]} if placed.machine else {}),
        "source": file.source,
        "name": session.name,
        "client": session.client or None,
        "kind": text.kind,
        "thought": text.thought_seq or None,
        "number": text.number,
        "branch": text.branch or None,
        "time": _time(text.time),
        "snippet": _snippet(text),
        "link": hit.link,
    }


def _piped(hit: "Hit") -> str:
    """Return a hit as one line with tabs: the link, the time, the session's name, what it is, the snippet."""
    return "\t".join((hit.link, _time(hit.text.time), hit.session.name, hit.text.place, _snippet(hit.text)))


def _snippet(text: "FoundText") -> str:
    return f"…{text.excerpt}" if text.is_begun_before else text.excerpt


def _time(microseconds: int) -> str:
    from seqthink.core.times import datetime_of
    from seqthink.journal.encode import format_time  # not needed for Tab or help

    return format_time(datetime_of(microseconds))


class _TerminalHits:
    """Prints hits below a line for their session, as wide as the terminal."""

    def __init__(self, query: "Query", now: int, out: TextIO, signs: "Signs") -> None:
        self._query, self._now, self._out, self._signs = query, now, out, signs
        self._session: HitSession | None = None
        self._cells = max(MIN_WIDTH_CELLS, shutil.get_terminal_size((DEFAULT_WIDTH_CELLS, 24)).columns)
        self._has_colours = not os.environ.get("NO_COLOR")

    def show(self, hit: "Hit") -> None:
        """Print a hit."""
        from seqthink.drawing.rows.hit_rows import hit_line, session_line  # not needed in a pipe

        if hit.session != self._session:
            if self._session is not None:
                print(file=self._out)
            self._session = hit.session
            self._print(session_line(hit.session, self._cells, now=self._now, signs=self._signs, has_id=True))
        self._print(hit_line(hit.text, self._query, self._cells, now=self._now, signs=self._signs))

    def _print(self, spans: "Spans") -> None:
        coloured = (
            f"{_COLOURS[span.role]}{span.text}{_PLAIN}" if self._is_coloured(span) else span.text for span in spans
        )
        print("".join(coloured).rstrip(), file=self._out, flush=True)

    def _is_coloured(self, span: "Span") -> bool:
        return self._has_colours and span.role in _COLOURS and bool(span.text.strip())
