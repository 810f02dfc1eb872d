"""`serve` beside a shipper: what a thought takes with the engine up, down and hanging, by turns with no shipper."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.bench.fleet.machines import BenchFleet, bench_fleet
from tests.bench.report import Table, seconds, verdict
from tests.bench.stdio import Server
from tests.bench.terminal import python, wait_seconds
from tests.support.fleet.tcp_proxy import TcpProxy

GOAL_SHARE = 0.05
_ALONE, _UP, _DOWN, _HANGING = "no shipper", "engine up", "engine down", "engine hanging"


def serving(folder: Path, program: str, *, is_quick: bool) -> Table:
    """Measure calls one after the other, in rounds by turns."""
    rounds, calls, pace = (3, 150, 0.004) if is_quick else (9, 400, 0.004)
    took: dict[str, list[float]] = {_ALONE: [], _UP: [], _DOWN: [], _HANGING: []}
    ratios: dict[str, list[float]] = {_UP: [], _DOWN: [], _HANGING: []}
    for _ in range(rounds):
        for case, found in ratios.items():
            middles: dict[str, float] = {}
            for one in (_ALONE, case):
                with tempfile.TemporaryDirectory(dir=folder) as place, bench_fleet(Path(place), program) as fleet:
                    middles[one] = _p50(fleet, one, calls, pace)
                took[one].append(middles[one])
            found.append(middles[case] / middles[_ALONE])
    table = Table(
        f"serve: p50 of a call, one every {pace * 1e3:.0f} ms, {rounds} rounds by turns",
        ["beside", "p50", "over none", "goal", ""],
    )
    table.add(_ALONE, seconds(median(took[_ALONE])), "", "", "")
    for case, found in ratios.items():
        over = median(found) - 1
        table.add(case, seconds(median(took[case])), f"{over:+.1%}", f"≤ {GOAL_SHARE:.0%}", verdict(over <= GOAL_SHARE))
    return table


def _p50(fleet: BenchFleet, case: str, calls: int, pace: float) -> float:
    with _shipper(fleet, case):
        environ = fleet.environment() | {"DISABLE_THOUGHT_LOGGING": "true", "PATH": os.environ["PATH"]}
        server = Server(python("seqthink", "serve"), environ)
        try:
            server.think(50)
            wait_seconds(1.5)  # a shipper has seen the session
            found: list[float] = []
            for _ in range(calls):
                found += server.think(1)
                wait_seconds(pace)
        finally:
            server.close()
    return median(found)


@contextmanager
def _shipper(fleet: BenchFleet, case: str) -> Generator[None]:
    """Run a shipper whose engine is as the case says."""
    if case == _ALONE:
        yield
        return
    with TcpProxy(fleet.engine.port) as proxy, fleet.shipping("--verbatim", url=proxy.url):
        wait_seconds(1.5)
        if case == _DOWN:
            fleet.engine.kill()
        elif case == _HANGING:
            proxy.hold()
        yield
