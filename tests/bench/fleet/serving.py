"""`serve` beside a shipper, engine up, down and hanging, by turns with one that has no shipper: what a call takes."""

import os
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
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
    rounds, calls, pace = (3, 150, 0.006) if is_quick else (7, 300, 0.006)
    took: dict[str, list[float]] = {_ALONE: [], _UP: [], _DOWN: [], _HANGING: []}
    ratios: dict[str, list[float]] = {_UP: [], _DOWN: [], _HANGING: []}
    for _ in range(rounds):
        for case, found in ratios.items():
            alone, beside = _pair(folder, program, case, calls, pace)
            took[_ALONE].append(alone)
            took[case].append(beside)
            found.append(beside / alone)
    table = Table(
        f"serve: p50 of a call, one every {pace * 1e3:.0f} ms, {rounds} rounds by turns",
        ["beside", "p50", "over none", "goal", ""],
    )
    table.add(_ALONE, seconds(median(took[_ALONE])), "", "", "")
    for case, found in ratios.items():
        over = median(found) - 1
        table.add(case, seconds(median(took[case])), f"{over:+.1%}", f"≤ {GOAL_SHARE:.0%}", verdict(over <= GOAL_SHARE))
    return table


def _pair(folder: Path, program: str, case: str, calls: int, pace: float) -> tuple[float, float]:
    """Return the p50 of two servers that are called by turns: one without a shipper, and one beside it."""
    with ExitStack() as stack:
        servers: list[Server] = []
        for one in (_ALONE, case):
            place = stack.enter_context(tempfile.TemporaryDirectory(dir=folder))
            fleet = stack.enter_context(bench_fleet(Path(place), program))
            stack.enter_context(_shipper(fleet, one))
            environ = fleet.environment() | {"DISABLE_THOUGHT_LOGGING": "true", "PATH": os.environ["PATH"]}
            servers.append(Server(python("seqthink", "serve"), environ))
            stack.callback(servers[-1].close)
        for server in servers:
            server.think(50)
        wait_seconds(1.5)  # the shipper has seen the session
        took: list[list[float]] = [[], []]
        for _ in range(calls):
            for server, times in zip(servers, took, strict=True):
                times.extend(server.think(1))
                wait_seconds(pace)
    return median(took[0]), median(took[1])


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
