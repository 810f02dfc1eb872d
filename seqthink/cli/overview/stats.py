"""`seqthink stats`: what one session counts, or all that changed in the last days."""

import argparse
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from seqthink.cli.common import (
    SESSION_HELP,
    CommandParser,
    decoder_for,
    drawing_signs,
    drawing_width,
    print_stderr,
)
from seqthink.cli.fleet.options import add_fleet
from seqthink.cli.option_values import Since, since
from seqthink.cli.overview.demo_runs import DemoRuns, add_demos
from seqthink.cli.overview.wanted_sessions import add_wanted, require_choice
from seqthink.cli.standard_output import output
from seqthink.core.errors import UsageError

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from seqthink.chain.statistics.session_statistics import Silence
    from seqthink.chain.statistics.totals import Statistics, Totals

DEFAULT_SINCE = Since(7 * 24)


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "stats",
        "seqthink stats",
        "seqthink stats last",
        "seqthink stats --since 30d",
        notes="Unknown values are left out.",
    )
    parser.add_argument("session", nargs="?", metavar="SESSION|FILE", help=f"{SESSION_HELP} (default: all recent ones)")
    parser.add_argument(
        "--since",
        type=since,
        metavar="AGE|DATE",
        help="sessions that changed since then: 12h, 7d, 8w, 2026-11-20 (default: 7d)",
    )
    parser.add_sources("count")
    add_wanted(parser, "count")
    add_demos(parser)
    add_fleet(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_drawing()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Print the page, or the object."""
    options = make_parser().parse_args(arguments)
    require_choice(options)
    if options.session and options.since:
        raise UsageError("stats: a session, or --since for all that changed, not both")
    # Not needed for Tab or help.
    from seqthink.core.times import microseconds_of
    from seqthink.drawing.plain import statistics_text

    now = datetime.now(UTC)  # noqa: TID251 - the edge reads the clock
    wanted: Since = options.since or DEFAULT_SINCE
    first = wanted.time(now)
    period = None if options.session else (microseconds_of(first), microseconds_of(now))
    counted = _count_one(options) if options.session else _count_since(options, first)
    heading = counted.only.name if options.session and counted.only else wanted.heading
    with output() as out:
        if options.json:
            print(json.dumps(_document(counted, period), indent=2), file=out)
            return 0
        zone = datetime.now().astimezone().tzinfo or UTC  # noqa: TID251 - the edge knows the time zone
        width, signs = drawing_width(options), drawing_signs(options)
        for line in statistics_text(counted, heading, width=width, period=period, zone=zone, signs=signs):
            print(line, file=out)
    return 0


def _count_one(options: argparse.Namespace) -> "Statistics":
    from seqthink.chain.statistics.totals import Statistics
    from seqthink.cli.session_reference import journal_path
    from seqthink.library.session_counting import count_session

    path, counted = journal_path(options), Statistics()
    try:
        one = count_session(path, path.stem, decoder_for(options))
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    if one is not None:
        counted.add(one)
    return counted


def _count_since(options: argparse.Namespace, first: datetime) -> "Statistics":
    from seqthink.chain.statistics.totals import Statistics
    from seqthink.cli.overview.find import Progress, open_catalog
    from seqthink.library.repositories.repository import Repositories
    from seqthink.library.session_counting import count_session

    counted, demos, repositories = Statistics(), DemoRuns(options), Repositories()
    with open_catalog(options) as catalog:
        catalog.list_whole()
        files = [file for file in catalog.sessions() if file.last >= first and catalog.wanted.may_have(file)]
        progress = Progress(len(files), "counting")
        unreadable = 0
        for number, file in enumerate(files):
            progress.show(number)
            try:
                catalog.session(file.path).read_whole()
                if not catalog.wanted.has(file):
                    continue
                one = count_session(file.path, file.session, decoder_for(options), repositories=repositories)
            except OSError:
                unreadable += 1
                continue
            if one is not None and not demos.leaves_out(file.session, one.client):
                counted.add(one)
        progress.clear()
    if not counted.all.sessions:
        demos.say_left_out()
    if unreadable:
        print_stderr(f"{unreadable:,} of {len(files):,} sessions could not be read")
    return counted


def _document(counted: "Statistics", period: tuple[int, int] | None) -> dict[str, Any]:
    """Return the JSON object; what is not known is not in it."""
    from seqthink.chain.statistics.session_statistics import HOUR

    document: dict[str, Any] = {"schema": "seqthink.stats/1"}
    if period is not None:
        document |= {"since": _time(period[0]), "until": _time(period[1])}
    if counted.only is not None:
        one = counted.only
        named = {"session": one.session, "name": one.name, "client": one.client, "folder": one.folder}
        named["repository"] = one.repository
        document |= {name: text for name, text in named.items() if text}
        document |= {name: _time(time) for name, time in (("first", one.first), ("last", one.last)) if time is not None}
    document |= {"sessions": counted.all.sessions, **_totals(counted.all)}
    document["silences"] = [_silence(silence) for silence in counted.all.silences]
    document["hours"] = {_time(hour * HOUR): count for hour, count in sorted(counted.all.hours.items())}
    document["clients"] = {name: _totals(total) for name, total in counted.clients.items()}
    document["folders"] = {name: _totals(total) for name, total in counted.folders.items()}
    document["repositories"] = {name: _totals(total) for name, total in counted.repositories.items()}
    document["models"] = dict(counted.models)
    document["tools"] = {
        name: {"calls": tool.calls, "failed": tool.failed} for name, tool in sorted(counted.tools.items())
    }
    return document


def _totals(total: "Totals") -> dict[str, Any]:
    fields: dict[str, Any] = {name: total.counts[name] for name in sorted(total.counts)}
    if total.estimates:
        offs = [outcome.off for outcome in total.estimates]
        fields["estimates"] = {
            "chains": len(offs),
            "exact": offs.count(0),
            "over": sum(off < 0 for off in offs),
            "under": sum(off > 0 for off in offs),
            "medianOff": total.median_off,
        }
    if total.pace is not None:
        fields["pace"] = {"perMinute": round(total.pace, 2), "thinkingSeconds": round(total.thinking / 1e6, 1)}
    return fields


def _silence(silence: "Silence") -> dict[str, Any]:
    return {
        "seconds": round(silence.duration / 1e6, 1),
        "since": _time(silence.since),
        "after": silence.number,
        "session": silence.session,
    }


def _time(microseconds: int) -> str:
    from seqthink.core.times import datetime_of

    return datetime_of(microseconds).isoformat(timespec="seconds").replace("+00:00", "Z")
