"""Each shape of record that Claude Code writes or wrote."""

import json
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

from seqthink.sources.transcripts.claude.agents import AgentNames, Subagents
from seqthink.sources.transcripts.claude.records import FileKind
from seqthink.sources.transcripts.claude.subagents import AgentMeta
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.edits.recorded import without_edits
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
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
from tests.support.transcripts.claude_lines import (
    SESSION,
    START_US,
    assistant,
    call,
    facts_of,
    line,
    reader,
    result,
    text,
    thinking,
    user,
)

_F = TypeVar("_F", bound=Fact)
IMAGE = {"type": "image"}


def brief(facts: Sequence[Fact]) -> list[tuple[str, str]]:
    """Return type and id of each fact but the session's."""
    return [(type(fact).__name__, fact.id) for fact in facts if not isinstance(fact, SessionDescribed)]


def one(facts: Sequence[Fact], kind: type[_F]) -> _F:
    found = [fact for fact in facts if isinstance(fact, kind)]
    assert len(found) == 1, facts
    return found[0]


def test_the_first_record_describes_the_session() -> None:
    facts = facts_of([user("u1", None, "why?"), user("u2", "u1", "and?")])

    assert one(facts, SessionDescribed) == SessionDescribed(
        id=SESSION, time=START_US, client_version="2.1.197", cwd="/home/ada/work"
    )


@pytest.mark.parametrize(
    ("content", "prompt"),
    [
        ("why do we see 502s?", "why do we see 502s?"),
        ([text("look at"), IMAGE, text("this")], "look at\n\nthis"),
        ([IMAGE], "[image]"),
        ("<ide_opened_file>The user opened a.py</ide_opened_file>\nwhat is this?", "\nwhat is this?"),
        ([text("<ide_selection>x = 1</ide_selection>"), text("and this?")], "and this?"),
        ("<div> is not centred", "<div> is not centred"),
    ],
)
def test_what_the_user_typed_is_a_prompt(content: object, prompt: str) -> None:
    assert one(facts_of([user("u1", None, content)]), Prompt) == Prompt(id="u1", time=START_US, text=prompt)


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("Caveat: …", {"isMeta": True}),
        ("the conversation so far", {"isCompactSummary": True, "isVisibleInTranscriptOnly": True}),
        ("<command-name>/clear</command-name>\n<command-args></command-args>", {}),
        ("<local-command-stdout>cleared</local-command-stdout>", {}),
        ("<bash-input>ls</bash-input>", {}),
        ("<ide_opened_file>The user opened a.py</ide_opened_file>", {}),
        ("<system-reminder>remember</system-reminder>", {}),
        ("", {}),
        (None, {}),
        ([result("t1")], {}),
    ],
)
def test_what_the_client_put_there_is_no_prompt(content: object, fields: dict[str, Any]) -> None:
    assert not [fact for fact in facts_of([user("u1", None, content, **fields)]) if isinstance(fact, Prompt)]


def test_a_command_that_the_model_answers_is_a_prompt() -> None:
    command = "<command-message>review</command-message>\n<command-name>/review</command-name>\n"
    facts = facts_of(
        [
            user("u1", None, f"{command}<command-args>42</command-args>"),
            user("u2", "u1", "the instructions of the command", isMeta=True),
            assistant("a1", "u2", "m1", text("looks good"), stop="end_turn"),
        ]
    )

    assert brief(facts) == [("Prompt", "u1"), ("TurnEnded", "m1")]
    assert one(facts, Prompt).text == "/review 42"


def test_a_command_that_the_client_answers_is_none() -> None:
    facts = facts_of(
        [
            user("u1", None, "<command-name>/model</command-name>"),
            user("u2", "u1", "<local-command-stdout>set</local-command-stdout>"),
            user("u3", "u2", "why?"),
            assistant("a1", "u3", "m1", text("so")),
        ]
    )

    assert brief(facts) == [("Prompt", "u3")]


