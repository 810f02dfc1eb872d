import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.sources.transcripts.copilot.records import CopilotReader
from seqthink.sources.transcripts.copilot.source import CopilotSource
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    Prompt,
    Reasoning,
    Remark,
    Result,
    Resumed,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.source import FoundSession
from tests.sources.transcripts.copilot.event_lines import (
    SESSION,
    THOUGHT,
    begun,
    ended,
    facts_of,
    lines_of,
    message,
    of,
    record,
    request,
)
from tests.sources.transcripts.fact_types import assert_well_typed

ASKED = record("user.message", 1, content="Why?", transformedContent="<current_datetime/>\n\nWhy?")
KID = "3bd4ffb7-589e-402b-816e-d2b48ceefcd1"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
READ_TYPES = {
    *("user.message", "assistant.message", "tool.execution_start", "tool.execution_complete", "subagent.started"),
    *("permission.requested", "session.start"),
}
FIELDS = {
    *("content", "toolRequests", "toolCallId", "arguments", "result", "error", "context", "permissionRequest"),
    *("shellExecution", "chunkCount", "mcpToolName"),
}
STARTED = record(
    "subagent.started", 5, KID, toolCallId="t1", agentName="general-purpose", agentDescription="read the log", model="m"
)


def test_a_session_says_its_version_and_folder_and_where_it_moves() -> None:
    facts = facts_of(
        record("session.start", 1, sessionId=SESSION, copilotVersion="1.0.102", context={"cwd": "/home/ada/work"}),
        record("session.context_changed", 2, cwd="/home/ada/other", branch="main"),
        record("session.resume", 3, context={"cwd": "/home/ada/third"}),
    )

    described = of(SessionDescribed, facts)
    assert [(one.id, one.client_version, one.cwd) for one in described] == [
        (SESSION, "1.0.102", "/home/ada/work"),
        (SESSION, None, "/home/ada/other"),
        (SESSION, None, "/home/ada/third"),
    ]
    assert [one.id for one in of(Resumed, facts)] == ["r3"]


def test_a_prompt_is_what_the_user_typed_without_what_the_client_puts_around_it() -> None:
    skill = record("user.message", 2, content="How to use a skill", source="skill-pdf")

    assert [one.text for one in of(Prompt, facts_of(ASKED, skill))] == ["Why?"]


def test_a_message_with_calls_gives_reasoning_a_remark_and_the_calls_in_this_order() -> None:
    called = request("c1", "seq-sequentialthinking", **THOUGHT)
    facts = facts_of(message(2, called, content="Let me see", reasoningText="**Hm**", model="m"))

    assert [type(fact) for fact in facts] == [Reasoning, Remark, ToolCall]
    call = of(ToolCall, facts)[0]
    assert (call.tool, call.arguments, call.id) == ("sequentialthinking", THOUGHT, "c1")
    assert (of(Reasoning, facts)[0].text, of(Reasoning, facts)[0].model) == ("**Hm**", "m")


@pytest.mark.parametrize("sealed", ["reasoningOpaque", "encryptedContent"])
def test_reasoning_that_is_kept_sealed_has_no_text(sealed: str) -> None:
    facts = facts_of(message(2, content="Done", **{sealed: "gAAAsealed"}))

    assert [one.text for one in of(Reasoning, facts)] == [""]
    assert [one.text for one in of(TurnEnded, facts)] == ["Done"]


def test_of_a_message_in_several_parts_only_the_last_ends_the_turn() -> None:
    facts = facts_of(
        message(2, content="First", chunkIndex=0, chunkCount=2), message(3, content="Done", chunkIndex=1, chunkCount=2)
    )

    assert [one.text for one in of(Remark, facts)] == ["First"]
    assert [one.text for one in of(TurnEnded, facts)] == ["Done"]


def test_a_call_that_begins_is_the_one_that_was_asked_for_also_if_ids_are_counted_in_each_answer() -> None:
    facts = facts_of(
        *(message(2, request("call_0"), request("call_1")), begun(3, "call_0"), begun(4, "call_1")),
        *(ended(5, "call_1"), ended(6, "call_0")),
        *(message(7, request("call_0")), begun(8, "call_0"), ended(9, "call_0")),
    )

    assert len({call.id for call in of(ToolCall, facts)}) == 3
    calls = list(dict.fromkeys(call.id for call in of(ToolCall, facts)))
    assert [one.id for one in of(Result, facts)] == [calls[1], calls[0], calls[2]]


