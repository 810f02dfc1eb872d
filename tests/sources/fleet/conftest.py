"""Engines for the tests of the fleet."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seqthink.sources.fleet.redis.wire import Wire
from tests.support.fleet.redis_server import WITHOUT_ENGINE, RedisServer, engine_program, running_server


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A real engine of its own, without persistence."""
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    with running_server(tmp_path / "engine") as server:
        yield server


@pytest.fixture(autouse=True)
def closed_connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close the connections that a test has opened: the collector warns of those that nobody closes."""
    opened: list[Wire] = []
    made = Wire.__init__

    def noted(wire: Wire, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as the real one
        made(wire, *arguments, **options)
        opened.append(wire)

    monkeypatch.setattr(Wire, "__init__", noted)
    yield
    for wire in opened:
        wire.drop()
