"""The whole shipper on an engine in memory: what stands in the folder stands in the engine."""

from pathlib import Path

import pytest

from seqthink.core.labels import Comment, labels_of_text
from seqthink.library.viewer_store.label_book import LabelBook
from seqthink.share.shipping.card_sender import CardOptions
from seqthink.share.shipping.line_redaction import as_it_stands
from tests.support.fleet.memory_origin import MemoryOrigin
from tests.support.fleet.running_shipper import RememberedWaits, running, shipper_for, wait_until
from tests.support.journals.build import shop_api


def test_what_is_there_and_what_comes_is_shipped(tmp_path: Path) -> None:
    engine, reports = MemoryOrigin(), list[str]()
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.write_bytes(b'{"a":1}\n{"b":2}\ntorn')

    with running(shipper_for(engine, tmp_path, reports)):
        wait_until(lambda: engine.text("old") == b'{"a":1}\n{"b":2}\n')
        new.write_bytes(b"first\n")
        wait_until(lambda: engine.text("new") == b"first\n")
        with old.open("ab") as file:
            file.write(b" no more\r\n")
        wait_until(lambda: engine.text("old") == b'{"a":1}\n{"b":2}\ntorn no more\r\n')
        wait_until(lambda: {"old", "new"} <= engine.shown.keys())

    assert reports == []


@pytest.mark.slow  # waits for the pauses between two tries
def test_an_engine_that_fails_and_loses_all_gets_all_again(tmp_path: Path) -> None:
    engine, reports = MemoryOrigin(), list[str]()
    path = tmp_path / "one.jsonl"
    path.write_bytes(b"1\n2\n3\n")

    with running(shipper_for(engine, tmp_path, reports)):
        wait_until(lambda: engine.text("one") == path.read_bytes())
        engine.streams.clear()
        engine.failures = 3
        with path.open("ab") as file:
            file.write(b"4\n")
        wait_until(lambda: engine.text("one") == path.read_bytes())
        wait_until(lambda: reports[1:])

    assert reports == ["the engine cannot be reached; trying again until it works", "the engine is back"]


def test_lines_that_were_lost_without_a_word_are_sent_again(tmp_path: Path) -> None:
    engine = MemoryOrigin()
    path = tmp_path / "one.jsonl"
    path.write_bytes(b"".join(b"%d\n" % number for number in range(100)))

    with running(shipper_for(engine, tmp_path, [])):
        wait_until(lambda: engine.text("one") == path.read_bytes())
        del engine.streams["one"][60:]
        with path.open("ab") as file:
            file.write(b"new\n")
        wait_until(lambda: engine.text("one") == path.read_bytes())


def test_a_journal_that_has_other_lines_is_left_alone(tmp_path: Path) -> None:
    engine, reports = MemoryOrigin(), list[str]()
    engine.streams["one"] = [b"1", b"other"]
    (tmp_path / "one.jsonl").write_bytes(b"1\n2\n3\n")

    with running(shipper_for(engine, tmp_path, reports)):
        wait_until(lambda: reports)

    assert reports == ["one has diverged: line 2 is another one in the engine; it is left alone"]
    assert engine.streams["one"] == [b"1", b"other"]


def test_a_folder_that_is_gone_is_looked_for_with_pauses(tmp_path: Path) -> None:
    stop = RememberedWaits()
    shipper = shipper_for(MemoryOrigin(), tmp_path / "gone", [], clocks=stop.clocks)

    with running(shipper, stop):
        wait_until(lambda: stop.waits[5:])

    assert min(stop.waits) > 0


def test_what_people_say_about_a_session_goes_with_its_card(tmp_path: Path) -> None:
    engine, reports, book = MemoryOrigin(), list[str](), LabelBook(tmp_path / "viewer")
    (tmp_path / "sessions").mkdir()
    shop_api().write(tmp_path / "sessions" / "one.jsonl")
    book.name("one", "Hourly 502s")

    cards = CardOptions(as_it_stands, label_book=book)
    with running(shipper_for(engine, tmp_path / "sessions", reports, cards=cards)):
        wait_until(lambda: "one" in engine.shown)
        assert labels_of_text(engine.shown["one"].labels).name == "Hourly 502s"
        book.comment("one", Comment(seq=3, text="why", by="ana"))
        book.pin("one", is_pinned=True)
        book.name("elsewhere", "x")
        wait_until(lambda: labels_of_text(engine.shown["one"].labels).comments != ())

    assert (reports, list(engine.shown)) == ([], ["one"])
    assert '"pinned"' not in engine.shown["one"].labels
