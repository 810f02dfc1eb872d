"""What a shipper remembers, for its next start and for others."""

from pathlib import Path

import pytest

from seqthink.share.shipping.journal_cursor import START
from seqthink.share.shipping.shipped_state import Memory, StateFile, deleted_sessions, note_deletion, states_of
from tests.support.fleet.memory_origin import MemoryOrigin
from tests.support.fleet.running_shipper import running, shipper_for, wait_until


def memory_for(kept: Path, journals: Path) -> Memory:
    return Memory(kept, StateFile(kept, "engine (main)", "desk-aaaaaa", journals), print)


def ship_all(engine: MemoryOrigin, kept: Path, journals: Path) -> list[str]:
    reports: list[str] = []
    shipper = shipper_for(engine, journals, reports, once=True, memory=memory_for(kept, journals))
    with running(shipper):
        wait_until(lambda: shipper.is_done)
    return reports


def test_the_next_start_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    engine, kept, path = MemoryOrigin(), tmp_path / "kept", tmp_path / "one.jsonl"
    path.write_bytes(b"1\n2\n")
    ship_all(engine, kept, tmp_path)
    calls = len(engine.calls)

    ship_all(engine, kept, tmp_path)

    place, has_card = memory_for(kept, tmp_path).place("one")
    assert (place.line, place.offset, has_card) == (2, 4, True)
    assert "append" not in engine.calls[calls:]
    assert "put_cards" not in engine.calls[calls:]


def test_an_engine_that_lost_all_meanwhile_gets_lines_and_card_again(tmp_path: Path) -> None:
    kept, path, engine = tmp_path / "kept", tmp_path / "one.jsonl", MemoryOrigin()
    path.write_bytes(b"1\n2\n")
    ship_all(MemoryOrigin(), kept, tmp_path)

    ship_all(engine, kept, tmp_path)

    assert engine.text("one") == path.read_bytes()
    assert "one" in engine.shown


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"v":1}', b"\xff" * 100, b'{"v":1,"address":3}'])
def test_a_file_that_makes_no_sense_is_as_none(text: bytes, tmp_path: Path) -> None:
    kept, path, engine = tmp_path / "kept", tmp_path / "one.jsonl", MemoryOrigin()
    path.write_bytes(b"1\n2\n")
    ship_all(MemoryOrigin(), kept, tmp_path)
    (state,) = kept.glob("*.json")
    state.write_bytes(text)

    assert ship_all(engine, kept, tmp_path) == []
    assert engine.text("one") == path.read_bytes()


def test_a_journal_rewritten_meanwhile_is_not_believed_to_be_the_old_one(tmp_path: Path) -> None:
    kept, path, engine = tmp_path / "kept", tmp_path / "one.jsonl", MemoryOrigin()
    path.write_bytes(b"1\n2\n")
    ship_all(engine, kept, tmp_path)
    path.write_bytes(b"1\n2 and more\n3\n")

    assert "diverged" in ship_all(engine, kept, tmp_path)[0]


def test_a_deletion_reaches_each_engine_once(tmp_path: Path) -> None:
    kept, path, engine = tmp_path / "kept", tmp_path / "one.jsonl", MemoryOrigin()
    path.write_bytes(b"1\n2\n")
    ship_all(engine, kept, tmp_path)
    path.unlink()
    note_deletion(kept, "one")
    note_deletion(kept, "../one")

    ship_all(engine, kept, tmp_path)
    ship_all(engine, kept, tmp_path)

    assert engine.streams == {}
    assert engine.calls.count("forget") == 1
    assert deleted_sessions(kept) == ["one"]


def test_without_a_shipper_nothing_is_noted(tmp_path: Path) -> None:
    note_deletion(tmp_path / "kept", "one")

    assert not (tmp_path / "kept").exists()


def test_a_shipper_that_did_not_run_for_long_holds_nothing_back(tmp_path: Path) -> None:
    memory = memory_for(tmp_path / "kept", tmp_path)
    memory.state.behind = ["one"]
    memory.save(0.0, now=1_000.0)

    found = [states_of(tmp_path / "kept", tmp_path, now=now) for now in (2_000.0, 10_000_000.0)]
    elsewhere = states_of(tmp_path / "kept", tmp_path / "other", now=2_000.0)

    assert [state.behind for state in found[0]] == [["one"]]
    assert (found[1], elsewhere) == ([], [])
    assert memory.place("never seen") == (START, False)
