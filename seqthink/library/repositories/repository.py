"""The repository of a session, found in its folder or in what its client recorded (docs/sessions.md, "Repositories").

Working trees of one repository share its git folder. Clones of one origin are one repository, too, wherever they are.
Where the folder is gone, or is on another machine, what was recorded counts.
"""

import os
from typing import NamedTuple

from seqthink.chain.overview.work_place import WorkPlace, last_part
from seqthink.core import system
from seqthink.core.text import SafeText, one_line
from seqthink.library.repositories.git_folder import GitFolder, git_folder_in, may_look, with_parents


class Repository(NamedTuple):
    """One repository; without git, one folder."""

    key: str
    """The same for all of its clones and working trees; untrusted text. Empty if no folder is known."""
    name: SafeText
    """What it is called: the last part of its address."""
    address: SafeText
    """Where its origin is, such as ``github.com/acme/shop``, else its folder."""
    has_git: bool


UNKNOWN = Repository("", SafeText(""), SafeText(""), has_git=False)
"""That of a session of which no folder is known."""


class Repositories:
    """Finds the repositories of many sessions: each folder is looked at once, for as long as this is kept."""

    def __init__(self) -> None:
        self._host = system.host_name()
        self._git_folders: dict[str, GitFolder | None] = {}
        self._found: dict[GitFolder, Repository] = {}
        self._of_places: dict[tuple[str, str, str, str], Repository] = {}

    def of_folder(self, folder: str) -> Repository:
        """Return the repository that a folder of this machine is in; the folder itself without git."""
        folder = _tidy(folder)
        git = self._git_folder(folder)
        return self._of_git(git) if git is not None else _without_git(folder)

    def of_place(self, place: WorkPlace) -> Repository:
        """Return the repository of a session that works there."""
        key = place.host, place.folder, place.repository, place.remote
        found = self._of_places.get(key)
        if found is None:
            found = self._of_places[key] = self._look(place)
        return found

    def _look(self, place: WorkPlace) -> Repository:
        is_here = place.host in {"", self._host}
        for folder in (place.folder, place.repository) if is_here else ():
            git = self._git_folder(_tidy(folder)) if _is_there(folder) else None
            if git is not None:
                return self._of_git(git)
        if place.remote:
            return _with_remote(place.remote)
        found = _without_git(_tidy(place.repository or place.folder))
        return found if is_here or not found.key else found._replace(key=f"{place.host}:{found.key}")

    def _git_folder(self, folder: str) -> GitFolder | None:
        """Return the git folder of the working tree that ``folder`` is in, remembered for all folders on the way."""
        passed: list[str] = []
        found: GitFolder | None = None
        for here in with_parents(folder):
            passed.append(here)
            found = self._git_folders[here] if here in self._git_folders else git_folder_in(here)
            if found is not None or here in self._git_folders:
                break
        self._git_folders.update(dict.fromkeys(passed, found))
        return found

    def _of_git(self, git: GitFolder) -> Repository:
        if git not in self._found:
            remote = git.remote
            self._found[git] = _with_remote(remote) if remote else _without_remote(git.common)
        return self._found[git]


def repository_of(folder: str) -> Repository:
    """Return the repository that a folder of this machine is in; the folder itself without git."""
    return Repositories().of_folder(folder)


def _is_there(folder: str) -> bool:
    return may_look(folder) and os.path.isdir(folder)  # noqa: PTH112 - as text


def _tidy(folder: str) -> str:
    return os.path.normpath(folder) if folder else ""


def _with_remote(address: str) -> Repository:
    return Repository(address.casefold(), one_line(last_part(address)), one_line(address), has_git=True)


def _without_remote(common: str) -> Repository:
    """Return the repository of a git folder; its name is that of the folder which it is in, or its own."""
    common = os.path.realpath(common)
    folder, name = os.path.split(common)
    shown = folder if name.startswith(".") else common
    return Repository(common, one_line(last_part(shown).removesuffix(".git")), one_line(shown), has_git=True)


def _without_git(folder: str) -> Repository:
    return Repository(folder, one_line(last_part(folder) or folder), one_line(folder), has_git=False)
