from pathlib import Path

import pytest

from seqthink.sources.transcripts.codex.source import CodexSource
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    Fact,
    Prompt,
    Result,
    Rewound,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.source import FactBatch, ReadCounts
from seqthink.sources.transcripts.tool_names import is_thinking_tool
from tests.sources.transcripts.codex.rollouts import of
from tests.support.transcripts.recorded import lay_out

MAIN_THOUGHTS = [
    "Symptoms: 502s at the top of each hour",
    "Pool exhausted?\nTwo lines — ünïcode 漢字かな",
    "What runs at :00?",
    "bad call",
    "Not the pool: it was half empty at :00",
    "Final: the cron job",
]


def read_run(run: str, home: Path, limit_bytes: int = 1 << 20) -> list[Fact]:
    source = CodexSource()
    found = source.find(source.folder({}, lay_out(run, home)), 10)
    assert len(found) == 1
    feed = source.open(found[0])
    facts: list[Fact] = []
    batch = FactBatch([], at_end=False)
    while not batch.at_end:
        batch = feed.read(limit_bytes)
        facts += batch.facts
    assert (feed.counts.unknown, feed.counts.corrupt, feed.counts.too_long) == (ReadCounts().unknown, 0, 0)
    return facts


def thoughts_of(agent: str | None, facts: list[Fact]) -> list[str]:
    calls = [call for call in of(ToolCall, facts) if call.agent == agent and is_thinking_tool(call.tool)]
    return [call.arguments["thought"] for call in calls]


ASKED = {
    "Read the access log and say when it fails. (play: log)",
    "Read the schedule and say what runs at :00. (play: schedule)",
}
"""How the prompts of subagents begin whose tasks have no names."""


@pytest.mark.parametrize(
    ("run", "names"),
    [
        ("codex/agents", ASKED),
        (
            "codex/agents-0.171.0",
            {
                "Read the access log and say when it fails. (play: log)",
                "Read the schedule and say what runs at :00. (play: schedule)",
            },
        ),
        ("codex/code-mode", {"read_the_log", "read_the_schedule"}),
        ("codex/code-mode-0.171.0", {"read_the_log", "read_the_schedule"}),
    ],
)
def test_a_run_with_two_subagents_and_a_fork_is_one_session_with_three_more_lines(
    run: str, names: set[str], tmp_path: Path
) -> None:
    facts = read_run(run, tmp_path)

    calls = {call.id for call in of(ToolCall, facts) if call.tool == "spawn_agent"}
    started = of(AgentStarted, facts)
    log, schedule = sorted({one.id for one in started})
    fork = next(fact.agent for fact in facts if fact.agent not in {None, log, schedule})
    assert {one.name for one in started if one.name} == names
    assert {one.call for one in started if one.call} == calls
    assert thoughts_of(None, facts) == MAIN_THOUGHTS
    assert thoughts_of(log, facts) == ["Log: what is there?", "it fails at :00 only"]
    assert thoughts_of(schedule, facts) == ["Schedule: what is there?", "a job at :00 opens 40 connections"]
    assert thoughts_of(fork, facts) == ["Or a bigger pool"]
    assert [end.text for end in of(TurnEnded, facts) if end.agent == log] == ["Log: it fails at :00 only"]
    assert sum(end.is_error and end.error.startswith("exit code 1: cat: ") for end in of(Result, facts)) == 1


def test_a_run_that_was_rewound_drops_the_second_turn(tmp_path: Path) -> None:
    facts = read_run("codex/rewind", tmp_path)

    prompts = of(Prompt, facts)
    ends = of(TurnEnded, facts)
    dropped = of(Rewound, facts)[0].dropped
    assert [prompt.text.split(" (")[0] for prompt in prompts] == [
        "And again?",
        "And if the job has to stay?",
        "And again?",
        "And if the job has to stay?",
    ]
    assert (dropped[0], dropped[-1]) == (prompts[1].id, ends[1].id)
    assert [one.agent for one in of(Compacted, facts)] == [None]


def test_a_run_with_a_compaction_says_so_once_and_how_large_it_was(tmp_path: Path) -> None:
    compactions = of(Compacted, read_run("codex/compaction", tmp_path))

    assert len(compactions) == 1
    assert compactions[0].tokens_before is not None
    assert compactions[0].tokens_before >= 900_000


def test_three_thoughts_of_one_script_are_three_calls_and_the_script_is_none(tmp_path: Path) -> None:
    facts = read_run("codex/one-call", tmp_path)

    assert [call.tool for call in of(ToolCall, facts)] == ["sequentialthinking"] * 3
    assert len({call.id for call in of(ToolCall, facts)}) == 3


@pytest.mark.parametrize("run", ["codex/agents", "codex/rewind"])
def test_small_reads_give_the_same_facts(run: str, tmp_path: Path) -> None:
    whole = read_run(run, tmp_path / "a")
    parts = read_run(run, tmp_path / "b", 777)

    assert sorted(map(repr, parts)) == sorted(map(repr, whole))
