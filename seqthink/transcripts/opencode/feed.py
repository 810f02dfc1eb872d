"""Follows one root session in OpenCode's database: first its history, then what changes.

The history is read message by message, in the order in which they were created. After that, each look asks SQLite
whether anything was committed; if so, the event log says which messages changed, and these are read again. A client
that keeps no event log is followed by the times at which rows were updated, and by counting them.
"""

import errno
import heapq
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from seqthink.transcripts.opencode import queries
from seqthink.transcripts.opencode.database import Database
from seqthink.transcripts.opencode.ordering import FactOrder
from seqthink.transcripts.opencode.records import OpenCodeReader
from seqthink.transcripts.source import FactBatch, ReadCounts

_ROW_BYTES: Final = 64
"""What a row counts besides its data."""


class _Followed:
    """A session of the tree: how far it was followed."""

    def __init__(self) -> None:
        self.messages: set[str] = set()
        self.is_begun = False
        self.seq: int | None = None
        """The newest entry of the log that was read; None while the log has none of this session."""
        self.updated = 0
        """Without a log: the newest update that was read, in milliseconds."""
        self.compared: tuple[int, int] | None = None
        """Without a log: the row counts for which all messages were read again."""


class OpenCodeFeed:
    """Reads a root session with the sessions of its subagents.

    Raises:
        OSError: there is no database of this user at the path.
    """

    def __init__(self, path: Path, session_id: str) -> None:
        self._session_id = session_id
        self._counts = ReadCounts()
        self._database = Database(path)
        self._begin()
        self._file = self._database.state()[:2]

    @property
    def counts(self) -> ReadCounts:
        """What became of the records so far; an attempt to read that SQLite refused counts as a corrupt one."""
        return self._counts

    @property
    def agent_files(self) -> Sequence[Path]:
        """No files: subagents are in the same database."""
        return ()

    def read(self, limit_bytes: int) -> FactBatch:
        """Return the facts of about the next ``limit_bytes`` bytes. Never raises for what the database holds.

        What cannot be read now, because the client has it locked or changes its tables, is tried again the next time.

        Raises:
            OSError: the database is gone or not permitted, or has no such session.
        """
        restarted = self._restart_if_replaced()
        is_readable = True
        try:
            version = self._database.data_version()
            if self._backlog or version != self._version:
                self._look(limit_bytes)
                self._version = version
        except sqlite3.Error:
            self._counts.corrupt += 1
            is_readable = False
        until = self._backlog[0][0] * 1000 if self._backlog else None
        return FactBatch(self._order.release(until), at_end=not (is_readable and self._backlog), restarted=restarted)

    def close(self) -> None:
        """Close what is open. Calling it again does nothing."""
        self._database.close()

    def _begin(self) -> None:
        self._reader = OpenCodeReader(self._session_id, self._counts)
        self._order = FactOrder()
        self._followed: dict[str, _Followed] = {}
        self._backlog: list[tuple[int, str]] = []
        """The messages to read, with the milliseconds of their creation: a heap."""
        self._waiting: set[str] = set()
        self._version: tuple[int, int] | None = None

    def _restart_if_replaced(self) -> bool:
        file = self._database.state()[:2]
        is_replaced = file != self._file
        if is_replaced:
            self._begin()
        self._file = file
        return is_replaced

    def _look(self, limit_bytes: int) -> None:
        """Find what has changed, then read messages until the limit is reached."""
        with self._database.reading() as connection:
            has_log = queries.has_event_log(connection)
            for session_id in self._find_sessions(connection):
                self._find_changes(connection, session_id, has_log=has_log)
            read_bytes = 0
            while self._backlog and read_bytes < limit_bytes:
                read_bytes += self._read_message(connection, heapq.heappop(self._backlog)[1])
        self._order.add(self._reader.take_removals())

    def _find_sessions(self, connection: sqlite3.Connection) -> list[str]:
        """Take in the rows of the root and of its subagents; return the ids."""
        root = queries.session(connection, self._session_id)
        if root is None and not self._followed:
            raise FileNotFoundError(errno.ENOENT, "no such session", self._session_id)
        rows = [] if root is None else [root]
        ids = [row.id for row in rows]
        for row in rows:
            self._order.add(self._reader.take_session(row))
            children = [child for child in queries.child_sessions(connection, row.id) if child.id not in ids]
            rows += children
            ids += [child.id for child in children]
        return ids

    def _find_changes(self, connection: sqlite3.Connection, session_id: str, *, has_log: bool) -> None:
        followed = self._followed.setdefault(session_id, _Followed())
        newest = queries.last_seq(connection, session_id) if has_log else None
        if not followed.is_begun:
            followed.is_begun, followed.seq = True, newest
            self._put_back(connection, followed, [each for _, each in queries.message_times(connection, session_id)])
        elif newest is None:
            self._compare(connection, session_id, followed)
        elif newest != followed.seq:
            changed: dict[str | None, None] = {}
            for row in queries.log_after(connection, session_id, -1 if followed.seq is None else followed.seq):
                changed[self._reader.changed_message(row)] = None
            followed.seq = newest
            self._put_back(connection, followed, [each for each in changed if each is not None])

    def _compare(self, connection: sqlite3.Connection, session_id: str, followed: _Followed) -> None:
        """Find the messages that changed without a log: by their time, or because rows are gone."""
        updated = queries.last_update(connection, session_id)
        changed = queries.messages_updated_since(connection, session_id, followed.updated)
        counts = queries.row_counts(connection, session_id)
        known = (len(followed.messages), self._reader.part_count(followed.messages))
        if counts not in (known, followed.compared) and not self._backlog:
            followed.compared = counts
            changed += followed.messages
        followed.updated = updated
        self._put_back(connection, followed, changed)

    def _put_back(self, connection: sqlite3.Connection, followed: _Followed, message_ids: Iterable[str]) -> None:
        """Let these messages be read, for the first time or again; forget those that are gone."""
        for message_id in message_ids:
            time = queries.message_time(connection, message_id)
            if time is None:
                followed.messages.discard(message_id)
                self._reader.remove_message(message_id)
            elif message_id not in self._waiting:
                followed.messages.add(message_id)
                self._waiting.add(message_id)
                heapq.heappush(self._backlog, (time, message_id))

    def _read_message(self, connection: sqlite3.Connection, message_id: str) -> int:
        """Read a message with its parts; return how many bytes that were."""
        self._waiting.discard(message_id)
        row = queries.message(connection, message_id)
        if row is None:
            self._reader.remove_message(message_id)
            return _ROW_BYTES
        parts = queries.parts(connection, message_id)
        facts = self._reader.take_message(row, parts)
        if facts:
            self._order.add(self._reader.take_removals())
        self._order.add(facts)
        return sum(_ROW_BYTES + len(each.data) for each in (row, *parts) if isinstance(each.data, bytes))
