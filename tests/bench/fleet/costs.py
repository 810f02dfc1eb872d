"""What each thing costs the engine: the units from which docs/fleet.md computes a million agents."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis

from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import OriginEngine, Shipment
from seqthink.sources.fleet.opening import open_origin
from tests.bench.fleet.machines import ORIGIN, BenchFleet, bench_fleet
from tests.bench.report import Table

LINE_BYTES = 716
"""A thought of 500 characters is a line about so long."""
_AGENTS = 50
"""Agents of one machine."""
_BATCH = 300


def costs(folder: Path, program: str, *, is_quick: bool) -> Table:
    """Measure CPU and memory of an engine with an append-only file, through our own side of it."""
    times = 1 if is_quick else 5
    table = Table("fleet: unit costs of the engine, AOF everysec", ["what", "engine's CPU", "memory"])
    with tempfile.TemporaryDirectory(dir=folder) as place, bench_fleet(Path(place), program) as fleet:
        acts = _Acts(open_origin(parse_address(fleet.engine.url), ORIGIN, {}))
        for name, act, count in (
            ("a line that comes alone", acts.alone, 4_000 * times),
            (f"a line, {_AGENTS} sessions' in one round trip", acts.together, 20_000 * times),
            (f"a line, {_BATCH} of one session in one round trip", acts.backlog, 60_000 * times),
            ("a card, new, with its place in the index and its news", acts.new_cards, 5_000),
            ("a card, renewed", acts.same_cards, 5_000 * times),
            ("a heartbeat", acts.beats, 5_000 * times),
        ):
            cpu, memory = _cost(fleet, act, count)
            table.add(name, f"{cpu * 1e6:.1f} µs", f"{memory:,.0f} B")
        acts.origin.close()
        table.add("a connection", "", f"{_connection(fleet):,.0f} B")
    table.notes.append(f"A line is {LINE_BYTES} bytes.")
    return table


class _Acts:
    """What a shipper does, that many times."""

    def __init__(self, origin: OriginEngine) -> None:
        self.origin = origin
        text = b'{"v":1,"seq":1,"type":"thought","thought":"' + b"The quick brown fox weighs the evidence. " * 30
        self._line = text[: LINE_BYTES - 2] + b'"}'
        self._names = [f"20260310T140200.{number:06}Z-aaaaaa" for number in range(_AGENTS)]
        self._card = Card(
            cwd="/home/ana/shop-api",
            client="claude-code",
            name="shop-api",
            title="Symptoms: 502s cluster at the top of each hour",
            progress="6 of ~8",
            state="thinking",
            newest="Not the gateway: its pool is idle",
            last=10**15,
            head=self._line.decode(),
        )

    def alone(self, count: int) -> None:
        for number in range(count):
            self.origin.append([Shipment(self._names[number % _AGENTS], number // _AGENTS + 1, [self._line])])

    def together(self, count: int) -> None:
        for number in range(1, count // _AGENTS + 1):
            self.origin.append([Shipment(f"{name}-t", number, [self._line]) for name in self._names])

    def backlog(self, count: int) -> None:
        for number in range(0, count, _BATCH):
            self.origin.append([Shipment("backlog", number + 1, [self._line] * _BATCH)])

    def new_cards(self, count: int) -> None:
        for number in range(0, count, _AGENTS):
            self.origin.put_cards({f"card{number + place}": self._card for place in range(_AGENTS)})

    def same_cards(self, count: int) -> None:
        for _ in range(0, count, _AGENTS):
            self.origin.put_cards({f"card{place}": self._card for place in range(_AGENTS)})

    def beats(self, count: int) -> None:
        for _ in range(0, count, _AGENTS):
            self.origin.beat(self._names)


def _cost(fleet: BenchFleet, act: Callable[[int], None], count: int) -> tuple[float, float]:
    before, used = _cpu(fleet), _memory(fleet)
    act(count)
    return (_cpu(fleet) - before) / count, (_memory(fleet) - used) / count


def _cpu(fleet: BenchFleet) -> float:
    found: Any = fleet.client.info("cpu")
    return found["used_cpu_user"] + found["used_cpu_sys"]


def _memory(fleet: BenchFleet) -> int:
    found: Any = fleet.client.info("memory")
    return found["used_memory"]


def _connection(fleet: BenchFleet) -> float:
    before = _memory(fleet)
    opened: list[Any] = [redis.Redis(port=fleet.engine.port, protocol=2) for _ in range(200)]
    for one in opened:
        one.ping()
    used = _memory(fleet) - before
    for one in opened:
        one.close()
    return used / len(opened)
