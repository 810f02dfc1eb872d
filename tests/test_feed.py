"""The feed: what it says while a long journal is read."""

from pathlib import Path

from seqthink.journal.reader import JournalReader
from tests.build import JournalBuilder
from tui.feed import Feed


def test_a_feed_says_how_far_it_has_opened_until_all_is_read(tmp_path: Path) -> None:
    journal = JournalBuilder().session()
    for number in range(1, 40):
        journal.thought("x" * 500, number, 40)
    path = journal.write(tmp_path / "long.jsonl")
    reader, feed = JournalReader(path), Feed(path)
    before = feed.opening

    feed.take(reader.read(path.stat().st_size // 2))
    halfway = feed.opening
    feed.take(reader.read())

    assert before == "opening … 0 %"
    assert halfway in {f"opening … {share} %" for share in range(44, 51)}
    assert feed.opening == ""
