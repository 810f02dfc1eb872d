"""What a damaged or unusual file of Claude Code costs: each found by `tests/sources/transcripts/test_law.py`."""

from pathlib import Path

from seqthink.sources.transcripts.claude.agents import Subagents
from seqthink.sources.transcripts.claude.records import FileKind
from seqthink.sources.transcripts.claude.source import ClaudeSource
from seqthink.sources.transcripts.claude.subagents import AgentMeta
from seqthink.sources.transcripts.claude.turns import Turns
from seqthink.sources.transcripts.facts import Fact, Prompt, Reasoning, Result, TurnEnded
from tests.support.transcripts.claude_lines import assistant, call, facts_of, line, reader, result, text, thinking, user


def ends_in(facts: list[Fact]) -> list[tuple[str | None, str]]:
    return [(fact.agent, fact.text) for fact in facts if isinstance(fact, TurnEnded)]


def test_messages_of_two_agents_with_one_id_are_two_messages() -> None:
    agents = Subagents()
    main = facts_of([user("u1", None, "why?"), assistant("a1", "u1", "same", thinking(""))], reader(agents=agents))
    child = reader(FileKind.AGENT, "a7", agents)
    own = facts_of([user("c1", None, "Go"), assistant("c2", "c1", "same", thinking(""))], child)
    ids = [fact.id for fact in [*main, *own] if isinstance(fact, Reasoning)]

    assert len(ids) == 2
    assert len(set(ids)) == 2


def test_the_answer_of_a_subagent_is_emitted_though_its_parent_never_reports_it() -> None:
    agents = Subagents()
    child = reader(FileKind.AGENT, "a7", agents)
    child.describe(AgentMeta(call="t1"))
    facts = facts_of([user("c1", None, "Go"), assistant("c2", "c1", "m1", text("done"), stop="end_turn")], child)

    assert ends_in(facts) == []
    assert ends_in(child.settle()) == [("a7", "done")]
    assert child.settle() == []


def test_a_report_whose_call_is_damaged_has_another_id_than_the_one_before() -> None:
    agents = Subagents()
    done = {"status": "completed", "content": [{"type": "text", "text": "done"}]}
    lines = [
        user("u1", None, "why?"),
        assistant("a1", "u1", "m1", call("call_0", "Agent", prompt="one")),
        user("u2", "a1", [result("call_0", "one")], toolUseResult={**done, "agentId": "a7"}),
        user("u3", "u2", [result("call_0", "two")], toolUseResult={**done, "agentId": "a8"}),
    ]
    ends = [fact for fact in facts_of(lines, reader(agents=agents)) if isinstance(fact, TurnEnded)]

    assert [end.agent for end in ends] == ["a7", "a8"]
    assert ends[0].id != ends[1].id


def test_an_answer_whose_call_is_damaged_is_not_that_of_a_later_call_with_its_id() -> None:
    lines = [
        user("u1", None, "why?"),
        user("u2", "u1", [result("call_0", "no", is_error=True)]),
        assistant("a3", "u2", "m2", call("call_0", "mcp__seq__sequentialthinking", thought="one")),
    ]

    assert [fact for fact in facts_of(lines) if isinstance(fact, Result)] == []


def test_what_a_message_says_after_its_turn_seemed_over_is_emitted_too() -> None:
    turns = Turns(None)
    turns.begun()
    turns.reasoned("m1", 1, "end_turn", is_repeated=False)
    silent = turns.settle()
    first = turns.said("m1", 2, "one", "u1", "end_turn")
    second = turns.said("m1", 3, "two", "u2", "end_turn")
    again = turns.said("m1", 4, "two", "u3", "end_turn")

    assert [end.text for end in (*silent, *first, *second, *again)] == ["", "one", "two"]
    assert len({end.id for end in (*silent, *first, *second)}) == 3


def test_a_session_with_one_line_that_begins_with_a_stub_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "projects" / "-work" / "s1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{"paren' + user("u1", None, "why?") + b"\n")

    assert [found.id for found in ClaudeSource(is_thorough=True).find(tmp_path / "projects", 10)] == ["s1"]


def test_a_copy_whose_first_line_is_damaged_is_still_a_copy(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-work"
    folder.mkdir(parents=True)
    lines = [user("u1", None, "why?"), assistant("a1", "u1", "m1", text("so"), stop="end_turn")]
    (folder / "s1.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    (folder / "s2.jsonl").write_bytes(b"\x9c\x9c\n" + lines[1] + b"\n")

    assert len(ClaudeSource(is_thorough=True).find(tmp_path / "projects", 10)) == 1


def test_a_message_whose_removal_does_not_hold_it_is_the_one_that_waited_longest() -> None:
    def queued(operation: str, **fields: object) -> bytes:
        return line("queue-operation", operation=operation, **fields)

    picture: list[object] = [{"type": "image"}]
    contents: tuple[object, ...] = ("sent later", "dropped", "the parser", picture)
    taken = queued("remove", reason="absorbed_mid_turn")
    facts = facts_of(
        [
            user("u1", None, "Start"),
            *(queued("enqueue", content=each) for each in contents),
            queued("dequeue"),
            queued("remove", content="dropped"),
            *(taken, taken),
            *(queued("enqueue", content="taken back"), queued("popAll"), taken),
        ]
    )

    assert [fact.text for fact in facts if isinstance(fact, Prompt)] == ["Start", "the parser", "[image]"]
