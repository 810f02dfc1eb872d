"""Writes known sessions as Qwen Code does: a file for the session, and one with a note beside it for each subagent."""

import html
from collections.abc import Iterator
from itertools import count
from typing import Any

from typing_extensions import override

from tests.support.transcripts.known.sessions import Act, Delegate, End, KnownAgent, KnownSession, Outcome, Said, Think
from tests.support.transcripts.known.writer import Asked, Place, SessionWriter
from tests.support.transcripts.known.writes import Write, line_of

FOLDER = ".qwen/projects/-home-ada-work"
_ANSWER = '{"thoughtNumber":1,"totalThoughts":3,"nextThoughtNeeded":true}'
_THINKING = "mcp__seq__sequentialthinking"


_WINDOW = 1_000_000


class QwenWriter(SessionWriter):
    """Writes one session of Qwen Code."""

    def __init__(self, session: KnownSession) -> None:
        super().__init__(session, "qwen", f"{session.number:08x}-5555-4555-8555-555555555555")
        self._uuids = count(1)
        self._open: dict[str, dict[str, Any]] = {}
        self._has_bridge = bool(session.variant & 1)
        self._in_background = bool(session.variant & 2)
        self._notes_much = bool(session.variant & 4)

    @override
    def main(self) -> Place:
        return Place(f"{FOLDER}/chats/{self.id}.jsonl", None)

    @override
    def agent_place(self, owner: Place, asked: Asked, agent: KnownAgent) -> Place:
        agent_id = f"general-purpose-{asked.id}"
        meta = {
            "agentId": agent_id,
            "agentType": "general-purpose",
            "description": "a part",
            "toolUseId": asked.id,
            "parentAgentId": owner.agent,
            "createdAt": self.now(),
        }
        path = f"{FOLDER}/subagents/{self.id}/agent-{agent_id}"
        self.add(Write(f"{path}.meta.json", line_of(meta)))
        return Place(f"{path}.jsonl", agent_id)

    @override
    def prompt(self, place: Place, text: str, said: Said) -> None:
        self._record(place, "user", [{"text": text}], (said,))
        if place.agent is None:
            self._note(place, "attribution_snapshot")

    @override
    def begin_message(self, place: Place, *, is_last: bool, end: End) -> dict[str, Any]:
        message = self._open[place.path] = {"parts": [], "said": [], "place": place}
        return message

    @override
    def reasoning(self, place: Place, message: dict[str, Any], text: str, said: Said) -> None:
        if not text:
            self.written.said.remove(said)  # the client keeps every text
            return
        message["parts"].append({"text": text, "thought": True})
        message["said"].append(said)

    @override
    def remark(self, place: Place, message: dict[str, Any], said: Said) -> None:
        message["parts"].append({"text": said.text})
        message["said"].append(said)

    @override
    def called(self, place: Place, message: dict[str, Any], asked: Asked, arguments: dict[str, Any]) -> None:
        name = "run_shell_command"
        match asked.call:
            case Think():
                name = _THINKING
            case Delegate(agent):
                asked.id = f"call_{self._calls:020x}{self.session.number:04x}A1"  # its agent's file has it in its name
                prompt = agent.turns[0].prompt
                name, arguments = (
                    "agent",
                    {"description": "a part", "prompt": prompt, "subagent_type": "general-purpose"},
                )
            case Act():
                pass
        if name == _THINKING and self._has_bridge and place.agent is None:
            name, arguments = "tool_call", {"name": name, "arguments": arguments}
        if place.agent is not None:
            self._flush(message)  # a subagent's answer is one record, and each of its calls is another
        message["parts"].append({"functionCall": {"id": asked.id, "name": name, "args": arguments}})
        message["said"] += [asked.said] if asked.said else []

    @override
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        self._flush(message)
        is_refused = isinstance(asked.call, Think | Act) and asked.call.outcome is Outcome.REFUSED
        response = {"error": "no such thing"} if is_refused else {"output": _ANSWER}
        shown: dict[str, Any] = {}
        if report is not None:
            in_background = self._in_background and place.agent is None
            text = "Background agent launched successfully." if in_background else report.text
            response = {"output": text}
            shown = {"type": "task_execution", "status": "background" if in_background else "completed"}
        about = {"callId": asked.id, "status": "error" if is_refused else "success", "resultDisplay": shown}
        part = {"functionResponse": {"id": asked.id, "name": "tool", "response": response}}
        holds = (report,) if report is not None and shown["status"] == "completed" else ()
        places = (asked.said,) if asked.said else ()
        self._record(place, "tool_result", [part], holds, places, toolCallResult=about)
        if report is not None and not holds:
            self._notice(place, asked, report)

    @override
    def answer(self, place: Place, message: dict[str, Any], said: Said, end: End) -> None:
        self.remark(place, message, said)
        self._flush(message)

    @override
    def end_message(self, place: Place, message: dict[str, Any]) -> None:
        self._flush(message)

    @override
    def abort(self, place: Place) -> None:
        pass  # nothing says so

    @override
    def interject(self, place: Place, text: str) -> None:
        said = self.say(None, "prompt", text)
        self._record(place, "user", [{"text": text}], (said,), subtype="mid_turn_user_message")

    @override
    def work(self, owner: Place, asked: list[Asked]) -> Iterator[None]:
        self._flush(self._open[owner.path])  # the calls that start subagents are written before these begin
        yield from super().work(owner, asked)

    def _notice(self, place: Place, asked: Asked, report: Said) -> None:
        text = (
            f"<task-notification>\n<task-id>general-purpose-{asked.id}</task-id>\n<tool-use-id>{asked.id}</tool-use-id>\n"
            f"<status>completed</status>\n<result>{html.escape(report.text)}</result>\n</task-notification>"
        )
        self._record(place, "user", [{"text": text}], (report,), subtype="notification", provenance="system")

    def _note(self, place: Place, subtype: str) -> None:
        payload = {"snapshot": {"type": "attribution-snapshot", "text": 'a "type":"user" in it'}}
        self._record(place, "system", None, subtype=subtype, systemPayload=payload)

    def _flush(self, message: dict[str, Any]) -> None:
        if not message["parts"]:
            return
        place: Place = message["place"]
        if self._notes_much and place.agent is None:
            self._note(place, "ui_telemetry")
        said, parts = tuple(message["said"]), list(message["parts"])
        message["said"], message["parts"] = [], []
        window = _WINDOW if place.agent is None else None
        usage: dict[str, Any] = {"usageMetadata": {"totalTokenCount": self.used(place, window)}}
        usage |= {"contextWindowSize": window} if window else {}
        self._record(place, "assistant", parts, said, role="model", model="qwen3-coder-plus", **usage)

    def _record(
        self,
        place: Place,
        kind: str,
        parts: list[dict[str, Any]] | None,
        holds: tuple[Said, ...] = (),
        places: tuple[Said, ...] = (),
        *,
        role: str = "user",
        **fields: object,
    ) -> None:
        uuid = f"{self.session.number:08x}-{next(self._uuids):04x}-4000-8000-000000000000"
        record: dict[str, Any] = {
            "uuid": uuid,
            "parentUuid": place.parent,
            "sessionId": self.id,
            "timestamp": self.now(),
            "type": kind,
            "cwd": "/home/ada/work",
            "version": "0.24.4",
        }
        if place.agent is not None:
            record |= {"agentId": place.agent, "isSidechain": True}
        message = {"message": {"role": role, "parts": parts}} if parts is not None else {}
        self.add(Write(place.path, line_of({**record, **fields, **message}), holds, places))
        place.parent = uuid
