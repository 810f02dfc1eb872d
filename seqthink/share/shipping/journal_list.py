"""The journals of a folder, as often as they are looked at: what came, grew, was replaced, or went."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from seqthink.core.errors import cannot_read
from seqthink.core.text import one_line
from seqthink.journal.folder import SUFFIX, is_journal
from seqthink.sources.fleet.layout import is_session


class ListedJournal(NamedTuple):
    """A journal as its folder lists it."""

    inode: int
    size: int
    changed: float
    """When it was last written, in seconds since 1970."""


class ListChanges(NamedTuple):
    """What is different since the last look."""

    new: list[str]
    """Sessions whose journals were not there, those that changed last first."""
    replaced: list[str]
    """Sessions whose journals are other files now."""
    gone: list[str]
    """Sessions whose journals are not there any more."""


class JournalList:
    """The journals of a folder whose names can be keys in an engine.

    Args:
        folder: the folder, which may not exist yet.
        show: prints one line for the user.
        only: the one session that counts; None for all.
    """

    def __init__(self, folder: Path, show: Callable[[str], None], only: str | None = None) -> None:
        self._folder = folder
        self._show = show
        self._only = only
        self._reported: set[str] = set()
        self._trouble = ""
        self.found: dict[str, ListedJournal] = {}
        """What was there at the last look."""

    def look(self) -> ListChanges:
        """Look at the folder and say what is different.

        A folder that cannot be read has no news; that is said, and when it can be read again.
        """
        before = self.found
        try:
            now = self._listed()
        except OSError as error:
            self._note_trouble(cannot_read(str(self._folder), error))
            return ListChanges([], [], [])
        self._note_trouble("")
        self.found = now
        new = sorted(now.keys() - before.keys(), key=lambda session: now[session].changed, reverse=True)
        replaced = [session for session in now.keys() & before.keys() if now[session].inode != before[session].inode]
        return ListChanges(new, replaced, list(before.keys() - now.keys()))

    def look_at(self, name: str) -> str | None:
        """Return the session of a file that has changed, if it is a journal that can be shipped and was listed."""
        session = name.removesuffix(SUFFIX)
        return session if session in self.found and is_journal(name) else None

    def is_new(self, name: str) -> bool:
        """Whether a file that has changed is a journal that was not listed yet."""
        return is_journal(name) and self._is_wanted(name.removesuffix(SUFFIX)) and self.look_at(name) is None

    def _is_wanted(self, session: str) -> bool:
        if self._only is not None and session != self._only:
            return False
        if is_session(session):
            return True
        self._say_once(session, f"{one_line(session)[:80]} is not shipped: its name is not a session id")
        return False

    def _listed(self) -> dict[str, ListedJournal]:
        found: dict[str, ListedJournal] = {}
        try:
            entries = os.scandir(self._folder)
        except FileNotFoundError:
            return found
        with entries:
            for entry in entries:
                name = entry.name
                if not is_journal(name):
                    continue
                session = name.removesuffix(SUFFIX)
                if not self._is_wanted(session):
                    continue
                try:
                    state = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                if stat.S_ISREG(state.st_mode):
                    found[session] = ListedJournal(state.st_ino, state.st_size, state.st_mtime)
        return found

    def _note_trouble(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._show(trouble or f"{self._folder} can be read again")

    def _say_once(self, about: str, message: str) -> None:
        if about not in self._reported:
            self._reported.add(about)
            self._show(message)
