"""Deletes old journals and the files beside them, but never while a server writes (docs/journal.md, "One writer")."""

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from seqthink.core import system
from seqthink.core.errors import SeqthinkError
from seqthink.journal.folder import NOTES_SUFFIX, REPAIRED_SUFFIX
from seqthink.journal.journal_file import JournalFile, looks_like_a_journal
from seqthink.journal.peek import first_session_event
from seqthink.journal.store import SessionFile, sessions_with_last_event

IMPORTED = "imported"
"""The source of a session that `seqthink import` wrote."""


class NotDeletableError(SeqthinkError):
    """A journal must not be deleted, however old it is; the message says why."""


class DeletedSession(NamedTuple):
    """The files of a deleted session: its journal and the files beside it."""

    files: tuple[Path, ...]
    """All files, the journal last."""
    size: int
    """Their size together, in bytes."""


def sessions_before(folder: Path, before: datetime) -> Iterator[SessionFile]:
    """Yield the sessions of ``folder`` whose last event is older than ``before``, oldest first.

    If a file has no readable event at its end, its modification time counts. A session that began after ``before`` is
    left out even if its clock went back since. Of an imported session the import counts, which is the modification time
    of its journal: it is yielded with this time, and `IMPORTED` as its source.

    Raises:
        UsageError: the folder cannot be read.
    """
    found = [file for file in sessions_with_last_event(folder) if file.last < before]
    old = [file for file in map(_with_age, found) if file is not None and file.last < before]
    for file in sorted(old, key=lambda file: (file.last, file.session)):
        began = first_session_event(file.path)
        if began is None or began.time < before:
            yield file


def _with_age(file: SessionFile) -> SessionFile | None:
    """Return a session with the time from which its age counts; None if it is gone."""
    began = first_session_event(file.path)
    if began is None or not began.imported:
        return file
    try:
        changed = file.path.lstat().st_mtime
    except FileNotFoundError:
        return None
    return file._replace(last=datetime.fromtimestamp(changed, UTC), source=IMPORTED)


def delete_session(session: SessionFile, *, is_dry_run: bool) -> DeletedSession:
    """Delete the journal of ``session`` and the files beside it; a dry run only checks whether that is allowed.

    Raises:
        NotDeletableError: a server writes the journal, or the file is not a journal.
        OSError: a file cannot be deleted.
    """
    file = JournalFile(os.open(session.path, system.READ | system.NO_LINK))
    try:
        _lock_against_servers(file, session.path)
        # Delete the journal last: if this is interrupted, the next run still finds the rest.
        files = (*_companion_files(session.path, session.session), session.path)
        size = sum(path.lstat().st_size for path in files)
        if not is_dry_run:
            if not system.HAS_POSIX_FILES:
                file.close()  # an open file cannot be deleted there
            for path in files:
                path.unlink()
    finally:
        file.close()
    return DeletedSession(files, size)


def _lock_against_servers(file: JournalFile, path: Path) -> None:
    """Take a shared lock: until it is released, no server can start writing this journal."""
    if not file.try_shared_lock():
        raise NotDeletableError("a server is using it")
    if not os.path.samestat(file.stat(), path.lstat()):
        raise NotDeletableError("another file now has its name")
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
