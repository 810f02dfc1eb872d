"""Mirrors on a real engine, through what goes wrong with one."""

import threading
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from time import time_ns

import pytest

from seqthink.core.errors import SeqthinkError
from seqthink.core.events import WriterState
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import Shipment
from seqthink.sources.fleet.failures import EngineUnavailableError
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.mirror.folder import FleetFolder
from seqthink.sources.fleet.opening import open_origin, open_reader
from tests.sources.fleet.mirror.test_folder import HEAD, file_of, thought
from tests.support.fleet.redis_server import RedisServer
from tests.support.fleet.waiting import wait_for

ORIGIN, SESSION = "box-abcdef", "one"


class PlainShipper:
    """Ships what is asked for, and sends all again when the engine has less than it."""

    def __init__(self, url: str) -> None:
        self.lines: list[bytes] = [HEAD]
        self._engine = open_origin(parse_address(url), ORIGIN, {})

    def ship(self, more: Sequence[bytes] = ()) -> None:
        self.lines += more
        try:
            self._ship()
        except EngineUnavailableError:  # it was started again since
            self._ship()

    def _ship(self) -> None:
        there = self._engine.states([SESSION])[0].last
        while there < len(self.lines):
            batch = self.lines[there : there + 200]
            there = self._engine.append([Shipment(SESSION, there + 1, batch)])[0]
        card = Card(name="shop", last=time_ns() // 1000, lines=there, bytes=9, head=HEAD.decode())
        self._engine.put_cards({SESSION: card})
        self._engine.beat([SESSION])

    def trim(self, keep: int) -> None:
        self._engine.trim(SESSION, keep)

    def close(self) -> None:
        self._engine.close()


@pytest.fixture
def shipper(redis_server: RedisServer) -> Generator[PlainShipper]:
    made = PlainShipper(redis_server.url)
    yield made
    made.close()


@pytest.fixture
def folder(redis_server: RedisServer, tmp_path: Path) -> Generator[FleetFolder]:
    address = parse_address(redis_server.url)
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    made = FleetFolder(lambda: open_reader(address, environ), environ, lambda: time_ns() // 1000)
    yield made
    made.close()


def holds(path: Path, lines: Sequence[bytes]) -> Callable[[], bool]:
    return lambda: path.exists() and path.read_bytes() == file_of(list(lines))


def test_history_goes_over_into_live_without_a_gap(shipper: PlainShipper, folder: FleetFolder) -> None:
    shipper.ship([thought(number) for number in range(1, 3000)])
    path = folder.resolve("last")
    writer = threading.Thread(target=lambda: [shipper.ship([thought(number)]) for number in range(3000, 3400)])
    writer.start()
    folder.fill(path)
    folder.follow(path)
    writer.join()

    wait_for(holds(path, shipper.lines))
    assert folder.name_of(path) == SessionName(ORIGIN, SESSION)
    assert folder.host_of(path) == "box"
    assert folder.writer_state(path) is WriterState.ALIVE


def test_an_engine_that_lost_all_is_followed_again(
    redis_server: RedisServer, shipper: PlainShipper, folder: FleetFolder
) -> None:
    shipper.ship([thought(number) for number in range(1, 500)])
    path = folder.resolve("last")
    folder.follow(path)
    wait_for(holds(path, shipper.lines))
    inode = path.stat().st_ino

    redis_server.kill()
    wait_for(lambda: folder.trouble)
    assert folder.writer_state(path) is WriterState.UNKNOWN
    redis_server.start()
    shipper.ship([thought(number) for number in range(500, 600)])

    wait_for(holds(path, shipper.lines))
    wait_for(lambda: not folder.trouble)
    assert path.stat().st_ino == inode


def test_retention_passes_while_somebody_reads(shipper: PlainShipper, folder: FleetFolder) -> None:
    shipper.ship([thought(number) for number in range(1, 2000)])
    path = folder.resolve("last")
    folder.fill(path, 10_000)
    assert folder.first_kept(path) == 1
    shipper.ship([thought(number) for number in range(2000, 9000)])
    shipper.trim(1000)

    assert folder.fill(path)
    first = folder.first_kept(path)
    assert first > 2000
    assert path.read_bytes() == file_of([HEAD, *shipper.lines[first - 1 :]])


def test_an_engine_that_is_not_there_is_a_trouble_and_no_error(tmp_path: Path) -> None:
    address = parse_address("redis://127.0.0.1:1")
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    folder = FleetFolder(lambda: open_reader(address, environ), environ, lambda: 5)
    folder.refresh()
    with pytest.raises(SeqthinkError):
        folder.resolve("last")
    trouble = folder.trouble
    folder.close()

    assert trouble is not None
    assert trouble.since == 5


def test_following_ends_at_once_while_it_waits(shipper: PlainShipper, folder: FleetFolder) -> None:
    shipper.ship([thought(1)])
    path = folder.resolve("last")
    folder.follow(path)
    wait_for(holds(path, shipper.lines))
    folder.unfollow(path)
    folder.close()

    assert not path.exists()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("fleet ") and thread.is_alive()]
