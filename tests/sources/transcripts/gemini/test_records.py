import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    ContextUsed,
    Fact,
    Prompt,
    Reasoning,
    Result,
    Resumed,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.gemini.records import ChatReader
from seqthink.sources.transcripts.source import ReadCounts
from tests.sources.transcripts.fact_types import assert_well_typed

RECORDED = Path(__file__).parent.parent / "recorded" / "gemini-chain-resume.jsonl"
SESSION = "0a970a83-f1e5-4568-8205-900341368e9a"
HEADER = {"sessionId": SESSION, "projectHash": "55e6", "startTime": "2026-11-22T17:43:00.000Z", "kind": "main"}
THOUGHT = {"thought": "a", "thoughtNumber": 1, "totalThoughts": 2, "nextThoughtNeeded": True}


def facts_of(
    records: Iterable[object], *, reader: ChatReader | None = None, counts: ReadCounts | None = None
) -> list[Fact]:
    reader = reader or ChatReader(counts or ReadCounts())
    lines = [json.dumps(record, ensure_ascii=False).encode() for record in records]
    return [fact for line in lines if reader.wants(line) for fact in reader.read(line)]


def recorded_lines() -> list[bytes]:
    return RECORDED.read_bytes().splitlines()


def recorded_facts() -> list[Fact]:
    reader = ChatReader(ReadCounts())
    return [fact for line in recorded_lines() if reader.wants(line) for fact in reader.read(line)]


def user(name: str, text: str, *, second: int = 1) -> dict[str, Any]:
    return {"id": name, "timestamp": at(second), "type": "user", "content": [{"text": text}]}


def model(name: str, *, second: int = 2, content: object = "", **more: object) -> dict[str, Any]:
    return {"id": name, "timestamp": at(second), "type": "gemini", "content": content, "model": "m", **more}


def call(
    name: str = "c1", *, tool: str = "mcp_seq_sequentialthinking", status: str = "success", **more: object
) -> dict[str, Any]:
    response = more.pop("response", {"output": f"<untrusted_context>\n{json.dumps(THOUGHT)}\n</untrusted_context>"})
    result = [{"functionResponse": {"id": name, "name": tool, "response": response}}]
    fields = {"id": name, "name": tool, "args": THOUGHT, "status": status, "timestamp": at(3), "result": result}
    return fields | more


def at(second: int) -> str:
    return f"2026-11-22T17:43:{second:02}.000Z"


def of(kind: type[Fact], facts: Iterable[Fact]) -> list[Any]:
    return [fact for fact in facts if isinstance(fact, kind)]


def test_the_recorded_session_gives_what_happened_and_nothing_twice() -> None:
    facts = recorded_facts()

    turn = ["Prompt", *["Reasoning", "ToolCall", "Result"] * 6, "Reasoning", "TurnEnded"]
    assert [type(fact).__name__ for fact in facts if not isinstance(fact, ContextUsed)] == [
        "SessionDescribed",
        *turn,
        "Resumed",
        "Prompt",
        "Reasoning",
        "TurnEnded",
    ]
    assert len({(type(fact), fact.id) for fact in facts}) == len(facts)
    assert [prompt.text for prompt in of(Prompt, facts)] == ["why do we see 502s?", "and again?"]
    assert [end.text for end in of(TurnEnded, facts)] == ["DONE: the cron job"] * 2
    assert [one.text.split("before ")[1][:6] for one in of(Reasoning, facts)] == [
        *(f"call {number}" for number in range(1, 8)),
        "call 7",
    ]