def test_reasoning_is_one_fact_for_each_block_with_its_tokens_once() -> None:
    usage = {"output_tokens": 90, "output_tokens_details": {"thinking_tokens": 70}}
    facts = facts_of(
        [
            assistant("a1", None, "m1", thinking("first", "s1"), usage=usage, thinkingDurationMs=136),
            assistant("a2", "a1", "m1", thinking("second", "s2"), usage=usage),
            assistant("a3", "a2", "m2", thinking("", "s3")),
            assistant("a4", "a3", "m2", {"type": "redacted_thinking", "data": "x"}),
        ]
    )
    reasoning = [fact for fact in facts if isinstance(fact, Reasoning)]

    assert [(it.id, it.text, it.tokens, it.duration_ms) for it in reasoning] == [
        ("m1:0", "first", 70, 136.0),
        ("m1:1", "second", 0, None),
        ("m2:0", "", 0, None),
        ("m2:1", "", 0, None),
    ]
    assert {it.model for it in reasoning} == {"claude-opus-4-8"}


def test_growing_copies_of_one_message_give_each_block_once() -> None:
    use = call("t1", "Read", file_path="a.py")
    facts = facts_of(
        [
            assistant("a1", None, "m1", thinking("hm")),
            assistant("a2", "a1", "m1", thinking("hm"), text("Looking")),
            assistant("a3", "a2", "m1", thinking("hm"), text("Looking"), use),
        ]
    )

    assert brief(facts) == [("Reasoning", "m1:0"), ("Remark", "m1:0"), ("ToolCall", "t1")]


def test_a_thinking_call_keeps_its_arguments_and_what_it_was_answered() -> None:
    name = "mcp__plugin_x_seq__sequentialthinking"
    answer = json.dumps({"thoughtNumber": 1, "nextThoughtNeeded": True})
    facts = facts_of(
        [
            assistant("a1", None, "m1", call("t1", name, thought="hm", thoughtNumber=1)),
            user("u1", "a1", [result("t1", answer)]),
            assistant("a2", "u1", "m2", call("t2", name, thought="bad", thoughtNumber="abc")),
            user("u2", "a2", [result("t2", [text("no number")], is_error=True)]),
            assistant("a3", "u2", "m3", call("t3", name, thought="end", thoughtNumber=2)),
            user("u3", "a3", [result("t3", "(cut)")], mcpMeta={"structuredContent": {"nextThoughtNeeded": False}}),
        ]
    )

    assert [fact for fact in facts if isinstance(fact, (ToolCall, Result))] == [
        ToolCall(id="t1", time=START_US, tool="sequentialthinking", arguments={"thought": "hm", "thoughtNumber": 1}),
        Result(id="t1", time=START_US, is_error=False, answered_next=True),
        ToolCall(
            id="t2", time=START_US, tool="sequentialthinking", arguments={"thought": "bad", "thoughtNumber": "abc"}
        ),
        Result(id="t2", time=START_US, is_error=True, error="no number"),
        ToolCall(id="t3", time=START_US, tool="sequentialthinking", arguments={"thought": "end", "thoughtNumber": 2}),
        Result(id="t3", time=START_US, is_error=False, answered_next=False),
    ]


def test_of_other_calls_only_a_summary_is_kept_and_the_first_line_of_a_failure() -> None:
    facts = facts_of(
        [
            assistant("a1", None, "m1", call("t1", "Write", file_path="a.py", content="x" * 200_000)),
            user("u1", "a1", [result("t1", "Exit code 1\nno such file\nmore", is_error=True)]),
            assistant("a2", "u1", "m2", {**call("s1", "web_search", query="q"), "type": "server_tool_use"}),
            assistant("a3", "a2", "m2", {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}),
        ]
    )

    calls = [fact for fact in facts if isinstance(fact, (ToolCall, Result))]

    assert without_edits(calls) == [
        ToolCall(id="t1", time=START_US, tool="Write", summary="a.py"),
        Result(id="t1", time=START_US, is_error=True, error="exit code 1: no such file"),
        ToolCall(id="s1", time=START_US, tool="web_search", summary="q"),
        Result(id="s1", time=START_US, is_error=False),
    ]


def test_the_last_text_of_a_message_that_ends_its_turn_ends_it() -> None:
    facts = facts_of(
        [
            user("u1", None, "why?"),
            assistant("a1", "u1", "m1", text("let me see"), stop="tool_use"),
            assistant("a2", "a1", "m1", call("t1", "Read"), stop="tool_use"),
            user("u2", "a2", [result("t1")]),
            assistant("a3", "u2", "m2", thinking("so"), stop="end_turn"),
            assistant("a4", "a3", "m2", text("the cron job"), stop="end_turn", after=1),
            line("system", "s1", "a4", subtype="turn_duration", durationMs=900),
        ]
    )

    assert one(facts, TurnEnded) == TurnEnded(id="m2", time=START_US + 1_000_000, text="the cron job")


