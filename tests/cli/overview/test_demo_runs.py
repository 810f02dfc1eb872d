"""Runs of `seqthink demo` in the commands about all sessions."""

import json
from pathlib import Path

import pytest

from seqthink.__main__ import main
from seqthink.cli.stories.story import CLIENT_NAME
from tests.support.journals.build import JournalBuilder

COMMANDS = (
    ("sessions",),
    ("find", "pool", "--sources", "journal"),
    ("stats", "--since", "9000w", "--sources", "journal"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a run of the demo."""
    JournalBuilder().session(title="staged", client=CLIENT_NAME).thought("the pool", 1, 1).write(tmp_path / "d.jsonl")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_runs_of_the_demo_are_left_out_unless_they_are_asked_for(
    command: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    JournalBuilder().session(title="mine", client="codex").thought("a pool", 1, 1).write(folder / "m.jsonl")
    options = (*command[1:], "--journal-dir", str(folder), "--json")

    main([command[0], *options])
    without, said = capsys.readouterr()
    main([command[0], *options, "--demos"])
    everything = capsys.readouterr().out

    assert CLIENT_NAME not in without
    assert "codex" in without
    assert said == ""
    assert CLIENT_NAME in everything
    assert "codex" in everything


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_where_only_the_demo_ran_that_is_said(
    command: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*command, "--journal-dir", str(folder)])

    assert capsys.readouterr().err == "seqthink: left out: a run of the demo; --demos includes it\n"


def test_a_run_of_the_demo_that_is_named_is_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["stats", str(folder / "d.jsonl"), "--json"])

    assert json.loads(capsys.readouterr().out)["sessions"] == 1
