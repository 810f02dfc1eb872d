"""Opens a client's database for reading, without leaving a trace of it beside the file.

A database in WAL mode is read through SQLite's own shared locks, as long as the client's ``-wal`` and ``-shm`` are
there. Without them SQLite would create them, in the client's folder; so such a database is followed in a private copy.
The client's ``-shm`` is opened for reading as well (``readonly_shm``): else SQLite notes in it what is being read, and
makes it again when no client has it open.

``immutable`` would not need them, but it reads nonsense as soon as the client writes. It is used only for a short look
at a database that nobody has open, and what was read counts only if that is still so afterwards.

The file itself is opened by SQLite alone while the client has it open: a process that closes a file loses all its locks
on it, those of SQLite too.
"""

import errno
import os
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import quote

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.opencode.guarded import RefusedSchemaError, SpentError, UnknownFormatError, guard
from seqthink.sources.transcripts.opencode.private_copy import (
    FileState,
    PrivateCopies,
    PrivateCopy,
    beside,
    database_state,
    own_file,
)

HEADER: Final = b"SQLite format 3\0"
_BUSY_SECONDS: Final = 0.05
_LEAVE_SHARED_MEMORY: Final = "&readonly_shm=1"
_READ_VERSION: Final = slice(19, 20)
_IS_WAL: Final = b"\x02"
_CANNOT_OPEN: Final = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
"""What SQLite says when it would have to write beside the database before it can read it."""
_LEFT_BY_WRITERS: Final = ("-wal", "-shm", "-journal")
_Read = TypeVar("_Read")


class Database:
    """A connection that reads one database. It is opened at the first use, and again after an error.

    Every method but `close` raises:
        OSError: the file is gone, a link, no regular file or not this user's, or there is no room for its copy.
        sqlite3.Error: SQLite cannot read it, now or at all.
    """

    def __init__(self, path: Path, copies: PrivateCopies | None = None, budget: Budget | None = None) -> None:
        self._path = path
        self._budget = budget or Budget()
        self._shared_memory = beside(path, "-shm")
        self._copies = copies or PrivateCopies()
        self._connection: sqlite3.Connection | None = None
        self._copy: PrivateCopy | None = None
        self._opened: tuple[tuple[int, int] | None, ...] = ()
        self._openings = 0

    def file(self) -> tuple[int, int]:
        """Return which file is at the path: device and inode."""
        state = own_file(self._path)
        if state is None:
            raise FileNotFoundError(errno.ENOENT, "no database of this user", str(self._path))
        return state.device, state.inode

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """Give a connection within one transaction: everything that is read belongs together."""
        connection = self._current()
        try:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            self.close()
            raise _translated(error) from error

    def data_version(self) -> tuple[int, int]:
        """Return a value that differs from the last one if the database has changed since."""
        connection = self._current()
        try:
            return self._openings, connection.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection. Calling it again does nothing."""
        connection, self._connection, self._copy = self._connection, None, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _current(self) -> sqlite3.Connection:
        files = self._lasting_files()
        if self._connection is not None and self._is_outdated(files):
            self.close()
        if self._connection is None:
            self._opened = files
            self._connection = self._connect()
            self._openings += 1
        return self._connection

    def _is_outdated(self, files: tuple[tuple[int, int] | None, ...]) -> bool:
        """Return whether the connection no longer sees what is written: to another file, or beside the copy."""
        if self._copy is not None:
            return self._copy.state != database_state(self._path)
        return self._opened != files

    def _lasting_files(self) -> tuple[tuple[int, int] | None, ...]:
        """Return which files there are: as long as a connection holds its locks, the client removes none of them."""
        memory = own_file(self._shared_memory)
        return self.file(), None if memory is None else (memory.device, memory.inode)

    def _connect(self) -> sqlite3.Connection:
        if not self._needs_copy():
            try:
                connection = _connected(self._path, self._budget, _LEAVE_SHARED_MEMORY)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _CANNOT_OPEN:
                    raise
            else:
                self._copies.forget(self._path)
                return connection
        self._copy = self._copies.of(self._path)
        return _connected(self._copy.path, self._budget)

    def _needs_copy(self) -> bool:
        if all(own_file(beside(self._path, suffix)) for suffix in ("-wal", "-shm")):
            return False
        with self._path.open("rb") as file:
            header = file.read(100)
        return header.startswith(HEADER) and header[_READ_VERSION] == _IS_WAL


def read_unopened(path: Path, read: Callable[[sqlite3.Connection], _Read], budget: Budget) -> _Read | None:
    """Return what ``read`` finds in a database that no client has open; None if one has, or had meanwhile.

    Nothing is copied, so a look at some gigabytes takes milliseconds.

    Raises:
        RefusedSchemaError: names of OpenCode's tables mean something else.
        UnknownFormatError: the database has other tables or columns than OpenCode's.
        SpentError: the budget was spent.
    """
    state = _state_unopened(path)
    if state is None:
        return None
    try:
        with closing(_connected(path, budget, "&immutable=1")) as connection:
            found = read(connection)
    except (RefusedSchemaError, SpentError, UnknownFormatError):
        raise
    except sqlite3.Error as error:
        if isinstance(translated := _translated(error), SpentError | UnknownFormatError):
            raise translated from error
        return None
    return found if _state_unopened(path) == state else None


def _state_unopened(path: Path) -> FileState | None:
    """Return the state of a database; None if a writer has left files beside it."""
    return None if any(os.path.lexists(beside(path, suffix)) for suffix in _LEFT_BY_WRITERS) else own_file(path)


def _translated(error: sqlite3.Error) -> sqlite3.Error:
    """Return an error of SQLite as what it means if our own bounds made it."""
    match getattr(error, "sqlite_errorname", ""):
        case "SQLITE_INTERRUPT":
            return SpentError("the time is over")
        case "SQLITE_ERROR" | "SQLITE_NOTADB":
            return UnknownFormatError(str(error))
        case "SQLITE_AUTH":
            return RefusedSchemaError("a name of its tables stands for something else now, which is not read")
        case _:
            return error


def _connected(path: Path, budget: Budget, options: str = "") -> sqlite3.Connection:
    uri = f"file:{quote(os.fsencode(path))}?mode=ro{options}"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.text_factory = bytes
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        guard(connection, budget)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
