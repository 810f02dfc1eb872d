"""`seqthink watch`: shows a session live; on a terminal in the viewer, in a pipe line by line."""

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.cli.common import (
    CommandParser,
    decoder_for,
    drawing_signs,
    drawing_width,
    is_terminal,
    print_stderr,
    report_wrong_lines,
    viewer_options,
)
from seqthink.cli.fleet.options import add_fleet, fleet_url
from seqthink.cli.option_values import journal_folder, require_folder
from seqthink.cli.overview.wanted_sessions import add_wanted, has_wanted, newest_journal, require_choice, wanted_of
from seqthink.cli.preferences import preferences_of
from seqthink.cli.standard_output import output
from seqthink.cli.upkeep.setting_kinds import THEMES
from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.sources.transcripts.registry import JOURNAL

if TYPE_CHECKING:
    from seqthink.sources.transcripts.named_transcript import NamedTranscript
    from tui.settings import ViewerOptions


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "watch",
        "seqthink watch",
        "seqthink watch --all",
        "ssh host tail -n +1 -F session.jsonl | seqthink watch -",
        notes="In a pipe it prints a line for each new thought; with --all, a line whenever a session begins to need "
        "you or ends.",
    )
    parser.add_session("a live session, or one active in the last 10 minutes", stdin=True, links=True)
    parser.add_argument(
        "--all",
        action="store_true",
        help="start with the wall: all sessions of the last ten minutes",
    )
    parser.add_silences()
    parser.add_sources("show")
    add_wanted(parser, "show")
    add_fleet(parser)
    parser.add_drawing()
    parser.add_viewer_options()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Watch a session until the user leaves; a journal on stdin until it ends."""
    options = make_parser().parse_args(arguments)
    url = fleet_url(options)
    if url is not None:
        from seqthink.cli.fleet.watching import watch_fleet  # loads what speaks to an engine

        return watch_fleet(url, options)
    if is_terminal():
        from seqthink.cli.viewer import put_off_collections  # only on a terminal

        put_off_collections()
    return _watch_here(options)


def _watch_here(options: argparse.Namespace) -> int:
    folder = journal_folder(options)
    preferences = preferences_of(options)
    sources = preferences.sources
    is_stdin = options.session == "-"
    if is_stdin:
        _check_stdin()
    seq = _linked_entry(options)
    named = named_session(options)
    require_folder(folder)
    if options.all and not is_terminal():
        return _report_here(options)
    signs = drawing_signs(options)
    if is_terminal():
        from seqthink.cli import viewer  # only on a terminal

        if is_stdin:
            return viewer.watch_stdin(stale=preferences.stale, **viewer_options(options))
        next_command = viewer.watch(
            named,
            folder=folder,
            stale=preferences.stale,
            sources=sources,
            seq=seq,
            begins_with_wall=options.all,
            wanted=wanted_of(options) if has_wanted(options) else None,
            **viewer_options(options),
        )
        return _play_demo(folder, viewer_options(options)) if next_command == "demo" else 0
    report_wrong_lines(preferences)
    width, decode = drawing_width(options), decoder_for(options)
    # Only in a pipe.
    import anyio

    from seqthink.cli import live_print

    path = None if is_stdin else _journal_of(named, options, sources)

    async def print_it() -> list[str]:
        if is_stdin:
            return await live_print.print_stdin(out, width=width, signs=signs, decode=decode)
        shown = path or await _wait_for_recent_session(folder, options)
        return await live_print.print_live(shown, out, width=width, signs=signs, decode=decode, until_done=True)

    with output() as out:
        warnings = anyio.run(print_it)
    for complaint in warnings:
        print_stderr(complaint)
    return 0


def _report_here(options: argparse.Namespace) -> int:
    # Only in a pipe.
    from contextlib import closing

    from seqthink.cli.overview.unattended import report_occasions
    from seqthink.library.catalog.session_catalog import SessionCatalog
    from seqthink.library.places.of_this_machine import places_of_this_machine

    preferences = preferences_of(options)
    report_wrong_lines(preferences)
    with closing(SessionCatalog(*places_of_this_machine(journal_folder(options), preferences.sources))) as catalog:
        catalog.wanted.choose(wanted_of(options))
        return report_occasions(catalog, preferences, decoder_for(options))


def _check_stdin() -> None:
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("watch -: stdin is not a pipe; pipe a journal into it, or name a session")
    if not system.HAS_POLL:
        raise UsageError("watch - needs a POSIX system, such as Linux or macOS; `seqthink watch FILE` reads a file")


def _play_demo(folder: Path, options: "ViewerOptions") -> int:
    from seqthink.cli import demo  # only if the user asks for it

    theme_options = ["--theme", options["theme"]] if options["theme"] in THEMES else []
    switches = {
        "ascii": options["is_ascii"],
        "motion": options["has_motion"],
        "mouse": options["has_mouse"],
        "title": options["has_title"],
        "bell": options["has_bell"],
        "notify": options["has_notifications"],
    }
    given = [f"--{name}" if is_on else f"--no-{name}" for name, is_on in switches.items()]
    return demo.run(["--journal-dir", str(folder), *theme_options, *given])


def _linked_entry(options: argparse.Namespace) -> int:
    if options.session is None:
        return 0
    from seqthink.cli.session_reference import take_link  # not needed for Tab or help

    return take_link(options)


def named_session(options: argparse.Namespace) -> "Path | NamedTranscript | None":
    """Return the session that the command line names, without a link; None for none, and for stdin.

    Raises:
        UsageError: there is no such session, or another option has no use for one.
    """
    if options.all and options.session is not None:
        raise UsageError("watch --all shows all live sessions; leave out the session, or --all")
    require_choice(options)
    if options.session in {None, "-"}:
        return None
    # Not needed for Tab or help.
    from seqthink.cli import session_reference
    from seqthink.journal.journal_file import require_journal

    if has_wanted(options):
        named = session_reference.newest_wanted(options)
    else:
        named = session_reference.named_session(options.session, journal_folder(options))
    if isinstance(named, Path):
        require_journal(named)
    return named


def _journal_of(
    named: "Path | NamedTranscript | None", options: argparse.Namespace, sources: frozenset[str]
) -> Path | None:
    """Return the journal of a session that is printed: a transcript is read once; None to wait for a journal."""
    if named is None and JOURNAL not in sources:
        from seqthink.cli.session_reference import newest_wanted  # loads what reads transcripts

        named = newest_wanted(options) if has_wanted(options) else _last_transcript(sources)
    if named is None or isinstance(named, Path):
        return named
    from seqthink.cli.session_reference import translated  # only of a transcript

    return translated(named)


def _last_transcript(sources: frozenset[str]) -> "NamedTranscript":
    """Return the session of a client among ``sources`` that changed last.

    Raises:
        UsageError: there is none. A pipe does not wait for one: a transcript is read once.
    """
    from seqthink.cli.session_reference import last_transcript  # loads what reads transcripts

    found = last_transcript(sources)
    if found is None:
        names = ", ".join(sorted(sources)) or "none"
        raise UsageError(f"watch: the sources ({names}) have no session yet; start one first, or change --sources")
    return found


async def _wait_for_recent_session(folder: Path, options: argparse.Namespace) -> Path:
    """Return the recent session of ``folder`` that the command line wants, as soon as there is one."""
    from seqthink.journal.follow import follow_folder  # not needed for Tab or help

    has_said = False
    async with aclosing(follow_folder(folder)) as changes:
        async for _ in changes:
            path = recent_session(folder, _now, options)
            if path is not None:
                return path
            if not has_said:
                print_stderr(f"waiting for a session in {folder}")
                has_said = True
    raise AssertionError("following a folder never ends")


def recent_session(folder: Path, now: Callable[[], datetime], options: argparse.Namespace | None = None) -> Path | None:
    """Return the newest session of ``folder`` if its server is alive or it changed within ``RECENT_SECONDS``.

    Of several, those count that ``options`` want by `--repo` and `--branch`.

    Raises:
        UsageError: the folder cannot be read.
    """
    # Not needed for Tab or help.
    from seqthink.core.events import WriterState
    from seqthink.journal.peek import first_session_event, writer_state
    from seqthink.journal.store import RECENT_SECONDS, newest_session

    found = newest_journal(options, folder) if options and has_wanted(options) else newest_session(folder)
    if found is None:
        return None
    is_recent = (
        abs(now() - found.last) <= timedelta(seconds=RECENT_SECONDS)
        or writer_state(found.path, first_session_event(found.path)) is WriterState.ALIVE
    )
    return found.path if is_recent and os.access(found.path, os.R_OK) else None


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the edge reads the clock
