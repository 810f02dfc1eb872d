"""Agents of three clients that write in a repository, and keep transcripts as their clients do.

Each change of a file is reported with what the agent thought before it, and then made on disk, so transcript and folder
agree. Times are those of a clock that all agents of a history share.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from typing_extensions import override


@dataclass
class Clock:
    """The time of a made history, in seconds since 1970."""

    now: int = 1_790_000_000

    def step(self, seconds: int = 1) -> int:
        """Let some time pass; return the new time."""
        self.now += seconds
        return self.now

    @property
    def stamp(self) -> str:
        """The time as clients write it."""
        return datetime.fromtimestamp(self.now, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


class Part(NamedTuple):
    """A part of a file, before and after a change of it."""

    path: str
    """Relative to the working tree."""
    start: int
    """Index of the first line of ``before`` in the file."""
    before: Sequence[str]
    """Some neighbouring lines included, which stay; empty for a whole file that is written."""
    after: Sequence[str]


@dataclass
class Agent:
    """One session of a client.

    Args:
        home: the home folder, in which the client keeps its transcripts.
        tree: the working tree that it works in.
        cwd: its working folder, the tree or a folder in it.
        session: the client's id of the session.
        clock: the time.
    """

    home: Path
    tree: Path
    cwd: Path
    session: str
    clock: Clock
    client: ClassVar[str]
    _count: int = 0
    _last: str | None = None
    _began: list[str] = field(default_factory=list[str])

    def change(self, thought: str, change: Part, *, works: bool = True) -> str:
        """Report a thought and the change that it led to, as done or as refused; return the client's id of the call."""
        if not self._began:
            self.prompt(f"Please work on {change.path}.")
        self._count += 1
        call = f"{self.client}-{self.session[-4:]}-{self._count}"
        self.clock.step(7)
        self.think(thought, f"{call}-t")
        self.clock.step(5)
        self.edit(change, call, works=works)
        return call

    def prompt(self, text: str) -> None:
        """Report what the user asked."""
        raise NotImplementedError

    def think(self, thought: str, thought_id: str) -> None:
        """Report a thought; a client may give it the id."""
        raise NotImplementedError

    def edit(self, change: Part, call: str, *, works: bool) -> None:
        """Report a change."""
        raise NotImplementedError

    def run(self, command: str) -> None:
        """Report a shell command that succeeded."""
        raise NotImplementedError

    def _append(self, path: Path, record: Mapping[str, Any]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, separators=(",", ":")) + "\n")

    def _slug(self) -> str:
        return "".join(character if character.isalnum() else "-" for character in str(self.cwd))


class ClaudeAgent(Agent):
    """A session of Claude Code: it thinks with the tool, or by itself."""

    client = "claude"

    @override
    def prompt(self, text: str) -> None:
        self._record("user", {"role": "user", "content": text})

    @override
    def think(self, thought: str, thought_id: str) -> None:
        if self._count % 2:
            self._message({"type": "thinking", "thinking": thought, "signature": "s"})
            return
        number = self._count // 2
        arguments = {"thought": thought, "thoughtNumber": number, "totalThoughts": number, "nextThoughtNeeded": True}
        self._message(
            {"type": "tool_use", "id": thought_id, "name": "mcp__seq__sequentialthinking", "input": arguments}
        )
        self._result(thought_id, json.dumps({"thoughtNumber": number}), is_error=False)

    @override
    def edit(self, change: Part, call: str, *, works: bool) -> None:
        path = str(self.tree / change.path)
        if change.start == 0 and not change.before:
            tool, arguments = "Write", {"file_path": path, "content": _text(change.after)}
        else:
            old, new = "\n".join(change.before), "\n".join(change.after)
            tool, arguments = "Edit", {"file_path": path, "old_string": old, "new_string": new}
        self._message({"type": "tool_use", "id": call, "name": tool, "input": arguments})
        self._result(call, "The file has been updated." if works else "String to replace not found in file.", not works)

    @override
    def run(self, command: str) -> None:
        self._count += 1
        call = f"claude-{self.session[-4:]}-{self._count}"
        self._message({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}})
        self._result(call, "", is_error=False)

    def _message(self, block: Mapping[str, Any]) -> None:
        body = {"id": f"msg_{self.session[-4:]}_{len(self._began)}", "model": "claude-opus-4-8", "content": [block]}
        self._record("assistant", {**body, "stop_reason": None, "usage": {"output_tokens": 1}})

    def _result(self, call: str, text: str, is_error: bool) -> None:
        self.clock.step()
        block = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": is_error}
        self._record("user", {"role": "user", "content": [block]})

    def _record(self, kind: str, message: Mapping[str, Any]) -> None:
        uuid = f"{self.session[:-4]}{len(self._began):04x}"
        about = {"parentUuid": self._last, "isSidechain": False, "type": kind, "sessionId": self.session}
        place = {"uuid": uuid, "timestamp": self.clock.stamp, "cwd": str(self.cwd), "version": "2.1.332"}
        file = self.home / ".claude" / "projects" / self._slug() / f"{self.session}.jsonl"
        self._append(file, {**about, **place, "message": message})
        self._began.append(uuid)
        self._last = uuid


