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

from seqthink.cli.common import CommandParser, cleaner_for, decoder_for, print_stderr, report_wrong_lines
from seqthink.cli.fleet.options import add_fleet, fleet_url
from seqthink.cli.option_values import bad_value, journal_folder, require_folder
from seqthink.cli.overview.wanted_sessions import add_wanted, require_choice, wanted_of
from seqthink.cli.preferences import Preferences, preferences_of
from seqthink.cli.standard_output import output
from seqthink.core.errors import UsageError

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from seqthink.library.catalog.session_catalog import SessionCatalog

    _Found = tuple[SessionCatalog, Callable[[str], Path]]

_MAX_PORT = 65_535


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "web",
        "seqthink web --open",
        "seqthink web last",
        "seqthink web --redact",
        notes="It prints a link that lets one browser in; Enter prints another, and Ctrl-C ends it.",
    )
    parser.add_session("the list of all sessions", links=True)
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="the port to listen on (default: any free)")
    parser.add_argument(
        "--open",
        action="store_true",
        help="open the link in your browser (other users can see it in the process list)",
    )
    parser.add_argument(
        "--bind",
        type=_address,
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to listen on (default: 127.0.0.1); for other machines, add --allow-host and a TLS proxy",
    )
    parser.add_argument(
        "--allow-host",
        type=_host,
        action="append",
        default=[],
        metavar="NAME",
        help="another name, or NAME:PORT, by which browsers reach this server (can be repeated)",
    )
    parser.add_silences()
    parser.add_sources("show")
    add_wanted(parser, "show")
    add_fleet(parser)
    parser.add_shown()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Serve pages until the user ends it; return 0 after Ctrl-C, 143 after TERM."""
    options = make_parser().parse_args(arguments)
    _check_reach(options)
    preferences = preferences_of(options)
    report_wrong_lines(preferences)
    from seqthink.share.web.serving import ServingOptions, listening_socket, serve_pages  # not needed for Tab or help

    # Before anything is read: a port that is taken is said at once.
    with listening_socket(options.bind, options.port) as listener, open_pages(options, preferences) as (app, path):
        _say_reach(options)
        serving = ServingOptions(options.bind, tuple(options.allow_host), path, opens_browser=options.open)
        return serve_pages(app, listener, serving, _print_link, print_stderr)


def _check_reach(options: argparse.Namespace) -> None:
    """Refuse to serve other machines under any name."""
    from seqthink.share.web.hosts import is_loopback  # not needed for Tab or help

    if not is_loopback(options.bind) and not options.allow_host:
        raise UsageError(
            f"web: other machines can reach {options.bind}; name the hosts under which browsers may do so, with "
            "--allow-host, or leave out --bind"
        )


def _say_reach(options: argparse.Namespace) -> None:
    """Say what is missing where other machines are served."""
    from seqthink.share.web.hosts import is_loopback  # not needed for Tab or help

    if not is_loopback(options.bind):
        print_stderr(f"pages leave {options.bind} as plain text; put a proxy before it that speaks TLS")


@contextmanager
def open_pages(options: argparse.Namespace, preferences: Preferences) -> "Generator[tuple[ASGIApp, str]]":
    """Give the application that makes the pages, and the path of the first one.

    Raises:
        UsageError: there is no such session, or more than one.
    """
    # They load what makes pages.
    from seqthink.chain.native.switchable_fold import Shown
    from seqthink.cli.overview.unattended import notifying
    from seqthink.journal.folder import seqthink_home
    from seqthink.library.viewer_store.folder import viewer_folder
    from seqthink.share.web.app import make_app
    from seqthink.share.web.settings import WebSettings

    seq = _linked_entry(options)
    require_choice(options)
    with _open_catalog(options, preferences) as (catalog, resolve):
        catalog.wanted.choose(wanted_of(options))
        path, shown = ("/", None) if options.session is None else _first_page(options.session, catalog, resolve)
        settings = WebSettings(
            catalog=catalog,
            clock=_now_microseconds,
            zone=datetime.fromtimestamp(time.time(), UTC).astimezone().tzinfo or UTC,
            decode=decoder_for(options),
            stale_seconds=preferences.stale,
            stuck_seconds=preferences.stuck,
            choice=Shown(options.shown) if options.shown else None,
            shown=shown,
            viewer_folder=viewer_folder(seqthink_home(os.environ)),
        )
        with notifying(catalog, preferences, settings.decode):
            yield make_app(settings), path + (f"#e{seq}" if seq else "")


def _linked_entry(options: argparse.Namespace) -> int:
    if options.session is None:
        return 0
    from seqthink.cli.session_reference import take_link  # not needed for Tab or help

    return take_link(options)


def _first_page(reference: str, catalog: "SessionCatalog", resolve: "Callable[[str], Path]") -> tuple[str, Path]:
    """Return the path of a session's page, and its journal. A listed one counts before what else is called so.

    Raises:
        UsageError: there is no such session, or more than one.
    """
    from seqthink.share.web.live.keys import SessionKeys, key_of  # loads what makes pages

    found = SessionKeys(catalog).find(reference)
    if found is None:
        path = resolve(reference)
        found = key_of(catalog, path), path
    return f"/s/{quote(found[0], safe='~')}", found[1]


@contextmanager
def _open_catalog(options: argparse.Namespace, preferences: Preferences) -> "Generator[_Found]":
    """Give the sessions of this machine, or of the fleet that the command line names, and what finds one more."""
    from seqthink.library.catalog.session_catalog import SessionCatalog  # not needed for Tab or help
    from seqthink.library.viewer_store.label_book import label_book_of

    url, folder, book = (
        fleet_url(options),
        journal_folder(options),
        label_book_of(os.environ, is_redacted=options.redact),
    )
    if url is not None:
        # They load what speaks to an engine.
        from seqthink.cli.fleet.reading import opened, patiently
        from seqthink.library.places.fleet import FleetPlace

        def find(reference: str) -> Path:
            return patiently(lambda: fleet.resolve(reference))

        with opened(url) as fleet, closing(FleetPlace(fleet, fleet.place, cleaner_for(options))) as place:
            yield SessionCatalog(place, label_book=book), find
        return
    from seqthink.library.places.of_this_machine import places_of_this_machine
    from seqthink.library.places.transcripts import TranscriptPlace

    places = places_of_this_machine(folder, preferences.sources, has_named=options.session is not None)
    for place in places:
        if place.is_local:
            require_folder(folder)
            place.sessions()  # a folder that cannot be read is said now, not on the page

    def resolve(reference: str) -> Path:
        # Not needed for Tab or help.
        from seqthink.cli.session_reference import named_session
        from seqthink.journal.journal_file import require_journal

        named = named_session(reference, folder)
        if not isinstance(named, Path):
            transcripts = next(place for place in places if isinstance(place, TranscriptPlace))
            return transcripts.adopt(named, print_stderr)
        require_journal(named)
        return named

    with closing(SessionCatalog(*places, label_book=book)) as catalog:
        yield catalog, resolve


def _now_microseconds() -> int:
    return time.time_ns() // 1000


def _print_link(url: str) -> None:
    with output() as out:
        out.write(f"{url}\n")


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= len(str(_MAX_PORT)) and 0 < int(text) <= _MAX_PORT:
        return int(text)
    raise bad_value(f"must be a port from 1 to {_MAX_PORT}, got {text[:40]!r}")


def _address(text: str) -> str:
    from seqthink.share.web.hosts import address_of  # not needed for Tab or help

    try:
        return address_of(text)
    except ValueError as error:
        raise bad_value(f"must be an IP address of this machine, got {text[:80]!r}") from error


def _host(text: str) -> str:
    from seqthink.share.web.hosts import host_name  # not needed for Tab or help

    try:
        return host_name(text)
    except ValueError as error:
        raise bad_value(f"must be the name of one host, or NAME:PORT, got {text[:80]!r}") from error
