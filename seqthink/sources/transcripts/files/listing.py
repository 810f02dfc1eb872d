"""Lists the files of a client's folder, newest first, without opening one."""

import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

from seqthink.core import system

MAX_ENTRIES: Final = 250_000
"""After this many entries a walk ends with what it has."""


_SETTLED_NS: Final = 100_000_000
_Found = TypeVar("_Found")


class ListedFile(NamedTuple):
    """A regular file of this user."""

    path: str
    changed: int
    """When it changed last, in microseconds since 1970 (UTC)."""
    size: int
    """Its size in bytes."""
    device: int
    inode: int


def list_files(
    folder: Path | str,
    *,
    depth: int,
    wants_file: Callable[[str], bool],
    enters_folder: Callable[[str, int], bool] = lambda _name, _depth: True,
    on_link: Callable[[str], object] = lambda _path: None,
    max_entries: int = MAX_ENTRIES,
) -> list[ListedFile]:
    """Return this user's regular files in ``folder``, newest first.

    Links are not followed, except where ``folder`` itself leads through one. What cannot be listed, or vanishes
    meanwhile, is left out.

    Args:
        folder: Where to begin; it need not exist.
        depth: How many levels of folders below it are entered; 0 for its own files only.
        wants_file: Called with a file's name; returns whether it is listed.
        enters_folder: Called with a folder's name and its level below ``folder`` (from 1); returns whether to enter it.
        on_link: Called with the path of each link to a file or folder that would have been listed or entered.
        max_entries: How many entries are looked at.
    """
    found: list[ListedFile] = []
    waiting: list[tuple[str, int]] = [(str(folder), 0)]
    seen = 0
    while waiting and seen < max_entries:
        path, level = waiting.pop()
        files, folders, links, entries = _entries_of(path, wants_file, max_entries - seen)
        seen += entries
        for name in links:
            if wants_file(name) or (level < depth and enters_folder(name, level + 1)):
                on_link(f"{path}/{name}")
        found += [listed(path, status) for path, status in files if system.is_own(status)]
        if level < depth:
            waiting += [(f"{path}/{name}", level + 1) for name in folders if enters_folder(name, level + 1)]
    found.sort(key=attrgetter("changed", "path"), reverse=True)
    return found


def list_in_folders(
    folder: Path, file_of: Callable[[str], str], on_link: Callable[[str], object] = lambda _path: None
) -> list[ListedFile]:
    """Return this user's regular files in the folders in ``folder``, one in each, newest first.

    Their names are known, so that none of the folders has to be listed. Links and hidden folders are left out.

    Args:
        folder: Where the folders are; it need not exist.
        file_of: Called with a folder's name; returns the file's.
        on_link: Called with the path of each link to a folder or file that would have been listed.
    """
    return sorted(_in_folders(folder, file_of, on_link), key=attrgetter("changed", "path"), reverse=True)


def _in_folders(folder: Path, file_of: Callable[[str], str], on_link: Callable[[str], object]) -> Iterator[ListedFile]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, MAX_ENTRIES):
            path = f"{entry.path}/{file_of(entry.name)}"
            with suppress(OSError):  # there is no such file, or it vanished
                status = os.lstat(path)
                if entry.is_symlink() or stat.S_ISLNK(status.st_mode):
                    on_link(entry.path if entry.is_symlink() else path)
                elif stat.S_ISREG(status.st_mode) and system.is_own(status) and not entry.name.startswith("."):
                    yield listed(path, status)


@lru_cache(maxsize=1 << 15)
def path_of(text: str) -> Path:
    """Return a path, the same object each time: making it takes long, and most files were listed before."""
    return Path(text)


def list_folders(folder: Path) -> list[tuple[str, int]]:
    """Return the paths of the folders in ``folder`` with the time of their last change (µs), newest first."""
    found: list[tuple[str, int]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    if entry.is_dir(follow_symlinks=False):
                        found.append((entry.path, entry.stat(follow_symlinks=False).st_mtime_ns // 1000))
                except OSError:
                    continue
    except OSError:
        return found
    return sorted(found, key=lambda pair: pair[1], reverse=True)


_Entries = tuple[list[tuple[str, os.stat_result]], list[str], list[str], int]


def _entries_of(path: str, wants_file: Callable[[str], bool], limit: int) -> _Entries:
    """Return the wanted regular files, the names of folders and of links, and how many entries were looked at."""
    files: list[tuple[str, os.stat_result]] = []
    folders: list[str] = []
    links: list[str] = []
    seen = 0
    try:
        with os.scandir(path) as entries:
            for seen, entry in enumerate(entries, start=1):
                if seen > limit:
                    break
                if entry.is_symlink():
                    links.append(entry.name)
                else:
                    _take(entry, wants_file, files, folders)
    except OSError:
        pass  # gone or not permitted: what was listed counts
    return files, folders, links, seen


def _take(
    entry: "os.DirEntry[str]",
    wants_file: Callable[[str], bool],
    files: list[tuple[str, os.stat_result]],
    folders: list[str],
) -> None:
    try:
        if entry.is_dir(follow_symlinks=False):
            folders.append(entry.name)
        elif wants_file(entry.name):
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                files.append((entry.path, status))
    except OSError:
        return  # it vanished


class FolderLook(Generic[_Found]):
    """What was found in a folder, looked up again only when its entries changed."""

    def __init__(self, folder: Path, look: Callable[[], _Found], settled_ns: int = _SETTLED_NS) -> None:
        """Look with ``look`` in ``folder``.

        Args:
            folder: The folder; it need not exist.
            look: Looks, and returns what it found; the folder may be missing.
            settled_ns: A folder that changed so shortly before is looked through again, since it may change once more
                and show the same time.
        """
        self._folder = folder
        self._look = look
        self._settled_ns = settled_ns
        self._found: _Found | None = None
        self._changed_ns = -1

    def get(self) -> _Found:
        """Return the current entries."""
        changed_ns = self._time_of_change()
        if self._found is None or changed_ns != self._changed_ns:
            now = time.time_ns()
            self._found = self._look()
            self._changed_ns = changed_ns if changed_ns == 0 or now - changed_ns > self._settled_ns else -1
        return self._found

    def _time_of_change(self) -> int:
        try:
            return self._folder.stat().st_mtime_ns
        except OSError:
            return 0


def listed(path: str, status: os.stat_result) -> ListedFile:
    """Return a file as a listing shows it."""
    return ListedFile(path, status.st_mtime_ns // 1000, status.st_size, status.st_dev, status.st_ino)
