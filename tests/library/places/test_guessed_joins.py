"""Two sessions of one client in one folder that begin with the same thought, and whose calls have no ids."""

import json
import os
from collections.abc import Callable, Generator
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import pytest

from seqthink.core.events import ThoughtEvent
from seqthink.core.times import microseconds_of
from seqthink.journal.decode import decode
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.sources.transcripts.registry import TRANSCRIPTS
from tests.sources.transcripts.opencode.client_database import ClientDatabase
from tests.support.journals.build import START, JournalBuilder

ONE, TWO = "0a970a83-f1e5-4568-8205-900341368e9a", "0b604766-c3e3-4424-ba95-637ddb06728b"


class Client(Protocol):
    """A client that writes transcripts; times are in seconds after the beginning of the test."""

    name: str

    def call(self, session: str, text: str, number: int, second: float, record: int = 0) -> None: ...


class Gemini:
    """Writes the files of Gemini CLI."""

    name = "gemini-cli"

    def __init__(self, home: Path, cleanup: ExitStack) -> None:
        self.chats = home / ".gemini" / "tmp" / "work" / "chats"
        self.chats.mkdir(parents=True)
        cleanup.callback(lambda: None)

    def call(self, session: str, text: str, number: int, second: float, record: int = 0) -> None:
        """Add a call of a session, which begins with its first."""
        path, time = self.chats / f"session-2026-03-10T14-02-{session[:8]}.jsonl", at(second)
        key = record or number
        head = {"sessionId": session, "projectHash": "55e6", "startTime": iso(at(-1)), "kind": "main"}
        prompt = {"id": f"u-{session}", "timestamp": iso(at(-1)), "type": "user", "content": [{"text": "why?"}]}
        response = {"functionResponse": {"id": f"c{key}", "name": "t", "response": {"output": "{}"}}}
        made = {"id": f"c{key}", "name": "mcp_seq_sequentialthinking", "args": arguments(text, number)}
        made |= {"status": "success", "timestamp": iso(time), "result": [response]}
        answer = {"id": f"m{key}", "timestamp": iso(time), "type": "gemini", "content": "", "model": "m"}
        records = [*([] if path.exists() else [head, prompt]), answer | {"toolCalls": [made]}]
        with path.open("a", encoding="utf-8") as file:
            file.write("".join(json.dumps(record) + "\n" for record in records))
        os.utime(path, (time.timestamp(), time.timestamp()))


class OpenCode:
    """Writes the database of OpenCode."""

    name = "opencode"

    def __init__(self, home: Path, cleanup: ExitStack) -> None:
        folder = home / ".local" / "share" / "opencode"
        folder.mkdir(parents=True)
        self.database = ClientDatabase(folder / "opencode.db")
        cleanup.callback(self.database.close)
        self.sessions: set[str] = set()

    def call(self, session: str, text: str, number: int, second: float, record: int = 0) -> None:
        """Add a call of a session, which begins with its first."""
        key = record or number
        start = round(at(second).timestamp() * 1000)
        if session not in self.sessions:
            self.database.now = start - 10
        created = {"created": round(at(-1).timestamp() * 1000), "updated": start}
        self.sessions.add(session)
        self.database.session(session, time=created)
        self.database.now = start
        message, part = f"m-{session}-{key}", f"p-{session}-{key}"
        self.database.message(session, message, "assistant")
        state = {"status": "completed", "input": arguments(text, number), "output": "{}", "time": times(start)}
        self.database.part(
            session, message, part, type="tool", tool="seq_sequentialthinking", callID=f"call_{key}", state=state
        )


def times(start: int) -> dict[str, int]:
    return {"start": start, "end": start + 5}


def arguments(text: str, number: int) -> dict[str, Any]:
    return {"thought": text, "nextThoughtNeeded": True, "thoughtNumber": number, "totalThoughts": 9}


def at(second: float) -> datetime:
    return START + timedelta(seconds=second)


