"""What goes wrong with a file or a disk is said of that session, and costs nothing that was kept before."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seqthink.core.events import WriterState
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.check import JournalCheck
from seqthink.journal.peek import first_session_event, writer_state
from seqthink.sources.transcripts.imports.imported_journals import derived_letters
from seqthink.sources.transcripts.imports.importing import Importer, Outcome
from tests.support.depth import sized
from tests.support.transcripts.imports import LATE, import_all, no_sleep, sessions_of, stories
from tests.support.transcripts.recorded import lay_out

REAL_WRITE = os.write


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with one session."""
    return lay_out("codex/agents", tmp_path / "home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of the journals."""
    return tmp_path / "sessions"


def failing_write(allowed_bytes: int) -> Callable[[int, bytes], int]:
    """Return a `write` that fills the disk after that many bytes."""
    left = [allowed_bytes]

    def write(descriptor: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = REAL_WRITE(descriptor, data[: left[0]])
        left[0] -= written
        return written

    return write


@pytest.mark.parametrize("allowed_bytes", [0, 1, 400, 3000])
def test_a_full_disk_leaves_no_half_line_and_the_next_import_makes_up_for_it(
    home: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed_bytes: int
) -> None:
    (whole,) = import_all(home, tmp_path / "whole")
    with monkeypatch.context() as context:
        context.setattr(os, "write", failing_write(allowed_bytes))
        (failed,) = import_all(home, folder)
    left = list(folder.iterdir())
    (result,) = import_all(home, folder)

    assert failed.outcome is Outcome.FAILED
    assert "o space left on device" in failed.error or "could be written" in failed.error
    assert left == []
    assert result.journal is not None
    assert whole.journal is not None
    assert stories(result.journal) == stories(whole.journal)


def test_a_full_disk_keeps_what_a_journal_held(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (result,) = import_all(home, folder)
    assert result.journal is not None
    whole = result.journal.read_bytes()
    kept = b"".join(whole.splitlines(keepends=True)[:5])
    result.journal.write_bytes(kept)
    with monkeypatch.context() as context:
        context.setattr(os, "write", failing_write(100))
        (failed,) = import_all(home, folder)

    assert (failed.outcome, result.journal.read_bytes()) == (Outcome.FAILED, kept)


def test_a_transcript_that_vanished_is_named_and_the_others_are_imported(tmp_path: Path, folder: Path) -> None:
    home = tmp_path / "home"
    for run in ("claude/rewind", "codex/one-call", "gemini/rewind"):
        lay_out(run, home)
    chosen = sessions_of(home)
    gone = next(session for session in chosen if session.source.name == "codex")
    gone.found.path.unlink()
    importer = Importer(folder, now=LATE, sleep=no_sleep)
    results = {one.source.name: importer.run(one.source, one.found, lambda _size: None) for one in chosen}

    assert {name: result.outcome for name, result in results.items()} == {
        "claude": Outcome.IMPORTED,
        "codex": Outcome.FAILED,
        "gemini": Outcome.IMPORTED,
    }
    assert results["codex"].error == "no such file or directory"


def test_a_transcript_of_which_nothing_can_be_read_has_failed(home: Path, folder: Path) -> None:
    chosen = sessions_of(home)
    for path in home.rglob("rollout-*.jsonl"):
        path.write_bytes(b"{broken\n" * 7)
    importer = Importer(folder, now=LATE, sleep=no_sleep)
    (result,) = [importer.run(one.source, one.found, lambda _size: None) for one in chosen]

    damaged = result.counts.corrupt
    assert (result.outcome, result.error) == (Outcome.FAILED, f"nothing in it can be read: {damaged} damaged records")
    assert damaged >= 7


def test_a_transcript_of_which_only_the_first_record_can_be_read_says_why_nothing_is_taken(
    tmp_path: Path, folder: Path
) -> None:
    home = lay_out("gemini/rewind", tmp_path / "home")
    (path,) = home.rglob("session-*.jsonl")
    first = path.read_bytes().partition(b"\n")[0]
    path.write_bytes(first + b"\n{broken\n")
    (result,) = import_all(home, folder)

    assert (result.outcome, result.error) == (Outcome.FAILED, "nothing in it can be read: 1 damaged record")


def test_what_cannot_be_read_is_counted_and_the_rest_is_taken(tmp_path: Path, folder: Path) -> None:
    home = lay_out("claude/rewind", tmp_path / "home")
    (path,) = (home / ".claude" / "projects").rglob("*.jsonl")
    (before,) = import_all(home, tmp_path / "before")
    unknown = b'{"type":"a-new-type","uuid":"u1","sessionId":"x","timestamp":"2026-11-23T07:00:00.000Z"}\n'
    path.write_bytes(path.read_bytes() + b"{broken\n" + unknown + b'{"type":"user"')
    (result,) = import_all(home, folder)

    assert (result.outcome, result.taken) == (Outcome.IMPORTED, before.taken)
    assert (result.counts.read, result.counts.unknown, result.counts.corrupt) == (before.counts.read + 3, 1, 2)


@pytest.mark.parametrize(
    "session", ["../../../escaped", "/etc/passwd", "a/b", "..", ".", "x\0y", "\ud800", "n" * 5000, ""]
)
def test_nothing_of_a_client_is_part_of_a_path(tmp_path: Path, folder: Path, session: str) -> None:
    home = lay_out("claude/rewind", tmp_path / "home")
    ((source, found),) = sessions_of(home)
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    result = Importer(folder, now=LATE, sleep=no_sleep).run(source, found._replace(id=session), lambda _size: None)
    again = Importer(folder, now=LATE, sleep=no_sleep).run(source, found._replace(id=session), lambda _size: None)

    assert (result.outcome, again.outcome, again.journal) == (Outcome.IMPORTED, Outcome.UNCHANGED, result.journal)
    assert result.journal is not None
    assert {path for path in tmp_path.rglob("*") if path.is_file()} - before == {result.journal}
    assert result.journal.parent == folder
    assert result.journal.stem.endswith("-" + derived_letters("claude", session))


def test_texts_of_any_kind_stay_in_their_lines(tmp_path: Path, folder: Path) -> None:
    home = lay_out("claude/rewind", tmp_path / "home")
    (path,) = (home / ".claude" / "projects").rglob("*.jsonl")
    hostile = '\x1b]0;x\x07\u2028\n{"v":1}\ud800\u202e'
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    for line in lines:
        if line.get("type") == "user" and isinstance(line["message"]["content"], str):
            line["message"]["content"] += hostile
        content: Any = line.get("message", {}).get("content", [])
        for part in content:
            if "input" in part:
                part["input"] |= {"thought": hostile, "nextThoughtNeeded": 1e308 * 10}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    (result,) = import_all(home, folder)

    assert (result.outcome, result.journal is not None) == (Outcome.IMPORTED, True)
    assert result.journal is not None
    assert list(JournalCheck(JournalFile.open(result.journal)).findings()) == []


def test_another_journal_with_the_same_letters_is_left_alone(home: Path, folder: Path) -> None:
    (first,) = import_all(home, folder)
    assert first.journal is not None
    lines = first.journal.read_bytes()
    first.journal.write_bytes(lines.replace(b'"source":"codex"', b'"source":"other"'))
    before = first.journal.read_bytes()
    (second,) = import_all(home, folder)
    (third,) = import_all(home, folder)

    assert first.journal.read_bytes() == before
    assert second.journal not in {None, first.journal}
    assert (second.outcome, third.outcome, third.journal) == (Outcome.IMPORTED, Outcome.UNCHANGED, second.journal)


def test_a_link_in_place_of_a_journal_is_not_written_through(home: Path, folder: Path, tmp_path: Path) -> None:
    (first,) = import_all(home, folder)
    assert first.journal is not None
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_bytes(first.journal.read_bytes().splitlines(keepends=True)[0])
    before = elsewhere.read_bytes()
    first.journal.unlink()
    first.journal.symlink_to(elsewhere)
    (second,) = import_all(home, folder)

    assert (elsewhere.read_bytes(), second.outcome) == (before, Outcome.IMPORTED)
    assert second.journal != first.journal


def test_an_imported_session_is_never_lost(home: Path, folder: Path) -> None:
    (result,) = import_all(home, folder)
    assert result.journal is not None

    assert writer_state(result.journal, first_session_event(result.journal)) is WriterState.UNKNOWN


@pytest.mark.slow  # many files
def test_a_thousand_sessions_of_one_folder_are_not_looked_through_for_each(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = sized(100, 1000)
    home = lay_out("claude/rewind", tmp_path / "home")
    (path,) = (home / ".claude" / "projects").rglob("*.jsonl")
    content = path.read_bytes()
    for number in range(1, count):
        name = path.stem[:-4] + f"{number:04}"
        copy = content.replace(path.stem.encode(), name.encode()).replace(b'uid":"', b'uid":"%04d' % number)
        path.with_name(f"{name}.jsonl").write_bytes(copy)
    os.utime(path.parent, (1_000, 1_000))  # nothing changes in it any more
    looks: list[object] = []
    real_scandir = os.scandir

    def noted_scandir(place: str | Path) -> Any:  # noqa: ANN401 - as the real one
        looks.append(place)
        return real_scandir(place)

    monkeypatch.setattr(os, "scandir", noted_scandir)
    results = import_all(home, folder)

    assert [result.outcome for result in results] == [Outcome.IMPORTED] * count
    assert len(list(folder.iterdir())) == count
    assert sum(str(look) == str(path.parent) for look in looks) < 10
