import fcntl
import os
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.core.events import SessionEvent, WriterState
from seqthink.journal import peek
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.peek import first_session_event, last_event_time, writer_state
from seqthink.journal.store import list_sessions, newest_session, resolve_journal
from tests.support.depth import sized
from tests.support.journals.build import START, JournalBuilder, shop_api

JOURNALS = Path(__file__).parent.parent / "journals"
HOUR = timedelta(hours=1)


def name(number: int) -> str:
    return f"20260310T14{number:04}.000000Z-aaaaaa"


def write(folder: Path, session: str, start: datetime, *, changed: datetime | None = None) -> Path:
    """Write a journal with one thought at ``start``, in a file that was changed then, or at ``changed``."""
    path = JournalBuilder(start).session(session).thought("One").write(folder / f"{session}.jsonl")
    moment = (changed or start).timestamp()
    os.utime(path, (moment, moment))
    return path


def names(folder: Path) -> list[str]:
    return [file.session for file in list_sessions(folder)]


def test_sessions_come_newest_first_without_notes_and_other_files(tmp_path: Path) -> None:
    write(tmp_path, name(1), START + HOUR)
    write(tmp_path, name(2), START)
    write(tmp_path, name(3), START + 2 * HOUR)
    for other in (f"{name(3)}.notes.jsonl", "readme.txt", ".jsonl", "a.jsonl.bak"):
        (tmp_path / other).write_text("{}", encoding="utf-8")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "link.jsonl").symlink_to("/etc/hostname")

    assert names(tmp_path) == [name(3), name(1), name(2)]
    assert list_sessions(tmp_path)[0].last == START + 2 * HOUR


def test_the_last_event_counts_and_not_when_the_file_was_touched(tmp_path: Path) -> None:
    write(tmp_path, name(1), START + HOUR)
    write(tmp_path, name(2), START, changed=START + 9 * HOUR)

    assert names(tmp_path) == [name(1), name(2)]


def test_among_many_files_that_were_copied_at_once_the_one_that_began_last_is_newest(tmp_path: Path) -> None:
    for number in range(100):
        write(tmp_path, name(number), START + number * HOUR, changed=START + 999 * HOUR)

    found = newest_session(tmp_path)

    assert found is not None
    assert found.session == name(99)


def test_a_folder_that_is_not_there_has_no_sessions(tmp_path: Path) -> None:
    assert list_sessions(tmp_path / "missing") == []
    assert list_sessions(tmp_path / "a\0b") == []
    assert list_sessions(tmp_path / "\ud800") == []
    assert newest_session(tmp_path) is None


def test_of_thousands_of_sessions_only_a_few_are_opened_to_list_them_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = shop_api().lines[0]
    count_of_all = sized(1_000, 10_000)
    for number in range(count_of_all):
        (tmp_path / f"20260310T{number:06}.000000Z-aaaaaa.jsonl").write_bytes(line)
    opened = list[Path]()
    open_journal = JournalFile.open

    def count(path: Path) -> JournalFile:
        opened.append(path)
        return open_journal(path)

    monkeypatch.setattr(JournalFile, "open", count)

    assert len(list_sessions(tmp_path)) == count_of_all
    assert 0 < len(opened) < 100


def test_a_session_is_meant_by_its_id_a_unique_prefix_or_last(tmp_path: Path) -> None:
    first = write(tmp_path, "20260310T140200.000000Z-k3v9qa", START)
    second = write(tmp_path, "20260311T090000.000000Z-abc234", START + HOUR)

    assert resolve_journal("20260310T140200.000000Z-k3v9qa", tmp_path) == first
    assert resolve_journal("20260311", tmp_path) == second
    assert resolve_journal("last", tmp_path) == second
    assert resolve_journal(None, tmp_path) == second


def test_an_id_that_begins_another_one_is_itself(tmp_path: Path) -> None:
    first = write(tmp_path, "a", START)
    write(tmp_path, "ab", START)

    assert resolve_journal("a", tmp_path) == first


def test_an_ambiguous_prefix_names_up_to_five_candidates(tmp_path: Path) -> None:
    for number in range(7):
        write(tmp_path, name(number), START)

    with pytest.raises(UsageError) as caught:
        resolve_journal("2026", tmp_path)

    assert str(caught.value).count("Z-aaaaaa") == 5
    assert str(caught.value).endswith("or 2 more; type more of it")


