"""Transcripts as the clients write them, by the thousand: what the viewer finds without a server of ours."""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tests.bench.clients.client_lines import ANSWER, CLIENTS, age, arguments, call_id, command_output
from tests.sources.transcripts.opencode.client_database import LOG, TABLES

JSON_LINES = ("claude", "codex", "gemini")
"""The clients that append lines to files, of the first four."""
DATABASE = "opencode"
"""The client of those that commits to a database."""
ALL = ("claude", "cline", "codex", "copilot", "gemini", "kilo", "opencode", "pi", "qwen")
"""All clients."""
_DATABASES, _DOCUMENT = ("opencode", "kilo"), "cline"
_FILLING_BYTES = 100_000
_CLINE_ANSWER = json.dumps({"content": [{"type": "text", "text": ANSWER}]})


class FileTranscript:
    """A session of a client that appends lines to a file."""

    def __init__(self, home: Path, client: str, session: int) -> None:
        self.lines, self.session = CLIENTS[client], session
        self.path = home / self.lines.path(session)

    def begin(self, size: int, thoughts: range) -> None:
        """Write the session: filling up to about ``size`` bytes, then thoughts."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        filling = [
            self.lines.filling(self.session, _FILLING_BYTES + number) for number in range(size // _FILLING_BYTES)
        ]
        written = [piece for place in thoughts for piece in self.lines.thought(self.session, place)]
        self.path.write_bytes(b"".join([self.lines.opening(self.session), *filling, *written]))

    def add(self, place: int) -> float:
        """Append a thought as the client does; return the time before the write that answers it."""
        began = 0.0
        for piece in self.lines.thought(self.session, place):
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            began = time.perf_counter()
            os.write(descriptor, piece)
            os.close(descriptor)
        return began

    def output(self, size: int) -> bytes:
        """Return a line with that many bytes of a command's output."""
        return command_output(self.session, size)

    def settle(self) -> None:
        """Let the file have changed when the session was."""
        changed = time.time() - age(self.session)
        os.utime(self.path, (changed, changed))

    def remove(self) -> None:
        """Delete the session."""
        self.path.unlink()

    def close(self) -> None:
        """Nothing is held open."""


