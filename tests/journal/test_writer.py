"""What the writer promises: whole lines in order, one writer, no trace of a failure, a resume without a seam."""

import errno
import fcntl
import os
import resource
import stat
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from seqthink.core.errors import JournalInUseError, JournalWriteError, UsageError
from seqthink.core.events import EndEvent, SessionEvent, ThoughtEvent
from seqthink.journal import writer as writer_module
from seqthink.journal.decode import decode
from seqthink.journal.drafts import AppendReceipt, DraftEvent, LineLocation
from seqthink.journal.locked_journal import LockedJournal
from seqthink.journal.resume import find_journal, open_newest
from seqthink.journal.writer import JournalWriter, WriterEnvironment
from tests.support.servers.wire import events, journals

ABOUT = {"server": {"name": "seqthink", "version": "0"}, "pid": 1, "host": "h", "cwd": "/w"}


class Clock:
    """A clock that moves a second whenever it is read."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def edges() -> WriterEnvironment:
    letters = iter("bcdefgh")
    return WriterEnvironment(Clock(), lambda: next(letters) * 6, lambda _: None)


def forget(_event: Mapping[str, Any], _place: LineLocation) -> None:
    """Take no note of a resumed event."""


def begun(folder: Path, *, sync: bool = False, required: bool = False) -> JournalWriter:
    writer = JournalWriter(folder, edges(), sync=sync, required=required)
    writer.begin(ABOUT, forget)
    return writer


def resumed(path: Path) -> JournalWriter:
    return JournalWriter(path.parent, edges(), resumed=(path.stem, LockedJournal.open(path, lambda _: None)))


def draft(text: str = "t") -> DraftEvent:
    fields = {"thought": text, "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 1}
    return DraftEvent("thought", fields)


@contextmanager
def disk_of(size: int) -> Generator[None]:
    """Let no file of this process grow beyond ``size``: the kernel itself cuts the write short."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_session_that_is_never_written_to_leaves_no_file(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "sessions", edges())
    writer.end("eof")

    assert not (tmp_path / "sessions").exists()


def test_the_first_line_is_the_session_and_goes_out_with_the_first_event(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    before = journals(tmp_path)
    writer.append([draft()])

    assert before == []
    [path] = journals(tmp_path)
    first, second = map(decode, path.read_bytes().splitlines())
    assert isinstance(first, SessionEvent)
    assert first.session == path.stem == writer.session
    assert isinstance(second, ThoughtEvent)


def test_a_journal_is_private(tmp_path: Path) -> None:
    begun(tmp_path / "sessions").append([draft()])
    [path] = journals(tmp_path / "sessions")

    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_seq_has_no_gaps_and_a_batch_is_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[int] = []
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: (writes.append(len(data)), real(fd, data))[1])  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType] - a stand-in that keeps a record
    writer = begun(tmp_path)
    receipts = [writer.append([draft(), draft()]), writer.append([draft(), draft(), draft()])]
    writer.end("eof")

    assert [receipt.seq for receipt in receipts] == [2, 4]
    assert [event["seq"] for event in events(journals(tmp_path)[0])] == [1, 2, 3, 4, 5, 6, 7]
    assert len(writes) == 3