def test_a_file_is_meant_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = shop_api().write(tmp_path / "saved.jsonl")
    empty = tmp_path / "sessions"
    monkeypatch.chdir(tmp_path)

    assert resolve_journal(str(path), empty) == path
    assert resolve_journal("saved.jsonl", empty).samefile(path)
    assert resolve_journal("./saved.jsonl", empty).samefile(path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert resolve_journal("~/saved.jsonl", empty) == path


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (None, "no sessions in .* yet; connect an agent"),
        ("last", "no sessions in .* yet; connect an agent"),
        ("2025", "no session '2025' in .*; name one by its id"),
        ("", "no session '' in"),
        ("saved\0", "no session"),
        ("*", "no session"),
        ("../escape", "no such file; name a session"),
        ("missing.jsonl", "no such file; name a session"),
        ("./note.notes.jsonl", "holds notes to an agent; name its journal"),
        ("a\0.jsonl", "no such file"),
        ("~nobody-of-that-name/x", "write the whole path"),
        ("/", "is a folder; name a journal in it"),
        ("x" * 5000, "no session"),
        ("./" + "x" * 5000, "file name too long; name a session"),
        ("\ud800/x.jsonl", "no such file"),
    ],
)
def test_what_cannot_be_found_is_said_with_what_to_do(reference: str | None, message: str, tmp_path: Path) -> None:
    (tmp_path / "note.notes.jsonl").touch()

    with pytest.raises(UsageError, match=message):
        resolve_journal(reference, tmp_path)


def test_a_reference_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    shop_api().write(tmp_path / "secret.jsonl")
    (folder / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")

    for reference in ("secret", "link", "..", "sessions"):
        with pytest.raises(UsageError):
            resolve_journal(reference, folder)


def test_the_head_is_the_first_session_event(tmp_path: Path) -> None:
    event = first_session_event(JOURNALS / "shop-api.jsonl")

    assert event == shop_api().events[0]
    assert first_session_event(tmp_path / "missing") is None
    assert first_session_event(JournalBuilder().thought("No session").write(tmp_path / "a")) is None
    assert first_session_event(JournalBuilder().raw(b"broken\n").session("b").write(tmp_path / "b")) is not None


def test_the_last_event_s_time_is_read_from_the_tail() -> None:
    assert last_event_time(JOURNALS / "shop-api.jsonl") == datetime(2026, 3, 10, 14, 4, 41, tzinfo=UTC)
    assert last_event_time(JOURNALS / "torn.jsonl") == START


@pytest.mark.parametrize("tail", [b"", b'{"v":1,"seq":9,"time":"2026', b"\n\n\n", b"broken\n" * 9, b"x" * 300_000])
def test_what_stands_behind_the_last_event_does_no_harm(tmp_path: Path, tail: bytes) -> None:
    path = JournalBuilder().session().thought("One").thought("Two", after=7).raw(tail).write(tmp_path / "a")

    assert last_event_time(path) == START + timedelta(seconds=7)


def test_a_huge_last_line_is_not_decoded_for_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = JournalBuilder().session().thought("x" * (20 << 20)).write(tmp_path / "a")
    monkeypatch.setattr(peek, "decode", None)

    assert last_event_time(path) == START


def test_a_line_that_is_spelled_otherwise_is_decoded_for_its_time(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(
        b'{ "time": "2026-03-10T14:02:00Z", "seq": 1, "v": 1, "type": "end", "reason": "eof" }\n'
    )

    assert last_event_time(tmp_path / "a") == START


@pytest.mark.parametrize("data", [b"", b"\n", b"torn", b"binary\x00\n" * 1000])
def test_a_file_without_events_has_no_last_time(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)

    assert last_event_time(tmp_path / "a") is None
    assert last_event_time(tmp_path / "missing") is None


def session_here(path: Path, host: str | None = None) -> SessionEvent:
    JournalBuilder().session(host=host or socket.gethostname()).write(path)
    event = first_session_event(path)
    assert event is not None
    return event


def test_a_writer_that_holds_its_lock_is_alive_and_then_gone(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    event = session_here(path)
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert writer_state(path, event) is WriterState.ALIVE

    assert writer_state(path, event) is WriterState.GONE


def test_a_probe_is_released_at_once_and_no_viewer_takes_another_for_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    event = session_here(path)
    with path.open("rb") as viewer:
        fcntl.flock(viewer, fcntl.LOCK_SH)
        assert writer_state(path, event) is WriterState.GONE
    with path.open("ab") as server:
        fcntl.flock(server, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_elsewhere_whether_the_writer_lives_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    event = session_here(path)

    assert writer_state(path, session_here(tmp_path / "b.jsonl", host="elsewhere")) is WriterState.UNKNOWN
    assert writer_state(path, None) is WriterState.UNKNOWN
    assert writer_state(tmp_path / "missing", event) is WriterState.UNKNOWN
    monkeypatch.setattr(system, "fcntl", None)
    assert writer_state(path, event) is WriterState.UNKNOWN


def test_a_file_here_that_is_not_written_as_a_path_is_pointed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.txt").touch()

    with pytest.raises(UsageError, match=r"there is a file of that name: \./log\.txt"):
        resolve_journal("log.txt", tmp_path / "sessions")
