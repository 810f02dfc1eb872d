"""The page's list by repository, and what is asked for in its address."""

from pathlib import Path
from typing import Any

import pytest

from seqthink.chain.overview.session_filter import session_filter
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from tests.share.web.test_pages import read
from tests.support.git_folders import git_folder
from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import HOST
from tests.support.web.asgi import Reader


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, origin in (("shop", "acme/shop"), ("cart", "acme/cart")):
        git_folder(tmp_path / name, origin=f"https://ada:s3cret@github.com/{origin}")
        builder = JournalBuilder().session(name, title=f"In {name}", cwd=str(tmp_path / name), branch="feat", host=HOST)
        (tmp_path / "journals").mkdir(exist_ok=True)
        builder.thought(f"pool of {name}", 1, 1, next=False).end().write(tmp_path / f"journals/{name}.jsonl")
    return tmp_path / "journals"


def keys(answer: Any) -> list[str]:  # noqa: ANN401 - JSON
    return sorted(one["key"] for group in answer["groups"] for one in group["sessions"])


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", ["cart", "shop"]),
        ("?repo=shop", ["shop"]),
        ("?repo=acme/", ["cart", "shop"]),
        ("?repo=nosuch", []),
        ("?q=repo:cart", ["cart"]),
        ("?q=branch:feat+in+cart", ["cart"]),
        ("?repo=shop&q=repo:cart", ["cart", "shop"]),
        ("?repo=shop&q=cart", []),
    ],
)
def test_the_list_has_the_sessions_that_are_asked_for(folder: Path, asked: str, found: list[str]) -> None:
    async def use(reader: Reader) -> None:
        answer = await reader.answer_with("/sessions", lambda answer: len(keys(answer)) == 2)
        assert "s3cret" not in str(answer)
        assert keys((await reader.get(f"/sessions{asked}")).json) == found

    read(folder, use)


def test_the_list_groups_by_repository_with_their_addresses(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        await reader.answer_with("/sessions", lambda answer: len(keys(answer)) == 2)
        answer = (await reader.get("/sessions?by=repository")).json
        named = sorted((group["title"], group["about"]) for group in answer["groups"])
        assert named == [("cart", "github.com/acme/cart"), ("shop", "github.com/acme/shop")]
        assert {one["repository"] for group in answer["groups"] for one in group["sessions"]} == {
            "cart (feat)", "shop (feat)",
        }  # fmt: skip

    read(folder, use)


def test_texts_are_found_in_the_sessions_that_are_asked_for(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        for asked in ("repo=shop&q=pool", "q=repo:shop+pool"):
            answer = await reader.answer_with(f"/find?{asked}", lambda answer: answer["is_done"])
            assert [hit["key"] for hit in answer["hits"]] == ["shop"]

    read(folder, use)


def test_mistakes_are_named_and_what_is_not_allowed_is_refused(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        answer = (await reader.get("/sessions?q=colour:red")).json
        assert answer["error"].startswith("there is no filter colour:")
        assert (await reader.get("/sessions?by=size")).status == 400
        assert (await reader.get(f"/sessions?repo={'x' * 1001}")).status == 400

    read(folder, use)


def test_the_sessions_that_the_command_line_wants_are_all_there_is(folder: Path) -> None:
    catalog = SessionCatalog(FolderPlace(folder))
    catalog.wanted.choose(session_filter("repo:=shop"))

    async def use(reader: Reader) -> None:
        answer = await reader.answer_with("/sessions", lambda answer: keys(answer) == ["shop"])
        assert answer["filter"] == "repo:=shop"
        assert keys((await reader.get("/sessions?repo=cart")).json) == []

    read(folder, use, catalog=catalog)
