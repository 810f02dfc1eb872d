"""The end of a journal: selection and scroll offset stay valid, whatever is pressed and arrives."""

from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.text import TextPrefix
from seqthink.drawing.describe.line_thought import LineThought
from tui.state.tail_view import TailView


def thoughts(first: int, last: int, *, more: bool = True) -> list[LineThought]:
    return [
        LineThought(offset=100 * at, time=at, text=TextPrefix(f"t{at}"), number=at, expects_more=more)
        for at in range(first, last + 1)
    ]


ACTIONS = st.one_of(
    st.tuples(st.just("move"), st.integers(-30, 30)),
    st.tuples(st.just("page"), st.integers(-3, 3)),
    st.tuples(st.just("half_page"), st.integers(-3, 3)),
    st.tuples(st.just("scroll"), st.integers(-9, 9)),
    st.tuples(st.just("resize"), st.integers(1, 40)),
    st.tuples(st.just("follow"), st.just(0)),
    st.tuples(st.just("grow"), st.integers(1, 60)),
)


@given(st.integers(1, 80), st.booleans(), st.lists(ACTIONS, max_size=20))
def test_the_selection_is_always_one_of_the_thoughts(count: int, more: bool, actions: list[tuple[str, int]]) -> None:
    first, last = 1, count
    view = TailView(thoughts(first, last, more=more))
    view.resize(20)
    for name, value in actions:
        if name == "grow":
            first, last = first + value // 2, last + value
            first = min(first, last)
            view.replace(thoughts(first, last, more=more))
        elif name == "follow":
            view.follow()
        else:
            getattr(view, name)(value)
        rows = view.lines - view.heading_rows
        assert 0 <= view.selected < len(view.thoughts)
        assert min(0, len(view.thoughts) + more - rows) <= view.top <= max(0, len(view.thoughts) + more - rows)
        if name != "scroll":
            assert name in {"grow", "resize"} or view.top <= view.selected < view.top + rows
        if view.is_following:
            assert view.thought.number == last


def test_what_is_selected_stays_in_its_line_when_others_arrive() -> None:
    view = TailView(thoughts(1, 50))
    view.resize(11)
    view.move(-5)
    before, line = view.thought.number, view.rows_below_top
    view.replace(thoughts(20, 70))

    assert (view.thought.number, view.rows_below_top) == (before, line)


def test_what_is_no_longer_among_them_leaves_the_oldest_selected() -> None:
    view = TailView(thoughts(1, 50))
    view.resize(11)
    view.select(3)
    view.replace(thoughts(20, 70))

    assert view.thought.number == 20


def test_below_the_newest_a_line_is_free_where_more_are_expected() -> None:
    for more, line in ((True, 9), (False, 10)):
        view = TailView(thoughts(1, 50, more=more))
        view.resize(11)

        assert view.rows_below_top == line


def test_only_lines_with_a_row_have_a_place() -> None:
    view = TailView(thoughts(1, 3))
    view.resize(11)

    assert [view.place_at(line) for line in (0, 1, 6, 7, 8, 9, 10)] == [None, None, None, 0, 1, 2, None]
