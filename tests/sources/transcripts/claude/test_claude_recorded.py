"""What real sessions are read as (tests/sources/transcripts/recorded/README.md says what happened in them)."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from seqthink.sources.transcripts.claude.source import ClaudeSource
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    ContextUsed,
    Fact,
    Prompt,
    Reasoning,
    Result,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from tests.support.depth import first
from tests.support.transcripts.recorded import lay_out

RUNS = ("claude/agents", "claude/agents-2.1.197", "claude/agents-2.1.332")


def read_run(run: str, home: Path, limit_bytes: int = 1 << 20) -> tuple[list[Fact], ReadCounts]:
    """Return the facts of the only session of a run."""
    source = ClaudeSource()
    (found,) = source.find(source.folder({}, lay_out(run, home)), 10)
    feed = source.open(found)
    facts: list[Fact] = []
    while True:
        batch = feed.read(limit_bytes)
        facts += batch.facts
        if batch.at_end:
            return facts, feed.counts


def of_agent(facts: Sequence[Fact], agent: str | None) -> list[Fact]:
    """Return what an agent did, without what parallel calls bring in any order, and what it used of its context."""
    others = (AgentStarted, ContextUsed, SessionDescribed, Result)
    return [fact for fact in facts if fact.agent == agent and not isinstance(fact, others)]


def shape_of(fact: Fact) -> object:
    """Return what a fact says, without ids and times."""
    match fact:
        case Prompt() | Reasoning():
            return fact.text
        case ToolCall(arguments={"thought": thought, "thoughtNumber": number}):
            return (thought, number)
        case ToolCall():
            return (fact.tool, fact.summary)
        case TurnEnded():
            return ("end", fact.text)
        case _:
            return type(fact).__name__


@pytest.mark.parametrize("run", RUNS)
def test_a_session_with_subagents_a_resume_and_a_fork_is_read_as_it_happened(run: str, tmp_path: Path) -> None:
    facts, counts = read_run(run, tmp_path)
    started = {fact.id: fact for fact in facts if isinstance(fact, AgentStarted)}
    (fork,) = [fact for fact in facts if isinstance(fact, SessionDescribed) and fact.agent is not None]

    assert [shape_of(fact) for fact in of_agent(facts, None)] == [
        "Why do we see 502s? Ask two others. (play: agents)",
        "**Reading the symptoms**\n\nThe user wants a cause, so the times come first.",
        ("Symptoms: 502s at the top of each hour", 1),
        "**A first suspect**\n\nThe pool is small.",
        ("Pool exhausted?\nTwo lines — ünïcode 漢字かな", 2),
        "**Looking at the notes**\n\nSomebody may have written it down.",
        ("Read", "notes.md"),
        "**Another way**\n\nOnly one thing happens once an hour.",
        ("What runs at :00?", 2),
        "**A slip**\n\nThis number is no number.",
        ("bad call", "abc"),
        "**Counting**\n\nOne listing, and one file that is not there.",
        ("Bash", "grep -c 502 access.log"),
        ("Bash", "cat no-such-file.log"),
        "**Taking it back**\n\nThe pool was never full.",
        ("Not the pool: it was half empty at :00", 3),
        "**Asking two others**\n\nThe log and the schedule can be read at the same time.",
        ("Agent", "read the log"),
        ("Agent", "read the schedule"),
        "**Concluding**\n\nAll of it points to one job.",
        ("Final: the cron job", 4),
        "**Answering**\n\nShort, with the cause first.",
        ("end", "DONE: the cron job starves the pool."),
        "And again? (play: again)",
        "**The same again**\n\nNothing is new since.",
        ("end", "Still the cron job."),
    ]
    assert [shape_of(fact) for fact in of_agent(facts, fork.id)] == [
        "And if the job has to stay? (play: other)",
        "**Another end**\n\nWhat if the job stays?",
        ("Or a bigger pool", 5),
        "**Choosing**\n\nIt costs less.",
        ("end", "Then make the pool bigger."),
    ]
    assert {fact.name for fact in started.values()} == {
        "read the log",
        "read the schedule",
    }
    calls = {fact.id: fact.summary for fact in facts if isinstance(fact, ToolCall)}
    for agent, fact in started.items():
        assert fact.call is not None
        assert fact.name == calls[fact.call]
        work = [shape_of(each) for each in of_agent(facts, agent)]
        assert len(work) == 9
        assert [each for each in work if isinstance(each, tuple)][-1][0] == "end"
    assert (counts.unknown, counts.corrupt, counts.too_long) == (0, 0, 0)
    assert not any(isinstance(fact, Rewound) for fact in facts)


@pytest.mark.parametrize("run", RUNS)
def test_every_call_has_its_result(run: str, tmp_path: Path) -> None:
    facts, _ = read_run(run, tmp_path)
    results = {fact.id: fact for fact in facts if isinstance(fact, Result)}
    ended = [(shape_of(fact), results.pop(fact.id)) for fact in facts if isinstance(fact, ToolCall)]

    assert results == {}
    assert [call for call, result in ended if result.is_error] == [
        ("bad call", "abc"),
        ("Bash", "cat no-such-file.log"),
    ]
    assert all("thoughtNumber" in result.error for call, result in ended if call == ("bad call", "abc"))
    assert {call for call, result in ended if result.answered_next is False} == {
        ("it fails at :00 only", 2),
        ("a job at :00 opens 40 connections", 2),
        ("Final: the cron job", 4),
        ("Or a bigger pool", 5),
    }
    assert sum(result.answered_next is True for _, result in ended) == 6


@pytest.mark.parametrize("run", RUNS)
def test_the_fork_says_what_it_was_copied_from_before_its_first_own_fact(run: str, tmp_path: Path) -> None:
    facts, _ = read_run(run, tmp_path)
    (session, fork) = [fact for fact in facts if isinstance(fact, SessionDescribed)]

    assert (session.agent, session.forked_from, session.cwd) == (None, None, "/home/ada/work")
    assert (fork.agent, fork.forked_from) == (fork.id, session.id)
    assert next(fact for fact in facts if fact.agent == fork.id) is fork


@pytest.mark.parametrize("run", [*RUNS, "claude/compaction"])
@pytest.mark.parametrize("limit_bytes", first(1, [997, 20_000]))
def test_the_same_facts_come_however_little_is_read_at_a_time(run: str, limit_bytes: int, tmp_path: Path) -> None:
    whole, counts = read_run(run, tmp_path)
    pieces, counts_of_pieces = read_run(run, tmp_path, limit_bytes)

    def keys(facts: list[Fact]) -> Counter[tuple[str, str, str | None]]:
        kept = [fact for fact in facts if not isinstance(fact, AgentStarted)]
        return Counter((type(fact).__name__, fact.id, fact.agent) for fact in kept)

    assert keys(pieces) == keys(whole)
    assert all(count == 1 for count in keys(whole).values())
    assert counts_of_pieces == counts


def test_a_compaction_stands_in_the_turn_of_the_prompt_that_set_it_off(tmp_path: Path) -> None:
    facts, counts = read_run("claude/compaction", tmp_path)
    kinds = [type(fact).__name__ for fact in facts if isinstance(fact, (Prompt, Compacted, TurnEnded, Rewound))]
    (compacted,) = [fact for fact in facts if isinstance(fact, Compacted)]

    assert kinds == ["Prompt", "TurnEnded", "Prompt", "Compacted", "TurnEnded", "Prompt", "TurnEnded"]
    assert (compacted.tokens_before, compacted.tokens_after) == (990_037, 2669)
    assert (counts.unknown, counts.corrupt) == (0, 0)
