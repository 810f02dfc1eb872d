"""Transcripts as the four clients write them, by the thousand: what the viewer finds without a server of ours."""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from tests.bench import journals
from tests.sources.transcripts.opencode.client_database import LOG, TABLES

JSON_LINES = ("claude", "codex", "gemini")
"""The clients that append lines to files."""
DATABASE = "opencode"
"""The client that commits to a database."""
_FILLING_BYTES = 100_000
_PROJECTS = 8
NEW_SESSIONS = 1_000_000
"""The sessions with numbers from here on, and number 0, go on now."""


def arguments(place: int) -> dict[str, object]:
    """Return the arguments of the thought at ``place``; they are the same in every session."""
    text = f"{journals.text_mark(place)} and so the pool of the checkout starves"
    return {"thought": text, "thoughtNumber": place, "totalThoughts": place + 5, "nextThoughtNeeded": True}


def call_id(session: int, place: int) -> str:
    """Return the client's id of the call of a thought."""
    return f"call_{session}_{place}"


class Lines(NamedTuple):
    """How a client writes its lines, for the session with a number."""

    path: Callable[[int], str]
    """Where the session's file is, below the home folder."""
    opening: Callable[[int], bytes]
    """The lines up to the first prompt."""
    filling: Callable[[int, int], bytes]
    """A line of about so many bytes in which there is no thought."""
    thought: Callable[[int, int], Sequence[bytes]]
    """What is written for an answered thought, one piece for each write."""


def _line(record: object) -> bytes:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def age(session: int) -> float:
    """Return how many seconds ago a session was: an hour and more for the old ones, 0 for those that go on."""
    return 3600.0 + 60 * session if 0 < session < NEW_SESSIONS else 0.0


