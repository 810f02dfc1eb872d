"""The wall of live sessions."""

import errno
import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic

import pytest
from typing_extensions import override

from seqthink.chain.attention import Attention, StuckReason
from seqthink.core.errors import unreadable_folder
from seqthink.drawing.describe.session import session_progress
from seqthink.journal.decode import decode
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.place import PlacedSession
from seqthink.library.places.transcripts import TranscriptPlace
from tests.support.depth import sized
from tests.support.journals.build import SESSION, START, JournalBuilder
from tests.support.journals.example_chains import straight
from tests.support.journals.read_faults import FailingReads
from tests.support.screens.screen_text import HOST, locked_journal
from tui.sessions import followed_session, wall_candidates
from tui.sessions.followed_session import MAX_TEXT_CHARS
from tui.sessions.wall_candidates import WallCandidates
from tui.sessions.wall_sessions import MAX_FOLDED, WallSessions

NOW = int((START.timestamp() + 60) * 1_000_000)
MINUTE, HOUR = 60_000_000, 3_600_000_000


def test_a_recent_session_is_on_the_board_and_grows(tmp_path: Path) -> None:
    lines = straight(6).lines
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(b"".join(lines[:4]))
    wall = WallSessions(SessionCatalog(FolderPlace(tmp_path)), lambda: NOW, decode)

    assert wall.refresh()
    assert [entry.session.thought_count for entry in wall.entries] == [3]
    with path.open("ab") as file:
        file.write(lines[4])
    assert wall.refresh()
    assert [entry.session.thought_count for entry in wall.entries] == [4]


def test_a_live_session_that_is_silent_for_long_stays_on_the_board_and_is_stuck(tmp_path: Path) -> None:
    path = JournalBuilder().session(host=HOST).thought("Why?", 1, 3).write(tmp_path / f"{SESSION}.jsonl")
    with locked_journal(path):
        wall = WallSessions(SessionCatalog(FolderPlace(tmp_path)), lambda: NOW + HOUR, decode)
        wall.refresh()
        standing = wall.entries[0].standing
        assert (standing.attention, standing.reason) == (Attention.STUCK, StuckReason.SILENT)


def wall_of(folder: Path, *, now: int = NOW, stuck_seconds: int = 300) -> WallSessions:
    return WallSessions(SessionCatalog(FolderPlace(folder)), lambda: now, decode, stuck_seconds)


def settle(wall: WallSessions) -> None:
    """Refresh until each session was read by its end, and until nothing more comes."""
    while wall.refresh() or not wall.is_settled:
        pass


def folded_count(wall: WallSessions) -> int:
    """Return how many sessions of 150 thoughts are known as a whole; an end has 128 lines at most."""
    return sum(entry.session.thought_count == 150 for entry in wall.entries)


def refresh_until(wall: WallSessions, condition: Callable[[], bool]) -> None:
    end = monotonic() + 60
    while not condition():
        assert monotonic() < end, "it did not come to that"
        wall.refresh()


def journal_of(folder: Path, number: int, thoughts: int = 2, text: str = "Why?", host: str | None = "desk") -> Path:
    builder = JournalBuilder(START + timedelta(microseconds=number)).session(host=host, cwd=f"/home/ana/s{number}")
    for place in range(1, thoughts + 1):
        builder.thought(text, place, 9_999, after=0.001)
    return builder.write(folder / f"20260310T1402{number:08}Z-aaaaaa.jsonl")


def append(path: Path, journal: JournalBuilder) -> None:
    with path.open("ab") as file:
        file.write(journal.data)


def test_a_long_journal_is_known_by_its_end_at_once_and_as_a_whole_soon_after(tmp_path: Path) -> None:
    path = journal_of(tmp_path, 1, 4_000, "x" * 200)
    wall = wall_of(tmp_path)
    wall.refresh()
    [first] = wall.entries
    assert session_progress(first.session) == "4000 of ~9999"
    assert (first.newest, first.name) == ("x" * 200, "s1")

    refresh_until(wall, lambda: wall.entries[0].is_whole)
    [entry] = wall.entries
    assert entry.session.thought_count == 4_000
    assert wall.entry(path) is entry


def test_a_line_longer_than_the_end_that_is_read_is_shown(tmp_path: Path) -> None:
    journal_of(tmp_path, 1, 1, "y" * 300_000)
    wall = wall_of(tmp_path)
    settle(wall)

    assert wall.entries[0].newest == "y" * MAX_TEXT_CHARS


def test_only_entries_of_sessions_that_changed_are_replaced(tmp_path: Path) -> None:
    paths = [journal_of(tmp_path, number) for number in range(3)]
    wall = wall_of(tmp_path)
    settle(wall)
    before = wall.entries
    assert not wall.refresh()
    assert wall.entries is before

    append(paths[1], JournalBuilder().thought("More", 3, 9_999))
    assert wall.refresh()
    assert [entry is old for entry, old in zip(wall.entries, before, strict=True)] == [True, False, True]
    assert wall.entries[1].newest == "More"


