"""The tables of OpenCode 1 and of OpenCode 2, read as one.

OpenCode 2 has tables of its own and copied the old sessions into them once, with their ids; what OpenCode 1 writes
afterwards is in the old tables only. So the newer tables lead, and the older ones add the sessions that the newer ones
do not have, and the messages of a session that are newer than all that the newer ones have of it.
"""

import sqlite3
from collections.abc import Iterable, Set

from seqthink.sources.transcripts.opencode import newer_queries, queries
from seqthink.sources.transcripts.opencode.columns import count, identifier
from seqthink.sources.transcripts.opencode.guarded import UnknownFormatError
from seqthink.sources.transcripts.opencode.rows import LogRow, SessionRow, StoredMessage


class Tables:
    """What a database holds, through one connection, as long as its tables stay as they are.

    Raises:
        UnknownFormatError: it has tables, but none that we know.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._is_old = queries.has_sessions(connection)
        self._is_new = newer_queries.has_tables(connection)
        self.names = queries.table_names(connection)
        """The names of all tables, also of those that are not read."""
        if not self._is_old and not self._is_new and self.names:
            raise UnknownFormatError("it has none of the tables that hold sessions")
        self._has_log = self._is_old and queries.has_event_log(connection)

    def all_sessions(self) -> list[SessionRow]:
        """Return every session, with those of subagents."""
        older = queries.all_sessions(self._connection) if self._is_old else ()
        newer = newer_queries.all_sessions(self._connection) if self._is_new else ()
        return list(({row.id: row for row in older} | {row.id: row for row in newer}).values())

    def session(self, session_id: str) -> SessionRow | None:
        """Return one session; None if there is none."""
        found = self._newer_session(session_id)
        return found or (queries.session(self._connection, session_id) if self._is_old else None)

    def child_sessions(self, session_id: str) -> list[SessionRow]:
        """Return the sessions that a session started, oldest first."""
        older = queries.child_sessions(self._connection, session_id) if self._is_old else []
        older = [row for row in older if self._newer_session(row.id) is None]
        return older + (newer_queries.child_sessions(self._connection, session_id) if self._is_new else [])

    def root_sessions_after(self, place: tuple[int, int]) -> tuple[list[SessionRow], tuple[int, int]]:
        """Return sessions that are not a subagent's and were stored after a place, and the place of the last one."""
        older, newer = list[SessionRow](), list[SessionRow]()
        old_place, new_place = place
        if self._is_old:
            older, old_place = queries.root_sessions_after(self._connection, old_place)
        if self._is_new:
            newer, new_place = newer_queries.root_sessions_after(self._connection, new_place)
        older = [row for row in older if self._newer_session(row.id) is None]
        return older + newer, (old_place, new_place)

    def sessions_with_message_at(self, times: Set[int]) -> dict[int, list[SessionRow]]:
        """Return for each time, in milliseconds, the sessions that have a message of this time, oldest first."""
        holders: dict[str, set[int]] = {}
        older = queries.all_message_times(self._connection) if self._is_old else ()
        newer = newer_queries.all_message_times(self._connection) if self._is_new else ()
        for found in (older, newer):
            for created, raw in found:
                if created in times and (session_id := identifier(raw)):
                    holders.setdefault(session_id, set()).add(count(created))
        held: dict[int, list[SessionRow]] = {time: [] for time in times}
        newest_id_first = sorted(self.all_sessions(), key=lambda row: row.id, reverse=True)
        for row in sorted(newest_id_first, key=lambda row: count(row.created)):
            for time in holders.get(row.id, ()):
                held[time].append(row)
        return held

    def message_times(self, session_id: str) -> list[tuple[int, str]]:
        """Return when the messages of a session were created, in milliseconds, and their ids."""
        newer = newer_queries.message_times(self._connection, session_id) if self._is_new else []
        older = queries.message_times(self._connection, session_id) if self._is_old else []
        known = {message_id for _, message_id in newer}
        last = max((time for time, _ in newer), default=-1)
        return newer + [each for each in older if each[0] > last and each[1] not in known]

    def message(self, message_id: str) -> StoredMessage | None:
        """Return one message with its parts in their order; None if there is none."""
        found = newer_queries.message(self._connection, message_id) if self._is_new else None
        if found is not None or not self._is_old:
            return found
        row = queries.message(self._connection, message_id)
        if row is None:
            return None
        parts = queries.parts(self._connection, message_id)
        return StoredMessage(row, parts, sum(len(each.data) for each in (row, *parts) if isinstance(each.data, bytes)))

    def message_time(self, message_id: str) -> int | None:
        """Return when a message was created, in milliseconds; None if there is none."""
        found = newer_queries.message_time(self._connection, message_id) if self._is_new else None
        return queries.message_time(self._connection, message_id) if found is None and self._is_old else found

    def last_seq(self, session_id: str) -> int | None:
        """Return the number of a session's newest entry in the log; None if no log has its changes."""
        if not self._has_log or self._newer_session(session_id) is not None:
            return None
        return queries.last_seq(self._connection, session_id)

    def log_after(self, session_id: str, seq: int) -> Iterable[LogRow]:
        """Return the entries of a session's log behind one, in order."""
        return queries.log_after(self._connection, session_id, seq)

    def last_update(self, session_id: str) -> int:
        """Return when something of a session was updated last, in milliseconds."""
        newer = newer_queries.last_update(self._connection, session_id) if self._is_new else 0
        return max(newer, queries.last_update(self._connection, session_id) if self._is_old else 0)

    def messages_updated_since(self, session_id: str, milliseconds: int) -> list[tuple[int, str]]:
        """Return the messages of a session that were updated, also in a part, at a time or after it, and when."""
        newer = newer_queries.messages_updated_since(self._connection, session_id, milliseconds) if self._is_new else []
        older = queries.messages_updated_since(self._connection, session_id, milliseconds) if self._is_old else []
        if not older or self._newer_session(session_id) is None:
            return newer + older
        current = {message_id for _, message_id in self.message_times(session_id)}
        return newer + [each for each in older if each[1] in current]

    def row_counts(self, session_id: str) -> tuple[int, int]:
        """Return how many messages a session has, and how many rows their parts are."""
        if self._newer_session(session_id) is not None:
            return len(self.message_times(session_id)), 0
        return queries.row_counts(self._connection, session_id) if self._is_old else (0, 0)

    def part_count(self, message_ids: Iterable[str]) -> int:
        """Return how many rows the parts of some messages are."""
        return queries.part_count(self._connection, message_ids) if self._is_old else 0

    def has_rows_of_parts(self, session_id: str) -> bool:
        """Return whether the parts of a session's messages are rows that can be counted."""
        return self._newer_session(session_id) is None

    def _newer_session(self, session_id: str) -> SessionRow | None:
        return newer_queries.session(self._connection, session_id) if self._is_new else None
