import itertools
import json
import os
import signal
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path
from types import ModuleType

import anyio
import pytest

from seqthink.cli import demo
from seqthink.cli.stories.demo_agent import DemoAgent
from seqthink.cli.stories.stories import STORIES
from seqthink.cli.stories.story import DemoStory
from seqthink.core.text import first_line
from seqthink.journal.follow import follow_folder
from seqthink.library.live_session import load_journal
from tests.support.depth import first
from tests.support.servers.commands import TIMEOUT_SECONDS, command, environment, refusal_line, seqthink
from tui.settings import Demo


def journal_of(folder: Path) -> Path:
    """Return the one journal in ``folder``."""
    (path,) = folder.glob("*.jsonl")
    return path


@pytest.fixture(scope="module")
def demo_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Return what a fast demo said, run from a folder of its own, and its journal."""
    elsewhere, home = tmp_path_factory.mktemp("elsewhere"), tmp_path_factory.mktemp("home")
    # What lies about in the folder that a person is in must not get in the way.
    (elsewhere / "mcp.py").write_text("raise SystemExit('the wrong one')", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "seqthink", "demo", "--fast", "--width", "80"],
        cwd=elsewhere,
        env=environment(SEQTHINK_HOME=str(home), SEQTHINK_SCHEMA="nonsense", LANG="C.UTF-8", COLUMNS=""),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
    )
    return done, journal_of(home / "sessions")


def test_it_ends_well_and_says_where_its_journal_is(demo_run: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    done, journal = demo_run

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == f"journal: {journal}"


def test_its_journal_holds_a_branch_two_revisions_three_changes_and_a_refused_call(
    demo_run: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    session = load_journal(demo_run[1]).session
    thoughts = [session.thoughts.get(index) for index in range(session.thought_count)]

    assert (session.state, session.title, session.corrupt_count, session.unknown_count) == ("done", "shop-api", 0, 0)
    assert session.session_event is not None
    assert session.session_event.client is not None
    assert session.session_event.client.name == "seqthink-demo"
    assert (session.branch_count, session.revision_count, session.chain_count) == (1, 2, 1)
    assert session.asides.refused_count == 1
    assert [thought.estimate_change for thought in thoughts if thought.estimate_change] == [(5, 6), (6, 8), (8, 9)]
    assert session.end_event is not None
    assert session.end_event.reason == "eof"


def test_it_prints_each_thought_as_it_comes_and_then_the_tree(
    demo_run: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    log, _, tree = demo_run[0].stdout.partition("\n\n")
    steps = STORIES["shop-api"].steps
    first_lines = [
        "refused: Invalid totalThoughts" if step.is_refused else first_line(step.arguments["thought"]) for step in steps
    ]

    rows = [line for line in log.splitlines()[1:] if "╮ cron-job " not in line]
    assert len(rows) == len(steps)
    assert all(text in row for text, row in zip(first_lines, rows, strict=True))
    assert tree.startswith("✓ done   shop-api · seqthink-demo   9 of 9   1 branch   2 revisions\n")
    assert all(text in tree for text in first_lines)


def test_a_folder_that_takes_no_journal_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    done = seqthink("demo", "--fast", "--journal-dir", tmp_path / "file" / "sessions")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("seqthink: the demo's agent failed: the server refused a thought: the journal cannot")
    assert done.stderr.count("\n") == 1


def test_an_unknown_story_is_refused_and_the_known_ones_are_named() -> None:
    assert (
        refusal_line(seqthink("demo", "romance"))
        == "demo: unknown story 'romance'; choose from: shop-api, outbox, code-review"
    )


def test_the_list_names_each_story_and_how_long_it_takes() -> None:
    done = seqthink("demo", "--list")

    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(STORIES)
    assert done.stdout.splitlines()[0].endswith("(12 thoughts, 45 s)")


@pytest.mark.parametrize("number", first(1, [signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
def test_when_it_ends_its_agent_and_its_server_end_too(tmp_path: Path, number: signal.Signals) -> None:
    process = subprocess.Popen(
        command("demo", "--loop", "--journal-dir", tmp_path / "sessions"),
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.readline()
    journal = journal_of(tmp_path / "sessions")
    server = json.loads(journal.read_text(encoding="utf-8").splitlines()[0])["pid"]

    process.send_signal(number)
    _, errors = process.communicate(timeout=TIMEOUT_SECONDS)
    wait_for_the_end(server)

    assert errors == ""
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert json.loads(journal.read_text(encoding="utf-8").splitlines()[-1])["type"] == "end"


def wait_for_the_end(pid: int) -> None:
    """Return when the process ``pid``, which is not ours, has ended."""
    if hasattr(os, "pidfd_open"):
        import select

        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            return
        try:
            readable, _, _ = select.select([descriptor], [], [], TIMEOUT_SECONDS)
        finally:
            os.close(descriptor)
        assert readable, "the server still runs"


@pytest.mark.parametrize("story", STORIES.values(), ids=list(STORIES))
def test_a_story_keeps_an_audience_s_attention(story: DemoStory) -> None:
    ends = itertools.accumulate((step.seconds for step in story.steps), initial=0)
    at = [end + step.pause_seconds for end, step in zip(ends, story.steps, strict=False) if not step.is_refused]
    calls = [step.arguments for step in story.steps if not step.is_refused]
    totals = [call["totalThoughts"] for call in calls]
    changed = next(place for place in range(1, len(calls)) if totals[place] != totals[place - 1])
    branched = next(place for place, call in enumerate(calls) if "branchId" in call)

    assert at[0] <= 1
    assert at[changed] <= 8
    assert at[branched] <= 15
    assert story.seconds <= 55
    assert max(step.pause_seconds for step in story.steps) <= 6
    assert 10 <= len(calls) <= 13
    assert [call["nextThoughtNeeded"] for call in calls] == [True] * (len(calls) - 1) + [False]


@pytest.mark.parametrize("story", STORIES.values(), ids=list(STORIES))
def test_a_story_reads_well_in_a_narrow_terminal(story: DemoStory) -> None:
    for step in story.steps:
        text = step.arguments["thought"]

        assert text == text.strip()
        assert len(first_line(text)) <= 38
        assert len(text) <= 800


class Person(ModuleType):
    """Stands where the viewer is, and for a person who looks until there is a journal, or a reason why none comes."""

    def __init__(self) -> None:
        super().__init__("tui.run")
        self.saw: Path | None = None
        self.heard = ""

    def watch(self, path: None, *, folder: Path, demo: Demo, **looks: object) -> str:  # noqa: ARG002 - takes what the viewer takes
        anyio.run(self._look, folder, demo)
        return ""

    async def _look(self, folder: Path, demo: Demo) -> None:
        with anyio.fail_after(TIMEOUT_SECONDS):
            async with aclosing(follow_folder(folder)) as looks:
                async for _ in looks:
                    self.saw, self.heard = demo.find_journal(), demo.error()
                    if self.saw or self.heard:
                        return


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Person:
    person = Person()
    monkeypatch.setitem(sys.modules, "tui.run", person)
    monkeypatch.setattr(demo, "is_terminal", lambda: True)
    return person


@pytest.mark.deep  # a viewer on a terminal has tests of its own
@pytest.mark.slow  # a demo from its beginning to its end
def test_on_a_terminal_the_viewer_shows_the_journal_and_the_agent_ends_with_it(
    tmp_path: Path, person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    status = demo.run(["--loop", "--journal-dir", str(tmp_path / "sessions")])

    journal = journal_of(tmp_path / "sessions")
    assert status == 0
    assert person.saw == journal
    again, agents, last = capsys.readouterr().out.splitlines()
    assert again.startswith("see it again:  ")
    assert f"seqthink replay {journal.stem} --journal-dir {journal.parent}" in again
    assert agents.startswith("your agents:   ")
    assert agents.endswith("seqthink setup")
    assert last == f"journal:       {journal}"
    assert json.loads(journal.read_text(encoding="utf-8").splitlines()[-1])["type"] == "end"


@pytest.mark.deep  # the same line without a terminal is tested above
@pytest.mark.slow  # a demo from its beginning to its end
def test_on_a_terminal_an_agent_that_fails_is_one_clear_line_too(
    tmp_path: Path, person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()

    status = demo.run(["--journal-dir", str(tmp_path / "file" / "sessions")])

    assert status == 1
    assert person.heard.startswith("the server refused a thought: the journal cannot be written")
    assert capsys.readouterr() == ("", f"seqthink: the demo's agent failed: {person.heard}\n")


@pytest.mark.deep  # a demo from its beginning to its end
@pytest.mark.slow  # a demo from its beginning to its end
async def test_two_demos_in_one_folder_keep_to_their_own_journals(tmp_path: Path) -> None:
    story = STORIES["outbox"]
    with (
        DemoAgent(story, tmp_path, is_fast=True, is_loop=False) as one,
        DemoAgent(story, tmp_path, is_fast=True, is_loop=False) as two,
    ):
        first, second = await one.wait_for_journal(), await two.wait_for_journal()
        await one.wait()
        await two.wait()

        assert first != second
        assert {first.parent, second.parent} == {tmp_path}
        assert (one.find_journal(), two.find_journal()) == (first, second)


def test_the_list_of_stories_says_what_one_of_them_needs_and_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("seqthink.audit.judges.internal.missing_packages", lambda *_: ["tree-sitter"])  # pyright: ignore[reportUnknownArgumentType, reportUnknownLambdaType] - whatever it is asked

    needs = "tree-sitter is needed: pipx install '.[audit]'"
    assert demo.run(["--list"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip() == f"not yet: {needs}"
    assert demo.run(["code-review"]) == 1
    assert needs in capsys.readouterr().err
