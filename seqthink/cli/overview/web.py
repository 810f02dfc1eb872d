"""`seqthink web`: the sessions as pages for a browser, which grow while an agent thinks."""

import argparse
import os
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from seqthink.chain.attention import STUCK_SECONDS
from seqthink.chain.state import STALE_SECONDS
from seqthink.cli.common import CommandParser, decoder_for, print_stderr, report_wrong_lines
from seqthink.cli.fleet.options import add_fleet, fleet_url
from seqthink.cli.journal_output import take_link
from seqthink.cli.option_values import bad_value, journal_folder, require_folder, whole_number
from seqthink.cli.preferences import Preferences, preferences_of
from seqthink.cli.standard_output import output
from seqthink.cli.transcript_files import is_transcript
from seqthink.errors import UsageError
from seqthink.journal.folder import seqthink_home
from seqthink.journal.journal_file import require_journal
from seqthink.text import one_line
from seqthink.transcripts.registry import JOURNAL, TRANSCRIPTS

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from seqthink.catalog.session_catalog import SessionCatalog

_PORTS = 65_536


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "web",
        "Show the sessions in a browser on this machine, live. Prints a link that lets one browser in; Enter prints "
        "another. Ctrl-C ends it.",
        "seqthink web --open",
    )
    parser.add_argument(
        "session",
        nargs="?",
        metavar="SESSION",
        help="the session that the link opens: its id, a unique prefix of it, or `last` (default: the list of all)",
    )
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="the port to listen on (default: any free)")
    parser.add_argument("--open", action="store_true", help="open the link in your browser")
    parser.add_argument(
        "--bind",
        type=_address,
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to listen on (default: 127.0.0.1); one that other machines reach needs --allow-host, and a "
        "proxy before it for TLS",
    )
    parser.add_argument(
        "--allow-host",
        type=_host,
        action="append",
        default=[],
        metavar="NAME",
        help="a further name, or NAME:PORT, under which browsers reach this server; can be repeated",
    )
    parser.add_argument(
        "--stale",
        type=whole_number,
        metavar="N",
        help=f"seconds without a thought after which a session is quiet (default: {STALE_SECONDS})",
    )
    parser.add_argument(
        "--stuck",
        type=whole_number,
        metavar="N",
        help=f"seconds of silence after which a session is stuck (default: {STUCK_SECONDS})",
    )
    parser.add_argument(
        "--sources",
        metavar="LIST",
        help="whose sessions are shown, with commas: journal (our own server's), claude, codex, gemini, opencode "
        "(default: $SEQTHINK_SOURCES, else the settings', else all)",
    )
    add_fleet(parser)
    parser.add_native()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Serve pages until the user ends it; return 0 after Ctrl-C, 143 after TERM."""
    options = make_parser().parse_args(arguments)
    _check_reach(options)
    preferences = preferences_of(options)
    report_wrong_lines(preferences)
    from seqthink.web.serving import ServingOptions, listening_socket, serve_pages  # not needed for Tab or help

    # Before anything is read: a port that is taken is said at once.
    with listening_socket(options.bind, options.port) as listener, open_pages(options, preferences) as (app, path):
        serving = ServingOptions(options.bind, tuple(options.allow_host), path, opens_browser=options.open)
        return serve_pages(app, listener, serving, _print_link, print_stderr)


def _check_reach(options: argparse.Namespace) -> None:
    """Refuse to serve other machines under any name; say what is missing if the names are there."""
    from seqthink.web.hosts import is_loopback  # not needed for Tab or help

    if is_loopback(options.bind):
        return
    if not options.allow_host:
        raise UsageError(
            f"web: other machines can reach {options.bind}; name the hosts under which browsers may do so, with "
            "--allow-host, or leave out --bind"
        )
    print_stderr(f"pages leave {options.bind} as plain text; put a proxy before it that speaks TLS")


@contextmanager
def open_pages(options: argparse.Namespace, preferences: Preferences) -> "Generator[tuple[ASGIApp, str]]":
    """Give the application that makes the pages, and the path of the first one.

    Raises:
        UsageError: there is no such session, or more than one.
    """
    # Not needed for Tab or help.
    from seqthink.viewer_store.folder import viewer_folder
    from seqthink.web.app import make_app
    from seqthink.web.settings import WebSettings

    seq = take_link(options) if options.session is not None else 0
    with _open_catalog(options, preferences) as catalog:
        path, shown = _first_page(options, catalog)
        settings = WebSettings(
            catalog=catalog,
            clock=_now_microseconds,
            zone=datetime.fromtimestamp(time.time(), UTC).astimezone().tzinfo or UTC,
            decode=decoder_for(options),
            stale_seconds=preferences.stale,
            stuck_seconds=preferences.stuck,
            has_native=options.native,
            shown=shown,
            viewer_folder=viewer_folder(seqthink_home(os.environ)),
        )
        yield make_app(settings), f"{path}#e{seq}" if seq else path


@contextmanager
def _open_catalog(options: argparse.Namespace, preferences: Preferences) -> "Generator[SessionCatalog]":
    """Give the sessions of this machine, or of the fleet that the command line names."""
    from seqthink.catalog.session_catalog import SessionCatalog  # not needed for Tab or help

    url, folder = fleet_url(options), journal_folder(options)
    if url is not None:
        # They load what speaks to an engine.
        from seqthink.catalog.fleet_library import FleetLibrary
        from seqthink.cli.fleet.reading import opened

        with opened(url) as fleet, closing(FleetLibrary(fleet, fleet.place, _cleaner(options))) as library:
            yield SessionCatalog(folder, fleet=library)
        return
    clients, has_journals = preferences.sources & frozenset(TRANSCRIPTS), JOURNAL in preferences.sources
    if has_journals:
        require_folder(folder)
    if not clients:
        yield SessionCatalog(folder, None, has_journals)
        return
    from seqthink.catalog.transcript_library import TranscriptLibrary  # it takes time to load

    with closing(TranscriptLibrary(clients, os.environ, Path.home(), _now_microseconds)) as library:
        yield SessionCatalog(folder, library, has_journals)


def _cleaner(options: argparse.Namespace) -> "Callable[[str], str] | None":
    if not options.redact:
        return None
    from seqthink.redaction import redact_text  # loads the library of secret patterns

    return redact_text


def _first_page(options: argparse.Namespace, catalog: "SessionCatalog") -> tuple[str, Path | None]:
    """Return the path of the page that the link opens, and the journal of its session if it is a file of its own.

    Raises:
        UsageError: there is no such session, or more than one.
    """
    from seqthink.web.live.keys import key_of  # not needed for Tab or help

    reference: str | None = options.session
    if reference is None:
        return "/", None
    if catalog.fleet is None and os.path.isfile(reference):  # noqa: PTH113 - never raises
        shown = Path(reference).absolute()
        if is_transcript(shown):
            raise UsageError("web: this is another program's transcript; name its session's id, or import it")
        require_journal(shown)
        return f"/s/{quote(key_of(catalog, shown), safe='~')}", shown
    catalog.list_transcripts()
    paths = {catalog.key_of(file.path): file.path for file in reversed(catalog.sessions())}
    found = [*paths][-1:] if reference == "last" else [key for key in paths if key == reference]
    found = found or [key for key in paths if key.startswith(reference)]
    if not found:
        raise UsageError(f"no session {one_line(reference[:80])!r}; `seqthink sessions` lists them")
    if len(found) > 1:
        raise UsageError(f"{one_line(reference[:80])!r} is the beginning of {len(found):,} sessions; give more of it")
    return f"/s/{quote(key_of(catalog, paths[found[0]]), safe='~')}", None


def _now_microseconds() -> int:
    return time.time_ns() // 1000


def _print_link(url: str) -> None:
    with output() as out:
        out.write(f"{url}\n")


def _port(text: str) -> int:
    return whole_number(text, _PORTS)


def _address(text: str) -> str:
    from seqthink.web.hosts import address_of  # not needed for Tab or help

    try:
        return address_of(text)
    except ValueError as error:
        raise bad_value(f"must be an IP address of this machine, got {text[:80]!r}") from error


def _host(text: str) -> str:
    from seqthink.web.hosts import host_name  # not needed for Tab or help

    try:
        return host_name(text)
    except ValueError as error:
        raise bad_value(f"must be the name of one host, or NAME:PORT, got {text[:80]!r}") from error
