"""Two processes that write one session's file, each in its lane."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from seqthink.sources.transcripts.claude.source import ClaudeSource
from seqthink.sources.transcripts.fact_order import in_order_of_time
from seqthink.sources.transcripts.facts import Fact, Prompt, Rewound, TurnEnded
from seqthink.sources.transcripts.source import SessionFeed
from seqthink.sources.transcripts.translation import Draft, SessionNames, Translator
from tests.support.transcripts.claude_lines import SESSION, assistant, call, result, text, user

SHARED = [user("u1", None, "why?"), assistant("a1", "u1", "m1", text("so"), stop="end_turn", after=1)]


def turn(prompt: str, parent: str, after: int) -> list[bytes]:
    """Return a prompt and its answer, the record ``prompt + "a"``."""
    answer = text(f"answer to {prompt}")
    return [
        user(prompt, parent, prompt, after=after),
        assistant(f"{prompt}a", prompt, f"m{prompt}", answer, stop="end_turn", after=after + 1),
    ]


def feed_of(folder: Path, lines: Iterable[bytes]) -> SessionFeed:
    path = folder / "project" / f"{SESSION}.jsonl"
    append(folder, lines)
    return ClaudeSource().open(ClaudeSource().sessions_in(path)[0])


def append(folder: Path, lines: Iterable[bytes]) -> None:
    path = folder / "project" / f"{SESSION}.jsonl"
    path.parent.mkdir(exist_ok=True)
    with path.open("ab") as file:
        file.writelines(line + b"\n" for line in lines)


def prompts(facts: Iterable[Fact]) -> list[tuple[str, str | None]]:
    return [(fact.text, fact.agent) for fact in facts if isinstance(fact, Prompt)]


def rewinds(facts: Iterable[Fact]) -> list[str]:
    return [fact.id for fact in facts if isinstance(fact, Rewound)]


def drafts_of(facts: Sequence[Fact]) -> list[Draft]:
    return Translator(SessionNames("s", "claude", SESSION, "Claude Code")).translate(facts)


IN_TURNS = [*SHARED, *turn("A1", "a1", 2), *turn("B1", "a1", 4), *turn("A2", "A1a", 6), *turn("B2", "B1a", 8)]


def test_two_processes_that_write_in_turns_are_two_lanes(tmp_path: Path) -> None:
    facts = feed_of(tmp_path, IN_TURNS).read(1 << 20).facts

    assert prompts(facts) == [("why?", None), ("A1", None), ("B1", "B1"), ("A2", None), ("B2", "B1")]
    assert rewinds(facts) == []
    assert [fact.agent for fact in facts if isinstance(fact, TurnEnded)] == [None, None, "B1", None, "B1"]


def test_the_lane_of_a_process_leaves_from_the_last_row_that_both_have(tmp_path: Path) -> None:
    facts = feed_of(tmp_path, IN_TURNS).read(1 << 20).facts
    for ordered in (facts, in_order_of_time(facts)):
        drafts = drafts_of(ordered)
        shared = next(seq for seq, draft in enumerate(drafts, 1) if draft.fields.get("text") == "so")

        (lane,) = [draft.fields for draft in drafts if draft.kind == "agent"]
        assert lane == {"id": "B1", "name": "process 2", "fork": True, "of": shared}


def test_a_rewind_turns_out_to_be_another_process_when_the_first_goes_on(tmp_path: Path) -> None:
    feed = feed_of(tmp_path, [*SHARED, *turn("A1", "a1", 2), *turn("B1", "a1", 4)])
    before = feed.read(1 << 20)
    append(tmp_path, turn("A2", "A1a", 6))
    after = feed.read(1 << 20)

    assert rewinds(before.facts) == ["B1"]
    assert after.restarted
    assert rewinds(after.facts) == []
    assert prompts(after.facts) == [("why?", None), ("A1", None), ("B1", "B1"), ("A2", None)]


def test_a_process_is_noticed_while_the_other_is_in_the_middle_of_its_turn(tmp_path: Path) -> None:
    lines = [
        *SHARED,
        user("A1", "a1", "A1", after=2),
        assistant("A1a", "A1", "mA", call("toolu_01A", "Read", file_path="a.py"), stop="tool_use", after=3),
        *turn("B1", "a1", 4),
        user("A1r", "A1a", [result("toolu_01A")], after=6),
        assistant("A1b", "A1r", "mA2", text("read"), stop="end_turn", after=7),
        *turn("A2", "A1b", 8),
    ]
    facts = feed_of(tmp_path, lines).read(1 << 20).facts

    assert prompts(facts) == [("why?", None), ("A1", None), ("B1", "B1"), ("A2", None)]
    assert rewinds(facts) == []


def test_three_processes_are_three_lanes(tmp_path: Path) -> None:
    lines = [*SHARED]
    for number in range(1, 4):
        for at, name in enumerate("ABC"):
            parent = f"{name}{number - 1}a" if number > 1 else "a1"
            lines += turn(f"{name}{number}", parent, 2 + 6 * number + 2 * at - 6)
    facts = feed_of(tmp_path, lines).read(1 << 20).facts

    assert rewinds(facts) == []
    assert prompts(facts)[1:] == [
        (f"{name}{number}", lane) for number in range(1, 4) for name, lane in (("A", None), ("B", "B1"), ("C", "C1"))
    ]


def test_a_late_result_below_what_was_left_behind_is_no_process(tmp_path: Path) -> None:
    lines = [
        *SHARED,
        user("A1", "a1", "A1", after=2),
        assistant("A1a", "A1", "mA", call("toolu_01A", "Read", file_path="a.py"), stop="tool_use", after=3),
        *turn("B1", "a1", 4),
        user("A1r", "A1a", [result("toolu_01A")], after=6),
        *turn("B2", "B1a", 7),
    ]
    facts = feed_of(tmp_path, lines).read(1 << 20).facts

    assert rewinds(facts) == ["B1"]
    assert {agent for _, agent in prompts(facts)} == {None}


def test_whoever_goes_back_in_one_process_leaves_the_other_s_lane_alone(tmp_path: Path) -> None:
    lines = [*IN_TURNS, *turn("A3", "a1", 10), *turn("B3", "B1a", 12)]
    facts = feed_of(tmp_path, lines).read(1 << 20).facts
    dropped = {fact.id: (fact.agent, fact.dropped) for fact in facts if isinstance(fact, Rewound)}

    assert dropped == {"A3": (None, ("A1", "mA1", "A2", "mA2")), "B3": ("B1", ("B2", "B1/mB2"))}


def test_two_processes_may_have_nothing_in_common(tmp_path: Path) -> None:
    lines = [
        user("A1", None, "A1"),
        assistant("A1a", "A1", "mA1", text("one"), stop="end_turn", after=1),
        user("B1", None, "B1", after=2),
        assistant("B1a", "B1", "mB1", text("two"), stop="end_turn", after=3),
        *turn("A2", "A1a", 4),
        *turn("B2", "B1a", 6),
    ]
    facts = feed_of(tmp_path, lines).read(1 << 20).facts

    assert rewinds(facts) == []
    assert prompts(facts) == [("A1", None), ("B1", "B1"), ("A2", None), ("B2", "B1")]
