"""`seqthink ship`: sends the journals of this machine to an engine, where others can watch them."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from seqthink.cli.common import CommandParser
from seqthink.cli.option_values import age_in_hours, since, whole_number
from seqthink.cli.standard_output import output
from seqthink.core.errors import UsageError

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from seqthink.share.shipping.origin import Origin
    from seqthink.sources.fleet.address import FleetAddress

_DEFAULT_KEEP_HOURS: Final = 30 * 24
_DEFAULT_TIMEOUT_SECONDS: Final = 300


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "ship",
        "seqthink ship redis://hub:6379",
        "seqthink ship redis://hub:6379 --once",
        "seqthink ship redis://hub:6379 --notes",
        notes="It keeps sending as the journals grow, so that others can watch them. Secrets are replaced before a "
        "line leaves. It needs Redis 6.2 or newer, or Valkey, and the extra `seqthink[fleet]`. User and password: "
        "SEQTHINK_FLEET_USER, SEQTHINK_FLEET_PASSWORD, SEQTHINK_FLEET_PASSWORD_FILE.",
    )
    parser.add_argument(
        "url",
        nargs="?",
        metavar="URL",
        help="the engine: redis://HOST:PORT/DB/TENANT, rediss://, unix:// (default: SEQTHINK_SHIP)",
    )
    parser.add_argument("--once", action="store_true", help="exit when everything is sent; exit 1 on timeout")
    parser.add_argument(
        "--timeout",
        type=whole_number,
        default=_DEFAULT_TIMEOUT_SECONDS,
        metavar="SECONDS",
        help="with --once: the timeout (default: 300)",
    )
    parser.add_argument("--session", metavar="ID", help="send only this session, and exit when it has ended")
    parser.add_argument(
        "--since",
        type=since,
        metavar="AGE|DATE",
        help="only sessions that changed since then: 12h, 7d, 8w, 2026-11-20 (default: as --keep)",
    )
    parser.add_argument("--verbatim", action="store_true", help="send each line unchanged, with its secrets")
    parser.add_argument(
        "--keep",
        type=age_in_hours,
        default=_DEFAULT_KEEP_HOURS,
        metavar="AGE",
        help="how long the engine keeps a session after its last line: 12h, 30d, 8w (default: 30d)",
    )
    parser.add_argument(
        "--keep-lines", type=whole_number, metavar="N", help="keep about N of its newest lines (default: all)"
    )
    parser.add_argument("--notes", action="store_true", help="pass notes from other machines to the agents here")
    parser.add_argument("--origin", metavar="NAME", help="name this machine (default: a name made once and kept)")
    parser.add_argument("--status", action="store_true", help="print how much of each session is sent")
    parser.add_argument("--json", action="store_true", help="with --status: one JSON array")
    parser.add_argument("--acl", action="store_true", help="only print the engine's users for the three roles")
    parser.add_argument(
        "--tidy",
        action="store_true",
        help="as administrator: remove names without a session from the engine's index",
    )
    return parser


def run(arguments: list[str]) -> int:
    """Ship until interrupted, or until all is there; or do one of the other things around it."""
    options = make_parser().parse_args(arguments)
    _check(options)
    from seqthink.sources.fleet.address import parse_address

    address = parse_address(_url(options, os.environ))
    if options.tidy:
        return _tidy(address)
    home = _home(os.environ)
    origin = _origin(options, home)
    if options.acl:
        return _print_roles(address, origin)
    from seqthink.cli.fleet.shipping_run import ShippingRun, print_status

    if options.status:
        return print_status(options, address, origin, home)
    return ShippingRun(options, address, origin, home).run()


def _check(options: argparse.Namespace) -> None:
    """Raise where options contradict one another.

    Raises:
        UsageError: they do.
    """
    modes = [name for name in ("once", "status", "acl", "tidy") if getattr(options, name)]
    if modes[1:]:
        raise UsageError(f"ship: --{modes[0]} and --{modes[1]} exclude each other; leave one out")
    if options.json and not options.status:
        raise UsageError("ship: --json is for --status only; add that, or leave it out")


def _url(options: argparse.Namespace, environ: Mapping[str, str]) -> str:
    url = options.url or environ.get("SEQTHINK_SHIP") or environ.get("SEQTHINK_FLEET")
    if not url:
        raise UsageError("ship: where to? name the engine, as in `seqthink ship redis://127.0.0.1:6379`")
    return url


def _home(environ: Mapping[str, str]) -> Path:
    from seqthink.journal.folder import seqthink_home

    try:
        return seqthink_home(environ)
    except RuntimeError as error:
        raise UsageError("the home folder (~) is unknown; give the whole path as SEQTHINK_HOME") from error


def _origin(options: argparse.Namespace, home: Path) -> "Origin":
    from seqthink.cli.journal_writing import writer_environment
    from seqthink.core import system
    from seqthink.share.shipping.origin import origin_of
    from seqthink.sources.fleet.layout import is_origin

    name = options.origin
    if name is not None and not is_origin(name):
        raise UsageError("ship: --origin takes letters, digits, `.`, `_` and `-`, as in buildbox-a2b3c4")
    return origin_of(home, system.host_name(), writer_environment().letters, name)


def _tidy(address: "FleetAddress") -> int:
    from seqthink.drawing.describe.units import count
    from seqthink.sources.fleet.opening import open_reader

    engine = open_reader(address, os.environ)
    try:
        removed = engine.tidy()
    finally:
        engine.close()
    with output() as out:
        print(f"{count(removed, 'name')} without a session taken out of the index", file=out)
    return 0


def _print_roles(address: "FleetAddress", origin: "Origin") -> int:
    from seqthink.sources.fleet.roles import roles

    with output() as out:
        out.write(roles(address.tenant, origin.name))
    return 0
