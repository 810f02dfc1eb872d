"""A session of Claude Code that shows a permission prompt needs you wherever sessions are listed."""

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest

from seqthink.chain.attention import Attention
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.journal.decode import decode
from seqthink.library.catalog import session_index
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.catalog.session_index import SessionIndex
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcripts import TranscriptPlace
from tests.support.transcripts.claude_lines import SESSION, START_US, assistant, call, user
from tui.sessions.wall_sessions import WallSessions

HOUR = 3_600_000_000
NOW = START_US + HOUR
MAX_NOTICES = 1000


class Client:
    """Claude Code, which has called a tool an hour ago."""

    def __init__(self, home: Path) -> None:
        self._process = home / ".claude" / "sessions" / "1.json"
        self._process.parent.mkdir(parents=True)
        path = home / ".claude" / "projects" / "-w" / f"{SESSION}.jsonl"
        path.parent.mkdir(parents=True)
        uses = call("c1", "Bash", command="make deploy")
        path.write_bytes(user("u1", None, "why?") + b"\n" + assistant("a1", "u1", "m1", uses) + b"\n")
        os.utime(path, (START_US / 1e6, START_US / 1e6))
        self.says("busy")

    def says(self, status: str) -> None:
        fields = {"pid": os.getpid(), "sessionId": SESSION, "status": status, "waitingFor": "permission prompt"}
        self._process.write_text(json.dumps(fields), "utf-8")


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path)


@pytest.fixture
def catalog(tmp_path: Path, client: Client) -> Generator[SessionCatalog]:
    assert client
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    library = TranscriptPlace(frozenset({"claude"}), environ, tmp_path, lambda: NOW)
    yield SessionCatalog(FolderPlace(tmp_path / "journals"), library)
    library.close()


def test_the_list_follows_a_prompt_that_is_in_no_line_of_the_transcript(
    catalog: SessionCatalog, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_index, "RELIST_SECONDS", 0.01)
    index, notices = SessionIndex(catalog, UNICODE, decode, clock=lambda: NOW), iter(range(MAX_NOTICES))
    steps = iter([("", "waiting"), ("allow Bash make deploy?", "busy"), ("", "")])
    wanted = [next(steps)]

    def look() -> None:
        assert next(notices) < MAX_NOTICES - 1, "it never comes to that"
        for file in index.files:
            listed = index.summary(file)
            if listed is not None and listed.is_counted and listed.standing.question == wanted[0][0]:
                if not wanted[0][1]:
                    index.stop()
                    return
                client.says(wanted[0][1])
                wanted[0] = next(steps)

    index.scan(look)

    assert wanted == [("", "")]


def test_a_session_that_has_waited_for_an_hour_is_on_the_board(catalog: SessionCatalog, client: Client) -> None:
    wall = WallSessions(catalog, lambda: NOW, decode)
    client.says("waiting")
    catalog.refresh()
    wall.refresh()
    (entry,) = wall.entries

    assert (entry.standing.attention, entry.standing.question) == (Attention.ASKING, "allow Bash make deploy?")
    assert catalog.session(catalog.sessions()[0].path).is_live(catalog.sessions()[0], NOW)


def test_a_session_on_the_board_needs_you_as_soon_as_its_client_says_so(
    catalog: SessionCatalog, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.sessions.wall_candidates.MAX_RELIST_SECONDS", 0.0)
    monkeypatch.setattr("tui.sessions.followed_session.TRANSLATION_SECONDS", 0.0)
    wall = WallSessions(catalog, lambda: NOW, decode)
    seen: list[list[str]] = []
    for status in ("busy", "waiting", "busy"):
        client.says(status)
        catalog.refresh()
        wall.refresh()
        seen.append([entry.standing.question for entry in wall.entries])

    assert seen[:2] == [[], ["allow Bash make deploy?"]]
    assert "allow Bash make deploy?" not in seen[2]
