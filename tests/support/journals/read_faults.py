"""Faults of reading: what may stand in a journal's place for a moment, and errors of the system."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from seqthink.journal.journal_file import JournalFile


def _link_loop(path: Path) -> None:
    path.symlink_to(path.name)


def _device_link(path: Path) -> None:
    path.symlink_to("/dev/null")


IMPOSTORS: dict[str, Callable[[Path], None]] = {
    "folder": Path.mkdir,
    "fifo": os.mkfifo,
    "link loop": _link_loop,
    "device link": _device_link,
}
"""What may stand in a journal's place, by name."""
ERRORS = ("EIO", "ESTALE", "EMFILE", "EACCES")
"""Errors of reading that may pass."""


class Impostor:
    """Puts something else in the place of a journal, and the journal back."""

    def __init__(self, path: Path, kind: str) -> None:
        self._path = path
        self._kept = path.with_suffix(".kept")
        path.rename(self._kept)
        IMPOSTORS[kind](path)

    @property
    def journal(self) -> Path:
        """Where the journal is meanwhile; its server goes on writing it."""
        return self._kept

    def leave(self) -> None:
        """Put the journal back."""
        if self._path.is_dir() and not self._path.is_symlink():
            self._path.rmdir()
        self._kept.replace(self._path)


class FailingReads:
    """Lets all reads of journals fail with one error of the system while `is_on`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, code: str, *, after: int = 0) -> None:
        self.is_on = True
        self._reads_left = after
        self._number = getattr(errno, code)
        read = JournalFile.read_bytes

        def read_or_fail(file: JournalFile, offset: int, size: int) -> bytes:
            if self.is_on and self._reads_left <= 0:
                raise OSError(self._number, os.strerror(self._number))
            self._reads_left -= 1
            return read(file, offset, size)

        monkeypatch.setattr(JournalFile, "read_bytes", read_or_fail)
