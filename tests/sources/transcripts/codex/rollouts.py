"""Writes rollouts of every generation, and reads them with the core."""

import json
from collections.abc import Iterable
from typing import Any, TypeVar

from seqthink.sources.transcripts.codex.records import RolloutReader
from seqthink.sources.transcripts.facts import Fact
from seqthink.sources.transcripts.source import ReadCounts

FactT = TypeVar("FactT", bound=Fact)
THREAD = "01a20457-b8ca-7e52-8af8-6a2a4cbd7e6c"
TURN = "01a20457-b934-77e2-8413-ddc90a98f565"
LATER_TURN = "01a2045d-7fc9-7a12-a0c3-8766e005d937"
FORK = "01a20458-0000-7000-8000-000000000001"
"""A thread made after `TURN` and before `LATER_TURN`."""


def line(kind: str, /, payload: object, *, second: int = 0, minute: int = 39) -> bytes:
    """Return a record with a payload, as Codex writes it."""
    record = {"timestamp": f"2026-11-22T17:{minute}:{second:02}.500Z", "type": kind, "payload": payload}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def meta(thread: str = THREAD, *, second: int = 0, **more: object) -> bytes:
    """Return the first line of a rollout."""
    payload = {"id": thread, "timestamp": "2026-11-22T17:39:00.000Z", "cwd": "/home/ada/work", "cli_version": "0.120.0"}
    return line("session_meta", payload | more, second=second)


def event(kind: str, /, *, second: int = 0, **fields: object) -> bytes:
    """Return an event of the client."""
    return line("event_msg", {"type": kind, **fields}, second=second)


def item(kind: str, /, *, second: int = 0, **fields: object) -> bytes:
    """Return an item of the model's conversation."""
    return line("response_item", {"type": kind, **fields}, second=second)


def completed(kind: str, /, *, second: int = 0, thread: str = THREAD, **fields: object) -> bytes:
    """Return a completed item of a turn."""
    return event("item_completed", second=second, thread_id=thread, item={"type": kind, **fields})


def message(role: str, text: str, *, second: int = 0) -> bytes:
    """Return a message of the model's conversation."""
    return item("message", second=second, role=role, content=[{"type": "input_text", "text": text}])


def facts_of(lines: Iterable[bytes], *, root: str | None = None, counts: ReadCounts | None = None) -> list[Fact]:
    """Return all facts of these lines, filtered as a file's are."""
    return facts_in(RolloutReader(counts or ReadCounts(), root), lines)


def facts_in(reader: RolloutReader, lines: Iterable[bytes]) -> list[Fact]:
    """Return the facts that lines add to what a reader has read."""
    return [fact for one in lines if reader.wants(one) for fact in reader.read(one)]


def words_of(facts: Iterable[Fact]) -> list[tuple[Any, ...]]:
    """Return of each fact its type and what it says, for comparing."""
    return [(type(fact).__name__, fact.id, getattr(fact, "text", getattr(fact, "tool", None))) for fact in facts]


def of(kind: "type[FactT]", facts: Iterable[Fact]) -> "list[FactT]":
    """Return the facts of one type."""
    return [fact for fact in facts if isinstance(fact, kind)]
