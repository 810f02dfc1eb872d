"""Whose a record is, and which call started an agent, where records were lost or ids of calls repeat."""

from seqthink.sources.transcripts.claude.agents import Subagents
from seqthink.sources.transcripts.claude.records import ClaudeReader, FileKind
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, Prompt, Reasoning, TurnEnded
from tests.support.transcripts.claude_lines import SESSION, assistant, call, result, text, thinking, user

TASK = call("call_0", "Task", prompt="read the log")


def _said(lines: list[bytes]) -> list[tuple[str, str, str | None]]:
    reader = ClaudeReader(FileKind.MAIN, SESSION, Subagents(), ReadCounts())
    facts: list[Fact] = [fact for line in lines for fact in reader.read(line)]
    facts += reader.settle()
    rows = [fact for fact in facts if isinstance(fact, Prompt | Reasoning | TurnEnded)]
    return [(type(fact).__name__, fact.text, fact.agent) for fact in rows]


def test_the_work_of_an_inline_subagent_whose_first_record_is_lost_is_that_of_the_call_that_waits_for_one() -> None:
    said = _said(
        [
            user("u1", None, "why?"),
            assistant("a1", "u1", "m1", TASK),
            assistant("c2", "c1", "m2", thinking("hm"), isSidechain=True),
            assistant("c3", "c2", "m3", text("at :00"), stop="end_turn", isSidechain=True),
            user("u2", "a1", [result("call_0", [text("at :00")])]),
        ]
    )

    assert said == [("Prompt", "why?", None), ("Reasoning", "hm", "c1"), ("TurnEnded", "at :00", "c1")]


def test_an_inline_subagent_goes_on_behind_a_record_that_is_lost_while_it_is_the_only_one_at_work() -> None:
    said = _said(
        [
            assistant("a1", None, "m1", TASK),
            user("c1", None, "read the log", isSidechain=True),
            assistant("c3", "c2", "m2", thinking("hm"), isSidechain=True),
            user("u2", "a1", [result("call_0", [text("at :00")])]),
        ]
    )

    assert said == [("Prompt", "read the log", "c1"), ("Reasoning", "hm", "c1"), ("TurnEnded", "at :00", "c1")]


def test_a_record_of_an_unknown_inline_subagent_is_no_other_one_s_while_two_are_at_work() -> None:
    said = _said(
        [
            assistant("a1", None, "m1", TASK, call("call_1", "Task", prompt="read the notes")),
            user("c1", None, "read the log", isSidechain=True),
            user("d1", None, "read the notes", isSidechain=True),
            assistant("x2", "x1", "m2", thinking("hm"), isSidechain=True),
        ]
    )

    assert said[-1] == ("Reasoning", "hm", "x1")


def test_of_calls_with_one_id_each_started_the_agent_that_its_result_names_and_not_the_one_that_was_guessed() -> None:
    agents = Subagents()
    agents.called("first", "call_0", None, {"prompt": "go"})
    agents.joined_by_client("late", "call_0", None)
    agents.joined("early", "first")
    while_it_waits = agents.call_that_started("late")
    agents.called("second", "call_0", None, {"prompt": "go"})

    assert agents.agent_of("first") == "early"
    assert while_it_waits is None
    assert (agents.agent_of("second"), agents.call_that_started("late")) == ("late", "second")


def test_an_agent_that_was_guessed_to_be_of_one_call_leaves_it_to_others_when_it_is_of_another() -> None:
    agents = Subagents()
    agents.called("first", "call_0", None, {"prompt": "go"})
    agents.called("second", "call_0", None, {"prompt": "go"})
    agents.joined_by_client("late", "call_0", None)
    agents.joined("late", "second")
    agents.joined_by_client("early", "call_0", None)

    assert [agents.agent_of(name) for name in ("first", "second")] == ["early", "late"]


def test_an_agent_that_is_asked_again_stays_with_the_call_that_started_it() -> None:
    agents = Subagents()
    agents.called("first", "toolu_1", None, {"prompt": "go"})
    agents.called("again", "toolu_2", None, {"prompt": "go on"})
    agents.joined("one", "first")

    assert not agents.joined("one", "again")
    assert agents.call_that_started("one") == "first"


def test_a_report_is_shown_though_its_call_is_damaged_and_the_agent_s_file_is_gone() -> None:
    report = {"status": "completed", "agentId": "a7", "content": [text("at :00")]}
    said = _said(
        [user("u1", None, "why?"), user("u2", "a1", [result("call_0", [text("at :00")])], toolUseResult=report)]
    )

    assert said == [("Prompt", "why?", None), ("TurnEnded", "at :00", "a7")]


def test_a_second_result_with_a_call_s_id_is_that_of_a_call_that_was_lost() -> None:
    report = {"status": "completed", "agentId": "a7", "content": [text("at :00")]}
    said = _said(
        [
            assistant("a1", None, "m1", call("call_0", "Bash", command="ls")),
            user("u1", "a1", [result("call_0")]),
            user("u2", "a2", [result("call_0", [text("at :00")])], toolUseResult=report),
        ]
    )

    assert said == [("TurnEnded", "at :00", "a7")]


def test_what_another_tool_says_of_an_agent_is_no_report() -> None:
    report = {"status": "completed", "agentId": "a7", "content": [text("at :00")]}
    said = _said(
        [
            assistant("a1", None, "m1", call("call_0", "TaskOutput", task_id="a7")),
            user("u1", "a1", [result("call_0")], toolUseResult=report),
        ]
    )

    assert said == []


def test_an_agent_that_reports_before_its_call_is_certain_does_not_take_the_id_of_the_end_of_another() -> None:
    agents = Subagents()
    agents.joined_by_client("early", "call_0", None)
    agents.called("first", "call_0", None, {"prompt": "go"})
    before = agents.id_of_end("early")
    agents.joined("late", "first")

    assert (before, agents.id_of_end("late")) == ("early", "first")
