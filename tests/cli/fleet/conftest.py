"""A real engine with the sessions of two machines."""

from collections.abc import Callable, Generator
from pathlib import Path
from time import time_ns

import pytest

from seqthink.__main__ import main
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import OriginEngine, Shipment
from seqthink.sources.fleet.opening import open_origin
from tests.support.fleet.redis_server import WITHOUT_ENGINE, engine_program, running_server

JOURNALS = Path(__file__).parents[2] / "journals"
Command = Callable[..., tuple[int, str, str]]


def ship(origin: OriginEngine, session: str, data: bytes, **card: str | int) -> None:
    """Send a whole journal."""
    lines = data.split(b"\n")[:-1]
    origin.append([Shipment(session, 1, lines)])
    fields: dict[str, str | int] = {
        "name": "shop-api",
        "title": "Why do 502s cluster?",
        "client": "claude-code",
        "state": "stopped",
        "last": time_ns() // 1000,
        "lines": len(lines),
        "bytes": len(data),
        "thoughts": 14,
        "chains": 1,
        "head": lines[0].decode(),
    }
    origin.put_cards({session: Card(**(fields | card))})  # pyright: ignore[reportArgumentType] - each is of its type
    origin.beat([])


@pytest.fixture(scope="module")
def fleet_url(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """Two machines: `desk` with shop-api and full, `lab` with shop-api, and trimmed, which begins later."""
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    with running_server(tmp_path_factory.mktemp("engine")) as server:
        desk, lab = (open_origin(parse_address(server.url), name, {}) for name in ("desk-aaaaaa", "lab-bbbbbb"))
        ship(desk, "full", (JOURNALS / "full.jsonl").read_bytes(), last=1_700_000_000_000_000)
        ship(desk, "shop-api", (JOURNALS / "shop-api.jsonl").read_bytes())
        ship(lab, "shop-api", (JOURNALS / "shop-api.jsonl").read_bytes())
        ship(lab, "trimmed", (JOURNALS / "shop-api.jsonl").read_bytes(), title="It begins later")
        client = server.client()
        client.xtrim("seqthink:main:{lab-bbbbbb}:e:trimmed", minid="6-0", approximate=False)
        client.close()
        yield server.url
        desk.close()
        lab.close()


@pytest.fixture
def seqthink(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs a command and returns its status and what it wrote."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        written = capsys.readouterr()
        return status, written.out, written.err

    return run
