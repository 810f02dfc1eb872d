"""The feed: what it says while a long journal is read."""

import os
from pathlib import Path

from seqthink.journal.reader import JournalReader
from seqthink.library.catalog.journal_feed import JournalFeed
from tests.support.journals.build import JournalBuilder


def test_a_feed_says_how_far_it_has_opened_until_all_is_read(tmp_path: Path) -> None:
    journal = JournalBuilder().session()
    for number in range(1, 40):
        journal.thought("x" * 500, number, 40)
    path = journal.write(tmp_path / "long.jsonl")
    reader, feed = JournalReader(path), JournalFeed(path)
    before = feed.opening_text

    feed.add_batch(reader.read(path.stat().st_size // 2))
    halfway = feed.opening_text
    feed.add_batch(reader.read())

    assert before == "opening … 0 %"
    assert halfway in {f"opening … {share} %" for share in range(44, 51)}
    assert feed.opening_text == ""


def test_the_remark_that_a_journal_was_read_again_goes_with_the_next_thought(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("One", 1, 3).thought("Two", 2, 3)
    path = journal.write(tmp_path / "cut.jsonl")
    reader, feed = JournalReader(path), JournalFeed(path)
    feed.add_batch(reader.read())

    os.truncate(path, sum(map(len, journal.lines[:2])))
    feed.add_batch(reader.read())
    cut = feed.remark
    journal.write(path)
    feed.add_batch(reader.read())

    assert cut == "truncated: reloaded"
    assert feed.remark == ""


def test_the_remark_that_a_journal_was_read_again_goes_by_itself(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("One", 1, 3).thought("Two", 2, 3)
    path = journal.write(tmp_path / "cut.jsonl")
    reader, feed = JournalReader(path), JournalFeed(path)
    feed.add_batch(reader.read())
    os.truncate(path, sum(map(len, journal.lines[:2])))
    feed.add_batch(reader.read())

    remarks: list[str] = []
    for _ in range(20):
        feed.tick()
        remarks.append(feed.remark)

    assert remarks[0] == "truncated: reloaded"
    assert remarks[-1] == ""


def test_of_a_replaced_journal_no_note_was_delivered(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("One", 1, 3).note(id="abc").write(tmp_path / "a.jsonl")
    reader, feed = JournalReader(path), JournalFeed(path)
    feed.add_batch(reader.read())
    before = set(feed.delivered_note_ids)

    JournalBuilder().session().thought("Another", 1, 3).write(tmp_path / "new").replace(path)
    feed.add_batch(reader.read())

    assert before == {"abc"}
    assert feed.delivered_note_ids == set()


def test_a_transcript_is_read_until_all_of_it_is_translated(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("One", 1, 3).write(tmp_path / "spool.jsonl")
    feed = JournalFeed(path, is_transcript=True, awaited_bytes=9000)
    feed.add_batch(JournalReader(path).read())
    before = feed.opening_text

    feed.end_waiting()

    assert (before, feed.opening_text, feed.is_loaded) == ("reading the transcript …", "", True)
