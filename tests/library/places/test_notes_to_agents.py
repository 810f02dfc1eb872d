"""To whom a note can go: to any agent of a session, or to one whose calls say who they are from."""

import fcntl
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

from seqthink.journal.decode import decode
from seqthink.journal.folder import notes_path
from seqthink.journal.notes_file import MAX_AGENT_CHARS, Note, NotesFile, append_note, read_note
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.live_session import load_journal
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.journal_callers import journal_callers
from seqthink.library.places.transcripts import TranscriptPlace
from tests.support.journals.build import SESSION, JournalBuilder
from tests.support.screens.screen_text import HOST
from tests.support.transcripts.recorded import journals_of, lay_out

NOW = 1_763_833_101_000_000


def journal(folder: Path, *, name: str = "worker", **more: Any) -> Path:  # noqa: ANN401 - its fields
    built = JournalBuilder().session(SESSION, host=HOST, **more).thought("Why?", 1, 3)
    path = folder / f"{SESSION}.jsonl"
    built.event("agent", {"id": "b", "name": name}).thought("Who?", 1, 2, agent="b").write(path)
    return path


def obstacle(path: Path) -> str:
    session = load_journal(path).session
    return SessionCatalog(FolderPlace(path.parent)).session(path).agent_obstacle(session, 1)


def test_a_note_can_go_to_an_agent_that_a_call_has_named(tmp_path: Path) -> None:
    path = journal(tmp_path, agentNotes=True)
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)

        assert journal_callers(path).agents == {"b"}
        assert obstacle(path) == ""


def test_why_it_cannot_is_said(tmp_path: Path) -> None:
    assert obstacle(journal(tmp_path, agentNotes=True, name="wo\x1b[31mrker")) == "wo␛[31mrker has ended"
    path = journal(tmp_path)
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert obstacle(path) == "its server cannot tell its agents apart (an older version)"


def test_a_server_that_knows_no_such_notes_skips_them_and_a_damaged_address_is_no_note(tmp_path: Path) -> None:
    path = tmp_path / "one.notes.jsonl"
    append_note(path, Note("0" * 16, "to b", "", agent="b"))
    append_note(path, Note("1" * 16, "to any", ""))
    to_one, to_any = path.read_bytes().splitlines()

    assert (to_one[:8], to_any[:8]) == (b'{"v":2,"', b'{"v":1,"')
    assert [(note.text, note.agent) for note in NotesFile(path).read_new()] == [("to b", "b"), ("to any", "")]
    too_long = b'"%s"' % (b"b" * (MAX_AGENT_CHARS + 1))
    for before, after in ((b'"v":2', b'"v":1'), (b'"b"', b"5"), (b'"b"', b'""'), (b'"b"', too_long)):
        assert read_note(to_one.replace(before, after)) is None
    assert read_note(to_any.replace(b'"v":1', b'"v":2')) is None


def test_a_note_to_a_sub_agent_with_a_server_of_its_own_goes_there_and_others_to_the_main_one(tmp_path: Path) -> None:
    home, journals = tmp_path / "ada", tmp_path / "journals"
    for made in (home, journals):
        made.mkdir()
    lay_out("codex/agents", home)
    for recorded in journals_of("codex/agents"):
        shutil.copy(recorded, journals)
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    with closing(TranscriptPlace(frozenset({"codex"}), environ, home, lambda: NOW)) as transcripts:
        catalog = SessionCatalog(FolderPlace(journals), transcripts)
        catalog.refresh()
        shown = catalog.shown_instead(journals / journals_of("codex/agents")[0].name)
        assert shown is not None
        placed = catalog.session(shown)
        placed.read_whole()
        servers = {path: journal_callers(path).agents for path in placed.called_journals}
        apart = {next(iter(agents)): path for path, agents in servers.items() if agents}
        agent, own = next(iter(apart.items()))
        mailbox = placed.mailbox(decode)
        mailbox.send(Note("0" * 16, "to one", "", agent=agent))
        mailbox.send(Note("1" * 16, "to any", ""))

        assert len(apart) == 2
        assert placed.notes_journal not in apart.values()
        assert [note.text for note in NotesFile(notes_path(own)).read_new()] == ["to one"]
        assert [note.text for note in NotesFile(notes_path(placed.notes_journal)).read_new()] == ["to any"]
        assert {note.text: note.agent for note in mailbox.waiting_notes(set())} == {"to one": agent, "to any": None}
        assert [note.text for note in mailbox.waiting_notes({"0" * 16})] == ["to any"]
        session = load_journal(shown).session
        assert placed.agent_obstacle(session, session.agents.find(agent)).endswith(" has ended")


def test_the_calls_of_claude_code_say_nothing_of_agents(tmp_path: Path) -> None:
    home, journals = tmp_path / "ada", tmp_path / "journals"
    for made in (home, journals):
        made.mkdir()
    lay_out("claude/agents", home)
    for recorded in journals_of("claude/agents"):
        shutil.copy(recorded, journals)
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    with closing(TranscriptPlace(frozenset({"claude"}), environ, home, lambda: NOW)) as transcripts:
        catalog = SessionCatalog(FolderPlace(journals), transcripts)
        catalog.refresh()
        shown = catalog.shown_instead(journals / journals_of("claude/agents")[0].name)
        assert shown is not None
        placed = catalog.session(shown)
        placed.read_whole()

        assert [journal_callers(path).agents for path in placed.called_journals] == [frozenset()] * len(
            placed.called_journals
        )
