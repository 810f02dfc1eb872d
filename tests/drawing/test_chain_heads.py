"""What was asked heads the chain that answers it: in the tree, the timeline and an export, at every moment."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.drawing.describe.session import session_progress
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.events_factory import Journal, folded

Rows = Tree | Timeline
STEPS: dict[str, Callable[[Journal], object]] = {
    "ask": lambda journal: journal.prompt(),
    "answer": lambda journal: journal.answer(),
    "abort": lambda journal: journal.answer(None, aborted=True),
    "first": lambda journal: journal.think(1),
    "second": lambda journal: journal.think(2),
    "branch": lambda journal: journal.branch(2, "x", 1),
    "reason": lambda journal: journal.reason(),
    "act": lambda journal: journal.act(),
    "compact": lambda journal: journal.compacted(),
    "agent": lambda journal: journal.think(1, agent="a"),
    "agent acts": lambda journal: journal.act(agent="a"),
    "refuse": lambda journal: journal.rejected(),
    "rewind": lambda journal: journal.rewound(max(1, len(journal.items) - 2)),
}

SOME_STEPS = st.lists(st.sampled_from(sorted(STEPS)), max_size=14)


def journal_of(*steps: str) -> Journal:
    journal = Journal().session()
    for step in steps:
        STEPS[step](journal)
    return journal


def session_of(*steps: str, has_native: bool = False) -> Session:
    return folded(journal_of(*steps).items, Fold(has_native=has_native)).session()


def opened(rows: Rows, whole: Session, shown: Session | None = None) -> list[TreeRow]:
    rows.sync(whole, shown)
    if isinstance(rows, Tree):
        for chain in range((shown or whole).chain_count):
            rows.open_chain(chain, opened=True)
    return [rows.row(number) for number in range(rows.count)]


def drawn(rows: Rows, session: Session) -> list[str]:
    """Return the rows in words: a chain's heading by its number, a call by its own number, other rows by their kind."""
    return [_word(row, session) for row in opened(rows, session)]


def _word(row: TreeRow, session: Session) -> str:
    match row.kind:
        case RowKind.CHAIN:
            return f"chain {row.chain}"
        case RowKind.ASIDE:
            return session.asides.get(row.ordinal).kind.value
        case RowKind.THOUGHT:
            native = session.native.kind_of(row.ordinal)
            return native.value if native else str(session.thoughts.number_of(row.ordinal))
        case _:
            return row.kind.name.lower()


@pytest.mark.parametrize("rows", [Tree, Timeline])
@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (("ask", "first", "answer", "ask", "first"), ["chain 0", "prompt", "1", "result", "chain 1", "prompt", "1"]),
        (("ask", "first", "ask", "first"), ["chain 0", "prompt", "1", "chain 1", "prompt", "1"]),
        (
            ("ask", "first", "act", "ask", "act", "first"),
            ["chain 0", "prompt", "1", "actions", "chain 1", "prompt", "actions", "1"],
        ),
        (("first", "compact", "ask", "first"), ["chain 0", "1", "chain 1", "compacted", "prompt", "1"]),
        (("first", "ask", "answer", "ask", "first"), ["chain 0", "1", "prompt", "result", "chain 1", "prompt", "1"]),
        (("first", "ask", "ask", "first"), ["chain 0", "1", "chain 1", "prompt", "prompt", "1"]),
        (("first", "act", "first"), ["chain 0", "1", "actions", "chain 1", "1"]),
        (("ask", "first", "ask", "second"), ["prompt", "1", "prompt", "2"]),
    ],
)
def test_a_chain_is_headed_by_what_was_asked_since_the_last_answer(
    rows: type[Rows], steps: tuple[str, ...], expected: list[str]
) -> None:
    shown = [line for line in drawn(rows(), session_of(*steps)) if line != "expected"]

    assert shown == expected


@pytest.mark.parametrize("rows", [Tree, Timeline])
@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (
            ("ask", "first", "answer", "ask", "reason", "first"),
            ["chain 0", "prompt", "1", "answer", "chain 1", "prompt", "reasoning", "1"],
        ),
        (("first", "abort", "ask", "act", "first"), ["chain 0", "1", "answer", "chain 1", "prompt", "actions", "1"]),
        (
            ("first", "answer", "compact", "ask", "reason", "first"),
            ["chain 0", "1", "answer", "chain 1", "compacted", "prompt", "reasoning", "1"],
        ),
        (("first", "reason", "first"), ["chain 0", "1", "reasoning", "chain 1", "1"]),
        (("first", "ask", "answer", "ask", "first"), ["chain 0", "1", "prompt", "answer", "chain 1", "prompt", "1"]),
        (("first", "ask", "reason", "second"), ["1", "prompt", "reasoning", "2"]),
        (
            ("ask", "answer", "ask", "reason", "answer"),
            ["chain 0", "prompt", "answer", "chain 1", "prompt", "reasoning", "answer"],
        ),
        (
            ("ask", "first", "answer", "ask", "reason", "agent", "first"),
            ["chain 0", "prompt", "1", "answer", "prompt", "reasoning", "branch", "1", "chain 1", "1"],
        ),
    ],
)
def test_a_chain_is_headed_by_what_was_asked_and_reasoned_where_native_reasoning_is_shown(
    rows: type[Rows], steps: tuple[str, ...], expected: list[str]
) -> None:
    session = session_of(*steps, has_native=True)

    shown = [line for line in drawn(rows(), session) if line != "expected"]

    assert shown == [line for line in expected if line != "branch" or rows is Tree]


