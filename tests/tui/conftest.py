"""Lets the viewer's tests wait for what happens rather than for times."""

import pytest

from tests.support.screens import idle


@pytest.fixture(autouse=True)
def quick_pilots(monkeypatch: pytest.MonkeyPatch) -> None:
    idle.use(monkeypatch)
