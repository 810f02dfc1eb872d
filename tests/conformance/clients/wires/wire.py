"""What every protocol has in common: a request is read as a place in a script, a step is written as a stream."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from tests.conformance.clients.script import Step

Json = dict[str, Any]


class Asked(NamedTuple):
    """What a request asks for."""

    script: str | None
    """The script that the last prompt names; None if the model is asked for something else, such as a title."""
    place: int
    """How many answers of the model there are since that prompt."""
    tools: frozenset[str]
    """The names of the tools that are offered."""
    streamed: bool = True
    agents: tuple[str, ...] = ()
    """The ids of the subagents that are at work, where the client gives them to the model."""


class ToolCall(NamedTuple):
    """A call as the client knows it."""

    id: str
    tool: str
    arguments: Mapping[str, Any]


class Answer(NamedTuple):
    """A step, in the client's words."""

    id: str
    model: str
    step: Step
    calls: tuple[ToolCall, ...]


class Wire(Protocol):
    """One protocol."""

    content_type: str

    def asked(self, path: str, request: Json) -> Asked:
        """Return what a request asks for."""
        ...

    def written(self, answer: Answer) -> Iterator[bytes]:
        """Return the answer as a stream, in pieces between which time may pass."""
        ...

    def whole(self, answer: Answer) -> Json:
        """Return the answer as one document."""
        ...


def event(name: str, fields: Mapping[str, Any]) -> bytes:
    """Return one server-sent event that says its type twice, as two of the protocols do."""
    return sse({"type": name, **fields}, name)


def sse(event: Mapping[str, Any], name: str | None = None) -> bytes:
    """Return one server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def pieces(text: str) -> list[str]:
    """Return a text in three pieces, as a model streams it; nothing of an empty one."""
    third = max(1, len(text) // 3)
    return [piece for piece in (text[:third], text[third : 2 * third], text[2 * third :]) if piece]
