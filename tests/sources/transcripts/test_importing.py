"""An import keeps a session as the viewer would show it; a second one adds only what is new."""

import os
import shutil
from pathlib import Path

import pytest

from seqthink.core.events import SessionEvent
from seqthink.core.times import microseconds_of
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.check import JournalCheck
from seqthink.journal.peek import first_session_event
from seqthink.sources.transcripts.imports.importing import Outcome
from seqthink.sources.transcripts.spool import Spool
from tests.support.depth import first, sized
from tests.support.transcripts.imports import (
    EARLY,
    drawing,
    events_of,
    import_all,
    sessions_of,
    stories,
)
from tests.support.transcripts.recorded import RUNS, lay_out


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of the journals, which is not there yet."""
    return tmp_path / "kept" / "sessions"


@pytest.mark.parametrize("run", first(6, RUNS))
def test_an_imported_session_is_drawn_as_the_viewer_shows_its_transcript(
    run: str, tmp_path: Path, folder: Path
) -> None:
    home = lay_out(run, tmp_path / "home")
    imported = import_all(home, folder)

    assert [result.outcome for result in imported] == [Outcome.IMPORTED] * len(imported) != []
    for (source, found), result in zip(sessions_of(home), imported, strict=True):
        spool = Spool(source, found, tmp_path / f"{found.id}.jsonl")
        spool.advance_to_end(EARLY, 1 << 30)
        assert result.journal is not None
        assert drawing(result.journal) == drawing(spool.path)
        spool.close()


@pytest.mark.parametrize("run", first(6, RUNS))
def test_check_finds_nothing_wrong_in_an_imported_journal(run: str, tmp_path: Path, folder: Path) -> None:
    import_all(lay_out(run, tmp_path / "home"), folder)
    checks = [JournalCheck(JournalFile.open(journal)) for journal in folder.iterdir()]

    assert [finding for check in checks for finding in check.findings()] == []


@pytest.mark.parametrize("run", first(6, RUNS))
def test_a_second_import_adds_nothing_and_says_so(run: str, tmp_path: Path, folder: Path) -> None:
    home = lay_out(run, tmp_path / "home")
    first = import_all(home, folder)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    second = import_all(home, folder)

    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    assert [result.outcome for result in second] == [Outcome.UNCHANGED] * len(first)
    assert [(result.taken, result.known) for result in second] == [(0, one.taken + one.known) for one in first]


def test_the_journal_says_whose_it_is_and_is_named_by_its_first_event_and_its_session(
    tmp_path: Path, folder: Path
) -> None:
    (result,) = import_all(lay_out("claude/agents", tmp_path / "home"), folder)
    assert result.journal is not None
    event = first_session_event(result.journal)
    shutil.rmtree(folder)
    (again,) = import_all(tmp_path / "home", folder)

    assert event is not None
    assert (event.source, event.imported, event.notes) == ("claude", True, False)
    assert event.sourceIds[0] == result.found.id
    assert len(event.sourceIds) == 2  # the session and its fork
    assert event.session == result.journal.stem
    assert result.journal.name.startswith(f"{event.time:%Y%m%dT%H%M%S.%f}Z-")
    assert again.journal == result.journal


def test_a_journal_can_be_read_by_its_owner_only(tmp_path: Path, folder: Path) -> None:
    before = os.umask(0)
    try:
        (result,) = import_all(lay_out("codex/code-mode", tmp_path / "home"), folder)
    finally:
        os.umask(before)

    assert result.journal is not None
    assert result.journal.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_dry_run_counts_the_same_and_writes_nothing(tmp_path: Path, folder: Path) -> None:
    home = lay_out("gemini/agents", tmp_path / "home")
    rehearsed = import_all(home, folder, is_dry_run=True)
    assert not folder.exists()
    done = import_all(home, folder)
    again = import_all(home, folder, is_dry_run=True)

    assert [result._replace(counts=done[0].counts) for result in rehearsed] == done
    assert [result.outcome for result in again] == [Outcome.UNCHANGED]


@pytest.mark.slow  # an import for each place to be killed at
@pytest.mark.parametrize("run", first(1, ["claude/agents", "codex/agents", "gemini/agents", "opencode/agents"]))
def test_what_a_killed_import_left_behind_is_completed(run: str, tmp_path: Path, folder: Path) -> None:
    home = lay_out(run, tmp_path / "home")
    (result,) = import_all(home, folder)
    assert result.journal is not None
    whole, before = result.journal.read_bytes(), stories(result.journal)
    lines = whole.splitlines(keepends=True)
    for kept in range(0, len(lines), sized(3, 1)):
        torn = lines[kept][: len(lines[kept]) // 2]
        result.journal.write_bytes(b"".join(lines[:kept]) + torn)
        (repeated,) = import_all(home, folder)

        assert repeated.journal == result.journal
        assert stories(result.journal) == before, kept
        assert [event.seq for event in events_of(result.journal)] == list(  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - none is unknown
            range(1, len(events_of(result.journal)) + 1)
        )


def test_a_journal_that_is_being_written_is_not_touched(tmp_path: Path, folder: Path) -> None:
    import fcntl

    home = lay_out("claude/compaction", tmp_path / "home")
    (result,) = import_all(home, folder)
    assert result.journal is not None
    result.journal.write_bytes(result.journal.read_bytes().splitlines(keepends=True)[0])
    before = result.journal.read_bytes()
    with result.journal.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        (refused,) = import_all(home, folder)

    assert (refused.outcome, "is writing its journal" in refused.error) == (Outcome.FAILED, True)
    assert result.journal.read_bytes() == before


def test_a_call_without_an_answer_waits_until_the_transcript_has_settled(tmp_path: Path, folder: Path) -> None:
    home = lay_out("claude/compaction", tmp_path / "home")
    (transcript,) = home.rglob("*.jsonl")
    lines = transcript.read_bytes().splitlines(keepends=True)
    calls = [place for place, line in enumerate(lines) if b'"name":"mcp__' in line and b'"tool_use"' in line]
    transcript.write_bytes(b"".join(lines[: calls[0] + 1]))
    changed = transcript.stat().st_mtime_ns // 1000
    (soon,) = import_all(home, folder, now=changed)
    (later,) = import_all(home, folder, now=changed + 301_000_000)

    assert later.journal is not None
    assert (soon.outcome, later.outcome, later.taken) == (Outcome.IMPORTED, Outcome.UPDATED, 1)
    assert [event.__struct_config__.tag for event in events_of(later.journal)][-1] == "thought"


def test_a_title_that_changed_is_another_session_event(tmp_path: Path, folder: Path) -> None:
    home = lay_out("claude/compaction", tmp_path / "home")
    (transcript,) = home.rglob("*.jsonl")
    (first,) = import_all(home, folder)
    title = b'{"type":"custom-title","customTitle":"%s","sessionId":"' + transcript.stem.encode() + b'"}\n'
    for name in (b"one", b"two"):
        transcript.write_bytes(transcript.read_bytes() + title % name)
        (renamed,) = import_all(home, folder)
        (again,) = import_all(home, folder)

        assert (renamed.outcome, again.outcome) == (Outcome.UPDATED, Outcome.UNCHANGED)
    assert first.journal is not None
    titles = [event.title for event in events_of(first.journal) if isinstance(event, SessionEvent)]
    assert titles[-2:] == ["one", "two"]
    assert list(JournalCheck(JournalFile.open(first.journal)).findings()) == []


def test_a_worktree_that_was_entered_or_left_is_another_session_event(tmp_path: Path, folder: Path) -> None:
    home = lay_out("claude/compaction", tmp_path / "home")
    (transcript,) = home.rglob("*.jsonl")
    (first,) = import_all(home, folder)
    entered = b'{"originalCwd":"/home/ada/shop","worktreeName":"feat"}'
    for place in (entered, b"null"):
        state = b'{"type":"worktree-state","worktreeSession":%s,"sessionId":"%s"}\n' % (place, transcript.stem.encode())
        transcript.write_bytes(transcript.read_bytes() + state)
        (moved,) = import_all(home, folder)
        (again,) = import_all(home, folder)

        assert (moved.outcome, again.outcome) == (Outcome.UPDATED, Outcome.UNCHANGED)
    assert first.journal is not None
    said = [(one.repository, one.worktree) for one in events_of(first.journal) if isinstance(one, SessionEvent)]
    assert said == [(None, None), ("/home/ada/shop", "feat"), ("/home/ada/shop", None)]


def test_a_session_in_which_nothing_happened_has_no_journal(tmp_path: Path, folder: Path) -> None:
    home = lay_out("codex/compaction", tmp_path / "home")
    (transcript,) = home.rglob("rollout-*.jsonl")
    transcript.write_bytes(transcript.read_bytes().splitlines(keepends=True)[0])
    (result,) = import_all(home, folder)

    assert (result.outcome, result.journal, folder.exists()) == (Outcome.EMPTY, None, False)


def test_the_agents_of_a_session_are_in_the_order_of_time(tmp_path: Path, folder: Path) -> None:
    (result,) = import_all(lay_out("claude/agents", tmp_path / "home"), folder)
    assert result.journal is not None
    agents: dict[str | None, int] = {}
    reached = 0
    for event in events_of(result.journal):
        agent = getattr(event, "agent", None)
        time = microseconds_of(event.time)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType] - none is unknown
        if event.__struct_config__.tag in {"prompt", "reasoning", "turn"}:
            assert time >= reached
            reached = time
            agents[agent] = agents.get(agent, 0) + 1

    assert len(agents) == 4
