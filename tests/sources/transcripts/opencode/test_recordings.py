from collections import Counter
from pathlib import Path

import pytest

from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    Fact,
    Prompt,
    Reasoning,
    Result,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.opencode.feed import OpenCodeFeed
from seqthink.sources.transcripts.opencode.source import OpenCodeSource
from tests.sources.transcripts.opencode.client_database import ClientDatabase, recorded_events
from tests.support.depth import first

RECORDINGS = {
    "chain-resume": "ses_dfba547a8ffesxDkcNY4LPU9sR",
    "agents-fork": "ses_df8ce76e9ffeZd9nry1snq2d3u",
    "compaction": "ses_df8c8870effeWxf550A8y38UDt",
}
FORK = "ses_df8ce53a9ffeGOwwMF1JHQ1Wtz"
LOG, SCHEDULE = "ses_df8ce6a60ffe2EZHt20bkaYh3g", "ses_df8ce6a4effeN4EEPRiwdV6EhK"


def read_all(feed: OpenCodeFeed, limit_bytes: int = 1 << 20) -> list[Fact]:
    facts: list[Fact] = []
    while True:
        batch = feed.read(limit_bytes)
        facts += batch.facts
        if batch.at_end:
            return facts


def recorded_facts(tmp_path: Path, name: str, limit_bytes: int = 1 << 20) -> list[Fact]:
    database = ClientDatabase(tmp_path / "opencode.db")
    database.record(name)
    feed = OpenCodeFeed(database.path, RECORDINGS[name])
    try:
        return read_all(feed, limit_bytes)
    finally:
        feed.close()
        database.close()


def thoughts(facts: list[Fact], agent: str | None = None) -> list[str]:
    calls = [fact for fact in facts if isinstance(fact, ToolCall) and fact.agent == agent]
    return [call.arguments["thought"] for call in calls if call.tool == "sequentialthinking"]


def test_a_chain_with_a_resume_is_read_as_it_happened(tmp_path: Path) -> None:
    facts = recorded_facts(tmp_path, "chain-resume")

    assert facts[0] == SessionDescribed(
        id=RECORDINGS["chain-resume"],
        time=1795369384023000,
        client_version="1.18.33",
        cwd="/home/ada/work",
        title="DONE: the cron job",
    )
    assert [fact.text for fact in facts if isinstance(fact, Prompt)] == ['"why do we see 502s?"', '"and again?"']
    assert thoughts(facts) == [
        "Symptoms: 502s at the top of each hour",
        "Pool exhausted?\nTwo lines — ünïcode 漢字",
        "What runs at :00?",
        "bad call",
        "Not the pool",
        "Final: the cron job",
    ]
    results = [fact for fact in facts if isinstance(fact, Result)]
    assert [result.is_error for result in results] == [False, False, False, True, False, False]
    assert [result.answered_next for result in results] == [True, True, True, None, True, False]
    assert results[3].error.startswith("MCP error -32602: Input validation error")
    reasonings = [fact for fact in facts if isinstance(fact, Reasoning)]
    assert [fact.text.partition("call ")[2][:1] for fact in reasonings] == ["1", "2", "3", "4", "5", "6", "7", "7"]
    assert {fact.model for fact in reasonings} == {"mock"}
    assert [fact.duration_ms for fact in reasonings][:2] == [7.0, 3.0]
    assert [fact.text for fact in facts if isinstance(fact, TurnEnded)] == ["DONE: the cron job"] * 2


def test_a_thought_is_called_with_what_the_model_gave_and_has_the_clients_id(tmp_path: Path) -> None:
    facts = recorded_facts(tmp_path, "chain-resume")

    branch = next(fact for fact in facts if isinstance(fact, ToolCall) and fact.id == "call_69386")
    assert branch.arguments == {
        "thought": "What runs at :00?",
        "thoughtNumber": 1,
        "totalThoughts": 2,
        "nextThoughtNeeded": True,
        "branchFromThought": 1,
        "branchId": "cron-job",
    }
    assert branch.time == 1795369386983000


def test_subagents_at_the_same_time_are_distinguished(tmp_path: Path) -> None:
    facts = recorded_facts(tmp_path, "agents-fork")

    agents = {fact.id: fact for fact in facts if isinstance(fact, AgentStarted)}
    assert {agent.id: (agent.name, agent.call, agent.model, agent.agent) for agent in agents.values()} == {
        LOG: ("read the log", "call_7_69cc989_0_agents", "scripted", None),
        SCHEDULE: ("read the schedule", "call_7_69cc989_1_agents", "scripted", None),
    }
    assert thoughts(facts, LOG) == ["Log: what is there?", "it fails at :00 only"]
    assert thoughts(facts, SCHEDULE) == ["Schedule: what is there?", "a job at :00 opens 40 connections"]
    ends = [(fact.agent, fact.text) for fact in facts if isinstance(fact, TurnEnded) and fact.agent in agents]
    assert ends == [(LOG, "Log: it fails at :00 only"), (SCHEDULE, "Schedule: a job at :00 opens 40 connections")]


