"""`seqthink prune`: what is old goes, with all that belongs to it; what is not, or is somebody else's, stays."""

import fcntl
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from seqthink.__main__ import main
from seqthink.cli.upkeep.prune import size_text
from tests.support.journals.build import JournalBuilder
from tests.support.servers.commands import CompletedCommand, refusal_line, seqthink

OLD, NEW = datetime(2020, 5, 4, 12, tzinfo=UTC), datetime.now(UTC) - timedelta(hours=36)  # noqa: TID251 - real ages
MONTH = ("prune", "--older-than", "30d")


@pytest.fixture
def folder(seqthink_home: Path) -> Path:
    """Return the folder of the journals, with an old session and a new one."""
    sessions = seqthink_home / "sessions"
    sessions.mkdir()
    write(sessions, "old", OLD)
    write(sessions, "new", NEW)
    return sessions


def write(folder: Path, name: str, start: datetime) -> Path:
    return JournalBuilder(start).session(name).thought("x").end().write(folder / f"{name}.jsonl")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def last_line(done: CompletedCommand) -> str:
    return done.stdout.splitlines()[-1]


def test_what_is_old_goes_and_is_named_with_the_sum_at_the_end(folder: Path) -> None:
    write(folder, "older", OLD - timedelta(days=1))
    done = seqthink(*MONTH)

    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[:5] for line in done.stdout.splitlines()] == [
        ["deleted", "older", "last", "event", "2020-05-03"],
        ["deleted", "old", "last", "event", "2020-05-04"],
        ["deleted", "2", "sessions,", "986", "bytes"],
    ]
    assert names(folder) == {"new.jsonl"}


def test_a_rehearsal_says_the_same_and_deletes_nothing(folder: Path) -> None:
    before = names(folder)
    rehearsed = seqthink(*MONTH, "--dry-run")

    assert names(folder) == before
    assert rehearsed.stdout == seqthink(*MONTH).stdout.replace("deleted", "would delete")


@pytest.mark.parametrize(("age", "gone"), [("24h", ["old", "new"]), ("2d", ["old"]), ("1w", ["old"]), ("9999w", [""])])
def test_the_age_counts_from_the_last_event_in_hours_days_or_weeks(folder: Path, age: str, gone: list[str]) -> None:
    os.utime(folder / "new.jsonl", (0, 0))
    seqthink("prune", "--older-than", age)

    assert names(folder) == {f"{name}.jsonl" for name in {"old", "new"} - set(gone)}


def test_what_stands_beside_a_journal_goes_with_it(folder: Path) -> None:
    for name in ("old", "new"):
        (folder / f"{name}.notes.jsonl").write_bytes(b"{}\n")
        (folder / f"{name}.repaired.jsonl").write_bytes(b"{}\n")
    seqthink(*MONTH)

    assert names(folder) == {"new.jsonl", "new.notes.jsonl", "new.repaired.jsonl"}


def test_what_a_server_writes_stays_however_old(folder: Path) -> None:
    (folder / "old.notes.jsonl").write_bytes(b"{}\n")
    with (folder / "old.jsonl").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        kept = seqthink(*MONTH)
        rehearsed = seqthink(*MONTH, "--dry-run", "--json")

    assert (kept.returncode, kept.stderr) == (0, "seqthink: kept old: a server is using it\n")
    assert last_line(kept) == "deleted 0 sessions, 0 bytes"
    assert json.loads(rehearsed.stdout)[0]["kept"] == "a server is using it"
    assert names(folder) == {"old.jsonl", "old.notes.jsonl", "new.jsonl"}


def test_a_viewer_that_looks_whether_the_server_lives_keeps_nothing(folder: Path) -> None:
    with (folder / "old.jsonl").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        seqthink(*MONTH)

    assert names(folder) == {"new.jsonl"}