class CodexAgent(Agent):
    """A session of Codex: it reasons by itself, and changes files by patches."""

    client = "codex"

    @override
    def prompt(self, text: str) -> None:
        meta = {"id": self.session, "timestamp": self.clock.stamp, "cwd": str(self.cwd), "cli_version": "0.171.0"}
        self._line("session_meta", {**meta, "originator": "codex_exec", "source": "exec"})
        self._item({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})
        self._line("event_msg", {"type": "user_message", "message": text})

    @override
    def think(self, thought: str, thought_id: str) -> None:
        summary = [{"type": "summary_text", "text": thought}]
        self._item({"type": "reasoning", "id": f"rs_{thought_id}", "summary": summary, "content": None})

    @override
    def edit(self, change: Part, call: str, *, works: bool) -> None:
        path = self._relative(change)
        if change.start == 0 and not change.before:
            body = [f"*** Add File: {path}", *(f"+{line}" for line in change.after)]
        else:
            body = [f"*** Update File: {path}", "@@", *_hunk(change)]
        patch = "\n".join(["*** Begin Patch", *body, "*** End Patch"])
        self._item(
            {"type": "custom_tool_call", "status": "completed", "call_id": call, "name": "apply_patch", "input": patch}
        )
        said = f"Success. Updated the following files:\nM {path}\n" if works else "apply_patch verification failed"
        output = json.dumps({"output": said, "metadata": {"exit_code": 0 if works else 1, "duration_seconds": 0.1}})
        self.clock.step()
        self._item({"type": "custom_tool_call_output", "call_id": call, "output": output})

    @override
    def run(self, command: str) -> None:
        self._count += 1
        call = f"codex-{self.session[-4:]}-{self._count}"
        arguments = json.dumps({"command": ["bash", "-lc", command]})
        self._item({"type": "function_call", "name": "shell", "arguments": arguments, "call_id": call})
        output = json.dumps({"output": "", "metadata": {"exit_code": 0, "duration_seconds": 0.1}})
        self._item({"type": "function_call_output", "call_id": call, "output": output})

    def _relative(self, change: Part) -> Path:
        return Path(os.path.relpath(self.tree / change.path, self.cwd))

    def _item(self, payload: Mapping[str, Any]) -> None:
        self._line("response_item", payload)

    def _line(self, kind: str, payload: Mapping[str, Any]) -> None:
        if not self._began:
            self._began.append(self.clock.stamp)
        day, _, clock = self._began[0].removesuffix(".000Z").partition("T")
        name = f"rollout-{day}T{clock.replace(':', '-')}-{self.session}.jsonl"
        file = self.home.joinpath(".codex", "sessions", *day.split("-"), name)
        self._append(file, {"timestamp": self.clock.stamp, "type": kind, "payload": payload})


class QwenAgent(Agent):
    """A session of Qwen Code: it thinks by itself, and replaces parts of files."""

    client = "qwen"

    @override
    def prompt(self, text: str) -> None:
        self._record("user", {"role": "user", "parts": [{"text": text}]})

    @override
    def think(self, thought: str, thought_id: str) -> None:
        del thought_id  # it has none
        self._record("assistant", {"role": "model", "parts": [{"text": thought, "thought": True}]})

    @override
    def edit(self, change: Part, call: str, *, works: bool) -> None:
        path = str(self.tree / change.path)
        if change.start == 0 and not change.before:
            self._call(call, "write_file", {"file_path": path, "content": _text(change.after)}, works)
            return
        old, new = "\n".join(change.before), "\n".join(change.after)
        self._call(call, "edit", {"file_path": path, "old_string": old, "new_string": new}, works)

    @override
    def run(self, command: str) -> None:
        self._count += 1
        self._call(f"qwen-{self.session[-4:]}-{self._count}", "run_shell_command", {"command": command}, works=True)

    def _call(self, call: str, tool: str, arguments: Mapping[str, str], works: bool) -> None:
        asked = {"functionCall": {"id": call, "name": tool, "args": arguments}}
        self._record("assistant", {"role": "model", "parts": [asked]})
        self.clock.step()
        response = {"output": "Done."} if works else {"error": "Failed to edit, could not find the string to replace."}
        answer = {"functionResponse": {"id": call, "name": tool, "response": response}}
        result = {"callId": call, "status": "success" if works else "error"}
        self._record("tool_result", {"role": "user", "parts": [answer]}, toolCallResult=result)

    def _record(self, kind: str, message: Mapping[str, Any], **more: object) -> None:
        uuid = f"{self.session[:-4]}{len(self._began):04x}"
        about = {"uuid": uuid, "parentUuid": self._last, "sessionId": self.session, "timestamp": self.clock.stamp}
        place = {"type": kind, "cwd": str(self.cwd), "version": "0.24.4"}
        file = self.home / ".qwen" / "projects" / self._slug() / "chats" / f"{self.session}.jsonl"
        self._append(file, {**about, **place, "message": message, **more})
        self._began.append(uuid)
        self._last = uuid


CLIENTS: Sequence[type[Agent]] = (ClaudeAgent, CodexAgent, QwenAgent)
"""The clients of a made history."""


def _text(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


def _hunk(change: Part) -> list[str]:
    """Return the lines of a patch: what stays around the change, what goes, and what comes."""
    before, after = list(change.before), list(change.after)
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    gone, new = before[head : len(before) - tail], after[head : len(after) - tail]
    end = before[len(before) - tail :]
    return [
        *(f" {one}" for one in before[:head]),
        *(f"-{one}" for one in gone),
        *(f"+{one}" for one in new),
        *(f" {one}" for one in end),
    ]
