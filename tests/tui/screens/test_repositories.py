"""The list of sessions by repository, and the filter that the other pages follow."""

from datetime import timedelta
from pathlib import Path

import pytest

from seqthink.chain.overview.session_filter import session_filter
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from tests.support.git_folders import git_folder, worktree
from tests.support.journals.build import START, JournalBuilder
from tests.support.screens.screen_text import HOST, Stage, running_viewer, settings_of
from tui.screens.sessions import SessionsScreen
from tui.settings import Settings

NOW = int((START + timedelta(minutes=2)).timestamp() * 1_000_000)
SIZE = (120, 30)
WORDS = ("needs you", "earlier", "alpha", "beta", "gamma", "delta", "acme/shop", "ada/shop", "notes 1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write four sessions: two of one shop, on a branch each, one of another shop, one in a folder without git."""
    git_folder(tmp_path / "shop", origin="https://github.com/acme/shop")
    worktree(tmp_path / "shop", tmp_path / "feat", branch="feat/pool")
    git_folder(tmp_path / "other/shop", origin="https://gitlab.com/ada/shop")
    works = (
        ("alpha", "shop", "main"),
        ("beta", "feat", "feat/pool"),
        ("gamma", "other/shop", "main"),
        ("delta", "notes", None),
    )
    (tmp_path / "journals").mkdir()
    for number, (name, place, branch) in enumerate(works):
        builder = JournalBuilder(START + timedelta(seconds=number))
        builder.session(f"s{number}", title=name, cwd=str(tmp_path / place), branch=branch, host=HOST)
        builder.thought(f"{name} thinks", 1, 1, next=False).end().write(tmp_path / f"journals/s{number}.jsonl")
    return tmp_path / "journals"


def settings(folder: Path) -> Settings:
    return settings_of(folder, now=NOW, viewer_folder=folder.parent / "viewer")


def in_order(stage: Stage) -> list[str]:
    lines = stage.text.splitlines()[1:]
    rows = lines[: next((at for at, line in enumerate(lines) if not line.strip()), len(lines))]
    return [word for line in rows for word in WORDS if word in line]


async def listed(stage: Stage) -> None:
    await stage.press("s")
    await stage.until(lambda: isinstance(stage.app.screen, SessionsScreen) and stage.app.screen.is_ready)
    await stage.shows("delta thinks")


async def test_a_row_says_repository_and_branch(folder: Path) -> None:
    async with running_viewer(folder / "s0.jsonl", SIZE, settings(folder)) as stage:
        await listed(stage)
        rows = stage.text.splitlines()
        lines = {word: next(row for row in rows if f"{word} thinks" in row) for word in WORDS[2:6]}

        assert "shop (main)" in lines["alpha"]
        assert "shop (feat/pool)" in lines["beta"]
        assert "notes" in lines["delta"]


async def test_a_key_groups_by_repository_and_is_remembered(folder: Path) -> None:
    async with running_viewer(folder / "s0.jsonl", SIZE, settings(folder)) as stage:
        await listed(stage)
        await stage.press("r")
        await stage.shows("acme/shop")
        grouped = in_order(stage)
        await stage.press("escape", "s")
        await stage.shows("acme/shop", "delta thinks")

        assert grouped == in_order(stage) == ["notes 1", "delta", "ada/shop", "gamma", "acme/shop", "beta", "alpha"]
    async with running_viewer(folder / "s0.jsonl", SIZE, settings(folder)) as stage:
        await listed(stage)
        await stage.shows("acme/shop")
        await stage.press("r")

        await stage.shows("earlier 4")


async def test_the_filter_narrows_the_list_at_once_and_other_pages_once_it_is_kept(folder: Path) -> None:
    async with running_viewer(folder / "s0.jsonl", SIZE, settings(folder)) as stage:
        await listed(stage)
        await stage.press("ampersand", *"repo:acme/shop branch:feat")
        await stage.shows("1 of 4")
        assert in_order(stage) == ["earlier", "beta"]
        await stage.press("enter")
        await stage.shows("& repo:acme/shop branch:feat")
        await stage.press("F", *"thinks")
        await stage.shows("1 text in 1 session", "beta thinks")
        assert "& repo:acme/shop" in stage.text
        await stage.press("escape", "escape")
        await stage.press("s")
        await stage.shows("1 of 4")
        await stage.press("ampersand", *["backspace"] * 30, "enter")

        await stage.shows("earlier 4")


async def test_a_cancelled_filter_leaves_the_one_before(folder: Path) -> None:
    async with running_viewer(folder / "s0.jsonl", SIZE, settings(folder)) as stage:
        await listed(stage)
        await stage.press("ampersand", *"repo:notes", "enter")
        await stage.shows("1 of 4")
        await stage.press("ampersand", *"x", "escape")

        await stage.shows("& repo:notes", "1 of 4")


async def test_a_mistake_in_the_filter_is_named_and_an_empty_list_says_what_to_do(folder: Path) -> None:
    async with running_viewer(folder / "s0.jsonl", SIZE, settings(folder)) as stage:
        await listed(stage)
        await stage.press("ampersand", *"rep:shop")
        await stage.shows("there is no filter rep:", "4 of 4")
        await stage.press(*["backspace"] * 8, *"repo:nosuch")

        await stage.shows("Nothing matches the filter.")


async def test_a_viewer_begins_with_the_sessions_that_are_wanted(folder: Path) -> None:
    catalog = SessionCatalog(FolderPlace(folder))
    catalog.wanted.choose(session_filter("repo:ada/shop"))
    async with running_viewer(folder / "s0.jsonl", SIZE, settings_of(folder, now=NOW, catalog=catalog)) as stage:
        await stage.press("s")
        await stage.shows("& repo:ada/shop", "gamma thinks")

        assert in_order(stage) == ["earlier", "gamma"]
