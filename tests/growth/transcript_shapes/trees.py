"""Transcripts of Qwen Code and pi, whose records name the one before, and documents of Cline CLI, in any size."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.growth.transcript_shapes.records import Record, call_of, time_of, write_lines

_SESSION: Final = "71a3a348-e2d8-48cf-9ab3-14e8e9ef8ec4"
Said = Iterator[tuple[str, str, str | list[str]]]
Shape = Callable[[int], Said]
"""Yields who says something, the record that it continues (empty: the one before), and what is said or called."""


def _straight(size: int) -> Said:
    for number in range(size):
        yield "user", "", f"why {number}?"
        yield "model", "", [f"c{number}"]
        yield "result", "", f"c{number}"
        yield "model", "", "so"


def _calls_of_one(size: int) -> Said:
    yield "model", "", [f"c{number}" for number in range(size)]
    for number in range(size):
        yield "result", "", f"c{number}"


def _equal_calls(size: int) -> Said:
    for _ in range(size):
        yield "model", "", ["c"]
        yield "result", "", "c"


def _back_to_the_first(size: int) -> Said:
    for number in range(size):
        yield "user", "r0" if number else "", f"why {number}?"
        yield "model", "", "so"


def _back_to_either_end(size: int) -> Said:
    for number in range(size):
        yield "user", "", f"why {number}?"
    for number in range(size):
        yield "user", f"r{size - 1}" if number % 2 else f"r{size // 2}", "other"


TREES: Final[dict[str, Shape]] = {
    "straight": _straight,
    "calls of one": _calls_of_one,
    "equal calls": _equal_calls,
    "back to the first": _back_to_the_first,
    "back to either end": _back_to_either_end,
}


def write_qwen(folder: Path, shape: str, size: int) -> Path:
    """Write the file of a session below a client's folder."""
    path = folder / "-x" / "chats" / f"{_SESSION}.jsonl"
    return write_lines(path, _qwen(TREES[shape](size)))


def _qwen(said: Said) -> Iterator[Record]:
    for number, (who, parent, what) in enumerate(said):
        parts: list[Record] = [{"text": what}]
        if isinstance(what, list):
            parts = [
                {"functionCall": {"id": call, "name": "sequentialthinking", "args": call_of(number)["input"]}}
                for call in what
            ]
        elif who == "result":
            parts = [{"functionResponse": {"id": what, "response": {"output": "{}"}}}]
        kind = {"user": "user", "model": "assistant", "result": "tool_result"}[who]
        place = {"uuid": f"r{number}", "parentUuid": parent or (f"r{number - 1}" if number else None)}
        yield {**place, "sessionId": _SESSION, "timestamp": time_of(number), "type": kind, "message": {"parts": parts}}


def write_pi(folder: Path, shape: str, size: int) -> Path:
    """Write the file of a session below a client's folder."""
    path = folder / "--x--" / f"2026-11-22T10-00-00-000Z_{_SESSION}.jsonl"
    return write_lines(path, _pi(TREES[shape](size)))


def _pi(said: Said) -> Iterator[Record]:
    yield {"type": "session", "version": 3, "id": _SESSION, "timestamp": time_of(0), "cwd": "/x"}
    for number, (who, parent, what) in enumerate(said):
        content: list[Record] = [{"type": "text", "text": what}]
        about: Record = {"role": "assistant", "stopReason": "stop"} if who == "model" else {"role": who}
        if isinstance(what, list):
            arguments = call_of(number)["input"]
            content = [
                {"type": "toolCall", "id": call, "name": "sequentialthinking", "arguments": arguments} for call in what
            ]
        elif who == "result":
            about, content = {"role": "toolResult", "toolCallId": what}, []
        place = {"id": f"r{number}", "parentId": parent or (f"r{number - 1}" if number else None)}
        yield {"type": "message", **place, "timestamp": time_of(number), "message": {**about, "content": content}}


def write_cline(folder: Path, shape: str, size: int) -> Path:
    """Write the document of a session below a client's folder."""
    messages: list[Record] = []
    for number, (who, _, what) in enumerate(TREES[shape](size)):
        content: list[Record] = [{"type": "text", "text": what}]
        if isinstance(what, list):
            content = [{**call_of(number), "id": call} for call in what]
        elif who == "result":
            content = [{"type": "tool_result", "tool_use_id": what, "content": "{}"}]
        role = "assistant" if who == "model" else "user"
        messages.append({"id": f"m{number}", "role": role, "content": content, "ts": 1_795_000_000_000 + number})
    path = folder / "1795000000000_x" / "1795000000000_x.messages.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"version": 1, "updated_at": time_of(0), "messages": messages}), "utf-8")
    return path


def write_copies(folder: Path, size: int) -> Path:
    """Write many sessions of pi in one folder, each a copy of the one before; return the last."""
    path = folder
    for number in range(size):
        before = f"/x/2026-11-22T10-00-00-000Z_s{number - 1}.jsonl"
        head = {"type": "session", "version": 3, "id": f"s{number}", "timestamp": time_of(number), "cwd": "/x"}
        path = folder / "--x--" / f"2026-11-22T10-00-00-000Z_s{number}.jsonl"
        write_lines(path, iter([head | ({"parentSession": before} if number else {})]))
    return path
