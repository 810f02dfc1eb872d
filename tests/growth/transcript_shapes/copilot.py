"""Transcripts of Copilot CLI of every shape, in any size."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final

from tests.growth.transcript_shapes.records import Record, call_of, time_of, write_lines

_SESSION: Final = "706444ce-09ce-40aa-82e5-eb2efc0871d8"
_NUMBERS: Final = count(1)


def write_copilot(folder: Path, records: Iterator[Record]) -> Path:
    """Write the file of a session below a client's folder."""
    return write_lines(folder / "session-state" / _SESSION / "events.jsonl", records)


def write_sessions(folder: Path, size: int) -> Path:
    """Write many sessions; return the folder of the last."""
    for number in range(size):
        path = folder / "session-state" / f"s{number}" / "events.jsonl"
        write_lines(path, iter([_record("session.start", number, sessionId=f"s{number}")]))
    return folder


def _record(kind: str, number: int, agent: str = "", **data: object) -> Record:
    about = {"agentId": agent} if agent else {}
    own = {"id": f"r{next(_NUMBERS)}", "timestamp": time_of(number), "parentId": None}
    return {"type": kind, "data": data, **about, **own}


def _requests(number: int, calls: list[str], agent: str = "") -> Record:
    asked = [
        {"toolCallId": call, "name": "seq-sequentialthinking", "arguments": call_of(number)["input"]} for call in calls
    ]
    return _record("assistant.message", number, agent, content="", toolRequests=asked)


def _call(number: int, call: str, agent: str = "") -> Iterator[Record]:
    yield _requests(number, [call], agent)
    yield _record("tool.execution_start", number, agent, toolCallId=call, toolName="seq-sequentialthinking")
    yield _record("tool.execution_complete", number, agent, toolCallId=call, success=True)


def _straight(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _record("user.message", number, content=f"why {number}?")
        yield from _call(number, f"c{number}")
        yield _record("assistant.message", number, content="so", reasoningText="hm")


def _calls_of_one(size: int) -> Iterator[Record]:
    calls = [f"c{number}" for number in range(size)]
    yield _requests(1, calls)
    yield from (_record("tool.execution_start", 1, toolCallId=call, toolName="bash") for call in calls)
    yield from (_record("tool.execution_complete", 1, toolCallId=call, success=True) for call in reversed(calls))


def _equal_calls(size: int) -> Iterator[Record]:
    for number in range(size):
        yield from _call(number, "call_0")


def _equal_calls_without_ends(size: int) -> Iterator[Record]:
    yield from (_requests(number, ["call_0"]) for number in range(size))
    yield from (_record("tool.execution_complete", 1, toolCallId="call_0", success=True) for _ in range(size))


def _subagents(size: int) -> Iterator[Record]:
    for number in range(size):
        agent = f"a{number}"
        yield _record("subagent.started", number, agent, toolCallId=f"t{number}", agentName="explore")
        yield from _call(number, "call_0", agent)
        yield _record("assistant.message", number, agent, content="report")
        yield _record("subagent.completed", number, agent, toolCallId=f"t{number}")


def _levels(size: int) -> Iterator[Record]:
    for number in range(size):
        above = {"parentId": f"a{number - 1}"} if number else {}
        yield _record("subagent.started", number, f"a{number}", toolCallId=f"t{number}", agentName="explore", **above)


def _permissions(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _requests(number, [f"c{number}"])
        yield _record("permission.requested", number, permissionRequest={"toolCallId": f"c{number}"})


COPILOT: Final[dict[str, Callable[[int], Iterator[Record]]]] = {
    "straight": _straight,
    "calls of one message": _calls_of_one,
    "equal calls": _equal_calls,
    "equal calls without ends": _equal_calls_without_ends,
    "subagents": _subagents,
    "levels of subagents": _levels,
    "permissions": _permissions,
}
"""The shapes of one file."""
