"""What is asked of the tables of OpenCode 1. Texts come as bytes: they may be anything.

Columns are named one by one, and only those that every version has: others may come and go.
"""

from collections.abc import Iterable, Iterator
from sqlite3 import Connection
from typing import Final

from seqthink.sources.transcripts.opencode.columns import count, identifier, text
from seqthink.sources.transcripts.opencode.rows import LogRow, MessageRow, PartRow, SessionRow

MAX_ROW_BYTES: Final = 16 * 1024 * 1024
_TABLES: Final = {"session", "message", "part"}
_SESSION: Final = "SELECT id, parent_id, directory, title, version, time_created, time_updated FROM session"
DATA: Final = f"CASE WHEN length(data) > {MAX_ROW_BYTES} THEN NULL ELSE data END"


def has_sessions(connection: Connection) -> bool:
    """Return whether the database has the tables of sessions."""
    return table_names(connection) >= _TABLES


def has_event_log(connection: Connection) -> bool:
    """Return whether the database has the log of all changes."""
    return "event" in table_names(connection)


def all_sessions(connection: Connection) -> Iterator[SessionRow]:
    """Yield every session, with those of subagents."""
    return session_rows(connection.execute(_SESSION))


def session(connection: Connection, session_id: str) -> SessionRow | None:
    """Return one session; None if there is none."""
    return next(session_rows(connection.execute(f"{_SESSION} WHERE id = ?", (session_id,))), None)


def root_sessions_after(connection: Connection, place: int) -> tuple[list[SessionRow], int]:
    """Return the sessions that are not a subagent's and were stored after a place, and the place of the last one."""
    last = connection.execute("SELECT coalesce(max(rowid), 0) FROM session").fetchone()[0]
    found = connection.execute(f"{_SESSION} WHERE rowid > ? AND parent_id IS NULL", (place,))
    return list(session_rows(found)), last


def all_message_times(connection: Connection) -> Iterator[tuple[object, object]]:
    """Yield when each message was created, in milliseconds, and the id of its session."""
    yield from connection.execute("SELECT time_created, session_id FROM message")


def child_sessions(connection: Connection, session_id: str) -> list[SessionRow]:
    """Return the sessions that a session started, oldest first."""
    return list(session_rows(connection.execute(f"{_SESSION} WHERE parent_id = ? ORDER BY id DESC", (session_id,))))


def message_times(connection: Connection, session_id: str) -> list[tuple[int, str]]:
    """Return when the messages of a session were created, in milliseconds, and their ids."""
    found = connection.execute("SELECT time_created, id FROM message WHERE session_id = ?", (session_id,))
    return [(count(created), message_id) for created, raw in found if (message_id := identifier(raw))]


def message(connection: Connection, message_id: str) -> MessageRow | None:
    """Return one message; None if there is none."""
    query = f"SELECT session_id, time_created, {DATA} FROM message WHERE id = ?"
    for session_id, created, data in connection.execute(query, (message_id,)):
        return MessageRow(message_id, text(session_id), created, data)
    return None


def message_time(connection: Connection, message_id: str) -> int | None:
    """Return when a message was created, in milliseconds; None if there is none."""
    found = connection.execute("SELECT time_created FROM message WHERE id = ?", (message_id,)).fetchone()
    return None if found is None else count(found[0])


def parts(connection: Connection, message_id: str) -> list[PartRow]:
    """Return the parts of a message in their order."""
    query = f"SELECT id, time_created, {DATA} FROM part WHERE message_id = ? ORDER BY id"
    return [
        PartRow(part_id, created, data)
        for raw, created, data in connection.execute(query, (message_id,))
        if (part_id := identifier(raw))
    ]


def row_counts(connection: Connection, session_id: str) -> tuple[int, int]:
    """Return how many messages and parts a session has."""
    query = (
        "SELECT (SELECT count(*) FROM message WHERE session_id = :id), "
        "(SELECT count(*) FROM part WHERE session_id = :id)"
    )
    return connection.execute(query, {"id": session_id}).fetchone()


def part_count(connection: Connection, message_ids: Iterable[str]) -> int:
    """Return how many parts some messages have."""
    query = "SELECT count(*) FROM part WHERE message_id = ?"
    return sum(connection.execute(query, (message_id,)).fetchone()[0] for message_id in message_ids)


def last_seq(connection: Connection, session_id: str) -> int | None:
    """Return the number of a session's newest entry in the log; None if the log has none of it."""
    return connection.execute("SELECT max(seq) FROM event WHERE aggregate_id = ?", (session_id,)).fetchone()[0]


def log_after(connection: Connection, session_id: str, seq: int) -> Iterator[LogRow]:
    """Yield the entries of a session's log behind one, in order."""
    query = f"SELECT seq, type, {DATA} FROM event WHERE aggregate_id = ? AND seq > ? ORDER BY seq"
    for number, kind, data in connection.execute(query, (session_id, seq)):
        yield LogRow(number, text(kind), data)


def last_update(connection: Connection, session_id: str) -> int:
    """Return when a part or message of a session was updated last, in milliseconds."""
    query = (
        "SELECT max((SELECT coalesce(max(time_updated), 0) FROM part WHERE session_id = :id), "
        "(SELECT coalesce(max(time_updated), 0) FROM message WHERE session_id = :id))"
    )
    return count(connection.execute(query, {"id": session_id}).fetchone()[0])


def messages_updated_since(connection: Connection, session_id: str, milliseconds: int) -> list[tuple[int, str]]:
    """Return the messages of a session that were updated, themselves or in a part, at a time or after it, and when."""
    query = (
        "SELECT time_updated, message_id FROM part WHERE session_id = :id AND time_updated >= :time "
        "UNION SELECT time_updated, id FROM message WHERE session_id = :id AND time_updated >= :time"
    )
    found = connection.execute(query, {"id": session_id, "time": milliseconds})
    return [(count(updated), message_id) for updated, raw in found if (message_id := identifier(raw))]


def session_rows(found: Iterable[tuple[object, ...]]) -> Iterator[SessionRow]:
    """Yield the sessions of rows of both generations; those without an id not."""
    for raw_id, parent_id, directory, title, version, created, updated, *more in found:
        if session_id := identifier(raw_id):
            names = (text(directory), text(title), text(version))
            origin, agent = more or (None, None)
            known = (identifier(parent_id), *names, created, updated, identifier(origin), text(agent))
            yield SessionRow(session_id, *known)


def table_names(connection: Connection) -> set[str]:
    """Return the names of the tables, and of views, which are refused once they are read."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' OR type = 'view'"
    return {text(name) for (name,) in connection.execute(query)}
