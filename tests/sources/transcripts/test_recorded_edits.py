"""What each client records of the files that its calls change, in sessions that the real clients wrote."""

from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from seqthink.sources.transcripts.edits.recorded import edits_done
from seqthink.sources.transcripts.facts import Fact, FileEdit, Result, ToolCall
from seqthink.sources.transcripts.registry import load_source
from tests.support.transcripts.recorded import lay_out

FILE: Final = "/home/ada/work/report.py"
REPORT: Final = """\
import pool


def run():
    for hour in range(24):
        pool.open()
        report(hour)
        pool.close()


def report(hour):
    print(f"{hour:02}:00")
"""
RUNS: Final = (
    *("claude/writing", "cline/writing", "codex/writing", "codex/code-writing", "copilot/writing", "gemini/writing"),
    *("kilo/writing", "opencode/writing", "pi/writing", "qwen/writing"),
)
WITHOUT_LINES: Final = "cline/writing"
"""Cline writes no lines, and OpenCode and pi write none of a whole file."""


def facts_of(run: str, home: Path) -> list[Fact]:
    source = load_source(run.partition("/")[0])
    folder = source.folder({}, lay_out(run, home))
    (found,) = source.find(folder, 10)
    with closing(source.open(found)) as feed:
        facts: list[Fact] = []
        while True:
            batch = feed.read(1 << 20)
            facts += batch.facts
            if batch.at_end:
                return facts


def calls_of(facts: list[Fact]) -> list[tuple[ToolCall, Result]]:
    """Return the calls of other tools than the thinking tool, each once, with how it ended."""
    calls = {fact.id: fact for fact in facts if isinstance(fact, ToolCall) and fact.arguments is None}
    results = {fact.id: fact for fact in facts if isinstance(fact, Result)}
    return [(call, results[call.id]) for call in calls.values()]


def changed(edit: FileEdit) -> tuple[list[str], list[str]]:
    """Return the removed and the added lines of an edit."""
    before, after = (edit.before or "").splitlines(), (edit.after or "").splitlines()
    return [line for line in before if line not in after], [line for line in after if line not in before]


@pytest.mark.parametrize("run", RUNS)
def test_what_a_call_changed_in_a_file_is_in_its_facts(run: str, tmp_path: Path) -> None:
    calls = calls_of(facts_of(run, tmp_path))
    done = [edit for call, result in calls for edit in edits_done(call, result)]

    assert [edit.path for edit in done] == [FILE] * 3
    assert [edit.kind for edit in done] == ["write", "edit", "edit"]
    assert done[0].after == REPORT
    assert done[0].line == 1
    assert changed(done[1])[0] == ["        pool.open()", "        pool.close()"]
    assert changed(done[2]) == ([], ["    pool.open()"])


@pytest.mark.parametrize("run", [run for run in RUNS if run != WITHOUT_LINES])
def test_an_edit_has_its_line_where_the_client_writes_it(run: str, tmp_path: Path) -> None:
    edits = [edit for call, result in calls_of(facts_of(run, tmp_path)) for edit in edits_done(call, result)]

    assert all(edit.line is not None and edit.line <= 5 for edit in edits)
    places = [(edit.line or 0) + (edit.after or "").splitlines().index("    pool.open()") for edit in edits[2:]]
    assert places == [5]


@pytest.mark.parametrize("run", [run for run in RUNS if run != "codex/code-writing"])
def test_an_edit_that_failed_changed_nothing_and_its_call_says_what_it_asked_for(run: str, tmp_path: Path) -> None:
    failed = [(call, result) for call, result in calls_of(facts_of(run, tmp_path)) if result.is_error]

    assert [edits_done(call, result) for call, result in failed] == [()]
    assert [changed(edit) for edit in failed[0][0].edits] == [(["pool.shut()"], ["pool.close()"])]


@pytest.mark.parametrize("run", RUNS)
def test_a_command_of_a_shell_is_there_as_a_whole(run: str, tmp_path: Path) -> None:
    commands = [call.command for call, _ in calls_of(facts_of(run, tmp_path)) if call.command]

    assert commands == ["echo 'One pool.' >> notes.md"]
