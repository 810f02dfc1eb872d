"""Whole lines of a file that grows, from any line on."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.journal.journal_file import JournalFile
from seqthink.share.shipping import journal_cursor
from seqthink.share.shipping.journal_cursor import JournalCursor


def _all(cursor: JournalCursor, file: JournalFile, limit: int = 64) -> list[bytes]:
    lines: list[bytes] = []
    while True:
        read = cursor.read(file, limit)
        assert read is not None
        assert read.first == cursor.place.line - len(read.lines) + 1
        lines += read.lines
        if read.at_end:
            return lines


def test_lines_come_once_and_a_torn_one_waits(tmp_path: Path) -> None:
    path, cursor = tmp_path / "a.jsonl", JournalCursor()
    path.write_bytes(b"1\r\n\n2")
    file = JournalFile.open(path)

    assert _all(cursor, file) == [b"1\r", b""]
    assert _all(cursor, file) == []

    with path.open("ab") as grown:
        grown.write(b"2\n")

    assert _all(cursor, file) == [b"22"]
    assert cursor.last_line(file) == b"22"


@given(
    data=st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")), max_size=30),
    limit=st.integers(1, 90),
)
def test_whatever_is_read_at_a_time_the_lines_are_the_files(
    data: list[bytes], limit: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in data) + b"torn")
    file = JournalFile.open(path)

    assert _all(JournalCursor(), file, limit) == data
    for line in range(len(data) + 1):
        cursor = JournalCursor()
        assert cursor.seek(file, line)
        assert cursor.last_line(file) == (data[line - 1] if line else b"")
        assert _all(cursor, file, limit) == data[line:]


def test_seeking_beyond_the_end_stands_behind_the_last_line(tmp_path: Path) -> None:
    path, cursor = tmp_path / "a.jsonl", JournalCursor()
    path.write_bytes(b"one\ntwo\nto")
    file = JournalFile.open(path)

    assert not cursor.seek(file, 7)
    assert (cursor.place.line, cursor.place.offset) == (2, 8)


def test_a_long_line_is_found_while_it_grows_also_when_it_is_cut_off(tmp_path: Path) -> None:
    path, cursor = tmp_path / "a.jsonl", JournalCursor()
    path.write_bytes(b"a\n" + b"x" * 300)
    file = JournalFile.open(path)

    assert _all(cursor, file) == [b"a"]
    path.write_bytes(b"a\n" + b"y" * 200 + b"\n" + b"z" * 90)
    assert _all(cursor, file) == [b"y" * 200]
    with path.open("ab") as grown:
        grown.write(b"z\nend\n")
    assert _all(cursor, file) == [b"z" * 91, b"end"]


@pytest.mark.parametrize("now", [b"", b"on", b"ONE\ntwo\nmore\n"])
def test_a_rewritten_file_is_noticed(now: bytes, tmp_path: Path) -> None:
    path, cursor = tmp_path / "a.jsonl", JournalCursor()
    path.write_bytes(b"one\ntwo\n")
    file = JournalFile.open(path)
    _all(cursor, file)

    path.write_bytes(now)

    assert cursor.read(file, 64) is None


def test_a_line_beyond_the_bound_is_a_small_one_that_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_cursor, "MAX_LINE_BYTES", 1000)
    path, cursor = tmp_path / "a.jsonl", JournalCursor()
    path.write_bytes(b"x" * 1001 + b"\n" + b"y" * 1000 + b"\n")
    file = JournalFile.open(path)

    first, second = _all(cursor, file)

    assert first == b"(seqthink ship: a line of 1001 bytes is too long to be shipped; it is in the journal)"
    assert second == b"y" * 1000
    cursor.seek(file, 1)
    assert cursor.last_line(file) == first
