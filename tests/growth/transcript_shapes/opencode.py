"""Databases of OpenCode of every shape, in any size."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.growth.transcript_shapes.records import Record, call_of
from tests.sources.transcripts.opencode.client_database import LOG, TABLES

_MILLISECONDS: Final = 1_795_369_101_000


class _Rows:
    """The rows of a database that is being made."""

    def __init__(self) -> None:
        self.sessions: list[tuple[object, ...]] = []
        self.messages: list[tuple[object, ...]] = []
        self.parts: list[tuple[object, ...]] = []

    def session(self, name: str, parent: str | None = None, title: str = "t", at: int = 0) -> None:
        time = _MILLISECONDS + at
        self.sessions.append((name, parent, "/x", title, "1.2.3", time, time))

    def message(self, session: str, name: str, role: str, at: int, parts: int = 1) -> None:
        time = _MILLISECONDS + at
        self.messages.append((name, session, time, time, json.dumps({"role": role, "time": {"created": time}})))
        for number in range(parts):
            part: Record = {"type": "text", "text": f"why {number}?"}
            if role == "assistant":
                state = {
                    "status": "completed",
                    "input": call_of(number)["input"],
                    "output": "{}",
                    "time": {"start": time},
                }
                part = {"type": "tool", "tool": "s_sequentialthinking", "callID": f"{name}c{number}", "state": state}
            self.parts.append((f"{name}p{number:06}", name, session, time, time, json.dumps(part)))


def _opencode_straight(rows: _Rows, size: int) -> None:
    rows.session("s")
    for number in range(size):
        rows.message("s", f"m{2 * number:06}", "user", 2 * number)
        rows.message("s", f"m{2 * number + 1:06}", "assistant", 2 * number + 1)


def _opencode_parts_of_one(rows: _Rows, size: int) -> None:
    rows.session("s")
    rows.message("s", "m", "assistant", 1, parts=size)


def _opencode_sessions(rows: _Rows, size: int) -> None:
    for number in range(size):
        rows.session("s" if not number else f"s{number}", at=number)
        rows.message("s" if not number else f"s{number}", f"m{number}", "user", number)


def _opencode_agents(rows: _Rows, size: int) -> None:
    rows.session("s")
    for number in range(size):
        rows.session(f"s{number}", "s", at=number)
        rows.message(f"s{number}", f"m{number}", "assistant", number)


def _opencode_deep_agents(rows: _Rows, size: int) -> None:
    rows.session("s")
    for number in range(size):
        rows.session(f"s{number}", f"s{number - 1}" if number else "s", at=number)
        rows.message(f"s{number}", f"m{number}", "assistant", number)


def _opencode_forks(rows: _Rows, size: int) -> None:
    rows.session("s")
    rows.message("s", "m", "user", 1)
    for number in range(size):
        rows.session(f"s{number}", title=f"t (fork #{number})", at=10 + number)
        rows.message(f"s{number}", f"a{number}", "user", 1)
        rows.message(f"s{number}", f"b{number}", "user", 10_000 + number)


def _opencode_forks_of_forks(rows: _Rows, size: int) -> None:
    rows.session("s")
    rows.message("s", "m0", "user", 1)
    for number in range(1, size):
        rows.session(f"s{number}", title=f"t (fork #{number})", at=2 * number)
        rows.message(f"s{number}", f"a{number}", "user", 2 * number - 1)
        rows.message(f"s{number}", f"b{number}", "user", 2 * number + 1)


OPENCODE: Final[dict[str, Callable[[_Rows, int], None]]] = {
    "straight": _opencode_straight,
    "parts of one message": _opencode_parts_of_one,
    "sessions": _opencode_sessions,
    "subagents": _opencode_agents,
    "subagents of subagents": _opencode_deep_agents,
    "forks": _opencode_forks,
    "forks of forks": _opencode_forks_of_forks,
}


def write_opencode(path: Path, shape: Callable[[_Rows, int], None], size: int) -> Path:
    """Write a database; return its file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = _Rows()
    shape(rows, size)
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(TABLES + LOG)
        connection.executemany("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)", rows.sessions)
        connection.executemany("INSERT INTO message VALUES (?, ?, ?, ?, ?)", rows.messages)
        connection.executemany("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", rows.parts)
    connection.close()
    return path
