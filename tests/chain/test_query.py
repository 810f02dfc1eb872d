"""What is looked for, the line it is typed into, how it is marked, and the colours it is drawn in."""

import pytest

from seqthink.chain.fold import Fold
from seqthink.chain.model import NONE
from seqthink.chain.query import Query, filter_query, search_query, thought_with_number
from seqthink.chain.session import Session
from seqthink.drawing.panels.text_input import TextInput
from seqthink.drawing.rows.highlight import highlight, highlight_row
from seqthink.drawing.text.spans import Role, Span, spans_text, spans_width
from seqthink.drawing.tree.filtered_tree import FilteredTree
from tests.support.journals.build import JournalBuilder, shop_api
from tui.theme import DARK, LIGHT, ColourTheme


def folded(journal: JournalBuilder) -> Session:
    fold = Fold()
    for event in journal.events:
        fold.evolve(event)
    return fold.session()


@pytest.mark.parametrize(
    ("typed", "text", "is_found"),
    [
        ("pool", "The POOL", True),
        ("Pool", "The POOL", False),
        ("née", "NÉE", True),
        ("a.b", "axb", False),
        ("a  b", "a b", False),
        ("", "anything", True),
    ],
)
def test_capitals_count_only_where_there_are_any(typed: str, text: str, is_found: bool) -> None:
    assert search_query(typed).text_matcher()(text) is is_found


def test_a_filter_is_read_as_kinds_tags_and_words() -> None:
    assert filter_query("is:revision #Pool time out is:new") == Query(
        kinds=("revision",), tags=("pool",), words=("time", "out", "is:new")
    )


@pytest.mark.parametrize(
    ("typed", "tags", "words"),
    [
        ('#"Two words" #one out', ("two words", "one"), ("out",)),
        ('out #"still typ', ("still typ",), ("out",)),
        ('#"a"b', ("a",), ("b",)),
        ('# "x y"', (), ("#", '"x', 'y"')),
    ],
)
def test_a_tag_with_blanks_stands_in_quotes(typed: str, tags: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert filter_query(typed) == Query(tags=tags, words=words)


def test_a_number_is_found_on_the_own_lane_first_then_above_then_anywhere() -> None:
    session = folded(shop_api())
    in_branch = next(
        index
        for index in range(session.thought_count)
        if not session.lanes.get(session.thoughts.lane_of(index)).is_trunk
    )

    assert session.thoughts.lane_of(thought_with_number(session, 2, in_branch)) == session.thoughts.lane_of(in_branch)
    assert session.lanes.get(session.thoughts.lane_of(thought_with_number(session, 2, 0))).is_trunk
    assert session.thoughts.number_of(thought_with_number(session, 6, in_branch)) == 6
    assert thought_with_number(session, 99, 0) == NONE


def test_a_match_is_marked_and_nothing_moves() -> None:
    spans = [Span(" "), Span("The pool, the Pool")]
    marked = highlight(spans, search_query("pool"))

    assert spans_text(marked) == spans_text(spans)
    assert [span.text for span in marked if span.role is Role.MATCH] == ["pool", "Pool"]


def test_a_hit_whose_match_is_cut_off_has_a_sign_of_its_own() -> None:
    assert spans_text(highlight_row([Span(" "), Span("The …")], search_query("pool"))) == "/The …"
    assert spans_text(highlight_row([Span("▌"), Span("The …")], search_query("pool"))) == "▌The …"


def test_a_sieve_keeps_the_order_of_the_tree_whatever_the_order_of_arrival() -> None:
    session = folded(shop_api())
    whole, some = FilteredTree(session), FilteredTree(session)
    whole.add_matches(range(session.thought_count), [])
    some.add_matches([7, 3], [])
    some.add_matches([0, 10], [])
    order = [whole.row(number).thought for number in range(whole.count)]

    assert [some.row(number).thought for number in range(some.count)] == [one for one in order if one in {0, 3, 7, 10}]
    assert some.row_of(some.row(2)) == 2


def test_a_sieve_at_an_earlier_moment_has_only_what_had_come() -> None:
    session = folded(shop_api())
    filtered = FilteredTree(session)
    filtered.add_matches(range(session.thought_count), [])
    filtered.show(session.at_thought(3))
    then = filtered.count
    filtered.show(session)

    assert (then, filtered.count) == (3, session.thought_count)


def test_a_field_takes_what_is_typed_and_pasted_on_one_line() -> None:
    field = TextInput("one two")
    field.press("ctrl+w")
    field.insert("\x1b[2J\nthree")
    field.press("home")
    field.press("delete")

    assert field.text == "ne ␛[2J three"
    assert not field.press("f5")


@pytest.mark.parametrize("text", ["", "short", "long " * 40, "目录" * 40])
def test_a_field_shows_its_cursor_in_any_room(text: str) -> None:
    field = TextInput(text)
    for key in ("end", "home", "right", "left"):
        field.press(key)
        for cells in (8, 20, 40):
            spans = field.spans(" /", cells)

            assert spans_width(spans) <= cells
            assert any(span.role is Role.MATCH for span in spans)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("role", [role for role in Role if role is not Role.MATCH])
def test_every_role_can_be_read_on_every_surface(theme: ColourTheme, role: Role) -> None:
    lowest = min(_contrast(theme.roles[role], surface) for surface in (theme.background, theme.raised, theme.selected))

    assert lowest >= (3 if role is Role.LINE else 4.5)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_a_match_is_drawn_in_the_accent_colour_reversed(theme: ColourTheme) -> None:
    style = theme.style(Role.MATCH, is_selected=True)

    assert style.reverse
    assert style.color is not None
    assert style.color.name == theme.roles[Role.ACCENT]
