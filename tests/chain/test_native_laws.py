"""Native reasoning, shown or hidden, never changes what the thinking tool's calls become."""

from typing import Any

from hypothesis import assume, given, settings

from seqthink.chain.fold import Fold
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.events import (
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
    indices = [index for index in range(session.thought_count) if session.thoughts.native_kind(index) is None]
    return [_call(session, index, has_forks=has_forks) for index in indices]


def _call(session: Session, index: int, *, has_forks: bool) -> dict[str, Any]:
    thought = session.thoughts.get(index)
    lane = session.lanes.get(thought.lane)
    return {
        "seq": thought.seq,
        "number": thought.number,
        "estimate": (thought.estimate, thought.previous_estimate, thought.highest_number),
        "chain": thought.chain - first_chain_of_calls(session),
        "lane": (lane.name, lane.is_root, session.agents.id_of(lane.agent), lane.fork_number),
        "fork": _seq(session, session.thoughts.newest_call_at(lane.origin) if lane.origin != NONE else NONE)
        if has_forks or (not lane.is_root and not lane.agent)
        else None,
        "target": (_seq(session, thought.target), thought.revised_number),
        "revisers": [_seq(session, reviser) for reviser in session.thoughts.revisers_of(index)],
        "facts": (thought.occurrence, thought.skipped_count, thought.is_revision, thought.is_repeat),
        "final": session.thoughts.is_final(index),
        "took": session.thoughts.duration_of(index),
        "attached": [attachment.seq for attachment in session.thoughts.attachments(index)],
        "left behind": session.thoughts.is_left_behind(index),
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


@settings(max_examples=300, deadline=None)
@given(journals(size=30))
def test_shown_native_reasoning_changes_nothing_of_the_calls(journal: Journal) -> None:
    full, tool = shown(journal.items), hidden(journal.items)
    assume(tool.thought_count)

    assert calls_of(full, has_forks=False) == calls_of(tool, has_forks=False)
    assert chains_of(full) == chains_of(tool)
    assert progress_of(full) == progress_of(tool)
    assert refusals_of(full) == refusals_of(tool)
    assert full.tool_thought_count == tool.thought_count
    assert (full.branch_count, full.revision_count) == (tool.branch_count, tool.revision_count)


@settings(max_examples=300, deadline=None)
@given(journals(size=30))
def test_hidden_native_reasoning_is_as_good_as_absent(journal: Journal) -> None:
    tool, absent = hidden(journal.items), hidden(without_native(journal.items))

    assert calls_of(tool, has_forks=True) == calls_of(absent, has_forks=True)
    assert chains_of(tool) == chains_of(absent)
    assert progress_of(tool) == progress_of(absent)
    assert refusals_of(tool) == refusals_of(absent)


@settings(max_examples=300, deadline=None)
@given(journals(size=30))
def test_a_lane_leaves_from_the_call_that_came_before_its_caller(journal: Journal) -> None:
    # An agent whose caller nobody names leaves from where its parent is when its own first row comes.
    _agents_are_known_before_they_act(journal.items)
    assume(not any(isinstance(item, RewoundEvent) for item in journal.items))
    full, tool = shown(journal.items), hidden(journal.items)
    assume(full.chain_count == tool.chain_count == 1)

    assert calls_of(full, has_forks=True) == calls_of(tool, has_forks=True)


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
