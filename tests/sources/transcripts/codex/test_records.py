import json
from pathlib import Path
from typing import Any

import pytest

from seqthink.sources.transcripts.codex.records import RolloutReader
from seqthink.sources.transcripts.facts import (
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
from seqthink.sources.transcripts.source import ReadCounts
from tests.sources.transcripts.codex.rollouts import (
    LATER_TURN,
    THREAD,
    TURN,
    completed,
    event,
    facts_of,
    item,
    line,
    message,
    meta,
    of,
    words_of,
)

RECORDED = Path(__file__).parent.parent / "recorded" / "codex-plain-resume.jsonl"
THOUGHT: dict[str, Any] = {"thought": "a", "thoughtNumber": 1, "totalThoughts": 2, "nextThoughtNeeded": True}
ANSWER: dict[str, Any] = {
    "thoughtNumber": 1,
    "totalThoughts": 2,
    "nextThoughtNeeded": True,
    "branches": [],
    "thoughtHistoryLength": 1,
}
STARTED = event("task_started", turn_id=TURN)


def test_the_recorded_session_gives_what_happened_and_nothing_twice() -> None:
    counts = ReadCounts()

    facts = facts_of(RECORDED.read_bytes().splitlines(), counts=counts)

    turn = ["Prompt", *["Reasoning", "ToolCall", "Result"] * 6, "Reasoning", "TurnEnded"]
    kinds = [type(fact).__name__ for fact in facts if not isinstance(fact, ContextUsed)]
    assert kinds == ["SessionDescribed", *turn, "Prompt", "Reasoning", "TurnEnded"]
    assert counts == ReadCounts()
    assert len({(type(fact), fact.id) for fact in facts}) == len(facts)
    assert facts[0] == SessionDescribed(
        id=THREAD, time=1_795_369_187_541_000, client_version="0.169.0", cwd="/home/ada/work"
    )


def test_the_recorded_calls_have_their_arguments_and_their_ends() -> None:
    facts = facts_of(RECORDED.read_bytes().splitlines())

    calls, results = of(ToolCall, facts), of(Result, facts)
    thoughts = [call.arguments["thought"] for call in calls]
    assert thoughts == [
        "Symptoms: 502s at the top of each hour",
        "Pool exhausted?\nTwo lines — ünïcode 漢字",
        "What runs at :00?",
        "bad call",
        "Not the pool",
        "Final: the cron job",
    ]
    assert {call.tool for call in calls} == {"sequentialthinking"}
    assert [result.id for result in results] == [call.id for call in calls]
    assert [result.answered_next for result in results] == [True, True, True, None, True, False]
    assert [result.is_error for result in results] == [False, False, False, True, False, False]
    assert results[3].error.startswith("MCP error -32602: Input validation error")
    assert calls[3].arguments["thoughtNumber"] == "abc"


def test_the_recorded_texts_are_those_of_prompts_reasoning_and_answers() -> None:
    facts = facts_of(RECORDED.read_bytes().splitlines())

    assert [prompt.text for prompt in of(Prompt, facts)] == ["why do we see 502s?", "and again?"]
    assert [end.text for end in of(TurnEnded, facts)] == ["DONE: the cron job starves the pool"] * 2
    reasonings = of(Reasoning, facts)
    assert [one.text.split("before ")[1] for one in reasonings[:2]] == [
        "call 1; the user wants a cause.",
        "call 2; the user wants a cause.",
    ]
    assert {one.model for one in reasonings} == {"mock"}


def call_records(call: str = "c1") -> dict[str, list[bytes]]:
    """Return one thinking call as each generation writes it."""
    function_call = item(
        "function_call", name="sequentialthinking", namespace="mcp__seq", arguments=json.dumps(THOUGHT), call_id=call
    )
    output = item("function_call_output", call_id=call, output=f"Wall time: 0.1 seconds\nOutput:\n{json.dumps(ANSWER)}")
    result: dict[str, Any] = {"content": [{"type": "text", "text": json.dumps(ANSWER)}], "structuredContent": ANSWER}
    whole = completed(
        "McpToolCall",
        id=call,
        server="seq",
        tool="sequentialthinking",
        arguments=THOUGHT,
        status="completed",
        result=result,
    )
    ended = event(
        "mcp_tool_call_end",
        call_id=call,
        invocation={"server": "seq", "tool": "sequentialthinking", "arguments": THOUGHT},
        result={"Ok": result},
    )
    old_call = item("function_call", name="seq__sequentialthinking", arguments=json.dumps(THOUGHT), call_id=call)
    bare_call = json.dumps(
        {"type": "function_call", "name": "seq__sequentialthinking", "arguments": json.dumps(THOUGHT), "call_id": call}
    ).encode()
    bare_output = json.dumps(
        {
            "type": "function_call_output",
            "call_id": call,
            "output": json.dumps([{"type": "text", "text": json.dumps(ANSWER)}]),
        }
    ).encode()
    return {
        "all three places": [function_call, whole, output],
        "item first": [whole, function_call, output],
        "code mode": [whole],
        "no completed item": [function_call, output],
        "event at the end": [old_call, ended, output],
        "event only": [ended],
        "bare": [bare_call, bare_output],
    }


@pytest.mark.parametrize("shape", call_records())
def test_one_call_is_one_call_in_whichever_records_it_stands(shape: str) -> None:
    facts = facts_of([meta(), *call_records()[shape]])

    assert [(call.id, call.tool, call.arguments) for call in of(ToolCall, facts)] == [
        ("c1", "sequentialthinking", THOUGHT)
    ]
    assert [(end.id, end.is_error, end.answered_next) for end in of(Result, facts)] == [("c1", False, True)]


def test_in_code_mode_each_call_has_its_own_start_and_the_script_counts_no_second_time() -> None:
    start = 1_795_369_140_100
    inner = [
        line(
            "event_msg",
            {
                "type": "item_completed",
                "thread_id": THREAD,
                "item": {"type": "McpToolCall", "id": f"exec-{n}", "tool": "sequentialthinking", "arguments": THOUGHT},
                "started_at_ms": start + n,
                "completed_at_ms": start + n + 1,
            },
        )
        for n in range(5)
    ]
    script = item(
        "custom_tool_call", call_id="c9", name="exec", input="for (;;) await tools.mcp__seq__sequentialthinking()"
    )
    output = item("custom_tool_call_output", call_id="c9", output="Script completed\nOutput:\n")

    facts = facts_of([meta(), script, *inner, output])

    calls = of(ToolCall, facts)
    assert [call.tool for call in calls] == ["sequentialthinking"] * 5
    assert [call.time for call in calls] == [(start + n) * 1_000 for n in range(5)]
    assert [end.id for end in of(Result, facts)] == [f"exec-{n}" for n in range(5)]


def test_a_script_that_calls_nothing_is_a_call_itself() -> None:
    script = item("custom_tool_call", call_id="c9", name="exec", input="text(1 + 1)", second=1)
    output = item("custom_tool_call_output", call_id="c9", output="Script completed", second=3)
    unfinished = item("custom_tool_call", call_id="c10", name="exec", input="for (;;);", second=4)
    aborted = event("turn_aborted", reason="interrupted", second=5)

    facts = facts_of([meta(), script, output, unfinished, aborted])

    assert [(call.id, call.summary) for call in of(ToolCall, facts)] == [("c9", "text(1 + 1)"), ("c10", "for (;;);")]
    assert [end.id for end in of(Result, facts)] == ["c9"]


def test_what_codex_seals_is_shown_by_its_name() -> None:
    arguments = json.dumps({"task_name": "judge", "message": "gAAAAABsecretciphertext"})
    spawn = item("function_call", name="spawn_agent", arguments=arguments, call_id="c1")

    facts = facts_of([meta(), spawn])

    assert [call.summary for call in of(ToolCall, facts)] == ["judge"]


def test_an_answer_whose_turn_nothing_ends_is_emitted_before_the_next_prompt_and_at_the_end() -> None:
    lines = [
        meta(),
        event("user_message", message="one?", second=1),
        event("agent_message", message="one.", second=2),
        event("user_message", message="two?", second=3),
        event("agent_message", message="two.", second=4),
    ]
    reader = RolloutReader(ReadCounts())
    facts = [fact for each in lines for fact in reader.read(each)]

    assert [end.text for end in of(TurnEnded, facts)] == ["one."]
    assert [end.text for end in of(TurnEnded, reader.settle())] == ["two."]
    assert reader.settle() == []


def test_a_text_before_a_call_is_no_answer() -> None:
    reader = RolloutReader(ReadCounts())
    for each in (
        meta(),
        event("user_message", message="one?", second=1),
        event("agent_message", message="let me look", second=2),
        item("function_call", name="shell", arguments="{}", call_id="c1", second=3),
    ):
        reader.read(each)

    assert of(TurnEnded, reader.settle()) == []


@pytest.mark.parametrize(
    ("records", "error"),
    [
        (
            [completed("McpToolCall", id="c1", tool="sequentialthinking", status="failed", error={"message": "gone"})],
            "gone",
        ),
        (
            [
                event(
                    "mcp_tool_call_end",
                    call_id="c1",
                    invocation={"tool": "sequentialthinking", "arguments": {}},
                    result={"Err": "tool call failed"},
                )
            ],
            "tool call failed",
        ),
        (
            [
                item("function_call", name="seq__sequentialthinking", arguments="{}", call_id="c1"),
                item("function_call_output", call_id="c1", output="MCP error -32602: no"),
            ],
            "MCP error -32602: no",
        ),
        (
            [
                item("function_call", name="seq__sequentialthinking", arguments="{}", call_id="c1"),
                item(
                    "function_call_output", call_id="c1", output=[{"type": "input_text", "text": '{"status":"failed"}'}]
                ),
            ],
            '{"status":"failed"}',
        ),
        (
            [
                item("function_call", name="seq__sequentialthinking", arguments="{}", call_id="c1"),
                item("function_call_output", call_id="c1", output={"content": "no", "success": False}),
            ],
            "no",
        ),
    ],
)
def test_a_refused_call_has_its_error(records: list[bytes], error: str) -> None:
    ends = of(Result, facts_of([meta(), *records]))

    assert [(end.is_error, end.error, end.answered_next) for end in ends] == [(True, error, None)]


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        (
            [
                item("function_call", name="exec_command", arguments='{"cmd":"make  test"}', call_id="c"),
                completed(
                    "CommandExecution", id="c", command=["bash", "-lc", "make  test"], status="failed", exit_code=2
                ),
                item("function_call_output", call_id="c", output="Process exited with code 2\nOutput:\n"),
            ],
            ("exec_command", "make test", "exit code 2"),
        ),
        (
            [completed("CommandExecution", id="c", command=["bash", "-lc", "ls -l"], exit_code=0)],
            ("exec_command", "ls -l", None),
        ),
        (
            [
                item("function_call", name="shell", arguments='{"command":["ls","-l"]}', call_id="c"),
                item("function_call_output", call_id="c", output='{"output":"no","metadata":{"exit_code":1}}'),
            ],
            ("shell", "ls -l", "exit code 1: no"),
        ),
        (
            [
                item("function_call", name="exec_command", arguments='{"cmd":"ls"}', call_id="c"),
                item(
                    "function_call_output", call_id="c", output="Wall time: 1\nProcess exited with code 0\nOutput:\nx"
                ),
            ],
            ("exec_command", "ls", None),
        ),
        (
            [
                item(
                    "custom_tool_call",
                    name="apply_patch",
                    input="*** Begin Patch\n*** Update File: a.py\n@@",
                    call_id="c",
                ),
                event("patch_apply_end", call_id="c", success=True),
            ],
            ("apply_patch", "a.py", None),
        ),
        ([completed("FileChange", id="c", changes={"b.py": {}}, status="completed")], ("apply_patch", "b.py", None)),
        (
            [completed("FileChange", id="c", changes={"b.py": {}, "c.py": {}}, status="completed")],
            ("apply_patch", "b.py +1", None),
        ),
        (
            [item("web_search_call", id="c", status="completed", action={"type": "search", "query": "cron"})],
            ("web_search", "cron", None),
        ),
        (
            [
                item("local_shell_call", call_id="c", action={"command": ["pwd"]}),
                item("function_call_output", call_id="c", output="/"),
            ],
            ("local_shell", "pwd", None),
        ),
        (
            [completed("CommandExecution", id="c", command=["ls"], exit_code=-9)],
            ("exec_command", "ls", "exit code -9"),
        ),
        (
            [event("exec_command_end", call_id="c", command=["ls"], exit_code=1)],
            ("exec_command", "ls", "exit code 1"),
        ),
        (
            [
                item(
                    "function_call", name="list_files", namespace="mcp__files", arguments='{"path":"/x"}', call_id="c"
                ),
                item("function_call_output", call_id="c", output="ok"),
            ],
            ("list_files", "/x", None),
        ),
        (
            [
                item("function_call", name="exec_command", arguments='{"cmd":"ls"}', call_id="c"),
                item(
                    "function_call_output",
                    call_id="c",
                    output="Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 2\nOutput:\nls: no a\nmore",
                ),
            ],
            ("exec_command", "ls", "exit code 2: ls: no a"),
        ),
        (
            [
                item("function_call", name="exec_command", arguments='{"cmd":"ls"}', call_id="c"),
                item("function_call_output", call_id="c", output="aborted by user after 3.2s"),
            ],
            ("exec_command", "ls", "aborted by user after 3.2s"),
        ),
        (
            [event("patch_apply_end", call_id="c", changes={"b.py": {}}, success=False, stderr="b.py: no such file")],
            ("apply_patch", "b.py", "b.py: no such file"),
        ),
    ],
)
def test_other_tools_are_kept_in_a_line_and_of_a_failure_the_first_line_of_why(
    records: list[bytes], expected: tuple[str, str, str | None]
) -> None:
    facts = facts_of([meta(), *records])

    calls, ends = of(ToolCall, facts), of(Result, facts)
    assert [(call.tool, call.summary, call.arguments) for call in calls] == [(expected[0], expected[1], None)]
    assert [(end.id, end.is_error, end.error) for end in ends] == [
        (calls[0].id, expected[2] is not None, expected[2] or "")
    ]


