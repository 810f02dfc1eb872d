"""An engine that a real Sentinel names, and its replica that becomes the primary."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
import redis

from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.engine import Shipment
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError
from seqthink.sources.fleet.opening import open_origin, open_reader
from tests.support.fleet.redis_server import (
    WITHOUT_ENGINE,
    RedisServer,
    engine_program,
    free_port,
    running_sentinel,
    running_server,
)


@pytest.fixture
def replica(redis_server: RedisServer, tmp_path: Path) -> Iterator[RedisServer]:
    more = ["--replicaof", f"127.0.0.1 {redis_server.port}", "--repl-diskless-sync-delay", "0"]
    with running_server(tmp_path / "replica", more=more) as running:
        yield running


@pytest.fixture
def sentinel(redis_server: RedisServer, tmp_path: Path) -> Iterator[RedisServer]:
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    with running_sentinel(tmp_path / "sentinel", redis_server) as running:
        yield running


def test_the_sentinel_names_the_engine(sentinel: RedisServer) -> None:
    side = open_origin(
        parse_address(f"redis+sentinel://127.0.0.1:{free_port()},127.0.0.1:{sentinel.port}"), "a-abcdef", {}
    )

    assert side.append([Shipment("one", 1, [b"1"])]) == [1]

    side.close()


def test_what_is_wrong_with_a_sentinel_is_said(sentinel: RedisServer, redis_server: RedisServer) -> None:
    address = f"redis+sentinel://127.0.0.1:{sentinel.port}"
    for url, kind, sentence in (
        (f"{address}?service=other", EngineRefusedError, "know no engine of this name"),
        (f"redis://127.0.0.1:{sentinel.port}", EngineRefusedError, r"redis\+sentinel://"),
        (f"redis+sentinel://127.0.0.1:{redis_server.port}", EngineRefusedError, "redis://"),
        (f"redis+sentinel://127.0.0.1:{free_port()}", EngineUnavailableError, "cannot be reached"),
    ):
        reader = open_reader(parse_address(url), {})
        with pytest.raises(kind, match=sentence):
            reader.listed(1)
        reader.close()


def test_an_engine_in_place_of_a_sentinel_is_said(redis_server: RedisServer) -> None:
    reader = open_reader(parse_address(f"redis+sentinel://127.0.0.1:{redis_server.port}"), {})
    with pytest.raises(EngineRefusedError, match="nor a Sentinel: its address begins with redis://"):
        reader.listed(1)
    reader.close()


def test_a_new_primary_is_found(sentinel: RedisServer, redis_server: RedisServer, replica: RedisServer) -> None:
    side = open_origin(parse_address(f"redis+sentinel://127.0.0.1:{sentinel.port}"), "a-abcdef", {})
    assert side.append([Shipment("one", 1, [b"1"])]) == [1]
    _until_followed(sentinel, redis_server)
    redis_server.kill()
    _failover(sentinel)
    found = 0
    pause = Event()
    while not found:
        try:
            found = side.append([Shipment("one", 1, [b"1", b"2"])])[0]
        except EngineUnavailableError:
            pause.wait(0.1)

    assert found == 2
    assert replica.client().xlen("seqthink:main:{a-abcdef}:e:one") == 2  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
    side.close()


def _until_followed(sentinel: RedisServer, primary: RedisServer) -> None:
    """Wait until the replica has all, and the Sentinel knows it."""
    pause = Event()
    watching, writing = sentinel.client(), primary.client()
    while not watching.execute_command("SENTINEL", "REPLICAS", "mymaster"):  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
        pause.wait(0.05)
    while not writing.execute_command("WAIT", 1, 100):  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
        pause.wait(0.05)
    watching.close()
    writing.close()


def _failover(sentinel: RedisServer) -> None:
    pause = Event()
    client = sentinel.client()
    while True:
        try:
            client.execute_command("SENTINEL", "FAILOVER", "mymaster")  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
            break
        except redis.ResponseError as error:
            if "INPROG" in str(error):
                break
            pause.wait(0.1)
    client.close()
