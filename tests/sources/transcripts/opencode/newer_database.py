"""Writes the tables of OpenCode 2, as its source and public reports describe them."""

import json
import sqlite3
from pathlib import Path
from typing import Any, Final

from tests.sources.transcripts.opencode.client_database import BEGIN

NEWER_TABLES: Final = """
CREATE TABLE session_v2 (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, fork_session_id TEXT,
    fork_boundary TEXT, slug TEXT NOT NULL, directory TEXT NOT NULL, title TEXT, version TEXT NOT NULL, agent TEXT,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, type TEXT NOT NULL, seq INTEGER NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
"""


def tool(call_id: str, name: str, *, status: str = "completed", **state: object) -> dict[str, Any]:
    """Return a tool part of a message."""
    return {"type": "tool", "id": call_id, "name": name, "state": {"status": status, **state}, "time": {}}


def thought(number: int, text: str, call_id: str = "") -> dict[str, Any]:
    """Return a tool part that holds a thought."""
    arguments = {"thought": text, "thoughtNumber": number, "totalThoughts": 2, "nextThoughtNeeded": number < 2}
    return tool(call_id or f"call_{number}", "seq_sequentialthinking", input=arguments)


class NewerDatabase:
    """The client's side; ``now`` counts milliseconds, one for each change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now = BEGIN
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.executescript(NEWER_TABLES)

    def session(
        self, session_id: str, title: str | None = None, parent: str | None = None, fork_of: str | None = None
    ) -> None:
        """Create a session."""
        self.now += 1
        self.connection.execute(
            "INSERT INTO session_v2 VALUES (?, 'p', ?, ?, NULL, 's', '/home/ada/work', ?, '2.0.12', ?, ?, ?)",
            (session_id, parent, fork_of, title, "explore" if parent else "build", self.now, self.now),
        )

    def message(
        self, session_id: str, message_id: str, kind: str, *, created: int | None = None, **data: object
    ) -> None:
        """Create a message, or write it again as it is now; ``completed`` is the time at which a step ended."""
        self.now += 1
        known = self.connection.execute("SELECT time_created FROM session_message WHERE id = ?", (message_id,))
        created = created or next(known, (self.now,))[0]
        time = {"created": created, **({"completed": self.now} if data.pop("completed", False) else {})}
        self.connection.execute(
            "INSERT INTO session_message VALUES (?1, ?2, ?3, (SELECT count(*) FROM session_message), ?4, ?5, ?6) "
            "ON CONFLICT (id) DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated",
            (message_id, session_id, kind, created, self.now, json.dumps({"time": time, **data})),
        )

    def remove_message(self, message_id: str) -> None:
        """Remove a message."""
        self.connection.execute("DELETE FROM session_message WHERE id = ?", (message_id,))

    def close(self) -> None:
        """Close the database."""
        self.connection.close()
