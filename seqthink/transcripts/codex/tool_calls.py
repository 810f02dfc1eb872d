"""The calls of a thread: each one told once, whichever of its records comes first, and its end once.

A call of an MCP tool has up to three records. The item of the model's answer (``function_call``) comes at its start and
its output when the model gets it. The completed item comes at its end, and says most. Calls from within a script that
the model wrote (code mode) have the completed item only.
"""

import re
from typing import Final

from seqthink.transcripts.codex.answers import AnswerRecord, thinking_answer, tool_answer
from seqthink.transcripts.facts import Fact, Result, ToolCall
from seqthink.transcripts.files.json_lines import decode_value
from seqthink.transcripts.json_fields import as_fields, text_in
from seqthink.transcripts.tool_names import call_summary, is_thinking_tool, own_tool_name

_MAX_REMEMBERED: Final = 4_096
_DECODED_ARGUMENTS: Final = 65_536
_ANSWERED: Final = ""
_PATCHED: Final = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.{1,500})$", re.MULTILINE)


class ToolCalls:
    """Which calls have begun, and which of them have ended."""

    def __init__(self) -> None:
        self._tools: dict[str, str] = {}
        """The tool of each call that is open, by the call's id; empty if it has ended."""

    def tool(self, call: str) -> str | None:
        """Return the tool of an open call; empty if it has ended, None if it is unknown."""
        return self._tools.get(call)

    def is_thinking(self, call: str) -> bool:
        """Return whether an open call is one of a thinking tool."""
        return is_thinking_tool(self._tools.get(call, ""))

    def begun(self, call: str, name: str, arguments: object, time: int, agent: str | None) -> list[Fact]:
        """Return the call, if no record told it before. ``arguments`` may be JSON, as the model wrote it."""
        if not call or call in self._tools:
            return []
        tool = own_tool_name(name) or "?"
        self._remember(call, tool)
        if is_thinking_tool(tool):
            return [ToolCall(id=call, time=time, agent=agent, tool=tool, arguments=_decoded(arguments))]
        return [ToolCall(id=call, time=time, agent=agent, tool=tool, summary=_summary(arguments))]

    def ended(self, call: str, answer: AnswerRecord, time: int, agent: str | None) -> list[Fact]:
        """Return the end of a call, if no record told it before."""
        tool = self._tools.get(call)
        if not call or tool == _ANSWERED:
            return []
        self._remember(call, _ANSWERED)
        if tool is None or not is_thinking_tool(tool):
            return [Result(id=call, time=time, agent=agent, is_error=answer.is_error)]
        return [
            Result(
                id=call,
                time=time,
                agent=agent,
                is_error=answer.is_error,
                error=answer.error,
                answered_next=answer.answered_next,
            )
        ]

    def answered(self, call: str, output: object, time: int, agent: str | None) -> list[Fact]:
        """Return the end of a call as the output says it, unless a record that says more was there before."""
        if self._tools.get(call) == _ANSWERED:
            return []
        answer = thinking_answer(output) if self.is_thinking(call) else tool_answer(output)
        return self.ended(call, answer, time, agent)

    def _remember(self, call: str, tool: str) -> None:
        if len(self._tools) >= _MAX_REMEMBERED:
            del self._tools[next(iter(self._tools))]
        self._tools[call] = tool


def _decoded(arguments: object) -> object:
    if not isinstance(arguments, str):
        return arguments
    value = decode_value(arguments.encode("utf-8", "surrogatepass"))
    return arguments if value is None else value


def _summary(arguments: object) -> str:
    if not isinstance(arguments, str):
        return call_summary(arguments) or call_summary(text_in(as_fields(arguments), "message", "task_name"))
    patched = _PATCHED.search(arguments[:_DECODED_ARGUMENTS])
    if patched is not None:
        return call_summary(patched[1])
    if arguments.startswith("{") and len(arguments) <= _DECODED_ARGUMENTS:
        decoded = _decoded(arguments)
        return call_summary(arguments) if isinstance(decoded, str) else _summary(decoded)
    return call_summary(arguments)
