"""Writes a database as OpenCode does: WAL, a commit for each change, and an event log beside the rows."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

TABLES: Final = """
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT,
    time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE INDEX message_session ON message (session_id, time_created, id);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER,
    data TEXT);
CREATE INDEX part_message ON part (message_id, id);
CREATE INDEX part_session ON part (session_id);
"""
LOG: Final = """
CREATE TABLE event (id INTEGER PRIMARY KEY, aggregate_id TEXT, seq INTEGER, type TEXT, data TEXT);
CREATE UNIQUE INDEX event_seq ON event (aggregate_id, seq);
"""
RECORDINGS: Final = Path(__file__).parent
BEGIN: Final = 1_700_000_000_000
"""When a session begins in tests, in milliseconds."""


def recorded_events(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the type and data of the events of a recorded session."""
    for line in (RECORDINGS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        yield event["type"], event["data"]


class ClientDatabase:
    """The client's side of a database; ``now`` counts milliseconds, one for each change."""

    def __init__(self, path: Path, *, has_log: bool = True) -> None:
        self.path = path
        self.now = BEGIN
        self._has_log = has_log
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA wal_autocheckpoint = 0")
        self.connection.executescript(TABLES + (LOG if has_log else ""))

    def session(self, session_id: str, title: str = "", parent: str | None = None, **info: object) -> None:
        """Create or change a session."""
        self.now += 1
        time = {"created": self.now, "updated": self.now}
        known = {
            "id": session_id,
            "parentID": parent,
            "title": title,
            "directory": "/home/ada/work",
            "version": "1.2.3",
        }
        self.apply("session.updated.1", {"sessionID": session_id, "info": {"time": time, **known, **info}})

    def message(self, session_id: str, message_id: str, role: str, **info: object) -> None:
        """Create or change a message; ``time`` is filled in if it is not given."""
        self.now += 1
        whole = {"id": message_id, "role": role, "time": {"created": self.now}, **info}
        self.apply("message.updated.1", {"sessionID": session_id, "info": whole})

    def part(self, session_id: str, message_id: str, part_id: str, **part: object) -> None:
        """Create or change a part."""
        self.now += 1
        whole = {"id": part_id, "messageID": message_id, **part}
        self.apply("message.part.updated.1", {"sessionID": session_id, "part": whole, "time": self.now})

    def remove_message(self, session_id: str, message_id: str) -> None:
        """Remove a message with its parts."""
        self.apply("message.removed.1", {"sessionID": session_id, "messageID": message_id})

    def remove_part(self, session_id: str, message_id: str, part_id: str) -> None:
        """Remove a part."""
        self.apply("message.part.removed.1", {"sessionID": session_id, "messageID": message_id, "partID": part_id})

    def record(self, name: str) -> None:
        """Write a recorded session."""
        for kind, data in recorded_events(name):
            self.apply(kind, data)

    def apply(self, kind: str, data: Mapping[str, Any]) -> None:
        """Commit one change: its row, and its entry in the log."""
        write = self.connection.execute
        write("BEGIN")
        match kind.rpartition(".")[0]:
            case "session.created" | "session.updated":
                self._write_session(data["info"])
            case "message.updated":
                self._write_message(data["sessionID"], data["info"])
            case "message.part.updated":
                self._write_part(data["sessionID"], data["part"], data["time"])
            case "message.removed":
                write("DELETE FROM part WHERE message_id = ?", (data["messageID"],))
                write("DELETE FROM message WHERE id = ?", (data["messageID"],))
            case "message.part.removed":
                write("DELETE FROM part WHERE id = ?", (data["partID"],))
            case _:
                pass
        if self._has_log:
            write(
                "INSERT INTO event (aggregate_id, seq, type, data) VALUES (?1, "
                "(SELECT coalesce(max(seq), -1) + 1 FROM event WHERE aggregate_id = ?1), ?2, ?3)",
                (data["sessionID"], kind, json.dumps(data)),
            )
        write("COMMIT")

    def close(self) -> None:
        """Close the database; the log file goes if nobody else has it open."""
        self.connection.close()

    def _write_session(self, info: Mapping[str, Any]) -> None:
        times = info["time"]
        row = (info["id"], info.get("parentID"), info["directory"], info["title"], info["version"])
        self.connection.execute(
            "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title, "
            "time_updated = excluded.time_updated",
            (*row, times["created"], times["updated"]),
        )

    def _write_message(self, session_id: str, info: Mapping[str, Any]) -> None:
        data = json.dumps({key: value for key, value in info.items() if key != "id"})
        created = info["time"]["created"]
        updated = max(created, info["time"].get("completed", 0), self.now)
        self.connection.execute(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data, "
            "time_updated = excluded.time_updated",
            (info["id"], session_id, created, updated, data),
        )

    def _write_part(self, session_id: str, part: Mapping[str, Any], time: int) -> None:
        data = json.dumps({key: value for key, value in part.items() if key not in {"id", "messageID"}})
        self.connection.execute(
            "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data, "
            "time_updated = excluded.time_updated",
            (part["id"], part["messageID"], session_id, time, time, data),
        )
