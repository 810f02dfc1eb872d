"""Journals that come, grow, break and go, and one on a pipe."""

import os
from itertools import count
from pathlib import Path
from time import monotonic

import pytest

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.pipe import PipePlace
from tests.support.depth import first
from tests.support.journals.build import SESSION, START, JournalBuilder, shop_api
from tests.support.screens.screen_text import (
    locked_journal,
    running_viewer,
    settings_of,
)
from tests.tui.whole_viewer.conftest import LATER, NARROW, WIDE, append, moment, straight, write
from tui.widgets.punctual import punctual

# Journals that come and go


async def test_a_viewer_started_before_the_folder_is_there_shows_the_first_thought_by_itself(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "sessions"
    async with running_viewer(None, NARROW, settings_of(folder, now=moment(59))) as stage:
        await stage.shows("waiting", "0 sessions")
        folder.mkdir(parents=True)
        path = write(shop_api(), folder, lines=3)
        await stage.shows("2 Layers")
        append(path, shop_api(), 3)
        await stage.shows("8 Fix again", "8 of 8")


async def test_a_viewer_of_a_journal_that_is_not_there_yet_shows_it_when_it_comes(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        await stage.shows("waiting")
        assert "gone" not in stage.text
        write(straight(3), tmp_path)
        await stage.shows("3 of ~30")


async def test_a_viewer_started_late_shows_earlier_and_new_thoughts(tmp_path: Path) -> None:
    journal = straight(5)
    path = write(journal, tmp_path, lines=4)
    async with running_viewer(None, NARROW, settings_of(tmp_path, now=moment(30))) as stage:
        await stage.shows("3 of ~30")
        append(path, journal, 4)
        await stage.shows("5 of ~30")
        assert "  5 " in stage.cursor


async def test_yesterdays_session_is_named_and_not_opened(tmp_path: Path) -> None:
    write(shop_api(), tmp_path)
    async with running_viewer(None, NARROW, settings_of(tmp_path, now=moment(86_400))) as stage:
        await stage.shows("Last: shop-api, 23h ago", "no session now")
        assert "Symptoms" not in stage.text


async def test_a_newer_session_takes_over_while_following_one_that_is_done(tmp_path: Path) -> None:
    write(shop_api(), tmp_path)
    async with running_viewer(None, NARROW, settings_of(tmp_path, now=moment(200))) as stage:
        await stage.shows("8 of 8")
        write(JournalBuilder(START.replace(minute=5)).session(LATER).thought("Something else", 1, 2), tmp_path, LATER)
        await stage.shows("Something else")


@pytest.mark.parametrize("size", first(1, [NARROW, (80, 24), WIDE]))
async def test_a_newer_session_is_only_named_while_the_one_shown_thinks(tmp_path: Path, size: tuple[int, int]) -> None:
    path = write(straight(3), tmp_path)
    other = JournalBuilder(START.replace(minute=5)).session(LATER, title="web-app").thought("Something else", 1, 2)
    with locked_journal(path):
        async with running_viewer(None, size, settings_of(tmp_path, now=moment(50))) as stage:
            await stage.shows("3 of ~30", "thinking")
            write(other, tmp_path, LATER)
            await stage.until(lambda: stage.session.state.folder.newer_session)
            assert "Something else" not in stage.text


async def test_a_newer_session_takes_over_from_one_that_is_quiet(tmp_path: Path) -> None:
    path = write(straight(3), tmp_path)
    other = JournalBuilder(START.replace(minute=5)).session(LATER).thought("Something else", 1, 2)
    with locked_journal(path):
        async with running_viewer(None, NARROW, settings_of(tmp_path, now=moment(200))) as stage:
            await stage.shows("quiet 3m")
            write(other, tmp_path, LATER)
            await stage.shows("Something else")


async def test_a_newer_session_takes_over_when_the_end_of_the_one_shown_has_been_seen(tmp_path: Path) -> None:
    path = write(straight(3), tmp_path)
    other = JournalBuilder(START.replace(minute=5)).session(LATER, title="web-app").thought("Something else", 1, 2)
    async with running_viewer(None, (80, 24), settings_of(tmp_path, now=moment(50)), is_ready=False) as stage:
        with locked_journal(path):
            await stage.shows("3 of ~30", "thinking")
            write(other, tmp_path, LATER)
            await stage.until(lambda: stage.session.state.folder.newer_session)
        await stage.shows("lost", "web-app lost · ! next")
        await stage.press("escape")
        await stage.shows("Something else")


async def test_a_newer_session_is_only_named_while_the_user_reads_on(tmp_path: Path) -> None:
    write(straight(3), tmp_path)
    other = JournalBuilder(START.replace(minute=5)).session(LATER, title="web-app").thought("Something else", 1, 2)
    async with running_viewer(None, (80, 24), settings_of(tmp_path, now=moment(200))) as stage:
        await stage.press("k")
        write(other, tmp_path, LATER)
        await stage.shows("web-app lost · ! next")
        assert "  2 " in stage.cursor
        await stage.press("f")
        await stage.shows("Something else")


async def test_a_torn_line_waits_for_its_end(tmp_path: Path) -> None:
    journal = straight(4)
    path = write(journal, tmp_path, lines=4)
    line = journal.lines[4]
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        with path.open("ab", buffering=0) as file:
            file.write(line[:40])
            await stage.press("j", "k")
            assert "3 of ~30" in stage.text
            assert "corrupt" not in stage.text
            file.write(line[40:])
        await stage.shows("4 of ~30")


async def test_a_journal_that_was_replaced_is_read_again_with_its_own_text(tmp_path: Path) -> None:
    path = write(straight(4), tmp_path)
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        await stage.press("g")
        new = tmp_path / "new"
        new.write_bytes(JournalBuilder().session().thought("All is different now", 1, 9).data)
        new.replace(path)
        await stage.shows("1 of ~9", "reloaded")
        assert stage.text.count("All is different now") == 2
        assert "Step 1" not in stage.text


async def test_a_journal_that_was_cut_off_is_read_again(tmp_path: Path) -> None:
    journal = straight(6)
    path = write(journal, tmp_path)
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        os.truncate(path, sum(map(len, journal.lines[:4])))
        await stage.shows("3 of ~30", "reloaded")
        os.truncate(path, 0)
        await stage.shows("waiting", "reloaded")
        append(path, journal, 0)
        await stage.shows("6 of ~30")


@pytest.mark.parametrize("size", first(1, [NARROW, (80, 24), WIDE]))
async def test_a_journal_that_was_deleted_stays_on_the_screen_with_a_remark(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    path = write(straight(4), tmp_path)
    async with running_viewer(path, size, settings_of(tmp_path)) as stage:
        aside = path.rename(tmp_path / "aside")
        await stage.shows("the journal is gone")
        assert "Step 4" in stage.text
        await stage.press("k")
        aside.rename(path)
        await stage.until(lambda: "gone" not in stage.text)
        assert "Step 4" in stage.text


async def test_corrupt_lines_are_counted_and_show_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "garbage.jsonl"
    path.write_bytes(b"\x00\xff\xfe\n{}\n[1]\nnull\n" + b"x" * 70_000 + b"\n")
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        await stage.shows("5 lines corrupt")
        for key in ("j", "k", "g", "G", "f", "space", "h", "l", "r", "tab", "enter", "y", "pageup", "pagedown"):
            await stage.press(key)


CORRUPT, UNREAD = b"{nothing\n", b'{"v":2,"seq":9,"type":"thought"}\n'


@pytest.mark.parametrize("size", first(1, [NARROW, (80, 24), WIDE]))
@pytest.mark.parametrize(("line", "said"), [(CORRUPT, "1 line corrupt"), (UNREAD, "1 line unknown")])
async def test_lines_that_were_not_read_are_counted(
    tmp_path: Path, size: tuple[int, int], line: bytes, said: str
) -> None:
    path = write(straight(2).raw(line), tmp_path)
    async with running_viewer(path, size, settings_of(tmp_path)) as stage:
        await stage.shows(said, "2 of ~30")


async def test_both_kinds_of_lines_that_were_not_read_are_counted(tmp_path: Path) -> None:
    path = write(straight(2).raw(CORRUPT).raw(UNREAD).raw(CORRUPT), tmp_path)
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        await stage.shows("2 lines corrupt · 1 line unknown", "2 of ~30")


async def test_refused_calls_alone_are_shown(tmp_path: Path) -> None:
    journal = JournalBuilder().session().rejected("Invalid thought: must be a string").rejected("Invalid total")
    path = write(journal, tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        assert "✗ refused: Invalid thought: must be a\n   string\n" in stage.text
        assert "Invalid total" in stage.cursor
        for key in ("k", "enter", "enter", "r", "y", "h", "l", "tab"):
            await stage.press(key)
        append(path, JournalBuilder().session().thought("A thought at last"), 1)
        await stage.shows("1 A thought at last")


async def test_an_empty_journal_waits(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        await stage.shows("waiting")


# A journal on a pipe


async def test_a_journal_that_comes_in_on_a_pipe_is_shown_as_it_grows(tmp_path: Path) -> None:
    journal = straight(3)
    end, begin = os.pipe()
    try:
        async with running_viewer(None, NARROW, settings_of(tmp_path, catalog=SessionCatalog(PipePlace(end)))) as stage:
            await stage.shows("Nothing has come in yet")
            os.write(begin, b"".join(journal.lines[:2]))
            await stage.shows("1 of ~30")
            os.write(begin, b"".join(journal.lines[2:]))
            await stage.shows("3 of ~30")
            os.close(begin)
            begin = -1
            await stage.press("k")
            assert "  2 " in stage.cursor
    finally:
        os.close(end)
        if begin >= 0:
            os.close(begin)


async def test_arrivals_are_shown_however_late_their_timer_begins_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(straight(3), tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        await stage.shows("3 of ~30")
        late = count()
        monkeypatch.setattr("textual.timer._time.get_time", lambda: monotonic() + next(late))
        fired: list[bool] = []
        punctual(stage.session.set_timer(0.004, lambda: fired.append(True)))

        await stage.until(lambda: fired)