def test_the_recorded_calls_have_their_arguments_and_their_ends() -> None:
    facts = recorded_facts()

    calls, ends = of(ToolCall, facts), of(Result, facts)
    assert [one.arguments["thought"] for one in calls] == [
        "Symptoms: 502s at the top of each hour",
        "Pool exhausted?\nTwo lines — ünïcode 漢字",
        "What runs at :00?",
        "bad call",
        "Not the pool",
        "Final: the cron job",
    ]
    assert {one.tool for one in calls} == {"sequentialthinking"}
    assert [end.answered_next for end in ends] == [True, True, True, None, True, False]
    assert [end.error for end in ends] == ["", "", "", "params/thoughtNumber must be integer", "", ""]
    assert [end.is_error for end in ends] == [False, False, False, True, False, False]


def test_a_message_that_is_written_again_emits_only_what_is_new() -> None:
    thoughts = [{"subject": "Looking", "description": "at the log", "timestamp": at(2)}]
    first = model("m1", thoughts=thoughts, tokens={"thoughts": 7})
    facts = facts_of(
        [HEADER, user("u1", "why?"), first, first | {"toolCalls": [call()]}, first | {"toolCalls": [call()]}]
    )

    assert [(type(fact).__name__, fact.id) for fact in facts[1:]] == [
        ("Prompt", "u1"),
        ("Reasoning", "m1/0"),
        ("ToolCall", "c1"),
        ("Result", "c1"),
    ]
    reasoning = of(Reasoning, facts)[0]
    assert (reasoning.text, reasoning.tokens, reasoning.model) == ("**Looking**\n\nat the log", 7, "m")


def test_calls_of_one_message_begin_together() -> None:
    facts = facts_of([HEADER, model("m1", toolCalls=[call("c1"), call("c2")])])

    assert [(type(fact).__name__, fact.id) for fact in facts[1:]] == [
        ("ToolCall", "c1"),
        ("ToolCall", "c2"),
        ("Result", "c1"),
        ("Result", "c2"),
    ]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"status": "error", "response": {"error": "no"}}, (True, "no", None)),
        (
            {"status": "cancelled", "response": {"error": "[Operation Cancelled]"}},
            (True, "[Operation Cancelled]", None),
        ),
        ({"status": "error", "result": None, "resultDisplay": "shown"}, (True, "shown", None)),
        ({"response": {"output": "no JSON"}}, (False, "", None)),
        ({"result": {"functionResponse": {"response": {"output": '{"nextThoughtNeeded":false}'}}}}, (False, "", False)),
    ],
)
def test_a_thinking_call_s_end_says_what_the_answer_says(fields: dict[str, Any], expected: tuple[Any, ...]) -> None:
    ends = of(Result, facts_of([HEADER, model("m1", toolCalls=[call(**fields)])]))

    assert [(end.is_error, end.error, end.answered_next) for end in ends] == [expected]


def test_other_tools_are_kept_in_a_line() -> None:
    shell = call(
        tool="run_shell_command",
        args={"command": "make  test"},
        status="error",
        response={"error": "Command failed\nmore"},
    )

    facts = facts_of([HEADER, model("m1", toolCalls=[shell])])

    assert [(one.tool, one.summary, one.arguments) for one in of(ToolCall, facts)] == [
        ("run_shell_command", "make test", None)
    ]
    assert [(end.is_error, end.error) for end in of(Result, facts)] == [(True, "Command failed")]


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ("Output: cat: no a.log\nmore\nExit Code: 1\nProcess Group PGID: 7", "exit code 1: cat: no a.log"),
        ("Command: make\nOutput: 12\nExit Code: 0", ""),
        ("Output: 12\nProcess Group PGID: 7", ""),
    ],
)
def test_a_command_with_an_exit_code_failed_though_its_call_did_not(output: str, error: str) -> None:
    wrapped = f"<untrusted_context>\n{output}\n</untrusted_context>"
    shell = call(tool="run_shell_command", args={"command": "make"}, status="success", response={"output": wrapped})

    ends = of(Result, facts_of([HEADER, model("m1", toolCalls=[shell])]))

    assert [(end.is_error, end.error) for end in ends] == [(bool(error), error)]


