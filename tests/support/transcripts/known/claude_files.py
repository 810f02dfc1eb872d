"""Writes known sessions as Claude Code does: a file for the session, and one for each subagent."""

from itertools import count
from typing import Any

from typing_extensions import override

from tests.support.transcripts.known.sessions import Act, Delegate, End, KnownAgent, KnownSession, Outcome, Said, Think
from tests.support.transcripts.known.writer import Asked, Place, SessionWriter
from tests.support.transcripts.known.writes import Write, line_of

FOLDER = ".claude/projects/-home-ada-work"
_WORKTREE = "/home/ada/work/.claude/worktrees/elastic-cori-f29409"
_INTERRUPTED = "[Request interrupted by user]"
_THOUGHT_ANSWER = '{"thoughtNumber":1,"totalThoughts":3,"nextThoughtNeeded":true}'


class ClaudeWriter(SessionWriter):
    """Writes one session of Claude Code."""

    def __init__(self, session: KnownSession) -> None:
        super().__init__(session, "claude", f"{session.number:08x}-1111-4111-8111-111111111111")
        self._messages, self._agents = count(1), count(1)
        self._uuids: dict[str, int] = {}
        self._has_one_message_id = bool(session.variant & 1)
        self._has_queue_only = bool(session.variant & 2)
        self._is_in_worktree = bool(session.variant & 4)
        self._folder = FOLDER + "--claude-worktrees-elastic-cori-f29409" * self._is_in_worktree

    @override
    def main(self) -> Place:
        place = Place(f"{self._folder}/{self.id}.jsonl", None)
        if self._is_in_worktree:
            entered = {"originalCwd": "/home/ada/work", "worktreePath": _WORKTREE, "sessionId": self.id}
            self.loose(place, {"type": "worktree-state", "worktreeSession": entered, "sessionId": self.id})
        return place

    @override
    def agent_place(self, owner: Place, asked: Asked, agent: KnownAgent) -> Place:
        agent_id = f"a{next(self._agents):04x}{self.session.number:012x}"
        folder = f"{self._folder}/{self.id}/subagents"
        meta = {"agentType": "general-purpose", "description": "a part", "toolUseId": asked.id}
        self.add(Write(f"{folder}/agent-{agent_id}.meta.json", line_of(meta)))
        return Place(f"{folder}/agent-{agent_id}.jsonl", agent_id)

    @override
    def prompt(self, place: Place, text: str, said: Said) -> None:
        marks, place.unmarked = place.unmarked, ()
        self.record(place, "user", (said,), marks=marks, message={"role": "user", "content": text})

    @override
    def begin_message(self, place: Place, *, is_last: bool, end: End) -> dict[str, Any]:
        number = next(self._messages)
        own_id = f"{self.session.number:04x}{number:020x}"
        stop = "tool_use" if not is_last else "end_turn" if end is End.MARKED else None
        return {
            "id": "msg_same" if self._has_one_message_id else f"msg_{own_id}",
            "stop": stop,
            "own": own_id,
            "tokens": self.used(place),
        }

    @override
    def reasoning(self, place: Place, message: dict[str, Any], text: str, said: Said) -> None:
        message["blocks"] = message.get("blocks", 0) + 1
        signature = f"{message['own']}-{message['blocks']}"
        self._block(place, message, {"type": "thinking", "thinking": text, "signature": signature}, (said,))

    @override
    def remark(self, place: Place, message: dict[str, Any], said: Said) -> None:
        self._block(place, message, {"type": "text", "text": said.text}, (said,))

    @override
    def called(self, place: Place, message: dict[str, Any], asked: Asked, arguments: dict[str, Any]) -> None:
        name = "Bash"
        match asked.call:
            case Think():
                name = "mcp__seq__sequentialthinking"
            case Delegate(agent):
                name, prompt = "Agent", agent.turns[0].prompt
                arguments = {"description": "a part", "prompt": prompt, "subagent_type": "general-purpose"}
            case Act():
                pass
        block = {"type": "tool_use", "id": asked.id, "name": name, "input": arguments}
        self._block(place, message, block, (asked.said,) if asked.said else ())

    @override
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": asked.id, "content": _THOUGHT_ANSWER}
        more: dict[str, Any] = {}
        if asked.place is not None and report is not None:
            block["content"] = [{"type": "text", "text": report.text}]
            more["toolUseResult"] = {**self.reported(asked), "content": block["content"]}
        elif isinstance(asked.call, Think | Act) and asked.call.outcome is Outcome.REFUSED:
            block |= {"is_error": True, "content": "no such thing"}
        holds, places = (report,) if report else (), (asked.said,) if asked.said else ()
        self.record(place, "user", holds, places, message={"role": "user", "content": [block]}, **more)

    @override
    def answer(self, place: Place, message: dict[str, Any], said: Said, end: End) -> None:
        self.remark(place, message, said)

    @override
    def end_message(self, place: Place, message: dict[str, Any]) -> None:
        pass

    @override
    def abort(self, place: Place) -> None:
        content = [{"type": "text", "text": _INTERRUPTED}]
        self.record(place, "user", message={"role": "user", "content": content})

    @override
    def interject(self, place: Place, text: str) -> None:
        said = self.say(None, "prompt", text)
        fields = {"timestamp": self.now(), "sessionId": self.id, "content": text}
        self.loose(place, {"type": "queue-operation", "operation": "enqueue", **fields})
        if self._has_queue_only:
            removed = {"type": "queue-operation", "operation": "remove", **fields, "reason": "absorbed_mid_turn"}
            self.loose(place, removed, (said,))
        else:
            attachment = {"type": "queued_command", "prompt": text, "commandMode": "prompt"}
            self.record(place, "attachment", (said,), attachment=attachment)

    def uuid_in(self, place: Place) -> str:
        """Return the uuid of the next record."""
        name = place.path if self.session.has_counted_ids else ""
        number = self._uuids[name] = self._uuids.get(name, 0) + 1
        if self.session.has_counted_ids:
            return f"u{number}"
        return f"{self.session.number:08x}-{number:04x}-4000-8000-000000000000"

    def agent_in(self, place: Place) -> dict[str, Any]:
        """Return what a record says about its agent."""
        return {"agentId": place.agent} if place.agent is not None else {}

    def reported(self, asked: Asked) -> dict[str, Any]:
        """Return what the client says about a subagent's report."""
        return {"status": "completed", "agentId": asked.place.agent if asked.place else None}

    def _block(self, place: Place, message: dict[str, Any], block: dict[str, Any], holds: tuple[Said, ...]) -> None:
        body = {
            "id": message["id"],
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-4-8",
            "content": [block],
            "stop_reason": message["stop"],
            "usage": {"input_tokens": 1, "cache_read_input_tokens": message["tokens"] - 2, "output_tokens": 1},
        }
        self.record(place, "assistant", holds, requestId=f"req_{message['own']}", message=body)

    def record(
        self,
        place: Place,
        kind: str,
        holds: tuple[Said, ...] = (),
        places: tuple[Said, ...] = (),
        marks: tuple[Said, ...] = (),
        **fields: object,
    ) -> None:
        """Write a record that has a place in the tree of records."""
        uuid = self.uuid_in(place)
        record = {"parentUuid": place.parent, "isSidechain": place.agent is not None, "userType": "external"}
        cwd = _WORKTREE if self._is_in_worktree else "/home/ada/work"
        about = {"cwd": cwd, "sessionId": self.id, "version": "2.1.330", "gitBranch": "main"}
        own = {"type": kind, "uuid": uuid, "timestamp": self.now(), **fields}
        self.add(Write(place.path, line_of({**record, **about, **self.agent_in(place), **own}), holds, places, marks))
        place.parent = uuid

    def loose(self, place: Place, record: dict[str, Any], holds: tuple[Said, ...] = ()) -> None:
        """Write a record that has none."""
        self.add(Write(place.path, line_of(record), holds))
