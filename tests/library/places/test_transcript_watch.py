"""Which names in a client's folder announce that a session's files may have changed."""

from pathlib import Path

from seqthink.library.places.transcript_watch import RelevantNames


def test_the_files_of_a_session_announce_a_change_each_time_and_others_once() -> None:
    names = RelevantNames(lambda: [Path("projects/shop/0a1b.jsonl")])

    assert [name in names for name in ("0a1b.jsonl", "0a1b.jsonl", "0a1b.jsonl.zst", "0a1b")] == [True] * 4
    assert [name in names for name in ("7f7f.jsonl", "7f7f.jsonl", "8e8e.jsonl")] == [True, False, True]
    assert None not in names


def test_a_file_that_the_session_has_later_announces_changes_from_then_on() -> None:
    files = [Path("0a1b.jsonl")]
    names = RelevantNames(lambda: files)
    assert [name in names for name in ("7f7f.jsonl", "7f7f.jsonl")] == [True, False]
    files.append(Path("7f7f.jsonl"))

    assert "7f7f.jsonl" in names
