"""Finds the sessions in OpenCode's databases."""

import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.files.json_lines import microseconds_of_number
from seqthink.sources.transcripts.opencode.clients import DatabaseClients
from seqthink.sources.transcripts.opencode.database import HEADER, Database, read_unopened
from seqthink.sources.transcripts.opencode.feed import OpenCodeFeed
from seqthink.sources.transcripts.opencode.forks import family_roots, looks_forked, origins_of_forks
from seqthink.sources.transcripts.opencode.guarded import RefusedSchemaError, UnknownFormatError, note_failure
from seqthink.sources.transcripts.opencode.private_copy import FileState, PrivateCopies, database_state
from seqthink.sources.transcripts.opencode.storage import (
    StorageFeed,
    folder_times,
    read_session,
    root_sessions,
    stored_sessions,
)
from seqthink.sources.transcripts.opencode.tables import Tables
from seqthink.sources.transcripts.opencode.waiting import WaitingCall, waiting_calls
from seqthink.sources.transcripts.source import ClientProcess, FoundSession, SessionFeed
from seqthink.sources.transcripts.unreadable import unknown_format

_MAX_DATABASES: Final = 16
_OLD_FILE_LEVELS: Final = 3
"""How many folders are between an old file and the client's own."""
_WAITS: Final = "input"
"""What a session waits for in which a call does; which one that is, its transcript says."""


class _Listing(NamedTuple):
    """The sessions of a database."""

    sessions: list[FoundSession]
    folders: dict[str, str]
    """The working folder of each session with calls that may wait for the user."""
    waiting: dict[str, list[WaitingCall]]
    """These calls, its subagents' too."""


