"""Rows of several lines in a viewport: how many lines they take, and that what is read stays where it is."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.drawing.tree.filtered_tree import FilteredTree
from seqthink.drawing.tree.row_source import RowSource
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.build import JournalBuilder
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded
from tui.state.row_heights import MAX_ROW_LINES, SLACK_LINES, RowHeights, RowMeasure
from tui.state.viewport import Viewport

PANE = 12


def needs(count: int) -> RowMeasure:
    """Return a measure by which each row needs ``count`` lines."""
    return lambda _tree, _number, most: min(count, most)


def by_thought(tree: RowSource, number: int, most: int) -> int:
    """Measure rows of one to four lines."""
    return min(most, 1 + tree.row(number).ordinal % 4)


class Screen:
    """A session that grows, and its viewport, which is drawn after each step as the screen does."""

    def __init__(self, lines: int = PANE, measure: RowMeasure | None = None) -> None:
        self.journal, self.fold = Journal().session(), Fold()
        self.viewing, self.lines, self.measure = Viewport(), lines, measure or needs(3)
        self._taken = 0

    def grow(self, count: int = 1) -> "Screen":
        for _ in range(count):
            self.journal.think(self.fold.session().thought_count + 1, totalThoughts=1)
            folded(self.journal.items[self._taken :], into=self.fold)
            self._taken = len(self.journal.items)
            self.viewing.update(self.fold.session())
            self.draw()
        return self

    def draw(self, lines: int | None = None) -> int:
        self.lines = lines or self.lines
        taken = self.viewing.fit(self.lines, self.measure)
        self.viewing.resize(self.lines)
        return taken

    @property
    def most(self) -> int:
        return self.viewing.heights.most

    @property
    def shown(self) -> list[int]:
        """The row of each line of the screen."""
        viewing = self.viewing
        places = [viewing.heights.place_in_view(viewing.tree, viewing.top, line)[0] for line in range(self.lines)]
        return [row for row in places if row < viewing.tree.count]

    @property
    def line(self) -> int:
        """The first line of the selected row on the screen."""
        return self.shown.index(self.viewing.selected)


def test_rows_take_as_many_lines_as_all_have_room_for_and_close_up_as_they_grow() -> None:
    screen = Screen()
    taken = [screen.grow().most for _ in range(14)]

    assert taken == [3, 3, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]


def test_all_rows_are_on_the_screen_as_long_as_one_takes_several_lines() -> None:
    screen = Screen()

    for _ in range(14):
        screen.grow()
        assert screen.most == 1 or set(screen.shown) == set(range(screen.viewing.tree.count))


def test_the_newest_rows_take_the_lines_that_all_others_leave() -> None:
    screen, lines = Screen(), list[list[int]]()
    for count in range(1, 13):
        screen.grow()
        lines.append([screen.shown.count(row) for row in range(count)])

    assert lines[4:12] == [
        [2, 2, 2, 3, 3],
        [2, 2, 2, 2, 2, 2],
        [1, 1, 1, 1, 2, 3, 3],
        [1, 1, 1, 1, 1, 1, 3, 3],
        [1, 1, 1, 1, 1, 1, 1, 2, 3],
        [1, 1, 1, 1, 1, 1, 1, 1, 1, 3],
        [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2],
        [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    ]


def test_where_rows_do_not_fit_a_third_of_a_high_pane_is_for_the_newest() -> None:
    high, low = Screen(lines=18).grow(30), Screen(lines=17).grow(30)

    assert high.shown == [*range(18, 27), *[27] * 3, *[28] * 3, *[29] * 3]
    assert low.shown == [*range(13, 30)]


def test_where_the_text_is_below_the_rows_it_has_what_they_leave() -> None:
    screen = Screen().grow(9)

    assert screen.viewing.fit(PANE, needs(3)) == PANE
    assert screen.viewing.fit(PANE, needs(3), has_own_column=False) == 9


@pytest.mark.parametrize(("lines", "count"), [(PANE, 9), (18, 30)])
def test_the_newest_rows_keep_their_lines_for_a_reader_and_close_up_for_who_follows_again(
    lines: int, count: int
) -> None:
    screen = Screen(lines=lines).grow(count)
    screen.viewing.move(-1)
    screen.draw()
    before = screen.shown
    screen.grow(20)
    assert screen.shown == before
    assert before.count(count - 1) == 3

    screen.viewing.follow()
    screen.draw()
    assert screen.shown.count(count - 1) < 2


def test_rows_with_short_texts_take_the_lines_that_they_need() -> None:
    screen = Screen(measure=lambda _tree, number, most: min(most, 1 + number % 2)).grow(8)

    assert screen.most == 3
    assert screen.shown == [0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7]


def test_the_newest_row_is_followed_to_its_last_line() -> None:
    screen = Screen()

    for _ in range(20):
        screen.grow()
        assert screen.shown[-1] == screen.viewing.selected == screen.viewing.tree.count - 1


def test_nothing_moves_for_a_reader_whatever_arrives_below() -> None:
    screen = Screen().grow(4)
    screen.viewing.select(1)
    screen.draw()
    before = screen.shown
    screen.grow(40)

    assert (screen.most, screen.shown) == (3, before)


def test_a_reader_who_follows_again_sees_rows_that_have_closed_up() -> None:
    screen = Screen().grow(4)
    screen.viewing.select(1)
    screen.grow(40)
    screen.viewing.follow()
    screen.draw()

    assert screen.most == 1
    assert screen.shown[-1] == 43


@pytest.mark.parametrize("row", [43, 20])
def test_rows_close_up_for_a_reader_who_goes_where_nothing_of_the_screen_is_left(row: int) -> None:
    screen = Screen().grow(4)
    screen.viewing.select(1)
    screen.grow(40)
    screen.viewing.select(row)
    line = screen.line
    screen.draw()

    assert screen.most == 1
    assert abs(screen.line - line) < MAX_ROW_LINES
    assert screen.viewing.selected == row


def test_a_reader_who_goes_row_by_row_sees_every_row_in_full() -> None:
    screen = Screen().grow(4)
    screen.viewing.select(0)
    screen.grow(20)

    for row in range(1, 24):
        screen.viewing.move(1)
        screen.draw()
        assert screen.most == 3
        assert screen.shown.count(row) == 3


def test_the_wheel_scrolls_by_lines_and_by_one_row_at_least() -> None:
    screen = Screen().grow(4)
    screen.viewing.select(0)
    screen.grow(20)
    tops: list[int] = []
    for lines in (3, 3, 1, -3, -1):
        screen.viewing.scroll(lines)
        tops.append(screen.viewing.top)

    assert tops == [1, 2, 3, 2, 1]


def test_a_row_that_goes_does_not_open_the_others_before_there_is_room_to_spare() -> None:
    screen = Screen(measure=needs(2)).grow(7)
    assert screen.most == 1

    opened = [screen.draw(lines) and screen.most for lines in range(PANE, PANE + 2 + SLACK_LINES + 1)]

    assert opened == [1] * (2 + SLACK_LINES) + [3]


def test_a_position_of_a_replay_looks_the_same_from_both_sides() -> None:
    screen = Screen(measure=by_thought).grow(20)
    whole, viewing = screen.fold.session(), Viewport()

    def look(count: int) -> tuple[int, int, int]:
        viewing.update(whole.at_thought(count), whole)
        viewing.fit(PANE, by_thought)
        viewing.resize(PANE)
        return viewing.heights.most, viewing.top, viewing.selected

    up = [look(count) for count in range(1, 21)]
    down = [look(count) for count in range(20, 0, -1)]

    assert up == down[::-1]
    assert {most for most, _, _ in up} == {1, 2, 3}


def test_a_change_to_the_timeline_keeps_the_selected_row_in_its_line() -> None:
    screen = Screen(measure=by_thought).grow(5)
    screen.viewing.select(3)
    screen.draw()
    line = screen.line
    screen.viewing.toggle_timeline()
    screen.draw()

    assert (screen.viewing.is_timeline, screen.viewing.selected, screen.line) == (True, 3, line)


def test_a_long_chain_is_not_measured() -> None:
    tree, heights = Tree(), RowHeights()
    tree.sync(Screen().grow(30).fold.session())

    def measure(_tree: RowSource, _number: int, _most: int) -> int:
        raise AssertionError

    heights.measure_with(measure)

    assert heights.fitting(tree, 29) == 1
    assert heights.total(tree, 29) == 30


def test_in_a_long_chain_only_some_of_the_newest_rows_are_measured() -> None:
    tree, heights, measured = Tree(), RowHeights(), list[int]()
    tree.sync(Screen().grow(60).fold.session())

    def measure(_tree: RowSource, number: int, _most: int) -> int:
        measured.append(number)
        return 1

    heights.measure_with(measure)

    assert not heights.raise_newest(tree, 59, 30)
    assert measured == list(range(59, 54, -1))


def test_a_filter_that_leaves_no_row_leaves_nothing_to_measure() -> None:
    session = Screen().grow(3).fold.session()
    tree = FilteredTree(session)
    viewing = Viewport(tree)

    assert viewing.fit(PANE, by_thought) == tree.count == 0
    viewing.resize(PANE - 1)
    viewing.follow()
    assert (viewing.top, viewing.selected) == (0, 0)


def test_rows_that_a_filter_finds_close_up_as_it_finds_more() -> None:
    session = Screen().grow(20).fold.session()
    tree = FilteredTree(session)
    viewing = Viewport(tree)
    viewing.is_following = False
    found: list[int] = []
    for last in (2, 20):
        viewing.keep_place(lambda last=last: tree.add_matches(range(0 if last == 2 else 2, last), ()))
        viewing.fit(PANE, needs(3))
        found.append(viewing.heights.most)

    assert found == [3, 1]


# Laws

PRESSES: dict[str, Callable[[Viewport], object]] = {
    "down": lambda viewing: viewing.move(1),
    "up": lambda viewing: viewing.move(-1),
    "first": lambda viewing: viewing.select(0),
    "last": lambda viewing: viewing.select(viewing.tree.count - 1),
    "wheel": lambda viewing: viewing.scroll(3),
    "fold": lambda viewing: viewing.toggle(),
    "follow": lambda viewing: viewing.follow(),
}


def _growing(journal: Journal, cuts: list[int], fold: Fold) -> Iterator[Session]:
    """Yield the session at each cut; ``fold`` takes in its events."""
    taken = 0
    for cut in [*sorted(cuts), len(journal.items)]:
        folded(journal.items[taken : max(taken, cut)], into=fold)
        taken = max(taken, cut)
        if fold.session().entry_count:
            yield fold.session()


@given(
    journals(),
    st.lists(st.integers(0, 24), max_size=8),
    st.lists(st.tuples(st.sampled_from(sorted(PRESSES)), st.integers(4, 9)), max_size=10),
)
def test_whatever_arrives_and_is_pressed_the_selected_row_is_on_the_screen_unless_it_was_scrolled_away(
    journal: Journal, cuts: list[int], pressed: list[tuple[str, int]]
) -> None:
    screen, presses = Screen(lines=6, measure=by_thought), iter(pressed)
    viewing = screen.viewing
    for session in _growing(journal, cuts, screen.fold):
        viewing.update(session)
        screen.draw()
        name, lines = next(presses, ("follow", 6))
        PRESSES[name](viewing)
        screen.draw(lines)

        assert 0 <= viewing.top < max(1, viewing.tree.count)
        assert 1 <= screen.most <= MAX_ROW_LINES
        if viewing.tree.count and (viewing.is_following or name in {"down", "up", "first", "last"}):
            assert viewing.selected in screen.shown


def _raised(journal: JournalBuilder, lines: int) -> list[int]:
    """Return how many lines each row takes of a tree that fits, where each row needs three."""
    fold = Fold()
    for event in journal.events:
        fold.evolve(event)
    tree, heights = Tree(), RowHeights()
    tree.sync(fold.session())
    heights.measure_with(needs(3))
    heights.raise_newest(tree, tree.row_of_thought(fold.session().thought_count - 1), lines)
    return [heights.lines_of(tree, row) for row in range(tree.count)]


def test_what_was_said_after_the_newest_thought_takes_more_lines_before_older_rows_do() -> None:
    journal = JournalBuilder().session().thought("a", 1, 3).thought("b", 2, 3).thought("c", 3, 3, next=False)
    journal.event("turn", {"text": "Done.", "id": "t"})

    assert _raised(journal, 4) == [1, 1, 1, 1]
    assert _raised(journal, 9) == [1, 2, 3, 3]


def test_rows_below_the_newest_thought_take_the_lines_that_those_above_it_leave() -> None:
    journal = JournalBuilder().session().thought("a", 1, 4)
    for number in (2, 3, 4):
        journal.thought("b", number, 4, next=number < 4)
    journal.thought("x", 1, 1, from_=1, branch="x", next=False)
    newest, count = 2, 6  # the branch hangs from the first thought

    assert _raised(journal, count)[newest] == 1
    assert _raised(journal, count + 3) == [1, 2, 3, 1, 1, 1]
    assert _raised(journal, count + 8) == [3, 3, 3, 3, 1, 1]
