from pathlib import Path

import pytest

from seqthink.sources.transcripts.copilot.source import CopilotSource
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    Fact,
    Prompt,
    Reasoning,
    Result,
    Resumed,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from tests.sources.transcripts.copilot.event_lines import of
from tests.support.transcripts.recorded import lay_out


def read_run(run: str, home: Path) -> list[Fact]:
    source = CopilotSource()
    [found] = source.find(source.folder({}, lay_out(run, home)), 10)
    feed = source.open(found)
    batch = feed.read(1 << 30)
    assert batch.at_end
    assert (feed.counts.unknown, feed.counts.corrupt, feed.counts.too_long) == (0, 0, 0)
    return batch.facts


@pytest.mark.parametrize("run", ["copilot/agents", "copilot/reference"])
def test_a_run_with_two_subagents_has_every_thought_once_by_the_agent_that_had_it(run: str, tmp_path: Path) -> None:
    facts = read_run(run, tmp_path)

    names = {one.id: one.name for one in of(AgentStarted, facts)}
    thoughts = {call.id: call for call in of(ToolCall, facts) if call.tool == "sequentialthinking"}
    refused = [end.id for end in of(Result, facts) if end.id in thoughts and end.is_error]
    said = sorted(
        (names.get(call.agent or "") or "", call.arguments["thought"])
        for call in thoughts.values()
        if call.id not in refused
    )
    assert said == [
        ("", "Final: the cron job"),
        ("", "Not the pool: it was half empty at :00"),
        ("", "Pool exhausted?\nTwo lines — ünïcode 漢字かな"),
        ("", "Symptoms: 502s at the top of each hour"),
        ("", "What runs at :00?"),
        ("read the log", "Log: what is there?"),
        ("read the log", "it fails at :00 only"),
        ("read the schedule", "Schedule: what is there?"),
        ("read the schedule", "a job at :00 opens 40 connections"),
    ]
    assert len(refused) == 1
    assert {one.call for one in of(AgentStarted, facts)} == {c.id for c in of(ToolCall, facts) if c.tool == "task"}
    assert [(names.get(one.agent or ""), one.text) for one in of(TurnEnded, facts)][-2:] == [
        (None, "DONE: the cron job starves the pool."),
        (None, "Still the cron job."),
    ]
    assert all(one.text for one in of(Reasoning, facts))
    assert len(of(Resumed, facts)) == 1
    assert of(SessionDescribed, facts)[0].cwd == "/home/ada/work"


def test_subagents_in_the_background_report_after_the_answer(tmp_path: Path) -> None:
    facts = read_run("copilot/background", tmp_path)

    assert [(one.agent is None, one.text) for one in of(TurnEnded, facts)] == [
        (True, "DONE: the cron job starves the pool."),
        (False, "Log: it fails at :00 only"),
        (False, "Schedule: a job at :00 opens 40 connections"),
        (True, "There is nothing more to say."),
        (True, "Still the cron job."),
    ]


def test_what_the_user_took_back_is_gone_from_the_file_and_a_compaction_is_known(tmp_path: Path) -> None:
    facts = read_run("copilot/rewind", tmp_path)

    assert [one.text for one in of(Prompt, facts) if one.agent is None] == [
        "Why do we see 502s? Ask two others. (play: agents)",
        "And if the job has to stay? (play: other)",
    ]
    assert [(one.tokens_before, one.tokens_after) for one in of(Compacted, facts)] == [(16187, 14615)]


def test_a_turn_that_the_user_aborts_at_a_question_is_aborted(tmp_path: Path) -> None:
    facts = read_run("copilot/permission", tmp_path)

    assert [(one.text, one.is_aborted) for one in of(TurnEnded, facts)] == [("DONE: made.", False), ("", True)]
    assert [call.summary for call in of(ToolCall, facts)] == ["touch made.txt"] * 4
    assert len({call.id for call in of(ToolCall, facts)}) == 2