def test_a_folded_chain_hides_what_heads_it_and_not_what_heads_the_next() -> None:
    session = session_of("ask", "first", "answer", "ask", "reason", "first", "answer", has_native=True)
    tree = Tree()
    opened(tree, session)

    tree.open_chain(0, opened=False)
    without_first = [_word(tree.row(number), session) for number in range(tree.count)]
    tree.open_chain(0, opened=True)
    tree.open_chain(1, opened=False)
    without_second = [_word(tree.row(number), session) for number in range(tree.count)]

    assert without_first == ["chain 0", "chain 1", "prompt", "reasoning", "1", "answer"]
    assert without_second == ["chain 0", "prompt", "1", "answer", "chain 1"]
    prompt = session.chains.native_heads_of(1)[0]
    assert tree.row_of_thought(prompt) == 4, "the folded chain stands for it"


def test_until_the_chain_begins_the_prompt_is_at_the_foot_of_the_one_before() -> None:
    whole = session_of("ask", "first", "answer", "ask", "first")
    tree = Tree()
    opened(tree, whole)
    before = whole.at(whole.entry_count - 1)

    rows = opened(tree, whole, before)

    assert [row.kind for row in rows if row.kind is not RowKind.EXPECTED] == [
        RowKind.ASIDE,
        RowKind.THOUGHT,
        RowKind.ASIDE,
        RowKind.ASIDE,
    ]


@settings(max_examples=300)
@given(SOME_STEPS, st.data(), st.sampled_from([Tree, Timeline]), st.booleans())
def test_at_every_moment_the_rows_are_those_of_a_session_that_ends_there(
    steps: list[str], data: st.DataObject, rows: type[Rows], has_native: bool
) -> None:
    journal = journal_of(*steps)
    whole = folded(journal.items, Fold(has_native=has_native)).session()
    moving = rows()
    for position in data.draw(st.lists(st.integers(0, len(journal.items)), min_size=1, max_size=4)):
        now = opened(moving, whole, whole.at(position))
        rebuilt = opened(rows(), folded(journal.items[:position], Fold(has_native=has_native)).session())

        assert now == rebuilt
        assert [moving.row_of(row) for row in now if row.kind is not RowKind.EXPECTED] == [
            number for number, row in enumerate(now) if row.kind is not RowKind.EXPECTED
        ]


@settings(max_examples=200)
@given(SOME_STEPS, st.sampled_from([Tree, Timeline]), st.booleans())
def test_nothing_is_lost_and_nothing_is_there_twice(steps: list[str], rows: type[Rows], has_native: bool) -> None:
    session = session_of(*steps, has_native=has_native)

    shown = opened(rows(), session)

    asides = [row.ordinal for row in shown if row.kind is RowKind.ASIDE]
    assert sorted(asides) == list(range(session.asides.count))
    assert sorted(row.ordinal for row in shown if row.kind is RowKind.THOUGHT) == list(range(session.thought_count))
    for row in shown:
        if row.kind is RowKind.ASIDE and session.chain_count:
            assert row.chain == session.asides.chain_of(row.ordinal)
        if row.kind is RowKind.THOUGHT:
            assert session.lanes.get(row.lane).chain == row.chain
            assert row.chain == session.chains.drawn_in(row.ordinal) or rows is Timeline


@settings(max_examples=100)
@given(SOME_STEPS, st.data(), st.booleans())
def test_a_tree_that_grows_is_one_that_was_given_all_at_once(
    steps: list[str], data: st.DataObject, has_native: bool
) -> None:
    journal, tree = journal_of(*steps), Tree()
    position = data.draw(st.integers(0, len(journal.items)))
    early = folded(journal.items[:position], Fold(has_native=has_native))
    opened(tree, early.session())
    whole = folded(journal.items[position:], early).session()

    assert opened(tree, whole) == opened(Tree(), whole)


@pytest.mark.parametrize("rows", [Tree, Timeline])
@pytest.mark.parametrize(
    "steps",
    [
        ("first", "ask", "act", "first"),
        ("first", "agent", "ask", "agent acts", "act", "first"),
        ("first", "agent", "ask", "agent acts", "first", "answer", "ask", "first"),
        ("first", "agent", "compact", "agent acts", "ask", "refuse", "first"),
    ],
)
def test_each_row_is_found_again_where_it_is(rows: type[Rows], steps: tuple[str, ...]) -> None:
    shown = rows()

    drawn = opened(shown, session_of(*steps))

    numbered = [(number, row) for number, row in enumerate(drawn) if row.kind is not RowKind.EXPECTED]
    assert [shown.row_of(row) for _, row in numbered] == [number for number, _ in numbered]


@pytest.mark.parametrize(
    ("steps", "is_expected"),
    [
        (("ask", "first"), True),
        (("ask", "first", "answer"), False),
        (("ask", "first", "answer", "ask"), False),
        (("ask", "first", "answer", "ask", "second"), True),
        (("ask", "first", "abort"), True),
        (("ask", "answer", "ask", "first"), True),
    ],
)
def test_nothing_is_expected_of_a_chain_that_its_agent_left_with_an_answer(
    steps: tuple[str, ...], *, is_expected: bool
) -> None:
    session = session_of(*steps)

    assert ("expected" in drawn(Tree(), session)) is is_expected
    assert ("~" in session_progress(session)) is is_expected
