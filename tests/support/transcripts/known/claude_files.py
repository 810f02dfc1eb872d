"""Writes known sessions as Claude Code does: a file for the session, and one for each subagent."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

from tests.support.transcripts.known.sessions import (
    Act,
    Call,
    Delegate,
    End,
    KnownAgent,
    KnownSession,
    Outcome,
    Said,
    Step,
    Think,
    Turn,
    arguments_of,
)
from tests.support.transcripts.known.writes import BEGIN_MS, Write, Written, line_of

FOLDER = ".claude/projects/-home-ada-work"
_INTERRUPTED = "[Request interrupted by user]"


@dataclass
class _File:
    path: str
    agent: str | None
    parent: str | None = None
    """The uuid of its last record."""
    thoughts: int = 0
    unmarked: tuple[Said, ...] = ()
    """The answer of the turn before, if only the next prompt shows that it is one."""


@dataclass
class _Asked:
    """A call that was made, and what it said."""

    call: Call
    id: str
    said: Said | None
    agent: str = ""
    """The subagent that it started."""


class ClaudeWriter:
    """Writes one session."""

    def __init__(self, session: KnownSession) -> None:
        self._session = session
        self._id = f"{session.number:08x}-1111-4111-8111-111111111111"
        self._written = Written("claude", self._id)
        self._uuids, self._messages, self._calls, self._agents = count(1), count(1), count(1), count(1)
        self._time = BEGIN_MS + session.number * 3_600_000
        self._has_one_message_id = bool(session.variant & 1)
        self._has_queue_only = bool(session.variant & 2)

    def write(self) -> Written:
        """Return what the client writes of the session."""
        main = _File(f"{FOLDER}/{self._id}.jsonl", None)
        for _ in self._run(main, self._session.main):
            pass
        return self._written

    def _run(self, file: _File, agent: KnownAgent) -> Iterator[None]:
        for turn in agent.turns:
            yield from self._turn(file, turn)

    def _turn(self, file: _File, turn: Turn) -> Iterator[None]:
        said = self._say(file.agent, "prompt", turn.prompt)
        tells, file.unmarked = file.unmarked, ()
        self._record(file, "user", (said,), tells=tells, message={"role": "user", "content": turn.prompt})
        yield
        for step in turn.steps:
            yield from self._step(file, step)
        if turn.end is End.CUT:
            return
        if turn.end is End.ABORTED:
            content = [{"type": "text", "text": _INTERRUPTED}]
            self._record(file, "user", message={"role": "user", "content": content})
        else:
            yield from self._answer(file, turn)

    def _answer(self, file: _File, turn: Turn) -> Iterator[None]:
        message = self._message("end_turn" if turn.end is End.MARKED else None)
        yield from self._reasoning(file, message, turn.reasoning)
        said = self._say(file.agent, "answer", turn.answer)
        self._block(file, message, {"type": "text", "text": turn.answer}, (said,))
        file.unmarked = (said,) if turn.end is End.UNMARKED else ()
        yield

    def _step(self, file: _File, step: Step) -> Iterator[None]:
        message = self._message("tool_use")
        yield from self._reasoning(file, message, step.reasoning)
        asked: list[_Asked] = []
        for place, call in enumerate(step.calls):
            asked.append(self._call(file, message, call, place))
            yield
        yield from self._work(asked)
        for one in asked:
            self._result(file, one)
            yield
        if step.interjected is not None:
            self._interject(file, step.interjected)
            yield

    def _reasoning(self, file: _File, message: dict[str, Any], texts: tuple[str, ...]) -> Iterator[None]:
        for place, text in enumerate(texts):
            said = self._say(file.agent, "reasoning" if text else "unkept", text)
            signature = f"{message['request']}-{place}"
            self._block(file, message, {"type": "thinking", "thinking": text, "signature": signature}, (said,))
            yield

    def _call(self, file: _File, message: dict[str, Any], call: Call, place: int) -> _Asked:
        call_id = f"toolu_{next(self._calls):020x}{self._session.number:04x}A1"
        asked = _Asked(call, call_id if self._session.has_unique_calls else f"call_{place}", None)
        match call:
            case Think():
                file.thoughts += call.outcome is Outcome.ANSWERED
                name, given = "mcp__seq__sequentialthinking", arguments_of(call, max(file.thoughts, 1), is_last=False)
                asked.said = self._say(file.agent, _kind_of(call), call.text)
            case Act():
                name, given = "Bash", {"command": f"ls {place}"}
            case Delegate(agent):
                asked.agent = f"a{next(self._agents):04x}{self._session.number:012x}"
                name = "Agent"
                given = {"description": "a part", "prompt": agent.turns[0].prompt, "subagent_type": "general-purpose"}
        block = {"type": "tool_use", "id": asked.id, "name": name, "input": given}
        self._block(file, message, block, (asked.said,) if asked.said else ())
        return asked

    def _work(self, asked: list[_Asked]) -> Iterator[None]:
        """Let the subagents work at the same time."""
        running: list[Iterator[None]] = []
        for one in asked:
            if isinstance(one.call, Delegate):
                folder = f"{FOLDER}/{self._id}/subagents"
                meta = {"agentType": "general-purpose", "description": "a part", "toolUseId": one.id}
                self._written.writes.append(Write(f"{folder}/agent-{one.agent}.meta.json", line_of(meta)))
                file = _File(f"{folder}/agent-{one.agent}.jsonl", one.agent)
                running.append(self._run(file, one.call.agent))
        while running:
            for work in list(running):
                if next(work, work) is work:
                    running.remove(work)
                yield

    def _result(self, file: _File, asked: _Asked) -> None:
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": asked.id, "content": "fine"}
        more: dict[str, Any] = {}
        holds: tuple[Said, ...] = ()
        match asked.call:
            case Think(outcome=Outcome.ANSWERED):
                block["content"] = '{"thoughtNumber":1,"totalThoughts":3,"nextThoughtNeeded":true}'
            case Delegate(agent):
                answer = agent.turns[-1].answer
                block["content"] = [{"type": "text", "text": answer}]
                more["toolUseResult"] = {"status": "completed", "agentId": asked.agent, "content": block["content"]}
                holds = tuple(said for said in self._written.said if said.agent == asked.agent)[-1:]
            case Think() | Act():
                if asked.call.outcome is Outcome.REFUSED:
                    block |= {"is_error": True, "content": "no such thing"}
        places = (asked.said,) if asked.said else ()
        self._record(file, "user", holds, places, message={"role": "user", "content": [block]}, **more)

    def _interject(self, file: _File, text: str) -> None:
        if file.agent is not None:
            return
        said = self._say(None, "prompt", text)
        fields = {"timestamp": self._now(), "sessionId": self._id, "content": text}
        self._loose(file, {"type": "queue-operation", "operation": "enqueue", **fields})
        removed = {"type": "queue-operation", "operation": "remove", **fields, "reason": "absorbed_mid_turn"}
        if self._has_queue_only:
            self._loose(file, removed, (said,))
        else:
            attachment = {"type": "queued_command", "prompt": text, "commandMode": "prompt"}
            self._record(file, "attachment", (said,), attachment=attachment)

    def _message(self, stop: str | None) -> dict[str, Any]:
        number = next(self._messages)
        message_id = "msg_same" if self._has_one_message_id else f"msg_{self._session.number:04x}{number:020x}"
        return {"id": message_id, "stop": stop, "request": f"req_{self._session.number:04x}{number:020x}"}

    def _block(self, file: _File, message: dict[str, Any], block: dict[str, Any], holds: tuple[Said, ...]) -> None:
        body = {
            "id": message["id"],
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-4-8",
            "content": [block],
            "stop_reason": message["stop"],
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        self._record(file, "assistant", holds, requestId=message["request"], message=body)

    def _record(
        self,
        file: _File,
        kind: str,
        holds: tuple[Said, ...] = (),
        places: tuple[Said, ...] = (),
        tells: tuple[Said, ...] = (),
        **fields: object,
    ) -> None:
        uuid = f"{self._session.number:08x}-{next(self._uuids):04x}-4000-8000-000000000000"
        record = {"parentUuid": file.parent, "isSidechain": file.agent is not None, "userType": "external"}
        about = {"cwd": "/home/ada/work", "sessionId": self._id, "version": "2.1.330", "gitBranch": "main"}
        agent = {"agentId": file.agent} if file.agent is not None else {}
        own = {"type": kind, "uuid": uuid, "timestamp": self._now(), **fields}
        line = line_of({**record, **about, **agent, **own})
        self._written.writes.append(Write(file.path, line, holds, places, tells))
        file.parent = uuid

    def _loose(self, file: _File, record: dict[str, Any], holds: tuple[Said, ...] = ()) -> None:
        self._written.writes.append(Write(file.path, line_of(record), holds))

    def _now(self) -> str:
        self._time += 250
        return datetime.fromtimestamp(self._time / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _say(self, agent: str | None, kind: str, text: str) -> Said:
        said = Said(agent, kind, text)
        self._written.said.append(said)
        return said


def _kind_of(think: Think) -> str:
    return "thought" if think.outcome is Outcome.ANSWERED else "refused"
