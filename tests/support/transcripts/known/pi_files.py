"""Writes known sessions as pi does: one file, whose records name the one before. pi has no subagents."""

from itertools import count
from typing import Any

from typing_extensions import override

from tests.support.transcripts.known.sessions import Act, Delegate, End, KnownAgent, KnownSession, Outcome, Said, Think
from tests.support.transcripts.known.writer import Asked, Place, SessionWriter
from tests.support.transcripts.known.writes import Write, line_of

FOLDER = ".pi/agent/sessions/--home-ada-work--"
_ANSWER = '{"thoughtNumber":1,"totalThoughts":3,"nextThoughtNeeded":true}'


class PiWriter(SessionWriter):
    """Writes one session of pi."""

    def __init__(self, session: KnownSession) -> None:
        super().__init__(session, "pi", f"{session.number:08x}-6666-7666-8666-666666666666")
        self._ids = count(1)
        self._has_texts = bool(session.variant & 1)
        """Whether what the user writes is a text, not a list of one."""

    @override
    def main(self) -> Place:
        place = Place(f"{FOLDER}/2026-11-18T12-00-00-000Z_{self.id}.jsonl", None)
        header = {"type": "session", "version": 3, "id": self.id, "timestamp": self.now(), "cwd": "/home/ada/work"}
        self.add(Write(place.path, line_of(header)))
        self._record(place, "model_change", provider="scripted", modelId="scripted")
        return place

    @override
    def may_delegate(self, place: Place) -> bool:
        return False

    @override
    def agent_place(self, owner: Place, asked: Asked, agent: KnownAgent) -> Place:
        raise NotImplementedError

    @override
    def prompt(self, place: Place, text: str, said: Said) -> None:
        content = text if self._has_texts else [{"type": "text", "text": text}]
        self._message(place, {"role": "user", "content": content}, (said,))

    @override
    def begin_message(self, place: Place, *, is_last: bool, end: End) -> dict[str, Any]:
        return {"content": [], "said": []}

    @override
    def reasoning(self, place: Place, message: dict[str, Any], text: str, said: Said) -> None:
        message["content"].append({"type": "thinking", "thinking": text, "thinkingSignature": "s"})
        message["said"].append(said)

    @override
    def remark(self, place: Place, message: dict[str, Any], said: Said) -> None:
        message["content"].append({"type": "text", "text": said.text})
        message["said"].append(said)

    @override
    def called(self, place: Place, message: dict[str, Any], asked: Asked, arguments: dict[str, Any]) -> None:
        name = {Think: "mcp__seq__sequentialthinking", Act: "bash", Delegate: "bash"}[type(asked.call)]
        message["content"].append({"type": "toolCall", "id": asked.id, "name": name, "arguments": arguments})
        message["said"] += [asked.said] if asked.said else []

    @override
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        self._flush(place, message, "toolUse")
        is_refused = isinstance(asked.call, Think | Act) and asked.call.outcome is Outcome.REFUSED
        text = "Validation failed" if is_refused else _ANSWER
        content = [{"type": "text", "text": text}]
        result = {"role": "toolResult", "toolCallId": asked.id, "content": content, "isError": is_refused}
        self._message(place, result, places=(asked.said,) if asked.said else ())

    @override
    def answer(self, place: Place, message: dict[str, Any], said: Said, end: End) -> None:
        self.remark(place, message, said)
        self._flush(place, message, "stop")

    @override
    def end_message(self, place: Place, message: dict[str, Any]) -> None:
        self._flush(place, message, "toolUse")

    @override
    def abort(self, place: Place) -> None:
        self._message(place, {"role": "assistant", "content": [], "stopReason": "aborted"})

    @override
    def interject(self, place: Place, text: str) -> None:
        self.prompt(place, text, self.say(None, "prompt", text))

    def _flush(self, place: Place, message: dict[str, Any], reason: str) -> None:
        if message["content"]:
            said, content = tuple(message["said"]), list(message["content"])
            message["said"], message["content"] = [], []
            answer = {"role": "assistant", "content": content, "model": "m", "stopReason": reason}
            self._message(place, {**answer, "usage": {"totalTokens": self.used(place)}}, said)

    def _message(
        self, place: Place, message: dict[str, Any], holds: tuple[Said, ...] = (), places: tuple[Said, ...] = ()
    ) -> None:
        self._record(place, "message", holds, places, message=message)

    def _record(
        self, place: Place, kind: str, holds: tuple[Said, ...] = (), places: tuple[Said, ...] = (), **fields: object
    ) -> None:
        identifier = f"{self.session.number:03x}{next(self._ids):05x}"
        record = {"type": kind, "id": identifier, "parentId": place.parent, "timestamp": self.now(), **fields}
        self.add(Write(place.path, line_of(record), holds, places))
        place.parent = identifier
