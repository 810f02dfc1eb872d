import os
from pathlib import Path

import pytest

from seqthink.sources.transcripts.files.listing import FolderLook, list_files, list_folders


def jsonl(name: str) -> bool:
    return name.endswith(".jsonl")


def make(path: Path, changed: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")
    os.utime(path, (changed, changed))


def test_files_are_listed_newest_first_down_to_a_depth(tmp_path: Path) -> None:
    make(tmp_path / "top.jsonl", 100)
    make(tmp_path / "one" / "old.jsonl", 50)
    make(tmp_path / "one" / "two" / "new.jsonl", 200)
    make(tmp_path / "one" / "note.txt", 300)

    assert [Path(it.path).name for it in list_files(tmp_path, depth=1, wants_file=jsonl)] == ["top.jsonl", "old.jsonl"]
    deep = list_files(tmp_path, depth=2, wants_file=jsonl)
    assert (Path(deep[0].path).name, deep[0].changed, deep[0].size) == ("new.jsonl", 200_000_000, 1)


def test_only_folders_that_are_asked_for_are_entered(tmp_path: Path) -> None:
    make(tmp_path / "yes" / "a.jsonl", 1)
    make(tmp_path / "no" / "b.jsonl", 2)

    def enters(name: str, level: int) -> bool:
        return (name, level) == ("yes", 1)

    listed = list_files(tmp_path, depth=1, wants_file=jsonl, enters_folder=enters)

    assert [Path(it.path).name for it in listed] == ["a.jsonl"]


def test_links_and_what_is_no_file_are_left_out(tmp_path: Path) -> None:
    make(tmp_path / "real" / "a.jsonl", 1)
    folder = tmp_path / "listed"
    folder.mkdir()
    (folder / "link.jsonl").symlink_to(tmp_path / "real" / "a.jsonl")
    (folder / "linked").symlink_to(tmp_path / "real")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")

    assert list_files(folder, depth=3, wants_file=jsonl) == []
    assert [Path(path).name for path, _ in list_folders(folder)] == ["folder.jsonl"]


def test_another_user_s_files_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "a.jsonl", 1)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)

    assert list_files(tmp_path, depth=0, wants_file=jsonl) == []


def test_a_missing_folder_has_no_files(tmp_path: Path) -> None:
    assert list_files(tmp_path / "missing", depth=2, wants_file=jsonl) == []
    assert list_folders(tmp_path / "missing") == []


def test_a_walk_ends_after_so_many_entries(tmp_path: Path) -> None:
    for number in range(30):
        make(tmp_path / f"{number}.jsonl", number)

    assert len(list_files(tmp_path, depth=0, wants_file=jsonl, max_entries=10)) == 10


def test_a_folder_is_looked_through_again_only_where_its_entries_changed(tmp_path: Path) -> None:
    folder = tmp_path / "watched"
    looks: list[int] = []

    def look() -> int:
        looks.append(1)
        return len(list_files(folder, depth=0, wants_file=jsonl))

    it = FolderLook(folder, look)
    assert (it.get(), it.get(), len(looks)) == (0, 0, 1)
    make(folder / "a.jsonl", 1)
    os.utime(folder, (100, 100))
    assert (it.get(), it.get(), len(looks)) == (1, 1, 2)
    make(folder / "b.jsonl", 1)
    assert it.get() == 2
    # The change is so recent that another one could show the same time.
    assert (it.get(), len(looks)) == (2, 4)