def test_the_call_that_starts_a_subagent_stands_before_the_subagent(tmp_path: Path) -> None:
    facts = recorded_facts(tmp_path, "agents-fork")

    places = [(type(fact).__name__, fact.id) for fact in facts]
    assert places.index(("ToolCall", "call_7_69cc989_0_agents")) < places.index(("AgentStarted", LOG))


def test_a_command_that_failed_is_an_error(tmp_path: Path) -> None:
    facts = recorded_facts(tmp_path, "agents-fork")

    failed = {fact.id for fact in facts if isinstance(fact, Result) and fact.is_error}
    calls = [fact for fact in facts if isinstance(fact, ToolCall) and fact.id in failed]
    assert [(call.tool, call.summary) for call in calls] == [
        ("sequentialthinking", ""),
        ("bash", "cat no-such-file.log"),
    ]


def test_a_fork_is_an_agent_of_the_same_session_without_what_it_copied(tmp_path: Path) -> None:
    facts = recorded_facts(tmp_path, "agents-fork")

    own = [fact for fact in facts if fact.agent == FORK]
    assert isinstance(own[0], SessionDescribed)
    assert (own[0].id, own[0].forked_from) == (FORK, RECORDINGS["agents-fork"])
    assert [type(fact).__name__ for fact in own[1:]] == [
        "Prompt",
        "Reasoning",
        "ToolCall",
        "Result",
        "Reasoning",
        "TurnEnded",
    ]
    assert thoughts(facts, FORK) == ["Or a bigger pool"]
    assert max(Counter(thoughts(facts)).values()) == 1


def test_a_fork_is_not_listed_as_a_session_of_its_own(tmp_path: Path) -> None:
    database = ClientDatabase(tmp_path / "opencode.db")
    database.record("agents-fork")

    assert [found.id for found in OpenCodeSource().sessions_in(database.path)] == [RECORDINGS["agents-fork"]]
    database.close()


def test_a_fork_whose_origin_was_deleted_stands_for_itself(tmp_path: Path) -> None:
    database = ClientDatabase(tmp_path / "opencode.db")
    database.record("agents-fork")
    for table, column in (("session", "id"), ("message", "session_id"), ("part", "session_id")):
        database.connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (RECORDINGS["agents-fork"],))

    assert FORK in [found.id for found in OpenCodeSource().sessions_in(database.path)]
    feed = OpenCodeFeed(database.path, FORK)
    assert thoughts(read_all(feed))[-1] == "Or a bigger pool"
    assert len(thoughts(read_all(OpenCodeFeed(database.path, FORK)))) == 7
    feed.close()
    database.close()


def test_a_compaction_stands_where_the_summary_was_complete(tmp_path: Path) -> None:
    facts = recorded_facts(tmp_path, "compaction")

    compactions = [fact for fact in facts if isinstance(fact, Compacted)]
    assert [(fact.tokens_before, fact.tokens_after, fact.time) for fact in compactions] == [
        (990001, None, 1795417407388000)
    ]
    prompts = [fact.text for fact in facts if isinstance(fact, Prompt)]
    assert prompts == [
        '"Read all of it. (play: long)"',
        '"And again? (play: again)"',
        '"Why do we see 502s? (play: chain)"',
    ]


@pytest.mark.parametrize("name", first(1, RECORDINGS))
def test_small_reads_give_the_same_facts_in_the_same_order(tmp_path: Path, name: str) -> None:
    (tmp_path / "once").mkdir()
    (tmp_path / "often").mkdir()

    assert recorded_facts(tmp_path / "often", name, limit_bytes=1) == recorded_facts(tmp_path / "once", name)


@pytest.mark.parametrize("has_log", first(1, [True, False]))
@pytest.mark.parametrize("name", RECORDINGS)
def test_followed_live_a_session_gives_the_facts_of_its_history(tmp_path: Path, name: str, has_log: bool) -> None:
    database = ClientDatabase(tmp_path / "opencode.db", has_log=has_log)
    events = recorded_events(name)
    database.apply(*next(events))
    feed = OpenCodeFeed(database.path, RECORDINGS[name])
    live: list[Fact] = read_all(feed)
    for kind, data in events:
        database.now = data.get("time", database.now)
        database.apply(kind, data)
        live += read_all(feed)
    history = read_all(OpenCodeFeed(database.path, RECORDINGS[name]))

    again = [fact for fact in live if isinstance(fact, AgentStarted | SessionDescribed)]
    once = [fact for fact in live if fact not in again]
    assert max(Counter((type(fact), fact.id) for fact in once).values()) == 1
    emitted = {(type(fact), fact.id): fact for fact in live}
    assert emitted.keys() == {(type(fact), fact.id) for fact in history}
    assert {key for key, fact in emitted.items() if isinstance(fact, AgentStarted) and fact.call is None} == set()
    texts = [fact.text for fact in history if isinstance(fact, Reasoning)]
    assert sorted(fact.text for fact in live if isinstance(fact, Reasoning)) == sorted(texts)
    feed.close()
    database.close()
