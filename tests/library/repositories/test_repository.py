"""Which sessions belong to one repository."""

from pathlib import Path

import pytest

from seqthink.chain.overview.work_place import WorkPlace
from seqthink.core import system
from seqthink.library.repositories.repository import UNKNOWN, Repositories, repository_of
from tests.support.git_folders import git_folder, worktree

SHOP = "https://github.com/acme/shop.git"


def test_worktrees_and_subfolders_and_clones_of_one_origin_are_one_repository(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop", origin=SHOP)
    (tmp_path / "shop/src").mkdir()
    worktree(tmp_path / "shop", tmp_path / "feat", branch="feat")
    git_folder(tmp_path / "moved/clone", origin="git@GitHub.com:acme/shop")
    folders = ("shop", "shop/src", "feat", "moved/clone")
    repositories = Repositories()
    found = {repositories.of_folder(str(tmp_path / folder)) for folder in folders}

    assert {(one.name, one.address, one.key, one.has_git) for one in found} == {
        ("shop", "github.com/acme/shop", "github.com/acme/shop", True)
    }
    assert {repository_of(str(tmp_path / folder)) for folder in folders} == found


def test_without_an_origin_the_working_trees_are_one_repository_and_a_copy_is_another(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop")
    worktree(tmp_path / "shop", tmp_path / "feat", branch="feat")
    git_folder(tmp_path / "copies/shop")
    shop, feat, copy = (repository_of(str(tmp_path / folder)) for folder in ("shop", "feat", "copies/shop"))

    assert shop == feat
    assert (shop.name, shop.address) == ("shop", str(tmp_path / "shop"))
    assert (copy.name, copy.address) == ("shop", str(tmp_path / "copies/shop"))
    assert shop.key != copy.key


def test_a_folder_that_is_reached_through_a_link_is_the_same_repository(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop")
    (tmp_path / "link").symlink_to(tmp_path / "shop")

    assert repository_of(str(tmp_path / "link")) == repository_of(str(tmp_path / "shop"))


@pytest.mark.parametrize("layout", [".bare", "shop.git"])
def test_a_bare_repository_with_worktrees_beside_it_has_the_name_that_people_know(tmp_path: Path, layout: str) -> None:
    git_folder(tmp_path / "made")
    (tmp_path / "shop").mkdir()
    (tmp_path / "made/.git").rename(tmp_path / "shop" / layout)
    worktree(tmp_path / "shop", tmp_path / "shop/main", branch="main", git=layout)

    assert repository_of(str(tmp_path / "shop/main")).name == "shop"


def test_without_git_the_folder_is_its_own_repository(tmp_path: Path) -> None:
    found = repository_of(f"{tmp_path}/")

    assert (found.name, found.address, found.has_git) == (tmp_path.name, str(tmp_path), False)
    assert repository_of("") == UNKNOWN


def test_a_folder_that_is_gone_belongs_to_what_its_client_recorded(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop", origin=SHOP)
    git_folder(tmp_path / "home")  # a folder above does not count, once the one below is gone
    gone = str(tmp_path / "home/gone")
    repositories = Repositories()
    of_worktree = repositories.of_place(WorkPlace(folder=gone, repository=str(tmp_path / "shop")))
    of_clone = repositories.of_place(WorkPlace(folder=gone, remote="github.com/Acme/Shop"))
    alone = repositories.of_place(WorkPlace(folder=gone))

    assert of_worktree.key == of_clone.key == "github.com/acme/shop"
    assert (alone.name, alone.key, alone.has_git) == ("gone", gone, False)


def test_folders_of_other_machines_are_not_looked_at(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop", origin=SHOP)
    repositories, folder = Repositories(), str(tmp_path / "shop")
    here = repositories.of_place(WorkPlace(host=system.host_name(), folder=folder))
    there = repositories.of_place(WorkPlace(host="other", folder=folder))
    elsewhere = repositories.of_place(WorkPlace(host="third", folder=folder))
    known = repositories.of_place(WorkPlace(host="other", folder=folder, remote="github.com/acme/shop"))

    assert here == known
    assert not there.has_git
    assert len({here.key, there.key, elsewhere.key}) == 3


def test_hostile_texts_are_shown_safely_and_fail_nowhere() -> None:
    repositories = Repositories()
    texts = ("/x/\x1b[31mred", "/x/\u202eevil", "..", "/", "\0", "/x/" + "a" * 5_000, "C:\\w\\shop", "/x\n/y\r")
    for folder in texts:
        for remote in ("", "github.com/\x1b[31m/x"):
            found = repositories.of_place(WorkPlace(folder=folder, remote=remote))

            assert all(text.isprintable() for text in (found.name, found.address))


def test_each_folder_is_looked_at_once(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop", origin=SHOP)
    repositories = Repositories()
    before = repositories.of_folder(str(tmp_path / "shop/src"))
    (tmp_path / "shop/.git/HEAD").unlink()

    assert repositories.of_folder(str(tmp_path / "shop/src")) == before
    assert repositories.of_folder(str(tmp_path / "shop")) == before
    assert repository_of(str(tmp_path / "shop")) != before
