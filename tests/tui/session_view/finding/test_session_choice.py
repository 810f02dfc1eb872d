"""The list of sessions, at the keys of a person."""

import os
import shutil
from datetime import timedelta
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import Any

import pytest

from seqthink.drawing.describe.session import ListedSession
from seqthink.journal.store import SessionFile
from seqthink.library.catalog import session_index
from seqthink.library.catalog.session_catalog import SessionCatalog
from tests.support.depth import sized
from tests.support.journals.build import START, JournalBuilder
from tests.support.screens.piloted import (
    BOUND,
    running,
    screen_text,
    sessions_of,
    until,
    viewer_of,
    write,
)


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


@pytest.mark.deep  # the list of what vanishes is tried in sessions/
async def test_a_session_that_vanishes_while_it_is_listed_is_no_trouble(
    shop: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_list, sessions = Event(), SessionCatalog.sessions

    def list_when_released(catalog: SessionCatalog) -> list[SessionFile]:
        assert current_thread() is main_thread() or may_list.wait(BOUND)
        return sessions(catalog)

    monkeypatch.setattr(SessionCatalog, "sessions", list_when_released)
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

    def count_when_released(file: SessionFile, **more: Any) -> ListedSession | None:  # noqa: ANN401 - as it takes them
        assert file.session != "s00000" or may_count.wait(BOUND)
        return count(file, **more)

    monkeypatch.setattr(session_index, "summarize", count_when_released)
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


@pytest.mark.deep  # sessions/ holds that few of many are folded
async def test_hundreds_of_sessions_are_there_and_only_those_in_view_are_drawn(shop: Path, folder: Path) -> None:
    count = sized(600, 2000)
    first = JournalBuilder().session(title="many").thought("Many", next=False).end()
    original = write(folder, "s0000", first)
    for number in range(1, count):
        shutil.copy2(original, folder / f"s{number:04}.jsonl")
    async with running(shop, folder) as pilot:
        await pilot.press("s")
        await until(pilot, lambda: f"Sessions   {count + 1:,}" in screen_text(pilot))
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
