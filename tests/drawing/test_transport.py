"""The first line of a replay at every width: what it says, and what gives way to what."""

import re
from datetime import UTC, timedelta, timezone
from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import fold
from seqthink.chain.session import Session
from seqthink.drawing.panels.transport import speed_text, transport_line
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import Role, spans_text, spans_width
from tests.support.journals.build import JournalBuilder, shop_api

SHOP = fold(shop_api().events)
WIDTHS = range(10, 121)
AWKWARD = ["日本 " * 30, "a" * 300, "ab [bold]cd[/]", "e\u0301" * 60, "👩‍👩‍👧‍👦" * 20, "x\x1b[31my\n\tz", " "]


@cache
def many(count: int) -> Session:
    journal = JournalBuilder().session()
    for number in range(1, count + 1):
        journal.thought("x", number, count, after=1)
    return fold(journal.events)


def line(
    cells: int,
    count: int = 7,
    whole: Session = SHOP,
    *,
    speed: float = 4.0,
    is_playing: bool = False,
    is_live: bool = False,
    signs: Signs = UNICODE,
) -> str:
    spans = transport_line(
        whole.at_thought(count),
        whole,
        cells,
        zone=UTC,
        signs=signs,
        speed=speed,
        is_playing=is_playing,
        is_live=is_live,
    )
    assert spans_width(spans) == cells
    return spans_text(spans)


def test_100_wide_it_is_as_in_e() -> None:
    expected = "paused   4×   shop-api · claude-code   thought 7 of 11   14:03:29"

    assert line(100) == f"{expected:<93}replay "


def test_44_wide_it_is_as_in_e() -> None:
    assert line(44) == "paused 4× · 7 of 11                 14:03:29"


def test_on_a_live_session_it_says_that_this_is_the_past() -> None:
    expected = "playing   0.5×   shop-api · claude-code   thought 7 of 11   14:03:29"

    assert line(120, speed=0.5, is_playing=True, is_live=True) == f"{expected:<102}live, in the past "


@pytest.mark.parametrize("is_live", [False, True])
def test_at_every_width_nothing_is_cut_in_half(is_live: bool) -> None:
    for whole, count in ((SHOP, 7), (many(10_000), 9_999)):
        for speed, cells in product((0.25, 16), WIDTHS):
            shown = line(cells, count, whole, speed=speed, is_playing=True, is_live=is_live)
            clock, right = "14:03:29" if whole is SHOP else "16:48:38", "live, in the past" if is_live else "replay"
            place = rf"(thought )?{count} of {whole.thought_count}|{count}/{whole.thought_count}"
            name = r"shop-api( · claude-code)?|(?=\S{6})[ashopi-]+…"
            whole_words = rf"playing|{re.escape(speed_text(speed, UNICODE))}|·|{place}|{clock}|{right}|{name}"

            assert re.fullmatch(rf"(({whole_words})( +|$))+", shown), shown


def test_the_place_is_never_dropped() -> None:
    for cells, (whole, count) in product(WIDTHS, ((SHOP, 1), (SHOP, 11), (many(10_000), 9_999))):
        shown = line(cells, count, whole, speed=0.25, is_live=True)

        assert re.search(rf"(^| ){count}( of |/){whole.thought_count}( |$)", shown)


@pytest.mark.parametrize("is_live", [False, True])
@pytest.mark.parametrize("widths", [range(10, 60), range(60, 161)])
def test_what_is_dropped_does_not_come_back_as_it_shrinks(is_live: bool, widths: range) -> None:
    words = ("playing", "0.25×", "shop-api", "claude-code", "14:03:29", "live, in the past", "replay", "thought")
    said = [
        {word for word in words if word in line(cells, speed=0.25, is_playing=True, is_live=is_live)}
        for cells in widths
    ]

    assert all(narrower <= wider for narrower, wider in pairwise(said))
    assert len({frozenset(one) for one in said}) > 2


