"""The open journals, up to a limit: a machine may have more sessions than descriptors."""

from collections import OrderedDict
from pathlib import Path
from typing import Final

from seqthink.journal.folder import SUFFIX
from seqthink.journal.journal_file import JournalFile

MAX_OPEN: Final = 200
"""How many files are open at most."""


class OpenJournals:
    """The journals of a folder, opened when they are read; the ones that were read last stay open.

    Args:
        folder: the folder of the journals.
        most: how many stay open.
    """

    def __init__(self, folder: Path, most: int = MAX_OPEN) -> None:
        self.folder = folder
        self._most = most
        self._prefix = f"{folder}/"
        self._open: OrderedDict[str, JournalFile] = OrderedDict()

    def path(self, session: str) -> Path:
        """Return where a session's journal is."""
        return Path(self._prefix + session + SUFFIX)

    def file(self, session: str) -> JournalFile:
        """Return a session's journal, open; the caller must not keep it.

        Raises:
            OSError: it is gone, or cannot be opened.
        """
        found = self._open.get(session)
        if found is not None:
            self._open.move_to_end(session)
            return found
        while len(self._open) >= self._most:
            self._open.popitem(last=False)[1].close()
        file = self._open[session] = JournalFile.open(self.path(session))
        return file

    def drop(self, session: str) -> None:
        """Close a session's journal: another file may have its name now."""
        found = self._open.pop(session, None)
        if found is not None:
            found.close()

    def close(self) -> None:
        """Close all."""
        for file in self._open.values():
            file.close()
        self._open.clear()
