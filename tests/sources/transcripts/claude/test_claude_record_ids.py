"""Records of Claude Code that have one uuid and say different things are different records."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from seqthink.sources.transcripts.claude.source import ClaudeSource
from seqthink.sources.transcripts.facts import Fact, Prompt, Remark, ToolCall, TurnEnded
from tests.support.transcripts.claude_lines import SESSION, assistant, call, result, text, user

OTHER = "22222222-2222-4222-8222-222222222222"
SHARED = [user("u1", None, "why?"), assistant("a1", "u1", "m1", text("so"), stop="end_turn", after=1)]


def turn(prompt: str, answer: str, after: int) -> list[bytes]:
    """Return a prompt and its answer, which have the ids of every such turn."""
    return [
        user("u2", "a1", prompt, after=after),
        assistant("a2", "u2", "m2", text(answer), stop="end_turn", after=after + 1),
    ]


def write(folder: Path, name: str, lines: Iterable[bytes]) -> Path:
    path = folder / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def facts_below(folder: Path) -> list[Fact]:
    source = ClaudeSource()
    (found,) = source.find(folder, 10)
    return source.open(found).read(1 << 20).facts


def words_of(facts: Iterable[Fact]) -> list[tuple[str, str | None]]:
    return [(fact.text, fact.agent) for fact in facts if isinstance(fact, Prompt | TurnEnded)]


def test_a_copy_that_repeats_a_uuid_with_another_prompt_shows_its_own(tmp_path: Path) -> None:
    write(tmp_path / "p", SESSION, [*SHARED, *turn("mine?", "mine", 2)])
    copied = [line.replace(SESSION.encode(), OTHER.encode()) for line in SHARED]
    write(tmp_path / "p", OTHER, [*copied, *turn("yours?", "yours", 4)])

    assert words_of(facts_below(tmp_path)) == [
        *(("why?", None), ("so", None), ("mine?", None), ("mine", None)),
        *(("yours?", OTHER), ("yours", OTHER)),
    ]


def test_an_answer_that_a_copy_has_like_its_original_to_another_prompt_is_its_own(tmp_path: Path) -> None:
    write(tmp_path / "p", SESSION, [*SHARED, *turn("mine?", "yes", 2)])
    write(tmp_path / "p", OTHER, [*SHARED, *turn("yours?", "yes", 4)])

    assert words_of(facts_below(tmp_path))[4:] == [("yours?", OTHER), ("yes", OTHER)]


def test_a_uuid_that_one_file_repeats_with_another_prompt_is_another_record(tmp_path: Path) -> None:
    repeated = turn("yours?", "yours", 4)
    write(tmp_path / "p", SESSION, [*SHARED, *turn("mine?", "mine", 2), *repeated, *repeated])

    texts = [text for text, _ in words_of(facts_below(tmp_path))]
    assert texts == ["why?", "so", "mine?", "mine", "yours?", "yours"]


def test_calls_with_one_unique_id_in_records_of_one_uuid_are_two(tmp_path: Path) -> None:
    name = "toolu_01A9bQ7xKdT3mWzRk5VnYp2c"

    def thinks(thought: str, after: int) -> list[bytes]:
        return [
            assistant(
                "a2",
                "a1",
                "m2",
                call(name, "mcp__seq__sequentialthinking", thought=thought),
                stop="tool_use",
                after=after,
            ),
            user("r2", "a2", [result(name)], after=after + 1),
        ]

    write(tmp_path / "p", SESSION, [*SHARED, *thinks("mine", 2)])
    write(tmp_path / "p", OTHER, [*SHARED, *thinks("yours", 4)])

    calls = [fact for fact in facts_below(tmp_path) if isinstance(fact, ToolCall)]
    assert [(call.arguments["thought"], call.agent) for call in calls] == [("mine", None), ("yours", OTHER)]
    assert calls[0].id != calls[1].id


def test_sessions_of_one_folder_whose_first_records_have_one_uuid_but_not_one_text_are_two(tmp_path: Path) -> None:
    write(tmp_path / "p", SESSION, SHARED)
    write(tmp_path / "p", OTHER, [user("u1", None, "how?"), *SHARED[1:]])

    assert {found.id for found in ClaudeSource().find(tmp_path, 10)} == {SESSION, OTHER}


@pytest.mark.parametrize("uuid", ["u{}", "0000000{}-1111-4111-8111-111111111111"])
def test_records_of_a_subagent_that_have_the_uuids_of_its_parent_s_are_its_own(tmp_path: Path, uuid: str) -> None:
    first, second = uuid.format(1), uuid.format(2)
    asked = assistant(second, first, "m1", call("toolu_01A9bQ7xKdT3mWzRk5", "Agent", prompt="Look"), stop="tool_use")
    write(tmp_path / "p", SESSION, [user(first, None, "why?"), asked])
    work = [user(first, None, "Look", after=1), assistant(second, first, "m2", text("found"), stop="end_turn", after=2)]
    write(tmp_path / "p" / SESSION / "subagents", "agent-a1", work)
    prompts = [fact for fact in facts_below(tmp_path) if isinstance(fact, Prompt)]

    assert [(prompt.text, prompt.agent) for prompt in prompts] == [("why?", None), ("Look", "a1")]
    assert prompts[0].id != prompts[1].id


@pytest.mark.parametrize("uuid", [None, "", 7])
def test_a_session_whose_records_have_no_uuids_is_listed_and_shown(tmp_path: Path, uuid: object) -> None:
    lines = [json.dumps({**json.loads(each), "uuid": uuid, "parentUuid": uuid}).encode() for each in SHARED]
    write(tmp_path / "p", SESSION, lines)

    assert words_of(facts_below(tmp_path)) == [("why?", None), ("so", None)]


def test_what_a_subagent_said_last_is_shown_though_its_parent_only_reports_that_it_was_killed(tmp_path: Path) -> None:
    name = "toolu_01A9bQ7xKdT3mWzRk5"
    killed = f"<task-notification><task-id>a1</task-id><tool-use-id>{name}</tool-use-id><status>killed</status>"
    started = {"status": "async_launched", "agentId": "a1"}
    write(
        tmp_path / "p",
        SESSION,
        [
            user("u1", None, "why?"),
            assistant("u2", "u1", "m1", call(name, "Agent", prompt="Look"), stop="tool_use"),
            user("u3", "u2", [result(name)], toolUseResult=started),
            user("u4", "u3", killed, after=9),
        ],
    )
    work = [user("k1", None, "Look", after=1), assistant("k2", "k1", "m2", text("found"), stop="end_turn", after=2)]
    write(tmp_path / "p" / SESSION / "subagents", "agent-a1", work)
    source = ClaudeSource()
    feed = source.open(source.find(tmp_path, 10)[0])
    facts = [*feed.read(1 << 20).facts, *feed.settle()]

    ends = [fact for fact in facts if isinstance(fact, TurnEnded) and fact.agent == "a1"]
    assert [end.is_aborted for end in ends] == [True]
    said = [fact.text for fact in facts if isinstance(fact, Remark | TurnEnded) and fact.agent == "a1" and fact.text]
    assert said == ["found"]


def test_a_prompt_that_repeats_uuid_and_words_at_another_time_is_another_one(tmp_path: Path) -> None:
    write(tmp_path / "p", SESSION, [*turn("go", "on", 2), *turn("go", "on", 2), *turn("go", "on", 6)])

    assert words_of(facts_below(tmp_path)) == [("go", None), ("on", None)] * 2
