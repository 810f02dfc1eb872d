"""Finds sessions: all of a folder, the newest, or the one that the user names.

The *newest* session is the one with the latest last event (docs/journal.md, "Where it lives"). Reading the end of ten
thousand files takes a second, so the modification time of a file is used instead, except for the few that could be the
newest: the tails of those that changed last and of those that began last (ids sort by start) are read. A copied or
touched file has a modification time later than its last event; therefore a file whose tail was not read is never listed
before one that changed later and whose tail was read. After a copy of the whole folder, all but those few are ordered
by name.
"""

import heapq
import os
import stat
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.core.errors import (
    AmbiguousSessionError,
    JournalNotFoundError,
    NotAJournalError,
    UnreadableJournalError,
    UsageError,
    unreadable_folder,
)
from seqthink.journal.folder import NOTES_SUFFIX, SUFFIX, is_journal
from seqthink.journal.peek import last_event_time

RECENT_SECONDS = 600
"""A session that changed within this time is recent."""
_MAX_TAILS_READ = 16
"""How many files have their tails read, for each of the two reasons above."""
_MAX_CANDIDATES_SHOWN = 5
"""How many sessions the error of an ambiguous id names."""


FILE_SUFFIXES: Final = (SUFFIX, ".json", ".zst", ".db", ".sqlite")
"""How the names of journals and of other programs' files end; a session's id does not."""


class SessionFile(NamedTuple):
    """A journal as its folder lists it."""

    session: str
    """Id of the session."""
    path: Path
    """The journal's file."""
    size: int
    """Size of the journal in bytes."""
    last: datetime
    """Time of its last event if that was read, else its modification time."""
    source: str = "journal"
    """Where it comes from: a journal of ours, or a transcript of the client with this name."""
    waits_for: str = ""
    """Of a transcript: what its client says that it waits for from its user; empty for nothing."""

    @property
    def content(self) -> tuple[int, str]:
        """What differs once there is more to read."""
        return self.size, self.waits_for

    @property
    def id(self) -> str:
        """Id of the session, by the name that it has in the Python API."""
        return self.session


def list_sessions(folder: Path) -> list[SessionFile]:
    """Return the sessions of ``folder``, newest first; an empty list if the folder does not exist."""
    found = sorted(_scan_folder(folder), key=attrgetter("last", "session"), reverse=True)
    started_last = heapq.nlargest(_MAX_TAILS_READ, found, key=attrgetter("session"))
    changed_last = [_with_last_event(file) for file in found[:_MAX_TAILS_READ]]
    checked = {file.session: file for file in (*map(_with_last_event, started_last), *changed_last)}
    ceiling = min((file.last for file in changed_last), default=None)

    def rank(file: SessionFile) -> tuple[datetime, bool, datetime, str]:
        known = file.session in checked
        last = file.last if known or ceiling is None else min(file.last, ceiling)
        return last, known, file.last, file.session

    return sorted((checked.get(file.session, file) for file in found), key=rank, reverse=True)


def sessions_with_last_event(folder: Path) -> list[SessionFile]:
    """Return the sessions of ``folder``, unordered, with the time of each one's last event where it can be read.

    Raises:
        UsageError: the folder cannot be read.
    """
    return [_with_last_event(file) for file in _scan_folder(folder)]


def modified(path: Path) -> int:
    """Return when a file or folder was changed, in nanoseconds since 1970; 0 if it is not there."""
    try:
        return os.stat(path).st_mtime_ns  # noqa: PTH116 - called often: half the cost of `Path.stat`
    except (OSError, ValueError):
        return 0


def no_journals(folder: Path) -> str:
    """Return a sentence about the entries of ``folder`` with a journal's name that are not files; empty without any."""
    try:
        with os.scandir(folder) as entries:
            found = {entry.name: _kind_of(entry) for entry in entries if is_journal(entry.name)}
    except (OSError, ValueError):  # the listing of the folder reports it
        return ""
    strange = [f"{name} ({kind})" for name, kind in sorted(found.items()) if kind]
    if not strange:
        return ""
    more = f" and {len(strange) - _MAX_CANDIDATES_SHOWN} more" if len(strange) > _MAX_CANDIDATES_SHOWN else ""
    return f"not listed, since they are not files: {', '.join(strange[:_MAX_CANDIDATES_SHOWN])}{more}"


