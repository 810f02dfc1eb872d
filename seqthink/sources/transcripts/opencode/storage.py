"""Sessions of OpenCode before it had a database: a folder of JSON files, one for each session, message and part.

``storage/session/PROJECT/SESSION.json``, ``storage/message/SESSION/MESSAGE.json``, ``storage/part/MESSAGE/PART.json``.
No client writes them any longer: they are read once.
"""

import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from seqthink.core import system
from seqthink.sources.transcripts.facts import Fact, ToolCall
from seqthink.sources.transcripts.files.json_lines import microseconds_of_number
from seqthink.sources.transcripts.json_fields import as_fields, number_in, object_in, text_in
from seqthink.sources.transcripts.opencode.columns import count, decode_object, identifier
from seqthink.sources.transcripts.opencode.ordering import FactOrder
from seqthink.sources.transcripts.opencode.private_copy import own_file
from seqthink.sources.transcripts.opencode.records import OpenCodeReader
from seqthink.sources.transcripts.opencode.rows import MessageRow, PartRow, SessionRow
from seqthink.sources.transcripts.source import FactBatch, FoundSession, ReadCounts

MAX_FILE_BYTES: Final = 16 * 1024 * 1024
_MAX_FILES: Final = 100_000
"""How many files of one folder are looked at."""


class StoredSession(NamedTuple):
    """A session's file with what it says."""

    row: SessionRow
    path: Path


def stored_sessions(storage: Path) -> list[StoredSession]:
    """Return all sessions below a ``storage`` folder, with those of subagents."""
    found: list[StoredSession] = []
    for project in _entries(storage / "session"):
        found += _sessions_of_project(storage / "session" / project)
    return found


def folder_times(folder: Path) -> tuple[int, ...]:
    """Return when a folder and those in it changed last; nothing if it is not there."""
    times: list[int] = []
    for each in (folder, *(folder / name for name in _entries(folder))):
        try:
            times.append(each.lstat().st_mtime_ns)
        except OSError:
            continue
    return tuple(times)


def root_sessions(sessions: Sequence[StoredSession], source: str) -> list[FoundSession]:
    """Return the sessions that are not a subagent's."""
    return [
        FoundSession(source, row.id, path, microseconds_of_number(row.updated) or 0, 0)
        for row, path in sessions
        if row.parent_id is None
    ]


def read_session(path: Path) -> StoredSession | None:
    """Return the session that a file holds; None if it holds none."""
    info = decode_object(_content(path) or b"")
    if info is None or path.parent.parent.name != "session":
        return None
    session_id = identifier(info.get("id"))
    if session_id is None or session_id != path.stem:
        return None
    times = object_in(info, "time")
    names = (text_in(info, "directory"), text_in(info, "title"), text_in(info, "version"))
    row = SessionRow(session_id, identifier(info.get("parentID")), *names, times.get("created"), times.get("updated"))
    return StoredSession(row, path)


class StorageFeed:
    """Reads a root session with the sessions of its subagents, once.

    Raises:
        OSError: there is no such session.
    """

    def __init__(self, path: Path) -> None:
        root = read_session(path)
        if root is None:
            raise FileNotFoundError(errno.ENOENT, "no session of this user", str(path))
        self._root = root
        self._storage = path.parent.parent.parent
        self._counts = ReadCounts()
        self._reader = OpenCodeReader(root.row.id, self._counts)
        self._order = FactOrder()
        self._left: list[MessageRow] | None = None

    @property
    def counts(self) -> ReadCounts:
        """What became of the records so far."""
        return self._counts

    @property
    def agent_files(self) -> Sequence[Path]:
        """No files: a session is many of them from the beginning."""
        return ()

    @property
    def unstarted_calls(self) -> Mapping[str, int]:
        """None: the client does not say (see `SessionFeed`)."""
        return {}

    def unwritten_calls(self) -> Sequence[ToolCall]:
        """Return nothing: the client writes a call as soon as it is made (see `SessionFeed`)."""
        return ()

    def is_abandoned(self) -> None:
        """Say nothing: the client does not keep its files open (see `SessionFeed`)."""

    def read(self, limit_bytes: int) -> FactBatch:
        """Return the facts of about the next ``limit_bytes`` bytes. Never raises for what a file holds."""
        if self._left is None:
            self._left = self._begin()
        read_bytes = 0
        while self._left and read_bytes < limit_bytes:
            message = self._left.pop()
            parts = self._parts(message.id)
            self._order.add(self._reader.take_message(message, parts))
            read_bytes += sum(len(each.data) for each in (message, *parts) if isinstance(each.data, bytes))
        until = microseconds_of_number(self._left[-1].created) if self._left else None
        return FactBatch(self._order.release(until), at_end=not self._left)

    def settle(self) -> list[Fact]:
        """Return nothing: each message says by itself whether it is an answer."""
        return []

    def close(self) -> None:
        """Nothing is open."""

    def _begin(self) -> list[MessageRow]:
        """Take in the sessions; return their messages, the newest first."""
        rows = [self._root.row]
        others = [found.row for found in _sessions_of_project(self._root.path.parent)]
        for row in rows:
            self._order.add(self._reader.take_session(row))
            rows += [other for other in others if other.parent_id == row.id and other not in rows]
        messages = [message for row in rows for message in self._messages(row.id)]
        return sorted(messages, key=lambda message: (count(message.created), message.id), reverse=True)

    def _messages(self, session_id: str) -> Iterator[MessageRow]:
        for message_id, data in _contents(self._storage / "message" / session_id):
            yield MessageRow(message_id, session_id, _created(decode_object(data)), data)

    def _parts(self, message_id: str) -> list[PartRow]:
        return [PartRow(part_id, None, data) for part_id, data in _contents(self._storage / "part" / message_id)]


def _created(info: Mapping[str, Any] | None) -> int:
    return number_in(object_in(as_fields(info), "time"), "created") or 0


def _sessions_of_project(folder: Path) -> list[StoredSession]:
    found = [read_session(folder / name) for name in _entries(folder) if name.endswith(".json")]
    return [each for each in found if each is not None]


def _contents(folder: Path) -> Iterator[tuple[str, bytes | None]]:
    """Yield the names of the JSON files in a folder in order, without their ending, and what they hold."""
    for name in _entries(folder):
        if name.endswith(".json") and own_file(folder / name) is not None:
            yield name.removesuffix(".json"), _content(folder / name)


def _entries(folder: Path) -> list[str]:
    """Return the names in a folder in order; none if it is a link, or cannot be listed."""
    if folder.is_symlink():
        return []
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry, _ in zip(entries, range(_MAX_FILES), strict=False))
    except (OSError, ValueError):
        return []


def _content(path: Path) -> bytes | None:
    """Return what a regular file of this user holds; None if it is none, or too long."""
    try:
        descriptor = os.open(path, system.READ | system.NO_LINK)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or not system.is_own(status) or status.st_size > MAX_FILE_BYTES:
            return None
        return file.read(MAX_FILE_BYTES)