def test_a_turn_that_ends_without_a_text_ends_with_the_next_record() -> None:
    facts = facts_of(
        [
            user("u1", None, "why?"),
            assistant("a1", "u1", "m1", thinking("nothing to say"), stop="end_turn"),
            line("last-prompt", lastPrompt="why?", leafUuid="a1"),
        ]
    )

    assert one(facts, TurnEnded) == TurnEnded(id="m1:silent", time=START_US)


@pytest.mark.parametrize(
    "after",
    [
        user("u2", "a1", "and?"),
        line("system", "s1", "a1", subtype="turn_duration"),
        line("last-prompt", lastPrompt="why?", leafUuid="a1"),
    ],
)
def test_where_no_message_says_why_it_stopped_a_turn_ends_with_its_last_text(after: bytes) -> None:
    facts = facts_of([user("u1", None, "why?"), assistant("a1", "u1", "m1", text("so")), after])

    assert one(facts, TurnEnded) == TurnEnded(id="m1", time=START_US, text="so")


@pytest.mark.parametrize("said", ["[Request interrupted by user]", "[Request interrupted by user for tool use]"])
@pytest.mark.parametrize("before", [[], [result("t1", "rejected", is_error=True)]])
def test_an_interrupted_turn_is_aborted(said: str, before: list[Any]) -> None:
    facts = facts_of(
        [
            user("u1", None, "why?"),
            assistant("a1", "u1", "m1", call("t1", "Bash", command="ls"), stop="tool_use"),
            user("u2", "a1", [*before, text(said)]),
        ]
    )

    assert one(facts, TurnEnded) == TurnEnded(id="u2", time=START_US, is_aborted=True)


def test_an_error_of_the_model_s_service_aborts_a_turn() -> None:
    facts = facts_of(
        [
            user("u1", None, "why?"),
            assistant("a1", "u1", "m1", text("API Error: 529"), model="<synthetic>", isApiErrorMessage=True),
        ]
    )

    assert one(facts, TurnEnded) == TurnEnded(id="m1", time=START_US, text="API Error: 529", is_aborted=True)


@pytest.mark.parametrize("uuid", ["q1", None])
def test_a_prompt_typed_meanwhile_is_a_prompt(uuid: str | None) -> None:
    attached = {"type": "queued_command", "prompt": "stop at three", "commandMode": "prompt"}
    facts = facts_of([user("u1", None, "count"), line("attachment", uuid, "u1", attachment=attached)])

    assert [fact.text for fact in facts if isinstance(fact, Prompt)] == ["count", "stop at three"]


def test_a_message_that_was_taken_in_the_middle_of_a_turn_is_a_prompt_and_one_that_waits_is_none_yet() -> None:
    def queued(operation: str, content: str, **fields: object) -> bytes:
        return line("queue-operation", operation=operation, content=content, **fields)

    facts = facts_of(
        [
            user("u1", None, "Start the migration"),
            queued("enqueue", "no: the parser first"),
            queued("remove", "no: the parser first", reason="absorbed_mid_turn"),
            queued("enqueue", "<task-notification>a report</task-notification>"),
            queued("remove", "<task-notification>a report</task-notification>", reason="absorbed_mid_turn"),
            queued("enqueue", "and then the docs"),
        ]
    )

    assert [fact.text for fact in facts if isinstance(fact, Prompt)] == ["Start the migration", "no: the parser first"]


def test_a_compaction_is_emitted_once_with_its_sizes() -> None:
    sizes = {"trigger": "auto", "preTokens": 990_037, "postTokens": 2669}
    facts = facts_of(
        [
            user("u1", None, "why?"),
            line("system", "s1", None, subtype="compact_boundary", logicalParentUuid="u1", compactMetadata=sizes),
            user("u2", "s1", "so far: …", isCompactSummary=True),
            user("u3", "u2", "go on"),
        ]
    )

    assert one(facts, Compacted) == Compacted(id="s1", time=START_US, tokens_before=990_037, tokens_after=2669)
    assert not any(isinstance(fact, Rewound) for fact in facts)


def test_a_summary_without_a_boundary_is_a_compaction_too() -> None:
    assert brief(facts_of([user("u1", None, "so far: …", isCompactSummary=True)])) == [("Compacted", "u1")]


def test_a_hook_says_that_a_session_was_opened_again() -> None:
    attached = {"type": "hook_success", "hookName": "SessionStart:resume", "content": ""}

    assert one(facts_of([line("attachment", "h1", None, attachment=attached)]), Resumed).id == "h1"