def test_a_very_long_output_ends_its_call_and_a_thinking_tool_s_is_read_all_the_same() -> None:
    call = item("function_call", name="exec_command", arguments='{"cmd":"ls"}', call_id="c1")
    output = item("function_call_output", call_id="c1", output="Output:\n" + "x" * 100_000)
    thinking = item("function_call", name="seq__sequentialthinking", arguments="{}", call_id="c2")
    answer = item("function_call_output", call_id="c2", output=json.dumps(ANSWER) + " " * 100_000)

    ends = of(Result, facts_of([meta(), call, output, thinking, answer]))

    assert [(end.id, end.is_error, end.answered_next) for end in ends] == [("c1", False, None), ("c2", False, True)]


def test_user_prompts_are_those_that_the_client_says_not_what_it_injects() -> None:
    old = [
        meta(),
        message("user", "<environment_context>\n<cwd>/x</cwd></environment_context>"),
        message("user", "# AGENTS.md instructions for /x"),
        message("user", "fix it"),
        event("user_message", message="fix it", kind="plain"),
        event("user_message", message="<environment_context>", kind="environment_context"),
        event("agent_message", message="done"),
    ]
    bare = [
        json.dumps({"id": THREAD, "timestamp": "2025-08-01T10:00:00Z", "instructions": None}).encode(),
        json.dumps({"record_type": "state"}).encode(),
        json.dumps({"type": "message", "role": "user", "content": [{"text": "<environment_context>"}]}).encode(),
        json.dumps({"type": "message", "role": "user", "content": [{"text": "fix it"}]}).encode(),
        json.dumps({"type": "message", "role": "assistant", "content": [{"text": "done"}]}).encode(),
        json.dumps({"type": "message", "role": "user", "content": [{"text": "and now?"}]}).encode(),
        json.dumps({"type": "reasoning", "id": "rs_1", "summary": [{"text": "hm"}]}).encode(),
    ]

    assert [prompt.text for prompt in of(Prompt, facts_of(old))] == ["fix it"]
    assert words_of(facts_of(bare))[1:] == [
        ("Prompt", words_of(facts_of(bare))[1][1], "fix it"),
        ("TurnEnded", words_of(facts_of(bare))[2][1], "done"),
        ("Prompt", words_of(facts_of(bare))[3][1], "and now?"),
        ("Reasoning", "rs_1", "hm"),
    ]


