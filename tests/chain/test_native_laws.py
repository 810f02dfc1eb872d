"""Native reasoning, shown or hidden, never changes what the thinking tool's calls become."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from seqthink.chain.fold import Fold
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.core.events import (
    ActionEvent,
    AgentEvent,
    CompactedEvent,
    NativeEvent,
    RewoundEvent,
    ThoughtEvent,
    WriterState,
)
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Item, Journal, folded


def shown(items: list[Item]) -> Session:
    return folded(items, Fold(has_native=True)).session(WriterState.ALIVE)


def hidden(items: list[Item]) -> Session:
    return folded(items).session(WriterState.ALIVE)


def without_native(items: list[Item]) -> list[Item]:
    native = NativeEvent | ActionEvent | CompactedEvent
    return [item for item in items if not isinstance(item, native)]


def first_chain_of_calls(session: Session) -> int:
    return next((chain for chain in range(session.chain_count) if session.chains.has_calls(chain)), 0)


def calls_of(session: Session, *, has_forks: bool) -> list[dict[str, Any]]:
    """Return all that is said of the thinking tool's calls; other thoughts are named by their ``seq``."""
    indices = [index for index in range(session.thought_count) if session.native.kind_of(index) is None]
    return [_call(session, index, has_forks=has_forks) for index in indices]


def _call(session: Session, index: int, *, has_forks: bool) -> dict[str, Any]:
    thought = session.thoughts.get(index)
    lane = session.lanes.get(thought.lane)
    return {
        "seq": thought.seq,
        "number": thought.number,
        "estimate": (thought.estimate, thought.previous_estimate, thought.keeps_pace, thought.highest_number),
        "chain": thought.chain - first_chain_of_calls(session),
        "lane": (lane.name, lane.is_root, session.agents.id_of(lane.agent), lane.fork_number),
        "fork": _seq(session, session.native.newest_call_at(lane.origin) if lane.origin != NONE else NONE)
        if has_forks or (not lane.is_root and not lane.agent)
        else None,
        "target": (_seq(session, thought.target), thought.revised_number),
        "revisers": [_seq(session, reviser) for reviser in session.thoughts.revisers_of(index)],
        "facts": (thought.occurrence, thought.skipped_count, thought.is_revision, thought.is_repeat),
        "final": session.thoughts.is_final(index),
        "took": session.thoughts.duration_of(index),
        "attached": [attachment.seq for attachment in session.thoughts.attachments(index)],
        "left behind": session.native.is_left_behind(index),
    }


def _seq(session: Session, index: int) -> int:
    return session.thoughts.get(index).seq if index != NONE else NONE


def chains_of(session: Session) -> list[tuple[Any, ...]]:
    """Return state and progress of each chain with calls."""
    chains = range(first_chain_of_calls(session), session.chain_count)
    return [(session.chain_state(chain), session.chains.is_concluded(chain)) for chain in chains]


def progress_of(session: Session) -> tuple[int, ...]:
    current = session.thoughts.get(session.current_thought) if session.current_thought != NONE else None
    return (current.seq, current.highest_number, current.estimate) if current else ()


def refusals_of(session: Session) -> list[int]:
    return [session.asides.get(ordinal).seq for ordinal in session.asides.refused]


@given(journals(size=30, transcript=True))
def test_shown_native_reasoning_changes_nothing_of_the_calls(journal: Journal) -> None:
    # A fork has the numbers of where it leaves; that may be a row which only native reasoning has.
    items = [item for item in journal.items if isinstance(item, str) or "F" not in _agents_of(item)]
    full, tool = shown(items), hidden(items)
    assume(tool.thought_count)

    assert calls_of(full, has_forks=False) == calls_of(tool, has_forks=False)
    assert chains_of(full) == chains_of(tool)
    assert progress_of(full) == progress_of(tool)
    assert refusals_of(full) == refusals_of(tool)
    assert full.native.call_count == tool.thought_count
    assert (full.branch_count, full.revision_count) == (tool.branch_count, tool.revision_count)
    assert full.agents.in_turn_count == tool.agents.in_turn_count


@given(journals(size=30, transcript=True))
def test_hidden_native_reasoning_is_as_good_as_absent(journal: Journal) -> None:
    tool, absent = hidden(journal.items), hidden(without_native(journal.items))

    assert calls_of(tool, has_forks=True) == calls_of(absent, has_forks=True)
    assert chains_of(tool) == chains_of(absent)
    assert progress_of(tool) == progress_of(absent)
    assert refusals_of(tool) == refusals_of(absent)


