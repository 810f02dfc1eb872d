"""The calls of a thread: each one is emitted once, whichever of its records comes first, and so is its end.

A call of an MCP tool has up to three records. The item of the model's answer (``function_call``) comes at its start and
its output when the model gets it. The completed item comes at its end, and says most. Calls from within a script that
the model wrote (code mode) have the completed item only.
"""

from typing import Final

from seqthink.sources.transcripts.codex.answers import AnswerRecord, thinking_answer, tool_answer
from seqthink.sources.transcripts.codex.patched_files import PATCH_TOOL, command_summary, patch_edits, patch_summary
from seqthink.sources.transcripts.edits.recorded import command_of, folder_of
from seqthink.sources.transcripts.edits.tools import SHELL_TOOLS
from seqthink.sources.transcripts.facts import Fact, Result, ToolCall
from seqthink.sources.transcripts.files.json_lines import decode_value
from seqthink.sources.transcripts.json_fields import as_fields, text_in
from seqthink.sources.transcripts.tool_names import (
    QUESTION_TOOLS,
    call_summary,
    failure_line,
    is_thinking_tool,
    own_tool_name,
    question_of,
    unsealed,
)

_MAX_REMEMBERED: Final = 4_096
_MAX_AT_ONCE: Final = 64
_DECODED_ARGUMENTS: Final = 65_536
_ANSWERED: Final = ""
_SAID: Final = ("message", "task_name")


class _Call:
    """A call that has begun."""

    def __init__(self, identifier: str, tool: str, turn: int, summary: str = "") -> None:
        self.id = identifier
        self.tool = tool
        self.summary = summary
        self.records: set[str] = set()
        """The types of the records that reported its beginning. No call has two of one type."""
        self.has_ended = False
        self.turn = turn
        """The number of its turn."""


class ToolCalls:
    """Which calls have begun, and which of them have ended.

    Calls may share the client's id. Then the newest is meant; of those that run at once, the first that has not ended.
    """

    def __init__(self) -> None:
        self._calls: dict[str, list[_Call]] = {}
        self._turn = 0

    def enter_turn(self) -> None:
        """Take in that another turn began: what runs from now on runs at once with no earlier call."""
        self._turn += 1

    def _known(self, call: str) -> _Call | None:
        at_once = self._calls.get(call, [])
        return next((known for known in at_once if not known.has_ended), at_once[-1] if at_once else None)

    def tool(self, call: str) -> str | None:
        """Return the tool of an open call; empty if it has ended, None if it is unknown."""
        known = self._known(call)
        if known is None:
            return None
        return "" if known.has_ended else known.tool

    def is_thinking(self, call: str) -> bool:
        """Return whether an open call is one of a thinking tool."""
        return is_thinking_tool(self.tool(call) or "")

    def id_of(self, call: str) -> str:
        """Return the id that the newest call with a client's id has in the facts."""
        known = self._known(call)
        return known.id if known is not None else call

    def summary_of(self, call: str) -> str:
        """Return what the newest call with a client's id was called with, in one line."""
        known = self._known(call)
        return known.summary if known is not None else ""

    def add_record(self, call: str, record: str) -> bool:
        """Take in the type of a record of a known call; return False if the record is of another call."""
        at_once = [known for known in self._calls.get(call, ()) if record not in known.records]
        if not at_once:
            return False
        known = next((known for known in at_once if not known.has_ended), at_once[-1])
        known.records.add(record)
        return True

    def is_known(self, call: str) -> bool:
        """Return whether a call had this client's id."""
        return call in self._calls

    def begun(self, call: str, record: str, begun: ToolCall) -> ToolCall:
        """Take in a call that no record reported before, and return it.

        Args:
            call: the client's id of the call.
            record: the type of the record that reports it.
            begun: the call.
        """
        known = _Call(begun.id, begun.tool, self._turn, begun.summary)
        known.records.add(record)
        self._remember(call, known)
        return begun

    def ended(self, call: str, answer: AnswerRecord, time: int, agent: str | None) -> list[Fact]:
        """Return the end of a call, if no record reported it before."""
        known = self._known(call)
        if not call or (known is not None and known.has_ended):
            return []
        if known is None:
            known = _Call(call, "?", self._turn)
            self._remember(call, known)
        known.has_ended = True
        if not is_thinking_tool(known.tool):
            error = failure_line(answer.error)
            edits = () if answer.is_error else answer.edits
            return [Result(id=known.id, time=time, agent=agent, is_error=answer.is_error, error=error, edits=edits)]
        return [
            Result(
                id=known.id,
                time=time,
                agent=agent,
                is_error=answer.is_error,
                error=answer.error,
                answered_next=answer.answered_next,
            )
        ]

    def answered(self, call: str, output: object, time: int, agent: str | None) -> list[Fact]:
        """Return the end of a call as the output says it, unless a record that says more was there before."""
        if self.tool(call) == _ANSWERED:
            return []
        answer = thinking_answer(output) if self.is_thinking(call) else tool_answer(output)
        return self.ended(call, answer, time, agent)

    def _remember(self, call: str, begun: _Call) -> None:
        before = self._calls.get(call, ())
        at_once = [known for known in before if not known.has_ended and known.turn == begun.turn][-_MAX_AT_ONCE:]
        if call not in self._calls and len(self._calls) >= _MAX_REMEMBERED:
            del self._calls[next(iter(self._calls))]
        self._calls[call] = [*at_once, begun]


