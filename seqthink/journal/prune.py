"""Deletes old journals and what stands beside them, never one that a server writes (journal.md, promise 3)."""

import fcntl
import os
import stat
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from seqthink.errors import SeqthinkError
from seqthink.journal.folder import NOTES_SUFFIX, REPAIRED_SUFFIX
from seqthink.journal.journal_file import JournalFile, looks_like_a_journal
from seqthink.journal.peek import first_session_event
from seqthink.journal.store import SessionFile, sessions_with_last_event

_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class NotDeletableError(SeqthinkError):
    """Why a file is left alone, however old it is."""


class DeletedSession(NamedTuple):
    """What goes with one session: its journal and the files beside it, and how much room they take."""

    files: tuple[Path, ...]
    size: int


def sessions_before(folder: Path, before: datetime) -> Iterator[SessionFile]:
    """Yield the sessions of ``folder`` whose last event came ``before`` that moment, oldest first.

    Of a file in which no event can be told, the last change counts. No session is older than its beginning, though the
    clock went back since.

    Raises:
        UsageError: the folder cannot be read.
    """
    found = [file for file in sessions_with_last_event(folder) if file.last < before]
    for file in sorted(found, key=lambda file: (file.last, file.session)):
        began = first_session_event(file.path)
        if began is None or began.time < before:
            yield file


def delete_session(session: SessionFile, *, is_dry_run: bool) -> DeletedSession:
    """Delete the journal of ``session`` with what stands beside it; a rehearsal only looks whether that may be done.

    Raises:
        KeptError: a server writes it, or it is no journal.
        OSError: it cannot be deleted.
    """
    file = JournalFile(os.open(session.path, _FLAGS))
    try:
        _lock_against_servers(file, session.path)
        # The journal goes last: while it is there, another run finds what was left.
        files = (*_companion_files(session.path, session.session), session.path)
        size = sum(path.lstat().st_size for path in files)
        if not is_dry_run:
            for path in files:
                path.unlink()
    finally:
        file.close()
    return DeletedSession(files, size)


def _lock_against_servers(file: JournalFile, path: Path) -> None:
    """Take the lock that a viewer's probe takes: until it is let go, no server can begin to write here."""
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        raise NotDeletableError("a server writes it") from None
    if not os.path.samestat(file.stat(), path.lstat()):
        raise NotDeletableError("another file stands there now")
    if not looks_like_a_journal(file):
        raise NotDeletableError("not a seqthink journal")


def _companion_files(path: Path, session: str) -> Iterator[Path]:
    for suffix in (NOTES_SUFFIX, REPAIRED_SUFFIX):
        beside = path.with_name(session + suffix)
        try:
            is_file = stat.S_ISREG(beside.lstat().st_mode)
        except FileNotFoundError:
            continue
        if is_file:
            yield beside
