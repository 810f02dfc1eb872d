"""The line that says what the agent does now, on the screen of a live session."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import HOST, Stage, after, locked_journal, running_viewer, settings_of
from tui.session_view.screen import SessionScreen
from tui.settings import Settings
from tui.widgets.chain_tree import ChainTree

LINE = " now  Bash mix test · 41 s"


def _journal() -> JournalBuilder:
    journal = JournalBuilder().session(host=HOST).thought("Why is it slow?", 1, 9).thought("Test it", 2, 9)
    return journal.event("action", {"tool": "Bash", "call": "a", "summary": "mix test"})


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Path]:
    path = _journal().write(tmp_path / "shop.jsonl")
    with locked_journal(path):
        yield path


def _settings(folder: Path) -> Settings:
    return settings_of(folder, now=after(_journal(), 41))


def _second(stage: Stage) -> str:
    return stage.lines[1].rstrip()


@pytest.mark.parametrize("size", first(2, [(200, 60), (28, 8), (80, 24), (39, 20)]))
async def test_the_line_is_there_in_every_view(live: Path, size: tuple[int, int]) -> None:
    async with running_viewer(live, size, _settings(live.parent)) as stage:
        assert _second(stage) == LINE
        for key in ("t", "enter"):
            await stage.press(key)
            assert _second(stage) == LINE


async def test_the_past_of_a_live_session_has_no_line_and_a_row_more(live: Path) -> None:
    async with running_viewer(live, (80, 24), _settings(live.parent)) as stage:
        await stage.press("comma")
        assert "now  " not in stage.text


async def test_a_screen_of_one_line_has_no_room_for_it(live: Path) -> None:
    async with running_viewer(live, (28, 7), _settings(live.parent)) as stage:
        assert "now  " not in stage.text


async def test_each_second_the_line_is_drawn_and_the_tree_is_not(live: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, drawn = [after(_journal(), 41)], list[str]()

    def note(*_: object, **__: object) -> None:
        drawn.append("tree")

    settings = replace(_settings(live.parent), clock=lambda: now[0])
    async with running_viewer(live, (80, 24), settings) as stage:
        monkeypatch.setattr(ChainTree, "show", note)
        now[0] += 1_000_000
        screen = stage.app.screen
        assert isinstance(screen, SessionScreen)
        screen.tick()
        await stage.until(lambda: _second(stage) == " now  Bash mix test · 42 s")

        assert drawn == []


ASKED = "allow Bash docker compose run --rm web bin/rails db:migrate VERSION=20260301 && rm -rf tmp/cache, all of it?"


@pytest.mark.parametrize(
    ("size", "rows"),
    first(
        1,
        [
            ((80, 24), [ASKED[:76], f"{ASKED[77:]} · it waits · answer in claude-code"]),
            (
                (39, 20),
                [
                    "allow Bash docker compose run --rm",
                    "web bin/rails db:migrate",
                    "VERSION=20260301 && rm -rf",
                    "tmp/cache, all of it?",
                ],
            ),
            ((28, 10), ["allow Bash docker", "compose run --rm web bi…"]),
        ],
        is_unpacked=True,
    ),
)
async def test_a_question_has_the_rows_that_it_needs_and_says_where_it_is_cut(
    tmp_path: Path, size: tuple[int, int], rows: list[str]
) -> None:
    journal = JournalBuilder().session(host=HOST).event("prompt", {"text": "Deploy it", "id": "p"})
    journal.asking(journal.seq, purpose="permission", message=ASKED)
    path = journal.write(tmp_path / "shop.jsonl")
    with locked_journal(path):
        async with running_viewer(path, size, settings_of(tmp_path, now=after(journal, 41))) as stage:
            shown = [line[3:].rstrip() for line in stage.lines[1 : len(rows) + 2]]

    assert shown[:-1] == rows
    assert "Deploy it" in shown[-1]
