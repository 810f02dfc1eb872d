"""Rows in a browser: they come as a journal grows, what is read stays where it is, and lines and arrows meet them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.example_chains import cache, queue
from tests.support.screens.browser import Page
from tests.support.web.drawn_lines import arrows, heads, line_gaps, rows_by_number
from tests.support.web.live_site import (
    ROW_PIXELS,
    GrowingSession,
    LiveSite,
    places,
    selected_text,
    sound_rows,
    until_selected,
    until_text,
    watch_place,
)

SIDE: dict[str, Any] = {"branch": "side", "from_": 3}


@pytest.fixture(autouse=True)
def quiet(site: LiveSite) -> Iterator[None]:
    """Hold that the browser complained of nothing."""
    yield
    assert site.page.complaints == []


def trunk(count: int, total: int = 200) -> JournalBuilder:
    builder = JournalBuilder().session()
    for number in range(1, count + 1):
        builder.thought(f"trunk {number}.", number, total)
    return builder


def forked(site: LiveSite, key: str) -> GrowingSession:
    """Return a live session of 60 thoughts, and a branch near its beginning."""
    builder = trunk(60).thought("side 1.", 1, 9, **SIDE).thought("side 2.", 2, 9, branch="side")
    return site.session(key, builder.thought("trunk 61.", 61, 200))


def grow_around(session: GrowingSession, rounds: int = 6) -> None:
    """Let a branch far above grow, and the trunk below, that many times; each time a thought alone."""
    for number in range(rounds):
        session.builder.thought(f"side {3 + number}.", 3 + number, 9, branch="side")
        session.grow()
        session.builder.thought(f"trunk {62 + number}.", 62 + number, 200)
        session.grow()


def test_rows_come_as_they_are_written_and_the_newest_is_read_beside_them(site: LiveSite) -> None:
    session = site.session("grows", trunk(3))
    page = site.show(session)
    page.ask("window.isTheSame = true")

    for number in range(4, 9):
        session.builder.thought(f"trunk {number}.", number, 200)
        session.grow()
        until_selected(page, f"trunk {number}.")
    for number in range(9, 60):
        session.builder.thought(f"trunk {number}.", number, 200)
    session.grow()

    until_selected(page, "trunk 59.")
    assert page.ask("window.isTheSame")
    until_text(page, "#position", "59 thoughts")
    until_text(page, "#follow", "Following")
    page.until("document.querySelector('#rows .slot.wait') === null")  # those beside the view come later
    texts = [row["text"].strip() for row in sound_rows(page) if row["text"].startswith("trunk")]
    assert texts == [f"trunk {number}." for number in range(60 - len(texts), 60)]


def test_a_line_that_is_half_written_is_no_row_yet(site: LiveSite) -> None:
    session = site.session("torn", trunk(2))
    page = site.show(session)
    until_selected(page, "trunk 2.")
    line = JournalBuilder(session.builder.now)
    line.seq = session.builder.seq
    whole = line.thought("trunk 3.", 3, 200).thought("trunk 4.", 4, 200).data
    middle = len(line.lines[0]) + 40

    with session.path.open("ab", 0) as file:
        file.write(whole[:middle])
        until_selected(page, "trunk 3.")
        file.write(whole[middle:])
        until_selected(page, "trunk 4.")

    assert page.ask("document.querySelectorAll('#rows .bad').length") == 0


def by_key(page: Page) -> None:
    page.press("k", "k", "k")
    until_selected(page, "trunk 58.")


def by_wheel(page: Page) -> None:
    x, y = page.ask("(() => { const b = rows.getBoundingClientRect(); return [b.x + 200, b.y + 300]; })()")
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-301)
    until_text(page, "#follow", "Follow")
    page.until("document.querySelector('#follow').getAttribute('aria-pressed') === 'false'")
    page.ask(
        "new Promise((done) => { let last = -1; const look = () => { const now = rows.scrollTop;"
        "if (now === last) return done(); last = now; setTimeout(look, 100); }; look(); })"
    )


def by_click(page: Page) -> None:
    page.ask("rows.scrollTop -= 400")
    page.until("document.querySelector('#follow').getAttribute('aria-pressed') === 'false'")
    sound_rows(page)
    [row, *_] = [row for row in sound_rows(page) if 300 < row["top"] < 400]
    page.click(f"#{row['id']}")
    until_selected(page, row["text"].strip())


@pytest.mark.parametrize("move", first(1, [by_key, by_wheel, by_click]))
def test_what_is_read_stays_where_it_is_until_the_reader_follows_again(
    site: LiveSite, move: Callable[[Page], None]
) -> None:
    session = forked(site, move.__name__)
    page = site.show(session)
    until_selected(page, "trunk 61.")
    move(page)
    read = [row for row in sound_rows(page) if 200 < row["top"] < 700]
    watch_place(page, f"#{read[len(read) // 2]['id']}")
    thought = page.ask("document.querySelector('#thought').textContent")
    chosen = selected_text(page)

    grow_around(session)

    until_text(page, "#new", "12 new · f")
    # 67 and 8 thoughts, the branch's heading, and what is expected
    page.until("document.querySelector('#sizer').style.height === `${28 * 77}px`")
    assert len(places(page)) == 1, places(page)
    after = [row for row in sound_rows(page) if 200 < row["top"] < 700]
    assert [(row["id"], row["top"]) for row in after] == [(row["id"], row["top"]) for row in read]
    assert page.ask("document.querySelector('#thought').textContent") == thought
    assert selected_text(page) == chosen
    page.press("f")
    until_selected(page, "trunk 67.")
    page.until("document.querySelector('#new').hidden")
    session.builder.thought("trunk 68.", 68, 200)
    session.grow()
    until_selected(page, "trunk 68.")


@pytest.mark.deep  # that rows stay or follow is tried always
def test_a_window_that_becomes_higher_or_lower_is_no_reader_who_scrolls(site: LiveSite) -> None:
    session = site.session("resized", trunk(61))
    page = site.show(session)
    until_selected(page, "trunk 61.")

    for number, height in enumerate((1400, 400, 1300, 900), 62):
        page.resize(1440, height)
        page.until(f"innerHeight === {height}")
        session.builder.thought(f"trunk {number}.", number, 200)
        session.grow()

        until_selected(page, f"trunk {number}.")
        until_text(page, "#follow", "Following")


@pytest.mark.deep  # that rows stay or follow is tried always
def test_the_count_of_what_is_new_follows_again_when_it_is_clicked(site: LiveSite) -> None:
    session = site.session("clicked", trunk(5))
    page = site.show(session)
    until_selected(page, "trunk 5.")
    page.press("k")
    until_selected(page, "trunk 4.")
    session.builder.thought("trunk 6.", 6, 200)
    session.grow()
    until_text(page, "#new", "1 new · f")

    page.click("#new")

    until_selected(page, "trunk 6.")
    until_text(page, "#follow", "Following")


def test_a_branch_that_is_folded_stays_so_while_it_grows_and_followed_it_is_its_heading(site: LiveSite) -> None:
    session = site.session("folded", trunk(3).thought("side 1.", 1, 9, **SIDE))
    page = site.show(session)
    until_selected(page, "side 1.")
    page.press("h", "h")
    page.until("document.querySelectorAll('#rows [aria-expanded=false]').length === 1")

    for number in (2, 3, 4):
        session.builder.thought(f"side {number}.", number, 9, branch="side")
        session.grow()

    until_text(page, "#new", "3 new · f")
    assert page.ask("document.querySelectorAll('#rows [aria-expanded=false]').length") == 1
    assert not [row for row in sound_rows(page) if row["text"].startswith("side 4")]
    page.press("f")
    until_text(page, "#thought", "side 4.")
    until_selected(page, "side", is_read=False)
    session.builder.thought("side 5.", 5, 9, branch="side").thought("trunk 4.", 4, 200)
    session.grow()
    until_selected(page, "trunk 4.")
    sound_rows(page)


def test_hints_that_come_faster_than_answers_lose_no_row_and_make_none_twice(site: LiveSite) -> None:
    session = site.session("hasty", trunk(1, 400))
    page = site.show(session)
    # each answer takes a while: many thoughts come before the next question
    page.call("Network.emulateNetworkConditions", offline=False, latency=60, downloadThroughput=-1, uploadThroughput=-1)

    for number in range(2, 40):
        session.builder.thought(f"trunk {number}.", number, 400)
        session.grow()
        if number % 9 == 0:
            page.press("t")
        if number % 13 == 0:
            page.press("k", "f")
    page.press("f")

    until_selected(page, "trunk 39.")
    page.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    until_text(page, "#position", "39 thoughts")
    texts = [row["text"].strip() for row in sound_rows(page) if row["text"].startswith("trunk")]
    assert texts == [f"trunk {number}." for number in range(40 - len(texts), 40)]


@pytest.mark.deep  # that rows stay or follow is tried always
def test_the_last_row_is_what_is_expected_and_the_last_thought_is_read(site: LiveSite) -> None:
    page = site.show(site.session("expected", trunk(3, 8)))
    until_selected(page, "trunk 3.")
    page.press("g")
    until_selected(page, "trunk 1.")

    page.press("G")

    page.until("document.querySelector('#rows [aria-selected=true]')?.textContent.includes('expected')")
    until_text(page, "#thought", "trunk 3.")
    page.press("k")
    until_selected(page, "trunk 3.")


# Lines and arrows


@pytest.mark.parametrize(
    ("build", "revisions"),
    first(
        1,
        [(shop_api, {(2, 6), (7, 8)}), (cache, {(2, 4), (3, 5), (7, 8), (10, 11)}), (queue, set[tuple[int, int]]())],
        is_unpacked=True,
    ),
    ids=["shop-api", "cache", "queue"],
)
@pytest.mark.parametrize("width", first(1, [1440, 390]))
def test_arrows_run_from_the_revising_row_to_the_revised_one_and_lines_have_no_gap(
    site: LiveSite, build: Callable[[], JournalBuilder], revisions: set[tuple[int, int]], width: int
) -> None:
    page = site.show(site.session(f"{build.__name__}-{width}", build(), is_live=False), width)
    sound_rows(page)
    assert_lines_and_arrows(page, revisions)

    page.press("t")
    page.until("document.querySelector('#timeline').getAttribute('aria-pressed') === 'true'")
    page.until("document.querySelectorAll('#rows [aria-expanded]').length === 0")
    sound_rows(page)
    assert_lines_and_arrows(page, revisions)


def assert_lines_and_arrows(page: Page, revisions: set[tuple[int, int]]) -> None:
    middles = {number: round(row["top"] + ROW_PIXELS / 2, 1) for number, row in rows_by_number(page).items()}

    assert line_gaps(page) == []
    assert arrows(page) == {(middles[target], middles[revision]) for target, revision in revisions}
    assert {y for _, y in heads(page)} == {middles[target] for target, _ in revisions}


def test_the_lines_meet_while_a_revision_comes_and_a_branch_is_folded(site: LiveSite) -> None:
    session = site.session("meeting", trunk(4, 8).thought("side 1.", 1, 2, **SIDE))
    page = site.show(session)
    until_selected(page, "side 1.")

    session.builder.thought("trunk 5.", 5, 8, revises=2)
    session.grow()
    until_selected(page, "trunk 5.")

    middles = {number: row["top"] + ROW_PIXELS / 2 for number, row in rows_by_number(page, "trunk").items()}
    assert arrows(page) == {(middles[2], middles[5])}
    assert line_gaps(page) == []
    page.click("#rows [aria-expanded=true]")
    page.until("document.querySelectorAll('#rows [aria-expanded=false]').length === 1")
    sound_rows(page)
    middles = {number: row["top"] + ROW_PIXELS / 2 for number, row in rows_by_number(page, "trunk").items()}
    assert arrows(page) == {(middles[2], middles[5])}
    assert line_gaps(page) == []
