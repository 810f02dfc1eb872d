"""Writes known sessions as Codex does with models that write scripts: calls are made by one, and recorded by items."""

import json
from typing import Any

from typing_extensions import override

from tests.support.transcripts.known.codex_files import CodexWriter
from tests.support.transcripts.known.sessions import Act, Delegate, KnownSession, Outcome, Said, Think
from tests.support.transcripts.known.writer import Asked, Place


class CodeModeWriter(CodexWriter):
    """Writes one session of Codex in code mode; subagents are started by calls of their own."""

    def __init__(self, session: KnownSession) -> None:
        super().__init__(session)
        self.is_older = False
        self._is_one_script = bool(session.variant & 2)
        """Whether one script makes all calls of a step."""

    @override
    def called(self, place: Place, message: dict[str, Any], asked: Asked, arguments: dict[str, Any]) -> None:
        if isinstance(asked.call, Delegate):
            super().called(place, message, asked, arguments)
            return
        message[f"arguments {id(asked)}"] = arguments
        tool = "mcp__seq__sequentialthinking" if isinstance(asked.call, Think) else "exec_command"
        code = f"text(await tools.{tool}({json.dumps(arguments)}));"
        waiting: list[tuple[Asked, str]] = message.setdefault("waiting", [])
        waiting.append((asked, code))
        if not self._is_one_script:
            self._begin_script(place, message)

    @override
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        if isinstance(asked.call, Delegate):
            super().answered(place, message, asked, report)
            return
        if message["waiting"]:
            self._begin_script(place, message)
        self._end_call(place, asked, message[f"arguments {id(asked)}"])
        script, last = message[f"script {id(asked)}"]
        if asked is last:
            output = [{"type": "input_text", "text": "Script completed\nWall time 0.1 seconds\nOutput:\n"}]
            self.record(
                place, "response_item", {"type": "custom_tool_call_output", "call_id": script, "output": output}
            )

    def _begin_script(self, place: Place, message: dict[str, Any]) -> None:
        waiting, message["waiting"] = message["waiting"], []
        script, last = waiting[0][0].id, waiting[-1][0]
        for asked, _ in waiting:
            message[f"script {id(asked)}"] = script, last
        code = "\n".join(code for _, code in waiting)
        call = {"type": "custom_tool_call", "status": "completed", "call_id": script, "name": "exec", "input": code}
        self.record(place, "response_item", call)

    def _end_call(self, place: Place, asked: Asked, arguments: dict[str, Any]) -> None:
        is_refused = isinstance(asked.call, Think | Act) and asked.call.outcome is Outcome.REFUSED
        known: dict[str, Any] = {
            "id": f"exec-{self.session.number:04x}{self.next_item():08x}",
            "status": "failed" if is_refused else "completed",
        }
        if isinstance(asked.call, Act):
            command = ["/bin/bash", "-lc", arguments["command"]]
            self.completed(place, {"type": "CommandExecution", **known, "command": command, "exit_code": 0})
            return
        result = {"content": [{"type": "text", "text": "no such thing"}], "isError": is_refused}
        about = {"server": "seq", "tool": "sequentialthinking", "arguments": arguments, "result": result}
        self.completed(place, {"type": "McpToolCall", **known, **about}, (asked.said,) if asked.said else ())
