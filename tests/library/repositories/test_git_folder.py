"""What a git folder says, read without git: its branch, its origin, and which folder its working trees share."""

import os
import subprocess
from pathlib import Path

import pytest

from seqthink.library.repositories.git_folder import git_folder_above, may_look
from tests.support.git_folders import COMMIT, git_folder, worktree


def test_a_folder_below_a_repository_has_its_branch_and_origin(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop", branch="feat/pool", origin="git@github.com:acme/shop.git")
    below = tmp_path / "shop" / "src" / "api"
    below.mkdir(parents=True)

    found = git_folder_above(str(below))

    assert found is not None
    assert (found.own, found.common) == (str(tmp_path / "shop/.git"),) * 2
    assert (found.branch, found.remote) == ("feat/pool", "github.com/acme/shop")


def test_a_worktree_shares_the_repository_and_has_a_branch_of_its_own(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop", branch="main", origin="https://github.com/acme/shop")
    worktree(tmp_path / "shop", tmp_path / "elsewhere", branch="feat")

    found = git_folder_above(str(tmp_path / "elsewhere"))

    assert found is not None
    assert (found.branch, found.remote) == ("feat", "github.com/acme/shop")
    assert found.common == str(tmp_path / "shop/.git")


def test_a_submodule_is_a_repository_of_its_own(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop", origin="https://github.com/acme/shop")
    (tmp_path / "shop/lib").mkdir()
    (tmp_path / "shop/lib/.git").write_text("gitdir: ../.git/modules/lib\n", "utf-8")
    git_folder(tmp_path / "made", branch="v2", origin="https://github.com/acme/lib")
    (tmp_path / "shop/.git/modules").mkdir()
    (tmp_path / "made/.git").rename(tmp_path / "shop/.git/modules/lib")

    found = git_folder_above(str(tmp_path / "shop/lib"))

    assert found is not None
    assert (found.branch, found.remote) == ("v2", "github.com/acme/lib")


@pytest.mark.parametrize(
    "head", [COMMIT, "ref: refs/heads/.invalid", "ref: refs/remotes/x/y", "ref: refs/heads/a\x1b[1m"]
)
def test_without_a_branch_none_is_said(tmp_path: Path, head: str) -> None:
    git_folder(tmp_path / "shop")
    (tmp_path / "shop/.git/HEAD").write_text(head + "\n", "utf-8")

    found = git_folder_above(str(tmp_path / "shop"))

    assert found is not None
    assert found.branch == ""


@pytest.mark.parametrize(
    ("config", "remote"),
    [
        ("", ""),
        ('[remote "origin"]\n\turl = "https://example.org/a/b" ; c\n', "example.org/a/b"),
        ('[Remote "origin"] URL=https://example.org/a/b # c\n', "example.org/a/b"),
        ('[remote "up"]\n url = https://u/x/y\n[branch "m"]\n url = https://no/no/no\n', "u/x/y"),
        ('[remote "up"]\n url = https://u/x/y\n[remote "origin"]\n url = https://o/x/y\n', "o/x/y"),
        ('[remote "origin"]\n fetch = +refs\n[url "https://no/"]\n insteadOf = x\n', ""),
        ('[remote "origin"]\n url = ../relative\n', ""),
        ('[remote "origin"]\n url = https://ada:s3cret@o/x/y\n', "o/x/y"),
    ],
)
def test_the_origin_is_read_from_the_settings_as_git_reads_it(tmp_path: Path, config: str, remote: str) -> None:
    git_folder(tmp_path / "shop")
    (tmp_path / "shop/.git/config").write_text(config, "utf-8")

    found = git_folder_above(str(tmp_path / "shop"))

    assert found is not None
    assert found.remote == remote


def test_no_file_is_read_through_a_link_or_beyond_its_bound(tmp_path: Path) -> None:
    git_folder(tmp_path / "other", branch="secret", origin="https://o/x/y")
    git_folder(tmp_path / "shop")
    for name in ("HEAD", "config"):
        (tmp_path / "shop/.git" / name).unlink()
        (tmp_path / "shop/.git" / name).symlink_to(tmp_path / "other/.git" / name)
    git_folder(tmp_path / "large", origin="https://o/x/y")
    (tmp_path / "large/.git/config").write_text(
        "# " + "x" * (1 << 20) + '\n[remote "origin"]\nurl=https://o/x/y\n', "utf-8"
    )
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/.git").symlink_to(tmp_path / "other/.git")
    large = git_folder_above(str(tmp_path / "large"))

    assert git_folder_above(str(tmp_path / "shop")) is None
    assert git_folder_above(str(tmp_path / "linked")) is None
    assert large is not None
    assert large.remote == ""


@pytest.mark.parametrize(
    "text", ["", "gitdir:", "gitdir: ../nowhere", "something else", "gitdir: \0", "gitdir: //host/share/.git"]
)
def test_a_file_that_leads_nowhere_is_not_a_git_folder(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text, "utf-8")

    assert git_folder_above(str(tmp_path)) is None


def test_a_pipe_in_place_of_a_file_holds_nothing_up(tmp_path: Path) -> None:
    git_folder(tmp_path / "shop")
    (tmp_path / "shop/.git/HEAD").unlink()
    os.mkfifo(tmp_path / "shop/.git/HEAD")

    assert git_folder_above(str(tmp_path / "shop")) is None


@pytest.mark.parametrize("folder", ["", "relative", "//host/share/x", "\\\\host\\share", "/a\0b"])
def test_other_machines_and_names_that_no_folder_has_are_not_looked_at(folder: str) -> None:
    assert not may_look(folder)
    assert git_folder_above(folder) is None


def test_git_itself_says_the_same(tmp_path: Path) -> None:
    shop, other = tmp_path / "shop", tmp_path / "w"
    shop.mkdir()
    names = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")
    for command in (
        ("init", "-q", "-b", "feat/pool"),
        ("commit", "-q", "--allow-empty", "-m", "x"),
        ("remote", "add", "origin", "https://ada@github.com/acme/shop.git"),
        ("worktree", "add", "-q", "-b", "fix", str(other)),
    ):
        subprocess.run(["git", *names, *command], cwd=shop, check=True, capture_output=True)
    main, fix = git_folder_above(str(shop)), git_folder_above(str(other))

    assert main is not None
    assert fix is not None
    assert (main.branch, fix.branch) == ("feat/pool", "fix")
    assert (main.common, fix.common) == (str(shop / ".git"),) * 2
    assert main.remote == fix.remote == "github.com/acme/shop"
