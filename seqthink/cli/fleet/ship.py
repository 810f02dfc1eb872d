"""`seqthink ship`: sends the journals of this machine to an engine, where others can watch them."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from seqthink.cli.common import CommandParser, print_stderr
from seqthink.cli.option_values import age_in_hours, journal_folder, whole_number
from seqthink.cli.standard_output import output
from seqthink.errors import SeqthinkError, UsageError

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from seqthink.fleet.engine import OriginEngine
    from seqthink.fleet.opening import FleetAddress
    from seqthink.shipping.origin import Origin
    from seqthink.shipping.shipped_state import Memory
    from seqthink.shipping.shipper import ShipOptions, Shipper
    from seqthink.shipping.waiting import Stop

_HOUR_SECONDS: Final = 3600
_DEFAULT_KEEP_HOURS: Final = 30 * 24
_DEFAULT_TIMEOUT_SECONDS: Final = 300


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "ship",
        "Send the journals of this machine to an engine (Redis 6.2 or newer, or Valkey), and go on as they grow, so "
        "that others can watch them. Secrets are replaced before a line leaves. Needs the extra: pip install "
        "'seqthink[fleet]'. User and password: SEQTHINK_FLEET_USER, SEQTHINK_FLEET_PASSWORD, "
        "SEQTHINK_FLEET_PASSWORD_FILE.",
        "seqthink ship rediss://engine.example:6379/0/acme",
    )
    parser.add_argument(
        "url",
        nargs="?",
        metavar="URL",
        help="the engine: redis://HOST:PORT/DB/TENANT, rediss://, unix:// (SEQTHINK_SHIP)",
    )
    parser.add_argument("--once", action="store_true", help="end when all is there; exit 1 if it is not in time")
    parser.add_argument(
        "--timeout",
        type=whole_number,
        default=_DEFAULT_TIMEOUT_SECONDS,
        metavar="SECONDS",
        help="how long --once tries (default: 300)",
    )
    parser.add_argument("--session", metavar="ID", help="ship this session only, and end after it")
    parser.add_argument(
        "--since",
        type=age_in_hours,
        metavar="AGE",
        help="leave out sessions that changed last before that: 12h, 7d, 8w (default: as --keep)",
    )
    parser.add_argument("--verbatim", action="store_true", help="send each line as it stands, with secrets")
    parser.add_argument(
        "--keep",
        type=age_in_hours,
        default=_DEFAULT_KEEP_HOURS,
        metavar="AGE",
        help="how long the engine keeps a session after its last line: 12h, 30d, 8w (default: 30d)",
    )
    parser.add_argument(
        "--keep-lines", type=whole_number, metavar="N", help="how many of its newest lines, about (default: all)"
    )
    parser.add_argument("--origin", metavar="NAME", help="the name of this machine (default: made once, and kept)")
    return parser


def run(arguments: list[str]) -> int:
    """Ship until interrupted, or until all is there."""
    options = make_parser().parse_args(arguments)
    _check_library()
    address = _address(options, os.environ)
    origin = _origin(options, os.environ)
    from seqthink.shipping.waiting import Stop

    with Stop() as stop:
        return _ship(options, address, origin, stop)


def _check_library() -> None:
    """Raise where the extra is not installed.

    Raises:
        UsageError: it is not.
    """
    from importlib.util import find_spec

    if find_spec("redis") is None:
        raise UsageError("ship needs what `pip install 'seqthink[fleet]'` installs")


def _address(options: argparse.Namespace, environ: Mapping[str, str]) -> "FleetAddress":
    from seqthink.fleet.opening import parse_address

    url = options.url or environ.get("SEQTHINK_SHIP") or environ.get("SEQTHINK_FLEET")
    if not url:
        raise UsageError("ship: where to? name the engine, as in `seqthink ship redis://127.0.0.1:6379`")
    return parse_address(url)


def _home(environ: Mapping[str, str]) -> Path:
    from seqthink.journal.folder import seqthink_home

    try:
        return seqthink_home(environ)
    except RuntimeError as error:
        raise UsageError("the home folder (~) is unknown; give the whole path as SEQTHINK_HOME") from error


def _origin(options: argparse.Namespace, environ: Mapping[str, str]) -> "Origin":
    from seqthink import system
    from seqthink.cli.journal_writing import writer_environment
    from seqthink.fleet.layout import is_origin
    from seqthink.shipping.origin import origin_of

    name = options.origin
    if name is not None and not is_origin(name):
        raise UsageError("ship: --origin takes letters, digits, `.`, `_` and `-`, as in buildbox-a2b3c4")
    return origin_of(_home(environ), system.host_name(), writer_environment().letters, name)


def _ship(options: argparse.Namespace, address: "FleetAddress", origin: "Origin", stop: "Stop") -> int:
    import random
    import time
    from threading import Timer

    from seqthink.fleet.opening import open_origin
    from seqthink.shipping.shipper import Shipper, clocks_of_system

    folder, only = _folder_and_session(options)
    engine = open_origin(address, origin.name, os.environ)
    _end_on_signals(stop, engine)
    timer = Timer(options.timeout, stop.set)
    timer.daemon = True
    try:
        clocks = clocks_of_system(time.time, random.SystemRandom().random)
        memory = None if only is not None else _memory(address, origin, folder)
        shipper = Shipper(engine, folder, _ship_options(options, origin, only), print_stderr, clocks, memory)
        if options.once:
            timer.start()
        shipper.run(stop, _progress(sys.stderr.isatty() if sys.stderr is not None else False))
        if only is None and not shipper.has_failed:
            _leave(engine)
    finally:
        timer.cancel()
        engine.close()
    return _status(shipper, stop, is_once=options.once)


def _folder_and_session(options: argparse.Namespace) -> tuple[Path, str | None]:
    folder = journal_folder(options)
    if options.session is None:
        return folder, None
    from seqthink.fleet.layout import is_session
    from seqthink.journal.folder import SUFFIX
    from seqthink.journal.store import resolve_journal

    path = resolve_journal(options.session, folder)
    session = path.name.removesuffix(SUFFIX)
    if not is_session(session):
        raise UsageError(f"ship: {path.name} cannot be shipped: its name is no session's")
    return path.parent, session


def _memory(address: "FleetAddress", origin: "Origin", folder: Path) -> "Memory":
    from seqthink.shipping.shipped_state import Memory, StateFile, shipping_folder

    kept = shipping_folder(_home(os.environ))
    return Memory(kept, StateFile(kept, str(address), origin.name, folder), print_stderr)


def _ship_options(options: argparse.Namespace, origin: "Origin", only: str | None) -> "ShipOptions":
    import time

    from seqthink.shipping.card_sender import CardOptions
    from seqthink.shipping.line_redaction import LineRedaction, as_it_stands
    from seqthink.shipping.shipper import ShipOptions

    outgoing = as_it_stands if options.verbatim else LineRedaction(origin.salt)
    hours = options.since if options.since is not None else options.keep
    since = 0.0 if only is not None else time.time() - hours * _HOUR_SECONDS
    return ShipOptions(CardOptions(outgoing), options.once, only, since, options.keep_lines)


def _end_on_signals(stop: "Stop", engine: "OriginEngine") -> None:
    """Let the first signal end the shipper soon, whatever it waits for, and the second one at once."""
    import signal
    from threading import Timer

    def end(number: int, _frame: object) -> None:
        if stop.is_set:
            raise KeyboardInterrupt
        stop.set(number)
        timer = Timer(1.0, engine.close)  # it may be waiting for an engine that hangs
        timer.daemon = True
        timer.start()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)


def _leave(engine: "OriginEngine") -> None:
    from contextlib import suppress

    with suppress(SeqthinkError):
        engine.leave()


def _status(shipper: "Shipper", stop: "Stop", *, is_once: bool) -> int:
    import signal

    if stop.signal == signal.SIGINT:
        return 130
    if stop.signal or not is_once:
        return 0
    missing = shipper.missing()
    if missing:
        print_stderr(f"not all is there: {missing}")
        return 1
    with output() as out:
        print(f"all is there: {shipper.summary()}", file=out)
    return 0


def _progress(is_shown: bool) -> "Callable[[Shipper], None] | None":
    if not is_shown:
        return None
    from seqthink.shipping.progress import ShippingProgress

    return ShippingProgress(sys.stderr)