def test_a_call_that_has_not_ended_has_no_end() -> None:
    assert not of(Result, facts_of([HEADER, model("m1", toolCalls=[call(status="executing")])]))


def test_the_client_s_own_context_and_tool_answers_are_no_prompts() -> None:
    context = user("u1", "<session_context>\nThis is the Gemini CLI.")
    answer = {"id": "u2", "timestamp": at(1), "type": "user", "content": [{"functionResponse": {"id": "c1"}}]}
    task = user("u3", "\n<loaded_context>\nx</loaded_context>")
    task["content"].append({"text": "look at the log"})
    plain = {"id": "u4", "timestamp": at(1), "type": "user", "content": "as a text"}

    facts = facts_of([HEADER, context, answer, task, plain])

    assert [(one.id, one.text) for one in of(Prompt, facts)] == [("u3", "look at the log"), ("u4", "as a text")]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (model("m1", content="so"), ("so", False)),
        (model("m1", content=[{"text": "hm", "thought": True}, {"text": "so"}]), ("so", False)),
        ({"id": "m1", "timestamp": at(2), "type": "error", "content": "quota"}, ("", True)),
        ({"id": "m1", "timestamp": at(2), "type": "info", "content": "Request cancelled."}, ("", True)),
    ],
)
def test_a_turn_ends_with_an_answer_or_aborted(message: dict[str, Any], expected: tuple[str, bool]) -> None:
    ends = of(TurnEnded, facts_of([HEADER, user("u1", "why?"), message]))

    assert [(end.id, end.text, end.is_aborted) for end in ends] == [("m1", *expected)]


@pytest.mark.parametrize(
    "message",
    [
        model("m1", content="Let me look.", toolCalls=[call()]),
        model("m1", content=[{"text": "Let me look."}, {"functionCall": {"id": "c1", "name": "x"}}]),
        model("m1", content=[{"text": "hm", "thought": True}]),
        {"id": "m1", "timestamp": at(2), "type": "info", "content": "Update available"},
        {"id": "m1", "timestamp": at(2), "type": "warning", "content": "slow"},
    ],
)
def test_what_comes_with_calls_or_is_only_thought_or_said_by_the_client_ends_no_turn(message: dict[str, Any]) -> None:
    assert not of(TurnEnded, facts_of([HEADER, user("u1", "why?"), message]))


def test_messages_written_again_are_not_emitted_again_and_what_follows_is() -> None:
    messages = [user("u1", "why?"), model("m1", content="so", thoughts=[{"subject": "a"}])]
    again = [{**one, "timestamp": at(40)} for one in messages]

    facts = facts_of([HEADER, *messages, {"$set": {"messages": [*again, user("u2", "and?", second=41)]}}])

    assert [one.id for one in of(Prompt, facts)] == ["u1", "u2"]
    assert len(of(Reasoning, facts)) == len(of(TurnEnded, facts)) == 1


def test_a_compressed_conversation_is_emitted_once_and_its_summary_is_no_prompt() -> None:
    summary = user("s1", "<state_snapshot>all of it</state_snapshot>", second=30)
    again = {"$set": {"messages": [summary, model("s2", content="", second=30)]}}

    facts = facts_of([HEADER, user("u1", "why?"), model("m1", content="so"), again, again])

    assert [one.id for one in of(Compacted, facts)] == ["s1"]
    assert [one.id for one in of(Prompt, facts)] == ["u1"]


def test_a_rewind_names_all_facts_of_the_message_and_of_those_after_it() -> None:
    records = [
        HEADER,
        user("u1", "why?"),
        model("m1", content="so", thoughts=[{"subject": "a"}]),
        user("u2", "and?", second=10),
        model("m2", second=11, thoughts=[{"subject": "b"}, {"subject": "c"}], toolCalls=[call("c2")]),
    ]

    facts = facts_of([*records, {"$rewindTo": "u2"}, user("u3", "or?", second=20)])
    unknown = facts_of([*records, {"$rewindTo": "never seen"}])

    assert [one.dropped for one in of(Rewound, facts)] == [("u2", "m2/0", "m2/1", "c2")]
    assert [one.id for one in of(Prompt, facts)] == ["u1", "u2", "u3"]
    assert of(Rewound, unknown)[0].dropped == ("u1", "m1/0", "m1", "u2", "m2/0", "m2/1", "c2")
    assert not of(Rewound, facts_of([HEADER, {"$rewindTo": "u1"}]))