@pytest.mark.slow  # few examples are of this kind
@settings(suppress_health_check=[HealthCheck.filter_too_much])  # few journals start an agent by a known call
@given(journals(size=30, transcript=True))
def test_a_lane_leaves_from_the_call_that_came_before_its_caller(journal: Journal) -> None:
    # An agent whose caller nobody names leaves from where its parent is when its own first row comes.
    _agents_are_known_before_they_act(journal.items)
    assume(not any(isinstance(item, RewoundEvent) for item in journal.items))
    full, tool = shown(journal.items), hidden(journal.items)
    assume(full.chain_count == tool.chain_count == 1)

    assert calls_of(full, has_forks=True) == calls_of(tool, has_forks=True)


def _agents_of(item: Item) -> set[str | None]:
    return {getattr(item, "agent", None), getattr(item, "id", None)}


def _agents_are_known_before_they_act(items: list[Item]) -> None:
    """Keep to journals in which each agent is introduced with its caller before its first line, and only then."""
    introduced = dict[str, int]()
    first_row = next((item.seq for item in items if isinstance(item, ThoughtEvent | NativeEvent)), 0)
    for item in items:
        if isinstance(item, AgentEvent):
            assume(item.id not in introduced and item.of is not None and first_row <= item.of < item.seq)
            assume(item.parent is None and not item.fork)
            introduced[item.id] = item.seq
        elif not isinstance(item, str):
            assume(getattr(item, "agent", None) in {None, *introduced})


# What follows from the rules


def test_a_number_used_again_after_going_back_is_no_repeat_and_leaves_no_gap() -> None:
    journal = Journal().think(1).think(2).think(3).rewound(2).think(2, "another way").think(3)
    session = hidden(journal.items)
    facts = [session.thoughts.get(index) for index in range(session.thought_count)]

    assert [(one.number, one.is_repeat, one.skipped_count) for one in facts[3:]] == [(2, False, 0), (3, False, 0)]
    assert [session.native.is_left_behind(index) for index in range(5)] == [False, True, True, False, False]
    assert facts[3].highest_number == 2
    assert session.at(3).native.is_left_behind(2) is False


def test_a_revision_never_means_what_was_left_behind() -> None:
    journal = Journal().think(1).think(2).rewound(2).think(2, "another way").revise(3, 2).rewound(4).revise(4, 2)
    session = hidden(journal.items)

    assert [session.thoughts.target_of(index) for index in (3, 4)] == [2, NONE]


def test_a_branch_that_was_left_behind_opens_again() -> None:
    journal = Journal().think(1).branch(1, "a", 1).rewound(2).think(2).branch(1, "a", 2)
    session = hidden(journal.items)

    assert [session.lanes.get(lane).fork for lane in session.chains.lanes_of(0)] == [NONE, 0, 2]


def test_a_fork_has_the_numbers_of_its_parent_up_to_where_it_left() -> None:
    journal = Journal().think(1).think(2).agent("F", fork=True, of=2, name="fork").think(3).think(3, agent="F")
    journal.revise(4, 2, agent="F").revise(5, 3, agent="F")
    session = hidden(journal.items)
    facts = [session.thoughts.get(index) for index in (3, 4, 5)]

    assert [(one.number, one.skipped_count, one.is_repeat) for one in facts] == [
        (3, 0, False),
        (4, 0, False),
        (5, 0, False),
    ]
    assert [one.target for one in facts] == [NONE, 1, 3]
    assert session.lanes.get(facts[0].lane).fork == 1


def test_a_number_that_the_parent_used_twice_means_the_newer_one_to_its_fork() -> None:
    journal = Journal().think(1).think(2).think(2).think(3).agent("F", fork=True, of=4, name="fork")
    journal.revise(4, 2, agent="F")

    assert hidden(journal.items).thoughts.get(4).target == 2


def test_three_subagents_of_one_caller_are_three_lanes_in_order_of_their_start() -> None:
    journal = Journal().prompt().reason("three at once")
    for name in "ABC":
        journal.agent(name, of=2, name=name).prompt(agent=name)
    for name in "CAB":
        journal.reason(agent=name).answer(agent=name)
    session = shown(journal.items)

    lanes = session.lanes.branches_from(1)
    assert [session.agents.id_of(session.lanes.get(lane).agent) for lane in lanes] == ["A", "B", "C"]


def test_a_turn_is_done_with_its_answer_unless_it_was_interrupted() -> None:
    answered, aborted = Journal().prompt().reason().answer(), Journal().prompt().reason().answer(aborted=True)

    assert [shown(journal.items).state.value for journal in (answered, aborted)] == ["done", "thinking"]
    assert shown(answered.prompt("more").items).state.value == "thinking"


def test_a_call_that_failed_counts_once() -> None:
    journal = Journal().prompt().reason().act(made="c1").act("Bash", made="c2").act("Bash", made="c2", failed=True)
    session = shown(journal.items)

    assert [item.name for item in session.asides.items_of(0)] == ["Read", "Bash"]
    assert [session.asides.failure_count_of(0), session.at(4).asides.failure_count_of(0)] == [1, 0]
