"""Opens a client's database for reading, without leaving a trace of it beside the file.

A database in WAL mode is read through SQLite's own shared locks, as long as the client's ``-wal`` and ``-shm`` are
there. Without them SQLite would create them, in the client's folder; so such a database is copied to a private folder
and read there. ``immutable`` would not need them, and is never used: it reads nonsense as soon as the client writes.
"""

import errno
import os
import shutil
import sqlite3
import stat
import tempfile
import weakref
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

HEADER: Final = b"SQLite format 3\0"
_BUSY_SECONDS: Final = 0.05
_READ_VERSION: Final = 19
_IS_WAL: Final = 2
_CANNOT_OPEN: Final = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
"""What SQLite says when it would have to write beside the database before it can read it."""
_SPARE_BYTES: Final = 256 * 1024 * 1024
"""What a copy must leave free in the temporary folder."""
_CHUNK_BYTES: Final = 16 * 1024 * 1024


class FileState(NamedTuple):
    """Which file is at a path, and what can be seen of its content from outside."""

    device: int
    inode: int
    size: int
    modified: int


def own_file(path: Path) -> FileState | None:
    """Return the state of a regular file of this user; None if there is none, or it is a link."""
    try:
        status = path.lstat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.getuid():
        return None
    return FileState(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def beside(path: Path, suffix: str) -> Path:
    """Return the path of a file that SQLite keeps beside a database."""
    return path.with_name(path.name + suffix)


class Database:
    """A connection that reads one database. It is opened at the first use, and again after an error.

    Raises:
        OSError: the file is gone, a link, no regular file or not this user's, or there is no room for its copy.
        sqlite3.Error: SQLite cannot read it, now or at all.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._copied_state: tuple[FileState | None, FileState | None] | None = None
        self._opened: FileState | None = None
        self._remove_copy = lambda: None
        self.openings = 0
        """How often it was opened: what a connection said about changes holds for that connection only."""

    def state(self) -> FileState:
        """Return the state of the database's file."""
        state = own_file(self._path)
        if state is None:
            raise FileNotFoundError(errno.ENOENT, "no database of this user", str(self._path))
        return state

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
        except sqlite3.Error:
            self.close()
            raise

    def data_version(self) -> tuple[int, int]:
        """Return a value that differs from the last one if the database has changed since."""
        connection = self._current()
        try:
            return self.openings, connection.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection, and remove the copy. Calling it again does nothing."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()
        self._remove_copy()
        self._remove_copy = lambda: None

    def _current(self) -> sqlite3.Connection:
        state = self.state()
        if self._connection is not None and self._is_outdated(state):
            self.close()
        if self._connection is None:
            self._connection = self._connect(state)
            self._opened = state
            self.openings += 1
        return self._connection

    def _is_outdated(self, state: FileState) -> bool:
        """Return whether another file is at the path, or the original of the copy has changed."""
        if self._opened is None or state[:2] != self._opened[:2]:
            return True
        return self._copied_state is not None and self._copied_state != self._both_states()

    def _both_states(self) -> tuple[FileState | None, FileState | None]:
        return own_file(self._path), own_file(beside(self._path, "-wal"))

    def _connect(self, state: FileState) -> sqlite3.Connection:
        self._copied_state = None
        if not self._needs_copy():
            try:
                return _connected(self._path)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _CANNOT_OPEN:
                    raise
        return self._connect_copy(state)

    def _needs_copy(self) -> bool:
        with self._path.open("rb") as file:
            header = file.read(100)
        is_wal = header.startswith(HEADER) and header[_READ_VERSION : _READ_VERSION + 1] == bytes([_IS_WAL])
        return is_wal and not all(own_file(beside(self._path, suffix)) for suffix in ("-wal", "-shm"))

    def _connect_copy(self, state: FileState) -> sqlite3.Connection:
        copied_state = self._both_states()
        folder = Path(tempfile.mkdtemp(prefix="seqthink-"))
        self._remove_copy = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        size = state.size + (copied_state[1].size if copied_state[1] else 0)
        if shutil.disk_usage(folder).free < size + _SPARE_BYTES:
            self._remove_copy()
            raise OSError(errno.ENOSPC, "no room to copy the database", str(self._path))
        copy = folder / "copy.db"
        for suffix in ("", "-wal", "-journal"):
            _copy_file(beside(self._path, suffix), beside(copy, suffix), is_needed=not suffix)
        self._copied_state = copied_state
        return _connected(copy)


def _connected(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(os.fsencode(path))}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.text_factory = bytes
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _copy_file(source: Path, target: Path, *, is_needed: bool) -> None:
    """Copy a regular file of this user as it is now."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    if own_file(source) is None and not is_needed:
        return
    with (
        open(os.open(source, flags), "rb") as original,  # noqa: PTH123  # a link is refused by the flags
        target.open("xb") as copy,
    ):
        shutil.copyfileobj(original, copy, _CHUNK_BYTES)
