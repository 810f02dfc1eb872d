"""A journal that is replaced or cut off while a person reads it: they stay where they are, if that is still there."""

import os
from pathlib import Path

from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.example_chains import straight
from tests.support.screens.screen_text import running_viewer, settings_of


def _put(journal: JournalBuilder, path: Path) -> None:
    """Replace a journal as an editor does: by another file."""
    new = path.with_name("new")
    new.write_bytes(journal.data)
    new.replace(path)


async def test_the_selected_thought_stays_when_its_journal_is_replaced(tmp_path: Path) -> None:
    path = straight(40).write(tmp_path / "a.jsonl")
    async with running_viewer(path, (44, 12), settings_of(tmp_path)) as stage:
        await stage.press("g", *["j"] * 24, *["k"] * 3)
        before = stage.lines
        _put(straight(50), path)
        await stage.shows("replaced: reloaded")

        assert "22 Step 22" in stage.cursor
        assert stage.lines.index(stage.cursor) == next(y for y, line in enumerate(before) if line.startswith("▌"))


async def test_the_selected_thought_stays_when_others_come_before_it(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Look at the logs", 1, 3).thought("Look at the pool", 2, 3)
    journal.thought("Ask the cache", 1, 2, branch="cache", from_=1).thought("It is the cache", 2, 2, branch="cache")
    other = JournalBuilder().session().thought("Something before", 1, 2).thought("and its end", 2, 2, next=False)
    other.thought("Look at the logs", 1, 3).thought("Look at the pool", 2, 3)
    other.thought("Ask the cache", 1, 2, branch="cache", from_=1).thought("It is the cache", 2, 2, branch="cache")
    path = journal.write(tmp_path / "a.jsonl")
    async with running_viewer(path, (60, 24), settings_of(tmp_path)) as stage:
        await stage.press("g", "j")
        branch = stage.cursor
        _put(other, path)
        await stage.shows("Something before", "reloaded")

        assert "cache" in branch
        assert stage.cursor == branch


async def test_a_timeline_stays_a_timeline_when_the_journal_is_replaced(tmp_path: Path) -> None:
    journal = shop_api()
    path = journal.write(tmp_path / "a.jsonl")
    async with running_viewer(path, (60, 24), settings_of(tmp_path)) as stage:
        await stage.press("t", "k", "k", "k")
        before = stage.cursor
        _put(journal, path)
        await stage.shows("reloaded", "cron-job: What runs at :00?")

        assert stage.cursor == before


async def test_where_the_thought_is_gone_the_newest_is_selected(tmp_path: Path) -> None:
    journal = straight(40)
    path = journal.write(tmp_path / "a.jsonl")
    async with running_viewer(path, (44, 12), settings_of(tmp_path)) as stage:
        await stage.press("k")
        os.truncate(path, sum(map(len, journal.lines[:21])))
        await stage.shows("20 of ~30")
        assert "20 Step 20" in stage.cursor

        await stage.press("g", "j", "j")
        os.truncate(path, sum(map(len, journal.lines[:11])))
        await stage.shows("10 of ~30")
        assert " 3 Step 3" in stage.cursor


async def test_a_journal_rewritten_in_two_steps_keeps_the_selection(tmp_path: Path) -> None:
    journal = straight(40)
    path = journal.write(tmp_path / "a.jsonl")
    async with running_viewer(path, (44, 12), settings_of(tmp_path)) as stage:
        await stage.press("g", "j", "j")
        os.truncate(path, 0)
        await stage.shows("waiting")
        path.write_bytes(journal.data)
        await stage.shows("40 of 40")

        assert " 3 Step 3" in stage.cursor
