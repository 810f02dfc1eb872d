"""One session alone is shipped until nothing more is to be expected of it."""

from pathlib import Path

import pytest

from seqthink.share.shipping import shipper as shipping
from seqthink.share.shipping.waiting import Stop
from tests.support.fleet.memory_origin import MemoryOrigin
from tests.support.fleet.running_shipper import shipper_for

END = b'{"v":1,"seq":2,"time":"2026-03-10T14:02:10.000000Z","type":"end","reason":"eof"}\n'
BEGIN = b'{"v":1,"seq":1,"time":"2026-03-10T14:02:00.000000Z","type":"session","session":"one"}\n'


def run_one(engine: MemoryOrigin, folder: Path, reports: list[str]) -> None:
    with Stop() as stop:
        shipper_for(engine, folder, reports, only="one").run(stop)


def test_it_ends_with_the_session_and_ships_no_other(tmp_path: Path) -> None:
    engine = MemoryOrigin()
    (tmp_path / "one.jsonl").write_bytes(BEGIN + END)
    (tmp_path / "two.jsonl").write_bytes(BEGIN)

    run_one(engine, tmp_path, [])

    assert engine.streams.keys() == engine.shown.keys() == {"one"}


def test_it_does_not_wait_for_ever_for_a_server_that_vanished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipping, "_LINGER_SECONDS", 0.05)
    monkeypatch.setattr(shipping, "_SWEEP_SECONDS", 0.1)
    engine = MemoryOrigin()
    (tmp_path / "one.jsonl").write_bytes(BEGIN)

    run_one(engine, tmp_path, [])

    assert engine.text("one") == BEGIN


def test_it_gives_up_an_engine_that_stays_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipping, "_LINGER_SECONDS", 0.05)
    engine, reports = MemoryOrigin(), list[str]()
    engine.failures = 1_000_000
    (tmp_path / "one.jsonl").write_bytes(BEGIN + END)

    run_one(engine, tmp_path, reports)

    assert reports == ["the engine cannot be reached; trying again until it works"]
