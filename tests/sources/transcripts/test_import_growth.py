"""Importing a transcript piece by piece, while it grows, gives the same session as importing it once."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.check import JournalCheck
from tests.support.depth import first, sized
from tests.support.transcripts.imports import EARLY, agents_in, drawing, import_all, stories
from tests.support.transcripts.recorded import lay_out

DATED = ("claude/agents", "claude/background", "claude/rewind", "codex/agents", "codex/code-mode", "codex/rewind")
"""Runs in which each line says when it was written."""
UNFORKED = (
    *("claude/background", "claude/compaction", "claude/rewind", "codex/code-mode", "codex/one-call", "codex/rewind"),
    *("gemini/agents", "gemini/resumed-at-once", "gemini/rewind"),
)
"""Runs without a copy of the main file, which would be ahead of one that was cut."""


@contextmanager
def home_of(run: str) -> Generator[tuple[Path, dict[Path, list[bytes]]]]:
    """Give a home with a run, and the lines of its files, oldest file first."""
    with TemporaryDirectory() as name:
        home = lay_out(run, Path(name) / "home")
        files = {path: path.read_bytes().splitlines(keepends=True) for path in sorted(home.rglob("*.jsonl"))}
        yield home, files


def write(files: Mapping[Path, list[bytes]], until: Mapping[Path, int]) -> None:
    """Write the first lines of each file; one of which there are none is not there."""
    for path, lines in files.items():
        if until[path]:
            path.write_bytes(b"".join(lines[: until[path]]))
        else:
            path.unlink(missing_ok=True)


def lines_until(lines: list[bytes], time: str) -> int:
    """Return how many lines a file had at a time: those before the first one that is later."""
    times = [str(json.loads(line).get("timestamp", "")) for line in lines]
    return next((place for place, value in enumerate(times) if value > time), len(lines))


def contents(folder: Path) -> tuple[list[dict[str | None, list[dict[str, Any]]]], list[dict[str, dict[str, Any]]]]:
    """Return what the journals of a folder say, and hold them against their format."""
    journals = sorted(folder.iterdir())
    for journal in journals:
        assert list(JournalCheck(JournalFile.open(journal)).findings()) == []
    agents = [agents_in(journal) for journal in journals]
    for one in agents:
        for fields in one.values():
            del fields["time"]
    return [stories(journal) for journal in journals], agents


@pytest.mark.deep  # files that are cut anywhere are tried always
@pytest.mark.slow  # an import for each step
@pytest.mark.parametrize("run", first(1, DATED))
@given(data=st.data())
def test_a_session_that_grew_step_by_step_is_the_same(run: str, data: st.DataObject) -> None:
    with home_of(run) as (home, files):
        times = sorted({str(json.loads(line).get("timestamp", "")) for lines in files.values() for line in lines})
        steps = sorted(data.draw(st.sets(st.sampled_from(times), max_size=sized(2, 4))))
        stepwise, at_once = home.parent / "stepwise", home.parent / "at-once"
        for time in steps:
            write(files, {path: lines_until(lines, time) for path, lines in files.items()})
            import_all(home, stepwise, now=EARLY)
        write(files, {path: len(lines) for path, lines in files.items()})
        import_all(home, stepwise, now=EARLY)
        import_all(home, at_once, now=EARLY)

        assert contents(stepwise) == contents(at_once)
        assert [drawing(path) for path in stepwise.iterdir()] == [drawing(path) for path in at_once.iterdir()]


@pytest.mark.slow  # an import for each step
@pytest.mark.parametrize("run", first(1, UNFORKED))
@given(data=st.data())
def test_wherever_its_files_were_cut_each_agent_has_the_same_events(run: str, data: st.DataObject) -> None:
    with home_of(run) as (home, files):
        main = max(files, key=lambda path: len(files[path]))
        steps = sorted(data.draw(st.sets(st.integers(1, len(files[main])), max_size=sized(2, 4))))
        stepwise, at_once = home.parent / "stepwise", home.parent / "at-once"
        whole = {path: len(lines) for path, lines in files.items()}
        for step in steps:
            write(files, whole | {main: step})
            import_all(home, stepwise, now=EARLY)
        write(files, whole)
        import_all(home, stepwise, now=EARLY)
        import_all(home, at_once, now=EARLY)

        assert contents(stepwise) == contents(at_once)
