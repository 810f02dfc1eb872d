"""The transcripts of other programs as sessions: listed, joined with our journals, forgotten, never in the way."""

import json
import os
import shutil
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from seqthink.core.errors import UsageError
from seqthink.core.events import ThoughtEvent
from seqthink.journal.decode import decode
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcript_spools import MAX_SPOOLS
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.sources.transcripts.claude.forks import MAX_HEADS
from seqthink.sources.transcripts.files import private_folder
from seqthink.sources.transcripts.registry import SOURCE_NAMES, TRANSCRIPTS, sources_of
from seqthink.sources.transcripts.spool import Spool
from tests.support.depth import first, sized
from tests.support.journals.build import JournalBuilder
from tests.support.transcripts.recorded import A_RUN, RUNS, journals_of, lay_out
from tui.sessions import session_choice

NOW = 1_900_000_000_000_000


class Place:
    """A home with transcripts, a folder of journals, and the library of both."""

    def __init__(self, folder: Path) -> None:
        self.home, self.journals, self.runtime = folder / "ada", folder / "journals", folder / "runtime"
        for made in (self.home, self.journals, self.runtime):
            made.mkdir()
        self.libraries: list[TranscriptPlace] = []

    def library(self, *names: str) -> TranscriptPlace:
        environ = {"XDG_RUNTIME_DIR": str(self.runtime)}
        self.libraries.append(TranscriptPlace(frozenset(names or TRANSCRIPTS), environ, self.home, lambda: NOW))
        return self.libraries[-1]

    def catalog(self, *names: str) -> SessionCatalog:
        return SessionCatalog(FolderPlace(self.journals), self.library(*names))

    def lay(self, run: str, *, has_journals: bool = True) -> None:
        lay_out(run, self.home)
        for journal in journals_of(run) if has_journals else []:
            shutil.copy(journal, self.journals)


@pytest.fixture
def place(tmp_path: Path) -> Generator[Place]:
    made = Place(tmp_path)
    yield made
    for library in made.libraries:
        library.close()
    assert list(made.runtime.iterdir()) == []


def claude_session(home: Path, name: str, *, text: str = "Why?", changed: int = NOW // 1_000_000) -> Path:
    """Write a session of Claude Code."""
    path = home / ".claude" / "projects" / "-w" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'{{"parentUuid":null,"isSidechain":false,"type":"user","uuid":"u-{name}","sessionId":"{name}",'
        f'"timestamp":"2026-11-22T17:38:21.000Z","cwd":"/w","message":{{"role":"user","content":"{text}"}}}}\n',
        encoding="utf-8",
    )
    os.utime(path, (changed, changed))
    return path


def thoughts_in(path: Path) -> list[ThoughtEvent]:
    events = [decode(line) for line in path.read_bytes().splitlines()]
    return [event for event in events if isinstance(event, ThoughtEvent)]


# Recorded sessions


@pytest.mark.parametrize("run", first(6, RUNS))
def test_every_recorded_run_is_one_row_for_all_journals_that_hold_its_calls(run: str, place: Place) -> None:
    place.lay(run)
    catalog = place.catalog()
    ours = [thought for journal in journals_of(run) for thought in thoughts_in(journal)]

    catalog.refresh()
    sessions = catalog.sessions()
    for file in sessions:
        catalog.session(file.path).read_whole()
    shown = [thought for file in sessions for thought in thoughts_in(file.path)]

    assert {file.source for file in sessions} == {run.partition("/")[0]}
    assert {thought.thought for thought in ours} <= {thought.thought for thought in shown}
    joined = [catalog.shown_instead(place.journals / journal.name) for journal in journals_of(run)]
    assert None not in joined


@pytest.mark.parametrize("run", first(2, [run for run in RUNS if run.endswith("/agents")]))
def test_every_thought_of_a_run_is_there_once_with_its_agent(run: str, place: Place) -> None:
    place.lay(run)
    catalog = place.catalog()
    catalog.refresh()
    (first, *_) = {catalog.shown_instead(place.journals / journal.name) for journal in journals_of(run)}
    assert first is not None
    catalog.session(first).read_whole()

    of_agents = {thought.thought for thought in thoughts_in(first) if thought.agent is not None}
    calls = [thought.call for thought in thoughts_in(first)]

    assert {"it fails at :00 only", "a job at :00 opens 40 connections"} <= of_agents
    assert "Symptoms: 502s at the top of each hour" not in of_agents
    assert len(calls) == len(set(calls))
    assert None not in calls


def test_notes_of_a_joined_session_go_to_the_newest_journal_of_ours(place: Place) -> None:
    place.lay("claude/agents")
    catalog = place.catalog("claude")
    catalog.refresh()
    journals = [place.journals / journal.name for journal in journals_of("claude/agents")]
    shown = catalog.shown_instead(journals[0])
    assert shown is not None

    assert catalog.session(shown).notes_journal in journals
    assert catalog.session(place.journals / "other.jsonl").notes_journal == place.journals / "other.jsonl"


