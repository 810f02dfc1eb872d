"""A folder of sessions, and one that has the example."""

from pathlib import Path

import pytest

from tests.support.journals.build import shop_api
from tests.support.screens.piloted import write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "sessions"
    path.mkdir()
    return path


@pytest.fixture
def shop(folder: Path) -> Path:
    return write(folder, "20260310T140200.000000Z-k3v9qa", shop_api())
