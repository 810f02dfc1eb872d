"""Measures and prints: ``python -m tests.bench [NAME...] [--quick] [--json FILE]``."""

import argparse
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from tests.bench import (
    audit,
    consent,
    frames,
    huge,
    idle,
    kills,
    live,
    loop_holds,
    memory,
    opening,
    seeking,
    start,
    steady,
)
from tests.bench.clients import sources, transcript_goals
from tests.bench.fleet import faults, goals
from tests.bench.overview import find, sessions, status, wall, why
from tests.bench.reading import fold, show
from tests.bench.report import Table, head
from tests.bench.serving import handover, server
from tests.bench.web import measure as measure_web

Measure = Callable[..., list[Table]]
MEASURES: Mapping[str, Measure] = {
    "start": start.measure,
    "open": opening.measure,
    "show": show.measure,
    "fold": fold.measure,
    "live": live.measure,
    "frame": frames.measure,
    "hold": loop_holds.measure,
    "seek": seeking.measure,
    "memory": memory.measure,
    "steady": steady.measure,
    "soak": steady.soak,
    "wall": wall.measure,
    "idle": idle.measure,
    "server": server.measure,
    "sessions": sessions.measure,
    "handover": handover.measure,
    "status": status.measure,
    "kill": kills.measure,
    "audit": audit.measure,
    "consent": consent.measure,
    "huge": huge.measure,
    "sources": sources.measure,
    "transcripts": transcript_goals.measure,
    "find": find.measure,
    "why": why.measure,
    "web": measure_web,
    "fleet": goals.measure,
    "faults": faults.measure,
}


ON_DEMAND = {"soak", "faults"}
"""Measurements that run only if they are named: an hour, and half an hour."""


def main() -> None:
    """Run the named measurements, by default all but those on demand."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description="Measure the goals of docs/viewer.md.",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(MEASURES)}; by default all but soak and faults"
    )
    parser.add_argument("--quick", action="store_true", help="shorter journals, fewer rounds")
    parser.add_argument("--code", type=Path, metavar="FOLDER", help="audit: also judge the files in FOLDER/LANGUAGE/")
    parser.add_argument("--minutes", type=int, default=steady.SOAK_MINUTES, metavar="N", help="soak: how long it lasts")
    parser.add_argument("--rounds", type=int, default=faults.ROUNDS, metavar="N", help="faults: how often each")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables there, too")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in MEASURES]
    if unknown:
        parser.error(f"no such measurement: {', '.join(unknown)}")
    print(head(), flush=True)
    tables: list[Table] = []
    extras = {
        "audit": {"code": options.code},
        "soak": {"minutes": max(1, options.minutes)},
        "faults": {"rounds": max(1, options.rounds)},
    }
    for name in options.names or [name for name in MEASURES if name not in ON_DEMAND]:
        extra = extras.get(name, {})
        with tempfile.TemporaryDirectory(prefix="seqthink-bench-") as folder:
            for table in MEASURES[name](Path(folder), is_quick=options.quick, **extra):
                print(table.text(), flush=True)
                tables.append(table)
    if options.json:
        report = {"head": head(), "tables": [asdict(table) for table in tables]}
        options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
