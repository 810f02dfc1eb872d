"""Garbage is looked for when it is due and nobody waits for a frame."""

import gc

import pytest

from tui.garbage import Garbage


def looks(monkeypatch: pytest.MonkeyPatch, *counts: tuple[int, int, int]) -> list[int]:
    """Return at which of the counts, one a second, the big look was taken."""
    taken: list[int] = []
    left = list(enumerate(counts))
    garbage = Garbage()
    monkeypatch.setattr(gc, "get_count", lambda: left[0][1])
    monkeypatch.setattr(gc, "collect", lambda: taken.append(left[0][0]))
    while left:
        garbage.look()
        left.pop(0)
    return taken


def test_it_is_looked_for_in_the_first_quiet_second(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, (0, 3, 20), (0, 4, 20), (9, 5, 21), (9, 5, 21)) == [3]


def test_while_nothing_happens_it_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, (0, 3, 2), (5, 3, 2), (0, 3, 2)) == []


def test_where_no_second_is_quiet_it_is_looked_for_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, (0, 3, 20), (0, 4, 300), (0, 3, 601)) == [2]