class DocumentTranscript:
    """A session of Cline, which rewrites a document with each message; a status file is beside it."""

    def __init__(self, home: Path, session: int) -> None:
        self.session = session
        self._id = f"{1_795_000_000_000 + session}_abcde"
        self.path = home / ".cline" / "data" / "sessions" / self._id / f"{self._id}.messages.json"
        self._messages: list[dict[str, object]] = []

    def begin(self, size: int, thoughts: range) -> None:
        """Write the session: filling up to about ``size`` bytes, then thoughts."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        about = {"version": 1, "session_id": self._id, "source": "cli", "pid": os.getpid(), "status": "running"}
        self.path.with_name(f"{self._id}.json").write_text(json.dumps(about, indent=2), "utf-8")
        self._say("user", [{"type": "text", "text": "why the 502s?"}])
        for number in range(size // _FILLING_BYTES):
            self._call(f"read_{number}", "run_commands", {"commands": ["cat a.log"]}, "x" * _FILLING_BYTES)
        for place in thoughts:
            self._call(call_id(self.session, place), "seq__sequentialthinking", arguments(place), _CLINE_ANSWER)
        self._write()

    def add(self, place: int) -> float:
        """Rewrite the document with an answered thought; return the time before."""
        self._call(call_id(self.session, place), "seq__sequentialthinking", arguments(place), _CLINE_ANSWER)
        return self._write()

    def _call(self, call: str, name: str, given: object, answer: str) -> None:
        self._say("assistant", [{"type": "tool_use", "id": call, "name": name, "input": given}])
        self._say("user", [{"type": "tool_result", "tool_use_id": call, "content": answer}])

    def _say(self, role: str, content: object) -> None:
        name = f"msg_{self.session}_{len(self._messages)}"
        said = int((time.time() - age(self.session)) * 1000)
        self._messages.append({"id": name, "role": role, "content": content, "ts": said})

    def _write(self) -> float:
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - age(self.session)))
        document = {"version": 1, "updated_at": at, "sessionId": self._id, "messages": self._messages}
        data = json.dumps(document, indent=2).encode()
        began = time.perf_counter()
        self.path.write_bytes(data)
        return began

    def settle(self) -> None:
        """Let the files have changed when the session was."""
        changed = time.time() - age(self.session)
        for path in (self.path, self.path.with_name(f"{self._id}.json"), self.path.parent):
            os.utime(path, (changed, changed))

    def remove(self) -> None:
        """Delete the session."""
        shutil.rmtree(self.path.parent)

    def close(self) -> None:
        """Nothing is held open."""


class DatabaseTranscript:
    """A session of OpenCode or Kilo; until `close` the client is running, and the database has its log beside it."""

    def __init__(self, home: Path, client: str, session: int) -> None:
        self.path = home / ".local" / "share" / client / f"{client}.db"
        self.session = session
        self._id = f"ses_{session:06}"
        self._seq = 0
        is_new = not self.path.exists()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(self.path, isolation_level=None)
        self._connection.execute("PRAGMA synchronous = normal")
        if is_new:
            self._connection.executescript("PRAGMA journal_mode = wal;" + TABLES + LOG)

    def begin(self, size: int, thoughts: range) -> None:
        """Commit the session: filling up to about ``size`` bytes, then thoughts."""
        now = self._now()
        self._connection.execute("BEGIN")
        row = (self._id, None, "/home/ada/work", f"session {self.session}", "1.18.33", now, now)
        self._connection.execute("INSERT INTO session VALUES (?,?,?,?,?,?,?)", row)
        self._insert("user", {"role": "user"}, {"type": "text", "text": "why the 502s?"}, now)
        for number in range(size // _FILLING_BYTES):
            state = {"status": "completed", "input": {"path": "a.log"}, "output": "x" * _FILLING_BYTES}
            part = {"type": "tool", "tool": "read", "callID": f"read_{number}", "state": state}
            self._insert(f"read{number:05}", {"role": "assistant"}, part, now)
        self._connection.execute("COMMIT")
        for place in thoughts:
            self.add(place)

    def add(self, place: int) -> float:
        """Commit an answered thought; return the time before the commit."""
        now = self._now()
        state = {
            "status": "completed",
            "input": arguments(place),
            "output": ANSWER,
            "time": {"start": now, "end": now},
        }
        part = {
            "type": "tool",
            "tool": "seq_sequentialthinking",
            "callID": call_id(self.session, place),
            "state": state,
        }
        self._connection.execute("BEGIN")
        self._insert(f"t{place:06}", {"role": "assistant"}, part, now)
        self._connection.execute("UPDATE session SET time_updated = ? WHERE id = ?", (now, self._id))
        began = time.perf_counter()
        self._connection.execute("COMMIT")
        return began

    def _now(self) -> int:
        return int((time.time() - age(self.session)) * 1000)

    def _insert(self, name: str, message: object, part: object, now: int) -> None:
        message_id, part_id = f"msg_{self.session}_{name}", f"prt_{self.session}_{name}"
        execute = self._connection.execute
        execute("INSERT INTO message VALUES (?,?,?,?,?)", (message_id, self._id, now, now, json.dumps(message)))
        row = (part_id, message_id, self._id, now, now, json.dumps(part))
        execute("INSERT INTO part VALUES (?,?,?,?,?,?)", row)
        said = {"sessionID": self._id, "part": {"id": part_id, "messageID": message_id, "sessionID": self._id}}
        entry = (self._id, self._seq, "message.part.updated.1", json.dumps(said))
        execute("INSERT INTO event (aggregate_id, seq, type, data) VALUES (?,?,?,?)", entry)
        self._seq += 1

    def settle(self) -> None:
        """The rows have the session's time already."""

    def remove(self) -> None:
        """Delete the session."""
        for table, column in (("session", "id"), ("message", "session_id"), ("part", "session_id")):
            self._connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (self._id,))
        self._connection.execute("DELETE FROM event WHERE aggregate_id = ?", (self._id,))

    def close(self) -> None:
        """Close the database, as the client does when it ends: the log is gone then."""
        self._connection.close()


Transcript = FileTranscript | DocumentTranscript | DatabaseTranscript


def transcript(home: Path, client: str, session: int) -> Transcript:
    """Return a session of a client, not written yet."""
    if client in _DATABASES:
        return DatabaseTranscript(home, client, session)
    return DocumentTranscript(home, session) if client == _DOCUMENT else FileTranscript(home, client, session)


def fill(home: Path, sessions: int, total_bytes: int, clients: Sequence[str] = (*JSON_LINES, DATABASE)) -> None:
    """Write that many old sessions, as many for each of ``clients``; none was changed in the last hour."""
    each = total_bytes // sessions
    for session in range(1, sessions + 1):
        with closing(transcript(home, clients[session % len(clients)], session)) as one:
            one.begin(each, range(1, 3))
            one.settle()