def test_the_client_goes_first_then_the_name_then_what_kind_it_is() -> None:
    words = ("claude-code", "shop-api", "…", "live, in the past")
    said = [
        [word for word in words if word in line(cells, 9_999, many(10_000), is_live=True)]
        for cells in range(110, 59, -1)
    ]
    kept = [one for place, one in enumerate(said) if not place or one != said[place - 1]]

    assert kept == [
        ["claude-code", "shop-api", "live, in the past"],
        ["shop-api", "live, in the past"],
        ["…", "live, in the past"],
        ["live, in the past"],
        [],
    ]


@pytest.mark.parametrize("cells", [1, 2, 3, 5, 8])
def test_even_the_narrowest_line_is_one(cells: int) -> None:
    assert line(cells).strip()


@pytest.mark.parametrize("title", AWKWARD)
@pytest.mark.parametrize("is_live", [False, True])
def test_whatever_the_session_is_called_it_fits(title: str, is_live: bool) -> None:
    session = fold(JournalBuilder().session(title=title, client=title).thought("a").thought("b", 2, 2).events)

    for cells in WIDTHS:
        shown = line(cells, 1, session, is_live=is_live)
        assert shown.isprintable()
        assert re.search(r"(^| )1( of |/)2( |$)", shown)


@given(st.text(max_size=60), st.text(max_size=60), st.integers(1, 140), st.booleans())
def test_it_fits_whatever_text_comes(title: str, client: str, cells: int, is_live: bool) -> None:
    encodable = [text.encode("utf-8", "ignore").decode() for text in (title, client)]
    session = fold(JournalBuilder().session(title=encodable[0], client=encodable[1]).thought("a").events)

    line(cells, 1, session, is_live=is_live)


def test_the_clock_is_that_of_what_came_last_in_the_users_own_zone() -> None:
    journal = JournalBuilder().session().thought("a", 1, 2).audit(after=5).thought("b", 2, 2, after=5)
    whole = fold(journal.events)
    east = timezone(timedelta(hours=9))

    def clock(entries: int) -> str:
        spans = transport_line(whole.at(entries), whole, 44, zone=east, signs=UNICODE, speed=1, is_playing=False)
        return spans_text(spans).split()[-1]

    assert [clock(entries) for entries in (2, 3, 4)] == ["23:02:00", "23:02:05", "23:02:10"]


@pytest.mark.parametrize("cells", [30, 44, 100])
def test_where_nothing_has_come_there_is_no_clock(cells: int) -> None:
    session = fold(JournalBuilder().session().end().events)

    assert "0 of 0" in line(cells, 0, session)
    assert ":" not in line(cells, 0, session)


def test_in_ascii_it_is_ascii() -> None:
    assert all(line(cells, signs=ASCII, is_live=True).isascii() for cells in WIDTHS)


def test_playing_and_paused_are_distinguished_by_word_and_colour() -> None:
    def first(*, is_playing: bool) -> tuple[str, Role]:
        shown = SHOP.at_thought(7)
        spans = transport_line(shown, SHOP, 44, zone=UTC, signs=UNICODE, speed=1, is_playing=is_playing)
        return spans[0].text, spans[0].role

    assert first(is_playing=True) == ("playing", Role.GOOD)
    assert first(is_playing=False) == ("paused", Role.ACCENT)


def test_a_replay_at_its_end_has_ended_and_says_how_long_it_is() -> None:
    def said(cells: int, *, is_live: bool = False) -> str:
        spans = transport_line(SHOP, SHOP, cells, zone=UTC, signs=UNICODE, speed=1, is_playing=False, is_live=is_live)
        return spans_text(spans)

    assert said(100).startswith("ended   1×   shop-api · claude-code   11 thoughts   14:04:")
    assert said(44).startswith("ended 1× · 11 thoughts ")
    assert said(44, is_live=True).startswith("paused 1× · 11 thoughts ")
