"""Writes known sessions as Gemini CLI does: lines of JSON, or the one document of versions before April 2026."""

import json
from itertools import count
from typing import Any

from typing_extensions import override

from tests.support.transcripts.known.sessions import Act, Delegate, End, KnownAgent, KnownSession, Outcome, Said, Think
from tests.support.transcripts.known.writer import Asked, Place, SessionWriter
from tests.support.transcripts.known.writes import Write, line_of

_CHATS = ".gemini/tmp/work/chats"


class GeminiWriter(SessionWriter):
    """Writes one session of Gemini CLI."""

    def __init__(self, session: KnownSession) -> None:
        super().__init__(session, "gemini", f"{session.number:08x}-3333-4333-8333-333333333333")
        self._ids, self._agents = count(1), count(1)
        turns = session.main.turns
        has_agents = any(isinstance(call, Delegate) for turn in turns for step in turn.steps for call in step.calls)
        self._document: dict[str, Any] | None = {"messages": []} if session.variant & 1 and not has_agents else None
        self._held: tuple[Said, ...] = ()
        self._has_patches = bool(session.variant & 2)
        self._writes_again = bool(session.variant & 4) and self._document is None
        """Whether it writes messages before they are whole, and all with new ids when a turn begins."""
        self._latest: dict[str, dict[tuple[str, str], tuple[dict[str, Any], tuple[Said, ...]]]] = {}
        self._begun: set[tuple[str, str]] = set()
        self._in_turn: dict[tuple[str, int], int] = {}

    @override
    def main(self) -> Place:
        ending = "json" if self._document is not None else "jsonl"
        place = Place(f"{_CHATS}/session-2026-11-18T12-00-{self.id[:8]}.{ending}", None, id=self.id)
        self._begin(place, "main")
        return place

    @override
    def agent_place(self, owner: Place, asked: Asked, agent: KnownAgent) -> Place:
        agent_id = f"a{self.session.number:07x}-4444-4444-8444-{next(self._agents):012x}"
        place = Place(f"{_CHATS}/{owner.id}/{agent_id}.jsonl", agent_id, id=agent_id)
        self._begin(place, "subagent")
        return place

    @override
    def prompt(self, place: Place, text: str, said: Said) -> None:
        if self._writes_again and place.turns > 1:
            self._rename(place)
        self._record(place, {**self._known(place, "user"), "content": [{"text": text}]}, (said,))

    @override
    def begin_message(self, place: Place, *, is_last: bool, end: End) -> dict[str, Any]:
        known = self._known(place, "gemini")
        tokens = {"total": self.used(place)}
        return {**known, "content": "", "thoughts": [], "tokens": tokens, "model": "gemini-3.8-flash", "said": []}

    @override
    def reasoning(self, place: Place, message: dict[str, Any], text: str, said: Said) -> None:
        if not text:
            self.written.said.remove(said)  # the client keeps every text
            return
        message["thoughts"].append({"subject": "", "description": text, "timestamp": message["timestamp"]})
        message["said"].append(said)

    @override
    def remark(self, place: Place, message: dict[str, Any], said: Said) -> None:
        message["content"] = said.text
        message["said"].append(said)

    @override
    def called(self, place: Place, message: dict[str, Any], asked: Asked, arguments: dict[str, Any]) -> None:
        if "toolCalls" not in message:
            self._message(place, message)
        name = "run_shell_command"
        match asked.call:
            case Think():
                name = "mcp_seq_sequentialthinking"
            case Delegate():
                name, arguments = "invoke_agent", {"agent_name": "generalist", "prompt": "a part"}
            case Act():
                pass
        call = {"id": asked.id, "name": name, "args": arguments}
        message.setdefault("toolCalls", []).append(call)
        message["said"] += [asked.said] if asked.said else []

    @override
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        call = next(call for call in message["toolCalls"] if call["id"] == asked.id and "status" not in call)
        is_refused = isinstance(asked.call, Think | Act) and asked.call.outcome is Outcome.REFUSED
        response = {"error": "no such thing"} if is_refused else {"output": '{"nextThoughtNeeded":true}'}
        call |= {"status": "error" if is_refused else "success", "timestamp": self.now()}
        call["result"] = [{"functionResponse": {"id": asked.id, "name": call["name"], "response": response}}]
        if asked.place is not None:
            call["agentId"] = asked.place.agent

    @override
    def end_message(self, place: Place, message: dict[str, Any]) -> None:
        self._message(place, message)
        parts = [part for call in message["toolCalls"] for part in call["result"]]
        self._record(place, {**self._known(place, "user"), "content": parts})

    @override
    def answer(self, place: Place, message: dict[str, Any], said: Said, end: End) -> None:
        if place.agent is None:
            message["content"] = said.text
            message["said"].append(said)
            self._message(place, message)
            return
        self._message(place, message)
        message["said"].append(said)
        ended = {"id": f"end-{place.id}", "name": "complete_task", "args": {"result": said.text}, "status": "success"}
        message["toolCalls"] = [{**ended, "timestamp": self.now(), "result": []}]
        self._message(place, message)

    @override
    def interject(self, place: Place, text: str) -> None:
        pass

    @override
    def abort(self, place: Place) -> None:
        self._record(place, {**self._known(place, "info"), "content": "Request cancelled."})

    def _begin(self, place: Place, kind: str) -> None:
        time = self.now()
        known = {"sessionId": place.id, "projectHash": "d5be3b06", "startTime": time, "lastUpdated": time}
        if self._document is not None:
            self._document = {**known, "messages": []}
        else:
            self.add(Write(place.path, line_of({**known, "kind": kind})))

    def _known(self, place: Place, kind: str) -> dict[str, Any]:
        number = next(self._ids)
        identifier = f"{self.session.number:08x}-{number:04x}-4"
        if self.session.has_counted_ids:
            turn = (place.id, place.turns)
            self._in_turn[turn] = self._in_turn.get(turn, 0) + 1
            identifier = f"m{self._in_turn[turn]}"
        return {"id": identifier, "timestamp": self.now(), "type": kind}

    def _message(self, place: Place, message: dict[str, Any]) -> None:
        self._record(place, {name: value for name, value in message.items() if name != "said"}, (*message["said"],))

    def _record(self, place: Place, record: dict[str, Any], holds: tuple[Said, ...] = ()) -> None:
        if self._document is None:
            if self._writes_again and _name_of(record) not in self._begun:
                self.add(Write(place.path, line_of(self._line(_shorter(record)))))
            latest = self._latest.setdefault(place.path, {})
            latest[_name_of(record)] = record, holds
            self.add(Write(place.path, line_of(self._line(record)), holds, holds if self._writes_again else ()))
            if self._writes_again:
                self.written.fragile.append(self.written.writes[-1])  # without it, the shorter one is shown
            return
        messages = self._document["messages"]
        messages[:] = [*(one for one in messages if _name_of(one) != _name_of(record)), record]
        self._held = tuple(dict.fromkeys((*self._held, *holds)))
        document = json.dumps(self._document, ensure_ascii=False, indent=2).encode()
        self.add(Write(place.path, document, self._held, replaces=True))

    def _rename(self, place: Place) -> None:
        """Write all messages again with new ids, and with new times or without."""
        latest = self._latest[place.path]
        renamed: dict[tuple[str, str], tuple[dict[str, Any], tuple[Said, ...]]] = {}
        for number, (before, holds) in enumerate(latest.values()):
            time = {"timestamp": self.now()} if self.session.number & 1 else {}
            record = {**before, "id": f"new-{place.id}-{place.turns}-{number}", **time}
            renamed[_name_of(record)] = record, holds
        self._latest[place.path] = renamed
        held = tuple(said for _, holds in renamed.values() for said in holds)
        messages = [record for record, _ in renamed.values()]
        self.add(Write(place.path, line_of({"$set": {"messages": messages}}), held))

    def _line(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return the line that writes a message: for one that was written before, newer versions have a patch."""
        is_patch = self._has_patches and _name_of(record) in self._begun
        self._begun.add(_name_of(record))
        return {"$patch": {"updates": [record]}} if is_patch else record


def _shorter(record: dict[str, Any]) -> dict[str, Any]:
    """Return a message as it was written before it was whole."""
    content: Any = record["content"]
    if isinstance(content, str):
        content = content[: len(content) // 2]
    elif all("text" in part for part in content):
        content = [{"text": part["text"][: len(part["text"]) // 2]} for part in content]
    return {**record, "content": content}


def _name_of(message: dict[str, Any]) -> tuple[str, str]:
    return message["id"], message["timestamp"]
