from seqthink.sources.transcripts.codex.fork_points import ForkPoints
from seqthink.sources.transcripts.codex.records import RolloutReader
from seqthink.sources.transcripts.facts import Fact, Prompt, SessionDescribed, ToolCall, TurnEnded
from seqthink.sources.transcripts.source import ReadCounts
from tests.sources.transcripts.codex.rollouts import (
    FORK,
    LATER_TURN,
    THREAD,
    TURN,
    completed,
    event,
    facts_of,
    item,
    meta,
    of,
)

ORIGINAL = [
    event("task_started", turn_id=TURN, second=1),
    event("user_message", message="why?", second=1),
    item("reasoning", summary=[{"text": "hm"}], encrypted_content="gA", second=2),
    item("function_call", name="seq__sequentialthinking", arguments="{}", call_id="c1", second=3),
    event("task_complete", turn_id=TURN, last_agent_message="so", second=4),
]


def retimed(lines: list[bytes], second: int) -> list[bytes]:
    """Return the lines as a legacy fork copies them: all with the time of copying."""
    return [b'{"timestamp":"2026-11-22T17:50:%02d.000Z"' % second + one[one.index(b',"type"') :] for one in lines]


def keys(facts: list[Fact]) -> list[tuple[type[Fact], str]]:
    return [(type(fact), fact.id) for fact in facts]


def own_turn(turn: str) -> list[bytes]:
    return [
        event("task_started", turn_id=turn, second=50),
        event("user_message", message="why?", second=51),
        item("function_call", name="seq__sequentialthinking", arguments="{}", call_id="c2", second=52),
    ]


def test_a_legacy_fork_s_copies_are_the_original_s_facts_and_the_rest_is_its_own() -> None:
    original = facts_of([meta(), *ORIGINAL])
    lines = [meta(FORK, forked_from_id=THREAD), *retimed([meta(), *ORIGINAL], 0), *own_turn(LATER_TURN)]

    fork = facts_of(lines, root=THREAD)

    assert fork[0] == SessionDescribed(
        id=FORK,
        time=fork[0].time,
        agent=FORK,
        client_version="0.120.0",
        cwd="/home/ada/work",
        forked_from=THREAD,
    )
    copies, own = fork[1 : len(original)], fork[len(original) :]
    assert keys(copies) == keys(original[1:])
    assert {fact.agent for fact in copies} == {FORK}
    assert {fact.agent for fact in own} == {FORK}
    assert [one.id for one in of(ToolCall, own)] == [f"{FORK}/c2"]
    assert not set(keys(own)) & set(keys(original))


def test_where_ids_have_no_time_the_copies_end_with_the_burst() -> None:
    lines = [meta("fork", forked_from_id="old"), *retimed([meta("old"), *ORIGINAL], 0)]
    own = [b'{"timestamp":"2026-11-22T17:50:09.000Z"' + one[one.index(b',"type"') :] for one in own_turn("turn-2")]

    facts = facts_of([*lines, *own], root="old")

    assert [(one.id, one.agent) for one in of(ToolCall, facts)] == [("c1", "fork"), ("fork/c2", "fork")]


def test_a_fork_that_only_refers_to_its_original_has_nothing_but_its_own() -> None:
    lines = [meta(FORK, forked_from_id=THREAD), *own_turn(LATER_TURN)]

    facts = facts_of(lines, root=THREAD)

    assert {fact.agent for fact in facts} == {FORK}


def test_a_fork_whose_original_is_gone_is_a_session_with_all_that_it_copied() -> None:
    lines = [meta(FORK, forked_from_id=THREAD), *retimed([meta(), *ORIGINAL], 0), *own_turn(LATER_TURN)]

    facts = facts_of(lines)

    assert {fact.agent for fact in facts} == {None}
    assert [one.id for one in of(ToolCall, facts)] == ["c1", "c2"]
    assert [one.text for one in of(Prompt, facts)] == ["why?", "why?"]


def test_a_completed_item_of_a_subagent_that_names_another_thread_is_that_one_s() -> None:
    foreign = completed("McpToolCall", thread=THREAD, id="c1", tool="sequentialthinking", arguments={})
    own = completed("McpToolCall", thread=FORK, id="c2", tool="sequentialthinking", arguments={})

    facts = facts_of([meta(FORK, thread_source="subagent", parent_thread_id=THREAD), foreign, own], root=THREAD)

    assert [(one.id, one.agent) for one in of(ToolCall, facts)] == [("c1", None), (f"{FORK}/c2", FORK)]


