"""Ids that models repeat: each call is itself, in every client's transcripts."""

import json
from collections.abc import Iterable

import pytest

from seqthink.sources.transcripts.call_ids import CallIds, is_unique
from seqthink.sources.transcripts.claude.agents import AgentNames, Subagents
from seqthink.sources.transcripts.claude.records import FileKind
from seqthink.sources.transcripts.claude.subagents import AgentMeta
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import AgentStarted, Fact, Reasoning, Result, ToolCall, TurnEnded
from seqthink.sources.transcripts.gemini.records import ChatReader
from tests.sources.transcripts.codex import rollouts
from tests.support.transcripts import claude_lines
from tests.support.transcripts.claude_lines import assistant, call, result, text, thinking, user

TOOL = "mcp__seq__sequentialthinking"


@pytest.mark.parametrize(
    "client_id",
    ["toolu_01GaHTvkbFyvM2tCJs5Y9Gzb", "call_eDVQsDpGJTKnBsbsmqAGvAkX", "exec-0194b1d2-9f3e-7cc1-a0aa-1b2c3d4e5f60"],
)
def test_an_id_of_a_client_that_draws_lots_is_unique(client_id: str) -> None:
    assert is_unique(client_id)


@pytest.mark.parametrize(
    "client_id",
    [
        "call_0",
        "functions.sequentialthinking:12",
        "list_dir:3",
        "sequentialthinking",
        "0",
        "t1",
        "call_list_directory_9",
    ],
)
def test_an_id_that_counts_or_names_the_tool_is_not(client_id: str) -> None:
    assert not is_unique(client_id)


def test_the_first_call_keeps_the_client_s_id_and_the_next_one_is_known_by_its_record() -> None:
    ids = CallIds()

    assert [ids.of("call_0", "m1/0"), ids.of("call_0", "m2/0"), ids.of("call_0", "m1/0")] == [
        "call_0",
        "m2/0",
        "call_0",
    ]


def test_a_result_is_that_of_the_newest_call_with_its_id() -> None:
    ids = CallIds()

    assert ids.newest("call_0") == "call_0"
    ids.of("call_0", "m1/0")
    ids.of("call_0", "m2/0")
    assert ids.newest("call_0") == "m2/0"


def test_agents_that_count_alike_have_calls_of_their_own() -> None:
    assert CallIds("agent").of("call_0", "m1/0") == "agent/call_0"
    assert CallIds("agent").of("toolu_01GaHTvkbFyvM2tCJs5Y9Gzb", "m1/0") == "toolu_01GaHTvkbFyvM2tCJs5Y9Gzb"


def pairs(facts: Iterable[Fact]) -> list[tuple[str, bool]]:
    """Return the arguments of each call, and whether it ended."""
    ended = {fact.id for fact in facts if isinstance(fact, Result)}
    return [(fact.arguments["thought"], fact.id in ended) for fact in facts if isinstance(fact, ToolCall)]


def test_claude_s_answers_that_count_their_calls_alike_keep_all_of_them() -> None:
    lines: list[bytes] = []
    for turn in ("1", "2", "3"):
        lines += [
            user(f"p{turn}", None if turn == "1" else f"r{int(turn) - 1}", f"Q{turn}"),
            assistant(f"a{turn}", f"p{turn}", f"m{turn}", call("sequentialthinking:0", TOOL, thought=turn)),
            # The same message once more, as it was when its next block came.
            assistant(f"b{turn}", f"a{turn}", f"m{turn}", call("sequentialthinking:0", TOOL, thought=turn)),
            user(f"r{turn}", f"b{turn}", [result("sequentialthinking:0")]),
        ]

    facts = claude_lines.facts_of(lines)

    calls = {fact.id: fact for fact in facts if isinstance(fact, ToolCall)}
    assert pairs(calls.values()) == [(turn, False) for turn in ("1", "2", "3")]
    assert [fact.id for fact in facts if isinstance(fact, Result)] == list(calls)
    assert {fact.client_id or fact.id for fact in calls.values()} == {"sequentialthinking:0"}


def test_two_of_claude_s_subagents_that_were_started_by_calls_with_one_id_are_two() -> None:
    agents = Subagents()
    main = claude_lines.reader(agents=agents)
    children = [claude_lines.reader(FileKind.AGENT, name, agents) for name in ("a7", "a8")]
    facts: list[Fact] = []
    for number, (name, child) in enumerate(zip(("a7", "a8"), children, strict=True)):
        child.describe(AgentMeta(call="Agent:0", names=AgentNames("Explore", name)))
        asked = call("Agent:0", "Agent", subagent_type="Explore", description=name, prompt=name)
        done = {"agentId": name, "status": "completed", "content": [text(f"{name} is done")]}
        parent = None if number == 0 else f"r{number - 1}"
        facts += claude_lines.facts_of([assistant(f"m{number}", parent, f"m{number}", asked)], main)
        facts += claude_lines.facts_of([user(f"{name}-1", None, name)], child)
        facts += claude_lines.facts_of(
            [user(f"r{number}", f"m{number}", [result("Agent:0")], toolUseResult=done)], main
        )

    calls = [fact.id for fact in facts if isinstance(fact, ToolCall)]
    started = {fact.id: fact.call for fact in facts if isinstance(fact, AgentStarted)}
    assert len(set(calls)) == 2
    assert started == dict(zip(("a7", "a8"), calls, strict=True))
    assert [(fact.agent, fact.text) for fact in facts if isinstance(fact, TurnEnded)] == [
        ("a7", "a7 is done"),
        ("a8", "a8 is done"),
    ]


