"""Search, filter, sessions, editor and palette, at the keys of a person."""

# What is shown is asked of the screen itself, not of its picture.

import os
import shutil
import stat
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, nullcontext
from datetime import UTC, timedelta
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import Any

import anyio
import pytest
from textual import events
from textual.pilot import Pilot

import tui.app
from seqthink.catalog import session_index
from seqthink.catalog.session_catalog import SessionCatalog
from seqthink.chain.model import NONE
from seqthink.drawing.describe.session import ListedSession
from seqthink.drawing.text.spans import Role
from seqthink.journal.store import SessionFile
from tests.support.journals.build import START, JournalBuilder, shop_api
from tests.support.screens.screen_text import running_viewer, settings_of
from tui.app import Viewer
from tui.screens.sessions import SessionsScreen
from tui.settings import Settings
from tui.widgets.line_view import LineView, OneLine, PickList

BOUND = 60.0
NOW = int((START + timedelta(minutes=5)).timestamp() * 1_000_000)


def _stay(_: Viewer) -> nullcontext[None]:
    return nullcontext()


async def until(pilot: Pilot[str], holds: Callable[[], bool]) -> None:
    with anyio.fail_after(BOUND):
        while not holds():
            await pilot.pause(0.01)


def viewer_of(pilot: Pilot[str]) -> Viewer:
    app = pilot.app
    assert isinstance(app, Viewer)
    return app


def sessions_of(pilot: Pilot[str]) -> SessionsScreen:
    screen = pilot.app.screen
    assert isinstance(screen, SessionsScreen)
    return screen


def drawn(view: LineView) -> list[str]:
    return [view.render_line(y).text for y in range(view.size.height)]


def line(pilot: Pilot[str], name: str) -> str:
    return pilot.app.screen_stack[0].query_one(f"#{name}", OneLine).text


def screen_text(pilot: Pilot[str]) -> str:
    return "\n".join("\n".join(drawn(view)) for view in pilot.app.screen.query(LineView) if view.display)


def write(folder: Path, name: str, journal: JournalBuilder) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_bytes(b"".join(journal.lines))
    changed = journal.now.timestamp()
    os.utime(path, (changed, changed))
    return path


@asynccontextmanager
async def running(path: Path | None, folder: Path, *, width: int = 120, height: int = 30) -> AsyncGenerator[Pilot[str]]:
    app = Viewer(path, Settings(folder=folder, clock=lambda: NOW, zone=UTC))
    async with app.run_test(size=(width, height)) as pilot:
        await until(pilot, lambda: app.is_ready)
        yield pilot


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "sessions"
    path.mkdir()
    return path


@pytest.fixture
def shop(folder: Path) -> Path:
    return write(folder, "20260310T140200.000000Z-k3v9qa", shop_api())


# Search