def test_a_note_to_the_session_does_not_go_to_a_subagent_before_the_transcript_is_translated(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = "codex/agents-0.171.0"
    place.lay(run)
    main, *of_agents, resumed = [place.journals / journal.name for journal in journals_of(run)]
    resumed.unlink()  # so that the newest are those of the two subagents' servers
    monkeypatch.setattr(Spool, "agents_journals", frozenset[Path]())
    catalog = place.catalog("codex")
    catalog.refresh()
    shown = catalog.shown_instead(main)
    assert shown is not None

    assert catalog.session(shown).notes_journal == main < min(of_agents)


def test_a_journal_comes_back_when_the_client_deletes_the_transcript(place: Place) -> None:
    place.lay("claude/rewind")
    catalog = place.catalog("claude")
    catalog.refresh()
    before = {file.source for file in catalog.sessions()}

    shutil.rmtree(place.home / ".claude")
    catalog.refresh()

    assert before == {"claude"}
    assert [file.source for file in catalog.sessions()] == ["journal"]


# Listing


def test_sources_that_are_not_named_are_not_looked_at(place: Place) -> None:
    for run in A_RUN.values():
        place.lay(run, has_journals=False)
    for names in (("claude",), ("codex", "gemini"), TRANSCRIPTS):
        catalog = place.catalog(*names)

        catalog.refresh()

        assert {file.source for file in catalog.sessions()} == set(names)
        assert len(catalog.clients) == len(names)


def test_journals_are_left_out_when_they_are_not_named(place: Place) -> None:
    place.lay("claude/rewind")
    with_both = place.catalog("claude")
    without = SessionCatalog(place.library("claude"))
    alone = SessionCatalog(FolderPlace(place.journals))
    for catalog in (with_both, without, alone):
        catalog.refresh()

    assert [file.source for file in with_both.sessions()] == ["claude"]
    assert [file.source for file in without.sessions()] == ["claude"]
    assert {file.source for file in alone.sessions()} == {"journal"}
    assert SessionCatalog().sessions() == []
    assert not alone.is_transcript(place.journals / "x")


@pytest.mark.parametrize(
    ("option", "variable", "named"),
    [
        (None, "", set(SOURCE_NAMES)),
        (None, "claude , Codex", {"claude", "codex"}),
        ("journal", "claude", {"journal"}),
        ("none", "", set[str]()),
        (None, "none", set[str]()),
    ],
)
def test_the_option_names_the_sources_before_the_variable_does(
    option: str | None, variable: str, named: set[str]
) -> None:
    assert sources_of({"SEQTHINK_SOURCES": variable}, option) == named


@pytest.mark.parametrize("text", ["", ",", "cursor", "none,claude", "claude codex", "\x1b[31m"])
def test_a_list_of_sources_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        sources_of({}, text)
    assert "\x1b" not in str(refused.value)


def test_an_error_in_the_variable_names_it() -> None:
    with pytest.raises(UsageError, match="SEQTHINK_SOURCES"):
        sources_of({"SEQTHINK_SOURCES": "cursor"}, None)


def test_listing_reads_few_beginnings_once_and_makes_no_journal(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(count := sized(600, 2000)):
        claude_session(place.home, f"s{number}")
    opened: list[Path] = []
    open_file = os.open

    def watch(path: str | Path, flags: int, *more: Any, **named: Any) -> int:  # noqa: ANN401 - as the system has them
        opened.extend([Path(path)] if str(path).endswith(".jsonl") else [])
        return open_file(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", watch)
    library = place.library("claude")

    counts: list[int] = []
    for _ in range(count // MAX_HEADS + 2):
        library.refresh()
        counts.append(len(opened))

    assert (len(library.sessions()), list(place.runtime.rglob("*.jsonl"))) == (count, [])
    assert counts[0] <= MAX_HEADS
    assert counts[-1] == counts[-2] <= count


def test_folders_that_are_none_and_cannot_be_read_hide_nothing_else(place: Place) -> None:
    place.lay("gemini/rewind", has_journals=False)
    (place.home / ".claude").mkdir()
    (place.home / ".claude" / "projects").write_text("no folder", encoding="utf-8")
    (place.home / ".codex").symlink_to(place.home / "nowhere")
    database = place.home / ".local" / "share" / "opencode" / "opencode.db"
    database.parent.mkdir(parents=True)
    database.write_bytes(b"no database" * 100)
    library = place.library()

    library.refresh()

    assert {file.source for file in library.sessions()} == {"gemini"}


def test_without_a_folder_for_its_journals_no_transcript_is_shown_and_one_remark_says_why(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.lay("claude/rewind")

    def refuse(**_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(private_folder.tempfile, "mkdtemp", refuse)
    catalog = place.catalog("claude")
    catalog.refresh()
    refused = catalog.left_out
    without = [file.source for file in catalog.sessions()]
    monkeypatch.undo()
    catalog.refresh()

    assert (refused, without) == (["transcripts cannot be shown: no space left on device"], ["journal"])
    assert not catalog.left_out
    assert [file.source for file in catalog.sessions()] == ["claude"]


# Journals in memory


def test_only_the_journals_used_last_are_kept_and_never_without_the_one_on_the_screen(place: Place) -> None:
    for number in range(MAX_SPOOLS + 20):
        claude_session(place.home, f"s{number:03}", text=f"prompt {number}")
    library = place.library("claude")
    library.refresh()
    shown, *others = [file.path for file in library.sessions()]
    library.spools.keep(shown)
    library.spools.read_head(shown)

    for path in others:
        library.spools.read_head(path)
    kept = {path for path in (shown, *others) if path.exists()}

    assert len(kept) == MAX_SPOOLS
    assert shown in kept
    assert set(others[-10:]) < kept
    dropped = next(path for path in others if path not in kept)
    library.spools.read_head(dropped)
    assert b'"prompt' in dropped.read_bytes()


def test_a_session_whose_journal_made_room_for_others_is_still_there_until_its_client_deletes_it(place: Place) -> None:
    for number in range(MAX_SPOOLS + 2):
        claude_session(place.home, f"s{number:03}")
    catalog = place.catalog("claude")
    catalog.refresh()
    sessions = [catalog.session(file.path) for file in catalog.sessions()]
    for session in sessions:
        session.read_head()
    first, second, *_ = sessions
    assert second.original is not None
    second.original.unlink()

    assert (first.path.exists(), second.path.exists()) == (False, False)
    assert (first.is_there, second.is_there, sessions[-1].is_there) == (True, False, True)


def test_what_is_no_transcript_is_nothing_to_the_library(place: Place) -> None:
    library, other = place.library("claude"), place.journals / "j.jsonl"

    library.spools.read_head(other)
    library.spools.read_whole(other)

    assert (library.holds(other), library.spools.journal_of(other), other.exists()) == (False, None, False)


def test_a_library_that_was_closed_makes_nothing_more(place: Place) -> None:
    path = claude_session(place.home, "s")
    library = place.library("claude")
    library.refresh()
    listed = library.sessions()[0].path

    library.close()
    library.close()
    library.refresh()
    library.spools.read_head(listed)
    library.spools.read_whole(listed)

    assert path.exists()
    assert not listed.exists()
    assert list(place.runtime.iterdir()) == []


@pytest.mark.slow  # many threads
def test_several_threads_list_join_and_read_at_once(place: Place) -> None:
    place.lay("claude/agents")
    for number in range(MAX_SPOOLS + 10):
        claude_session(place.home, f"s{number}")
    catalog = place.catalog("claude")
    catalog.refresh()
    begun = threading.Barrier(4)

    def refresh() -> None:
        begun.wait()
        for _ in range(sized(2, 5)):
            catalog.refresh()

    def read_all() -> None:
        begun.wait()
        for file in catalog.sessions() * sized(1, 3):
            catalog.session(file.path).read_head()
            catalog.session(file.path).read_whole()

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work) for work in (refresh, refresh, read_all, read_all)]:
            done.result()
    shown = catalog.shown_instead(place.journals / journals_of("claude/agents")[0].name)
    assert shown is not None
    catalog.session(shown).read_whole()
    calls = [thought.call for thought in thoughts_in(shown)]

    assert len(calls) == len(set(calls)) > 5


# Which session is shown


def test_the_transcript_that_changed_last_is_shown_first_however_old_it_is(place: Place) -> None:
    claude_session(place.home, "older", changed=1_600_000_000)
    claude_session(place.home, "newer", changed=1_600_000_001)
    catalog = place.catalog("claude")
    catalog.refresh()

    found = session_choice.session_to_show(catalog, NOW)

    assert found is not None
    assert found.stem == "claude-newer"


def test_an_old_transcript_is_not_shown_before_a_newer_journal_that_is_old_too(place: Place) -> None:
    claude_session(place.home, "old", changed=1_500_000_000)
    JournalBuilder().session().thought("x", 1, 1).write(place.journals / "20260310T140200.000000Z-k3v9qa.jsonl")
    catalog = place.catalog("claude")
    catalog.refresh()

    assert session_choice.session_to_show(catalog, NOW) is None


def test_a_transcript_that_changed_a_moment_ago_is_switched_to_and_live(place: Place) -> None:
    seconds = NOW // 1_000_000
    claude_session(place.home, "current", changed=seconds - 50)
    claude_session(place.home, "newer", changed=seconds - 5)
    claude_session(place.home, "quiet", changed=seconds - 500)
    catalog = place.catalog("claude")
    catalog.refresh()
    paths = {file.session: file.path for file in catalog.sessions()}
    current = paths["claude-current"]

    assert session_choice.newer_session(current, catalog, NOW) == paths["claude-newer"]
    assert session_choice.newer_session(paths["claude-newer"], catalog, NOW) is None
    assert session_choice.other_live_sessions(current, catalog, NOW) == [paths["claude-newer"]]


def test_a_transcript_from_a_clock_that_is_ahead_is_not_live_and_takes_no_screen_over(place: Place) -> None:
    claude_session(place.home, "ahead", changed=NOW // 1_000_000 + 3600)
    claude_session(place.home, "now")
    catalog = place.catalog("claude")
    catalog.refresh()
    ahead, now = catalog.sessions()

    assert (catalog.session(ahead.path).is_live(ahead, NOW), catalog.session(now.path).is_live(now, NOW)) == (
        False,
        True,
    )
    assert session_choice.session_to_show(catalog, NOW) == now.path
    assert session_choice.newer_session(now.path, catalog, NOW) is None


def test_names_of_transcripts_are_read_from_their_beginnings(place: Place) -> None:
    path = claude_session(place.home, "s", text="Why do we see 502s?")
    catalog = place.catalog("claude")
    catalog.refresh()
    command = session_choice.session_commands(catalog, NOW)[0]

    assert command.name.startswith("Session: ")
    assert command.session == catalog.sessions()[0].path
    assert session_choice.last_session_text(catalog, NOW).endswith(" ago")
    assert path.exists()


@pytest.mark.parametrize("client", TRANSCRIPTS)
def test_the_first_session_of_a_client_that_was_never_used_is_a_change(place: Place, client: str) -> None:
    library = place.library(client)
    library.refresh()
    assert not library.has_changed()

    place.lay(A_RUN[client], has_journals=False)

    assert library.has_changed()


# Files that move


def answer_to(name: str) -> str:
    return (
        f'{{"parentUuid":"u-{name}","isSidechain":false,"type":"user","uuid":"u2-{name}","sessionId":"{name}",'
        '"timestamp":"2026-11-22T17:38:22.000Z","cwd":"/w","message":{"role":"user","content":"And now?"}}\n'
    )


@pytest.mark.parametrize("is_copied", [True, False])
def test_a_transcript_that_moves_to_another_folder_is_followed(is_copied: bool, place: Place) -> None:
    path = claude_session(place.home, "one")
    library = place.library("claude")
    library.refresh()
    (file,) = library.sessions()
    library.spools.read_whole(file.path)
    moved = path.parent.with_name("-w--claude-worktrees-feat") / path.name
    moved.parent.mkdir()
    if is_copied:
        shutil.copy(path, moved)
        library.refresh()
        library.spools.read_whole(file.path)
        path.unlink()
    else:
        path.rename(moved)
    with moved.open("a", encoding="utf-8") as out:
        out.write(answer_to("one"))

    library.refresh()
    library.spools.read_whole(file.path)

    assert [one.path for one in library.sessions()] == [file.path]
    assert [text in file.path.read_text(encoding="utf-8") for text in ("Why?", "And now?")] == [True, True]


def test_a_codex_session_that_is_archived_is_followed(place: Place) -> None:
    place.lay("codex/one-call", has_journals=False)
    library = place.library("codex")
    library.refresh()
    (file,) = library.sessions()
    library.spools.read_whole(file.path)
    before = file.path.read_bytes()
    (rollout,) = (place.home / ".codex" / "sessions").rglob("*.jsonl")
    moved = place.home / ".codex" / "archived_sessions" / rollout.name
    moved.parent.mkdir()
    rollout.rename(moved)
    asked = {"type": "user_message", "message": "Also?"}
    record = {"timestamp": "2026-12-22T17:38:21.000Z", "type": "event_msg", "payload": asked}
    with moved.open("a", encoding="utf-8") as out:
        out.write(json.dumps(record) + "\n")

    library.refresh()
    library.spools.read_whole(file.path)

    assert file.path.read_bytes().startswith(before)
    assert b'"text":"Also?"' in file.path.read_bytes()


def test_a_session_that_is_in_two_folders_is_listed_once_as_the_one_that_goes_on(place: Place) -> None:
    old = claude_session(place.home, "one", changed=NOW // 1_000_000 - 60)
    new = old.parent.with_name("-w--claude-worktrees-feat") / old.name
    new.parent.mkdir()
    new.write_bytes(old.read_bytes())
    os.utime(new, (NOW // 1_000_000, NOW // 1_000_000))
    library = place.library("claude")

    library.refresh()

    (file,) = library.sessions()
    original = library.spools.original_of(file.path)
    assert original is not None
    assert original[1].path == new
