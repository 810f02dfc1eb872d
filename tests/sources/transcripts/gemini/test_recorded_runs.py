from pathlib import Path

from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Fact,
    Prompt,
    Result,
    Resumed,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.gemini.source import GeminiSource
from seqthink.sources.transcripts.source import FactBatch
from tests.sources.transcripts.gemini.test_records import of
from tests.support.transcripts.recorded import lay_out


def read_run(run: str, home: Path) -> list[Fact]:
    source = GeminiSource()
    found = source.find(source.folder({}, lay_out(run, home)), 10)
    assert len(found) == 1
    feed = source.open(found[0])
    facts: list[Fact] = []
    batch = FactBatch([], at_end=False)
    while not batch.at_end:
        batch = feed.read(1 << 20)
        facts += batch.facts
    assert (feed.counts.unknown, feed.counts.corrupt, feed.counts.too_long) == (0, 0, 0)
    return facts


def test_a_run_with_two_subagents_is_joined_with_the_calls_that_started_them(tmp_path: Path) -> None:
    facts = read_run("gemini/agents", tmp_path)

    started = {one.id for one in of(AgentStarted, facts)}
    reports = sorted(end.text for end in of(TurnEnded, facts) if end.agent in started)
    invoked = {call.id for call in of(ToolCall, facts) if call.tool == "invoke_agent"}
    assert {one.call for one in of(AgentStarted, facts) if one.call} == invoked
    assert {one.name for one in of(AgentStarted, facts) if one.name} == {
        "Read the access log and say when it fails. (play: log)",
        "Read the schedule and say what runs at :00. (play: schedule)",
    }
    assert reports == ["Log: it fails at :00 only", "Schedule: a job at :00 opens 40 connections"]
    assert of(SessionDescribed, facts)[0].cwd == "/home/ada/work"
    assert [end.error for end in of(Result, facts) if end.error.startswith("exit code")] == [
        "exit code 1: cat: no-such-file.log: No such file or directory"
    ]


def test_a_resume_that_writes_all_messages_again_emits_nothing_twice(tmp_path: Path) -> None:
    facts = read_run("gemini/resumed-at-once", tmp_path)

    keys = [(type(fact), fact.id) for fact in facts if not isinstance(fact, AgentStarted | SessionDescribed)]
    ends = [end.text for end in of(TurnEnded, facts) if end.agent is None]
    assert len(keys) == len(set(keys))
    assert len(of(Resumed, facts)) == 1
    assert ends == ["DONE: the cron job starves the pool.", "Still the cron job."]


def test_a_run_that_was_rewound_drops_what_the_client_drops(tmp_path: Path) -> None:
    facts = read_run("gemini/rewind", tmp_path)

    ends = of(TurnEnded, facts)
    assert [one.dropped[-1] for one in of(Rewound, facts)] == [ends[1].id]
    assert len(of(Prompt, facts)) == 4
