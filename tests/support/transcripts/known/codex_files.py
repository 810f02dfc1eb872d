"""Writes known sessions as Codex does: a rollout for each thread; the odd variants are those of older versions."""

import json
from dataclasses import replace
from itertools import count
from typing import Any

from typing_extensions import override

from tests.support.transcripts.known.sessions import Delegate, End, KnownAgent, KnownSession, Outcome, Said, Think
from tests.support.transcripts.known.writer import Asked, Place, SessionWriter
from tests.support.transcripts.known.writes import Write, line_of

_FOLDER = ".codex/sessions/2026/11/18"
_THOUGHT_ANSWER = '{"thoughtNumber":1,"totalThoughts":3,"nextThoughtNeeded":true}'


_WINDOW = 258_400


class CodexWriter(SessionWriter):
    """Writes one session of Codex."""

    def __init__(self, session: KnownSession) -> None:
        super().__init__(session, "codex", _thread(session.number, 0))
        self._threads, self._items = count(1), count(1)
        self._in_turn: dict[tuple[str, int], int] = {}
        self.is_older = bool(session.variant & 1)
        """Whether it is a version that writes events of its own instead of completed items."""

    @override
    def main(self) -> Place:
        place = Place(_path(self.id), None, id=self.id)
        self._meta(place, {"source": "cli", "thread_source": "user"})
        return place

    @override
    def agent_place(self, owner: Place, asked: Asked, agent: KnownAgent) -> Place:
        thread = _thread(self.session.number, next(self._threads))
        place = Place(_path(thread), thread, id=thread)
        spawn = {"parent_thread_id": owner.id, "depth": 1, "agent_nickname": "Gibbs"}
        about = {"source": {"subagent": {"thread_spawn": spawn}}, "thread_source": "subagent"}
        self._meta(place, {**about, "parent_thread_id": owner.id, "agent_nickname": "Gibbs"})
        return place

    @override
    def prompt(self, place: Place, text: str, said: Said) -> None:
        marks, place.unmarked = place.unmarked, ()
        self.record(place, "event_msg", {"type": "task_started", "turn_id": self._turn(place)}, marks=marks)
        self.record(place, "turn_context", {"turn_id": self._turn(place), "model": "gpt-5.6-sol"})
        self._typed(place, text, said, marks)

    @override
    def interject(self, place: Place, text: str) -> None:
        self._typed(place, text, self.say(None, "prompt", text))

    def _typed(self, place: Place, text: str, said: Said, marks: tuple[Said, ...] = ()) -> None:
        """Write what was typed: without the event, it may be something that the client put there."""
        content = [{"type": "input_text", "text": text}]
        self.record(place, "response_item", {"type": "message", "role": "user", "content": content}, (said,))
        if self.is_older:
            event = {"type": "user_message", "message": text, "kind": "plain"}
            self.record(place, "event_msg", event, (said,), marks=(*marks, said))
        else:
            item = {"type": "UserMessage", "id": self._item(place, "u"), "content": [{"type": "text", "text": text}]}
            self.completed(place, item, (said,), marks=(*marks, said))

    @override
    def begin_message(self, place: Place, *, is_last: bool, end: End) -> dict[str, Any]:
        return {"tokens": self.used(place, _WINDOW)}

    @override
    def reasoning(self, place: Place, message: dict[str, Any], text: str, said: Said) -> None:
        item_id = self._item(place, "rs_")
        sealed = self._sealed_before(place) if self.is_older and text else ()
        if self.is_older and text:
            self.record(place, "event_msg", {"type": "agent_reasoning", "text": text}, (said,))
        elif not self.is_older:
            item = {"type": "Reasoning", "id": item_id, "summary_text": [text] if text else [], "raw_content": []}
            self.completed(place, item, (said,))
        summary = [{"type": "summary_text", "text": text}] if text else []
        fields = {"type": "reasoning", "summary": summary, "content": None, "encrypted_content": "gAAAsealed"}
        known = {} if self.is_older else {"id": item_id}
        if self.is_older and not text:
            self._depends_on_last(place, said)
        self.record(place, "response_item", {**fields, **known}, (said,))
        if self.is_older:  # its events may as well be those of one item with several texts
            run = message.setdefault("run", self.next_item())
            last = self.written.writes[-1]
            self.written.writes[-1] = replace(last, run=run, marks=(*last.marks, *sealed))

    def _sealed_before(self, place: Place) -> tuple[Said, ...]:
        """Return the item that was written last, if it has no text.

        The text of the event that follows seems to be its own, unless the next item says that it is not.
        """
        last = next(write for write in reversed(self.written.writes) if write.path == place.path)
        return tuple(said for said in last.holds if said.kind == "unkept")

    def _depends_on_last(self, place: Place, said: Said) -> None:
        """Note that without the item before, the event about that seems to be about this one, which has no text."""
        writes = self.written.writes
        at = next(at for at in reversed(range(len(writes))) if writes[at].path == place.path)
        writes[at] = replace(writes[at], marks=(*writes[at].marks, said))

    @override
    def remark(self, place: Place, message: dict[str, Any], said: Said) -> None:
        if self.is_older:
            self.record(place, "event_msg", {"type": "agent_message", "message": said.text}, (said,))
        else:
            content = [{"type": "Text", "text": said.text}]
            self.completed(place, {"type": "AgentMessage", "id": self._item(place, "m"), "content": content}, (said,))
        content = [{"type": "output_text", "text": said.text}]
        self.record(place, "response_item", {"type": "message", "role": "assistant", "content": content}, (said,))

    @override
    def called(self, place: Place, message: dict[str, Any], asked: Asked, arguments: dict[str, Any]) -> None:
        name, space = "exec_command", None
        if isinstance(asked.call, Think):
            name, space = "sequentialthinking", "mcp__seq"
        elif isinstance(asked.call, Delegate):
            name, space, arguments = "spawn_agent", "multi_agent_v1", {"message": asked.call.agent.turns[0].prompt}
        call = {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": asked.id}
        if space is not None:
            call["namespace"] = space
        message[asked.id] = arguments
        self.record(place, "response_item", call, (asked.said,) if asked.said else ())

    @override
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        output = _THOUGHT_ANSWER
        holds = (asked.said,) if asked.said else ()
        if isinstance(asked.call, Think):
            is_refused = asked.call.outcome is Outcome.REFUSED
            output = "Error: no such thing" if is_refused else output
            result = {"content": [{"type": "text", "text": output}], "isError": is_refused}
            if self.is_older:
                invocation = {"server": "seq", "tool": "sequentialthinking", "arguments": message[asked.id]}
                ended = {"Err": output} if is_refused else {"Ok": result}
                event = {"type": "mcp_tool_call_end", "call_id": asked.id, "invocation": invocation, "result": ended}
                self.record(place, "event_msg", event, holds, holds)
            else:
                item = {"type": "McpToolCall", "id": asked.id, "server": "seq", "tool": "sequentialthinking"}
                status = "failed" if is_refused else "completed"
                self.completed(
                    place, {**item, "arguments": message[asked.id], "status": status, "result": result}, holds, holds
                )
        elif asked.place is not None:
            output = json.dumps({"agent_id": asked.place.id, "nickname": "Gibbs"})
            item = {"type": "CollabAgentToolCall", "id": asked.id, "tool": "spawn_agent", "status": "completed"}
            if not self.is_older:
                self.completed(place, {**item, "receiver_thread_ids": [asked.place.id]})
        answer = {"type": "function_call_output", "call_id": asked.id, "output": output}
        self.record(place, "response_item", answer, (), holds)

    @override
    def answer(self, place: Place, message: dict[str, Any], said: Said, end: End) -> None:
        self.remark(place, message, said)
        self.end_message(place, message)
        if end is End.MARKED:
            ended = {"type": "task_complete", "turn_id": self._turn(place), "last_agent_message": said.text}
            self.record(place, "event_msg", ended, (said,))

    @override
    def end_message(self, place: Place, message: dict[str, Any]) -> None:
        info = {"last_token_usage": {"total_tokens": message["tokens"]}, "model_context_window": _WINDOW}
        self.record(place, "event_msg", {"type": "token_count", "info": info})

    @override
    def abort(self, place: Place) -> None:
        aborted = {"type": "turn_aborted", "turn_id": self._turn(place), "reason": "interrupted"}
        self.record(place, "event_msg", aborted)

    def _turn(self, place: Place) -> str:
        return f"turn-{place.turns}" if self.session.has_counted_ids else f"{place.id[:24]}{0xF000 + place.turns:012x}"

    def next_item(self) -> int:
        """Return the number of the next item."""
        return next(self._items)

    def _item(self, place: Place, kind: str) -> str:
        number = self.next_item()
        if not self.session.has_counted_ids:
            return f"{kind}{self.session.number:04x}{number:020x}"
        turn = (place.id, place.turns)
        self._in_turn[turn] = self._in_turn.get(turn, 0) + 1
        return f"{kind}{self._in_turn[turn]}"

    def _meta(self, place: Place, about: dict[str, Any]) -> None:
        known = {"id": place.id, "session_id": self.id, "timestamp": self.now(), "cwd": "/home/ada/work"}
        self.record(place, "session_meta", {**known, "cli_version": "0.171.0", **about})

    def completed(
        self,
        place: Place,
        item: dict[str, Any],
        holds: tuple[Said, ...] = (),
        places: tuple[Said, ...] = (),
        marks: tuple[Said, ...] = (),
    ) -> None:
        """Write the event of a completed item."""
        known = {"type": "item_completed", "thread_id": place.id, "turn_id": self._turn(place)}
        self.record(place, "event_msg", {**known, "item": item}, holds, places, marks)

    def record(
        self,
        place: Place,
        kind: str,
        payload: dict[str, Any],
        holds: tuple[Said, ...] = (),
        places: tuple[Said, ...] = (),
        marks: tuple[Said, ...] = (),
    ) -> None:
        """Write a record."""
        ordinal = {} if self.is_older else {"ordinal": place.records}
        place.records += 1
        record = {"timestamp": self.now(), **ordinal, "type": kind, "payload": payload}
        self.add(Write(place.path, line_of(record), holds, places, marks))


def _thread(session: int, place: int) -> str:
    return f"01a1f{session:03x}-{place:04x}-7000-8000-000000000001"


def _path(thread: str) -> str:
    return f"{_FOLDER}/rollout-2026-11-18T12-00-00-{thread}.jsonl"
