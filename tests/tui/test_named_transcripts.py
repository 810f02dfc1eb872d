"""A session of another program that the user named: followed as the one that plain `watch` finds."""

import shutil
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from seqthink.cli.session_reference import named_session
from seqthink.core.errors import NotAJournalError, UsageError
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcript_spools import TranscriptSpools
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.sources.transcripts.choosing import ChosenSession
from seqthink.sources.transcripts.named_transcript import NamedTranscript
from seqthink.sources.transcripts.registry import TRANSCRIPTS
from tests.bench import transcripts
from tests.support.depth import first
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import command
from tests.support.transcripts import claude_lines as claude
from tests.support.transcripts.recorded import lay_out
from tui.app import Viewer
from tui.settings import NamedSession, Settings

SIZE = (100, 30)
WRITTEN = (*transcripts.JSON_LINES, transcripts.DATABASE)
"""The clients whose growing sessions can be written here."""
START = claude.START_US
SESSION_ID = claude.SESSION


class Place:
    """The home of one whose agents write transcripts, another folder, and viewers of what is named there."""

    def __init__(self, folder: Path) -> None:
        self.home, self.elsewhere, self.runtime = folder / "ada", folder / "elsewhere", folder / "runtime"
        self.journals = folder / "journals"
        for made in (self.home, self.elsewhere, self.runtime, self.journals):
            made.mkdir()

    @property
    def project(self) -> Path:
        folder = self.home / ".claude" / "projects" / "-home-ada-work"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def library(self, *names: str, now: int = START) -> TranscriptPlace:
        environ = {"XDG_RUNTIME_DIR": str(self.runtime)}
        return TranscriptPlace(frozenset(names or TRANSCRIPTS), environ, self.home, lambda: now)

    def named(self, reference: str | Path) -> NamedTranscript:
        named = named_session(str(reference), self.journals)
        assert isinstance(named, NamedTranscript)
        return named

    def settings(self, library: TranscriptPlace, named: NamedTranscript, now: int = START) -> Settings:
        catalog = SessionCatalog(FolderPlace(self.journals), library)
        session = NamedSession(named.name, partial(library.adopt, named))
        return settings_of(self.journals, now=now, catalog=catalog, named=session)

    @asynccontextmanager
    async def viewer(self, named: NamedTranscript, *sources: str, now: int = START) -> AsyncGenerator[Stage]:
        with closing(self.library(*sources, now=now)) as library:
            settings = self.settings(library, named, now)
            async with running_viewer(None, SIZE, settings) as stage:
                yield stage


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Place]:
    made = Place(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.setenv("SEQTHINK_SOURCES", ",".join(TRANSCRIPTS))
    yield made
    assert list(made.runtime.iterdir()) == []


def append(path: Path, *lines: bytes) -> None:
    with path.open("ab") as file:
        file.write(b"".join(line + b"\n" for line in lines))


def prompt(text: str, uuid: str = "u1", parent: str | None = None) -> bytes:
    return claude.user(uuid, parent, text)


def session_file(folder: Path, *lines: bytes, name: str = SESSION_ID) -> Path:
    path = folder / f"{name}.jsonl"
    append(path, *(lines or (prompt("Why do we see 502s?"),)))
    return path


@pytest.mark.parametrize("client", first(2, WRITTEN))
async def test_a_copy_of_a_transcript_that_grows_is_live(client: str, place: Place) -> None:
    with closing(transcripts.transcript(place.elsewhere, client, 0)) as grows:
        grows.begin(0, range(1, 3))

        async with place.viewer(place.named(grows.path)) as stage:
            await stage.shows("t2.")
            for number in (3, 4):
                grows.add(number)
                await stage.shows(f"t{number}.")


@pytest.mark.parametrize("client", first(2, WRITTEN))
async def test_a_session_that_is_named_by_its_id_is_live(client: str, place: Place) -> None:
    with closing(transcripts.transcript(place.home, client, 0)) as grows:
        grows.begin(0, range(1, 3))
        with closing(place.library()) as library:
            library.refresh()
            (listed,) = library.sessions()

        async with place.viewer(place.named(listed.session)) as stage:
            await stage.shows("t2.")
            grows.add(3)
            await stage.shows("t3.")


async def test_a_named_file_is_live_where_its_client_is_not_looked_for(place: Place) -> None:
    path = session_file(place.project)

    async with place.viewer(place.named(path), "codex") as stage:
        append(path, prompt("And at noon?", "u2", "u1"))
        await stage.shows("And at noon?")


async def test_a_subagent_of_a_named_session_that_begins_later_is_a_lane(place: Place) -> None:
    lay_out("claude/agents", place.home)
    (folder,) = place.home.rglob("subagents")
    later = place.elsewhere / "later"
    shutil.move(folder, later)

    async with place.viewer(place.named(folder.parent.with_suffix(".jsonl"))) as stage:
        await stage.shows("Symptoms: 502s at the top")
        before = stage.session.state.feed.session.thought_count
        shutil.move(later, folder)
        await stage.until(lambda: stage.session.state.feed.session.thought_count == before + 4)
        await stage.press("g", "g")
        await stage.shows("Log: what is there?")


async def test_the_states_of_a_named_session_are_those_of_one_that_is_found(place: Place) -> None:
    question = {"question": "Roll back?", "header": "Deploy", "options": [{"label": "yes", "description": ""}]}
    make, ask = (
        claude.call("c1", "Bash", command="make test"),
        claude.call("q1", "AskUserQuestion", questions=[question]),
    )
    began = datetime.fromtimestamp(time.time(), UTC)

    def now(line: bytes) -> bytes:
        return line.replace(claude.START.encode(), began.isoformat(timespec="milliseconds").encode())

    path = session_file(place.elsewhere, now(prompt("Why do we see 502s?")))
    async with place.viewer(place.named(path), now=int(began.timestamp() * 1_000_000)) as stage:
        append(path, now(claude.assistant("a1", "u1", "m1", make, stop="tool_use")))
        await stage.shows("acting", "now  Bash make test")
        append(path, now(claude.user("r1", "a1", [claude.result("c1")])))
        append(path, now(claude.assistant("a2", "r1", "m2", ask, stop="tool_use")))
        await stage.shows("asking you", "Roll back?")
        append(path, now(claude.user("r2", "a2", [claude.result("q1", "yes")])))
        append(path, now(claude.assistant("a3", "r2", "m3", claude.text("Rolled back"), stop="end_turn")))
        await stage.shows("✓ done", "Rolled back")


def cut(path: Path) -> None:
    path.write_bytes(prompt("Another begins", "u9") + b"\n")


def replace(path: Path) -> None:
    cut(path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


@pytest.mark.parametrize("change", first(1, [cut, replace]))
async def test_a_named_file_that_is_cut_or_replaced_shows_what_is_in_it_now(
    change: Callable[[Path], None], place: Place
) -> None:
    path = session_file(place.elsewhere)

    async with place.viewer(place.named(path)) as stage:
        await stage.shows("Why do we see 502s?")
        change(path)
        await stage.until(lambda: "Another begins" in stage.text and "502s" not in stage.text)
        append(path, prompt("And it goes on", "u10", "u9"))
        await stage.shows("And it goes on")


async def test_a_named_file_that_is_removed_stays_on_the_screen_and_goes_on_when_it_is_back(place: Place) -> None:
    path = session_file(place.elsewhere)

    async with place.viewer(place.named(path)) as stage:
        await stage.shows("Why do we see 502s?")
        away = path.rename(path.with_suffix(".away"))
        append(session_file(place.elsewhere, prompt("Beside", "u1"), name="other"), prompt("it", "u2", "u1"))
        append(away, prompt("And at noon?", "u2", "u1"))
        assert "Why do we see 502s?" in stage.text
        away.rename(path)
        await stage.shows("Why do we see 502s?", "And at noon?")


@pytest.mark.deep  # a file that is replaced is tried beside it
async def test_a_named_session_whose_file_moves_to_another_folder_is_followed_there(place: Place) -> None:
    path = session_file(place.project)
    (place.project.parent / "-home-ada-other").mkdir()

    async with place.viewer(place.named(path)) as stage:
        await stage.shows("Why do we see 502s?")
        moved = path.rename(place.project.parent / "-home-ada-other" / path.name)
        append(moved, prompt("And at noon?", "u2", "u1"))
        await stage.shows("Why do we see 502s?", "And at noon?")


async def test_a_copy_and_the_session_that_it_is_a_copy_of_are_two(place: Place) -> None:
    session_file(place.project)
    copy = session_file(place.elsewhere, prompt("Only in the copy"), name="copy")

    async with place.viewer(place.named(copy)) as stage:
        await stage.until(stage.session.settings.catalog.sessions)
        await stage.shows("Only in the copy")
        await stage.press("s")
        await stage.shows("Why do we see 502s?")
        await stage.press("enter")
        await stage.until(lambda: "Why do we see 502s?" in stage.text and "Only in the copy" not in stage.text)


async def test_a_named_session_in_its_client_s_folder_is_the_one_of_the_list(place: Place) -> None:
    path = session_file(place.project)

    async with place.viewer(place.named(path)) as stage:
        await stage.until(stage.session.settings.catalog.sessions)
        (listed,) = stage.session.settings.catalog.sessions()

        assert listed.path == stage.session.state.feed.path
        await stage.until(lambda: stage.session.attention.wall.entry(listed.path) is not None)


async def test_the_first_frame_says_what_is_read_and_what_was_chosen_meanwhile_stays(place: Place) -> None:
    named, may_choose = place.named(session_file(place.elsewhere, name="copy")), threading.Event()
    session_file(place.project, prompt("Another session", "o1"), name="5e551011-0000-4000-8000-000000000001")

    def choose(say: Callable[[str], object]) -> ChosenSession:
        assert may_choose.wait(60)
        return named.choose(say)

    with closing(place.library()) as library:
        settings = place.settings(library, named._replace(choose=choose))
        async with running_viewer(None, SIZE, settings) as stage:
            await stage.shows("reading copy.jsonl …")
            assert len(stage.text.splitlines()) == 1
            library.refresh()
            stage.session.switcher.choose(library.sessions()[0].path)
            await stage.shows("Another session")
            may_choose.set()
            await stage.until(lambda: not any(worker.group == "named" for worker in stage.app.workers))

            assert stage.session.state.feed.path == library.sessions()[0].path


@pytest.mark.deep  # a long journal says so as well
async def test_while_a_long_transcript_is_read_the_first_line_says_so_and_not_that_it_is_open(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = prompt("Why do we see 502s?"), prompt("And at noon?", "u2", "u1")
    path, may_read = session_file(place.elsewhere, *lines), threading.Event()
    advance = vars(TranscriptSpools)["_advance"]

    def advance_later(spools: TranscriptSpools, spool: object) -> bool:
        assert may_read.wait(60)
        return advance(spools, spool)

    monkeypatch.setattr(TranscriptSpools, "_advance", advance_later)
    monkeypatch.setattr("seqthink.library.places.transcript_spools.HEAD_BYTES", len(lines[0]) + 1)
    with closing(place.library()) as library:
        settings = place.settings(library, place.named(path))
        async with running_viewer(None, SIZE, settings, is_ready=False) as stage:
            await stage.shows("reading work …", "1 thought", "Why do we see 502s?")
            may_read.set()
            await stage.shows("And at noon?")
            await stage.until(lambda: "○ open" in stage.text)

            assert "reading" not in stage.text


async def test_a_named_file_that_is_no_transcript_ends_the_viewer_and_says_so(place: Place) -> None:
    path = place.elsewhere / "notes.jsonl"
    path.write_text('{"kind":"turn","sessionId":7}\n', encoding="utf-8")

    failure = await _failure_of(place, path)

    assert isinstance(failure, NotAJournalError)
    assert str(failure).startswith(f"{path} is not a seqthink journal")


async def test_a_named_file_of_a_format_that_is_not_known_ends_the_viewer_and_says_so(place: Place) -> None:
    path = place.project / f"{SESSION_ID}.jsonl"
    path.write_text('{"kind":"turn","sessionId":7}\n' * 5, encoding="utf-8")

    failure = await _failure_of(place, path)

    assert isinstance(failure, UsageError)
    assert "Claude Code's file has a format that this version cannot read" in str(failure)


async def _failure_of(place: Place, path: Path) -> Exception | None:
    with closing(place.library()) as library:
        app = Viewer(None, place.settings(library, place.named(path)))
        async with app.run_test(size=SIZE) as pilot:
            stage = Stage(app, pilot)
            await stage.until(lambda: app.failure)
    return app.failure


@pytest.mark.deep  # without a terminal it is tried above
def test_a_named_file_is_live_on_a_terminal_and_what_is_no_transcript_is_refused(place: Place) -> None:
    path, notes = session_file(place.elsewhere, name="copy"), place.elsewhere / "notes.jsonl"
    notes.write_text('{"kind":"turn","sessionId":7}\n', encoding="utf-8")
    variables = {"XDG_RUNTIME_DIR": str(place.runtime)}

    with Terminal(command("watch", path), SIZE, variables=variables) as terminal:
        terminal.until("Why do we see 502s?")
        append(path, prompt("And at noon?", "u2", "u1"))
        terminal.until("And at noon?")
        terminal.type("q")
        assert terminal.end() == 0
    with Terminal(command("watch", notes), SIZE, variables=variables) as terminal:
        assert terminal.end() == 2
        assert terminal.text.endswith(
            f"{notes} is not a seqthink journal; name a session or a file that `serve` wrote\r\n"
        )