def test_an_edited_prompt_leaves_behind_what_followed_the_old_one() -> None:
    facts = facts_of(
        [
            user("u1", None, "why?"),
            assistant("a1", "u1", "m1", text("so"), stop="end_turn"),
            user("u2", "a1", "fix it"),
            assistant("a2", "u2", "m2", thinking("hm"), stop="tool_use"),
            assistant("a3", "a2", "m2", call("t1", "Edit", file_path="a.py"), stop="tool_use"),
            user("u3", "a3", [result("t1")]),
            assistant("a4", "u3", "m3", text("done"), stop="end_turn"),
            user("u4", "a1", "fix it well"),
            assistant("a5", "u4", "m4", text("done well"), stop="end_turn"),
            user("u5", "a5", "thanks"),
        ]
    )

    assert one(facts, Rewound) == Rewound(id="u4", time=START_US, dropped=("u2", "m2:0", "t1", "m3"))
    assert brief(facts)[-4:] == [("Rewound", "u4"), ("Prompt", "u4"), ("TurnEnded", "m4"), ("Prompt", "u5")]


def test_the_first_prompt_can_be_edited_too() -> None:
    facts = facts_of(
        [
            user("u1", None, "why?"),
            assistant("a1", "u1", "m1", text("so"), stop="end_turn"),
            user("u2", None, "why now?"),
        ]
    )

    assert one(facts, Rewound).dropped == ("u1", "m1")


def test_parallel_calls_are_no_rewind() -> None:
    facts = facts_of(
        [
            user("u1", None, "why?"),
            assistant("a1", "u1", "m1", call("t1", "Read")),
            assistant("a2", "a1", "m1", call("t2", "Read")),
            user("r2", "a2", [result("t2")]),
            user("r1", "a1", [result("t1")]),
            assistant("a3", "r1", "m2", text("so"), stop="end_turn"),
            user("u2", "a3", "and?"),
        ]
    )

    assert not any(isinstance(fact, Rewound) for fact in facts)


def test_prompts_of_a_file_without_a_tree_are_no_rewinds() -> None:
    facts = facts_of([user("u1", None, "one"), user("u2", None, "two"), user("u3", "missing", "three")])

    assert brief(facts) == [("Prompt", "u1"), ("Prompt", "u2"), ("Prompt", "u3")]


def test_the_user_s_title_counts_above_the_model_s() -> None:
    facts = facts_of(
        [
            line("ai-title", aiTitle="Cron job", after=1),
            line("custom-title", customTitle="502s", after=2),
            line("ai-title", aiTitle="Cron job again", after=3),
        ]
    )

    assert [fact.title for fact in facts if isinstance(fact, SessionDescribed)] == ["Cron job", "502s"]


def test_a_session_names_its_worktree_and_the_repository_until_it_leaves_the_worktree() -> None:
    entered = {"originalCwd": "/home/ada/shop", "worktreePath": "/srv/feat", "worktreeName": "feat"}
    facts = facts_of(
        [
            user("u1", None, "why?"),
            json.dumps({"type": "worktree-state", "worktreeSession": entered}).encode(),
            line("custom-title", customTitle="feat"),
            assistant("a1", "u1", "m1", text("so")),
            json.dumps({"type": "worktree-state", "worktreeSession": None}).encode(),
            user("u2", "a1", "and now?"),
        ]
    )

    described = [fact for fact in facts if isinstance(fact, SessionDescribed)]
    assert [(fact.repository, fact.worktree) for fact in described] == [
        (None, None), ("/home/ada/shop", "feat"), ("/home/ada/shop", ""),
    ]  # fmt: skip
    assert {fact.title for fact in described} == {None}, "the client titles it by the worktree by itself"


@pytest.mark.parametrize("said", ["3", "[]", "{}", '{"worktreeName":"feat"}', '{"originalCwd":1,"worktreeName":"x"}'])
def test_a_worktree_without_a_repository_says_nothing(said: str) -> None:
    facts = facts_of([b'{"type":"worktree-state","worktreeSession":%s}' % said.encode(), user("u1", None, "why?")])

    assert [(fact.repository, fact.worktree) for fact in facts if isinstance(fact, SessionDescribed)] == [(None, None)]