@pytest.mark.slow  # many files
def test_of_many_sessions_all_are_on_the_board_and_a_bounded_number_is_folded_with_files_open(tmp_path: Path) -> None:
    count = sized(2 * MAX_FOLDED, 300)
    for number in range(count):
        journal_of(tmp_path, number, 150)
    wall = wall_of(tmp_path)
    settle(wall)

    assert len(wall.entries) == count
    assert {entry.newest for entry in wall.entries} == {"Why?"}
    assert {session_progress(entry.session) for entry in wall.entries} == {"150 of ~9999"}
    refresh_until(wall, lambda: folded_count(wall) == MAX_FOLDED)
    for _ in range(20):
        wall.refresh()
    assert folded_count(wall) == MAX_FOLDED


def test_the_sessions_in_view_are_folded_first(tmp_path: Path) -> None:
    paths = [journal_of(tmp_path, number, 150) for number in range(MAX_FOLDED + 8)]
    wall = wall_of(tmp_path)
    refresh_until(wall, lambda: folded_count(wall) == MAX_FOLDED)
    ended = [entry.file.path for entry in wall.entries if entry.session.thought_count < 150]
    assert set(ended) < set(paths)

    wall.prioritise(ended)
    refresh_until(
        wall,
        lambda: all(entry.session.thought_count == 150 for entry in wall.entries if entry.file.path in ended),
    )


def test_a_journal_that_was_replaced_or_is_gone_does_no_harm(tmp_path: Path) -> None:
    path = journal_of(tmp_path, 1, 300)
    wall = wall_of(tmp_path)
    settle(wall)
    path.unlink()
    JournalBuilder().session().thought("Again", 1, 2).write(path)
    settle(wall)
    assert [(entry.newest, entry.session.thought_count) for entry in wall.entries] == [("Again", 1)]

    path.unlink()
    settle(wall)
    assert wall.entries == ()


def test_a_torn_line_waits_and_corrupt_lines_are_counted(tmp_path: Path) -> None:
    path = journal_of(tmp_path, 1)
    with path.open("ab") as file:
        file.write(b"no event\n" + JournalBuilder().thought("Half", 3, 9).data[:40])
    wall = wall_of(tmp_path)
    settle(wall)

    assert [(entry.newest, entry.session.corrupt_count) for entry in wall.entries] == [("Why?", 1)]


@pytest.mark.slow  # many files
def test_a_session_whose_clock_is_ahead_leaves_and_one_that_is_behind_comes_when_it_grows(tmp_path: Path) -> None:
    ahead = JournalBuilder(START + timedelta(days=3)).session().thought("Ahead", 1, 3)
    path = ahead.write(tmp_path / "20260313T140200.000000Z-aaaaaa.jsonl")
    os.utime(path, (NOW / 1e6 - 7200, NOW / 1e6 - 7200))
    behind = JournalBuilder(START - timedelta(days=3)).session().thought("Behind", 1, 3)
    path = behind.write(tmp_path / "20260307T140200.000000Z-aaaaab.jsonl")
    wall = wall_of(tmp_path)
    settle(wall)
    assert wall.entries == ()

    append(path, JournalBuilder(START - timedelta(days=3)).thought("Still here", 2, 3))
    refresh_until(wall, lambda: bool(wall.entries))
    [entry] = wall.entries
    assert (entry.newest, entry.changed) == ("Still here", NOW)


@pytest.mark.deep  # a race that is tried more often there
def test_two_threads_may_refresh_the_board(tmp_path: Path) -> None:
    for number in range(20):
        journal_of(tmp_path, number, 150)
    wall = wall_of(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(settle, [wall, wall]))

    assert len(wall.entries) == 20


def test_a_session_that_cannot_be_read_is_said_so_and_is_read_again_without_another_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = JournalBuilder().session(host=HOST).thought("Why?", 1, 3).write(tmp_path / f"{SESSION}.jsonl")
    with locked_journal(path):
        wall = wall_of(tmp_path)
        settle(wall)
        with path.open("ab") as file:
            file.write(JournalBuilder().thought("Because.", 2, 3).data)
        fault = FailingReads(monkeypatch, "EIO")
        wall.refresh()
        blind = wall.entries[0]
        fault.is_on = False
        settle(wall)

    assert blind.trouble == f"cannot read {SESSION}.jsonl: input/output error; trying again"
    assert blind.standing.attention is Attention.OPEN
    assert (wall.entries[0].trouble, wall.entries[0].session.thought_count) == ("", 2)
    assert wall.entries[0].standing.attention is Attention.THINKING


