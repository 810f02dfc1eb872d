"""The calls of Copilot's agents: asked for in a message of the model, begun and ended in records of their own."""

import re
from collections import deque
from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec import Raw
from msgspec.structs import replace

from seqthink.sources.transcripts.call_ids import CallIds
from seqthink.sources.transcripts.copilot.shapes import CallOutcome, CallRequest, RecordData, answered_next
from seqthink.sources.transcripts.edits.recorded import RecordedEdits, edits_of_diff
from seqthink.sources.transcripts.edits.tools import EDIT_TOOLS
from seqthink.sources.transcripts.facts import FileEdit, Result, ToolCall
from seqthink.sources.transcripts.files.json_lines import bounded_id, decode_value
from seqthink.sources.transcripts.tool_names import (
    failure_line,
    is_thinking_tool,
    own_tool_name,
    tool_call,
)

MAX_ERROR_CHARS: Final = 2_000
_DRIVE: Final = re.compile(r"[A-Za-z]:")


class AgentCalls:
    """The calls of one agent.

    Args:
        agent: the agent's id; None for the main agent.
    """

    def __init__(self, agent: str | None) -> None:
        self._agent = agent
        self._ids = CallIds(agent)
        # By the client's ids: the calls that were asked for and have not begun, and those that have no end.
        self._asked: dict[str, deque[str]] = {}
        self._open: dict[str, dict[str, str]] = {}

    def asked(self, request: CallRequest, record: str, time: int) -> ToolCall | None:
        """Return the call that a message of the model asks for; None if it has no id.

        Args:
            request: the call.
            record: an id that no other call has.
            time: when it was asked for.
        """
        client_id = bounded_id(request.tool_call_id)
        if client_id is None:
            return None
        call_id = self._ids.of(client_id, record)
        self._asked.setdefault(client_id, deque()).append(call_id)
        return self._begun(client_id, call_id, request.mcp_tool_name or request.name, request.arguments, time)

    def begun(self, data: RecordData, record: str, time: int) -> ToolCall | None:
        """Return the call that begins to run; the same one that was asked for, if the message was read."""
        client_id = bounded_id(data.tool_call_id)
        if client_id is None:
            return None
        asked = self._asked.get(client_id)
        call_id = asked.popleft() if asked else self._ids.of(client_id, record)
        return self._begun(client_id, call_id, data.mcp_tool_name or data.tool_name, data.arguments, time)

    def ended(self, data: RecordData, time: int) -> Result | None:
        """Return how a call ended; None if nothing is known of the call."""
        client_id = bounded_id(data.tool_call_id)
        running = self._open.get(client_id or "")
        if not client_id or not running:
            return None
        call_id = next(iter(running))
        tool = running.pop(call_id)
        asked = self._asked.get(client_id)
        if asked and call_id in asked:  # the record of its beginning was lost
            asked.remove(call_id)
        is_error, error = _failure(data, is_thinking=is_thinking_tool(tool))
        return Result(
            id=call_id,
            time=time,
            agent=self._agent,
            is_error=is_error,
            error=error,
            answered_next=answered_next(data.result) if is_thinking_tool(tool) and not is_error else None,
            edits=RecordedEdits(partial(_edits, data.result)) if tool in EDIT_TOOLS and not is_error else (),
        )

    def newest(self, client_id: str) -> str | None:
        """Return the id of the newest call with a client's id; None if there is no such call."""
        return self._ids.newest(client_id) if self._ids.is_known(client_id) else None

    def give_up(self) -> None:
        """A turn began or ended: what is open will not be ended."""
        self._asked.clear()
        self._open.clear()

    def _begun(self, client_id: str, call_id: str, name: str | None, arguments: Raw, time: int) -> ToolCall:
        tool = own_tool_name(name or "") or "?"
        given = decode_value(arguments)
        self._open.setdefault(client_id, {})[call_id] = tool
        return tool_call(call_id, client_id, tool, given, time=time, agent=self._agent)


def _edits(outcome: CallOutcome | None) -> Iterator[FileEdit]:
    """Yield what a call changed; the names in its diff lack their first slash."""
    diff = decode_value(outcome.detailed_content) if outcome is not None else None
    for edit in edits_of_diff(diff) if isinstance(diff, str) else ():
        yield edit if _DRIVE.match(edit.path) else replace(edit, path=f"/{edit.path}")


def _failure(data: RecordData, *, is_thinking: bool) -> tuple[bool, str]:
    """Return whether a call failed, and why. Of a command that failed the client says that its call succeeded."""
    content = (data.result.content if data.result is not None else None) or ""
    if not data.success:
        message = data.error if isinstance(data.error, str) else data.error.message if data.error is not None else ""
        error = (message or content)[:MAX_ERROR_CHARS]
        return True, error if is_thinking else failure_line(error)
    status = data.shell_execution.exit_code if data.shell_execution is not None else 0
    return (True, failure_line(f"Exit code {status}\n{content}")) if status else (False, "")
