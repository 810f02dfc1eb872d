"""`seqthink import` on the command line: what it says and returns, and what other commands make of its journals."""

import io
import json
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typing_extensions import override

from seqthink.core.progress_line import FIRST_SECONDS
from seqthink.core.times import microseconds_of
from seqthink.sources.transcripts.choosing import ChosenSession
from seqthink.sources.transcripts.imports.import_progress import ImportProgress
from seqthink.sources.transcripts.registry import SOURCE_NAMES
from tests.support.depth import first
from tests.support.servers.commands import SHOP_API, refusal_line, seqthink
from tests.support.transcripts.imports import sessions_of
from tests.support.transcripts.recorded import lay_out


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return the user's home, with a session of each of two clients."""
    for run in ("claude/agents", "codex/one-call"):
        lay_out(run, tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def sessions(seqthink_home: Path) -> Path:
    """Return the folder of the journals."""
    return seqthink_home / "sessions"


@pytest.mark.usefixtures("home")
def test_all_sessions_are_imported_and_counted(sessions: Path) -> None:
    first, second = seqthink("import", "--all"), seqthink("import", "--all")

    assert (first.returncode, first.stderr, second.returncode, second.stderr) == (0, "", 0, "")
    assert len(list(sessions.iterdir())) == 2
    lines = [line.split() for line in first.stdout.splitlines()]
    assert sorted(line[:2] for line in lines[:2]) == [["imported", "claude"], ["imported", "codex"]]
    assert {line[3] for line in lines[:2]} == {journal.stem for journal in sessions.iterdir()}
    assert first.stdout.splitlines()[2] == "2 sessions: 2 imported, 0 updated, 0 unchanged, 0 failed"
    assert second.stdout.splitlines()[2] == "2 sessions: 0 imported, 0 updated, 2 unchanged, 0 failed"
    read, taken = int(lines[3][0]), int(lines[3][3])
    assert first.stdout.splitlines()[3] == (
        f"{read} records read: {taken} facts imported, 0 already known, 0 records skipped"
    )
    assert second.stdout.splitlines()[3] == (
        f"{read} records read: 0 facts imported, {taken} already known, 0 records skipped"
    )


def test_last_is_the_newest_session_of_a_client_until_there_is_a_journal(home: Path, sessions: Path) -> None:
    newest = max(sessions_of(home), key=lambda one: one.found.changed)
    named = seqthink("show", newest.found.id)

    assert named.returncode == 0
    assert [seqthink("show", *words).stdout for words in (["last"], [])] == [named.stdout, named.stdout]
    sessions.mkdir(parents=True)
    shutil.copy(SHOP_API, sessions)
    assert seqthink("show", "last").stdout == seqthink("show", SHOP_API).stdout


def test_the_other_commands_work_on_an_imported_session(home: Path, sessions: Path) -> None:
    (claude,) = [one for one in sessions_of(home) if one.source.name == "claude"]
    assert seqthink("import", claude.found.id[:8]).returncode == 0
    (journal,) = sessions.iterdir()
    done = {
        name: seqthink(name, *arguments)
        for name, arguments in {
            "show": [journal.stem],
            "sessions": ["--json", "--sources", "journal"],
            "check": ["last"],
            "export": ["last", "--format", "md"],
            "replay": ["last", "--at", "2"],
        }.items()
    }

    assert {name: (one.returncode, one.stderr) for name, one in done.items()} == dict.fromkeys(done, (0, ""))
    assert "Final: the cron job" in done["show"].stdout
    assert "read the log" in done["show"].stdout
    (listed,) = json.loads(done["sessions"].stdout)
    assert (listed["alive"], listed["state"], listed["thoughts"]) == (False, "done", 10)
    assert "nothing wrong" in done["check"].stdout
    assert "Final: the cron job" in done["export"].stdout


def test_a_file_is_imported_from_anywhere(home: Path, tmp_path: Path, sessions: Path) -> None:
    (codex,) = [one for one in sessions_of(home) if one.source.name == "codex"]
    moved = codex.found.path.rename(tmp_path / "mine.jsonl")
    done = seqthink("import", moved, "--dry-run", "--sources", "none")

    assert done.returncode == 0
    assert "1 imported" in done.stdout
    assert done.stdout.splitlines()[1].endswith("(dry run: nothing was written)")
    assert not sessions.exists()


@pytest.mark.usefixtures("home")
def test_for_programs_there_is_an_object_for_each_session(sessions: Path) -> None:
    done = json.loads(seqthink("import", "--all", "--json").stdout)
    rehearsed = json.loads(seqthink("import", "--all", "--json", "--dry-run").stdout)

    assert [(one["outcome"], one["written"], one["error"]) for one in done] == [("imported", True, None)] * 2
    assert {one["path"] for one in done} == {str(journal) for journal in sessions.iterdir()}
    assert {one["session"] for one in done} == {journal.stem for journal in sessions.iterdir()}
    assert all(one["read"] > one["taken"] > 0 and Path(one["file"]).exists() for one in done)
    assert [(one["outcome"], one["written"], one["known"]) for one in rehearsed] == [
        ("unchanged", False, one["taken"]) for one in done
    ]
    assert all(one["skipped"] == {"unknown": 0, "corrupt": 0, "tooLong": 0} for one in done)


def test_last_since_and_sources_choose(home: Path) -> None:
    paths = {one.source.name: one.found.path for one in sessions_of(home)}
    for path in home.rglob("*.jsonl"):
        os.utime(path, (1_000, 1_000))
    os.utime(paths["codex"], (2_000, 2_000))
    last = seqthink("import", "last", "--dry-run").stdout.split()
    claude = seqthink("import", "last", "--dry-run", "--sources", "claude").stdout.split()
    named = seqthink("import", "last", "--dry-run", variables={"SEQTHINK_SOURCES": "claude"}).stdout.split()
    recent = seqthink("import", "--all", "--since", "2d", "--dry-run").stdout
    hour = datetime.now(UTC) - timedelta(hours=1)  # noqa: TID251 - real ages
    os.utime(paths["codex"], (hour.timestamp(), hour.timestamp()))

    assert (last[1], claude[1], named[1]) == ("codex", "claude", "claude")
    assert recent.startswith("0 sessions: ")
    assert "1 session: 1 imported" in seqthink("import", "--all", "--since", "2d", "--dry-run").stdout


@pytest.mark.usefixtures("home")
def test_a_file_in_place_of_the_folder_is_wrong_usage(tmp_path: Path) -> None:
    place = tmp_path / "a-file"
    place.write_bytes(b"")

    assert refusal_line(seqthink("import", "--all", "--journal-dir", place)).startswith(f"{place}: not a directory; ")


def test_a_folder_that_takes_no_journal_fails_each_session_in_a_line(home: Path) -> None:
    claude = [one.found for one in sessions_of(home) if one.source.name == "claude"]
    denied = seqthink("import", "--all", "--journal-dir", "/proc/none")

    assert denied.returncode == 1
    assert len(denied.stderr.splitlines()) == 2
    assert f"cannot import claude {claude[0].id} ({claude[0].path}): " in denied.stderr
    assert denied.stdout.splitlines()[0] == "2 sessions: 0 imported, 0 updated, 0 unchanged, 2 failed"


@pytest.mark.parametrize(
    ("arguments", "message"),
    first(
        3,
        [
            ([], "import: name a file, a session by its id, or `last`; or give --all"),
            (["--all", "last"], "import: --all imports every session; name one, or give --all"),
            (["last", "--since", "2d"], "import: --since goes with --all"),
            (["--all", "--since", "soon"], "import: argument --since: must be a number above 0 and h, d or w"),
            (["--all", "--sources", "x"], f"unknown source 'x'; choose from {', '.join(SOURCE_NAMES)}"),
            (["nothing"], "no session 'nothing' in "),
            (["last", "--sources", "none"], "no sessions of other programs in no folder"),
            (["./nothing"], "nothing: no such file; name a transcript, or a session by its id"),
            ([str(SHOP_API)], f"{SHOP_API} is a seqthink journal already; `seqthink show` takes it as it is"),
            ([str(SHOP_API.parent)], f"{SHOP_API.parent} is a folder; name a file in it"),
        ],
        is_unpacked=True,
    ),
)
def test_wrong_usage_is_one_line(arguments: list[str], message: str) -> None:
    assert message in refusal_line(seqthink("import", *arguments))


def test_the_age_of_an_imported_session_counts_from_its_import(home: Path, sessions: Path) -> None:
    for path in home.rglob("*.jsonl"):
        path.write_bytes(path.read_bytes().replace(b'"timestamp":"2026-', b'"timestamp":"2019-'))
    assert seqthink("import", "last", "--sources", "claude").returncode == 0
    (journal,) = sessions.iterdir()
    kept = seqthink("prune", "--older-than", "30d").stdout
    os.utime(journal, (1_577_880_000, 1_577_880_000))
    rehearsed = seqthink("prune", "--older-than", "30d", "--dry-run").stdout
    seqthink("prune", "--older-than", "30d")

    assert journal.name.startswith("2019")
    assert kept == "deleted 0 sessions, 0 bytes\n"
    assert rehearsed.startswith(f"would delete {journal.stem}  imported 2020-01-01  ")
    assert not journal.exists()


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    @override
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_after_half_a_second_and_cleared_at_the_end(home: Path) -> None:
    chosen: list[ChosenSession] = sessions_of(home)
    seconds, stream = [0.0], Terminal()
    with ImportProgress(stream, lambda: seconds[0], chosen) as progress:
        for session in chosen:
            progress.begin(session.found)
            progress.advance(10)
            assert stream.getvalue() == ""
        progress.end()
        seconds[0] = FIRST_SECONDS
        progress.advance(10)
        shown = stream.getvalue()
        progress.advance(10)
        assert stream.getvalue() == shown

    assert shown == "\rimporting: 1 of 2 sessions, 1 of 1 MiB\x1b[K"
    assert stream.getvalue() == shown + "\r\x1b[K"


def test_no_progress_is_written_to_a_pipe(home: Path) -> None:
    stream = io.StringIO()
    with ImportProgress(
        stream, lambda: microseconds_of(datetime(2030, 1, 1, tzinfo=UTC)), sessions_of(home)
    ) as progress:
        progress.advance(10)

    assert stream.getvalue() == ""