def tool_call(identifier: str, client_id: str, name: str, arguments: object, time: int, agent: str | None) -> ToolCall:
    """Return a call as a fact. ``arguments`` may be JSON, as the model wrote it."""
    tool = own_tool_name(name) or "?"
    if is_thinking_tool(tool):
        decoded = _decoded(arguments)
        known_as = None if client_id == identifier else client_id
        return ToolCall(id=identifier, client_id=known_as, time=time, agent=agent, tool=tool, arguments=decoded)
    question = question_of(tool, _decoded(arguments)) if tool in QUESTION_TOOLS else ""
    patched = command_summary(_decoded(arguments)) if _may_patch(arguments) else ""
    given = _decoded(arguments) if tool in SHELL_TOOLS and not patched else None
    shell, tool = tool, PATCH_TOOL if patched else tool
    return ToolCall(
        id=identifier,
        time=time,
        agent=agent,
        tool=tool,
        summary=call_summary(patched) if patched else _summary(arguments),
        question=question,
        needs_permission=_is_escalated(arguments),
        edits=patch_edits(arguments) if tool == PATCH_TOOL else (),
        command=command_of(shell, given),
        cwd=folder_of(shell, given),
    )


def _is_escalated(arguments: object) -> bool:
    """Return whether a command is to run outside of the sandbox, for which Codex asks."""
    if isinstance(arguments, str) and "escalated" not in arguments[:_DECODED_ARGUMENTS]:
        return False
    fields = as_fields(_decoded(arguments))
    return fields.get("sandbox_permissions") == "require_escalated" or fields.get("with_escalated_permissions") is True


def _may_patch(arguments: object) -> bool:
    """Return whether arguments may hold a patch, without decoding long ones that hold none."""
    return not isinstance(arguments, str) or (len(arguments) <= _DECODED_ARGUMENTS and PATCH_TOOL[:5] in arguments)


def _decoded(arguments: object) -> object:
    if not isinstance(arguments, str):
        return arguments
    value = decode_value(arguments.encode("utf-8", "surrogatepass"))
    return arguments if value is None else value


def _summary(arguments: object) -> str:
    if not isinstance(arguments, str):
        fields = as_fields(arguments)
        message = next((text for key in _SAID if (text := unsealed(text_in(fields, key)))), "")
        return call_summary(arguments) or call_summary(message)
    if patched := patch_summary(arguments):
        return call_summary(patched)
    if arguments.startswith("{") and len(arguments) <= _DECODED_ARGUMENTS:
        decoded = _decoded(arguments)
        return call_summary(arguments) if isinstance(decoded, str) else _summary(decoded)
    return call_summary(arguments)