async def test_a_search_finds_hits_counts_them_and_goes_from_one_to_the_next(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("g", "slash", *"gateway")
        await until(pilot, lambda: "hits" in line(pilot, "keys"))
        typed = line(pilot, "keys")
        await pilot.press("enter", "n")
        await until(pilot, lambda: "2 of" in line(pilot, "keys"))
        second = viewer_of(pilot).session_screen.state.viewport.thought
        await pilot.press("N")
        await until(pilot, lambda: "1 of" in line(pilot, "keys"))
        await pilot.press("escape")
        await pilot.pause()

        assert typed.startswith(" /gateway")
        assert second == 2
        assert "hit" not in line(pilot, "keys")
        assert pilot.app.is_running


async def test_capitals_in_a_query_count(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("slash", *"GATEWAY")
        await until(pilot, lambda: "no hit" in line(pilot, "keys"))


async def test_a_hit_in_a_folded_branch_is_opened(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        viewing = viewer_of(pilot).session_screen.state.viewport
        lane = next(one for one in range(9) if not viewing.tree.session.lanes.get(one).is_trunk)
        foldable = viewing.foldable
        assert foldable is not None
        viewing.keep_place(lambda: foldable.fold(lane, folded=True))
        await pilot.press("slash", *"it starves", "enter")
        await until(pilot, lambda: viewing.tree.session.thoughts.lane_of(max(0, viewing.thought)) == lane)

        assert not foldable.is_folded(lane)


async def test_json_escapes_in_the_journal_hide_no_hit_and_make_none(folder: Path) -> None:
    journal = JournalBuilder().session().thought('say "so": née\n\ttab', 1, 2).thought("plain u00e9", 2, 2)
    path = write(folder, "a", journal)
    async with running(path, folder) as pilot:
        for text, hits in (('"so": né', "1 hit"), ("u00e9", "1 hit"), ("\\u00e9", "no hit"), ("NÉE", "no hit")):
            await pilot.press("slash")
            for character in text:
                await pilot.press(character)
            await until(pilot, lambda hits=hits: hits in line(pilot, "keys"))
            await pilot.press("escape")


async def test_digits_alone_go_to_that_number_and_others_are_searched(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        viewing = viewer_of(pilot).session_screen.state.viewport
        await pilot.press("slash", "4", "enter")
        await pilot.pause()
        four = viewing.tree.session.thoughts.number_of(viewing.thought)
        await pilot.press("slash", "5", "0", "2", "enter")
        await until(pilot, lambda: "hit" in line(pilot, "keys"))

        assert four == 4


async def test_what_arrives_later_is_searched_too(folder: Path) -> None:
    journal = JournalBuilder().session().thought("one needle", 1, 3)
    path = write(folder, "a", journal)
    async with running(path, folder) as pilot:
        await pilot.press("slash", *"needle", "enter")
        await until(pilot, lambda: "1 hit" in line(pilot, "keys"))
        with path.open("ab") as file:
            file.write(b"".join(journal.thought("hay", 2, 3).thought("another Needle", 3, 3).lines[2:]))
        await until(pilot, lambda: "2 hits" in line(pilot, "keys"))


async def test_escape_while_typing_leaves_the_selection_where_it_was(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        shown = viewer_of(pilot).session_screen.state
        await pilot.press("g", "j", "slash", *"starves")
        await until(pilot, lambda: shown.viewport.thought not in {1, NONE})
        await pilot.press("escape")

        assert shown.viewport.thought == 1
        assert shown.search.active_search is None


async def test_keys_typed_into_an_input_do_nothing_else(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("slash", *"qsf?")
        await pilot.pause()

        assert line(pilot, "keys").startswith(" /qsf?")
        assert len(pilot.app.screen_stack) == 1


async def test_a_hit_is_highlighted_in_row_and_text(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("g", "slash", *"symptoms", "enter")
        await until(pilot, lambda: "1 hit" in line(pilot, "keys"))
        board = viewer_of(pilot).session_screen.panes
        tree = board.query_one("#tree", LineView)

        assert [span.text for span in tree.line_at(0)[0] if span.role is Role.MATCH] == ["Symptoms"]
        assert any(span.role is Role.MATCH for y in range(5) for span in board.text_pane.line_at(y)[0])


async def test_the_narrow_screen_has_room_for_the_line(shop: Path, folder: Path) -> None:
    async with running(shop, folder, width=44, height=20) as pilot:
        await pilot.press("slash", *"gateway")
        await until(pilot, lambda: "hit" in line(pilot, "keys"))
        keys = viewer_of(pilot).session_screen.panes.query_one("#keys")
        row = keys.region.y
        await pilot.press("enter")
        await pilot.pause()

        assert row == 19
        assert not keys.display
        assert "hits" in line(pilot, "heading")


# Filter


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
    ("size", "place"), [((44, 20), "heading"), ((80, 24), "heading"), ((80, 40), "keys"), ((120, 35), "keys")]
)
async def test_a_filter_that_is_on_says_its_words_and_the_key_that_ends_it(
    shop: Path, folder: Path, size: tuple[int, int], place: str
) -> None:
    async with running(shop, folder, width=size[0], height=size[1]) as pilot:
        await pilot.press("ampersand", *"is:revision", "enter")
        await until(pilot, lambda: "&is:revision: 2 rows, Esc" in line(pilot, place))
        await pilot.press("escape")
        await until(pilot, lambda: "is:revision" not in line(pilot, place))


async def test_digits_in_a_search_say_where_they_lead(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("slash", "5")
        await until(pilot, lambda: "Enter: thought 5" in line(pilot, "keys"))
        await pilot.press(*" a")
        await until(pilot, lambda: "thought 5" not in line(pilot, "keys"))


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


async def test_a_filter_for_refused_calls_shows_them(folder: Path) -> None:
    path = write(folder, "a", JournalBuilder().session().thought("one", 1, 3).rejected("no such").thought("two", 2, 3))
    async with running(path, folder) as pilot:
        await pilot.press("ampersand", *"is:refused", "enter")
        await until(pilot, lambda: "1 row" in line(pilot, "keys"))

        assert "refused: no such" in screen_text(pilot)


_SAID = "The pool has 12 of 200 connections in use at the hour, and the slowest acquire took 3 ms, so it is idle."


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


# Sessions


def _chains(folder: Path, count: int) -> None:
    for number in range(count):
        journal = JournalBuilder(START + timedelta(seconds=number)).session(title=f"name-{number:04}")
        write(folder, f"s{number:05}", journal.thought(f"Question {number}", next=False).end())


async def test_sessions_lists_those_that_began_last_first_and_enter_opens(shop: Path, folder: Path) -> None:
    _chains(folder, 3)
    async with running(shop, folder, width=100) as pilot:
        await pilot.press("s")
        await until(pilot, lambda: sessions_of(pilot).is_ready and "Question 2" in screen_text(pilot))
        rows = [row for row in screen_text(pilot).splitlines()[2:] if "Question" in row or "shop-api" in row]
        await pilot.press("j", "enter")
        await until(pilot, lambda: viewer_of(pilot).is_ready and len(pilot.app.screen_stack) == 1)

        assert [name in row for name, row in zip(("name-0002", "name-0001", "name-0000"), rows, strict=False)] == [
            True
        ] * 3
        assert viewer_of(pilot).session_screen.state.feed.path == folder / "s00001.jsonl"


@pytest.mark.usefixtures("shop")
async def test_s_and_enter_toggle_between_two_sessions(folder: Path) -> None:
    _chains(folder, 2)
    async with running(folder / "s00000.jsonl", folder) as pilot:
        seen: list[str] = []
        await pilot.press("s")
        await until(pilot, lambda: sessions_of(pilot).is_ready and "Question 1" in screen_text(pilot))
        await pilot.press("g", "enter")
        for _ in range(3):
            await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
            path = viewer_of(pilot).session_screen.state.feed.path
            seen.append(path.stem if path else "")
            await pilot.press("s")
            await until(pilot, lambda: sessions_of(pilot).is_ready and "Question 1" in screen_text(pilot))
            await pilot.press("enter")

        assert seen == ["s00001", "s00000", "s00001"]


async def test_a_session_that_vanishes_while_it_is_listed_is_no_trouble(
    shop: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_list, sessions = Event(), SessionCatalog.sessions

    def list_when_told(catalog: SessionCatalog) -> list[SessionFile]:
        assert current_thread() is main_thread() or may_list.wait(BOUND)
        return sessions(catalog)

    monkeypatch.setattr(SessionCatalog, "sessions", list_when_told)
    may_list.set()
    _chains(folder, 2)
    async with running(shop, folder) as pilot:
        await pilot.press("s")
        await until(pilot, lambda: sessions_of(pilot).is_ready and "Question 1" in screen_text(pilot))
        may_list.clear()  # nobody looks before the key is pressed
        (folder / "s00001.jsonl").unlink()
        await pilot.press("g", "enter")
        await until(pilot, lambda: "this session is gone" in screen_text(pilot))
        may_list.set()
        await until(pilot, lambda: "Question 1" not in screen_text(pilot))


async def test_the_list_is_narrowed_by_what_is_typed(shop: Path, folder: Path) -> None:
    _chains(folder, 12)
    async with running(shop, folder) as pilot:
        await pilot.press("s")
        await until(pilot, lambda: "Question 3" in screen_text(pilot))
        await pilot.press("slash", *"question 3")
        await until(pilot, lambda: "Question 11" not in screen_text(pilot))
        await pilot.press("enter")
        only = screen_text(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: "Question 11" in screen_text(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)

        assert "Question 3" in only


async def test_the_list_is_not_ready_before_what_came_into_view_is_counted_and_drawn(
    shop: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_count, count = Event(), session_index.summarize

    def count_when_told(file: SessionFile, **more: Any) -> ListedSession | None:  # noqa: ANN401 - as it takes them
        assert file.session != "s00000" or may_count.wait(BOUND)
        return count(file, **more)

    monkeypatch.setattr(session_index, "summarize", count_when_told)
    _chains(folder, 60)
    async with running(shop, folder) as pilot:
        await pilot.press("s")
        await until(pilot, lambda: "Sessions   61" in screen_text(pilot))
        await pilot.press("G")
        await until(pilot, lambda: "name-0000" in screen_text(pilot))
        was_ready = sessions_of(pilot).is_ready
        may_count.set()
        await until(pilot, lambda: sessions_of(pilot).is_ready)

    assert not was_ready


async def test_two_thousand_sessions_are_there_and_only_those_in_view_are_drawn(shop: Path, folder: Path) -> None:
    first = JournalBuilder().session(title="many").thought("Many", next=False).end()
    original = write(folder, "s0000", first)
    for number in range(1, 2000):
        shutil.copy2(original, folder / f"s{number:04}.jsonl")
    async with running(shop, folder) as pilot:
        await pilot.press("s")
        await until(pilot, lambda: "Sessions   2,001" in screen_text(pilot))
        await pilot.press("G")
        await until(pilot, lambda: "Many" in screen_text(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


async def test_hostile_names_and_titles_are_drawn_as_text(folder: Path) -> None:
    evil = "\x1b]0;owned\x07[@click=app.leave]x[/]\u202e"
    path = write(folder, "a", JournalBuilder().session(title=evil, client=evil).thought(evil, next=False).end())
    async with running(path, folder) as pilot:
        await pilot.press("s")
        await until(pilot, lambda: "owned" in screen_text(pilot))

        assert not set("\x1b\x07\u202e") & set(screen_text(pilot))


def _grow_old(path: Path) -> None:
    long_ago = START.timestamp() - 9_000_000
    path.write_bytes(path.read_bytes().replace(b"2026-03-10", b"2025-03-10"))
    os.utime(path, (long_ago, long_ago))


async def test_the_waiting_screen_leads_to_old_sessions(shop: Path, folder: Path) -> None:
    _grow_old(shop)
    async with running(None, folder, width=60) as pilot:
        await until(pilot, lambda: "Last: shop-api" in screen_text(pilot))
        hint = "s sessions" in screen_text(pilot)
        await pilot.press("s")
        await until(pilot, lambda: "shop-api" in screen_text(pilot) and sessions_of(pilot).is_ready)
        await pilot.press("enter")
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.viewport.session is not None)

        assert hint


# Editor, palette, paste


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    script, seen = tmp_path / "my editor", tmp_path / "seen"
    script.write_text('#!/bin/sh\n{ echo "$1"; stat -c %a "$2"; cat "$2"; } > "$SEEN"\n', encoding="utf-8")
    script.chmod(stat.S_IRWXU)
    monkeypatch.setenv("SEEN", str(seen))
    monkeypatch.setenv("EDITOR", f"'{script}' --wait")
    monkeypatch.setattr(Viewer, "suspend", _stay)
    return seen


async def test_the_editor_gets_a_private_copy_of_the_thought(editor: Path, shop: Path, folder: Path) -> None:
    read, read_seen = shop.read_bytes, editor.read_text
    before = read()
    async with running(shop, folder) as pilot:
        await pilot.press("g", "o")
        await until(pilot, lambda: "back from the editor" in line(pilot, "keys"))
        option, mode, *text = read_seen("utf-8").splitlines()

        assert (option, mode) == ("--wait", "600")
        assert text[0].startswith("Symptoms: 502s")
        assert read() == before


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", "set $EDITOR"),
        ("/no/such/editor", "no such file"),
        ("false", "status 1"),
        ("vi 'x", "no closing quotation"),
    ],
)
async def test_what_is_wrong_with_the_editor_is_said_in_a_line(
    value: str, said: str, shop: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", value)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr(Viewer, "suspend", _stay)
    async with running(shop, folder) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: said in line(pilot, "keys"))


async def test_the_palette_goes_to_a_number(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        viewing = viewer_of(pilot).session_screen.state.viewport
        await pilot.press("colon", *"#4", "enter")
        await until(pilot, lambda: viewing.tree.session.thoughts.number_of(viewing.thought) == 4)


@pytest.mark.parametrize(("width", "height"), [(120, 35), (44, 20), (40, 12), (20, 4)])
async def test_the_palette_has_a_line_for_each_command_with_its_key(
    shop: Path, folder: Path, width: int, height: int
) -> None:
    async with running(shop, folder, width=width, height=height) as pilot:
        await pilot.press("ctrl+p", *"timel")
        await until(pilot, lambda: "▌Timel" in screen_text(pilot))
        shown = next(row for row in screen_text(pilot).splitlines() if "▌Timel" in row)
        await pilot.press("enter")

        assert shown.rstrip().endswith(" t")
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.viewport.is_timeline)


async def test_the_palette_offers_the_sessions_with_their_age(shop: Path, folder: Path) -> None:
    other = JournalBuilder(START - timedelta(hours=3)).session(title="web [red]app[/]").thought("Other", 1, 1)
    path = write(folder, "20260310T110200.000000Z-other1", other)
    async with running(shop, folder, width=60, height=40) as pilot:
        await pilot.press("colon", *"web")
        await until(pilot, lambda: "Session: web [red]app[/]" in screen_text(pilot))

        assert "3h" in screen_text(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.feed.path == path)


async def test_the_palette_goes_back_and_moves_and_takes_what_is_pasted(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        before = viewer_of(pilot).session_screen.state.viewport.selected
        await pilot.press("colon", "down", "down", "up", "q")
        pilot.app.post_message(events.Paste("\x1buit"))
        await until(pilot, lambda: "nothing matches" in screen_text(pilot))
        await pilot.press("ctrl+u", "escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)

        assert pilot.app.is_running
        assert viewer_of(pilot).session_screen.state.viewport.selected == before


def type_at_once(pilot: Pilot[str], *keys: str) -> None:
    """Type faster than anything can be handled."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))


@pytest.mark.parametrize(("chosen", "typed"), [("Search the", "/"), ("Filter", "&")])
async def test_what_is_typed_right_after_a_choice_in_the_palette_goes_where_that_leads(
    shop: Path, folder: Path, chosen: str, typed: str
) -> None:
    async with running(shop, folder) as pilot:
        type_at_once(pilot, "colon", *chosen, "enter", *"iAb")
        await until(pilot, lambda: line(pilot, "keys").startswith(f" {typed}iAb"))


@pytest.mark.parametrize(("chosen", "typed"), [("Search the", "/"), ("Filter", "&")])
async def test_what_is_typed_ahead_goes_where_the_choice_leads_however_long_that_takes(
    shop: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, chosen: str, typed: str
) -> None:
    """On a busy machine it takes longer than the time after which it is checked whether the widget is still there."""
    monkeypatch.setattr(tui.app, "SETTLING_SECONDS", 0.0005)
    monkeypatch.setattr(tui.app, "MAX_SETTLING_CHECKS", 1 << 30)
    async with running(shop, folder) as pilot:
        type_at_once(pilot, "colon", *chosen, "enter", *"iAb")
        await until(pilot, lambda: line(pilot, "keys").startswith(f" {typed}iAb"))


@pytest.mark.parametrize("query", ["sessions", "signs", "matched by nothing"])
async def test_escape_typed_right_after_a_choice_in_the_palette_closes_what_that_opens(
    shop: Path, folder: Path, query: str
) -> None:
    async with running(shop, folder) as pilot:
        type_at_once(pilot, "colon", *query, "enter", "escape", "t")
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.viewport.is_timeline)

        assert len(pilot.app.screen_stack) == 1


async def test_a_key_typed_right_after_another_clears_its_message(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        type_at_once(pilot, "colon", "ctrl+p", "n", "tab")
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.is_text_active)

        assert not viewer_of(pilot).session_screen.state.status_message


async def test_tab_does_nothing_while_a_query_is_typed(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("slash", "a", "tab", "b")

        assert line(pilot, "keys").startswith(" /ab")
        assert not viewer_of(pilot).session_screen.state.is_text_active


async def test_a_click_in_the_palette_does_what_was_clicked(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("colon")
        await until(pilot, lambda: "Timeline" in screen_text(pilot))
        names = drawn(pilot.app.screen.query_one(PickList))
        await pilot.click(PickList, offset=(4, next(y for y, name in enumerate(names) if "Timeline" in name)))
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.viewport.is_timeline)


async def test_while_waiting_the_palette_offers_what_can_be_done_then(folder: Path) -> None:
    async with running(None, folder) as pilot:
        await pilot.press("colon")
        await until(pilot, lambda: "Play the demo" in screen_text(pilot))

        assert "Timeline" not in screen_text(pilot)


async def test_the_theme_changes_at_run_time(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        for look in ("light", "ansi", "dark"):
            viewer_of(pilot).action_set_theme(look)
            await pilot.pause()

            assert all(view.theme_name == look for view in pilot.app.screen.query(LineView))


async def test_pasted_text_goes_into_a_line_that_is_open_and_nowhere_else(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        pilot.app.post_message(events.Paste("q\x1b[2Jgateway"))
        await until(pilot, lambda: "paste ignored" in line(pilot, "keys"))
        await pilot.press("slash")
        pilot.app.post_message(events.Paste("\x1bgate\nway"))
        await until(pilot, lambda: line(pilot, "keys").startswith(" /␛gate way"))

        assert pilot.app.is_running


async def test_digits_do_nothing_live(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        before = screen_text(pilot)
        await pilot.press(*"0123456789")

        assert screen_text(pilot) == before


async def test_a_click_on_the_hint_shows_the_keys(shop: Path, folder: Path) -> None:
    async with running(shop, folder, width=44, height=20) as pilot:
        heading = line(pilot, "heading")
        await pilot.click("#heading", offset=(heading.index("? keys") + 1, 0))
        await until(pilot, lambda: len(pilot.app.screen_stack) == 2)


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


@pytest.mark.parametrize("typed", ['#"report job"', '#"red␛[31m\x1b alert"'])
async def test_a_tag_is_found_as_it_is_shown(typed: str, tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Symptoms", 1, 2).thought("Layers", 2, 2)
    path = journal.context(of=3, tags=["Report  job", "red\x1b[31m\x1b alert"]).write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 20), settings_of(tmp_path)) as stage:
        await stage.press("ampersand")
        stage.app.post_message(events.Paste(typed))
        await stage.press("enter")
        await stage.until(lambda: "Layers" in stage.text and "Symptoms" not in stage.text)


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

        assert "is: takes branch revision audit refused" in stage.text