def test_a_call_whose_answer_was_cut_away_ends_before_what_follows() -> None:
    thought = "mcp__seq__sequentialthinking"
    kept = [user("u1", None, "why?"), assistant("a1", "u1", "m1", call("c1", thought, thoughtNumber=1))]
    after = [
        assistant("a5", "u4", "m5", call("c5", thought, thoughtNumber=3)),
        user("u5", "a5", [result("c5", "{}")]),
    ]

    cut = [(type(fact), fact.id) for fact in facts_of([*kept, *after]) if isinstance(fact, ToolCall | Result)]
    at_once = [*kept, assistant("a2", "a1", "m1", call("c2", thought)), user("u3", "a2", [result("c2", "{}")])]
    whole = [(type(fact), fact.id) for fact in facts_of(at_once) if isinstance(fact, ToolCall | Result)]

    assert [kind for kind, _ in cut] == [ToolCall, Result, ToolCall, Result]
    assert cut[0][1] == cut[1][1] != cut[2][1] == cut[3][1]
    assert [kind for kind, _ in whole] == [ToolCall, ToolCall, Result], "nothing is missing: the answer may still come"


def test_a_summary_is_the_title_only_of_the_session_whose_record_it_names() -> None:
    summaries = [
        json.dumps({"type": "summary", "summary": "Other", "leafUuid": "x1"}).encode(),
        json.dumps({"type": "summary", "summary": "Cron job", "leafUuid": "a1"}).encode(),
    ]
    facts = facts_of([*summaries, user("u1", None, "why?"), assistant("a1", "u1", "m1", text("so"))])

    assert {fact.title for fact in facts if isinstance(fact, SessionDescribed)} == {None, "Cron job"}


def test_a_record_that_comes_again_is_passed_over() -> None:
    lines = [user("u1", None, "why?"), assistant("a1", "u1", "m1", thinking("hm"))]

    assert facts_of([*lines, *lines]) == facts_of(lines)


def test_unknown_and_corrupt_records_are_counted_and_the_rest_is_read() -> None:
    counts = ReadCounts()
    lines = [b"{", b"[]", b'{"uuid": 1}', line("hologram"), line("user", "u0"), b'{"type":"mode","mode":7}']
    facts = facts_of([*lines, user("u1", "u0", "why?")], reader(counts=counts))

    assert brief(facts) == [("Prompt", "u1")]
    assert (counts.corrupt, counts.unknown) == (4, 1)


