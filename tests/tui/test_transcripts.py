"""The viewer on the sessions of other programs, as their clients recorded them."""

import json
import os
import shutil
import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from seqthink.journal.folder import notes_path
from seqthink.journal.notes_file import NotesFile
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.sources.transcripts.files import private_folder
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import HOST, Stage, locked_journal, running_viewer, settings_of
from tests.support.transcripts import claude_lines as claude
from tests.support.transcripts.recorded import journals_of, lay_out

NOW = 1_900_000_000
SIZE = (120, 40)
FIRST = "Symptoms: 502s at the top of each hour"
PROMPT = "Why do we see 502s"


class Place:
    """A home with a recorded run, a folder of our journals, and viewers of both."""

    def __init__(self, folder: Path) -> None:
        self.home, self.journals, self.runtime = folder / "ada", folder / "journals", folder / "runtime"
        self.journals.mkdir()
        self.runtime.mkdir()

    def lay(self, run: str, *, has_journals: bool = False) -> None:
        lay_out(run, self.home)
        for file in self.home.rglob("*.*"):
            os.utime(file, (NOW, NOW))
        for journal in journals_of(run) if has_journals else []:
            text = journal.read_bytes().replace(b'"host":"host"', f'"host":"{HOST}"'.encode())
            (self.journals / journal.name).write_bytes(text)

    @asynccontextmanager
    async def viewer(self, *names: str, has_journals: bool = True) -> AsyncGenerator[Stage]:
        environ = {"XDG_RUNTIME_DIR": str(self.runtime)}
        library = TranscriptPlace(frozenset(names), environ, self.home, lambda: NOW * 1_000_000)
        places = [FolderPlace(self.journals), library] if has_journals else [library]
        settings = settings_of(self.journals, now=NOW * 1_000_000, catalog=SessionCatalog(*places))
        try:
            async with running_viewer(None, SIZE, settings) as stage:
                yield stage
        finally:
            library.close()


@pytest.fixture
def place(tmp_path: Path) -> Generator[Place]:
    made = Place(tmp_path)
    yield made
    assert list(made.runtime.iterdir()) == []


def main_file(home: Path) -> Path:
    """Return the transcript of Claude Code that has subagents."""
    (folder,) = home.rglob("subagents")
    return folder.parent.with_suffix(".jsonl")


def append_prompt(path: Path, text: str) -> None:
    """Append what a user typed to a transcript of Claude Code."""
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    last = next(record for record in reversed(records) if record.get("uuid"))
    record = {
        **{name: last[name] for name in ("sessionId", "cwd", "version") if name in last},
        "type": "user",
        "uuid": f"new-{text}",
        "parentUuid": last["uuid"],
        "isSidechain": False,
        "timestamp": "2026-12-01T00:00:00.000Z",
        "message": {"role": "user", "content": text},
    }
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


@pytest.mark.parametrize("client", first(2, ["claude", "codex", "gemini", "opencode"]))
async def test_a_session_without_a_server_of_ours_is_shown_at_the_start(client: str, place: Place) -> None:
    place.lay(f"{client}/agents")

    async with place.viewer(client) as stage:
        await stage.shows(FIRST, "it fails at :00 only", "Final: the cron job")


async def test_native_reasoning_is_shown_and_hidden_with_v(place: Place) -> None:
    place.lay("claude/rewind")

    async with place.viewer("claude") as stage:
        before = stage.text
        await stage.press("v")
        await stage.shows("◇")
        await stage.press("v")
        await stage.until(lambda: "◇" not in stage.text)

        assert "◇" not in before


async def test_a_line_that_is_appended_appears(place: Place) -> None:
    place.lay("claude/agents")

    async with place.viewer("claude") as stage:
        await stage.press("v")
        append_prompt(main_file(place.home), "And why at noon?")

        await stage.shows("And why at noon?")


async def test_a_subagent_whose_file_appears_later_is_a_lane(place: Place) -> None:
    place.lay("claude/agents")
    (folder,) = place.home.rglob("subagents")
    later = place.home / "later"
    shutil.move(folder, later)

    async with place.viewer("claude") as stage:
        await stage.shows(FIRST)
        before = stage.text
        shutil.move(later, folder)
        await stage.shows("Log: what is there?", "Schedule: what is there?")

        assert "what is there?" not in before


