"""From facts to journal events: each fact once, in an order that stands, whatever the facts hold."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.core.events import EVENT_TYPES, UnknownEvent
from seqthink.core.times import MAX_MICROSECONDS, MIN_MICROSECONDS
from seqthink.journal.decode import decode
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
from seqthink.sources.transcripts.spool import encoded
from seqthink.sources.transcripts.translation import MAX_ARGUMENT_BYTES, Draft, SessionNames, Translator
from tests.support.screens.payloads import PAGE_PAYLOADS, PAYLOADS

NAMES = SessionNames("claude-s1", "claude", "s1", "Claude Code")
DESCRIBED = SessionDescribed(id="s1", time=0, client_version="2.1", cwd="/home/ada/work", title="502s")


def thought(number: object = 1, total: object = 3, *, next: object = True, **more: object) -> dict[str, Any]:  # noqa: A002 - as the tool calls it
    """Return the arguments of a call of the thinking tool."""
    return {"thought": f"t{number}", "thoughtNumber": number, "totalThoughts": total, "nextThoughtNeeded": next} | more


def call(call_id: str, arguments: object = None, *, time: int = 1, agent: str | None = None) -> ToolCall:
    """Return a call of the thinking tool."""
    given = thought() if arguments is None else arguments
    return ToolCall(id=call_id, time=time, agent=agent, tool="sequentialthinking", arguments=given)


def result(call_id: str, *, time: int = 2, **more: Any) -> Result:  # noqa: ANN401 - its fields
    fields: dict[str, Any] = {"id": call_id, "time": time, "is_error": False}
    return Result(**fields | more)


def action(call_id: str, tool: str = "Read", *, time: int = 1, agent: str | None = None) -> ToolCall:
    return ToolCall(id=call_id, time=time, agent=agent, tool=tool, summary="a.log")


def prompt(identifier: str = "p1", *, time: int = 1, agent: str | None = None) -> Prompt:
    return Prompt(id=identifier, time=time, agent=agent, text="Why?")


def translated(*facts: Fact) -> list[Draft]:
    return Translator(NAMES).translate(facts)


def events(drafts: Sequence[Draft], kind: str | None = None) -> list[tuple[str, dict[str, Any]]]:
    """Return the drafts of a kind, else all but the first ``session``."""
    return [
        (draft.kind, draft.fields)
        for position, draft in enumerate(drafts)
        if (draft.kind == kind if kind else position or draft.kind != "session")
    ]


def fields_of(drafts: Sequence[Draft], kind: str) -> list[dict[str, Any]]:
    return [draft.fields for draft in drafts if draft.kind == kind]


# Each fact


def test_the_first_event_says_what_session_it_is() -> None:
    drafts = translated(DESCRIBED, prompt(time=7))

    assert drafts[0] == Draft(
        "session",
        7,
        {
            "session": "claude-s1",
            "title": "502s",
            "client": {"name": "Claude Code", "version": "2.1"},
            "cwd": "/home/ada/work",
            "notes": False,
            "source": "claude",
            "sourceIds": ["s1"],
        },
    )


def test_a_description_alone_is_no_event() -> None:
    assert translated(DESCRIBED) == []


EVENT_OF_FACT: list[tuple[Fact, str, dict[str, Any]]] = [
    (prompt(), "prompt", {"text": "Why?", "id": "p1"}),
    (Reasoning(id="r", time=1, text="Hm"), "reasoning", {"text": "Hm", "id": "r"}),
    (Reasoning(id="r", time=1, text=""), "reasoning", {"id": "r"}),
    (
        Reasoning(id="r", time=1, text="", tokens=9, duration_ms=1.5, model="m"),
        "reasoning",
        {"tokens": 9, "durationMs": 1.5, "model": "m", "id": "r"},
    ),
    (action("c"), "action", {"tool": "Read", "summary": "a.log", "call": "c"}),
    (ToolCall(id="c", time=1, tool="Bash"), "action", {"tool": "Bash", "call": "c"}),
    (TurnEnded(id="t", time=1, text="So."), "turn", {"text": "So.", "id": "t"}),
    (TurnEnded(id="t", time=1, is_aborted=True), "turn", {"aborted": True, "id": "t"}),
    (Compacted(id="k", time=1, tokens_before=9), "compacted", {"tokensBefore": 9, "id": "k"}),
    (
        AgentStarted(id="a", time=1, agent="p", name="n", call="c", model="m"),
        "agent",
        {"id": "a", "name": "n", "parent": "p", "call": "c", "model": "m"},
    ),
]


@pytest.mark.parametrize(("fact", "kind", "fields"), EVENT_OF_FACT)
def test_a_fact_becomes_its_event(fact: Fact, kind: str, fields: dict[str, Any]) -> None:
    assert events(translated(fact)) == [(kind, fields)]


@pytest.mark.parametrize(("fact", "kind", "fields"), EVENT_OF_FACT[:-1])
def test_an_event_names_its_agent_which_was_introduced_before(fact: Fact, kind: str, fields: dict[str, Any]) -> None:
    drafts = translated(msgspec.structs.replace(fact, agent="a"))

    assert events(drafts) == [("agent", {"id": "a"}), (kind, fields | {"agent": "a"})]


@pytest.mark.parametrize(("time", "kept"), [(1 << 62, MAX_MICROSECONDS), (-(1 << 62), MIN_MICROSECONDS)])
def test_a_time_that_no_journal_can_hold_is_the_nearest_that_it_can(time: int, kept: int) -> None:
    drafts = translated(prompt(time=time))

    assert {draft.time for draft in drafts} == {kept}
    assert decode(encoded(drafts, 1).splitlines()[0])


def test_an_agent_that_is_known_is_not_introduced_again() -> None:
    known = AgentStarted(id="a", time=1, name="general: logs")

    assert [kind for kind, _ in events(translated(known, known, prompt(agent="a"), prompt("p2", agent="a")))] == [
        "agent",
        "prompt",
        "prompt",
    ]


def test_what_is_learned_of_an_agent_later_is_added_to_what_was_known() -> None:
    drafts = translated(
        AgentStarted(id="a", time=1, name="general: logs", call="c"), AgentStarted(id="a", time=2, model="m")
    )

    assert fields_of(drafts, "agent") == [
        {"id": "a", "name": "general: logs", "call": "c"},
        {"id": "a", "name": "general: logs", "call": "c", "model": "m"},
    ]


# Calls of the thinking tool


def test_a_call_waits_for_its_answer() -> None:
    translator = Translator(NAMES)

    assert translator.translate([call("c", time=5)]) == []
    assert events(translator.translate([result("c", time=6)])) == [("thought", {**thought(), "call": "c"})]


def test_a_thought_has_the_time_of_its_call() -> None:
    assert translated(call("c", time=5), result("c", time=9))[1].time == 5


@pytest.mark.parametrize("end", [prompt("p2"), TurnEnded(id="t", time=3)])
def test_a_call_that_was_not_answered_is_a_thought_before_its_turn_ends(end: Fact) -> None:
    drafts = translated(call("c"), call("d", thought(2), agent="a"), end)

    assert [kind for kind, _ in events(drafts)] == ["thought", {"Prompt": "prompt"}.get(type(end).__name__, "turn")]
    assert fields_of(drafts, "thought")[0]["call"] == "c"


def test_flushing_gives_the_thoughts_that_were_not_answered_once_and_no_other_call() -> None:
    translator = Translator(NAMES)
    translator.translate([action("r"), call("c"), call("d", thought(2), agent="a")])

    assert [draft.kind for draft in translator.flush()] == ["thought", "agent", "thought"]
    assert translator.flush() == []


def test_a_refused_call_keeps_its_error_and_its_arguments() -> None:
    drafts = translated(call("c", thought("abc")), result("c", is_error=True, error="must be an integer"))

    assert events(drafts) == [
        ("rejected", {"error": "must be an integer", "arguments": thought("abc"), "call": "c"}),
    ]


@pytest.mark.parametrize(
    ("answered", "error"),
    [
        ('{"error":"must be \\"1\\"","status":"failed"}', 'must be "1"'),
        ('Error: {\n  "error": "must be an integer",\n  "status": "failed"\n}', "must be an integer"),
        ('MCP server \'seq\': {"error":"must be an integer","details":{"thoughtNumber":"cut', "must be an integer"),
        ('{"error":"cut with', '{"error":"cut with'),
        ('{"error":"\\x"}', '{"error":"\\x"}'),
        ('no, {"a": {"error": "b"}}', 'no, {"a": {"error": "b"}}'),
    ],
)
def test_of_a_refusal_in_json_the_error_is_shown(answered: str, error: str) -> None:
    drafts = translated(call("c", thought("abc")), result("c", is_error=True, error=answered))

    assert [fields["error"] for fields in fields_of(drafts, "rejected")] == [error]


def test_a_call_that_no_thought_can_hold_is_refused_with_what_is_wrong() -> None:
    drafts = translated(call("c", thought("abc")), result("c"), call("d", "no object"), result("d"))

    assert [fields["error"].partition(":")[0] for fields in fields_of(drafts, "rejected")] == [
        "Invalid thoughtNumber",
        "Invalid arguments",
    ]


def test_long_arguments_of_a_refused_call_are_cut() -> None:
    (fields,) = fields_of(translated(call("c", {"thought": "é" * 9000}), result("c", is_error=True)), "rejected")

    assert fields["truncated"]
    assert MAX_ARGUMENT_BYTES - 4 < len(fields["arguments"].encode()) <= MAX_ARGUMENT_BYTES


def test_what_was_raised_repaired_and_answered_otherwise_is_said() -> None:
    given = thought("4", 2, next=True)
    (fields,) = fields_of(translated(call("c", given), result("c", answered_next=False)), "thought")

    assert (fields["thoughtNumber"], fields["totalThoughts"], fields["requestedTotal"]) == (4, 4, 2)
    assert fields["coerced"] == ["thoughtNumber"]
    assert fields["answeredNext"] is False


def test_an_answer_that_agrees_is_not_said() -> None:
    (fields,) = fields_of(translated(call("c"), result("c", answered_next=True)), "thought")

    assert "answeredNext" not in fields
    assert "requestedTotal" not in fields
    assert "coerced" not in fields


def ends_of(drafts: Sequence[Draft]) -> list[dict[str, Any]]:
    """Return what the ends of calls say besides the tool."""
    ends = [fields for fields in fields_of(drafts, "action") if fields.get("failed") or fields.get("ended")]
    return [{name: value for name, value in fields.items() if name != "tool"} for fields in ends]


def test_the_end_of_another_call_says_how_it_ended() -> None:
    drafts = translated(
        action("c"), result("c", is_error=True, error="no such file"), action("d"), result("d"), action("e"),
        result("e", is_lost=True),
    )  # fmt: skip

    assert ends_of(drafts) == [
        {"call": "c", "failed": True, "error": "no such file"},
        {"call": "d", "ended": "done"},
        {"call": "e", "ended": "unknown"},
    ]


@pytest.mark.parametrize(
    ("fact", "ended"),
    [
        (prompt(time=9), "unknown"),
        (TurnEnded(id="t", time=9, text="So"), "unknown"),
        (TurnEnded(id="t", time=9, is_aborted=True), "interrupted"),
    ],
)
def test_the_end_of_a_turn_ends_its_calls_and_none_of_them_is_a_success(fact: Fact, ended: str) -> None:
    drafts = translated(action("c"), action("x", agent="a"), fact)

    assert ends_of(drafts) == [{"call": "c", "ended": ended}]
    assert next(draft.time for draft in drafts if draft.fields.get("ended")) == 9


def test_the_end_of_a_call_that_was_given_up_for_a_prompt_is_said_when_it_comes() -> None:
    drafts = translated(action("c"), prompt(), result("c", is_error=True))

    assert ends_of(drafts) == [{"call": "c", "ended": "unknown"}, {"call": "c", "failed": True}]


def test_the_end_of_the_transcript_leaves_calls_open() -> None:
    translator = Translator(NAMES)
    translator.translate([action("c")])

    assert translator.flush() == []
    assert ends_of(translator.translate([result("c")])) == [{"call": "c", "ended": "done"}]


# Each fact once


def test_facts_are_known_by_type_and_id() -> None:
    translator = Translator(NAMES)
    facts: list[Fact] = [prompt("x"), Reasoning(id="x", time=1, text="Hm"), TurnEnded(id="x", time=1)]

    assert len(translator.translate(facts)) == 4
    assert translator.translate(facts) == []
    assert translator.known_count == 3


def test_a_call_in_two_records_is_one_thought() -> None:
    assert len(fields_of(translated(call("c"), call("c"), result("c"), result("c"), call("c")), "thought")) == 1


# Forks, resumes, compaction, rewinds


def test_a_fork_leaves_from_the_last_row_that_it_shares() -> None:
    forked = SessionDescribed(id="s2", time=5, agent="s2", forked_from="s1")
    drafts = translated(
        prompt("p1"),
        prompt("p2"),
        prompt("p3"),
        forked,
        prompt("p1", agent="s2"),
        prompt("p2", agent="s2"),
        prompt("p4", agent="s2"),
    )

    assert [fields["id"] for fields in fields_of(drafts, "prompt")] == ["p1", "p2", "p3", "p4"]
    assert fields_of(drafts, "agent") == [{"id": "s2", "name": "fork", "fork": True, "of": 3}]
    assert fields_of(drafts, "prompt")[-1]["agent"] == "s2"


def test_a_title_that_comes_later_is_said_in_another_session_event() -> None:
    drafts = translated(
        SessionDescribed(id="s1", time=0, cwd="/a"),
        prompt(),
        SessionDescribed(id="s1", time=2, title="Later"),
        SessionDescribed(id="s1", time=3, title="Later"),
        SessionDescribed(id="s1", time=4),
    )

    assert [fields.get("title") for fields in fields_of(drafts, "session")] == [None, "Later"]
    assert [fields["cwd"] for fields in fields_of(drafts, "session")] == ["/a", "/a"]


def test_a_resume_is_said_unless_nothing_came_before() -> None:
    drafts = translated(Resumed(id="1", time=1), prompt(time=2), Resumed(id="2", time=3))

    assert [(draft.kind, draft.fields.get("resumed")) for draft in drafts] == [
        ("session", None),
        ("prompt", None),
        ("session", True),
    ]


def test_a_rewind_names_the_first_line_that_it_leaves_behind() -> None:
    drafts = translated(
        prompt("p1"),
        prompt("p2"),
        call("c"),
        result("c"),
        Rewound(id="w", time=9, dropped=("never", "c", "p2")),
        Rewound(id="v", time=9, dropped=("never",)),
    )

    assert fields_of(drafts, "rewound") == [{"of": 3, "id": "w"}]


def test_what_a_subagent_did_in_a_part_that_was_left_behind_is_not_left_behind_again() -> None:
    drafts = translated(
        prompt("p1"),
        prompt("p2", agent="a"),
        prompt("p3"),
        Rewound(id="w", time=9, dropped=("p1", "p3")),
        Rewound(id="v", time=9, agent="a", dropped=("p2",)),
    )

    assert fields_of(drafts, "rewound") == [{"of": 2, "id": "w"}]


# Who called


def test_an_agent_leaves_from_the_row_in_which_it_was_called() -> None:
    drafts = translated(
        prompt(),
        call("c"),
        result("c"),
        action("task", "Agent"),
        call("d", thought(2)),
        result("d"),
        AgentStarted(id="a", time=4, call="task"),
    )

    assert [draft.kind for draft in drafts] == ["session", "prompt", "thought", "action", "thought", "agent"]
    assert fields_of(drafts, "agent")[0]["of"] == 3


def test_an_agent_whose_call_is_unknown_leaves_from_the_newest_row_of_its_parent() -> None:
    drafts = translated(
        prompt(),
        AgentStarted(id="a", time=1),
        prompt("p2", agent="a"),
        prompt("p3"),
        AgentStarted(id="b", time=2, agent="a"),
    )

    assert [fields["of"] for fields in fields_of(drafts, "agent")] == [2, 4]


# What a journal cannot hold


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


ENDLESS = float("inf")
UNFIT: dict[str, tuple[Fact, ...]] = {
    "no number": (Reasoning(id="r", time=1, text="Hm", duration_ms=float("nan")),),
    "an endless duration": (Reasoning(id="r", time=1, text="Hm", duration_ms=ENDLESS),),
    "a duration below 0": (Reasoning(id="r", time=1, text="Hm", duration_ms=-1.0),),
    "more tokens than there are": (Reasoning(id="r", time=1, text="Hm", tokens=10**5000),),
    "counts of a compaction": (Compacted(id="k", time=1, tokens_before=10**5000, tokens_after=-1),),
    "an endless argument": (call("c", {"a": ENDLESS}), result("c")),
    "an argument of many digits": (call("c", {"a": 10**5000}), result("c")),
    "deep arguments": (call("c", {"a": nested(900)}), result("c")),
    "deeper arguments": (call("c", {"a": nested(3000)}), result("c")),
    "a time before all times": (prompt(time=-(10**40)),),
    "a time after all times": (prompt(time=10**40),),
}


@pytest.mark.parametrize("name", UNFIT)
def test_what_a_journal_cannot_hold_is_left_out_or_kept_as_text(name: str) -> None:
    lines = encoded(translated(*UNFIT[name]), 1).splitlines()

    assert len(lines) == 2
    event = decode(lines[1])
    assert msgspec.structs.asdict(event).keys() >= {"seq", "time"}
    assert getattr(event, "durationMs", None) is None
    assert getattr(event, "tokens", None) is None
    assert isinstance(getattr(event, "arguments", ""), str)


# Laws: whatever the facts hold, in whatever batches

HOSTILE = [*PAYLOADS.values(), *PAGE_PAYLOADS.values(), "", "\ud800", "\x00", "x" * 100_000]
ATTACKS = st.integers(0, len(HOSTILE) - 1).map(HOSTILE.__getitem__)  # drawn by place: Hypothesis prints strategies
TEXTS = st.sampled_from(["x", "y"]) | ATTACKS | st.text(max_size=5)
IDS = st.sampled_from(["1", "2", "3", "4"]) | ATTACKS.filter(bool)
AGENTS = st.none() | st.sampled_from(["1", "a", "b"]) | ATTACKS.filter(bool)
TIMES = st.integers(0, 50) | st.sampled_from([-(10**30), 10**30, -1, 253_402_300_799_999_999])
NUMBERS = st.none() | st.integers() | st.sampled_from([10**30, -(10**400), 0])
FLOATS = st.none() | st.floats()
PLAIN_VALUES = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    st.sampled_from([30, 3000]).map(lambda digits: 10**digits),
    st.sampled_from(["3", "true", "\udfff"]),
)
VALUES = st.recursive(
    PLAIN_VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "\ud800", "type"]), inner),
    max_leaves=5,
)
ARGUMENTS = st.one_of(
    st.builds(thought, st.integers(1, 4), st.integers(1, 4), next=st.booleans()),
    st.builds(thought, VALUES, VALUES, next=VALUES, branchId=VALUES, revisesThought=VALUES),
    VALUES,
)


def _some(kind: type[Fact], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Fact]:
    return st.builds(kind, **{"id": IDS, "time": TIMES, "agent": AGENTS} | fields)


FACTS = st.one_of(
    _some(
        SessionDescribed,
        client_version=st.none() | TEXTS,
        cwd=st.none() | TEXTS,
        repository=st.none() | TEXTS,
        worktree=st.none() | TEXTS,
        branch=st.none() | TEXTS,
        remote=st.none() | TEXTS,
        title=st.none() | TEXTS,
        forked_from=st.none() | TEXTS,
    ),
    _some(Prompt, text=TEXTS),
    _some(Reasoning, text=TEXTS, tokens=NUMBERS.map(lambda n: n or 0), duration_ms=FLOATS, model=st.none() | TEXTS),
    _some(ToolCall, tool=st.sampled_from(["sequentialthinking", "sequential_thinking"]), arguments=ARGUMENTS),
    _some(ToolCall, tool=TEXTS, summary=TEXTS),
    _some(
        Result,
        is_error=st.booleans(),
        error=TEXTS,
        is_lost=st.booleans(),
        answered_next=st.none() | st.booleans(),
    ),
    _some(AgentStarted, name=st.none() | TEXTS, call=st.none() | IDS, model=st.none() | TEXTS),
    _some(TurnEnded, text=TEXTS, is_aborted=st.booleans()),
    _some(Compacted, tokens_before=NUMBERS, tokens_after=NUMBERS),
    _some(ContextUsed, tokens=NUMBERS.map(lambda n: n or 0), window=NUMBERS, model=st.none() | TEXTS),
    _some(Resumed),
    _some(Rewound, dropped=st.lists(IDS, max_size=3).map(tuple)),
)


@given(st.lists(FACTS, max_size=25), st.lists(st.integers(0, 25), max_size=4))
def test_facts_in_any_batches_give_the_same_lines_and_all_of_them_are_read(facts: list[Fact], cuts: list[int]) -> None:
    at_once = Translator(NAMES)
    whole = at_once.translate(facts) + at_once.flush()
    in_parts = Translator(NAMES)
    parts: list[Draft] = []
    for start, end in pairwise([0, *sorted(cuts), len(facts)]):
        parts += in_parts.translate(facts[start:end])
    parts += in_parts.flush()
    lines = encoded(whole, 1).split(b"\n")

    assert encoded(parts, 1).split(b"\n") == lines
    assert lines.pop() == b""
    for has_native in (False, True):
        fold = Fold(has_native=has_native)
        for seq, line in enumerate(lines, 1):
            event = decode(line)
            assert not isinstance(event, UnknownEvent)
            assert event.seq == seq
            assert whole[seq - 1].kind in EVENT_TYPES
            fold.evolve(event)
        assert fold.session().at(len(lines)) is not None


@given(st.lists(FACTS, max_size=25))
def test_facts_that_come_twice_change_nothing(facts: list[Fact]) -> None:
    once = [fact for fact in facts if not isinstance(fact, SessionDescribed | AgentStarted)]
    translator = Translator(NAMES)
    translator.translate(once)
    translator.flush()

    assert translator.translate(once) == []
    assert translator.flush() == []


@given(st.lists(FACTS, max_size=25))
def test_no_line_names_one_that_comes_later_or_an_agent_that_was_not_introduced(facts: list[Fact]) -> None:
    translator = Translator(NAMES)
    introduced: set[str] = set()
    for seq, draft in enumerate(translator.translate(facts) + translator.flush(), 1):
        if draft.kind == "agent":
            introduced.add(draft.fields["id"])
        assert draft.fields.get("of", 0) < seq
        assert draft.fields.get("agent") in {None, *introduced}
