"""The edits of a repository's files, out of the index: in all its working trees, also those that are gone."""

import posixpath
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

from seqthink.library.viewer_store.edit_index import EditIndex, IndexedSession
from seqthink.library.why.attribution import MAX_MINUTES_BEFORE, ActiveSession, PlacedEdit
from seqthink.library.why.recorded_edits import GitCommand, RecordedEdit
from seqthink.library.why.session_reading import decoded, minutes_of

MAX_MOVES: Final = 5
"""How many names of a file before the last one are followed."""
_MINUTES_AROUND: Final = 2


class EditsInRepository:
    """What the index says of one repository, or of files without one.

    Args:
        index: the index.
        top: the root of the working tree; empty without a repository: then paths are absolute.
        kind_of: returns whether a folder is a working tree of the repository.
        holds_folder: returns whether a folder lies in one.
        since: the time before which nothing counts, in microseconds since 1970.
    """

    def __init__(
        self,
        index: EditIndex,
        top: str,
        kind_of: Callable[[str], Literal["same", "gone", "other"]],
        holds_folder: Callable[[str], bool],
        since: int = 0,
    ) -> None:
        self._index, self._top, self._kind_of, self._holds_folder = index, top, kind_of, holds_folder
        self._since = since
        self._edits: dict[str, list[PlacedEdit]] = {}
        self._former: dict[str, str] = {}
        self._commands: dict[int, list[GitCommand]] = {}
        self._folders: dict[str, bool] = {}
        self._active: dict[int, list[ActiveSession]] = {}

    def edits_of(self, path: str) -> Sequence[PlacedEdit]:
        """Return the edits of a file, and those of the files that were moved to it."""
        if path not in self._edits:
            names = [path, self._former[path]] if path in self._former else [path]
            found = {
                (one.session, one.edit.call, one.edit.path, one.edit.time, place): one
                for name in names
                for place, one in enumerate(self._found(name, MAX_MOVES))
            }
            self._edits[path] = [one for one in found.values() if one.edit.time >= self._since]
        return self._edits[path]

    def note_former_name(self, path: str, before: str) -> None:
        """Note that a file was called ``before``, before its edits are asked for."""
        self._former[path] = before

    def git_commands_of(self, session: int) -> Sequence[GitCommand]:
        """Return the git commands of a session."""
        if session not in self._commands:
            found = self._index.git_commands_of(session)
            self._commands[session] = [
                GitCommand(time=one.time, folder=one.folder, step="commit" if one.step == "commit" else "restore")
                for one in found
            ]
        return self._commands[session]

    def active_at(self, minute: int) -> Sequence[ActiveSession]:
        """Return the sessions that worked in the repository around a minute."""
        if minute not in self._active:
            found = self._index.sessions_between(minute - MAX_MINUTES_BEFORE, minute + _MINUTES_AROUND)
            self._active[minute] = [
                ActiveSession(number, minutes_of(session)) for number, session in found if self._is_here(session)
            ]
        return self._active[minute]

    def _is_here(self, session: IndexedSession) -> bool:
        return any(self._is_in(folder) for folder in (session.folder, session.repository) if folder)

    def _is_in(self, folder: str) -> bool:
        if folder not in self._folders:
            here = self._top and self._holds_folder(folder)
            self._folders[folder] = here or (self._kind_of(folder) == "gone" and self._is_namesake(folder))
        return self._folders[folder]

    def _found(self, path: str, moves: int) -> Iterator[PlacedEdit]:
        for place in self._index.paths_named(posixpath.basename(path)):
            root = self._root_of(place, path)
            kind = self._kind_of(root) if root and self._top else "same"
            if root is None or kind == "other":
                continue
            is_gone = kind == "gone" and not self._is_namesake(root)
            for session, indexed in self._index.edits_of([place]):
                edit = decoded(indexed.edit)
                if edit is None:
                    continue
                yield PlacedEdit(session, edit, root, is_gone)
                if edit.moved_to == place and edit.path != place and moves:
                    yield from self._before_move(edit, root, moves - 1)

    def _before_move(self, move: RecordedEdit, root: str, moves: int) -> Iterator[PlacedEdit]:
        """Yield the edits of a file before it was moved, in the same working tree."""
        if not move.path.startswith(f"{root}/"):
            return
        before = move.path[len(root) + 1 :] if self._top else move.path
        for placed in self._found(before, moves):
            if placed.root == root and placed.edit.time <= move.time:
                yield placed

    def _root_of(self, place: str, path: str) -> str | None:
        """Return the working tree in which a place is this path; None for another file."""
        if not self._top:
            return posixpath.dirname(place) if place == path else None
        if not place.endswith(f"/{path}"):
            return None
        return place[: -len(path) - 1]

    def _is_namesake(self, folder: str) -> bool:
        """Return whether a folder that is gone lay in the working tree, or had its name: it was moved."""
        return folder.startswith(f"{self._top}/") or posixpath.basename(folder) == posixpath.basename(self._top)
