"""Engines for the tests of the fleet."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fleet.redis_server import WITHOUT_ENGINE, RedisServer, engine_program, running_server


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A real engine of its own, without persistence."""
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    with running_server(tmp_path / "engine") as server:
        yield server