def test_answers_with_one_message_id_are_distinguished_by_their_requests() -> None:
    facts = claude_lines.facts_of(
        [
            line
            for turn in (1, 2)
            for line in (
                user(f"p{turn}", None if turn == 1 else "b1", f"Q{turn}"),
                assistant(f"a{turn}", f"p{turn}", "msg", thinking(f"reason {turn}"), requestId=f"r{turn}"),
                assistant(f"b{turn}", f"a{turn}", "msg", text(f"A{turn}"), requestId=f"r{turn}", stop="end_turn"),
            )
        ]
    )

    assert [fact.text for fact in facts if isinstance(fact, Reasoning)] == ["reason 1", "reason 2"]
    assert [fact.text for fact in facts if isinstance(fact, TurnEnded)] == ["A1", "A2"]
    assert len({(type(fact), fact.id) for fact in facts}) == len(facts)


def test_answers_with_one_message_id_and_no_request_are_distinguished_by_their_turns() -> None:
    facts = claude_lines.facts_of(
        [
            user("p1", None, "Q1"),
            assistant("a1", "p1", "msg", text("A1"), stop="end_turn"),
            user("p2", "a1", "Q2"),
            assistant("a2", "p2", "msg", text("A2"), stop="end_turn"),
        ]
    )

    assert [fact.text for fact in facts if isinstance(fact, TurnEnded)] == ["A1", "A2"]


def test_codex_s_answers_that_count_their_calls_alike_keep_all_of_them() -> None:
    lines = [rollouts.meta()]
    for turn in (1, 2):
        arguments = {"thought": str(turn)}
        lines += [
            rollouts.event("task_started", turn_id=f"turn-{turn}"),
            rollouts.item(
                "function_call", name="sequentialthinking", arguments=json.dumps(arguments), call_id="call_0"
            ),
            rollouts.completed("McpToolCall", id="call_0", tool="sequentialthinking", arguments=arguments),
            rollouts.item("function_call_output", call_id="call_0", output="fine"),
        ]
    facts = rollouts.facts_of(lines)

    assert pairs(facts) == [("1", True), ("2", True)]


def test_gemini_s_answers_that_count_their_calls_alike_keep_all_of_them() -> None:
    reader = ChatReader(ReadCounts())
    facts: list[Fact] = []
    for turn in ("1", "2"):
        called = {"id": "call_0", "name": "sequentialthinking", "args": {"thought": turn}}
        for status in ("executing", "success"):
            message = {"id": f"m{turn}", "type": "gemini", "toolCalls": [{**called, "status": status}]}
            facts += reader.read_record(message)

    assert pairs(facts) == [("1", True), ("2", True)]


@pytest.mark.parametrize("client_id", ["call_0", "", None, 7])
def test_calls_of_one_answer_with_one_id_or_none_are_distinguished_by_their_arguments(
    client_id: object,
) -> None:
    def thinks(thought: str) -> dict[str, object]:
        return {"type": "tool_use", "id": client_id, "name": TOOL, "input": {"thought": thought}}

    def answered(place: str, parent: str, text: str) -> bytes:
        block = {"type": "tool_result", "tool_use_id": client_id, "content": text, "is_error": text == "no"}
        return user(place, parent, [block])

    lines = [
        user("p", None, "Q"),
        assistant("a1", "p", "m", thinks("one")),
        assistant("a2", "a1", "m", thinks("one"), thinks("two")),  # a copy that has grown
        answered("r1", "a2", "no"),
        answered("r2", "r1", "yes"),
    ]
    facts = claude_lines.facts_of(lines)

    assert list(dict.fromkeys(pairs(facts))) == [("one", True), ("two", True)]
    assert len({fact.id for fact in facts if isinstance(fact, ToolCall)}) == 2
    assert [fact.is_error for fact in facts if isinstance(fact, Result)] == [True, False]


def test_calls_of_codex_that_run_at_once_under_one_id_are_distinguished() -> None:
    def begun(thought: str) -> bytes:
        arguments = json.dumps({"thought": thought})
        return rollouts.item("function_call", name=f"seq__{TOOL[10:]}", arguments=arguments, call_id="call_0")

    def completed(thought: str) -> bytes:
        arguments = {"thought": thought}
        return rollouts.completed("McpToolCall", id="call_0", tool=TOOL[10:], arguments=arguments, status="completed")

    output = rollouts.item("function_call_output", call_id="call_0", output="{}")
    lines = [begun("one"), begun("two"), completed("one"), completed("two"), output, output]
    facts = rollouts.facts_of([rollouts.meta(), *lines])

    assert pairs(facts) == [("one", True), ("two", True)]