def test_only_journals_go_and_no_link_is_followed(folder: Path, tmp_path: Path) -> None:
    elsewhere = write(tmp_path, "elsewhere", OLD)
    (folder / "link.jsonl").symlink_to(elsewhere)
    (folder / "old.notes.jsonl").symlink_to(elsewhere)
    (folder / "folder.jsonl").mkdir()
    (folder / "orphan.notes.jsonl").write_bytes(b"{}\n")
    os.mkfifo(folder / "pipe.jsonl")
    for name in ("diary.jsonl", "diary.txt"):
        (folder / name).write_bytes(b"Dear diary,\n")
    for path in folder.iterdir():
        os.utime(path, (0, 0), follow_symlinks=False)
    before = names(folder)
    done = seqthink(*MONTH)

    assert before - names(folder) == {"old.jsonl"}
    assert elsewhere.exists()
    assert done.stderr == "seqthink: kept diary: not a seqthink journal\n"


def test_a_clock_that_went_back_makes_no_session_older_than_its_beginning(folder: Path) -> None:
    journal = JournalBuilder(NEW).session("jump").thought("x")
    journal.thought("y", 2, 2, after=-30 * 365 * 86_400).write(folder / "jump.jsonl")
    seqthink(*MONTH)

    assert names(folder) == {"jump.jsonl", "new.jsonl"}


def test_a_journal_without_an_event_is_as_old_as_its_file(folder: Path) -> None:
    for name in ("empty", "fresh"):
        (folder / f"{name}.jsonl").touch()
    os.utime(folder / "empty.jsonl", (0, 0))
    seqthink(*MONTH)

    assert names(folder) == {"fresh.jsonl", "new.jsonl"}


def test_programs_get_one_array(folder: Path) -> None:
    path = folder / "old.jsonl"
    size = path.stat().st_size
    [one] = json.loads(seqthink(*MONTH, "--json").stdout)

    assert one == {"session": "old", "path": str(path), "last": "2020-05-04T12:00:00.000Z", "files": [str(path)],
                   "bytes": size, "deleted": True, "kept": None}  # fmt: skip
    assert json.loads(seqthink(*MONTH, "--json").stdout) == []


def test_what_cannot_be_deleted_is_said_and_the_rest_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from seqthink.cli.upkeep import prune

    write(folder, "older", OLD - timedelta(days=1))
    unlink = Path.unlink

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        if path.name == "older.jsonl":
            raise PermissionError(13, "Permission denied", str(path))
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)

    assert prune.run(["--older-than", "30d"]) == 1
    assert names(folder) == {"older.jsonl", "new.jsonl"}


@pytest.mark.parametrize("age", ["30", "d", "0d", "-5d", "1.5d", "30D", "5m", "", "٣d", "9999999999d"])
def test_an_age_that_makes_no_sense_is_refused(folder: Path, age: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["prune", f"--older-than={age}"])

    printed = capsys.readouterr()
    wanted = "seqthink: prune: argument --older-than: must be a number above 0 and h, d or w, as in 30d"
    assert (status, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert printed.err.startswith(wanted)
    assert names(folder) == {"old.jsonl", "new.jsonl"}


def test_an_age_has_to_be_given(folder: Path) -> None:
    assert "--older-than" in refusal_line(seqthink("prune"))
    assert names(folder) == {"old.jsonl", "new.jsonl"}


def test_no_folder_is_nothing_to_delete(tmp_path: Path) -> None:
    assert seqthink(*MONTH, "--journal-dir", tmp_path / "none").stdout == "deleted 0 sessions, 0 bytes\n"


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"), (1023, "1,023 bytes"), (1024, "1 KiB"), (1025, "2 KiB"), (1 << 20, "1 MiB"),
        ((1 << 20) + 1, "2 MiB"), (5 << 30, "5,120 MiB"),
    ],
)  # fmt: skip
def test_a_size_is_rounded_up(size: int, text: str) -> None:
    assert size_text(size) == text