def iso(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Desk:
    """A client, our journals of two of its sessions, and the viewer's library."""

    def __init__(self, folder: Path, client: Client, library: TranscriptPlace) -> None:
        self.folder, self.client, self.library = folder, client, library
        self.catalog = SessionCatalog(FolderPlace(folder), library)
        self.journals = {name: JournalBuilder(START).session(client=client.name) for name in ("one", "two")}

    def think(self, name: str, text: str, number: int, second: float) -> None:
        """Write a thought into a journal."""
        journal = self.journals[name]
        journal.now = at(second)
        path = journal.thought(text, number, 9, after=0).append_to(self.folder / f"{name}.jsonl")
        os.utime(path, (at(second).timestamp(), at(second).timestamp()))

    def joined(self) -> dict[str, str | None]:
        """Look for transcripts; return the first letters of the session with which each journal is joined."""
        self.catalog.refresh()
        shown = {name: self.library.shown_instead(self.folder / f"{name}.jsonl") for name in self.journals}
        originals = {name: self.library.spools.original_of(path) if path else None for name, path in shown.items()}
        return {name: found[1].id[:2] if found else None for name, found in originals.items()}

    def shown(self) -> list[list[str]]:
        """Return the thoughts of every session in the list."""
        found: list[list[str]] = []
        for file in self.catalog.sessions():
            self.catalog.session(file.path).read_whole()
            events = [decode(line) for line in file.path.read_bytes().splitlines()]
            found.append([event.thought for event in events if isinstance(event, ThoughtEvent)])
        return sorted(found)


@pytest.fixture(params=[Gemini, OpenCode])
def desk(tmp_path: Path, request: pytest.FixtureRequest) -> Generator[Desk]:
    place = tmp_path / "desk"
    for name in ("home", "journals", "runtime"):
        (place / name).mkdir(parents=True)
    make: Callable[[Path, ExitStack], Client] = request.param
    with ExitStack() as cleanup:
        client = make(place / "home", cleanup)
        environ, now = {"XDG_RUNTIME_DIR": str(place / "runtime")}, microseconds_of(at(60))
        library = TranscriptPlace(frozenset(TRANSCRIPTS), environ, place / "home", lambda: now)
        cleanup.callback(library.close)
        yield Desk(place / "journals", client, library)


BOTH = {"one": ONE[:2], "two": TWO[:2]}


def test_a_journal_whose_transcript_is_not_there_yet_does_not_take_the_call_of_another(desk: Desk) -> None:
    desk.think("one", "Why?", 1, 0)
    desk.think("two", "Why?", 1, 1)
    desk.client.call(TWO, "Why?", 1, 1)

    assert desk.joined() == {"one": None, "two": TWO[:2]}
    assert desk.shown() == [["Why?"], ["Why?"]]

    desk.client.call(ONE, "Why?", 1, 0)
    assert desk.joined() == BOTH
    assert desk.shown() == [["Why?"], ["Why?"]]


def test_a_join_is_undone_when_a_later_call_proves_it_wrong(desk: Desk) -> None:
    desk.think("one", "Why?", 1, 0)
    desk.client.call(TWO, "Why?", 1, 0.1)
    assert desk.joined()["one"] == TWO[:2]

    desk.think("two", "Why?", 1, 2)
    desk.client.call(ONE, "Why?", 1, 2.1)
    desk.joined()
    for session, name, second in ((ONE, "one", 10), (TWO, "two", 11)):
        desk.think(name, f"only {name}", 2, second)
        desk.client.call(session, f"only {name}", 2, second)

    assert desk.joined() == BOTH
    assert desk.shown() == [["Why?", "only one"], ["Why?", "only two"]]


def test_a_thought_that_its_transcript_does_not_have_yet_changes_nothing(desk: Desk) -> None:
    for session, name, second in ((ONE, "one", 0), (TWO, "two", 1)):
        desk.think(name, "Why?", 1, second)
        desk.client.call(session, "Why?", 1, second)
    assert desk.joined() == BOTH

    desk.think("one", "only one", 2, 10)
    desk.client.call(TWO, "only two", 2, 11)

    assert desk.joined() == BOTH
    assert desk.shown() == [["Why?", "only one"], ["Why?", "only two"]]


def test_two_servers_of_one_session_share_its_transcript_where_it_holds_the_call_twice(desk: Desk) -> None:
    for record, (name, second) in enumerate((("one", 0), ("two", 5)), 1):
        desk.think(name, "Why?", 1, second)
        desk.client.call(ONE, "Why?", 1, second, record)
    desk.client.call(TWO, "Something else", 1, 7)

    assert desk.joined() == {"one": ONE[:2], "two": ONE[:2]}
    assert desk.shown() == [["Something else"], ["Why?", "Why?"]]
