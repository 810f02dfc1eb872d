"""Writes known sessions as Cline CLI does: a document for each agent, rewritten with every message."""

import json
from itertools import count
from typing import Any

from typing_extensions import override

from tests.support.transcripts.known.sessions import Act, Delegate, End, KnownAgent, KnownSession, Outcome, Said, Think
from tests.support.transcripts.known.writer import Asked, Place, SessionWriter
from tests.support.transcripts.known.writes import Write

FOLDER = ".cline/data/sessions"
_ANSWER = '{"content":[{"type":"text","text":"{\\"nextThoughtNeeded\\":true}"}]}'


class ClineWriter(SessionWriter):
    """Writes one session of Cline CLI."""

    def __init__(self, session: KnownSession) -> None:
        super().__init__(session, "cline", f"{1_795_000_000_000 + session.number}_abcde")
        self._ids, self._agents = count(1), count(1)
        self._documents: dict[str, dict[str, Any]] = {}
        self._held: dict[str, tuple[Said, ...]] = {}

    @override
    def main(self) -> Place:
        place = Place(f"{FOLDER}/{self.id}/{self.id}.messages.json", None)
        self._begin(place)
        return place

    @override
    def agent_place(self, owner: Place, asked: Asked, agent: KnownAgent) -> Place:
        agent_id = f"agent_{1_795_000_000_000 + next(self._agents)}_x{self.session.number}"
        place = Place(f"{FOLDER}/{self.id}/{agent_id}.messages.json", agent_id)
        self._begin(place)
        return place

    @override
    def prompt(self, place: Place, text: str, said: Said) -> None:
        wrapped = text if place.agent is not None else f'<user_input mode="act">{text}</user_input>'
        self._message(place, "user", [{"type": "text", "text": wrapped}], (said,))

    @override
    def begin_message(self, place: Place, *, is_last: bool, end: End) -> dict[str, Any]:
        return {"content": [], "said": [], "place": place}

    @override
    def reasoning(self, place: Place, message: dict[str, Any], text: str, said: Said) -> None:
        message["content"].append({"type": "thinking", "thinking": text})
        message["said"].append(said)

    @override
    def remark(self, place: Place, message: dict[str, Any], said: Said) -> None:
        message["content"].append({"type": "text", "text": said.text})
        message["said"].append(said)

    @override
    def called(self, place: Place, message: dict[str, Any], asked: Asked, arguments: dict[str, Any]) -> None:
        name = "run_commands"
        match asked.call:
            case Think():
                name = "seq__sequentialthinking"
            case Delegate(agent):
                name, arguments = "spawn_agent", {"task": agent.turns[0].prompt, "systemPrompt": "Help."}
            case Act():
                arguments = {"commands": [arguments["command"]]}
        message["content"].append({"type": "tool_use", "id": asked.id, "name": name, "input": arguments})
        message["said"] += [asked.said] if asked.said else []

    @override
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        self._flush(message)
        is_refused = isinstance(asked.call, Think | Act) and asked.call.outcome is Outcome.REFUSED
        content: Any = _ANSWER
        match asked.call:
            case Act():
                content = [{"query": "ls", "result": "x", "success": not is_refused}]
            case Delegate():
                content = json.dumps({"text": report.text if report is not None else "", "finishReason": "completed"})
            case Think() if is_refused:
                content = '{"content":[{"type":"text","text":"no such thing"}],"isError":true}'
            case Think():
                pass
        self._message(place, "user", [{"type": "tool_result", "tool_use_id": asked.id, "content": content}])

    @override
    def answer(self, place: Place, message: dict[str, Any], said: Said, end: End) -> None:
        self.remark(place, message, said)
        self._flush(message)

    @override
    def end_message(self, place: Place, message: dict[str, Any]) -> None:
        self._flush(message)

    @override
    def abort(self, place: Place) -> None:
        pass  # the file beside the document says that nobody works

    @override
    def interject(self, place: Place, text: str) -> None:
        self.prompt(place, text, self.say(None, "prompt", text))

    def _begin(self, place: Place) -> None:
        self._documents[place.path] = {"version": 1, "updated_at": self.now(), "sessionId": self.id, "messages": []}

    def _flush(self, message: dict[str, Any]) -> None:
        if message["content"]:
            said, content = tuple(message["said"]), list(message["content"])
            message["said"], message["content"] = [], []
            metrics = {"inputTokens": self.used(message["place"]) - 1, "outputTokens": 1}
            self._message(message["place"], "assistant", content, said, metrics=metrics)

    def _message(
        self,
        place: Place,
        role: str,
        content: Any,  # noqa: ANN401 - JSON
        holds: tuple[Said, ...] = (),
        **more: object,
    ) -> None:
        identifier = f"msg_{self.session.number}_{next(self._ids)}"
        document = self._documents[place.path]
        document["messages"].append({"id": identifier, "role": role, "content": content, "ts": self.now_ms(), **more})
        held = self._held[place.path] = (*self._held.get(place.path, ()), *holds)
        data = json.dumps(document, ensure_ascii=False, indent=2).encode()
        self.add(Write(place.path, data, held, replaces=True))
