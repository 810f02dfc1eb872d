"""`seqthink sessions` reads a session of a client once: what it counted is remembered until the session changes."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from seqthink.__main__ import main
from seqthink.library.places.transcript_spools import TranscriptSpools
from tests.support.transcripts.recorded import journals_of, lay_out

RUNS = ("claude/agents", "cline/two-agents", "codex/agents", "gemini/agents", "opencode/agents", "pi/chain")
HOURS = 3600


class Reading:
    """The runs of several clients in a home, as they were hours ago, and which of them are read."""

    def __init__(self, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self._capsys = home, capsys
        self.count = 0
        read_whole = TranscriptSpools.read_whole

        def read(spools: TranscriptSpools, path: Path) -> bool:
            self.count += 1
            return read_whole(spools, path)

        monkeypatch.setattr(TranscriptSpools, "read_whole", read)
        for run in RUNS:
            lay_out(run, home)
        self.settle()

    def settle(self, seconds: float = 5 * HOURS) -> None:
        """Let all files have changed that long ago."""
        changed = time.time() - seconds
        for file in self.home.rglob("*.*"):
            os.utime(file, (changed, changed))

    def list(self, *options: str) -> str:
        self.count = 0
        assert main(["sessions", *options]) == 0
        return self._capsys.readouterr().out


@pytest.fixture
def reading(
    tmp_path: Path, seqthink_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Reading:
    assert seqthink_home
    monkeypatch.setattr("seqthink.library.viewer_store.list_cache.SETTLED_NS", 0)
    return Reading(tmp_path / "home", capsys, monkeypatch)


def test_the_next_list_is_the_same_and_reads_nothing(reading: Reading) -> None:
    first = reading.list()
    read = reading.count

    assert reading.list() == first
    assert (read, reading.count) == (len(RUNS), 0)


def appended(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\n")
    changed = path.stat().st_mtime - 2 * HOURS
    os.utime(path, (changed, changed))


def of_main_file(home: Path) -> Path:
    return next(path for path in home.rglob("*.jsonl") if path.parent.parent.name == "projects")


def of_subagent(home: Path) -> Path:
    return next(path for path in home.rglob("agent-*.jsonl"))


def of_document(home: Path) -> Path:
    return next(path for path in home.rglob("*.messages.json") if not path.name.startswith("agent_"))


@pytest.mark.parametrize("file_of", [of_main_file, of_subagent, of_document])
def test_a_session_that_changed_is_read_again_alone(reading: Reading, file_of: Callable[[Path], Path]) -> None:
    reading.list()
    appended(file_of(reading.home))

    reading.list()

    assert reading.count == 1


def test_one_that_changed_lately_is_not_remembered(reading: Reading) -> None:
    reading.settle(60)
    reading.list()

    reading.list()

    assert reading.count >= len(RUNS) - 1  # a row of a database says by itself when it changed


def test_one_with_journals_of_ours_is_read_each_time(reading: Reading, seqthink_home: Path) -> None:
    (seqthink_home / "sessions").mkdir(parents=True)
    for journal in journals_of("claude/agents"):
        (seqthink_home / "sessions" / journal.name).write_bytes(journal.read_bytes())
    reading.list()

    reading.list()

    assert reading.count >= 1


def test_with_redaction_and_as_json_all_are_read(reading: Reading) -> None:
    reading.list()

    for option in ("--redact", "--json"):
        reading.list(option)
        assert reading.count == len(RUNS)


def test_a_deleted_session_leaves_nothing_behind(reading: Reading, seqthink_home: Path) -> None:
    reading.list()
    [kept] = (seqthink_home / "viewer").glob("list-*.json")
    session = of_document(reading.home).parent
    name = session.name.encode()
    assert name in kept.read_bytes()
    for path in session.iterdir():
        path.unlink()

    reading.list()

    assert name not in kept.read_bytes()