class TestSubagents:
    ASKED = call("t1", "Agent", subagent_type="Explore", description="read the log", prompt="Read the log")

    def test_a_subagent_is_joined_by_its_description_and_ended_by_its_result(self) -> None:
        agents = Subagents()
        main, child = reader(agents=agents), reader(FileKind.AGENT, "a7", agents)
        child.describe(AgentMeta(names=AgentNames("Explore", "read the log"), call="t1", model="claude-haiku"))
        facts_of([assistant("a1", None, "m1", self.ASKED)], main)
        work = facts_of(
            [
                user("c1", None, "Read the log", isSidechain=True, agentId="a7"),
                assistant("c2", "c1", "m2", text("it fails at :00"), stop="end_turn", isSidechain=True),
            ],
            child,
        )
        outcome = {"status": "completed", "agentId": "a7", "content": [text("it fails at :00")]}
        ended = facts_of([user("u1", "a1", [result("t1", "…")], toolUseResult=outcome)], main)

        assert work == [
            AgentStarted(id="a7", time=START_US, name="read the log", call="t1", model="claude-haiku"),
            Prompt(id="a7/c1", time=START_US, agent="a7", text="Read the log"),
        ]
        assert ended == [
            Result(id="t1", time=START_US, is_error=False),
            TurnEnded(id="t1", time=START_US, agent="a7", text="it fails at :00"),
        ]

    def test_a_subagent_without_a_description_is_joined_by_its_result(self) -> None:
        outcome = {"status": "completed", "agentId": "a7", "content": [text("")]}
        facts = facts_of(
            [
                assistant("a1", None, "m1", self.ASKED),
                user("u1", "a1", [result("t1")], toolUseResult=outcome),
            ]
        )

        assert brief(facts) == [("ToolCall", "t1"), ("Result", "t1"), ("AgentStarted", "a7"), ("TurnEnded", "t1")]
        assert one(facts, AgentStarted).name == "read the log"

    def test_a_record_of_progress_joins_it_before(self) -> None:
        outcome = {"status": "completed", "agentId": "a7"}
        facts = facts_of(
            [
                assistant("a1", None, "m1", self.ASKED),
                line("progress", "p1", "a1", data={"type": "agent_progress", "agentId": "a7"}, parentToolUseID="t1"),
                line("progress", "p2", "p1", data={"type": "agent_progress", "agentId": "a7"}, parentToolUseID="t1"),
                user("u1", "p2", [result("t1")], toolUseResult=outcome),
            ]
        )

        assert brief(facts) == [("ToolCall", "t1"), ("AgentStarted", "a7"), ("Result", "t1"), ("TurnEnded", "t1")]

    def test_the_parent_of_a_subagent_s_subagent_is_the_one_that_called(self) -> None:
        agents = Subagents()
        child, grandchild = reader(FileKind.AGENT, "a7", agents), reader(FileKind.AGENT, "a8", agents)
        grandchild.describe(AgentMeta(call="t1"))
        early = facts_of([user("g1", None, "Read the log")], grandchild)
        late = facts_of([user("c1", None, "Look"), assistant("c2", "c1", "m1", self.ASKED)], child)

        assert one(early, AgentStarted).agent is None
        assert [(fact.id, fact.agent) for fact in late if isinstance(fact, AgentStarted)][-1] == ("a8", "a7")

    def test_one_in_the_background_ends_when_the_user_is_notified(self) -> None:
        xml = (
            "<task-notification>\n<task-id>a7</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n"
            "<summary>done</summary>\n<result>at :00</result>\n</task-notification>"
        )
        facts = facts_of(
            [
                assistant("a1", None, "m1", self.ASKED),
                user("u1", "a1", [result("t1")], toolUseResult={"status": "async_launched", "agentId": "a7"}),
                line("queue-operation", operation="enqueue", content=xml, after=3),
                user("u2", "u1", xml, after=4),
            ]
        )

        assert one(facts, TurnEnded) == TurnEnded(id="t1", time=START_US + 3_000_000, agent="a7", text="at :00")
        assert not any(isinstance(fact, Prompt) for fact in facts)

    def test_one_that_failed_is_aborted(self) -> None:
        facts = facts_of(
            [
                assistant("a1", None, "m1", self.ASKED),
                line("progress", "p1", "a1", data={"agentId": "a7"}, parentToolUseID="t1"),
                user("u1", "p1", [result("t1", "no", is_error=True)], toolUseResult="Error: no"),
            ]
        )

        assert one(facts, TurnEnded).is_aborted

    def test_records_of_a_subagent_among_the_main_agent_s_are_its_own(self) -> None:
        facts = facts_of(
            [
                assistant("a1", None, "m1", {**self.ASKED, "name": "Task"}),
                user("c1", None, "Read the log", isSidechain=True),
                assistant("c2", "c1", "m2", thinking("hm"), isSidechain=True),
                assistant("c3", "c2", "m3", text("at :00"), stop="end_turn", isSidechain=True),
                user("u1", "a1", [result("t1", [text("at :00")])]),
                user("u2", "u1", "and?"),
            ]
        )

        assert [(type(fact).__name__, fact.id, fact.agent) for fact in facts[1:]] == [
            ("ToolCall", "t1", None),
            ("AgentStarted", "c1", None),
            ("Prompt", "c1", "c1"),
            ("Reasoning", "c1/m2:0", "c1"),
            ("Result", "t1", None),
            ("TurnEnded", "t1", "c1"),
            ("Prompt", "u2", None),
        ]

    def test_one_that_nobody_is_known_to_have_called_ends_with_its_answer(self) -> None:
        child = reader(FileKind.AGENT, "a7")
        lines = [user("c1", None, "Go"), assistant("c2", "c1", "m1", text("done"), stop="end_turn")]

        assert brief(facts_of(lines, child))[-1] == ("TurnEnded", "a7/m1")

    def test_one_that_is_asked_again_ends_again(self) -> None:
        agents = Subagents()
        child = reader(FileKind.AGENT, "a7", agents)
        child.describe(AgentMeta(call="t1"))
        agents.ended("a7")
        facts = facts_of(
            [
                user("c1", None, "Go"),
                assistant("c2", "c1", "m1", text("done"), stop="end_turn"),
                user("c3", "c2", "And the rest?"),
                assistant("c4", "c3", "m2", text("that, too"), stop="end_turn"),
            ],
            child,
        )

        assert one(facts, TurnEnded).id == "a7/m2"
