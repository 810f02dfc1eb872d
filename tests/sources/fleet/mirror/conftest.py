"""A fleet in memory and the folder that mirrors it."""

from collections.abc import Generator
from pathlib import Path

import pytest

from seqthink.sources.fleet.mirror.folder import FleetFolder
from tests.support.fleet.memory_fleet import MemoryFleet

NOW = 1_700_000_000_000_000
"""The time by our clock, in microseconds since 1970."""


@pytest.fixture
def fleet() -> MemoryFleet:
    return MemoryFleet()


@pytest.fixture
def folder(fleet: MemoryFleet, tmp_path: Path) -> Generator[FleetFolder]:
    made = FleetFolder(fleet.open, {"XDG_RUNTIME_DIR": str(tmp_path)}, lambda: NOW)
    yield made
    made.close()
