"""Which session changed which file, kept so that `seqthink why` reads a session only once.

A cache, in SQLite. A session counts only as it was read: if its file has changed since, it is read again. Of the texts
of files it keeps digests. A damaged or foreign file is replaced, and what cannot be written is read again next time.
It goes with the sessions that are deleted.
"""

import os
import sqlite3
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, cast

from seqthink.library.viewer_store.folder import open_private

FILE_NAME: Final = "edits.sqlite"
MAX_BYTES: Final = 1 << 30
"""A file of this size takes in no more sessions."""
FORMAT: Final = 2
"""Changes with what is kept, and with how sessions are read: a file of another number is made again."""
_APPLICATION: Final = 0x73715F77
_WAIT_SECONDS: Final = 10.0
_SCHEMA: Final = """
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, name TEXT NOT NULL, stamp TEXT NOT NULL,
    about TEXT NOT NULL, folder TEXT NOT NULL, repository TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    minutes BLOB NOT NULL,
    UNIQUE (source, name)
);
CREATE TABLE edits (
    session INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL, edit BLOB NOT NULL,
    PRIMARY KEY (session, place)
) WITHOUT ROWID;
CREATE INDEX edits_by_name ON edits (name, path);
CREATE TABLE git_commands (
    session INTEGER NOT NULL, time INTEGER NOT NULL, folder TEXT NOT NULL, step TEXT NOT NULL
);
CREATE INDEX git_commands_by_session ON git_commands (session);
"""

Result = TypeVar("Result")


class SessionKey(NamedTuple):
    """Which session it is."""

    source: str
    name: str
    """The id within the source."""


class IndexedSession(NamedTuple):
    """What is kept of a session beside its edits."""

    key: SessionKey
    stamp: str
    """What changes whenever its file does."""
    about: str
    """What is shown of it, as JSON."""
    folder: str
    """The working folder."""
    repository: str
    """The folder of the repository, if the client said so."""
    first: int
    last: int
    """The first and the last minute in which something happened."""
    minutes: bytes
    """All of them."""


class IndexedEdit(NamedTuple):
    """One edit."""

    name: str
    """The name of the file, without its folder."""
    path: str
    edit: bytes
    """The edit itself, encoded."""


class IndexedGitCommand(NamedTuple):
    """One git command."""

    time: int
    folder: str
    step: str


