"""The list of sessions at the keys: groups, what is unread, who needs you, what is searched for."""

from collections.abc import Generator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from seqthink.library.viewer_store.read_state import ReadState
from tests.support.journals.build import START, JournalBuilder
from tests.support.screens.screen_text import HOST, Stage, after, locked_journal, running_viewer, settings_of
from tui.screens.sessions import SessionsScreen
from tui.widgets.line_view import PickList

NOW = int((START + timedelta(minutes=2)).timestamp() * 1_000_000)
SIZE = (120, 30)


def begun(name: str, seconds: float) -> JournalBuilder:
    builder = JournalBuilder(START + timedelta(seconds=seconds)).session(title=name, host=HOST)
    return builder.thought(f"{name} first", 1, 9).thought(f"{name} newest", 2, 9, after=1)


@pytest.fixture
def folder(tmp_path: Path) -> Generator[Path]:
    """Write three live sessions, the second asking, one that is done, and an old one that was read."""
    with ExitStack() as held:
        for number, name in enumerate(("alpha", "beta", "gamma")):
            builder = begun(name, number * 10)
            path = (builder.asking(message="May I?") if name == "beta" else builder).write(
                tmp_path / f"s{number}.jsonl"
            )
            held.enter_context(locked_journal(path))
        begun("delta", 40).thought("delta ends", 3, 3, next=False).end().write(tmp_path / "s4.jsonl")
        begun("old", -90_000).end().write(tmp_path / "s5.jsonl")
        ReadState(tmp_path / "viewer").begin(NOW - 200_000_000)
        yield tmp_path


def in_order(stage: Stage) -> list[str]:
    words = ("needs you", "going on", "ended, unread", "earlier", "alpha", "beta", "gamma", "delta", "old")
    lines = stage.text.splitlines()[1:]
    rows = lines[: next((at for at, line in enumerate(lines) if not line.strip()), len(lines))]
    return [next(word for word in words if word in line) for line in rows if any(word in line for word in words)]


async def listed(stage: Stage) -> None:
    await stage.press("s")
    await stage.until(lambda: isinstance(stage.app.screen, SessionsScreen) and stage.app.screen.is_ready)
    await stage.shows("earlier", "delta ends")


async def test_sessions_stand_in_groups_and_by_start(folder: Path) -> None:
    settings = settings_of(folder, now=NOW, viewer_folder=folder / "viewer")
    async with running_viewer(folder / "s0.jsonl", SIZE, settings) as stage:
        await listed(stage)

        assert in_order(stage) == [
            *("needs you", "beta", "going on", "alpha", "gamma", "ended, unread", "delta", "earlier", "old")
        ]
        assert "▲1 ○2 ✓1" in stage.text


async def test_what_is_unread_says_how_much_is_new_and_the_shown_one_is_marked(folder: Path) -> None:
    settings = settings_of(folder, now=NOW, viewer_folder=folder / "viewer")
    async with running_viewer(folder / "s0.jsonl", SIZE, settings) as stage:
        await listed(stage)
        await stage.shows("3 new")
        [alpha] = [line for line in stage.text.splitlines() if "alpha first" in line]

        assert "►" in alpha
        assert "new " not in alpha.replace("newest", "")
        assert stage.text.count("►") == 1


async def test_the_question_is_in_the_row_and_in_the_preview(folder: Path) -> None:
    async with running_viewer(folder / "s0.jsonl", SIZE, settings_of(folder, now=NOW)) as stage:
        await listed(stage)
        await stage.press("g")

        assert "beta" in stage.cursor
        assert "▲ May I?" in stage.text
        assert "beta newest" in stage.text


async def test_one_key_goes_to_the_one_that_needs_you(folder: Path) -> None:
    async with running_viewer(folder / "s0.jsonl", SIZE, settings_of(folder, now=NOW)) as stage:
        await listed(stage)
        await stage.press("G", "!")
        assert "beta" in stage.cursor
        await stage.press("enter")
        await stage.until(lambda: len(stage.app.screen_stack) == 1)

        assert stage.session.state.feed.path == folder / "s1.jsonl"


async def test_who_has_read_a_session_finds_it_among_the_earlier_ones(folder: Path) -> None:
    settings = settings_of(folder, now=NOW, viewer_folder=folder / "viewer")
    async with running_viewer(folder / "s4.jsonl", SIZE, settings) as stage:
        await listed(stage)

        assert in_order(stage)[-3:] == ["earlier", "delta", "old"]


async def test_what_is_typed_is_counted_and_keeps_the_groups(folder: Path) -> None:
    async with running_viewer(folder / "s0.jsonl", SIZE, settings_of(folder, now=NOW)) as stage:
        await listed(stage)
        await stage.press("slash", *"lta")
        await stage.shows("1 of 5")
        assert in_order(stage) == ["earlier", "delta"]
        await stage.press("escape")
        await stage.until(lambda: len(in_order(stage)) > 2)


async def test_without_anything_that_needs_you_it_says_so(tmp_path: Path) -> None:
    begun("old", -90_000).end().write(tmp_path / "s.jsonl")
    async with running_viewer(tmp_path / "s.jsonl", SIZE, settings_of(tmp_path, now=NOW)) as stage:
        await stage.press("s")
        await stage.shows("earlier")
        await stage.press("!")
        await stage.shows("nothing needs you")


async def test_the_seconds_of_silence_count_in_the_list_as_on_the_session(folder: Path) -> None:
    settings = settings_of(folder, now=NOW, viewer_folder=folder / "viewer", stuck_seconds=100)
    async with running_viewer(folder / "s0.jsonl", SIZE, settings) as stage:
        await listed(stage)
        await stage.shows("needs you 2", "stuck: silent")
        [alpha] = [line for line in stage.text.splitlines() if "alpha first" in line]

        assert "stuck" in alpha
        assert "▲2 ○1" in stage.text


async def test_rows_use_the_room_of_a_broad_and_high_screen(tmp_path: Path) -> None:
    question = "Which of nine services moves first, and why?"
    for number in range(3):
        builder = JournalBuilder(START + timedelta(seconds=number)).session(title=f"s{number}")
        builder.thought(f"{number} {question}", 1, 9).thought("The nightly report", 2, 9, after=1)
        builder.end().write(tmp_path / f"s{number}.jsonl")
    async with running_viewer(tmp_path / "s0.jsonl", (200, 40), settings_of(tmp_path, now=NOW)) as stage:
        await stage.press("s")
        await stage.until(lambda: isinstance(stage.app.screen, SessionsScreen) and stage.app.screen.is_ready)
        await stage.press("g")
        rows = stage.app.screen.query_one(PickList)
        assert "begins with" in stage.text
        assert "…" not in rows.drawn_text
        assert [rows.line_at(line)[1] for line in range(7)] == [False, True, True, True, False, False, False]

        await stage.press("j")
        assert [rows.line_at(line)[1] for line in range(7)] == [False, False, False, False, True, True, True]

        await stage.resize(120, 30)
        assert "begins with" not in stage.text


async def test_on_a_narrow_screen_a_state_has_the_cells_that_no_name_needs(tmp_path: Path) -> None:
    journal = JournalBuilder().session(cwd="/home/ana/infra", host=HOST).thought("Which peering?", 1, 3)
    path = journal.write(tmp_path / "20260310T140200.000000Z-aaaaaa.jsonl")

    with locked_journal(path):
        async with running_viewer(path, (39, 20), settings_of(tmp_path, now=after(journal, 22 * 60))) as stage:
            await stage.press("s")
            await stage.shows("▲ stuck: silent 22m infra")
