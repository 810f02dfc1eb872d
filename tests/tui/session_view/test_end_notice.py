"""The end of a session stays on the screen until it has been seen; meanwhile the screen says what else there is."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from textual import events

from seqthink.chain.state import State
from seqthink.drawing.text.glyphs import ASCII
from tests.support.depth import first
from tests.support.journals.build import SESSION, START, JournalBuilder
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tests.tui.session_view.test_note_entry import Living
from tui.session_view.session_switcher import EndNotice

BILLING, LATER = "20260310T140100.000000Z-billin", "20260310T140500.000000Z-zzzzzz"
SIZES = [(44, 20), (60, 20), (80, 24), (80, 40), (120, 35)]
NOW = int((START.timestamp() + 45) * 1_000_000)


# What is unread


def test_an_end_that_came_while_the_viewer_ran_is_unread_until_a_key_is_pressed() -> None:
    conclusion = EndNotice()
    changes = [conclusion.update(state) for state in (State.THINKING, State.DONE, State.DONE)]

    assert changes == [False, True, False]
    assert conclusion.is_unread
    conclusion.acknowledge()
    assert not conclusion.is_unread
    assert not conclusion.update(State.DONE)
    assert not conclusion.is_unread


@pytest.mark.parametrize("state", [State.DONE, State.STOPPED, State.LOST])
def test_every_kind_of_end_is_unread(state: State) -> None:
    conclusion = EndNotice()
    conclusion.update(state)

    assert conclusion.is_unread


def test_an_end_before_the_start_is_read_and_a_later_one_is_unread() -> None:
    conclusion = EndNotice(is_old=True)
    conclusion.update(State.DONE)
    before = conclusion.is_unread
    conclusion.update(State.THINKING)
    conclusion.update(State.DONE)

    assert (before, conclusion.is_unread) == (False, True)


def test_a_session_that_goes_on_has_no_end_to_be_read() -> None:
    conclusion = EndNotice()
    conclusion.update(State.DONE)
    conclusion.update(State.THINKING)

    assert not conclusion.is_unread


@pytest.mark.parametrize("state", [State.THINKING, State.UNKNOWN, State.LEFT])
def test_no_other_state_is_an_end(state: State) -> None:
    conclusion = EndNotice()

    assert not conclusion.update(state)
    assert not conclusion.is_unread


# On the screen


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Callable[..., Living]]:
    """Make sessions whose servers live until the test is over."""
    made: list[Living] = []

    def make(journal: JournalBuilder, name: str = SESSION) -> Living:
        made.append(Living(tmp_path, journal, name=name))
        return made[-1]

    yield make
    for one in made:
        one.die()


def shop() -> JournalBuilder:
    return JournalBuilder().session().thought("Symptoms", 1, 3).thought("Layers", 2, 3)


def billing() -> JournalBuilder:
    start = START - timedelta(seconds=10)
    return JournalBuilder(start).session(BILLING, title="billing").thought("Invoices", 1, 9).thought("Taxes", 2, 9)


def conclude(living: Living) -> None:
    living.grow(living.journal.thought("The conclusion", 3, 3, next=False), 1)


def go_on(living: Living, text: str = "Rounding") -> None:
    living.grow(living.journal.thought(text, 3, 9, after=60), 1)


@asynccontextmanager
async def concluded(
    live: Callable[..., Living], size: tuple[int, int] = (120, 35)
) -> AsyncGenerator[tuple[Stage, Living, Living]]:
    """Give a viewer that has seen a session end, untouched, with another one that thinks beside it."""
    other, one = live(billing(), BILLING), live(shop())
    async with running_viewer(None, size, settings_of(one.path.parent, now=NOW)) as stage:
        await stage.shows("Layers")
        conclude(one)
        await stage.shows("done", "The conclusion")
        yield stage, one, other


def said(size: tuple[int, int]) -> str:
    return "billing thinking · ! next ──" if size[0] < 80 else "billing thinking · ! next"


@pytest.mark.parametrize("size", first(2, SIZES))
async def test_an_unseen_end_stays_and_the_screen_says_what_else_there_is(
    live: Callable[..., Living], size: tuple[int, int]
) -> None:
    async with concluded(live, size) as (stage, _, other):
        await stage.shows(said(size))
        go_on(other)
        await stage.until(lambda: stage.session.state.folder.newer_session)
        stage.session.tick()

        assert "The conclusion" in stage.text
        assert "shop-api" in stage.lines[0]
        assert "Rounding" not in stage.text
        assert said(size) in stage.text
        assert "new:" not in stage.text


async def test_once_it_has_been_seen_a_session_that_goes_on_takes_its_place(live: Callable[..., Living]) -> None:
    async with concluded(live) as (stage, _, other):
        go_on(other)
        await stage.press("escape")
        await stage.shows("Rounding")

        assert "billing" in stage.lines[0]
        assert "! next" not in stage.lines[0]


@pytest.mark.deep  # that a seen one makes room is tried beside it
async def test_seen_before_there_is_anything_else_it_stays_until_something_comes(live: Callable[..., Living]) -> None:
    one = live(shop())
    async with running_viewer(None, (120, 35), settings_of(one.path.parent, now=NOW)) as stage:
        await stage.shows("Layers")
        conclude(one)
        await stage.shows("done")
        assert "! next" not in stage.lines[0]
        await stage.press("escape")
        live(JournalBuilder(START + timedelta(seconds=50)).session(LATER, title="later").thought("New", 1, 2), LATER)
        await stage.shows("later")


async def test_mouse_movement_does_not_mark_an_end_as_read(live: Callable[..., Living]) -> None:
    async with concluded(live) as (stage, _, other):
        stage.app.post_message(events.MouseMove(None, 5, 5, 1, 1, 0, shift=False, meta=False, ctrl=False))
        stage.app.post_message(events.AppFocus())
        go_on(other)
        await stage.until(lambda: stage.session.state.folder.newer_session)

        assert "The conclusion" in stage.text


async def test_using_the_mouse_keeps_the_session_on_the_screen(live: Callable[..., Living]) -> None:
    async with concluded(live) as (stage, _, other):
        await stage.until(lambda: "Symptoms" in stage.lines[1])  # the line that said what the agent does has gone
        await stage.pilot.click("#tree", offset=(10, 0))
        go_on(other)
        await stage.until(lambda: stage.session.state.folder.newer_session)

        assert "Symptoms" in stage.cursor
        assert not stage.session.switcher.end_notice.is_unread


@pytest.mark.parametrize("keys", first(1, ["enter", "s", "slash", "tab", "question_mark", "colon"]))
async def test_the_session_of_a_user_who_reads_or_has_something_open_is_not_replaced(
    live: Callable[..., Living], keys: str
) -> None:
    async with concluded(live) as (stage, one, other):
        await stage.press(keys)
        go_on(other)
        await stage.until(lambda: stage.session.state.folder.newer_session)
        stage.session.tick()

        assert stage.session.state.feed.path == one.path


async def test_the_next_one_is_the_session_that_is_named(live: Callable[..., Living]) -> None:
    async with concluded(live) as (stage, _, _other):
        await stage.shows("billing thinking")
        await stage.press("exclamation_mark")
        await stage.shows("Taxes")


async def test_s_opens_the_list_at_the_session_that_is_named(live: Callable[..., Living]) -> None:
    async with concluded(live) as (stage, _, _other):
        await stage.shows("billing thinking")
        await stage.press("s")
        await stage.until(lambda: "billing" in stage.cursor)


async def test_one_that_was_done_when_it_came_is_unread_too(live: Callable[..., Living], tmp_path: Path) -> None:
    async with running_viewer(None, (120, 35), settings_of(tmp_path, now=NOW)) as stage:
        await stage.shows("waiting")
        live(JournalBuilder().session().thought("At once", 1, 1, next=False))
        await stage.shows("At once", "done")
        other = live(billing(), BILLING)
        go_on(other)
        await stage.shows("billing thinking · ! next")

        assert "At once" in stage.text


@pytest.mark.deep  # the state is that of the board
async def test_the_state_of_the_other_session_is_kept_true(live: Callable[..., Living]) -> None:
    async with concluded(live) as (stage, one, other):
        await stage.shows("billing thinking")
        other.grow(other.journal.asking(kind="elicit", after=1), 1)
        await stage.shows("billing asking you")
        other.grow(other.journal.elicit(3, "limit", "accept").thought("All taxed", 3, 3, next=False, after=9), 2)
        await stage.shows("billing done")
        one.grow(one.journal.thought("And another question", 1, 2), 1)
        await stage.shows("thinking", "And another question")

        assert "! next" not in stage.lines[0]


async def test_others_are_counted_beside_the_one_that_is_named(live: Callable[..., Living]) -> None:
    live(JournalBuilder(START - timedelta(seconds=90)).session(title="third").thought("Third", 1, 2), LATER)
    async with concluded(live) as (stage, _, _other):
        await stage.shows("billing thinking · ! next", "●1 ○1")


async def test_a_tiny_screen_says_it_where_there_is_room(live: Callable[..., Living]) -> None:
    async with concluded(live, (100, 4)) as (stage, _, _other):
        await stage.shows("billing thinking · !")


async def test_a_long_name_is_cut_and_signs_may_be_ascii(live: Callable[..., Living]) -> None:
    journal = JournalBuilder(START - timedelta(seconds=30)).session(BILLING, title="請求書" * 40 + "\x1b[31m")
    one = live(shop())
    live(journal.thought("Invoices", 1, 9), BILLING)
    async with running_viewer(None, (80, 24), settings_of(one.path.parent, now=NOW, signs=ASCII)) as stage:
        await stage.shows("Layers")
        conclude(one)
        await stage.shows("~ quiet - ! next")

        assert [width for width in map(len, stage.lines) if width > 80] == []


async def test_a_named_session_says_nothing_of_others(live: Callable[..., Living]) -> None:
    one = live(shop())
    live(billing(), BILLING)
    async with running_viewer(one.path, (120, 35), settings_of(one.path.parent, now=NOW)) as stage:
        conclude(one)
        await stage.shows("The conclusion")

        assert "billing" not in stage.text
