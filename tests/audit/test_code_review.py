"""The story `code-review`, played to a real server: what its audits result in, and what it needs."""

import subprocess
import sys
from collections.abc import Iterable
from contextlib import aclosing
from pathlib import Path
from typing import NamedTuple

import anyio
import pytest

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges import internal
from seqthink.cli import demo
from seqthink.cli.stories.code_review import STORY
from seqthink.core.events import AuditEvent, ElicitEvent, SampleEvent
from seqthink.journal.follow import follow_folder
from seqthink.journal.store import list_sessions
from seqthink.library.live_session import load_journal
from tests.cli.test_demo import journal_of
from tests.support.journals.code_review_journal import code_review, normalised
from tests.support.servers.commands import TIMEOUT_SECONDS, environment, seqthink


class Run(NamedTuple):
    """A run of the story in a pipe."""

    done: subprocess.CompletedProcess[str]
    journal: Path
    temporary: Path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    sessions, temporary = tmp_path_factory.mktemp("sessions"), tmp_path_factory.mktemp("temporary")
    done = seqthink(
        *("demo", "code-review", "--fast", "--width", "80", "--journal-dir", sessions),
        variables={"TMPDIR": str(temporary), "LANG": "C.UTF-8"},
    )
    return Run(done, journal_of(sessions), temporary)


@pytest.fixture
def journal(run: Run) -> Path:
    return run.journal


@pytest.mark.deep  # the story twice
def test_every_run_of_the_story_gives_the_same_session(journal: Path) -> None:
    played = normalised(journal.read_text(encoding="utf-8").splitlines())

    assert [line.decode() for line in played.lines] == [line.decode() for line in code_review().lines]


@pytest.mark.deep  # the whole demo; its agent runs below, and each verdict has its own tests
def test_its_code_is_revised_rejected_and_passed_and_no_audit_fails(journal: Path) -> None:
    session = load_journal(journal).session
    verdicts = [
        (session.thoughts.number_of(index), verdict.verdict, verdict.score)
        for index in range(session.thought_count)
        if (verdict := session.thoughts.verdict_on(index)) is not None
    ]
    audits = [event for event in code_review().events if isinstance(event, AuditEvent)]

    assert verdicts == [
        (2, "revise", 78),
        (3, "reject", 67),
        (4, "pass", 95),
        (1, "reject", 63),
        (5, "revise", 74),
        (6, "pass", 97),
        (7, "pass", 97),
    ]
    assert [audit.error for audit in audits] == [None] * len(verdicts)
    assert (session.branch_count, session.revision_count, session.asides.refused_count) == (1, 3, 0)
    assert session.unknown_count == 0


def test_the_second_judge_is_asked_and_the_user_accepts_its_better_diff() -> None:
    events = code_review().events
    asked = [(event.purpose, event.model, event.error) for event in events if isinstance(event, SampleEvent)]
    [applied] = [event for event in events if isinstance(event, ElicitEvent)]
    judged = [event.review for event in events if isinstance(event, AuditEvent) and event.review]
    [both] = [review for review in judged if len(review["judge_cards"]) == 2]

    assert asked == [
        ("repair 1.1", "scripted", None),
        ("repair 1.1", "scripted", None),
        ("repair 1.1", "scripted", None),
        ("audit reviewer", "scripted", None),
        ("repair 1.1", "scripted", None),
        ("repair reviewer", "scripted", None),
    ]
    assert (applied.purpose, applied.action) == ("apply", "accept")
    assert [card["model"] for card in both["judge_cards"]] == ["internal", "reviewer"]
    assert both["review"]["summary"].endswith("A proposed diff scores 94. The proposed diff was applied.")
    assert "+    except (OSError, ValueError):" in both["proposed_diff"]


@pytest.mark.deep  # the whole demo; an agent that is stopped is tried below
def test_in_a_pipe_it_shows_the_verdicts_and_leaves_nothing_but_its_journal(run: Run) -> None:
    assert (run.done.returncode, run.done.stderr) == (0, "")
    assert all(mark in run.done.stdout for mark in ("!78 ↻ by 3", "✗67 6→7", "✓95", "!74 7→8", "✓97"))
    assert list(run.temporary.iterdir()) == []
    assert run.done.stdout.endswith(f"journal: {run.journal}\n")


def test_an_agent_that_is_stopped_leaves_no_workspace(tmp_path: Path) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    (tmp_path / "sessions").mkdir()
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "seqthink.cli.stories.agent", "--name", STORY.name, "--mark", "test", "--loop"),
            *("--journal-dir", str(tmp_path / "sessions")),
        ],
        env=environment(TMPDIR=str(temporary)),
        stdin=subprocess.DEVNULL,
    )
    anyio.run(_until_begun, tmp_path / "sessions")

    process.terminate()
    process.wait(TIMEOUT_SECONDS)

    assert list(temporary.iterdir()) == []


async def _until_begun(folder: Path) -> None:
    with anyio.fail_after(TIMEOUT_SECONDS):
        async with aclosing(follow_folder(folder)) as looks:
            async for _ in looks:
                if list_sessions(folder):
                    return


def _missing_packages(units: Iterable[CodeUnit]) -> list[str]:
    return ["tree-sitter-python", "ruff"] if list(units) else []


def test_without_the_extra_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(internal, "missing_packages", _missing_packages)

    status = demo.run(["code-review", "--fast", "--journal-dir", str(tmp_path)])

    assert status == 1
    assert capsys.readouterr() == (
        "",
        "seqthink: the story code-review shows audits: tree-sitter-python, ruff is needed: pipx install '.[audit]'\n",
    )
    assert list(tmp_path.glob("*.jsonl")) == []


def test_without_git_one_line_says_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert demo.missing_requirements(STORY) == "git is needed"


@pytest.mark.deep  # a demo from its beginning to its end
def test_the_other_stories_run_on_a_server_without_audits(tmp_path: Path) -> None:
    done = seqthink("demo", "outbox", "--fast", "--journal-dir", tmp_path, variables={"ENABLE_GAN_AUDITING": "true"})

    assert done.returncode == 0
    assert '"type":"audit' not in journal_of(tmp_path).read_text(encoding="utf-8")