class EditIndex:
    """The index in a folder; to be used by one thread. Other processes may use the same file.

    Args:
        folder: the folder of what viewers keep.

    Raises:
        UsageError: its file is not one of our own.
        OSError: the folder cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._database = self._opened()
        self._seen: dict[int, IndexedSession] = {}
        """Sessions that were named in an answer: another process may have read them again, or forgotten them, since."""

    def stamps(self) -> dict[SessionKey, str]:
        """Return the stamps of all sessions that are kept."""
        rows = self._rows("SELECT source, name, stamp FROM sessions")
        return {SessionKey(source, name): stamp for source, name, stamp in rows}

    @property
    def is_full(self) -> bool:
        """Whether no further session is taken in."""
        (pages,) = self._rows("PRAGMA page_count")[0]
        (page_bytes,) = self._rows("PRAGMA page_size")[0]
        return pages * page_bytes >= MAX_BYTES

    def put(
        self, session: IndexedSession, edits: Iterable[IndexedEdit], git_commands: Iterable[IndexedGitCommand]
    ) -> None:
        """Keep a session in place of what is kept of it; `save` makes it last.

        Raises:
            OSError: there is no space, or another process holds the file for too long.
        """
        with self._writing():
            self._remove([session.key])
            values = (*session.key, *session[1:])
            marks = ", ".join("?" * len(values))
            cursor = self._database.execute(
                "INSERT INTO sessions (source, name, stamp, about, folder, repository, first, last, minutes) "
                f"VALUES ({marks})",
                values,
            )
            number = cursor.lastrowid
            self._database.executemany(
                "INSERT INTO edits VALUES (?, ?, ?, ?, ?)",
                ((number, place, *edit) for place, edit in enumerate(edits)),
            )
            self._database.executemany(
                "INSERT INTO git_commands VALUES (?, ?, ?, ?)", ((number, *command) for command in git_commands)
            )

    def save(self) -> None:
        """Make what was put last.

        Raises:
            OSError: as for `put`.
        """
        with self._writing():
            self._database.commit()

    def forget(self, keys: Collection[SessionKey]) -> None:
        """Remove what is kept of these sessions.

        Raises:
            OSError: as for `put`.
        """
        with self._writing():
            self._remove(keys)
            self._database.commit()

    def forget_named(self, names: Collection[str]) -> None:
        """Remove what is kept of the sessions with these ids, of whatever source.

        Raises:
            OSError: as for `put`.
        """
        self.forget([key for key in self.stamps() if key.name in names or f"{key.source}-{key.name}" in names])

    def paths_named(self, name: str) -> list[str]:
        """Return the paths of the edited files with this name."""
        return [path for (path,) in self._rows("SELECT DISTINCT path FROM edits WHERE name = ?", name)]

    def edits_of(self, paths: Iterable[str]) -> Iterator[tuple[int, IndexedEdit]]:
        """Yield the edits of files, each with the number of its session."""
        for name, path in {(path.rpartition("/")[2], path) for path in paths}:
            query = "SELECT session, name, path, edit FROM edits WHERE name = ? AND path = ?"
            rows = self._rows(query, name, path)
            there = self.sessions(session for session, *_ in rows)
            for session, *edit in rows:
                if session in there:
                    yield session, IndexedEdit(*edit)

    def sessions_between(self, since: int, until: int) -> list[tuple[int, IndexedSession]]:
        """Return the sessions that began before the end of these minutes and ended after their start, by number."""
        query = f"SELECT {_COLUMNS} FROM sessions WHERE last >= ? AND first <= ?"
        found = [_session(row) for row in self._rows(query, since, until)]
        self._seen.update(found)
        return found

    def sessions(self, numbers: Iterable[int]) -> dict[int, IndexedSession]:
        """Return the sessions with these numbers, as they were when they were first named here."""
        query = f"SELECT {_COLUMNS} FROM sessions WHERE id = ?"
        wanted = set(numbers)
        self._seen.update(_session(row) for number in wanted - self._seen.keys() for row in self._rows(query, number))
        return {number: self._seen[number] for number in wanted if number in self._seen}

    def git_commands_of(self, session: int) -> list[IndexedGitCommand]:
        """Return the git commands of a session."""
        query = "SELECT time, folder, step FROM git_commands WHERE session = ?"
        return [IndexedGitCommand(*row) for row in self._rows(query, session)]

    def close(self) -> None:
        """Close the file; what was put and not saved is lost."""
        self._database.close()

    # The file

    def _opened(self) -> sqlite3.Connection:
        os.close(open_private(self._path, os.O_RDWR | os.O_CREAT))
        try:
            database = self._connected()
            is_ours = database.execute("PRAGMA application_id").fetchone() == (_APPLICATION,)
            if is_ours and database.execute("PRAGMA user_version").fetchone() == (FORMAT,):
                database.execute("SELECT count(*) FROM sessions").fetchone()
                return database
            database.close()
        except sqlite3.OperationalError as error:
            if _is_busy(error):
                raise _as_os_error(error) from error
        except sqlite3.DatabaseError:
            pass
        return self._made_again()

    def _connected(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=_WAIT_SECONDS, isolation_level="IMMEDIATE")
        database.execute("PRAGMA trusted_schema = OFF")
        # Losing the newest sessions to a power cut costs reading them again.
        database.execute("PRAGMA synchronous = OFF")
        return database

    def _made_again(self) -> sqlite3.Connection:
        for suffix in ("", "-journal", "-wal", "-shm"):
            Path(f"{self._path}{suffix}").unlink(missing_ok=True)
        os.close(open_private(self._path, os.O_RDWR | os.O_CREAT))
        try:
            database = self._connected()
            database.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}COMMIT;")
            database.execute(f"PRAGMA application_id = {_APPLICATION}")
            database.execute(f"PRAGMA user_version = {FORMAT}")
            database.commit()
        except sqlite3.DatabaseError as error:
            raise _as_os_error(error) from error
        return database

    def _rows(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query; if the file turns out to be damaged, those of an empty one.

        Raises:
            OSError: another process holds the file for too long.
        """
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and _is_busy(error):
                raise _as_os_error(error) from error
            self._database.close()
            self._database = self._made_again()
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Generator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            with suppress(sqlite3.DatabaseError):
                self._database.rollback()
            raise _as_os_error(error) from error

    def _remove(self, keys: Collection[SessionKey]) -> None:
        for key in keys:
            found = self._database.execute("SELECT id FROM sessions WHERE source = ? AND name = ?", key).fetchone()
            if found is not None:
                self._database.execute("DELETE FROM edits WHERE session = ?", found)
                self._database.execute("DELETE FROM git_commands WHERE session = ?", found)
                self._database.execute("DELETE FROM sessions WHERE id = ?", found)


_COLUMNS: Final = "id, source, name, stamp, about, folder, repository, first, last, minutes"


def _session(row: "tuple[Any, ...]") -> tuple[int, IndexedSession]:
    number, source, name, *rest = row
    return cast("int", number), IndexedSession(SessionKey(source, name), *rest)


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return "locked" in str(error) or "busy" in str(error)


def _as_os_error(error: sqlite3.Error) -> OSError:
    return OSError(None, str(error))


def forget_edits(folder: Path, sessions: Collection[str]) -> None:
    """Remove what the index in ``folder`` keeps of sessions with these ids, if there is one.

    Raises:
        OSError: it cannot be written.
        UsageError: it is not a file of our own.
    """
    if not (folder / FILE_NAME).exists():
        return
    index = EditIndex(folder)
    try:
        index.forget_named(sessions)
    finally:
        index.close()
