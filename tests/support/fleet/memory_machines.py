"""Machines whose sessions are in an engine in memory, as their shippers would have put them there."""

import json
from datetime import UTC, datetime

from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.layout import SessionName
from tests.support.fleet.memory_fleet import MemoryFleet

NOW = int(datetime(2026, 11, 14, 12, 31, tzinfo=UTC).timestamp()) * 1_000_000


def head(session: str, cwd: str, client: str = "claude-code") -> bytes:
    """Return the first line of a session."""
    fields = {
        "v": 1,
        "seq": 1,
        "time": "2026-11-14T12:29:00.000Z",
        "type": "session",
        "session": session,
        "notes": True,
        "server": {"name": "seqthink", "version": "1"},
        "client": {"name": client, "version": "2"},
        "cwd": cwd,
        "host": "evil",
    }
    return json.dumps(fields).encode()


def thought(number: int, total: int = 9) -> bytes:
    """Return the line of a thought."""
    more = "true" if number < total else "false"
    return (
        b'{"v":1,"seq":%d,"time":"2026-11-14T12:30:%02d.000Z","type":"thought","thought":"step %d","thoughtNumber":%d,'
        b'"totalThoughts":%d,"nextThoughtNeeded":%s}'
        % (number + 1, min(59, 20 + number // 60), number, number, total, more.encode())
    )


class MemoryMachines:
    """Machines whose sessions are in an engine in memory."""

    def __init__(self) -> None:
        self.engine = MemoryFleet()

    def put(
        self,
        origin: str,
        session: str,
        thoughts: int = 3,
        *,
        total: int = 9,
        ago: int = 0,
        size: int = 0,
        **card: object,
    ) -> SessionName:
        """Let a machine have a session that thinks."""
        name = SessionName(origin, session)
        lines = [head(session, f"/home/ada/{session}"), *(thought(number, total) for number in range(1, thoughts + 1))]
        self.engine.append(name, lines)
        facts: dict[str, object] = {
            "name": session,
            "client": "claude-code",
            "title": "step 1",
            "state": "thinking",
            "attention": "thinking",
            "progress": f"{thoughts} of ~{total}",
            "newest": f"step {thoughts}",
            "newest_number": str(thoughts),
            "last": NOW - ago * 1_000_000,
            "newest_time": NOW - ago * 1_000_000,
            "started": NOW - (ago + 60) * 1_000_000,
            "thoughts": thoughts,
            "lines": len(lines),
            "bytes": size or sum(len(line) + 1 for line in lines),
            "notes": 1,
        }
        self.engine.put(name, Card(**{**facts, **card}))  # pyright: ignore[reportArgumentType] - a test's facts
        self.engine.alive.add(name)
        self.engine.shippers.add(origin)
        return name