def test_the_request_is_taken_out_of_what_an_editor_puts_around_it() -> None:
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nfix it\n"

    assert [one.text for one in of(Prompt, facts_of([meta(), event("user_message", message=text)]))] == ["fix it"]


def test_the_same_prompt_in_two_turns_is_two_prompts_and_read_twice_it_is_one() -> None:
    lines = [
        meta(),
        STARTED,
        event("user_message", message="go on"),
        event("task_complete", turn_id=TURN, last_agent_message="a"),
        event("task_started", turn_id=LATER_TURN),
        event("user_message", message="go on"),
    ]

    first, second = (of(Prompt, facts_of(lines)) for _ in range(2))

    assert len({prompt.id for prompt in first}) == 2
    assert [prompt.id for prompt in first] == [prompt.id for prompt in second]


def test_a_turn_ends_with_its_answer_or_interrupted_or_with_an_error() -> None:
    lines = [
        meta(),
        *(event("task_started", turn_id="t1"), event("task_complete", turn_id="t1", last_agent_message="yes")),
        *(event("task_started", turn_id="t2"), event("turn_aborted", turn_id="t2", reason="interrupted")),
        *(event("task_started", turn_id="t3"), event("error", message="limit"), event("task_complete", turn_id="t3")),
        *(event("task_started", turn_id="t4"), message("assistant", "so"), event("task_complete", turn_id="t4")),
        *(event("turn_started", turn_id="t5"), event("turn_complete", turn_id="t5", last_agent_message="new names")),
    ]

    ends = [(end.id, end.text, end.is_aborted) for end in of(TurnEnded, facts_of(lines))]

    assert ends == [
        ("t1", "yes", False),
        ("t2", "", True),
        ("t3", "", True),
        ("t4", "so", False),
        ("t5", "new names", False),
    ]