def test_a_folder_that_cannot_be_listed_is_said_and_the_sessions_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    JournalBuilder().session().thought("Why?", 1, 3).write(tmp_path / f"{SESSION}.jsonl")
    wall = wall_of(tmp_path)
    settle(wall)
    with monkeypatch.context() as patch:
        patch.setattr(WallCandidates, "look", _cannot_list)
        wall.refresh()

        assert (wall.error, len(wall.entries)) == ("permission denied", 1)
    (tmp_path / "another.jsonl").write_bytes(b"")
    wall.refresh()
    assert not wall.error


def _cannot_list(*_: object) -> None:
    raise unreadable_folder("/a/long/path", OSError(errno.EACCES, "Permission denied"))


class _Client:
    """What a client has done, and what was read of it."""

    def __init__(self) -> None:
        self.read = list[Path]()
        self.wrote_at: datetime | None = None


def _catalog_of_transcripts(folder: Path, client: _Client) -> SessionCatalog:
    class Transcript(PlacedSession):
        @override
        def read_whole(self) -> None:
            client.read.append(self.path)

    class Transcripts(FolderPlace):
        is_translated = True

        @override
        def sessions(self) -> list[SessionFile]:
            return [file._replace(last=client.wrote_at or file.last) for file in super().sessions()]

        @override
        def session(self, path: Path | None) -> PlacedSession:
            return Transcript(path)

    return SessionCatalog(Transcripts(folder))


def test_a_transcript_that_grows_is_read_more_often_than_locks_are_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = straight(3).write(tmp_path / f"{SESSION}.jsonl")
    client = _Client()
    wall = WallSessions(_catalog_of_transcripts(tmp_path, client), lambda: NOW, decode)
    monkeypatch.setattr(followed_session, "TRANSLATION_SECONDS", 0.0)
    settle(wall)
    before = len(client.read)
    wall.refresh()
    wall.refresh()

    assert wall.has_live_transcripts
    assert client.read[before:] == [path, path]


def test_a_transcript_that_was_silent_for_minutes_is_read_while_its_agent_is_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = JournalBuilder().session(host=HOST).thought("Why?", 1, 3).write(tmp_path / f"{SESSION}.jsonl")
    client = _Client()
    monkeypatch.setattr(followed_session, "TRANSLATION_SECONDS", 0.0)
    with locked_journal(path):
        wall = WallSessions(_catalog_of_transcripts(tmp_path, client), lambda: NOW + 5 * MINUTE, decode)
        settle(wall)
        before = len(client.read)
        wall.refresh()

        assert wall.has_live_transcripts
        assert client.read[before:] == [path]


def test_a_transcript_whose_client_wrote_again_after_minutes_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = straight(3).write(tmp_path / f"{SESSION}.jsonl")
    client = _Client()
    monkeypatch.setattr(followed_session, "TRANSLATION_SECONDS", 0.0)
    monkeypatch.setattr(wall_candidates, "RELIST_SECONDS", 0.0)
    monkeypatch.setattr(wall_candidates, "RELIST_TIME_FACTOR", 0)
    wall = WallSessions(_catalog_of_transcripts(tmp_path, client), lambda: NOW + 5 * MINUTE, decode)
    settle(wall)
    assert not wall.has_live_transcripts

    before = len(client.read)
    client.wrote_at = START + timedelta(minutes=6)
    wall.refresh()

    assert client.read[before:] == [path]


def test_a_folder_that_is_deleted_meanwhile_is_said_until_it_is_back(tmp_path: Path) -> None:
    folder, kept = tmp_path / "sessions", tmp_path / "kept"
    folder.mkdir()
    wall = wall_of(folder)
    wall.refresh()
    before = wall.lost
    folder.rename(kept)
    wall.refresh()
    deleted = wall.lost
    kept.rename(folder)
    wall.refresh()

    assert (before, deleted, wall.lost) == ("", f"sessions are gone: {folder} was deleted", "")


def test_a_folder_that_never_was_there_is_not_missed(tmp_path: Path) -> None:
    wall = wall_of(tmp_path / "none")
    wall.refresh()

    assert wall.lost == ""


def test_a_deleted_folder_of_transcripts_in_memory_is_said(tmp_path: Path) -> None:
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    with closing(TranscriptPlace(frozenset({"claude"}), environ, tmp_path, lambda: NOW)) as library:
        library.refresh()
        [folder] = tmp_path.glob("seqthink-spool-*")
        wall = WallSessions(SessionCatalog(FolderPlace(tmp_path), library), lambda: NOW, decode)
        wall.refresh()
        before = wall.lost
        shutil.rmtree(folder)
        wall.refresh()

        assert (before, wall.lost) == ("", f"sessions are not updated: {folder} was deleted; start seqthink again")
