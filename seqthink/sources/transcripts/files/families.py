"""Sessions that were copied from others, each in a file that is named after it and whose beginning names the other."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.sources.transcripts.files.listing import FolderLook, ListedFile, list_files

MAX_COPIES_LOOKED_FOR: Final = 500
"""How many files of a folder, the newest, are looked at for copies of a session."""
_SETTLED_NS: Final = 5_000_000_000
"""A copy may say only so long after its file was made what it is a copy of."""
_Roots = dict[str, tuple[str, int]]
"""The first session of each one's family, and its generation; that of the first is 0."""


class Copy(NamedTuple):
    """A session that was copied from another one."""

    id: str
    original: str
    """The id of the session that it was copied from."""
    path: Path


class Family(NamedTuple):
    """A session with the copies of it that changed later."""

    id: str
    file: ListedFile
    """The original's."""
    changed: int
    """When one of them changed last, in microseconds since 1970."""


class Families:
    """Finds out which files are one session.

    Args:
        id_of: returns the id of a session by its file's name; "" for a file that is not a session's.
        original_of: reads the beginning of a session's file; returns the id of the session that it was copied from, ""
            if it is not a copy, None if that is not known (yet).
    """

    def __init__(self, id_of: Callable[[str], str], original_of: Callable[[Path], str | None]) -> None:
        """Know nothing yet."""
        self._id_of = id_of
        self._original_of = original_of
        self._known: dict[tuple[str, int, int], str] = {}
        self._looks: dict[Path, FolderLook[Mapping[str, Sequence[Copy]]]] = {}

    def group(self, files: Sequence[ListedFile], limit: int) -> list[Family]:
        """Return the families that changed last, given all files, newest first; no more files are read than needed."""
        by_id = self._by_id(files)
        roots: _Roots = {}
        found: dict[str, Family] = {}
        for file in files:
            if self.original(file) is None:
                continue
            first, _ = self._root(file, by_id, roots)
            if first not in found:
                if len(found) == limit:
                    break
                found[first] = Family(first, by_id[first], file.changed)
        return list(found.values())

    def copies_in(self, folder: Path) -> Mapping[str, Sequence[Copy]]:
        """Return the copies in a folder by the session that they come from, each behind what it was copied from.

        The folder is looked through again when its entries have changed.
        """
        if folder not in self._looks:
            self._looks[folder] = FolderLook(folder, lambda: self._copies_of(self._list(folder)), _SETTLED_NS)
        return self._looks[folder].get()

    def _copies_of(self, files: Sequence[ListedFile]) -> Mapping[str, Sequence[Copy]]:
        by_id = self._by_id(files)
        roots: _Roots = {}
        copies: list[tuple[int, str, Copy]] = []
        for file in islice(files, MAX_COPIES_LOOKED_FOR):
            original = self.original(file)
            first, generation = self._root(file, by_id, roots) if original else ("", 0)
            if original and generation:
                copies.append((generation, first, Copy(self._id(file), original, Path(file.path))))
        found: dict[str, list[Copy]] = {}
        for _, first, copy in sorted(copies):
            found.setdefault(first, []).append(copy)
        return found

    def first_of(self, folder: Path, session: str) -> ListedFile | None:
        """Return the file of the session that one was copied from in the end, or its own; None if neither is there."""
        by_id = self._by_id(self._list(folder))
        file = by_id.get(session)
        return None if file is None else by_id[self._root(file, by_id, {})[0]]

    def original(self, file: ListedFile) -> str | None:
        """Return what a file was copied from, as ``original_of`` does; its beginning is read once."""
        key = (file.path, file.device, file.inode)
        known = self._known.get(key)
        if known is None:
            known = self._original_of(Path(file.path))
            if known is not None:
                self._known[key] = known
        return known

    def _id(self, file: ListedFile) -> str:
        return self._id_of(file.path.rpartition("/")[2])

    def _by_id(self, files: Iterable[ListedFile]) -> dict[str, ListedFile]:
        found: dict[str, ListedFile] = {}
        for file in files:
            if identifier := self._id(file):
                found.setdefault(identifier, file)
        return found

    def _list(self, folder: Path) -> list[ListedFile]:
        return list_files(folder, depth=0, wants_file=lambda name: bool(self._id_of(name)))

    def _root(self, file: ListedFile, by_id: Mapping[str, ListedFile], roots: _Roots) -> tuple[str, int]:
        """Return the session that one was copied from in the end, and its generation, as far as all are in one folder.

        What is found out on the way is kept in ``roots``.
        """
        way: dict[str, None] = {}
        at = self._id(file)
        while at not in roots:
            original = self.original(by_id[at])
            if not original or original in way or not _are_together(by_id.get(original), by_id[at]):
                roots[at] = (at, 0)
                break
            way[at] = None
            at = original
        for each in reversed(way):
            first, generation = roots[at]
            roots[each] = (first, generation + 1)
            at = each
        return roots[self._id(file)]


def _are_together(original: ListedFile | None, copy: ListedFile) -> bool:
    return original is not None and original.path.rpartition("/")[0] == copy.path.rpartition("/")[0]
