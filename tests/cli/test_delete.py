"""`seqthink delete`: one session goes with all that belongs to it, after a yes."""

import fcntl
import os
import pty
import subprocess
from pathlib import Path

import pytest

from seqthink.library.viewer_store.marks import Mark, Marks
from seqthink.library.viewer_store.read_state import ReadState
from seqthink.library.viewer_store.shown_choices import ShownChoice, ShownChoices
from tests.support.depth import first
from tests.support.journals.build import SESSION, shop_api
from tests.support.servers.commands import TIMEOUT_SECONDS, command, environment, refusal_line, seqthink
from tests.support.transcripts.recorded import lay_out

NOTES, REPAIRED = f"{SESSION}.notes.jsonl", f"{SESSION}.repaired.jsonl"


@pytest.fixture
def folder(seqthink_home: Path) -> Path:
    """Return the folder of the journals, with a session that has notes, a repaired copy, a mark and a read state."""
    sessions, viewer = seqthink_home / "sessions", seqthink_home / "viewer"
    sessions.mkdir()
    shop_api().write(sessions / f"{SESSION}.jsonl")
    for beside in (NOTES, REPAIRED):
        (sessions / beside).write_bytes(b"{}\n")
    Marks(viewer).add(Mark(SESSION, 4, text="x"))
    Marks(viewer).add(Mark("another", 4, text="y"))
    ReadState(viewer).mark_read(SESSION, 3)
    ShownChoices(viewer).choose(SESSION, ShownChoice(shown="words"))
    return sessions


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _asked(folder: Path, answer: bytes) -> tuple[int, str]:
    """Delete on a terminal, and answer the question."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command("delete", "last", "--journal-dir", folder),
        env=environment(),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while b"[y/N] " not in shown:
        shown += os.read(ours, 1000)
    os.write(ours, answer)
    try:
        while more := os.read(ours, 1000):
            shown += more
    except OSError:  # the terminal's end, on Linux
        pass
    finally:
        os.close(ours)
    return process.wait(TIMEOUT_SECONDS), shown.decode()


def test_a_session_goes_at_once_with_all_that_belongs_to_it(folder: Path, seqthink_home: Path) -> None:
    done = seqthink("delete", SESSION[:9], "--yes")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"deleted {SESSION} (shop-api, 11 thoughts, 3 files, ")
    assert _names(folder) == set()
    assert [mark.session for mark in Marks(seqthink_home / "viewer").all()] == ["another"]
    assert ReadState(seqthink_home / "viewer").seen_count(SESSION) == 0
    assert ShownChoices(seqthink_home / "viewer").of(SESSION) == ShownChoice()


def test_a_rehearsal_names_the_files_and_deletes_nothing(folder: Path) -> None:
    before = _names(folder)
    done = seqthink("delete", "last", "--dry-run")

    assert done.stdout.startswith(f"would delete {SESSION} (")
    assert {Path(line.strip()).name for line in done.stdout.splitlines()[1:]} == before
    assert _names(folder) == before


@pytest.mark.parametrize("answer", [b"y\n", b"YES\n"])
def test_on_a_terminal_a_yes_is_asked_for(folder: Path, answer: bytes) -> None:
    status, shown = _asked(folder, answer)

    assert status == 0
    assert f"delete {SESSION} (shop-api" in shown
    assert _names(folder) == set()


@pytest.mark.parametrize("answer", first(1, [b"\n", b"n\n", b"\x04"]))
def test_anything_else_keeps_the_session(folder: Path, answer: bytes) -> None:
    before = _names(folder)
    status, shown = _asked(folder, answer)

    assert (status, _names(folder)) == (1, before)
    assert f"kept {SESSION}" in shown


def test_without_a_terminal_nothing_is_asked_and_nothing_deleted(folder: Path) -> None:
    before = _names(folder)

    assert refusal_line(seqthink("delete", SESSION, stdin="y\n")).startswith("delete: there is no terminal to ask on; ")
    assert _names(folder) == before


def test_a_session_whose_server_runs_stays(folder: Path) -> None:
    before = _names(folder)
    with (folder / f"{SESSION}.jsonl").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = seqthink("delete", SESSION, "--yes")

    assert (done.returncode, done.stderr) == (1, f"seqthink: kept {SESSION}: a server is using it\n")
    assert _names(folder) == before


@pytest.mark.usefixtures("folder")
def test_what_is_no_session_of_ours_is_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "diary.jsonl"
    foreign.write_text("Dear diary\n", encoding="utf-8")
    done = seqthink("delete", foreign, "--yes")

    assert (done.returncode, foreign.exists()) == (1, True)
    assert "not a seqthink journal" in done.stderr
    assert refusal_line(seqthink("delete", "nope", "--yes")).startswith("no session 'nope' in ")
    other = tmp_path / "notes.txt"
    other.write_text("x", encoding="utf-8")
    assert "is not a journal: its name does not end in" in refusal_line(seqthink("delete", other, "--yes"))


def test_a_transcript_of_another_program_is_not_ours_to_delete(tmp_path: Path) -> None:
    home = lay_out("claude/agents", tmp_path / "home")
    [transcript, *_] = sorted((home / ".claude" / "projects").glob("*/*.jsonl"))

    line = refusal_line(seqthink("delete", f"claude-{transcript.stem}", "--yes"))
    assert line == f"claude-{transcript.stem} is a transcript of another program; delete it there"
    done = seqthink("delete", transcript, "--yes")
    assert (done.returncode, transcript.exists()) == (1, True)


def test_prune_forgets_the_marks_of_what_it_deletes(folder: Path, seqthink_home: Path) -> None:
    os.utime(folder / f"{SESSION}.jsonl", (0, 0))
    done = seqthink("prune", "--older-than", "1h")

    assert f"deleted {SESSION}" in done.stdout
    assert [mark.session for mark in Marks(seqthink_home / "viewer").all()] == ["another"]


def test_marks_that_cannot_be_changed_are_named(folder: Path, seqthink_home: Path) -> None:
    marks = seqthink_home / "viewer" / "marks.jsonl"
    marks.unlink()
    marks.mkdir()
    done = seqthink("delete", SESSION, "--yes")

    assert (done.returncode, _names(folder)) == (0, set())
    assert done.stderr.startswith("seqthink: marks, labels and read state stay: ")
