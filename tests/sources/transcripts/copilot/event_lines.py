"""Records as Copilot CLI writes them, and what is read of them."""

import json
from collections.abc import Iterable
from typing import Any, TypeVar

from seqthink.sources.transcripts.copilot.records import CopilotReader
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact

SESSION = "706444ce-09ce-40aa-82e5-eb2efc0871d8"
THOUGHT: dict[str, Any] = {"thought": "a", "thoughtNumber": 1, "totalThoughts": 2, "nextThoughtNeeded": True}
_Fact = TypeVar("_Fact", bound=Fact)


def record(kind: str, number: int, agent: str | None = None, **data: object) -> dict[str, Any]:
    """Return a record whose id and time are made of its number."""
    of_agent = {"agentId": agent} if agent is not None else {}
    time = f"2026-11-29T11:00:{number:02}.000Z"
    return {"type": kind, "data": data, **of_agent, "id": f"r{number}", "timestamp": time, "parentId": None}


def request(call: str, tool: str = "bash", **arguments: object) -> dict[str, Any]:
    """Return a call as the model asks for it."""
    named = {"mcpServerName": "seq", "mcpToolName": "sequentialthinking"} if tool.startswith("seq-") else {}
    return {"toolCallId": call, "name": tool, "arguments": arguments, "type": "function", **named}


def message(number: int, *requests: dict[str, Any], agent: str | None = None, **more: object) -> dict[str, Any]:
    """Return what the model says: words, if there are some, and calls."""
    return record("assistant.message", number, agent, **{"content": "", "toolRequests": list(requests), **more})


def begun(number: int, call: str, tool: str = "bash", agent: str | None = None, **arguments: object) -> dict[str, Any]:
    """Return the record of a call that begins to run."""
    named = {"mcpToolName": "sequentialthinking"} if tool.startswith("seq-") else {}
    return record("tool.execution_start", number, agent, toolCallId=call, toolName=tool, arguments=arguments, **named)


def ended(number: int, call: str, agent: str | None = None, **outcome: object) -> dict[str, Any]:
    """Return the record of a call that has ended."""
    return record("tool.execution_complete", number, agent, **{"toolCallId": call, "success": True, **outcome})


def lines_of(records: Iterable[dict[str, Any]]) -> list[bytes]:
    """Return records as lines without their ends."""
    return [json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode() for one in records]


def facts_of(
    *records: dict[str, Any], reader: CopilotReader | None = None, counts: ReadCounts | None = None
) -> list[Fact]:
    """Return what records say."""
    reader = reader or CopilotReader(SESSION, counts or ReadCounts())
    return [fact for line in lines_of(records) if reader.wants(line) for fact in reader.read(line)]


def of(kind: type[_Fact], facts: Iterable[Fact]) -> list[_Fact]:
    """Return the facts of a type."""
    return [fact for fact in facts if isinstance(fact, kind)]