def _kind_of(entry: "os.DirEntry[str]") -> str:
    """Return what an entry of a folder is, in words; empty for a file."""
    if entry.is_symlink():
        return "a link"
    if entry.is_file(follow_symlinks=False):
        return ""
    return "a folder" if entry.is_dir(follow_symlinks=False) else "a pipe or device"


def newest_session(folder: Path) -> SessionFile | None:
    """Return the session with the latest last event, or None."""
    return next(iter(list_sessions(folder)), None)


def resolve_journal(reference: str | None, folder: Path) -> Path:
    """Return the path of the journal that ``reference`` means: ``last`` or None, an id, a unique prefix, or a file.

    A reference that is not written as a path is only compared with the names in ``folder``, never used as a path.

    Raises:
        UsageError: there is none, or more than one.
    """
    if reference is None or reference == "last":
        found = newest_session(folder)
        if found is None:
            hint = "connect an agent with `seqthink setup`, or name a file"
            raise JournalNotFoundError(f"no sessions in {folder} yet; {hint}")
        return found.path
    if _is_written_as_a_path(reference):
        return _path_of_reference(reference)
    listed = {file.session: file.path for file in _scan_folder(folder)}
    if reference in listed:
        return listed[reference]
    matching = sorted((name for name in listed if name.startswith(reference)), reverse=True) if reference else []
    if len(matching) == 1:
        return listed[matching[0]]
    if matching:
        raise AmbiguousSessionError(f"{reference!r} could be {_abbreviated(matching)}; type more of it")
    return _path_of_other_file(reference, folder)


def _path_of_other_file(reference: str, folder: Path) -> Path:
    """Return the path of a file whose name says that it is one, and no session's."""
    hint = "name one by its id, a unique prefix, `last`, or a file"
    if _is_file(Path(reference)):
        if reference.endswith(FILE_SUFFIXES):
            return _path_of_reference(reference)
        hint = f"there is a file of that name: ./{reference}"
    raise JournalNotFoundError(f"no session {reference!r} in {folder}; {hint}")


def _is_written_as_a_path(reference: str) -> bool:
    separators = {"/", os.sep, os.altsep or "/"}
    return reference.endswith(SUFFIX) or reference[:1] in {".", "~"} or not separators.isdisjoint(reference)


def _path_of_reference(reference: str) -> Path:
    path = Path(reference)
    if reference.startswith("~"):
        try:
            path = path.expanduser()
        except RuntimeError as error:
            raise UsageError(f"{reference}: that home folder is unknown; write the whole path") from error
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # a NUL or a lone surrogate is in no file's name
        mode = None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableJournalError(f"{path}: {reason}; name a session or a journal (.jsonl)") from error
    if mode is not None and stat.S_ISDIR(mode):
        raise NotAJournalError(f"{path} is a folder; name a journal in it, or give the folder as --journal-dir")
    if path.name.endswith(NOTES_SUFFIX):
        raise NotAJournalError(f"{path} holds notes to an agent; name its journal, which ends in {SUFFIX} alone")
    if mode is None:
        raise JournalNotFoundError(f"{path}: no such file; name a session or a journal (.jsonl)")
    return path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # such as a name that is too long for the system
        return False


def _abbreviated(names: list[str]) -> str:
    shown = ", ".join(names[:_MAX_CANDIDATES_SHOWN])
    more = len(names) - _MAX_CANDIDATES_SHOWN
    return f"{shown} or {more} more" if more > 0 else shown


def _scan_folder(folder: Path) -> list[SessionFile]:
    """Return the sessions of the folder, unordered, with their modification times."""
    found: list[SessionFile] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if not is_journal(name):
                    continue
                try:
                    # A link could lead out of the folder; the user can still name such a file by its path.
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                if stat.S_ISREG(status.st_mode):
                    last = datetime.fromtimestamp(status.st_mtime, UTC)
                    found.append(SessionFile(name.removesuffix(SUFFIX), Path(entry.path), status.st_size, last))
    except (FileNotFoundError, NotADirectoryError, ValueError):  # a NUL or a lone surrogate is in no folder's name
        return []
    except OSError as error:
        raise unreadable_folder(folder, error) from error
    return found


def _with_last_event(file: SessionFile) -> SessionFile:
    """Return ``file`` with the time of its last event, or unchanged if it cannot be read."""
    last = last_event_time(file.path)
    return file if last is None else file._replace(last=last)
