"""Who lives is seen by the locks of the journals."""

import os
from pathlib import Path

from seqthink.core import system
from seqthink.share.shipping.heartbeats import BEAT_SECONDS, Heartbeats
from seqthink.share.shipping.journal_list import JournalList
from seqthink.share.shipping.open_journals import OpenJournals
from tests.support.fleet.memory_origin import MemoryOrigin
from tests.support.fleet.running_shipper import running, shipper_for, wait_until


def locked(path: Path) -> int:
    """Lock a journal as its server does; return the descriptor to close."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    assert system.try_lock(descriptor)
    return descriptor


def test_a_session_lives_while_its_journal_is_locked(tmp_path: Path) -> None:
    engine, changed = MemoryOrigin(), list[str]()
    held = locked(tmp_path / "one.jsonl")
    (tmp_path / "two.jsonl").touch()
    beats = Heartbeats(engine, OpenJournals(tmp_path), changed.append)
    listed = JournalList(tmp_path, print)
    listed.look()

    beats.look(listed.found, is_first=True, now=0.0)
    beats.step(0.0)

    assert (engine.alive, engine.is_shipper_alive, changed) == ({"one"}, True, ["one"])

    os.close(held)
    beats.look(listed.found, is_first=False, now=0.0)
    beats.step(1.0)

    assert (engine.alive, changed) == (set(), ["one", "one"])


def test_the_engine_is_notified_again_and_at_once_after_it_failed(tmp_path: Path) -> None:
    engine = MemoryOrigin()
    held = locked(tmp_path / "one.jsonl")
    beats = Heartbeats(engine, OpenJournals(tmp_path), lambda _: None)
    beats.look_at(["one"])

    for seconds in (0.0, 1.0, BEAT_SECONDS - 0.1, BEAT_SECONDS, BEAT_SECONDS + 1):
        beats.step(seconds)
    assert engine.calls == ["beat", "beat"]

    engine.alive.clear()
    beats.engine_failed()
    beats.step(BEAT_SECONDS + 2)
    os.close(held)

    assert engine.alive == {"one"}


def test_an_end_is_sent_before_the_lock_is_gone(tmp_path: Path) -> None:
    engine, path = MemoryOrigin(), tmp_path / "one.jsonl"
    held = locked(path)
    os.write(held, b'{"v":1,"seq":1,"type":"session","session":"one"}\n')

    with running(shipper_for(engine, tmp_path, [])):
        wait_until(lambda: engine.alive == {"one"})
        os.write(held, b'{"v":1,"seq":2,"time":"2026-03-10T14:02:10.000000Z","type":"end","reason":"eof"}\n')
        wait_until(lambda: not engine.alive)
    os.close(held)
