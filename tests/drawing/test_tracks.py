"""The tracks of revision arrows, held against plain intervals of rows."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import fold
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.arrows.tracks import MAX_ARROW_THOUGHTS, MAX_TRACKS
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.glyphs import DOWN, LEFT, RIGHT, UNICODE, UP
from seqthink.drawing.text.spans import spans_text
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.row_source import RowKind, RowSource
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.build import JournalBuilder
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded
from tests.support.journals.given_texts import GivenTexts

ARMS = {sign: arms for arms, sign in enumerate(UNICODE.box) if arms not in {UP, DOWN, LEFT, RIGHT}}


class Arrow(NamedTuple):
    """An arrow that has a track: its rows from the target to the reviser."""

    track: int
    top: int
    bottom: int
    target: int


@st.composite
def revising(draw: st.DrawFn) -> Session:
    """Draw a chain of branches in branches in which every other thought revises one of its own lane or another."""
    journal = JournalBuilder().thought("t", 1, 9)
    named: list[tuple[str | None, list[int]]] = [(None, [1])]
    for number in range(2, draw(st.integers(3, 40))):
        branch, own = draw(st.sampled_from(named))
        if draw(st.integers(0, 4)) == 0:
            fork = draw(st.sampled_from(own))
            branch, own = f"b{number}", [number]
            named.append((branch, own))
            journal.thought("b", number, number, branch=branch, from_=fork)
            continue
        target = draw(st.none() | st.sampled_from(own) | st.integers(1, number - 1))
        journal.thought("t", number, number, branch=branch, revises=target)
        own.append(number)
    return fold(journal.events)


def open_tree(session: Session) -> Tree:
    tree = Tree()
    tree.sync(session)
    tree.open_all()
    return tree


def arrows_of(tree: Tree) -> list[Arrow]:
    session, found = tree.session, list[Arrow]()
    for reviser in range(session.thought_count):
        target = session.thoughts.target_of(reviser)
        track = tree.rows_of(session.thoughts.chain_of(reviser)).tracks.track_of(reviser)
        if track != NONE:
            found.append(Arrow(track, tree.row_of_thought(target), tree.row_of_thought(reviser), target))
    return found


def pictured(tree: RowSource, width: int = 100, selected: int = NONE) -> list[str]:
    texts = GivenTexts(tree.session, lambda _: "x")
    painter = Painter(tree=tree, texts=texts, width=width, screen_width=width, selected=selected)
    return [spans_text(spans) for spans in painter.draw_rows(0, tree.count)]


@given(revising())
def test_no_two_arrows_to_different_targets_share_a_track_on_any_row(session: Session) -> None:
    arrows = arrows_of(open_tree(session))
    for place, one in enumerate(arrows):
        for other in arrows[:place]:
            if one.track == other.track and one.target != other.target:
                assert one.bottom < other.top or other.bottom < one.top


@given(revising())
def test_what_is_drawn_is_what_the_intervals_say(session: Session) -> None:
    tree = open_tree(session)
    arrows, used = arrows_of(tree), tree.rows_of(0).tracks.tracks_used(session)
    shown = min(used, MAX_TRACKS)
    for number, line in enumerate(pictured(tree)):
        for track in range(shown):
            arms = ARMS[line[2 + shown - 1 - track]]
            own = [one for one in arrows if one.track == track and one.top <= number <= one.bottom]
            assert bool(arms & UP) == any(one.top < number for one in own)
            assert bool(arms & DOWN) == any(number < one.bottom for one in own)


@given(journals(40), st.data())
def test_tracks_are_chosen_by_what_came_before_alone(journal: Journal, data: st.DataObject) -> None:
    entries = data.draw(st.integers(0, len(journal.items)))
    whole, fresh = folded(journal.items).session(), folded(journal.items[:entries]).session()
    tree, early = open_tree(whole), open_tree(fresh)
    tree.show(whole.at(entries))
    for index in range(fresh.thought_count):
        chain = fresh.thoughts.chain_of(index)
        now, then = tree.rows_of(chain).tracks, early.rows_of(chain).tracks
        assert now.track_of(index) == then.track_of(index)
        assert now.tracks_used(tree.session) == then.tracks_used(early.session)


@given(revising(), st.data(), st.sampled_from([44, 60, 100]))
def test_the_selected_arrow_is_always_drawn_in_full(session: Session, data: st.DataObject, width: int) -> None:
    tree = open_tree(session)
    revisers = [index for index in range(session.thought_count) if session.thoughts.target_of(index) != NONE]
    if not revisers:
        return
    reviser = data.draw(st.sampled_from(revisers))
    head, tail = tree.row_of_thought(session.thoughts.target_of(reviser)), tree.row_of_thought(reviser)
    top, bottom = sorted((head, tail))
    drawing = pictured(tree, width, tail)
    first = 2 if width == 100 else 1
    columns = range(first, first + min(tree.rows_of(0).tracks.tracks_used(session), 1 if width < 60 else 3))

    assert any(
        ARMS[drawing[top][column]] & DOWN
        and ARMS[drawing[bottom][column]] & UP
        and all(ARMS[line[column]] & UP and ARMS[line[column]] & DOWN for line in drawing[top + 1 : bottom])
        for column in columns
    )
    assert UNICODE.arrow_head in drawing[head]
    assert UNICODE.arrow_stub not in drawing[tail]


@given(revising(), st.sampled_from([Tree, Timeline]), st.data())
def test_in_one_column_the_newest_arrow_that_fits_is_drawn_and_none_breaks_off(
    session: Session, kind: type[Tree | Timeline], data: st.DataObject
) -> None:
    tree = kind()
    tree.sync(session)
    if tree.foldable is not None:
        tree.foldable.open_all()
    selected = data.draw(st.integers(NONE, tree.count - 1))
    drawing = pictured(tree, 44, selected)
    if "►" not in "".join(drawing):
        return
    column = [ARMS.get(line[1], 0) for line in drawing]
    thought = tree.row(selected).thought if selected != NONE else NONE
    newest = next(
        (
            index
            for index in range(session.thought_count - 1, 0, -1)
            if session.thoughts.target_of(index) != NONE
            and (
                kind is Timeline
                or session.thoughts.lane_of(index) == session.thoughts.lane_of(session.thoughts.target_of(index))
            )
        ),
        NONE,
    )

    assert [bool(arms & DOWN) for arms in column[:-1]] == [bool(arms & UP) for arms in column[1:]]
    if newest != NONE and (
        thought == NONE or (session.thoughts.target_of(thought), session.thoughts.reviser_of(thought)) == (NONE, NONE)
    ):
        ends = (tree.row_of_thought(session.thoughts.target_of(newest)), tree.row_of_thought(newest))
        assert UNICODE.arrow_head in drawing[ends[0]]
        assert UNICODE.arrow_stub not in drawing[ends[1]]
        assert all(arms & UP and arms & DOWN for arms in column[ends[0] + 1 : ends[1]])


def test_a_thought_whose_arrow_is_not_drawn_has_a_stub() -> None:
    journal = JournalBuilder().thought("t", 1, 1)
    for number in range(2, MAX_ARROW_THOUGHTS + 3):
        journal.thought("t", number, number)
    journal.thought("r", MAX_ARROW_THOUGHTS + 3, MAX_ARROW_THOUGHTS + 3, revises=1)
    drawing = pictured(open_tree(fold(journal.events)), 60)

    assert drawing[0].startswith("   ┊●")
    assert drawing[-1].startswith("   ┊↺")
    assert {line[1:4] for line in drawing[1:-1]} == {"   "}


def test_a_bus_goes_on_while_its_next_arrow_is_near() -> None:
    journal = JournalBuilder().thought("t", 1, 1)
    for number in range(2, 3 * MAX_ARROW_THOUGHTS):
        journal.thought("t", number, number, revises=1)
    tree = open_tree(fold(journal.events))

    assert {tree.rows_of(0).tracks.track_of(index) for index in range(1, tree.session.thought_count)} == {0}


def test_rows_that_are_no_thoughts_let_arrows_pass() -> None:
    journal = JournalBuilder().thought("t", 1, 9).rejected().thought("b", 1, 2, branch="b", from_=1)
    journal.thought("t", 9, 9).thought("r", 10, 12, revises=1)
    tree = open_tree(fold(journal.events))
    kinds = [tree.row(number).kind for number in range(tree.count)]

    assert RowKind.GAP in kinds
    assert [line[1] for line in pictured(tree, 60)] == ["╭", "│", "│", "│", "│", "│", "╰", " "]


def test_lanes_nested_without_end_cost_a_bounded_walk() -> None:
    journal = JournalBuilder().thought("t", 1, 1)
    for depth in range(1, 400):
        journal.thought("b", depth + 1, depth + 1, branch=f"b{depth}", from_=depth)
    journal.thought("b", 400, 500, branch="b399", revises=400)

    assert len(pictured(open_tree(fold(journal.events)))) > 400
