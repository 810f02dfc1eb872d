"""Writes known sessions as GitHub Copilot CLI does: one file of JSON Lines, with the records of all agents."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from typing_extensions import override

from tests.support.transcripts.known.sessions import Act, Delegate, End, KnownAgent, KnownSession, Outcome, Said, Think
from tests.support.transcripts.known.writer import Asked, Place, SessionWriter
from tests.support.transcripts.known.writes import Write, line_of

_ANSWER = '{"thoughtNumber":1,"totalThoughts":3,"nextThoughtNeeded":true}'


_WINDOW = 168_000


class CopilotWriter(SessionWriter):
    """Writes one session of Copilot."""

    def __init__(self, session: KnownSession) -> None:
        super().__init__(session, "copilot", f"{session.number:08x}-5555-4555-8555-555555555555")
        self._path = f".copilot/session-state/{self.id}/events.jsonl"
        self._ids, self._agents = count(1), count(1)
        self._messages: dict[str | None, dict[str, Any]] = {}

    @override
    def main(self) -> Place:
        place = Place(self._path, None, id=self.id)
        about = {"sessionId": self.id, "version": 1, "producer": "copilot-agent", "copilotVersion": "1.0.102"}
        self._record(place, "session.start", {**about, "context": {"cwd": "/home/ada/work"}})
        return place

    @override
    def agent_place(self, owner: Place, asked: Asked, agent: KnownAgent) -> Place:
        agent_id = f"a{self.session.number:07x}-6666-4666-8666-{next(self._agents):012x}"
        place = Place(self._path, agent_id, id=agent_id)
        named = {"agentName": "general-purpose", "agentDisplayName": "a-part", "agentDescription": "a part"}
        self._record(place, "subagent.started", {"toolCallId": asked.id, **named, "model": "claude-sonnet-4.5"})
        return place

    @override
    def prompt(self, place: Place, text: str, said: Said) -> None:
        if place.agent is None and place.turns > 1 and self.session.variant & 2:
            self._record(place, "session.shutdown", {"shutdownType": "routine"})
            self._record(place, "session.resume", {"eventCount": 1, "context": {"cwd": "/home/ada/work"}})
        data = {"content": text, "transformedContent": f"<current_datetime/>\n\n{text}"}
        self._record(place, "user.message", data, (said,))
        self._record(place, "system.message", {"role": "system", "content": "(cut)"})

    @override
    def begin_message(self, place: Place, *, is_last: bool, end: End) -> dict[str, Any]:
        self._record(place, "assistant.turn_start", {"turnId": str(place.turns)})
        message = self._messages[place.agent] = {"reasonings": [], "words": None, "requests": []}
        return message

    @override
    def reasoning(self, place: Place, message: dict[str, Any], text: str, said: Said) -> None:
        message["reasonings"].append(said)

    @override
    def remark(self, place: Place, message: dict[str, Any], said: Said) -> None:
        message["words"] = said

    @override
    def called(self, place: Place, message: dict[str, Any], asked: Asked, arguments: dict[str, Any]) -> None:
        message["requests"].append((asked, _named(asked, arguments)))

    @override
    def work(self, owner: Place, asked: list[Asked]) -> Iterator[None]:
        message = self._messages[owner.agent]
        self._write_message(owner, message)
        yield
        for one, request in message["requests"]:
            name = request["name"]
            begun = {key: value for key, value in request.items() if key != "name"} | {"toolName": name}
            self._record(owner, "tool.execution_start", begun, _said_by(one))
            yield
        yield from super().work(owner, asked)

    @override
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        if asked.place is not None:
            self._record(asked.place, "subagent.completed", {"toolCallId": asked.id, "agentName": "general-purpose"})
        ended: dict[str, Any] = {"toolCallId": asked.id, "success": True, "result": {"content": _ANSWER}}
        if isinstance(asked.call, Think | Act) and asked.call.outcome is Outcome.REFUSED:
            ended |= {"success": False, "error": {"message": "no such thing", "code": "failure"}}
        self._record(place, "tool.execution_complete", ended, places=_said_by(asked))

    @override
    def end_message(self, place: Place, message: dict[str, Any]) -> None:
        self._record(place, "assistant.turn_end", {"turnId": str(place.turns)})

    @override
    def answer(self, place: Place, message: dict[str, Any], said: Said, end: End) -> None:
        message["words"] = said
        self._write_message(place, message)
        if end is End.MARKED:
            self.end_message(place, message)

    @override
    def abort(self, place: Place) -> None:
        self._record(place, "abort", {"reason": "user_initiated"})

    @override
    def interject(self, place: Place, text: str) -> None:
        self._record(
            place, "user.message", {"content": text, "delivery": "steering"}, (self.say(None, "prompt", text),)
        )

    def _write_message(self, place: Place, message: dict[str, Any]) -> None:
        """Write what the model said at once: a record for each piece of reasoning, the last with words and calls."""
        reasonings: list[Said | None] = message["reasonings"] or [None]
        for number, reasoned in enumerate(reasonings):
            is_last = number == len(reasonings) - 1
            words: Said | None = message["words"] if is_last else None
            requests: list[tuple[Asked, dict[str, Any]]] = message["requests"] if is_last else []
            data: dict[str, Any] = {
                "content": words.text if words is not None else "",
                "toolRequests": [request for _, request in requests],
            }
            if reasoned is not None:
                data |= {"reasoningText": reasoned.text} if reasoned.text else {"reasoningOpaque": "gAAAsealed"}
            if len(reasonings) > 1:
                data |= {"chunkIndex": number, "chunkCount": len(reasonings)}
            holds = (*(said for said in (reasoned, words) if said is not None), *_thoughts(requests))
            self._record(place, "assistant.message", data, holds)
        usage = {"inputTokens": self.used(place, _WINDOW) - 1, "outputTokens": 1, "maxPromptTokens": _WINDOW}
        self._record(place, "session.usage_record", {"usage": usage})

    def _record(
        self,
        place: Place,
        kind: str,
        data: dict[str, Any],
        holds: tuple[Said, ...] = (),
        places: tuple[Said, ...] = (),
    ) -> None:
        agent = {"agentId": place.agent} if place.agent is not None else {}
        identifier = f"{self.session.number:08x}-{next(self._ids):04x}-4777-8777-777777777777"
        record = {"type": kind, "data": data, **agent, "id": identifier, "timestamp": self.now(), "parentId": None}
        self.add(Write(self._path, line_of(record), holds, places))


def _named(asked: Asked, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a call as the model asks for it."""
    named: dict[str, Any] = {"name": "bash"}
    match asked.call:
        case Think():
            named = {"name": "seq-sequentialthinking", "mcpToolName": "sequentialthinking"}
        case Delegate():
            named, arguments = {"name": "task"}, {"description": "a part", "prompt": "a part"}
        case Act():
            pass
    return {"toolCallId": asked.id, **named, "arguments": arguments}


def _said_by(asked: Asked) -> tuple[Said, ...]:
    return (asked.said,) if asked.said is not None else ()


def _thoughts(requests: list[tuple[Asked, dict[str, Any]]]) -> tuple[Said, ...]:
    return tuple(said for asked, _ in requests for said in _said_by(asked))
