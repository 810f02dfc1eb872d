"""A set-up of its own for each test."""

from pathlib import Path

import pytest

from tests.connect.doctor.set_ups import SetUp


@pytest.fixture
def set_up(tmp_path: Path) -> SetUp:
    """Return an empty home folder, with a folder for journals."""
    return SetUp(tmp_path / "home")
