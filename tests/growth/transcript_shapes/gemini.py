"""Transcripts of Gemini CLI of every shape, in any size."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from uuid import UUID

from tests.growth.transcript_shapes.records import Record, call_of, time_of, write_lines

GEMINI_SESSION: Final = "0a970a83-f1e5-4568-8205-900341368e9a"


def _gemini_head() -> Record:
    return {"sessionId": GEMINI_SESSION, "projectHash": "55e6", "startTime": time_of(0), "kind": "main"}


def _gemini_user(number: int) -> Record:
    return {"id": f"u{number}", "timestamp": time_of(number), "type": "user", "content": [{"text": f"why {number}?"}]}


def _gemini_call(number: int, name: str) -> Record:
    return {
        "id": name,
        "name": "mcp_s_sequentialthinking",
        "args": call_of(number)["input"],
        "status": "success",
        "timestamp": time_of(number),
        "result": [],
    }


def _gemini_model(name: str, number: int, calls: list[Record], **more: object) -> Record:
    known = {"id": name, "timestamp": time_of(number), "type": "gemini", "content": f"It is {number}.", "model": "g"}
    return known | {"toolCalls": calls} | more


def _gemini_straight(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _gemini_user(number)
        yield _gemini_model(f"m{number}", number, [_gemini_call(number, f"c{number}")])


def _gemini_calls_of_one(size: int) -> Iterator[Record]:
    yield _gemini_model("m", 1, [_gemini_call(number, f"c{number}") for number in range(size)])


def _gemini_thoughts_of_one(size: int) -> Iterator[Record]:
    thoughts = [{"subject": f"s{n}", "description": "d", "timestamp": time_of(n)} for n in range(size)]
    yield _gemini_model("m", 1, [], thoughts=thoughts)


def _gemini_equal_ids(size: int) -> Iterator[Record]:
    return (_gemini_model("m", 1, [_gemini_call(number, f"c{number}")]) for number in range(size))


def _gemini_equal_calls(size: int) -> Iterator[Record]:
    return (_gemini_model(f"m{number}", number, [_gemini_call(number, "c")]) for number in range(size))


def _gemini_rewinds(size: int) -> Iterator[Record]:
    yield _gemini_user(0)
    for number in range(1, size):
        yield _gemini_user(number)
        yield {"$rewindTo": f"u{number}"}


def _gemini_rewinds_of_each(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _gemini_user(number)
    for number in range(size - 1, 0, -1):
        yield {"$rewindTo": f"u{number}"}


def _gemini_replaced(size: int) -> Iterator[Record]:
    yield {"$set": {"messages": [_gemini_user(number) for number in range(size)]}}
    yield {"$set": {"messages": [_gemini_user(number) for number in range(size)]}}


def _gemini_renamed(size: int) -> Iterator[Record]:
    for number in range(size):
        yield {"$set": {"messages": [{**_gemini_user(0), "id": f"u{number}"}]}}


def _gemini_renamed_and_taken_back(size: int) -> Iterator[Record]:
    for number in range(size):
        yield {**_gemini_user(0), "id": f"u{number}"}
    for number in range(size - 1, 0, -1):
        yield {"$rewindTo": f"u{number}"}
        yield {"$set": {"messages": [{**_gemini_user(0), "id": f"v{number}"}]}}


def _gemini_growing(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _gemini_model(f"m{number}", number, [], content="It")
        yield _gemini_model(f"m{number}", number, [])


def _gemini_set(size: int) -> Iterator[Record]:
    return ({"$set": {"lastUpdated": time_of(number), "summary": f"s{number}"}} for number in range(size))


GEMINI: Final[dict[str, Callable[[int], Iterator[Record]]]] = {
    "straight": _gemini_straight,
    "calls of one message": _gemini_calls_of_one,
    "thoughts of one message": _gemini_thoughts_of_one,
    "one message again and again": _gemini_equal_ids,
    "equal ids of calls": _gemini_equal_calls,
    "rewinds": _gemini_rewinds,
    "rewinds one after the other": _gemini_rewinds_of_each,
    "all messages replaced": _gemini_replaced,
    "equal messages with new ids": _gemini_renamed,
    "equal messages with new ids, others taken back": _gemini_renamed_and_taken_back,
    "messages written again with more text": _gemini_growing,
    "changed settings": _gemini_set,
}


def write_gemini(path: Path, records: Iterator[Record]) -> Path:
    """Write a chat with these records behind its first; return the file."""
    return write_lines(path, (record for some in ([_gemini_head()], records) for record in some))


def write_gemini_agents(folder: Path, size: int) -> Path:
    """Write a chat with many subagents, each in a file of its own; return the chat's file."""
    main = write_gemini(folder / "session-2026-11-22T10-00-0a970a83.jsonl", _gemini_straight(2))
    for number in range(size):
        session = str(UUID(int=number + 1))
        head = _gemini_head() | {"sessionId": session, "kind": "subagent"}
        write_lines(folder / GEMINI_SESSION / f"{session}.jsonl", iter([head, _gemini_user(number)]))
    return main


GEMINI_FILES: Final[dict[str, Callable[[Path, int], Path]]] = {"subagents": write_gemini_agents}
