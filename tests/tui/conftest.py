"""Lets the viewer's tests wait for what happens rather than for times, and leaves out what costs them seconds."""

import pytest

from tests.support.screens import idle
from tui.terminal.memory_tuning import GarbageScheduler


@pytest.fixture(autouse=True)
def quick_pilots(monkeypatch: pytest.MonkeyPatch) -> None:
    idle.use(monkeypatch)


@pytest.fixture(autouse=True)
def no_full_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full collection here looks through what all tests have made, not one viewer: up to some seconds each."""

    def leave_it(_scheduler: GarbageScheduler) -> None: ...

    monkeypatch.setattr(GarbageScheduler, "collect_if_due", leave_it)
    monkeypatch.setattr(GarbageScheduler, "unfreeze", leave_it)
