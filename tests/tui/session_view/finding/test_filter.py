"""Filters, at the keys of a person."""

from pathlib import Path

import pytest
from textual import events

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.screens.piloted import line, running, screen_text, until, viewer_of, write
from tests.support.screens.screen_text import running_viewer, settings_of


async def test_a_filter_shows_matching_rows_alone_and_escape_shows_all(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        shown = viewer_of(pilot).session_screen.state
        whole = shown.viewport.tree.count
        await pilot.press("ampersand", *"is:revision", "enter")
        await until(pilot, lambda: "2 rows" in line(pilot, "keys"))
        session = shown.viewport.tree.session
        rows = [shown.viewport.tree.row(number).thought for number in range(shown.viewport.tree.count)]
        await pilot.press("k")
        selected = shown.viewport.thought
        await pilot.press("escape")
        await pilot.pause()

        assert [session.thoughts.is_revision(index) for index in rows] == [True, True]
        assert shown.viewport.tree.count == whole
        assert shown.viewport.thought == selected


@pytest.mark.parametrize(
    ("size", "place"),
    first(
        1,
        [((44, 20), "heading"), ((120, 35), "keys"), ((80, 24), "heading"), ((80, 40), "keys")],
        is_unpacked=True,
    ),
)
async def test_a_filter_that_is_on_says_its_words_and_the_key_that_ends_it(
    shop: Path, folder: Path, size: tuple[int, int], place: str
) -> None:
    async with running(shop, folder, width=size[0], height=size[1]) as pilot:
        await pilot.press("ampersand", *"is:revision", "enter")
        await until(pilot, lambda: "&is:revision: 2 rows, Esc" in line(pilot, place))
        await pilot.press("escape")
        await until(pilot, lambda: "is:revision" not in line(pilot, place))


async def test_what_arrives_and_matches_a_filter_appears(folder: Path) -> None:
    journal = JournalBuilder().session().thought("one needle", 1, 3)
    path = write(folder, "a", journal)
    async with running(path, folder) as pilot:
        shown = viewer_of(pilot).session_screen.state
        await pilot.press("ampersand", *"needle", "enter")
        await until(pilot, lambda: shown.viewport.tree.count == 1)
        with path.open("ab") as file:
            file.write(b"".join(journal.thought("hay", 2, 3).thought("needle too", 3, 3).lines[2:]))
        await until(pilot, lambda: shown.viewport.tree.count == 2)

        assert shown.viewport.thought == 2


@pytest.mark.deep  # one kind of filter is as another
async def test_a_filter_for_refused_calls_shows_them(folder: Path) -> None:
    path = write(folder, "a", JournalBuilder().session().thought("one", 1, 3).rejected("no such").thought("two", 2, 3))
    async with running(path, folder) as pilot:
        await pilot.press("ampersand", *"is:refused", "enter")
        await until(pilot, lambda: "1 row" in line(pilot, "keys"))

        assert "refused: no such" in screen_text(pilot)


_SAID = "The pool has 12 of 200 connections in use at the hour, and the slowest acquire took 3 ms, so it is idle."


@pytest.mark.deep  # one kind of filter is as another
async def test_a_filter_for_what_is_odd_shows_it_and_what_becomes_odd_later(folder: Path) -> None:
    journal = JournalBuilder().session().thought(_SAID, 1, 3).thought("b1", 1, 3, branch="b", from_=1)
    journal.thought("c1", 1, 2, branch="c", from_=1).thought(_SAID + " Sure.", 2, 2, branch="c")
    path = write(folder, "a", journal)
    async with running(path, folder) as pilot:
        shown = viewer_of(pilot).session_screen.state
        await pilot.press("ampersand", *"is:odd", "enter")
        await until(pilot, lambda: "1 row" in line(pilot, "keys"))
        await until(pilot, lambda: "almost the same as 1" in screen_text(pilot))

        assert [shown.viewport.tree.row(0).thought, shown.viewport.tree.count] == [3, 1]
        with path.open("ab") as file:
            file.write(b"".join(journal.thought("So", 3, 3, branch="c", next=False).lines[5:]))
        await until(pilot, lambda: shown.viewport.tree.count == 2)
        assert [shown.viewport.tree.row(number).thought for number in range(2)] == [1, 3]


async def test_a_mark_and_words_come_when_the_texts_were_read_and_go_with_the_playhead(folder: Path) -> None:
    path = write(folder, "a", JournalBuilder().session().thought(_SAID, 1, 3).thought(_SAID, 2, 3).thought("c", 3, 3))
    async with running(path, folder) as pilot:
        await until(pilot, lambda: "≈" in screen_text(pilot))
        await pilot.press("k")
        await until(pilot, lambda: "the same words as 1" in screen_text(pilot))
        await pilot.press("comma", "comma")
        await until(pilot, lambda: "≈" not in screen_text(pilot))


async def test_a_filter_that_nothing_passes_leaves_no_rows_and_no_trouble(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("ampersand", *"zzz", "enter")
        await until(pilot, lambda: "no row" in line(pilot, "keys"))
        await pilot.press("j", "k", "g", "G", "h", "l", "r", "enter", "escape", "y", "f", "space", "n")
        await pilot.press("escape")

        assert pilot.app.is_running


@pytest.mark.deep  # a filter that nothing passes is tried beside it
async def test_where_no_row_matches_there_is_nothing_to_read_and_what_a_key_says_is_still_said(
    shop: Path, folder: Path
) -> None:
    async with running(shop, folder, width=44, height=20) as pilot:
        await pilot.press("ampersand", *"zebra", "enter")
        await until(pilot, lambda: "No row matches" in screen_text(pilot))
        await pilot.press("enter")
        assert "No row matches" in screen_text(pilot)
        await pilot.press("t")
        assert "first show all rows: Esc" in line(pilot, "heading")
        await pilot.press("escape")
        assert "Symptoms" in screen_text(pilot)


@pytest.mark.parametrize("typed", first(1, ['#"report job"', '#"red␛[31m\x1b alert"']))
async def test_a_tag_is_found_as_it_is_shown(typed: str, tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Symptoms", 1, 2).thought("Layers", 2, 2)
    path = journal.context(of=3, tags=["Report  job", "red\x1b[31m\x1b alert"]).write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 20), settings_of(tmp_path)) as stage:
        await stage.press("ampersand")
        stage.app.post_message(events.Paste(typed))
        await stage.press("enter")
        await stage.until(lambda: "Layers" in stage.text and "Symptoms" not in stage.text)


@pytest.mark.deep  # that a tag is found is tried beside it
async def test_a_tag_finds_the_context_items_that_were_stored_before_the_first_thought(tmp_path: Path) -> None:
    journal = JournalBuilder().session().context("Fifty connections", tags=["pool", "Report job"])
    journal.context("Cron runs hourly", id="c2", tags=["cron"])
    path = (
        journal.context(None, action="update", id="c2", tags=["jobs", "pool"])
        .thought("Symptoms")
        .write(tmp_path / "a.jsonl")
    )
    async with running_viewer(path, (80, 20), settings_of(tmp_path)) as stage:
        for typed, rows in (
            ("#pool", (True, False, True)),
            ('#"report job" fifty', (True, False, False)),
            ("#cron", (False, True, False)),
            ("#pool #cron", (False, False, False)),
        ):
            await stage.press("ampersand")
            stage.app.post_message(events.Paste(typed))
            await stage.press("enter")
            await stage.until(lambda rows=rows: "Symptoms" not in stage.text and shown(stage.text) == rows)
            await stage.press("escape")
            await stage.until(lambda: "Symptoms" in stage.text)


def shown(text: str) -> tuple[bool, bool, bool]:
    """Return which of the three context items have a row."""
    return ("Fifty connections" in text, "Cron runs" in text, "#jobs" in text)


async def test_an_unknown_kind_is_reported_with_the_known_ones(tmp_path: Path) -> None:
    path = shop_api().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (44, 20), settings_of(tmp_path)) as stage:
        await stage.press("ampersand", *"is:foo", "enter")

        assert "is: takes branch revision retraction audit" in stage.text