def test_a_call_whose_message_was_lost_is_known_from_its_beginning() -> None:
    facts = facts_of(ASKED, begun(3, "c1", "seq-sequentialthinking", **THOUGHT), ended(4, "c1"))

    assert [call.arguments for call in of(ToolCall, facts)] == [THOUGHT]
    assert [one.id for one in of(Result, facts)] == ["c1"]


def test_an_answer_says_whether_another_thought_is_needed() -> None:
    called = message(2, request("c1", "seq-sequentialthinking", **THOUGHT))
    structured = ended(3, "c1", result={"content": "?", "structuredContent": {"nextThoughtNeeded": False}})
    plain = ended(3, "c1", result={"content": json.dumps({"nextThoughtNeeded": True})})

    assert [of(Result, facts_of(called, one))[0].answered_next for one in (structured, plain)] == [False, True]


def test_a_refused_thought_has_the_whole_error_and_another_failed_call_its_first_line() -> None:
    failure: dict[str, Any] = {"success": False, "error": {"message": "first\nsecond", "code": "failure"}}
    thinking = facts_of(message(2, request("c1", "seq-sequentialthinking", **THOUGHT)), ended(3, "c1", **failure))
    other = facts_of(message(2, request("c1", "view", path="x")), ended(3, "c1", **failure))

    assert [(one.is_error, one.error) for one in of(Result, thinking)] == [(True, "first\nsecond")]
    assert [(one.is_error, one.error) for one in of(Result, other)] == [(True, "first")]


def test_a_command_that_failed_is_a_failure_though_its_call_succeeded() -> None:
    outcome: dict[str, Any] = {
        "shellExecution": {"exitCode": 1},
        "result": {"content": "cat: x: No such file\n<shellId: 1 completed>"},
    }
    facts = facts_of(message(2, request("c1", "bash", command="cat x")), ended(3, "c1", **outcome))

    assert of(ToolCall, facts)[0].summary == "cat x"
    assert [(one.is_error, one.error) for one in of(Result, facts)] == [(True, "exit code 1: cat: x: No such file")]


def test_a_question_to_the_user_is_the_message_of_the_call() -> None:
    facts = facts_of(message(2, request("c1", "ask_user", message="Which one?", requestedSchema={})))

    assert [call.question for call in of(ToolCall, facts)] == ["Which one?"]


def test_a_subagent_is_tied_to_the_call_and_the_agent_that_started_it() -> None:
    deeper = record("subagent.started", 7, "deeper", toolCallId="t2", agentName="explore", parentId=KID)
    facts = facts_of(
        *(ASKED, message(2, request("t1", "task", description="read the log")), begun(3, "t1", "task"), STARTED),
        *(message(6, request("t2", "task"), agent=KID), deeper),
    )

    assert [(one.id, one.agent, one.name, one.model) for one in of(AgentStarted, facts)] == [
        (KID, None, "read the log", "m"),
        ("deeper", KID, "explore", None),
    ]
    calls = {call.client_id or call.id: call.id for call in of(ToolCall, facts)}
    assert [one.call for one in of(AgentStarted, facts)] == [calls["t1"], calls["t2"]]


def test_what_each_agent_says_is_its_own_also_if_both_count_their_calls() -> None:
    facts = facts_of(
        *(ASKED, message(2, request("call_0", "task")), begun(3, "call_0", "task")),
        record("subagent.started", 4, KID, toolCallId="call_0", agentName="explore"),
        *(message(5, request("call_0", "view"), agent=KID), begun(6, "call_0", "view", KID), ended(7, "call_0", KID)),
        *(message(8, content="Report", agent=KID), ended(9, "call_0")),
    )

    assert len({call.id for call in of(ToolCall, facts)}) == 2
    assert [(one.agent, one.id) for one in of(Result, facts)] == [(KID, f"{KID}/call_0"), (None, "call_0")]
    assert [(one.agent, one.text) for one in of(TurnEnded, facts)] == [(KID, "Report")]


