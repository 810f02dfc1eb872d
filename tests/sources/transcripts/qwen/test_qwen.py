"""Sessions of Qwen Code, as it wrote them."""

import json
from pathlib import Path

import pytest

from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    Fact,
    Prompt,
    Reasoning,
    Remark,
    Result,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.qwen.source import QwenSource
from tests.support.depth import first
from tests.support.transcripts.facts_of import facts_of_run, of, read_all
from tests.support.transcripts.recorded import lay_out

REPORTS = {"Log: it fails at :00 only", "Schedule: a job at :00 opens 40 connections"}


def written(home: Path, *records: dict[str, object]) -> list[Fact]:
    """Return the facts of a session with these records."""
    path = home / ".qwen/projects/-home-ada-work/chats/11111111-0000-4000-8000-000000000001.jsonl"
    path.parent.mkdir(parents=True)
    head = {"sessionId": path.stem, "timestamp": "2026-11-29T11:00:00.000Z"}
    lines = [
        {"uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None, **head, **record}
        for number, record in enumerate(records)
    ]
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), "utf-8")
    source = QwenSource()
    (found,) = source.find(source.folder({}, home), 10)
    return read_all(source.open(found))


def user(text: str) -> dict[str, object]:
    return {"type": "user", "message": {"role": "user", "parts": [{"text": text}]}}


def test_calls_through_the_bridge_are_those_of_the_tool_behind_it(tmp_path: Path) -> None:
    facts = facts_of_run("qwen/agents", tmp_path)
    thoughts = [call for call in of(ToolCall, facts) if call.tool == "sequentialthinking" and call.agent is None]

    assert [call.arguments["thought"] for call in thoughts][:2] == [
        "Symptoms: 502s at the top of each hour",
        "Pool exhausted?\nTwo lines — ünïcode 漢字かな",
    ]
    assert "tool_call" not in {call.tool for call in of(ToolCall, facts)}
    errors = [end.error for end in of(Result, facts) if end.is_error and end.agent is None]
    assert errors[0].startswith("params/thoughtNumber must be integer")
    assert errors[1] == "exit code 1: cat: no-such-file.log: No such file or directory"


@pytest.mark.parametrize("run", ["qwen/agents", "qwen/background"])
def test_subagents_are_joined_to_their_calls_and_end_with_their_report(run: str, tmp_path: Path) -> None:
    facts = facts_of_run(run, tmp_path)
    started = {one.id: one for one in of(AgentStarted, facts)}
    calls = {call.id for call in of(ToolCall, facts) if call.tool == "agent"}

    assert {one.name for one in started.values()} == {"read the log", "read the schedule"}
    assert {one.call for one in started.values()} == calls
    assert {end.text for end in of(TurnEnded, facts) if end.agent in started} == REPORTS
    assert not [said for said in of(Remark, facts) if said.agent in started]


def test_a_copy_is_shown_from_where_it_goes_on(tmp_path: Path) -> None:
    facts = facts_of_run("qwen/agents", tmp_path)
    (fork,) = [one for one in of(SessionDescribed, facts) if one.forked_from]
    mains = {(type(fact), fact.id) for fact in facts if fact.agent is None}
    own = [fact for fact in facts if fact.agent == fork.id and (type(fact), fact.id) not in mains]

    assert [prompt.text for prompt in of(Prompt, own)] == ["And if the job has to stay? (play: other)"]
    assert [end.text for end in of(TurnEnded, own)] == ["Then make the pool bigger."]


def test_a_rewind_leaves_the_turns_behind_that_the_user_went_back_from(tmp_path: Path) -> None:
    facts = facts_of_run("qwen/rewind", tmp_path)
    (rewound,) = of(Rewound, facts)
    prompts = [prompt.text for prompt in of(Prompt, facts)]
    left = [prompt.text for prompt in of(Prompt, facts) if prompt.id in rewound.dropped]

    assert left == ["And again? (play: again)"]
    assert prompts[-1] == "And if the job has to stay? (play: other)"
    assert len(of(Reasoning, facts)) == 4


@pytest.mark.parametrize("slice_bytes", first(2, (700, 7_000, 1, 97)))
def test_the_facts_are_the_same_however_the_files_are_read(slice_bytes: int, tmp_path: Path) -> None:
    whole = facts_of_run("qwen/three-agents", tmp_path / "whole")
    sliced = facts_of_run("qwen/three-agents", tmp_path / "sliced", slice_bytes)

    assert sliced == whole


def test_a_message_of_the_client_is_not_a_prompt_and_what_it_adds_to_one_is_left_out(tmp_path: Path) -> None:
    notice = {**user("<task-notification>…</task-notification>"), "subtype": "notification"}
    reminded = user("<system-reminder>\nTwo agents were restored.\n</system-reminder>\n\nAnd now?")

    facts = written(tmp_path, user("Why?"), notice, reminded)

    assert [prompt.text for prompt in of(Prompt, facts)] == ["Why?", "And now?"]


def test_a_compression_and_a_title_are_read(tmp_path: Path) -> None:
    sizes = {"info": {"originalTokenCount": 9000, "newTokenCount": 800}}
    facts = written(
        tmp_path,
        user("Why?"),
        {"type": "system", "subtype": "chat_compression", "systemPayload": sizes},
        {"type": "system", "subtype": "custom_title", "systemPayload": {"customTitle": "the pool"}},
    )

    assert [(one.tokens_before, one.tokens_after) for one in of(Compacted, facts)] == [(9000, 800)]
    assert of(SessionDescribed, facts)[-1].title == "the pool"


def test_a_subagent_that_failed_ended_without_an_answer(tmp_path: Path) -> None:
    home = lay_out("qwen/agents", tmp_path)
    (chat,) = [path for path in home.rglob("chats/*.jsonl") if "forkedFrom" not in path.read_text("utf-8")]
    chat.write_text(chat.read_text("utf-8").replace('"status":"completed"', '"status":"cancelled"'), "utf-8")
    source = QwenSource()
    found = next(one for one in source.find(source.folder({}, home), 10) if one.path == chat)

    ends = [end for end in of(TurnEnded, read_all(source.open(found))) if end.agent is not None]

    assert [(end.is_aborted, end.text) for end in ends if end.id.endswith("/end")][:2] == [(True, ""), (True, "")]


def test_the_file_of_a_subagent_leads_to_its_session_and_alone_is_one(tmp_path: Path) -> None:
    home = lay_out("qwen/agents", tmp_path)
    source = QwenSource()
    (found,) = source.find(source.folder({}, home), 10)
    agent = sorted(home.rglob("agent-*.jsonl"))[0]

    assert source.sessions_in(agent)[0].id == found.id
    found.path.unlink()
    (alone,) = source.sessions_in(agent)
    assert of(Prompt, read_all(source.open(alone)))[0].agent is None