def _when(session: int) -> str:
    moment = datetime.fromtimestamp(time.time() - age(session), UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _uuid(*names: object) -> str:
    return str(uuid5(NAMESPACE_URL, "/".join(str(name) for name in names)))


_ANSWER = '{"thoughtNumber":1,"totalThoughts":9,"nextThoughtNeeded":true,"branches":[],"thoughtHistoryLength":1}'


def _claude(session: int, kind: str, message: object, *names: object) -> bytes:
    identity = {
        "uuid": _uuid("claude", session, *names),
        "timestamp": _when(session),
        "sessionId": _uuid("claude", session),
    }
    about = {"cwd": f"/home/ada/work-{session % _PROJECTS}", "version": "2.1.330", "gitBranch": "HEAD"}
    return _line({"parentUuid": None, "isSidechain": False, "type": kind, "message": message} | identity | about)


def _claude_result(session: int, call: str, text: str) -> bytes:
    block = {"tool_use_id": call, "type": "tool_result", "content": text}
    return _claude(session, "user", {"role": "user", "content": [block]}, "result", call)


def _claude_thought(session: int, place: int) -> Sequence[bytes]:
    call = call_id(session, place)
    block = {"type": "tool_use", "id": call, "name": "mcp__seq__sequentialthinking", "input": arguments(place)}
    said = {"id": f"msg_{session}_{place}", "role": "assistant", "model": "claude-opus-4-8", "content": [block]}
    return [_claude(session, "assistant", said, "call", place) + _claude_result(session, call, _ANSWER)]


def _codex(session: int, kind: str, payload: object) -> bytes:
    return _line({"timestamp": _when(session), "type": kind, "payload": payload})


def _codex_opening(session: int) -> bytes:
    thread = _uuid("codex", session)
    meta = {
        "session_id": thread,
        "id": thread,
        "timestamp": _when(session),
        "cwd": "/home/ada/work",
        "cli_version": "0.169.0",
    }
    meta |= {"source": "exec", "thread_source": "user", "base_instructions": {"text": "You are an agent. " * 1000}}
    item = {"type": "UserMessage", "id": f"user-{session}", "content": [{"type": "text", "text": "why the 502s?"}]}
    asked = {"type": "item_completed", "thread_id": thread, "item": item}
    return _codex(session, "session_meta", meta | {"history_mode": "paginated"}) + _codex(session, "event_msg", asked)


def _codex_thought(session: int, place: int) -> Sequence[bytes]:
    call = call_id(session, place)
    tool = {"name": "sequentialthinking", "namespace": "mcp__seq", "call_id": call}
    asked = {"type": "function_call", **tool, "arguments": json.dumps(arguments(place))}
    item = {"type": "McpToolCall", "id": call, "server": "seq", "tool": "sequentialthinking"}
    item |= {"arguments": arguments(place), "status": "completed", "result": {"structuredContent": json.loads(_ANSWER)}}
    done = {"type": "item_completed", "thread_id": _uuid("codex", session), "item": item}
    answered = {"type": "function_call_output", "call_id": call, "output": _ANSWER}
    return [
        _codex(session, "response_item", asked),
        _codex(session, "event_msg", done),
        _codex(session, "response_item", answered),
    ]


def _codex_path(session: int) -> str:
    day = f"2026/11/{session % 20 + 1:02}"
    return f".codex/sessions/{day}/rollout-2026-11-{session % 20 + 1:02}T10-00-00-{_uuid('codex', session)}.jsonl"


def _gemini(session: int, name: str, calls: Sequence[object]) -> bytes:
    message = {"id": _uuid("gemini", session, name), "timestamp": _when(session), "type": "gemini", "content": ""}
    return _line(message | {"model": "gemini-3.8-flash", "tokens": {"thoughts": 3}, "toolCalls": calls})


def _gemini_call(session: int, name: str, call: str, given: object, answer: str) -> dict[str, object]:
    result = [{"functionResponse": {"id": call, "name": name, "response": {"output": answer}}}]
    return {"id": call, "name": name, "args": given, "result": result, "status": "success", "timestamp": _when(session)}


def _gemini_opening(session: int) -> bytes:
    head = {
        "sessionId": _gemini_id(session),
        "projectHash": "55e6a4c0",
        "startTime": _when(session),
        "lastUpdated": _when(session),
    }
    asked = {
        "id": f"user-{session}",
        "timestamp": _when(session),
        "type": "user",
        "content": [{"text": "why the 502s?"}],
    }
    return _line(head | {"kind": "main"}) + _line(asked)


def _gemini_id(session: int) -> str:
    return f"{session:08x}-0000-4000-8000-000000000000"


def _gemini_thought(session: int, place: int) -> Sequence[bytes]:
    call = _gemini_call(session, "mcp_seq_sequentialthinking", call_id(session, place), arguments(place), _ANSWER)
    return [_gemini(session, f"thought-{place}", [call]), _line({"$set": {"lastUpdated": _when(session)}})]


def _claude_path(session: int) -> str:
    return f".claude/projects/-home-ada-work-{session % _PROJECTS}/{_uuid('claude', session)}.jsonl"


def _claude_opening(session: int) -> bytes:
    return _claude(session, "user", {"role": "user", "content": "why the 502s?"}, "asked")


def _claude_filling(session: int, size: int) -> bytes:
    return _claude_result(session, f"call_read_{size}", "x" * size)


def _codex_filling(session: int, size: int) -> bytes:
    return _codex(session, "compacted", {"message": "", "replacement_history": [{"text": "x" * size}]})


def _gemini_path(session: int) -> str:
    return f".gemini/tmp/work-{session % _PROJECTS}/chats/session-2026-11-01T10-00-{session:08x}.jsonl"


def _gemini_filling(session: int, size: int) -> bytes:
    call = _gemini_call(session, "read_file", f"read_{size}", {"path": "a.log"}, "x" * size)
    return _gemini(session, f"read-{size}", [call])


CLIENTS = {
    "claude": Lines(_claude_path, _claude_opening, _claude_filling, _claude_thought),
    "codex": Lines(_codex_path, _codex_opening, _codex_filling, _codex_thought),
    "gemini": Lines(_gemini_path, _gemini_opening, _gemini_filling, _gemini_thought),
}
"""The clients that append lines, by their names."""


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
        answer = {"type": "function_call_output", "call_id": f"call_shell_{size}", "output": "x" * size}
        return _codex(self.session, "response_item", answer)

    def settle(self) -> None:
        """Let the file have changed when the session was."""
        changed = time.time() - age(self.session)
        os.utime(self.path, (changed, changed))

    def remove(self) -> None:
        """Delete the session."""
        self.path.unlink()

    def close(self) -> None:
        """Nothing is held open."""


class DatabaseTranscript:
    """A session of OpenCode; until `close` the client is running, and the database has its log beside it."""

    def __init__(self, home: Path, session: int) -> None:
        self.path = home / ".local" / "share" / "opencode" / "opencode.db"
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
            "output": _ANSWER,
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


Transcript = FileTranscript | DatabaseTranscript


def transcript(home: Path, client: str, session: int) -> Transcript:
    """Return a session of a client, not written yet."""
    return DatabaseTranscript(home, session) if client == DATABASE else FileTranscript(home, client, session)


def fill(home: Path, sessions: int, total_bytes: int) -> None:
    """Write that many old sessions, a quarter for each client; none was changed in the last hour."""
    each = total_bytes // sessions
    for session in range(1, sessions + 1):
        with closing(transcript(home, (*JSON_LINES, DATABASE)[session % 4], session)) as one:
            one.begin(each, range(1, 3))
            one.settle()
