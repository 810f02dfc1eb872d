"""Which occasions were claimed, across viewers and restarts."""

import threading
from pathlib import Path

import pytest

from seqthink.library.viewer_store import notified
from seqthink.library.viewer_store.forgetting import forget_sessions
from seqthink.library.viewer_store.notified import NotifiedSessions


def test_an_occasion_can_be_claimed_once(tmp_path: Path) -> None:
    first, second = NotifiedSessions(tmp_path), NotifiedSessions(tmp_path)

    assert [one.claim("a", "asking", 5) for one in (first, second, first)] == [True, False, False]
    assert [first.claim(*other) for other in (("b", "asking", 5), ("a", "done", 5), ("a", "asking", 6))] == [True] * 3


def test_of_many_that_claim_at_once_one_gets_it(tmp_path: Path) -> None:
    got: list[bool] = []
    threads = [
        threading.Thread(target=lambda: got.append(NotifiedSessions(tmp_path).claim("a", "asking", 1)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert sorted(got) == [False] * 7 + [True]


def test_states_that_end_may_be_claimed_again(tmp_path: Path) -> None:
    store = NotifiedSessions(tmp_path)
    store.claim("a", "stuck", 0)
    store.claim("b", "stuck", 0)
    store.claim("a", "done", 1, ends={"stuck"})

    assert (store.claim("a", "stuck", 0), store.claim("b", "stuck", 0)) == (True, False)
    store.claim("a", "done", 1, ends={"stuck"})
    assert not store.claim("a", "stuck", 0), "a second claim of the same end changes nothing"


def test_the_oldest_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notified, "MAX_RECORDS", 3)
    store = NotifiedSessions(tmp_path)
    for number in range(5):
        store.claim("a", "asking", number)

    assert (store.claim("a", "asking", 2), store.claim("a", "asking", 1)) == (False, True)
    assert len((tmp_path / "notified.jsonl").read_bytes().splitlines()) == 3


def test_a_deleted_session_is_forgotten(tmp_path: Path) -> None:
    store = NotifiedSessions(tmp_path)
    store.claim("a", "asking", 0)
    store.forget({"other"})
    assert not store.claim("a", "asking", 0)
    forget_sessions(tmp_path, {"a"})
    assert store.claim("a", "asking", 0)