def test_a_subagent_that_begins_with_its_parent_s_conversation_does_not_repeat_it() -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD}}}
    task = item(
        "agent_message", content=[{"text": "Message Type: NEW_TASK\nTask name: x\nPayload:\nlook at it"}], second=50
    )
    lines = [
        meta(FORK, source=spawn, forked_from_id=THREAD),
        *retimed([meta(), *ORIGINAL], 0),
        event("task_started", turn_id=LATER_TURN, second=50),
        task,
        item("function_call", name="seq__sequentialthinking", arguments="{}", call_id="c2", second=52),
    ]

    facts = facts_of(lines, root=THREAD)

    assert [(one.text, one.agent) for one in of(Prompt, facts)] == [("why?", None), ("look at it", FORK)]
    assert [(one.id, one.agent) for one in of(ToolCall, facts)] == [("c1", None), (f"{FORK}/c2", FORK)]


def numbered(lines: list[bytes], first: int = 0) -> list[bytes]:
    """Return the lines with ordinals, as paginated rollouts have them."""
    return [one.replace(b',"type"', b',"ordinal":%d,"type"' % number, 1) for number, one in enumerate(lines, first)]


def test_a_fork_without_copies_emits_the_last_fact_before_it_again_as_its_own() -> None:
    forks = ForkPoints()
    original = RolloutReader(ReadCounts(), THREAD, forks)
    later = [event("task_started", turn_id=LATER_TURN), event("user_message", message="and?")]
    facts = [fact for one in numbered([meta(), *ORIGINAL, *later]) for fact in original.read(one)]
    fork = RolloutReader(ReadCounts(), THREAD, forks)
    first = meta(FORK, forked_from_id=THREAD, forked_from_ordinal_exclusive=1 + len(ORIGINAL))

    described, repeated = fork.read(first)

    ends = [fact for fact in facts if isinstance(fact, TurnEnded)]
    assert isinstance(described, SessionDescribed)
    assert (type(repeated), repeated.id, repeated.agent) == (TurnEnded, ends[0].id, FORK)
    assert repeated.time == described.time


def test_a_fork_of_an_unread_thread_repeats_nothing() -> None:
    first = meta(FORK, forked_from_id=THREAD, forked_from_ordinal_exclusive=6)

    assert [type(fact) for fact in facts_of([first], root=THREAD)] == [SessionDescribed]


def test_an_answer_that_nothing_marks_is_the_original_s_and_not_that_of_the_fork_that_copied_it() -> None:
    said = [event("user_message", message="why?", second=1), event("agent_message", message="so", second=2)]
    original = [meta(), event("task_started", turn_id=TURN, second=1), *said]
    lines = [meta(FORK, forked_from_id=THREAD), *retimed(original, 0), *own_turn(LATER_TURN)]

    assert of(TurnEnded, facts_of(lines, root=THREAD)) == []
    assert [one.text for one in of(TurnEnded, facts_of(lines, root=FORK))] == ["so"]


def test_what_a_fork_of_a_fork_copied_keeps_its_owner_where_ids_are_counted() -> None:
    def turn(thread: str, number: int) -> list[bytes]:
        return [
            event("task_started", turn_id=f"t{number}"),
            completed("UserMessage", thread=thread, id=f"u{number}", content=[{"text": "why?"}]),
            item("function_call", name="seq__sequentialthinking", arguments=str(number), call_id="call_0"),
            event("task_complete", turn_id=f"t{number}", last_agent_message="so"),
        ]

    first = [meta(THREAD), *turn(THREAD, 1)]
    second = [meta("fork", forked_from_id=THREAD), *retimed(first, 0), *retimed(turn("fork", 2), 9)]
    third = [meta("fork-2", forked_from_id="fork"), *retimed(second, 10), *retimed(turn("fork-2", 3), 20)]

    ids = [keys(facts_of(lines, root=THREAD))[1:] for lines in (first, second, third)]

    assert ids[1][: len(ids[0])] == ids[0]
    assert ids[2][: len(ids[1])] == ids[1]
    assert len(set(ids[2])) == len(ids[2]) == 3 * len(ids[0])