@pytest.mark.parametrize(
    "records",
    [
        [line("compacted", {"message": "", "replacement_history": []}), event("context_compacted")],
        [event("context_compacted"), line("compacted", {"message": ""})],
        [line("compacted", {"message": ""}), completed("ContextCompaction", id="x")],
        [line("compacted", {"message": ""})],
        [b'{"timestamp":"2026-11-22T17:39:00Z","ordinal":3,"type":"compacted","payload":{"message":"' + b"x" * 99_999],
    ],
)
def test_a_compaction_is_emitted_once_with_how_large_it_was_and_never_decoded(records: list[bytes]) -> None:
    tokens = event("token_count", info={"last_token_usage": {"total_tokens": 990_000}})

    facts = facts_of([meta(), STARTED, tokens, *records])

    assert [one.tokens_before for one in of(Compacted, facts)] == [990_000]


def test_two_compactions_of_one_turn_are_two_and_the_summary_is_no_answer() -> None:
    compacted = [message("assistant", "summary"), line("compacted", {"message": ""}), event("context_compacted")]

    facts = facts_of([meta(), STARTED, *compacted, *compacted, event("task_complete", turn_id=TURN)])

    assert len({one.id for one in of(Compacted, facts)}) == 2
    assert [end.text for end in of(TurnEnded, facts)] == [""]


