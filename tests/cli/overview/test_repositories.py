"""`--repo` and `--branch`: which sessions a command lists, counts, searches and chooses from."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from seqthink.cli import export, show
from seqthink.cli.overview import find, sessions, stats, status
from seqthink.cli.upkeep import import_, prune
from seqthink.cli.watch import recent_session
from seqthink.core.errors import UsageError
from seqthink.core.times import datetime_of
from tests.support.git_folders import git_folder, worktree
from tests.support.journals.build import START, JournalBuilder
from tests.support.screens.screen_text import HOST
from tests.support.transcripts.recorded import lay_out

Run = Callable[[list[str]], int]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write four sessions: two of a shop, on a branch each, one of another shop, one in a folder without git."""
    git_folder(tmp_path / "shop", origin="https://github.com/acme/shop")
    worktree(tmp_path / "shop", tmp_path / "feat", branch="feat/pool")
    git_folder(tmp_path / "other/shop", origin="https://gitlab.com/ada/shop")
    (tmp_path / "notes").mkdir()
    journals = tmp_path / "journals"
    journals.mkdir(mode=0o700)
    for number, (name, branch) in enumerate(
        (("shop", "main"), ("feat", "feat/pool"), ("other/shop", "main"), ("notes", None))
    ):
        builder = JournalBuilder().session(f"s{number}", cwd=str(tmp_path / name), branch=branch, host=HOST)
        builder.thought(f"pool of {name}", 1, 1, next=False).end().write(journals / f"s{number}.jsonl")
    monkeypatch.setenv("SEQTHINK_JOURNAL_DIR", str(journals))
    monkeypatch.setenv("SEQTHINK_SOURCES", "journal")
    monkeypatch.setenv("SEQTHINK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "shop")
    return tmp_path


def listed(run: Run, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> set[str]:
    assert run([*arguments, "--json"]) == 0
    return {one["session"] for one in json.loads(capsys.readouterr().out)}


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (list[str](), {"s0", "s1", "s2", "s3"}),
        (["--repo", "shop"], {"s0", "s1", "s2"}),
        (["--repo", "acme/shop"], {"s0", "s1"}),
        (["--repo", "=github.com/acme/shop"], {"s0", "s1"}),
        (["--repo", "."], {"s0", "s1"}),
        (["--repo", "../feat"], {"s0", "s1"}),
        (["--repo", "../notes"], {"s3"}),
        (["--repo", "acme/shop", "--repo", "notes"], {"s0", "s1", "s3"}),
        (["--branch", "feat"], {"s1"}),
        (["--repo", "shop", "--branch", "=main"], {"s0", "s2"}),
        (["--repo", "notes", "--branch", "main"], set[str]()),
    ],
)
def test_sessions_are_listed_by_repository_and_branch(
    folder: Path, arguments: list[str], found: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert folder.is_dir()
    assert listed(sessions.run, arguments, capsys) == found


def test_the_list_says_repository_address_and_branch(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sessions.run(["--json"])
    said = {one["session"]: one for one in json.loads(capsys.readouterr().out)}
    names = ("repository", "repositoryAddress", "branch")

    assert [[said[one][name] for name in names] for one in ("s1", "s3")] == [
        ["shop", "github.com/acme/shop", "feat/pool"],
        ["notes", str(folder / "notes"), None],
    ]


def test_what_is_not_found_is_said_with_what_there_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.is_dir()
    sessions.run(["--repo", "cart", "--branch", "x"])
    said = capsys.readouterr().err

    assert said == "seqthink: no sessions of --repo cart --branch x; there are sessions of notes, shop\n"


@pytest.mark.parametrize(
    ("run", "arguments"),
    [
        (sessions.run, ["--repo", ""]),
        (sessions.run, ["--branch", "="]),
        (sessions.run, ["--repo", "./nowhere"]),
        (show.run, ["s0", "--repo", "shop"]),
        (show.run, ["last", "--repo", "cart"]),
        (import_.run, ["s0", "--repo", "shop"]),
    ],
)
def test_what_cannot_be_meant_is_refused(folder: Path, run: Run, arguments: list[str]) -> None:
    assert folder.is_dir()
    with pytest.raises(UsageError):
        run(arguments)


def test_the_last_session_is_that_of_the_repository(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.is_dir()
    show.run(["last", "--repo", "notes"])
    shown = capsys.readouterr().out
    export.run(["last", "--branch", "feat", "--format", "json"])

    assert "pool of notes" in shown
    assert json.loads(capsys.readouterr().out)["session"] == "s1"


def test_other_commands_are_about_the_same_sessions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.is_dir()
    assert find.run(["pool", "--repo", "gitlab.com/ada", "--json"]) == 0
    assert [json.loads(line)["session"] for line in capsys.readouterr().out.splitlines()] == ["s2"]
    assert find.run(["pool", "--branch", "nosuch"]) == find.NOTHING_FOUND
    capsys.readouterr()
    assert listed(prune.run, ["--older-than", "1h", "--dry-run", "--repo", "notes"], capsys) == {"s3"}
    stats.run(["--repo", ".", "--since", "2020-01-01", "--json"])
    counted = json.loads(capsys.readouterr().out)
    assert (counted["sessions"], {*counted["repositories"]}) == (2, {"github.com/acme/shop"})


def test_the_status_counts_the_sessions_of_a_repository(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert folder.is_dir()
    now = START.timestamp() + 60
    monkeypatch.setattr("time.time", lambda: now)
    for path in (folder / "journals").iterdir():
        os.utime(path, (now, now))
    said: list[int] = []
    for arguments in ([], ["--repo", "acme/shop"], ["--branch", "main"]):
        status.run([*arguments, "--format", "json"])
        said.append(json.loads(capsys.readouterr().out)["done"])

    assert said == [4, 2, 2]


def test_a_pipe_watches_the_newest_session_of_the_repository(folder: Path) -> None:
    journals, now = folder / "journals", datetime_of(int((START.timestamp() + 60) * 1_000_000))
    options = sessions.make_parser().parse_args(["--repo", "=github.com/acme/shop", "--branch", "main"])

    assert recent_session(journals, lambda: now, options) == journals / "s0.jsonl"


def test_an_import_takes_the_sessions_of_a_branch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = lay_out("claude/compaction", tmp_path / "home")
    (transcript,) = home.rglob("*.jsonl")
    transcript.write_bytes(transcript.read_bytes().replace(b'"gitBranch":"HEAD"', b'"gitBranch":"feat/pool"'))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SEQTHINK_JOURNAL_DIR", str(tmp_path / "journals"))
    counts: list[int] = []
    for arguments in (["--branch", "feat"], ["--branch", "main"], ["--repo", "work"], ["--repo", "shop"]):
        import_.run(["--all", "--dry-run", "--json", "--sources", "claude", *arguments])
        counts.append(len(json.loads(capsys.readouterr().out)))

    assert counts == [1, 0, 1, 0]