@pytest.mark.parametrize(
    "marker",
    [
        [{"$set": {"sessionId": SESSION}}],
        [HEADER | {"startTime": at(50)}],
        [HEADER | {"startTime": at(50)}, {"$set": {"messages": []}}, {"$set": {"sessionId": SESSION}}],
    ],
)
def test_a_session_that_was_opened_again_says_so_once(marker: list[dict[str, Any]]) -> None:
    first = [HEADER, {"$set": {"sessionId": SESSION}}, user("u1", "why?"), model("m1", content="so")]

    facts = facts_of([*first, *marker, user("u2", "and?", second=55)])

    assert len(of(Resumed, facts)) == 1
    assert facts.index(of(Resumed, facts)[0]) == len(facts) - 2


def test_a_subagent_is_joined_to_its_call_and_ends_with_its_report() -> None:
    invoked = call("c1", tool="invoke_agent", args={"agent_name": "helper", "prompt": "look"}, agentId="kid")
    parent = facts_of([HEADER, model("m1", toolCalls=[invoked])])
    done = call("kid#0", tool="complete_task", args={"result": "it fails at :00"})
    child = facts_of(
        [HEADER | {"sessionId": "kid", "kind": "subagent"}, user("u1", "look"), model("m1", toolCalls=[done])],
        reader=ChatReader(ReadCounts(), agent="kid"),
    )

    assert [(one.id, one.call, one.name) for one in of(AgentStarted, parent)] == [("kid", "c1", "look")]
    assert [(one.id, one.model) for one in of(AgentStarted, child)] == [("kid", None), ("kid", "m")]
    assert [(end.text, end.agent) for end in of(TurnEnded, child)] == [("it fails at :00", "kid")]
    assert {fact.agent for fact in child if not isinstance(fact, AgentStarted)} == {"kid"}


def test_folder_and_title_of_a_session_are_emitted() -> None:
    known = facts_of([HEADER, {"$set": {"summary": "The 502s"}}], reader=ChatReader(ReadCounts(), cwd="/home/ada/work"))
    named = facts_of([HEADER | {"directories": ["/home/ada/other"]}])

    assert [(one.id, one.cwd, one.title) for one in of(SessionDescribed, known)] == [
        (SESSION, "/home/ada/work", None),
        (SESSION, None, "The 502s"),
    ]
    assert of(SessionDescribed, named)[0].cwd == "/home/ada/other"


def test_a_document_of_before_is_read_as_one_record() -> None:
    document = HEADER | {"summary": "502s", "messages": [user("u1", "why?"), model("m1", content="so", toolCalls=[])]}

    facts = ChatReader(ReadCounts()).read_record(document)

    assert [type(fact).__name__ for fact in facts] == ["SessionDescribed", "Prompt", "TurnEnded"]


def test_what_is_new_or_broken_is_counted_and_loses_nothing_else() -> None:
    counts = ReadCounts()
    records: list[object] = [HEADER, {"$new": 1}, {"id": "x", "type": "new"}, [], user("u1", "still here")]

    facts = facts_of(records, counts=counts)

    assert [one.text for one in of(Prompt, facts)] == ["still here"]
    assert (counts.unknown, counts.corrupt) == (2, 1)


def test_the_line_after_every_message_is_not_decoded() -> None:
    reader = ChatReader(ReadCounts())

    assert not reader.wants(b'{"$set":{"lastUpdated":"2026-11-22T17:43:34.866Z"}}')
    assert reader.wants(b'{"$set":{"sessionId":"x"}}')