class OpenCodeSource:
    """Sessions of OpenCode, of its preview channels, and of what uses the same tables."""

    name = "opencode"
    label = "OpenCode"

    def __init__(self, budget: Budget | None = None) -> None:
        """Read the client's sessions within a budget."""
        self._budget = budget or Budget()
        self._copies = PrivateCopies()
        self._clients: dict[Path, DatabaseClients] = {}
        self._listed: dict[Path, tuple[tuple[FileState | None, ...], _Listing]] = {}
        """What was found in each database in its state then."""
        self._stored: tuple[Sequence[int], list[FoundSession]] = ((), [])
        """What was found in the old files, and when their folders changed last."""

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Return the folder that holds this client's sessions; it need not exist."""
        data = environ.get("XDG_DATA_HOME", "")
        return (Path(data) if Path(data).is_absolute() else home / ".local" / "share") / self.name

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        """Return the sessions below ``folder`` that changed last, at most ``limit``, newest first.

        A session changes with its subagents and its forks, which are not listed on their own.
        What cannot be listed is left out.
        """
        found: list[FoundSession] = []
        for path in self._databases(folder):
            try:
                found += self._root_sessions(path)
            except sqlite3.Error as error:
                note_failure(path, error, self._budget, self.label)
            except OSError:
                continue
        known = {session.id for session in found}
        found += [session for session in self._stored_sessions(folder / "storage") if session.id not in known]
        found.sort(key=lambda session: session.changed, reverse=True)
        return found[:limit]

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        """Return the existing folders in which a change may mean a new or grown session, the likeliest first."""
        return [folder] if folder.is_dir() else []

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return whether a file with these first bytes is a database of the client's, or a session's old file."""
        if path.suffix == ".json":
            folder = path.parents[min(_OLD_FILE_LEVELS, len(path.parents) - 1)].name
            return self.is_own(folder) and b'"projectID"' in head and read_session(path) is not None
        if not head.startswith(HEADER):
            return False
        try:
            with closing(Database(path, self._copies, self._budget)) as database, database.reading() as connection:
                return self.is_own(path.name, Tables(connection).names)
        except RefusedSchemaError:
            return self.is_own(path.name)  # `sessions_in` says why it is not read
        except UnknownFormatError:
            return self._is_named_as_ours(path.name)
        except (OSError, sqlite3.Error):
            return False

    def is_own(self, name: str, tables: Iterable[str] = ()) -> bool:  # noqa: ARG002 - for descendants
        """Return whether a database or a client's folder is this client's, by its name and the names of its tables.

        OpenCode takes what no descendant of it has taken before.
        """
        return True

    def sessions_in(self, path: Path) -> list[FoundSession]:
        """Return all root sessions of a database, newest first; of an old file the one that it is.

        Raises:
            OSError: it cannot be read.
        """
        stored = read_session(path) if path.suffix == ".json" else None
        if stored is not None:
            return [FoundSession(self.name, stored.row.id, path, microseconds_of_number(stored.row.updated) or 0, 0)]
        try:
            return sorted(self._root_sessions(path), key=lambda session: session.changed, reverse=True)
        except UnknownFormatError as error:
            raise OSError(unknown_format(self.label, "database")) from error
        except sqlite3.Error as error:
            raise OSError(f"the database cannot be read: {error}") from error

    def process_of(self, _found: FoundSession) -> ClientProcess:
        """Return nothing: this client does not say (see `Source`)."""
        return ClientProcess()

    def open(self, found: FoundSession) -> SessionFeed:
        """Return a feed of the session, which has read nothing yet.

        Raises:
            OSError: it cannot be opened.
        """
        if found.path.suffix == ".json":
            return StorageFeed(found.path)
        return OpenCodeFeed(found.path, found.id, self._copies, self._budget, self._clients_of(found.path), self.label)

    def _clients_of(self, path: Path) -> DatabaseClients:
        return self._clients.setdefault(path, DatabaseClients(path))

    def _stored_sessions(self, storage: Path) -> list[FoundSession]:
        """Return the sessions of the old files, which are read again only if there are others."""
        times = folder_times(storage / "session")
        if times != self._stored[0]:
            self._stored = (times, root_sessions(stored_sessions(storage), self.name))
        return self._stored[1]

    def _root_sessions(self, path: Path) -> list[FoundSession]:
        state = database_state(path)
        known, listing = self._listed.get(path, (None, None))
        if listing is None or known != state:
            listing = self._read_listing(path)
            self._listed[path] = (state, listing)
        waiting = {session for session in listing.waiting if self._waits(path, session, listing)}
        if not waiting:
            return listing.sessions
        return [one._replace(waits_for=_WAITS if one.id in waiting else "") for one in listing.sessions]

    def _read_listing(self, path: Path) -> _Listing:
        listing = read_unopened(path, lambda connection: _listing(self.name, connection, path, None), self._budget)
        if listing is not None:
            return listing
        with closing(Database(path, self._copies, self._budget)) as database, database.reading() as connection:
            return _listing(self.name, connection, path, self._clients_of(path).began())

    def _waits(self, path: Path, session: str, listing: _Listing) -> bool:
        """Return whether the process that works on a session is known to wait for its user."""
        clients, calls = self._clients_of(path), listing.waiting[session]
        sessions, newest = {session, *(call.session for call in calls)}, max(call.time for call in calls)
        if not any(not one.permissions or clients.has_asked(sessions, one.permissions, one.time) for one in calls):
            return False
        return clients.is_abandoned(sessions, listing.folders[session], newest) is False

    def _databases(self, folder: Path) -> list[Path]:
        """Return the databases in a folder, those that changed last first."""
        try:
            with os.scandir(folder) as entries:
                names = [entry.name for entry in entries if self._is_named_as_ours(entry.name)]
        except OSError:
            return []
        changed = {folder / name: _changed(folder / name) for name in names}
        paths = sorted((path for path, time in changed.items() if time), key=lambda path: changed[path], reverse=True)
        return paths[:_MAX_DATABASES]

    def _is_named_as_ours(self, name: str) -> bool:
        return name.startswith(self.name) and name.endswith(".db")


def _changed(path: Path) -> int:
    states = database_state(path)
    return 0 if states[0] is None else max(state.modified for state in states if state is not None)


def _listing(source: str, connection: sqlite3.Connection, path: Path, began: int | None) -> _Listing:
    """Return the root sessions, and which may wait for the user: none of those older than its oldest client."""
    tables = Tables(connection)
    rows = tables.all_sessions()
    origins = origins_of_forks(tables, [row for row in rows if looks_forked(row)])
    parents = {row.id: origins.get(row.id) if looks_forked(row) else row.parent_id for row in rows}
    roots = family_roots(parents)
    changed: dict[str, int] = {}
    for row in rows:
        root = roots[row.id]
        changed[root] = max(changed.get(root, 0), microseconds_of_number(row.updated) or 0)
    known = {row.id: row for row in rows}
    sessions = [
        FoundSession(source, root, path, time, 0, began=microseconds_of_number(known[root].created) or 0)
        for root, time in changed.items()
    ]
    waiting: dict[str, list[WaitingCall]] = {}
    recent = [row for row in rows if began is not None and (microseconds_of_number(row.updated) or 0) >= began]
    for call in waiting_calls(tables, recent):
        waiting.setdefault(roots[call.session], []).append(call)
    return _Listing(sessions, {root: known[root].directory for root in waiting}, waiting)