def test_a_rollback_names_all_that_is_left_behind() -> None:
    def turn(name: str) -> list[bytes]:
        return [
            event("task_started", turn_id=name),
            event("user_message", message=name),
            item("reasoning", id=f"rs-{name}", summary=[{"text": "hm"}]),
            completed("McpToolCall", id=f"c-{name}", tool="sequentialthinking", arguments=THOUGHT),
            event("task_complete", turn_id=name, last_agent_message="so"),
        ]

    facts = facts_of([meta(), *turn("a"), *turn("b"), *turn("c"), event("thread_rolled_back", num_turns=2), *turn("d")])
    again = facts_of([meta(), *turn("a"), event("thread_rolled_back", num_turns=99)])

    rewound = of(Rewound, facts)[0].dropped
    prompts = of(Prompt, facts)
    assert rewound == (prompts[1].id, "rs-b", "c-b", "b", prompts[2].id, "rs-c", "c-c", "c")
    assert of(Rewound, again)[0].dropped == (prompts[0].id, "rs-a", "c-a", "a")
    assert facts.index(of(Rewound, facts)[0]) < facts.index(prompts[3])
    assert not of(Rewound, facts_of([meta(), event("thread_rolled_back", num_turns=1)]))


def test_a_title_is_emitted_when_it_is_given() -> None:
    facts = facts_of([meta(), event("thread_name_updated", thread_id=THREAD, thread_name="502s")])

    assert [one.title for one in of(SessionDescribed, facts)] == [None, "502s"]


def test_what_is_new_or_broken_is_counted_and_loses_nothing_else() -> None:
    counts = ReadCounts()
    lines = [
        meta(),
        line("new_kind", {}),
        event("new_event"),
        item("new_item"),
        completed("NewItem"),
        b'{"timestamp":"2026-11-22T17:39:00Z","type":"event_msg","payload":{"type":"user_mess',
        b"[]",
        line("session_meta", {}),
        event("user_message", message="still here"),
    ]

    facts = facts_of(lines, counts=counts)

    assert [one.text for one in of(Prompt, facts)] == ["still here"]
    assert (counts.unknown, counts.corrupt) == (4, 3)


def test_types_that_say_nothing_of_use_are_known() -> None:
    counts = ReadCounts()
    reader = RolloutReader(counts)
    lines = [
        line("world_state", {"state": {}}),
        line("token_usage_record", {}),
        line("inter_agent_communication_metadata", {}),
        event("thread_settings_applied"),
        item("additional_tools"),
        completed("Plan"),
    ]

    facts: list[Fact] = [fact for one in lines for fact in reader.read(one)]

    assert facts == []
    assert counts == ReadCounts()
    assert [reader.wants(one) for one in lines] == [False, False, True, True, False, True]
