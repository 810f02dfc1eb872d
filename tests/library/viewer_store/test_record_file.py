"""Small records that several viewers keep in one file."""

import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from seqthink.core.errors import UsageError
from seqthink.library.viewer_store import read_state, record_file
from seqthink.library.viewer_store.read_state import ReadState
from seqthink.library.viewer_store.record_file import MIN_OUTDATED_LINES, RecordFile
from tests.support.depth import sized

PROCESSES, RECORDS = 4, 50


def append_many(path: Path, process: int) -> None:
    file = RecordFile(path)
    for number in range(RECORDS):
        file.append([{"process": process, "number": number}])
        if number % 10 == 0:
            file.rewrite(lambda records: records)


@pytest.mark.slow  # it starts processes
def test_nothing_is_lost_when_several_processes_append_and_rewrite(tmp_path: Path) -> None:
    path = tmp_path / "viewer" / "some.jsonl"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=append_many, args=(path, number)) for number in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    found = {(record["process"], record["number"]) for record in RecordFile(path).read()}
    assert found == {(process, number) for process in range(PROCESSES) for number in range(RECORDS)}


def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "viewer" / "some.jsonl"
    before = os.umask(0)
    try:
        RecordFile(path).append([{"a": 1}])
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_torn_line_and_lines_that_are_no_records_are_left_out_and_nothing_after_them_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(b'{"a":1}\nnonsense\n[1]\n\xff\xfe\n' + b"[" * 100_000 + b'\n{"b":')
    file = RecordFile(path)
    assert file.read() == [{"a": 1}]
    file.append([{"c": 3}])
    assert file.read() == [{"a": 1}, {"c": 3}]


def test_a_link_is_refused(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("precious", encoding="utf-8")
    (tmp_path / "some.jsonl").symlink_to(elsewhere)
    with pytest.raises(OSError, match="symbolic links"):
        RecordFile(tmp_path / "some.jsonl").append([{"a": 1}])
    assert elsewhere.read_text(encoding="utf-8") == "precious"


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").mkdir()
    with pytest.raises((OSError, UsageError)):
        RecordFile(tmp_path / "some.jsonl").read()


def test_nothing_is_written_that_would_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_file, "MAX_BYTES", 100)
    file = RecordFile(tmp_path / "some.jsonl")
    file.append([{"text": "x" * 60}])

    with pytest.raises(OSError, match="too large"):
        file.append([{"text": "y" * 60}])
    with pytest.raises(OSError, match="too large"):
        file.rewrite(lambda records: [*records, *records])

    assert file.read() == [{"text": "x" * 60}]


def test_what_one_viewer_has_read_another_knows(tmp_path: Path) -> None:
    one, other = ReadState(tmp_path), ReadState(tmp_path)
    assert other.seen_count("s") == 0
    one.mark_read("s", 4)
    assert other.seen_count("s") == 4
    other.mark_read("s", 3)
    assert one.seen_count("s") == 4
    other.mark_read("s", 9)
    assert one.seen_count("s") == 9
    one.forget({"s"})
    assert other.seen_count("s") == 0


@pytest.mark.slow  # thousands of lines
def test_outdated_lines_are_dropped_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most = sized(100, MIN_OUTDATED_LINES)
    monkeypatch.setattr(read_state, "MIN_OUTDATED_LINES", most)
    state = ReadState(tmp_path)
    for count in range(1, most + 5):
        state.mark_read("s", count)
    assert len(RecordFile(tmp_path / "read.jsonl").read()) < 5
    assert ReadState(tmp_path).seen_count("s") == most + 4
