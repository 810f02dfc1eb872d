"""A fork is a branch in the journal of its session, whatever is imported first and whatever the client deletes."""

from pathlib import Path

import pytest

from seqthink.core.events import AgentEvent
from seqthink.sources.transcripts.choosing import sessions_of_file
from seqthink.sources.transcripts.imports.importing import Importer, Outcome, SessionImport
from tests.support.transcripts.imports import LATE, events_of, import_all, no_sleep, stories
from tests.support.transcripts.recorded import lay_out


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with a session of Claude Code and a fork of it."""
    return lay_out("claude/agents", tmp_path / "home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of the journals."""
    return tmp_path / "sessions"


def files_of(home: Path) -> tuple[Path, Path]:
    """Return the file of the session and that of its fork."""
    found = sorted((home / ".claude" / "projects").glob("*/*.jsonl"), key=lambda path: path.stat().st_size)
    (session,) = [path for path in found if path.with_suffix("").is_dir()]
    (fork,) = [path for path in found if path != session]
    return session, fork


def import_file(path: Path, folder: Path) -> SessionImport:
    ((source, found),) = sessions_of_file(str(path))
    return Importer(folder, now=LATE, sleep=no_sleep).run(source, found, lambda _size: None)


def forks_in(journal: Path) -> list[str]:
    return [event.id for event in events_of(journal) if isinstance(event, AgentEvent) and event.fork]


def test_the_file_of_a_fork_leads_to_its_session(home: Path, folder: Path) -> None:
    session, fork = files_of(home)
    result = import_file(fork, folder)

    assert result.found.id == session.stem
    assert result.journal is not None
    assert forks_in(result.journal) == [fork.stem]


def test_a_fork_that_comes_later_is_a_branch_of_the_same_journal(home: Path, folder: Path, tmp_path: Path) -> None:
    _, fork = files_of(home)
    (at_once,) = import_all(home, tmp_path / "at-once")
    content = fork.read_bytes()
    fork.unlink()
    (first,) = import_all(home, folder)
    fork.write_bytes(content)
    (second,) = import_all(home, folder)

    assert (first.outcome, second.outcome, second.journal) == (Outcome.IMPORTED, Outcome.UPDATED, first.journal)
    assert first.journal is not None
    assert at_once.journal is not None
    assert stories(first.journal) == stories(at_once.journal)
    assert forks_in(first.journal) == [fork.stem]


@pytest.mark.parametrize("is_known_at_first", [True, False])
def test_a_fork_whose_session_was_deleted_goes_on_as_a_branch(
    home: Path, folder: Path, *, is_known_at_first: bool
) -> None:
    session, fork = files_of(home)
    content = fork.read_bytes()
    if not is_known_at_first:
        fork.unlink()
        import_all(home, folder)
        fork.write_bytes(content)
    (first,) = import_all(home, folder)
    assert first.journal is not None
    before = stories(first.journal)
    session.unlink()
    again = import_file(fork, folder)
    prompt = next(
        line for line in content.splitlines(keepends=True) if b'"type":"user"' in line and b"has to stay" in line
    )
    fork.write_bytes(content + prompt.replace(b'"uuid":"', b'"uuid":"f0f0').replace(b"has to stay", b"is new"))
    grown = import_file(fork, folder)

    assert (again.found.id, again.journal, again.outcome) == (fork.stem, first.journal, Outcome.UNCHANGED)
    assert (grown.journal, grown.outcome, grown.taken) == (first.journal, Outcome.UPDATED, 2)  # it went back, and asked
    after = stories(first.journal)
    assert after.pop(fork.stem)[:-2] == before.pop(fork.stem)
    assert after == before
    assert list(folder.iterdir()) == [first.journal]
