import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from seqthink.sources.transcripts.facts import AgentStarted, Fact, Prompt, Result, ToolCall, TurnEnded
from seqthink.sources.transcripts.opencode.feed import OpenCodeFeed
from seqthink.sources.transcripts.opencode.source import OpenCodeSource
from seqthink.sources.transcripts.source import SessionFeed
from tests.sources.transcripts.opencode.client_database import ClientDatabase, recorded_events

ROOT = "ses_df8ce76e9ffeZd9nry1snq2d3u"
CHAIN = "ses_dfba547a8ffesxDkcNY4LPU9sR"


def store(storage: Path, name: str) -> None:
    """Write a recorded session as the client did before it had a database."""
    for kind, data in recorded_events(name):
        session = data["sessionID"]
        match kind.split("."):
            case ["session", *_]:
                put(storage / "session" / "global" / f"{session}.json", {"projectID": "global", **data["info"]})
            case ["message", "updated", _]:
                put(storage / "message" / session / f"{data['info']['id']}.json", data["info"])
            case _:
                put(storage / "part" / data["part"]["messageID"] / f"{data['part']['id']}.json", data["part"])


def put(path: Path, value: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def read_all(feed: SessionFeed, limit_bytes: int) -> list[Fact]:
    facts: list[Fact] = []
    while True:
        batch = feed.read(limit_bytes)
        facts += batch.facts
        if batch.at_end:
            return facts


@pytest.mark.parametrize("limit_bytes", [1, 1 << 20])
def test_the_old_files_give_the_facts_of_the_database(tmp_path: Path, limit_bytes: int) -> None:
    store(tmp_path / "storage", "chain-resume")
    database = ClientDatabase(tmp_path / "other.db")
    database.record("chain-resume")
    source = OpenCodeSource()
    found = source.find(tmp_path, 9)

    assert [each.id for each in found] == [CHAIN]
    feed = source.open(found[0])
    expected = read_all(OpenCodeFeed(database.path, CHAIN), 1 << 20)
    assert read_all(feed, limit_bytes) == expected
    assert feed.read(1) == ([], True, False)
    feed.close()
    database.close()


def test_subagents_belong_to_the_session_that_started_them(tmp_path: Path) -> None:
    store(tmp_path / "storage", "agents-fork")
    source = OpenCodeSource()
    found = {each.id: each for each in source.find(tmp_path, 9)}

    facts = read_all(source.open(found[ROOT]), 1 << 20)
    agents = {fact.id for fact in facts if isinstance(fact, AgentStarted)}
    assert len(agents) == 2
    assert agents.isdisjoint(found)
    assert {fact.agent for fact in facts if isinstance(fact, TurnEnded)} == {None, *agents}
    assert len([fact for fact in facts if isinstance(fact, ToolCall) and fact.tool == "sequentialthinking"]) == 10


def test_a_session_that_is_in_the_database_too_is_listed_once(tmp_path: Path) -> None:
    store(tmp_path / "storage", "chain-resume")
    database = ClientDatabase(tmp_path / "opencode.db")
    database.record("chain-resume")

    assert [found.path for found in OpenCodeSource().find(tmp_path, 9)] == [database.path]
    database.close()


def test_a_sessions_file_is_recognised_where_it_lies(tmp_path: Path) -> None:
    store(tmp_path / "storage", "chain-resume")
    source = OpenCodeSource()
    path = tmp_path / "storage" / "session" / "global" / f"{CHAIN}.json"
    copy = tmp_path / f"{CHAIN}.json"
    copy.write_bytes(path.read_bytes())

    assert source.recognises(path, path.read_bytes())
    assert [found.id for found in source.sessions_in(path)] == [CHAIN]
    assert not source.recognises(copy, copy.read_bytes())
    with pytest.raises(OSError, match=r"has a format that this version cannot read"):
        source.sessions_in(copy)


def test_files_that_cannot_be_read_lose_nothing_else(tmp_path: Path) -> None:
    storage = tmp_path / "storage"
    store(storage, "chain-resume")
    (storage / "session" / "global" / "ses_cut.json").write_text('{"id": "ses', encoding="utf-8")
    (storage / "session" / "global" / "ses_link.json").symlink_to(storage)
    (storage / "message" / CHAIN / "msg_0.json").write_bytes(b"\xff")
    first = next((storage / "part").iterdir())
    (first / "prt_0.json").write_text("[]", encoding="utf-8")
    (first / "prt_1.json").mkdir()
    source = OpenCodeSource()

    feed = source.open(source.find(tmp_path, 9)[0])
    facts = read_all(feed, 1 << 20)
    assert len([fact for fact in facts if isinstance(fact, Result)]) == 6
    assert len([fact for fact in facts if isinstance(fact, Prompt)]) == 2
    assert feed.counts.corrupt == 2
