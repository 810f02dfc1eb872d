"""What moves by itself: a new row stands out and fades, and nothing else does."""

from pathlib import Path

import pytest

from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tui.widgets.chain_tree import HIGHLIGHT_TENTHS, ChainTree

SIZE = (60, 20)


def _journal() -> JournalBuilder:
    return JournalBuilder().session().thought("Old", 1, 3).thought("Old too", 2, 3)


def _glowing(stage: Stage) -> list[int]:
    tree = stage.app.query_one(ChainTree)
    return [y for y in range(tree.size.height) if tree.accent_tenths(y)]


def _grown(path: Path, builder: JournalBuilder) -> None:
    with path.open("ab") as journal:
        journal.write(builder.thought("New", 3, 3).lines[-1])


async def test_a_new_row_stands_out_and_fades_while_the_old_ones_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = _journal()
    path = builder.write(tmp_path / "a.jsonl")
    levels: list[set[int]] = []
    plain = ChainTree.redraw_lines

    def noted(tree: ChainTree, lines: list[int]) -> None:
        levels.append({tree.accent_tenths(y) for y in lines})
        plain(tree, lines)

    monkeypatch.setattr(ChainTree, "redraw_lines", noted)
    async with running_viewer(path, SIZE, settings_of(tmp_path)) as stage:
        assert _glowing(stage) == []
        _grown(path, builder)
        await stage.until(lambda: len(levels) == len(HIGHLIGHT_TENTHS))

        assert levels == [{2}, {1}, {0}]
        assert _glowing(stage) == []


async def test_without_motion_a_new_row_is_there_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: ChainTree, first: int) -> None:
        pytest.fail(f"the rows from thought {first} on move")

    monkeypatch.setattr(ChainTree, "highlight_new_rows", refuse)
    builder = _journal()
    path = builder.write(tmp_path / "a.jsonl")
    async with running_viewer(path, SIZE, settings_of(tmp_path, has_motion=False)) as stage:
        _grown(path, builder)
        await stage.until(lambda: "New" in stage.text)