async def test_our_journal_and_its_transcript_are_one_row_with_both_in_it(place: Place) -> None:
    place.lay("claude/background", has_journals=True)

    async with place.viewer("claude") as stage:
        catalog = stage.app.session_screen.settings.catalog
        await stage.until(lambda: {file.source for file in catalog.sessions()} == {"claude"})
        await stage.until(lambda: stage.session.settings.catalog.is_transcript(_shown(stage)))
        await stage.shows(FIRST, "refused: Invalid")
        await stage.press("v", "g")
        await stage.shows(PROMPT)
        await stage.press("s")
        await stage.shows("Sessions   1 ", "claude-code")
        await stage.until(lambda: stage.text.count(FIRST[:12]) == 1)


def _shown(stage: Stage) -> Path:
    path = stage.session.state.feed.path
    assert path is not None
    return path


@pytest.mark.deep  # notes and joined sessions are tried alone
async def test_a_note_in_a_joined_session_goes_to_the_server_of_our_journal(place: Place) -> None:
    place.lay("claude/background", has_journals=True)
    (journal,) = place.journals.glob("*.jsonl")
    text = journal.read_bytes()
    journal.write_bytes(b"".join(line + b"\n" for line in text.splitlines() if b'"type":"end"' not in line))

    with locked_journal(journal):
        async with place.viewer("claude") as stage:
            catalog = stage.session.settings.catalog
            await stage.until(lambda: catalog.shown_instead(journal) == _shown(stage))
            await stage.until(lambda: stage.session.state.feed.session.is_alive)
            await stage.press("i")
            await stage.press(*"look", "enter")
            await stage.until(lambda: notes_path(journal).exists())

    assert [note.text for note in NotesFile(notes_path(journal)).read_new()] == ["look"]


async def test_a_transcript_alone_takes_no_note_and_says_why(place: Place) -> None:
    place.lay("codex/rewind")

    async with place.viewer("codex") as stage:
        await stage.press("i")

        await stage.shows("only a transcript: no notes possible")


async def test_the_viewer_starts_without_a_place_for_transcripts(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.lay("claude/rewind")
    JournalBuilder().session(host=HOST).thought("One of ours", 1, 2).write(place.journals / "a.jsonl")
    os.utime(place.journals / "a.jsonl", (NOW, NOW))

    def refuse(**_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(private_folder.tempfile, "mkdtemp", refuse)
    with locked_journal(place.journals / "a.jsonl"):
        async with place.viewer("claude") as stage:
            await stage.shows("One of ours", "transcripts cannot be shown")


async def test_the_viewer_of_transcripts_alone_needs_no_folder_of_journals(place: Place) -> None:
    place.lay("gemini/rewind", has_journals=True)
    shutil.rmtree(place.journals)

    async with place.viewer("gemini", has_journals=False) as stage:
        await stage.until(lambda: stage.session.state.feed.session.entry_count)
        assert stage.session.settings.catalog.is_transcript(_shown(stage))


@pytest.mark.parametrize(
    "keys", first(1, [(), ("v", "v", "G")]), ids=["at once", "after showing native reasoning again"]
)
async def test_the_text_beside_the_first_thought_is_its_own_not_the_prompt_s(
    keys: tuple[str, ...], place: Place
) -> None:
    session = place.home / ".claude" / "projects" / "-w" / "5e551011-0000-4000-8000-000000000001.jsonl"
    session.parent.mkdir(parents=True)
    session.write_bytes(claude.user("u1", None, "Why do we see 502s?") + b"\n")
    os.utime(session, (NOW, NOW))
    given = {"thought": "Symptoms\n\nat noon", "thoughtNumber": 1, "totalThoughts": 2, "nextThoughtNeeded": True}

    async with place.viewer("claude") as stage:
        await stage.shows("Why do we see 502s?")
        with session.open("ab") as file:
            file.write(claude.assistant("a1", "u1", "m1", claude.call("t1", "mcp__s__sequentialthinking", **given)))
            file.write(b"\n" + claude.user("r1", "a1", [claude.result("t1")]) + b"\n")
        await stage.shows("Symptoms")
        await stage.press(*keys)

        await stage.shows("at noon")


async def test_the_waiting_screen_and_the_list_say_which_format_is_not_known(place: Place) -> None:
    database = place.home / ".local" / "share" / "opencode" / "opencode.db"
    database.parent.mkdir(parents=True)
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE session_v3 (id TEXT PRIMARY KEY)")
    connection.close()

    async with place.viewer("opencode") as stage:
        await stage.shows("No thoughts yet", "OpenCode's database has a format that this version cannot read")
        await stage.press("s")
        await stage.shows("Esc back", "OpenCode's database has a format that this version cannot read")
