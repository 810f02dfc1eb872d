"""Writes known sessions as OpenCode does: rows of a database, in the tables of its first or its second generation."""

import json
from itertools import count
from typing import Any

from typing_extensions import override

from tests.support.transcripts.known.sessions import Act, Delegate, End, KnownAgent, KnownSession, Outcome, Said, Think
from tests.support.transcripts.known.writer import Asked, Place, SessionWriter
from tests.support.transcripts.known.writes import Write


class OpenCodeWriter(SessionWriter):
    """Writes one session of OpenCode."""

    client = "opencode"

    def __init__(self, session: KnownSession) -> None:
        super().__init__(session, self.client, f"ses_{session.number:08x}")
        self._database = f".local/share/{self.client}/{self.client}.db"
        self._ids, self._agents = count(1), count(1)
        self._is_newer = bool(session.variant & 1)

    @override
    def main(self) -> Place:
        place = Place(self._database, None, id=self.id)
        self._session(place, None)
        return place

    @override
    def agent_place(self, owner: Place, asked: Asked, agent: KnownAgent) -> Place:
        agent_id = f"{self.id}a{next(self._agents):04x}"
        place = Place(self._database, agent_id, id=agent_id)
        self._session(place, owner.id)
        return place

    @override
    def prompt(self, place: Place, text: str, said: Said) -> None:
        marks, place.unmarked = place.unmarked, ()
        if place.agent is None:
            self.written.awaited += marks
            self.written.late = marks  # a client that works stores a prompt, too, before the step is completed
        message: dict[str, Any] = {"id": self._id("msg"), "time": {"created": self.now_ms()}, "parts": []}
        if self._is_newer:
            self._newer(place, message, "user", {"text": text}, (said,))
        else:
            self._row(place, message, {"role": "user"}, marks=marks)
            self._part(place, message, {"type": "text", "text": text}, (said,))

    @override
    def begin_message(self, place: Place, *, is_last: bool, end: End) -> dict[str, Any]:
        message: dict[str, Any] = {"id": self._id("msg"), "time": {"created": self.now_ms()}, "parts": [], "said": []}
        message["is_unmarked"] = is_last and end is End.UNMARKED
        self._write_step(place, message, marks=self._followed(place))
        return message

    @override
    def reasoning(self, place: Place, message: dict[str, Any], text: str, said: Said) -> None:
        if not text and message["is_unmarked"]:
            self.written.said.remove(said)  # it may yet get a text, as long as its message is not completed
            return
        message["said"].append(said)
        time = {"start": self.now_ms(), "end": self.now_ms()}
        self._add(place, message, {"type": "reasoning", "text": text, "time": time}, (said,))

    @override
    def remark(self, place: Place, message: dict[str, Any], said: Said) -> None:
        message["said"].append(said)
        self._add(place, message, {"type": "text", "text": said.text}, (said,))

    @override
    def called(self, place: Place, message: dict[str, Any], asked: Asked, arguments: dict[str, Any]) -> None:
        name = "bash"
        match asked.call:
            case Think():
                name = "seq_sequentialthinking"
            case Delegate():
                name, arguments = "subagent" if self._is_newer else "task", {"description": "a part", "prompt": "x"}
            case Act():
                pass
        state = {"status": "running", "input": arguments, "time": {"start": self.now_ms()}}
        part = {"type": "tool", "callID": asked.id, "tool": name, "state": state}
        if self._is_newer:
            part = {"type": "tool", "id": asked.id, "name": name, "state": state, "time": {}}
        message["said"] += [asked.said] if asked.said else []
        self._add(place, message, part, (asked.said,) if asked.said else ())
        message[f"call {id(asked)}"] = part

    @override
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        part = message[f"call {id(asked)}"]
        is_refused = isinstance(asked.call, Think | Act) and asked.call.outcome is Outcome.REFUSED
        ended = {"error": "no such thing"} if is_refused else {"output": '{"nextThoughtNeeded":true}'}
        time = {**part["state"]["time"], "end": self.now_ms()}
        state = {**part["state"], "status": "error" if is_refused else "completed", "time": time, **ended}
        if asked.place is not None:
            key = "sessionID" if self._is_newer else "sessionId"
            state["metadata"] = {key: asked.place.id, "status": "completed"}
        part["state"] = state
        self._change(place, message, part, (asked.said,) if asked.said else ())

    @override
    def end_message(self, place: Place, message: dict[str, Any]) -> None:
        self._write_step(place, message, finish="tool-calls", is_completed=True)

    @override
    def answer(self, place: Place, message: dict[str, Any], said: Said, end: End) -> None:
        self.remark(place, message, said)
        if end is End.MARKED or place.agent is not None:  # a killed subagent has no report
            self._write_step(place, message, finish="stop", is_completed=True)

    @override
    def interject(self, place: Place, text: str) -> None:
        pass

    @override
    def abort(self, place: Place) -> None:
        message: dict[str, Any] = {"id": self._id("msg"), "time": {"created": self.now_ms()}, "parts": [], "said": []}
        error = {"name": "MessageAbortedError"}
        self._write_step(place, message, error=error, is_completed=True, marks=self._followed(place))

    def _followed(self, place: Place) -> tuple[Said, ...]:
        """Return the answer that only the next step shows to be one."""
        if place.agent is not None:
            return ()
        late, self.written.late = self.written.late, ()
        return late

    def _id(self, kind: str) -> str:
        return f"{kind}_{self.session.number:04x}{next(self._ids):012x}"

    def _session(self, place: Place, parent: str | None) -> None:
        time = self.now_ms()
        if self._is_newer:
            values = (
                place.id,
                "p",
                parent,
                None,
                None,
                "s",
                "/home/ada/work",
                "a title",
                "2.0.12",
                "build",
                time,
                time,
            )
            self._sql("INSERT INTO session_v2 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        else:
            values = (place.id, parent, "/home/ada/work", "a title", "1.18.33", time, time)
            self._sql("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def _write_step(
        self,
        place: Place,
        message: dict[str, Any],
        *,
        is_completed: bool = False,
        marks: tuple[Said, ...] = (),
        **info: object,
    ) -> None:
        if is_completed:
            message["time"]["completed"] = self.now_ms()
        if is_completed and "error" not in info:
            info["tokens"] = {"input": 1, "output": 1, "cache": {"read": self.used(place) - 2, "write": 0}}
        message["info"] = info
        if self._is_newer:
            data = {**info, "content": message["parts"]}
            self._newer(place, message, "assistant", data, (*message["said"],), marks)
        else:
            self._row(place, message, {"role": "assistant", "modelID": "m", **info}, marks)

    def _add(self, place: Place, message: dict[str, Any], part: dict[str, Any], holds: tuple[Said, ...]) -> None:
        message["parts"].append(part)
        self._change(place, message, part, holds)

    def _change(self, place: Place, message: dict[str, Any], part: dict[str, Any], holds: tuple[Said, ...]) -> None:
        if self._is_newer:
            self._write_step(place, message, **message["info"])
        else:
            self._part(place, message, part, holds)

    def _newer(
        self,
        place: Place,
        message: dict[str, Any],
        kind: str,
        data: dict[str, Any],
        holds: tuple[Said, ...],
        marks: tuple[Said, ...] = (),
    ) -> None:
        row = (message["id"], place.id, kind, message["time"]["created"], self.now_ms())
        self._sql(
            "INSERT INTO session_message VALUES (?1, ?2, ?3, (SELECT count(*) FROM session_message), ?4, ?5, ?6) "
            "ON CONFLICT (id) DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated",
            (*row, json.dumps({"time": message["time"], **data})),
            holds,
            marks,
        )

    def _row(self, place: Place, message: dict[str, Any], info: dict[str, Any], marks: tuple[Said, ...] = ()) -> None:
        row = (message["id"], place.id, message["time"]["created"], self.now_ms())
        self._sql(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data, "
            "time_updated = excluded.time_updated",
            (*row, json.dumps({"time": message["time"], **info})),
            marks=marks,
        )

    def _part(self, place: Place, message: dict[str, Any], part: dict[str, Any], holds: tuple[Said, ...]) -> None:
        key = f"part {id(part)}"
        message.setdefault(key, self._id("prt"))
        time = self.now_ms()
        self._sql(
            "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data, "
            "time_updated = excluded.time_updated",
            (message[key], message["id"], place.id, time, time, json.dumps(part)),
            holds,
        )

    def _sql(
        self,
        statement: str,
        values: tuple[object, ...],
        holds: tuple[Said, ...] = (),
        marks: tuple[Said, ...] = (),
    ) -> None:
        self.add(Write(self._database, b"", holds, (), marks, sql=(statement, values)))


class KiloWriter(OpenCodeWriter):
    """Writes one session of Kilo, whose rows are OpenCode's."""

    client = "kilo"