def test_a_clean_end_is_written_with_its_reason(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.append([draft()])
    lost = writer.end("error", "boom")

    last = decode(journals(tmp_path)[0].read_bytes().splitlines()[-1])
    assert isinstance(last, EndEvent)
    assert (last.reason, last.error, lost) == ("error", "boom", "")


def test_a_second_writer_learns_that_the_journal_is_in_use(tmp_path: Path) -> None:
    begun(tmp_path).append([draft()])
    writer = begun(tmp_path / "other")
    writer.append([draft()])
    [path] = journals(tmp_path / "other")
    pauses: list[float] = []

    with pytest.raises(JournalInUseError) as caught:
        LockedJournal.open(path, pauses.append)

    assert caught.value.session == path.stem
    assert 0.19 < sum(pauses) < 0.21


def test_a_viewers_probe_is_waited_out(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.append([draft()])
    writer.end("eof")
    [path] = journals(tmp_path)
    probe = os.open(path, os.O_RDONLY)
    fcntl.flock(probe, fcntl.LOCK_SH)

    file = LockedJournal.open(path, lambda _: fcntl.flock(probe, fcntl.LOCK_UN))

    file.close()
    os.close(probe)


def test_a_write_that_the_disk_cuts_short_leaves_no_trace(tmp_path: Path) -> None:
    writer = begun(tmp_path, required=True)
    writer.append([draft()])
    [path] = journals(tmp_path)
    whole = path.read_bytes()

    with disk_of(len(whole) + 50), pytest.raises(JournalWriteError):
        writer.append([draft("x" * 500)])

    assert path.read_bytes() == whole
    writer.append([draft("after")])
    assert [event["seq"] for event in events(path)] == [1, 2, 3]
    assert events(path)[-1]["thought"] == "after"


def test_what_cannot_be_written_waits_and_is_written_later_in_order(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.append([draft("1")])
    [path] = journals(tmp_path)

    with disk_of(path.stat().st_size):
        receipts = [writer.append([draft("2")]), writer.append([draft("3"), draft("4")])]
    last = writer.append([draft("5")])

    assert [(receipt.waiting, bool(receipt.error)) for receipt in receipts] == [(1, True), (3, True)]
    assert last._replace(location=None) == AppendReceipt(6)
    written = [(event["seq"], event.get("thought")) for event in events(path)]
    assert written == [(1, None), (2, "1"), (3, "2"), (4, "3"), (5, "4"), (6, "5")]


def test_a_folder_that_cannot_be_made_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("a file", encoding="utf-8")
    folder = tmp_path / "blocked" / "sessions"
    writer = begun(folder)
    receipt = writer.append([draft("1")])
    (tmp_path / "blocked").unlink()
    writer.append([draft("2")])

    assert receipt.waiting == 2  # the session's line, too
    assert receipt.error == f"File exists: {tmp_path / 'blocked'}"
    assert [event["seq"] for event in events(journals(folder)[0])] == [1, 2, 3]


def test_a_long_queue_is_written_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "_BATCH_BYTES", 400)
    writer = begun(tmp_path)
    writer.append([draft()])
    [path] = journals(tmp_path)
    with disk_of(path.stat().st_size):
        for number in range(20):
            writer.append([draft(str(number))])
    writer.append([draft("last")])

    assert [event["seq"] for event in events(path)] == list(range(1, 24))


def _append_until_refused(writer: JournalWriter) -> int:
    """Return how many events were kept before one was refused."""
    kept = 0
    while _is_kept(writer):
        kept += 1
    return kept


def _is_kept(writer: JournalWriter) -> bool:
    try:
        writer.append([draft("kept")])
    except JournalWriteError:
        return False
    return True


@pytest.mark.parametrize("bound", ["MAX_WAITING_EVENTS", "MAX_WAITING_BYTES"])
def test_past_the_bound_events_are_refused_and_leave_no_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(writer_module, bound, 3 if bound == "MAX_WAITING_EVENTS" else 600)
    writer = begun(tmp_path)
    writer.append([draft("1")])
    [path] = journals(tmp_path)
    with disk_of(path.stat().st_size):
        kept = _append_until_refused(writer)
    writer.append([draft("after")])

    assert 2 <= kept <= 4
    assert [event["seq"] for event in events(path)] == list(range(1, 4 + kept))
    assert events(path)[-1]["thought"] == "after"


def test_a_deleted_journal_goes_on_in_a_new_file(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.append([draft("1")])
    old = writer.session
    journals(tmp_path)[0].unlink()
    receipts = [writer.append([draft("2")]), writer.append([draft("3")])]

    [path] = journals(tmp_path)
    first, second, third = events(path)
    assert path.stem == writer.session != old
    assert (first["continues"], first["session"], first["cwd"]) == (old, path.stem, "/w")
    assert (second["seq"], second["thought"], third["seq"]) == (2, "2", 3)
    assert [receipt.continues for receipt in receipts] == [old, ""]


def test_a_new_file_begins_no_later_than_what_goes_on_in_it(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.append([draft("1")])
    [path] = journals(tmp_path)
    with disk_of(path.stat().st_size):
        writer.append([draft("2")])
    for text in ("3", "4"):
        journals(tmp_path)[-1].unlink()
        writer.append([draft(text)])

        times = [event["time"] for event in events(journals(tmp_path)[-1])]
        assert times == sorted(times)


def test_what_the_system_says_only_when_the_file_is_closed_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_file: LockedJournal) -> None:
        raise OSError(errno.EDQUOT, "Disk quota exceeded")

    writer = begun(tmp_path)
    writer.append([draft("1")])
    monkeypatch.setattr(LockedJournal, "close", refuse)

    assert writer.end("eof") == "Disk quota exceeded"


def test_a_file_that_the_system_knows_no_more_is_reported_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int) -> os.stat_result:
        raise OSError(errno.ESTALE, "Stale file handle")

    writer = begun(tmp_path)
    writer.append([draft("1")])
    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", refuse)

        assert writer.end("eof") == "Stale file handle"


def test_a_deleted_journal_is_not_made_again_for_its_end(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.append([draft()])
    journals(tmp_path)[0].unlink()

    assert writer.end("eof") == ""
    assert journals(tmp_path) == []


def test_what_waits_when_the_journal_is_deleted_goes_on_in_the_new_file(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.append([draft("1")])
    [path] = journals(tmp_path)
    with disk_of(path.stat().st_size):
        writer.append([draft("2")])
    path.unlink()
    writer.append([draft("3")])

    written = [(event["seq"], event["type"], event.get("thought")) for event in events(journals(tmp_path)[0])]
    assert written == [(1, "session", None), (2, "thought", "2"), (3, "thought", "3")]


def test_fsync_always_hands_file_and_folder_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(stat.S_ISDIR(os.fstat(fd).st_mode)))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType] - a lambda has no types
    writer = begun(tmp_path, sync=True)
    writer.append([draft()])
    writer.append([draft()])

    assert synced == [True, False, False]


def test_a_resume_goes_on_in_the_same_file(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.append([draft("1")])
    writer.end("eof")
    [path] = journals(tmp_path)
    seen: list[Any] = []

    again = resumed(path)
    torn = again.begin(ABOUT, lambda event, _place: seen.append(event))
    again.append([draft("2")])

    assert torn == 0
    assert [event["type"] for event in seen] == ["session", "thought", "end"]
    assert seen[1]["thought"] == "1"
    assert [event["seq"] for event in events(path)] == [1, 2, 3, 4, 5]
    assert events(path)[3] | {"time": ""} == {
        "v": 1, "seq": 4, "time": "", "type": "session", "session": path.stem, **ABOUT, "resumed": True,
    }  # fmt: skip


def test_a_resume_that_is_never_called_changes_nothing(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.append([draft()])
    writer.end("eof")
    [path] = journals(tmp_path)
    before = path.read_bytes()
    resumed(path).end("eof")

    assert path.read_bytes() == before


def test_a_resume_cuts_a_torn_tail_off_and_says_how_much(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.append([draft()])
    writer.end("eof")
    [path] = journals(tmp_path)
    with path.open("ab") as file:
        file.write(b'{"v":1,"seq":4,"ty')
    again = resumed(path)
    torn = again.begin(ABOUT, forget)
    again.append([draft()])

    assert torn == 18
    assert [event["seq"] for event in events(path)] == [1, 2, 3, 4, 5]


def test_a_resume_passes_corrupt_and_unknown_lines_over(tmp_path: Path) -> None:
    path = tmp_path / "20260102T030405.678901Z-aaaaaa.jsonl"
    writer = begun(tmp_path / "other")
    writer.append([draft()])
    lines = journals(tmp_path / "other")[0].read_bytes()
    path.write_bytes(lines + b'garbage\n[1]\n\xff\xfe\n{"v":2,"seq":6,"type":"later"}\n{"v":1,"seq":7,"type":"new"}\n')
    again = resumed(path)
    again.begin(ABOUT, forget)
    again.append([draft()])

    assert [decode(line).seq for line in path.read_bytes().splitlines()[-2:]] == [8, 9]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - a stand-in that keeps a record


def test_a_session_is_found_by_its_id_or_the_beginning_of_it(tmp_path: Path) -> None:
    for name in ("20260101T000000.000000Z-aaaaaa", "20260102T000000.000000Z-bbbbbb"):
        (tmp_path / f"{name}.jsonl").touch()
    (tmp_path / "20260102T000000.000000Z-bbbbbb.notes.jsonl").touch()

    assert find_journal(tmp_path, "20260102").stem == "20260102T000000.000000Z-bbbbbb"
    assert find_journal(tmp_path, "20260101T000000.000000Z-aaaaaa").stem == "20260101T000000.000000Z-aaaaaa"
    with pytest.raises(UsageError, match="ambiguous"):
        find_journal(tmp_path, "2026")
    with pytest.raises(UsageError, match="no session"):
        find_journal(tmp_path, "../20260102")


def session(folder: Path, cwd: str, *, letters: str, day: int) -> Path:
    clock = Clock()
    clock.now = clock.now.replace(day=day)
    writer = JournalWriter(folder, WriterEnvironment(clock, lambda: letters, lambda _: None))
    writer.begin(ABOUT | {"cwd": cwd}, forget)
    writer.append([draft()])
    writer.end("eof")
    return folder / f"{writer.session}.jsonl"


def test_last_is_the_session_of_this_folder_with_the_latest_last_event(tmp_path: Path) -> None:
    early = session(tmp_path, "/w", letters="aaaaaa", day=3)
    session(tmp_path, "/w", letters="bbbbbb", day=4)
    session(tmp_path, "/elsewhere", letters="cccccc", day=9)
    (tmp_path / "foreign.jsonl").write_text('{"not": "ours"}\n', encoding="utf-8")
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "link.jsonl").symlink_to(early)
    os.mkfifo(tmp_path / "pipe.jsonl")
    with early.open("ab") as file:
        file.write(b'{"v":1,"seq":9,"time":"2026-01-08T00:00:00.000000Z","type":"end","reason":"eof"}\n{"torn')

    found = open_newest(tmp_path, "/w", lambda _: None)

    assert found is not None
    assert found[0] == early.stem
    found[1].close()


def test_last_passes_a_session_over_that_is_being_written(tmp_path: Path) -> None:
    older = session(tmp_path, "/w", letters="aaaaaa", day=3)
    newer = session(tmp_path, "/w", letters="bbbbbb", day=4)
    writing = LockedJournal.open(newer, lambda _: None)

    found = open_newest(tmp_path, "/w", lambda _: None)

    assert found is not None
    assert found[0] == older.stem
    found[1].close()
    writing.close()


def test_without_a_session_of_this_folder_there_is_no_last(tmp_path: Path) -> None:
    session(tmp_path, "/elsewhere", letters="aaaaaa", day=3)

    assert open_newest(tmp_path, "/w", lambda _: None) is None
    assert open_newest(tmp_path / "missing", "/w", lambda _: None) is None


def test_a_journal_that_was_made_but_not_held_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    writer = begun(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", refuse)
        receipt = writer.append([draft("1")])
    writer.append([draft("2")])

    assert receipt.error.startswith("No locks available")
    assert [event.get("thought") for event in events(journals(tmp_path)[0])] == [None, "1", "2"]


def test_a_folder_that_cannot_be_synced_once_does_not_cost_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    writer = begun(tmp_path, sync=True)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        receipt = writer.append([draft("1")])
    writer.append([draft("2")])

    assert (receipt.waiting, receipt.error) == (2, "Input/output error")
    assert [event.get("thought") for event in events(journals(tmp_path)[0])] == [None, "1", "2"]


def test_two_sessions_of_one_instant_and_the_same_letters_are_two_files(tmp_path: Path) -> None:
    letters = iter(["aaaaaa", "aaaaaa", "bbbbbb"])
    instant = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    writers = [
        JournalWriter(tmp_path, WriterEnvironment(lambda: instant, lambda: next(letters), lambda _: None))
        for _ in range(2)
    ]
    for writer in writers:
        writer.begin(ABOUT, forget)
        writer.append([draft("1")])

    first, second = (events(path) for path in journals(tmp_path))
    assert [event["session"][-6:] for event in (first[0], second[0])] == ["aaaaaa", "bbbbbb"]
    assert [event["seq"] for event in first] == [event["seq"] for event in second] == [1, 2]
    assert "continues" not in second[0]