@pytest.mark.parametrize(
    "end", [record("abort", 8, reason="user_initiated"), record("session.error", 8), record("session.shutdown", 8)]
)
def test_an_interruption_ends_the_turn_that_goes_on_and_no_other(end: dict[str, object]) -> None:
    going_on = facts_of(ASKED, message(2, request("c1")), end)
    answered = facts_of(ASKED, message(2, content="Done"), end)

    assert [one.is_aborted for one in of(TurnEnded, going_on)] == [True]
    assert [one.is_aborted for one in of(TurnEnded, answered)] == [False]


@pytest.mark.parametrize(
    ("end", "is_aborted"),
    [
        (record("subagent.completed", 8, KID), False),
        (record("subagent.completed", 8, KID, cancelled=True), True),
        (record("subagent.failed", 8, KID, error="no model"), True),
    ],
)
def test_a_subagent_without_a_report_ends_with_the_record_of_its_end(
    end: dict[str, object], *, is_aborted: bool
) -> None:
    facts = facts_of(STARTED, record("user.message", 6, KID, content="Read"), end)

    assert [(one.agent, one.is_aborted) for one in of(TurnEnded, facts)] == [(KID, is_aborted)]


def test_a_compaction_counts_only_if_it_succeeded() -> None:
    counts: dict[str, Any] = {"preCompactionTokens": 16187, "postCompactionTokens": 14615}
    facts = facts_of(
        record("session.compaction_complete", 2, success=False, **counts),
        record("session.compaction_complete", 3, success=True, **counts),
    )

    assert [(one.tokens_before, one.tokens_after) for one in of(Compacted, facts)] == [(16187, 14615)]


def test_a_call_waits_for_permission_until_the_user_has_answered() -> None:
    reader = CopilotReader(SESSION, ReadCounts())
    asked = record("permission.requested", 4, requestId="q", permissionRequest={"kind": "shell", "toolCallId": "c1"})
    call = of(ToolCall, facts_of(message(2, request("c1")), begun(3, "c1"), asked, reader=reader))[0]

    assert list(reader.asked_permissions) == [call.id]

    facts_of(record("permission.completed", 5, requestId="q", toolCallId="c1", result={}), reader=reader)

    assert not reader.asked_permissions


def test_a_record_that_comes_twice_is_read_once() -> None:
    records = [ASKED, message(2, request("call_0")), begun(3, "call_0"), ended(4, "call_0"), message(5, content="Done")]

    assert facts_of(*records, *records) == facts_of(*records)


def test_a_record_glued_to_half_of_one_that_says_nothing_is_read() -> None:
    counts = ReadCounts()
    reader = CopilotReader(SESSION, counts)
    [noise, asked] = lines_of([record("system.message", 1, content="You are"), ASKED])
    glued = noise[:40] + asked

    assert not reader.wants(noise)
    assert reader.wants(glued)
    assert [one.text for one in of(Prompt, reader.read(glued))] == ["Why?"]
    assert counts.corrupt == 1


def test_a_record_of_an_unknown_type_is_counted_and_one_that_says_nothing_is_not() -> None:
    counts = ReadCounts()

    assert facts_of(record("session.brand_new", 1), record("skill.invoked", 2, name="pdf"), counts=counts) == []
    assert counts.unknown == 1


@given(VALUES, st.sampled_from(sorted(READ_TYPES)), st.sampled_from(sorted(FIELDS)))
def test_a_value_of_any_type_never_breaks_the_reader(value: object, kind: str, field: str) -> None:
    known = {"content": "a", "toolCallId": "c1", "toolName": "bash", "toolRequests": [request("c1")]}
    records = [record(kind, 1) | {"data": {**known, field: value}}, record(kind, 2, KID) | {"data": {field: value}}]

    for fact in facts_of(*records):
        assert_well_typed(fact)


def test_the_facts_of_a_file_are_the_same_however_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    records = [ASKED, message(2, request("c1")), ended(3, "c1"), message(4, content="Done")]
    path.write_bytes(b"".join(line + b"\n" for line in lines_of(records)))
    found = FoundSession("copilot", SESSION, path, 0, 0)

    at_once = CopilotSource().open(found).read(1 << 20).facts
    feed, facts, at_end = CopilotSource().open(found), list[object](), False
    while not at_end:
        batch = feed.read(1)
        facts += batch.facts
        at_end = batch.at_end

    assert facts == at_once
    assert len(at_once) == 4
