"""OpenCode 2 keeps sessions in tables of its own; those of OpenCode 1 may stand beside them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    Fact,
    Prompt,
    Reasoning,
    Result,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.opencode.feed import OpenCodeFeed
from seqthink.sources.transcripts.opencode.source import OpenCodeSource
from tests.sources.transcripts.opencode.client_database import BEGIN, ClientDatabase
from tests.sources.transcripts.opencode.newer_database import NEWER_TABLES, NewerDatabase, thought, tool


@pytest.fixture
def database(tmp_path: Path) -> Iterator[NewerDatabase]:
    database = NewerDatabase(tmp_path / "opencode.db")
    database.session("root", "Why is it slow?")
    yield database
    database.close()


def _facts(path: Path, session_id: str = "root") -> list[Fact]:
    feed = OpenCodeFeed(path, session_id)
    facts = feed.read(1 << 20).facts
    feed.close()
    return facts


def _thoughts(facts: list[Fact]) -> list[tuple[str | None, object]]:
    return [(fact.agent, fact.arguments["thought"]) for fact in facts if isinstance(fact, ToolCall) and fact.arguments]


def _texts(facts: list[Fact]) -> list[str]:
    return [fact.text for fact in facts if isinstance(fact, Prompt | Reasoning | TurnEnded)]


def test_a_session_of_the_newer_tables_is_listed_without_its_subagents(database: NewerDatabase) -> None:
    database.session("child", "Scan the logs", parent="root")

    source = OpenCodeSource()

    assert [found.id for found in source.find(database.path.parent, 10)] == ["root"]
    assert source.recognises(database.path, database.path.read_bytes()[:100])
    assert [found.id for found in source.sessions_in(database.path)] == ["root"]


def test_everything_that_was_thought_and_said_is_read_in_its_order(database: NewerDatabase) -> None:
    database.message("root", "m0", "agent-switched", agent="build")
    database.message("root", "m1", "user", text="Why is it slow?")
    reasoning = {"type": "reasoning", "text": "Look at the pool."}
    answer = {"type": "text", "text": "It is the pool."}
    content = [reasoning, thought(1, "the gateway"), thought(2, "the pool"), answer]
    database.message("root", "m2", "assistant", model={"id": "gpt-5.4"}, content=content, completed=True)

    facts = _facts(database.path)

    assert [type(fact) for fact in facts] == [
        SessionDescribed, Prompt, Reasoning, ToolCall, Result, ToolCall, Result, TurnEnded,
    ]  # fmt: skip
    described, reasoned = facts[0], facts[2]
    assert isinstance(described, SessionDescribed)
    assert (described.cwd, described.title, described.client_version) == ("/home/ada/work", "Why is it slow?", "2.0.12")
    assert isinstance(reasoned, Reasoning)
    assert reasoned.model == "gpt-5.4"
    assert _texts(facts) == ["Why is it slow?", "Look at the pool.", "It is the pool."]
    assert _thoughts(facts) == [(None, "the gateway"), (None, "the pool")]


def test_a_part_never_comes_before_the_message_that_holds_it(database: NewerDatabase) -> None:
    database.message("root", "m1", "user", text="go")
    early = {**thought(1, "early"), "time": {"created": BEGIN - 1000}}
    database.message("root", "m2", "assistant", content=[early], finish="tool-calls", completed=True)

    assert [type(fact) for fact in _facts(database.path)] == [SessionDescribed, Prompt, ToolCall, Result]


def test_a_subagent_thinks_on_a_lane_of_its_own_under_its_call(database: NewerDatabase) -> None:
    database.message("root", "m1", "user", text="go")
    arguments = {"agent": "explore", "description": "Scan the logs", "prompt": "scan"}
    task = tool("t", "subagent", input=arguments, metadata={"sessionID": "child", "status": "completed"})
    database.message("root", "m2", "assistant", content=[task], finish="tool-calls", completed=True)
    database.session("child", "Scan the logs", parent="root")
    database.message("child", "c1", "user", text="You are a subagent spawned by another session.\nscan")
    database.message("child", "c2", "assistant", content=[thought(1, "in the logs", "c")], completed=True)

    facts = _facts(database.path)

    started = [fact for fact in facts if isinstance(fact, AgentStarted)]
    assert [(fact.id, fact.name, fact.call) for fact in started][-1] == ("child", "Scan the logs", "t")
    assert _thoughts(facts) == [("child", "in the logs")]
    assert _texts(facts) == ["go", "scan", ""]  # its task ends it, though nothing says when


def test_what_a_script_called_stands_in_the_place_of_the_script(database: NewerDatabase) -> None:
    calls = [
        {"tool": "seq.sequentialthinking", "status": "completed", "input": thought(1, "first")["state"]["input"]},
        {"tool": "seq.sequentialthinking", "status": "completed", "input": thought(2, "second")["state"]["input"]},
    ]
    script = {"code": "await tools.seq.sequentialthinking({})"}
    running = tool("x", "execute", status="running", input=script, metadata={"toolCalls": calls[:1]})
    database.message("root", "m2", "assistant", content=[running])
    feed = OpenCodeFeed(database.path, "root")
    facts = feed.read(1 << 20).facts

    database.message("root", "m2", "assistant", content=[tool("x", "execute", metadata={"toolCalls": calls})])
    facts += feed.read(1 << 20).facts
    feed.close()

    assert _thoughts(facts) == [(None, "first"), (None, "second")]
    assert [fact.tool for fact in facts if isinstance(fact, ToolCall)] == ["sequentialthinking"] * 2
    assert not [fact for fact in facts if isinstance(fact, Rewound)]


def test_a_message_that_is_rewritten_is_followed_and_emitted_once(database: NewerDatabase) -> None:
    database.message("root", "m1", "user", text="go")
    feed = OpenCodeFeed(database.path, "root")
    feed.read(1 << 20)

    streaming = tool("call_1", "seq_sequentialthinking", status="streaming", input="{")
    database.message("root", "m2", "assistant", content=[streaming])
    begun = feed.read(1 << 20).facts
    database.message("root", "m2", "assistant", content=[thought(1, "a")])
    called = feed.read(1 << 20).facts
    database.message("root", "m2", "assistant", content=[thought(1, "a"), thought(2, "b")], finish="tool-calls")
    more = feed.read(1 << 20).facts
    database.remove_message("m2")
    removed = feed.read(1 << 20).facts
    feed.close()

    assert begun == []
    assert [_thoughts(called), _thoughts(more)] == [[(None, "a")], [(None, "b")]]
    assert [fact.dropped for fact in removed if isinstance(fact, Rewound)] == [("call_1", "call_2")]


def test_a_failed_call_keeps_the_reason(database: NewerDatabase) -> None:
    error = {"type": "unknown", "message": "params/thoughtNumber must be integer"}
    refused = tool("c", "seq_sequentialthinking", status="error", input={"thought": "a"}, error=error)
    database.message("root", "m2", "assistant", content=[refused])

    results = [fact for fact in _facts(database.path) if isinstance(fact, Result)]

    assert [(fact.is_error, fact.error) for fact in results] == [(True, "params/thoughtNumber must be integer")]


@pytest.mark.parametrize(("outcome", "is_aborted"), [("interrupted", True), ("failed", True), ("succeeded", False)])
def test_a_turn_ends_when_the_session_goes_idle(database: NewerDatabase, outcome: str, *, is_aborted: bool) -> None:
    database.message("root", "m1", "user", text="go")
    database.message("root", "m2", "assistant", content=[thought(1, "a")], finish="tool-calls", completed=True)
    database.message("root", "m3", "idle", outcome=outcome)

    ends = [fact for fact in _facts(database.path) if isinstance(fact, TurnEnded)]

    assert [fact.is_aborted for fact in ends] == [is_aborted]


def test_a_compaction_is_emitted_when_it_is_completed(database: NewerDatabase) -> None:
    database.message("root", "m1", "compaction", status="running", reason="auto", summary="")
    database.message("root", "m2", "compaction", status="completed", reason="auto", summary="all of it")

    assert [fact.id for fact in _facts(database.path) if isinstance(fact, Compacted)] == ["m2"]


def test_an_unknown_kind_of_message_is_counted(database: NewerDatabase) -> None:
    database.message("root", "m1", "hologram", text="?")
    feed = OpenCodeFeed(database.path, "root")
    feed.read(1 << 20)
    feed.close()

    assert feed.counts.unknown == 1


def test_a_fork_shows_its_own_messages_only(database: NewerDatabase) -> None:
    database.message("root", "m1", "user", text="go")
    database.session("fork", None, fork_of="root")
    database.message("fork", "f1", "user", created=BEGIN + 2, text="go")
    database.message("fork", "f2", "user", text="another way")

    assert [found.id for found in OpenCodeSource().find(database.path.parent, 10)] == ["root"]
    assert _texts(_facts(database.path)) == ["go", "another way"]


def test_the_newer_tables_lead_and_the_older_ones_add_what_only_they_have(tmp_path: Path) -> None:
    older = ClientDatabase(tmp_path / "opencode.db")
    older.session("root", "the old title")
    older.message("root", "m1", "user")
    older.part("root", "m1", "p1", type="text", text="copied once")
    older.session("stayed", "in the old tables only")
    older.connection.executescript(NEWER_TABLES)
    newer = NewerDatabase.__new__(NewerDatabase)
    newer.path, newer.connection, newer.now = older.path, older.connection, older.now
    newer.session("root", "the new title")
    newer.message("root", "m1", "user", created=BEGIN + 2, text="copied once")
    newer.message("root", "m2", "user", text="asked of OpenCode 2")
    older.now = newer.now
    older.message("root", "m3", "user")
    older.part("root", "m3", "p3", type="text", text="asked of OpenCode 1 again")

    facts = _facts(older.path)
    listed = {found.id for found in OpenCodeSource().find(tmp_path, 10)}
    older.close()

    assert listed == {"root", "stayed"}
    assert [fact.title for fact in facts if isinstance(fact, SessionDescribed)] == ["the new title"]
    assert _texts(facts) == ["copied once", "asked of OpenCode 2", "asked of OpenCode 1 again"]


def test_newer_tables_that_nothing_was_copied_into_hide_no_session(tmp_path: Path) -> None:
    older = ClientDatabase(tmp_path / "opencode.db")
    older.session("root", "old")
    older.message("root", "m1", "user")
    older.part("root", "m1", "p1", type="text", text="asked")
    older.connection.executescript(NEWER_TABLES)

    facts = _facts(older.path)
    older.close()

    assert _texts(facts) == ["asked"]
