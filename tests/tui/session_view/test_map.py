"""The map beside the tree: when it is there, where a click goes, and what is remembered."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from seqthink.drawing.panels.chapter_map import ChapterMap, RowsInView
from seqthink.drawing.text.spans import Spans
from seqthink.library.viewer_store.shown_choices import ShownChoice, ShownChoices
from tests.support.depth import first
from tests.support.journals.build import SESSION, JournalBuilder, shop_api
from tests.support.journals.long_chain import long_chain
from tests.support.screens.screen_text import Stage, locked_journal, running_viewer, settings_of
from tui.widgets.map_view import MapView

WIDE = (120, 35)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Path]:
    """Yield a chain of some 300 thoughts whose server is running."""
    path = long_chain().write(tmp_path / "orders.jsonl")
    with locked_journal(path):
        yield path


def _map(stage: Stage) -> MapView:
    return stage.app.screen.query_one(MapView)


def _has_map(stage: Stage) -> bool:
    return _map(stage).display and _map(stage).size.width > 0


@pytest.mark.parametrize(
    ("size", "cells"),
    first(
        2,
        [((200, 60), 28), ((120, 35), 4), ((80, 24), 4), ((100, 30), 0), ((39, 20), 0), ((28, 10), 0)],
        is_unpacked=True,
    ),
)
async def test_a_long_chain_has_a_map_where_rows_keep_their_text(live: Path, size: tuple[int, int], cells: int) -> None:
    async with running_viewer(live, size, settings_of(live.parent)) as stage:
        assert _map(stage).size.width * _map(stage).display == cells


async def test_a_chain_that_fits_the_screen_has_none_and_the_key_says_why(tmp_path: Path) -> None:
    async with running_viewer(shop_api().write(tmp_path / "a.jsonl"), WIDE, settings_of(tmp_path)) as stage:
        assert not _has_map(stage)

        await stage.press("c")
        assert not _has_map(stage)
        assert "map: all rows are on the screen" in stage.text


async def test_a_key_shows_and_hides_the_map_and_the_next_viewer_knows(live: Path) -> None:
    folder = live.parent / "viewer"
    async with running_viewer(live, (39, 20), settings_of(live.parent, viewer_folder=folder)) as stage:
        await stage.press("c")
        assert _has_map(stage)
        await stage.until(lambda: ShownChoices(folder).of("orders") == ShownChoice(map=True))

    async with running_viewer(live, (39, 20), settings_of(live.parent, viewer_folder=folder)) as stage:
        assert _has_map(stage)
        await stage.press("c")
        assert not _has_map(stage)
        await stage.until(lambda: ShownChoices(folder).of("orders") == ShownChoice(map=False))


async def test_a_click_goes_to_the_chapter_in_that_line_and_a_drag_goes_on(live: Path) -> None:
    async with running_viewer(live, (200, 60), settings_of(live.parent)) as stage:
        line = next(y for y, text in enumerate(_map(stage).drawn_text.splitlines()) if "The backfill took" in text)
        await stage.pilot.mouse_down(MapView, offset=(5, line))
        await stage.pilot.pause()
        assert "The backfill took all night in staging. Make it resumable" in stage.text
        assert "paused" in stage.text

        await stage.pilot.hover(MapView, offset=(5, 0))
        await stage.pilot.mouse_up(MapView, offset=(5, 0))
        await stage.pilot.pause()
        assert "Move the orders table to the new cluster without downtime" in stage.text


async def test_a_chapter_that_arrives_is_on_the_map(tmp_path: Path) -> None:
    path, lines = tmp_path / "orders.jsonl", long_chain().lines
    path.write_bytes(b"".join(lines[:270]))
    with locked_journal(path):
        async with running_viewer(path, (200, 60), settings_of(tmp_path)) as stage:
            assert "Write the runbook" not in _map(stage).drawn_text

            with path.open("ab") as journal:
                journal.write(b"".join(lines[270:]))
            await stage.until(lambda: "Write the runbook" in _map(stage).drawn_text)


async def test_what_is_in_view_is_marked_and_moves_with_it(live: Path) -> None:
    async with running_viewer(live, WIDE, settings_of(live.parent)) as stage:
        bars = [line[0] for line in _map(stage).drawn_text.splitlines()]
        assert bars[-2:] == ["┃", "▌"]
        assert set(bars[:-2]) == {"│"}

        await stage.press("g")
        assert [line[0] for line in _map(stage).drawn_text.splitlines()][:3] == ["▌", "┃", "┃"]


async def test_a_frame_in_which_nothing_changed_draws_no_line_of_the_map(
    live: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_viewer(live, WIDE, settings_of(live.parent)) as stage:
        drawn = list[RowsInView]()
        lines_of = ChapterMap.lines

        def lines(chapters: ChapterMap, view: RowsInView) -> list[Spans]:
            drawn.append(view)
            return lines_of(chapters, view)

        monkeypatch.setattr(ChapterMap, "lines", lines)
        await stage.press("m")
        assert drawn == []

        await stage.press("k")
        assert len(drawn) == 1


@pytest.mark.deep  # when it comes is tried above
async def test_a_map_that_came_by_itself_stays_until_all_rows_fit(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for name in range(9):
        builder.thought(f"Way {name}", name + 1, 9)
        for number in range(1, 10):
            builder.thought(f"Step {number}", number, 9, branch=f"way-{name}", from_=name + 1)
    path = builder.write(tmp_path / "a.jsonl")
    async with running_viewer(path, (120, 30), settings_of(tmp_path)) as stage:
        assert _has_map(stage)
        for _ in range(3):
            await stage.press("h", "h", "k", "k")  # folds the branch, and goes to the one above
        assert stage.text.count("●●●●●●") == 3
        assert _has_map(stage)
        await stage.press("enter")
        assert not _has_map(stage)
        await stage.press("escape")
        assert _has_map(stage)

        await stage.press("H")
        await stage.until(lambda: not _has_map(stage))


async def test_the_map_shows_where_a_search_has_hits_while_it_is_on(live: Path) -> None:
    async with running_viewer(live, WIDE, settings_of(live.parent)) as stage:
        await stage.press("/", *"backfill", "enter")
        await stage.until(lambda: "/" in _map(stage).drawn_text)
        await stage.press("escape")
        await stage.until(lambda: "/" not in _map(stage).drawn_text)


async def test_a_thought_that_is_marked_is_on_the_map(tmp_path: Path) -> None:
    path = long_chain().write(tmp_path / f"{SESSION}.jsonl")
    async with running_viewer(path, WIDE, settings_of(tmp_path, viewer_folder=tmp_path / "viewer")) as stage:
        await stage.press("b")
        await stage.until(lambda: "⚑" in _map(stage).drawn_text)
        await stage.press("b")
        await stage.until(lambda: "⚑" not in _map(stage).drawn_text)