def test_every_cut_of_the_recorded_lines_gives_the_same_facts_in_two_parts() -> None:
    written, whole = recorded_lines(), recorded_facts()

    for cut in range(len(written)):
        reader = ChatReader(ReadCounts())
        assert [fact for part in (written[:cut], written[cut:]) for line in part for fact in reader.read(line)] == whole


_KEYS = """
sessionId id type timestamp content text thought thoughts subject description tokens toolCalls name args status result
functionResponse response output error resultDisplay agentId agent_name messages summary directories $set $rewindTo
startTime model functionCall nextThoughtNeeded lastUpdated
"""
keys = st.sampled_from(_KEYS.split())
words = st.sampled_from(
    ["user", "gemini", "error", "info", "success", "mcp_x_sequentialthinking", "invoke_agent", "a", at(9)]
)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=8),
    max_leaves=15,
)
objects: st.SearchStrategy[dict[str, Any]] = st.dictionaries(keys, values, max_size=10)


@given(st.lists(objects, max_size=8))
def test_whatever_stands_in_a_file_nothing_is_raised_and_every_fact_is_well_typed(
    records: list[dict[str, Any]],
) -> None:
    for fact in facts_of(records):
        assert_well_typed(fact)


@given(st.data())
def test_a_line_that_is_cut_or_changed_is_never_raised_about(data: st.DataObject) -> None:
    written = recorded_lines()
    index = data.draw(st.integers(0, len(written) - 1))
    cut = data.draw(st.integers(0, len(written[index])))
    put = data.draw(st.binary(max_size=3))
    written[index] = written[index][:cut] + put + written[index][cut + len(put) :]
    reader = ChatReader(ReadCounts())

    for line in written:
        for fact in reader.read(line):
            assert_well_typed(fact)


def test_a_patch_is_known_and_neither_repeats_nor_removes_what_was_emitted() -> None:
    counts = ReadCounts()
    answer = model("m2", second=5, content="done")
    facts = facts_of(
        [
            HEADER,
            user("u1", "go"),
            model("m1", toolCalls=[call("c1")]),
            {"$patch": {"summary": "a title"}},
            {"$patch": {"id": "m1", "toolCalls": [{"id": "c1", "result": "[masked]"}]}},
            {"$patch": {"updates": [answer, {"id": "u1", "content": "g"}], "removeIds": ["u1"], "orderIds": ["m2"]}},
            answer,
        ],
        counts=counts,
    )

    assert counts.unknown == 0
    assert [type(fact).__name__ for fact in facts] == [
        "SessionDescribed", "Prompt", "ToolCall", "Result", "SessionDescribed", "TurnEnded",
    ]  # fmt: skip
    assert [one.title for one in of(SessionDescribed, facts)] == [None, "a title"]


def test_a_patch_that_is_no_object_is_counted_as_unknown() -> None:
    counts = ReadCounts()
    facts_of([HEADER, {"$patch": "?"}], counts=counts)

    assert counts.unknown == 1


def test_messages_that_a_subagent_counts_as_its_parent_does_are_its_own() -> None:
    lines = [HEADER, user("u1", "why?"), model("g1", content="so"), {"$rewindTo": "g1"}]
    read = (facts_of(lines), facts_of(lines, reader=ChatReader(ReadCounts(), "kid")))
    main, agent = ([fact for fact in facts if isinstance(fact, Prompt | TurnEnded | Rewound)] for facts in read)

    assert [type(fact) for fact in agent] == [type(fact) for fact in main] == [Prompt, TurnEnded, Rewound]
    assert not {fact.id for fact in main} & {fact.id for fact in agent}
    assert {one for fact in agent if isinstance(fact, Rewound) for one in fact.dropped} == {agent[1].id}
