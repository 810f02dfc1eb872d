"""Only regular files inside the workspace are read, whatever the path says or leads through."""

import os
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from seqthink.audit.config import SessionConfig
from seqthink.audit.workspace.files import (
    IS_FOLDER,
    LINKED,
    MISSING,
    NOT_REGULAR,
    OUTSIDE,
    RefusedFileError,
    printable_path,
    read_file,
)
from seqthink.audit.workspace.workspace import Workspace, find_root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with one file, next to a folder with a secret."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("secret\n", encoding="utf-8")
    inside = tmp_path / "inside"
    (inside / "src").mkdir(parents=True)
    (inside / "src" / "a.py").write_text("a = 1\n", encoding="utf-8")
    return inside


def refusal(root: Path, path: str) -> str:
    with pytest.raises(RefusedFileError) as refused:
        read_file(root, path, 100)
    return refused.value.reason


def test_a_file_is_read_by_its_path_below_the_root(root: Path) -> None:
    assert read_file(root, "src/a.py", 100).data == b"a = 1\n"
    assert read_file(root, "./src//a.py", 100).data == b"a = 1\n"


@pytest.mark.parametrize("path", ["../outside/secret", "src/../../outside/secret", "src/..", "..", "/etc/passwd"])
def test_a_path_that_leads_out_is_refused(root: Path, path: str) -> None:
    assert refusal(root, path) == OUTSIDE


def test_links_are_not_followed_at_the_end_nor_on_the_way_nor_around(root: Path) -> None:
    (root / "link").symlink_to(root.parent / "outside" / "secret")
    (root / "folder").symlink_to(root.parent / "outside")
    (root / "inner").symlink_to("src")
    (root / "loop").symlink_to("loop")

    assert refusal(root, "link") == LINKED
    assert refusal(root, "loop") == LINKED
    for path in ("folder/secret", "inner/a.py", "loop/x", "src/a.py/x"):
        assert refusal(root, path) == "a part of its path is a symbolic link or a file"


def test_a_file_that_becomes_a_link_after_it_was_seen_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def swapping(path: str | Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "a.py":
            (root / "src" / "a.py").unlink()
            (root / "src" / "a.py").symlink_to(root.parent / "outside" / "secret")
        return opened(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", swapping)

    assert refusal(root, "src/a.py") == LINKED


def test_what_is_no_file_is_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(root)
        try:
            server.bind("socket")
        finally:
            os.chdir(here)

        assert refusal(root, "pipe") == NOT_REGULAR
        assert refusal(root, "socket") == NOT_REGULAR
    assert refusal(root, "src") == IS_FOLDER
    assert refusal(root, ".") == IS_FOLDER
    assert refusal(root, "none") == MISSING


def test_a_hard_link_is_a_file(root: Path) -> None:
    (root / "hard").hardlink_to(root / "src" / "a.py")

    assert read_file(root, "hard", 100).data == b"a = 1\n"


@pytest.mark.parametrize(
    "path",
    [
        *(".git/config", "src/.git", ".GIT/config", ".git./x", ".git /x", ".git::$INDEX_ALLOCATION/x", "git~1/config"),
        *(".g\u200cit/config", "src\\.git\\config", ".Git"),
    ],
)
def test_gits_own_folder_is_refused_under_each_name_that_some_file_system_takes_for_it(root: Path, path: str) -> None:
    assert refusal(root, path) == "it belongs to git"


def test_names_that_only_resemble_gits_are_files_like_others(root: Path) -> None:
    for name in (".gitignore", ".github", "git", "x.git", ".git-blame"):
        (root / name).write_text(name, encoding="utf-8")

        assert read_file(root, name, 100).data == name.encode()


@pytest.mark.parametrize("path", ["a\0b", "a\udcffb", "\ud800"])
def test_a_name_that_no_text_can_hold_is_refused(root: Path, path: str) -> None:
    assert refusal(root, path) == "its name is not text"


def test_a_file_larger_than_the_bound_is_refused(root: Path) -> None:
    (root / "large").write_bytes(b"x" * 2049)

    with pytest.raises(RefusedFileError, match="larger than 2 KiB"):
        read_file(root, "large", 2048)
    assert len(read_file(root, "large", 2049).data) == 2049


def test_no_descriptor_is_left_open(root: Path) -> None:
    free = os.dup(0)
    os.close(free)

    for path in ("src/a.py", "src", "none", "src/a.py/x"):
        with suppress(RefusedFileError):
            read_file(root, path, 2)

    again = os.dup(0)
    os.close(again)
    assert again == free


def test_a_name_in_a_sentence_is_one_line() -> None:
    assert printable_path("ä b.py") == "ä b.py"
    assert printable_path("a\nb\x1b") == r"'a\nb\x1b'"
    assert len(printable_path("x" * 9999)) == 200


async def test_paths_are_read_without_a_repository_and_each_refusal_is_reported(root: Path) -> None:
    (root / "link").symlink_to(root.parent / "outside" / "secret")
    paths = ("src/a.py", f"{root}/src/a.py", "link", "../outside/secret", "src", "none.py")

    material = await Workspace(root).read_files(SessionConfig(scope="paths", paths=paths))

    assert [(source.path, source.text, source.added_lines) for source in material.units] == [
        ("src/a.py", "a = 1\n", None)
    ]
    assert material.notes == (
        f"Left out ({LINKED}): link.",
        f"Left out ({OUTSIDE}): ../outside/secret.",
        f"Left out ({IS_FOLDER}): src.",
        f"Left out ({MISSING}): none.py.",
    )


async def test_a_root_that_is_a_link_is_resolved_once(root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to(root)
    workspace = Workspace(link)
    link.unlink()
    link.symlink_to(root.parent / "outside")

    material = await workspace.read_files(SessionConfig(scope="paths", paths=("secret", "src/a.py")))

    assert [source.path for source in material.units] == ["src/a.py"]


@pytest.mark.parametrize("scope", ["diff", "workspace"])
async def test_without_a_repository_nothing_is_gathered_and_it_is_reported(root: Path, scope: str) -> None:
    material = await Workspace(root).read_files(SessionConfig(scope="diff" if scope == "diff" else "workspace"))

    assert material.units == ()
    assert material.notes == ("The workspace is not a git repository: nothing in it was read.",)


def test_the_clients_first_usable_root_is_the_workspace(tmp_path: Path) -> None:
    folder = tmp_path / "a b#ä"
    folder.mkdir()
    unusable = ["file:///", "http://x/y", "file://elsewhere/tmp", "file:///none", "x", "file://[", "file:///%00"]

    assert find_root([*unusable, folder.as_uri()], tmp_path / "none", tmp_path) == folder
    assert find_root([f"file://localhost{tmp_path}"], None, Path("/")) == tmp_path


def test_the_option_stands_for_a_missing_root_and_the_working_folder_for_both(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)

    assert find_root(["file:///"], tmp_path / "link", Path("/")) == tmp_path
    assert find_root([], None, tmp_path) == tmp_path


def test_an_unusable_option_or_working_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / ".git" / "hooks").mkdir(parents=True)
    (tmp_path / "file").touch()

    assert find_root([], tmp_path / "none", tmp_path) == f"No workspace: {tmp_path}/none does not exist (--workspace)."
    assert find_root([], tmp_path / "file", tmp_path) == f"No workspace: {tmp_path}/file is not a folder (--workspace)."
    assert "is inside a git folder" in str(find_root([], tmp_path / ".git" / "hooks", tmp_path))
    assert find_root([], None, Path("/")) == (
        "No workspace: / is the whole file system (the working folder; set --workspace)."
    )
