"""What is asked of the tables of OpenCode 2: a message is one row with all its parts, rewritten as it grows."""

from collections.abc import Iterator
from sqlite3 import Connection
from typing import Final

from seqthink.sources.transcripts.opencode.columns import count, identifier, text
from seqthink.sources.transcripts.opencode.queries import DATA, session_rows, table_names
from seqthink.sources.transcripts.opencode.rows import MessageRow, SessionRow, StoredMessage
from seqthink.sources.transcripts.opencode.session_messages import as_stored_before

_TABLES: Final = {"session_v2", "session_message"}
_SESSION: Final = (
    "SELECT id, parent_id, directory, title, version, time_created, time_updated, fork_session_id, agent "
    "FROM session_v2"
)


def has_tables(connection: Connection) -> bool:
    """Return whether the database has the tables of OpenCode 2; one of them alone is not used yet."""
    return table_names(connection) >= _TABLES


def all_sessions(connection: Connection) -> Iterator[SessionRow]:
    """Yield every session, with those of subagents."""
    return session_rows(connection.execute(_SESSION))


def session(connection: Connection, session_id: str) -> SessionRow | None:
    """Return one session; None if there is none."""
    return next(session_rows(connection.execute(f"{_SESSION} WHERE id = ?", (session_id,))), None)


def root_sessions_after(connection: Connection, place: int) -> tuple[list[SessionRow], int]:
    """Return the sessions that are not a subagent's and were stored after a place, and the place of the last one."""
    last = connection.execute("SELECT coalesce(max(rowid), 0) FROM session_v2").fetchone()[0]
    found = connection.execute(f"{_SESSION} WHERE rowid > ? AND parent_id IS NULL", (place,))
    return list(session_rows(found)), last


def child_sessions(connection: Connection, session_id: str) -> list[SessionRow]:
    """Return the sessions that a session started, oldest first."""
    return list(session_rows(connection.execute(f"{_SESSION} WHERE parent_id = ? ORDER BY id DESC", (session_id,))))


def all_message_times(connection: Connection) -> Iterator[tuple[object, object]]:
    """Yield when each message was created, in milliseconds, and the id of its session."""
    yield from connection.execute("SELECT time_created, session_id FROM session_message")


def message_times(connection: Connection, session_id: str) -> list[tuple[int, str]]:
    """Return when the messages of a session were created, in milliseconds, and their ids, in their order."""
    found = connection.execute(
        "SELECT time_created, id FROM session_message WHERE session_id = ? ORDER BY seq", (session_id,)
    )
    return [(count(created), message_id) for created, raw in found if (message_id := identifier(raw))]


def message(connection: Connection, message_id: str) -> StoredMessage | None:
    """Return one message with its parts; None if there is none."""
    query = f"SELECT session_id, type, time_created, {DATA} FROM session_message WHERE id = ?"
    for session_id, kind, created, data in connection.execute(query, (message_id,)):
        row, parts = as_stored_before(text(kind), MessageRow(message_id, text(session_id), created, data))
        return StoredMessage(row, parts, len(data) if isinstance(data, bytes) else 0)
    return None


def message_time(connection: Connection, message_id: str) -> int | None:
    """Return when a message was created, in milliseconds; None if there is none."""
    found = connection.execute("SELECT time_created FROM session_message WHERE id = ?", (message_id,)).fetchone()
    return None if found is None else count(found[0])


def messages_updated_since(connection: Connection, session_id: str, milliseconds: int) -> list[tuple[int, str]]:
    """Return the messages of a session that were updated at a time or after it, and when."""
    query = "SELECT time_updated, id FROM session_message WHERE session_id = ? AND time_updated >= ?"
    found = connection.execute(query, (session_id, milliseconds))
    return [(count(updated), message_id) for updated, raw in found if (message_id := identifier(raw))]


def last_update(connection: Connection, session_id: str) -> int:
    """Return when a message of a session was updated last, in milliseconds."""
    query = "SELECT max(time_updated) FROM session_message WHERE session_id = ?"
    return count(connection.execute(query, (session_id,)).fetchone()[0])
