"""A tool part: the call of a tool, its result, and the subagent that it started."""

import json
from collections.abc import Mapping
from typing import Any, Final

from seqthink.sources.transcripts.edits.recorded import edits_of_diff
from seqthink.sources.transcripts.edits.tools import EDIT_TOOLS
from seqthink.sources.transcripts.facts import AgentStarted, Fact, Result, ToolCall
from seqthink.sources.transcripts.json_fields import as_fields, id_in, milliseconds_in, object_in, text_in
from seqthink.sources.transcripts.lane_names import task_name
from seqthink.sources.transcripts.opencode.columns import decode_object, identifier
from seqthink.sources.transcripts.opencode.ordering import TaskEnded
from seqthink.sources.transcripts.tool_names import (
    QUESTION_TOOLS,
    failure_line,
    is_thinking_tool,
    own_tool_name,
    tool_call,
)

_INVALID_TOOL: Final = "invalid"
"""The tool that OpenCode puts in the place of one that does not exist, or whose arguments are not JSON."""
_BEGUN: Final = frozenset({"running", "completed", "error"})
_COMMAND_TOOL: Final = "bash"
_TASK_TOOL: Final = "task"
_EDIT_TOOLS: Final = frozenset({"edit", "write", "multiedit", "patch", "apply_patch"})
_LOOK_TOOLS: Final = frozenset({"read", "list", "glob", "grep"})
_OUTSIDE: Final = "external_directory"
"""The permission for files outside of the working folder."""
_MAX_ANSWER_CHARS: Final = 65_536


def tool_part_facts(part_id: str, part: Mapping[str, Any], call_id: str, agent: str | None, time: int) -> list[Fact]:
    """Return what a tool part says by now: nothing while the model still writes its input.

    ``call_id`` is the call's id in the session; ``time`` is when the part was begun.
    """
    state = object_in(part, "state")
    status = text_in(state, "status")
    if status not in _BEGUN:
        return []
    times = object_in(state, "time")
    start = call_start(part, time) or time
    facts: list[Fact] = [_call(part, state, call_id, agent, start), *_subagent(state, call_id, agent, start)]
    if status != "running":
        end = milliseconds_in(times, "end")
        facts += [_result(part, state, call_id, agent, end or start), *_task_end(part_id, state, start, end)]
    return facts


def is_waiting(part: Mapping[str, Any]) -> bool:
    """Return whether a call has all of its input, and did not begin to run."""
    state = object_in(part, "state")
    return text_in(state, "status") not in _BEGUN and bool(_arguments(state))


def waiting_call(part: Mapping[str, Any], call_id: str, agent: str | None, time: int) -> list[Fact]:
    """Return the call of a tool part that did not begin to run."""
    return [_call(part, object_in(part, "state"), call_id, agent, time)]


def _arguments(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a tool is called with; a model may write it as a text of JSON."""
    given = state.get("input")
    return as_fields(given) or (decode_object(given) if isinstance(given, str) else None) or {}


def is_ended(part: Mapping[str, Any]) -> bool:
    """Return whether the call of a tool part has ended."""
    return text_in(object_in(part, "state"), "status") in {"completed", "error"}


def call_start(part: Mapping[str, Any], time: int) -> int | None:
    """Return when the call of a tool part began, in microseconds since 1970; None if it has not, or is not a call.

    ``time`` is when the part was begun: the client sets the start of a task again once the subagent exists.
    """
    state = object_in(part, "state")
    start = milliseconds_in(object_in(state, "time"), "start")
    return start if start is None or _child_session(state) is None else min(start, time)


def is_unstarted(part: Mapping[str, Any]) -> bool:
    """Return whether a command was called and does not run yet: it may need the user's permission.

    The client notes its output, empty at first, when it runs. Other tools note nothing before they end.
    """
    state = object_in(part, "state")
    return part.get("tool") == _COMMAND_TOOL and state.get("status") == "running" and "metadata" not in state


def wanted_permissions(part: Mapping[str, Any]) -> frozenset[str]:
    """Return the permissions for which a running call may wait, if it ends or notes something as soon as it has them.

    Of other tools nothing says whether the user has not answered yet, or the tool is at work.
    """
    state, tool = object_in(part, "state"), text_in(part, "tool")
    if state.get("status") != "running" or "metadata" in state:
        return frozenset()
    if tool in _EDIT_TOOLS:
        return frozenset({"edit", _OUTSIDE})
    if tool in _LOOK_TOOLS:
        return frozenset({tool, _OUTSIDE})
    return frozenset({tool}) if tool == _TASK_TOOL or is_thinking_tool(own_tool_name(tool)) else frozenset()


def is_question(part: Mapping[str, Any]) -> bool:
    """Return whether a call asks the user, who has not answered yet."""
    return part.get("tool") in QUESTION_TOOLS and object_in(part, "state").get("status") == "running"


def may_wait(part: Mapping[str, Any]) -> bool:
    """Return whether nothing is lost if a running call is reported later: it is not a thought."""
    return not is_thinking_tool(own_tool_name(text_in(part, "tool")))


def _call(part: Mapping[str, Any], state: Mapping[str, Any], call_id: str, agent: str | None, start: int) -> ToolCall:
    arguments = _arguments(state)
    if part.get("tool") == _INVALID_TOOL and "error" in arguments:
        return ToolCall(id=call_id, time=start, agent=agent, tool=own_tool_name(text_in(arguments, "tool")))
    tool = own_tool_name(text_in(part, "tool"))
    return tool_call(call_id, id_in(part, "callID"), tool, arguments, time=start, agent=agent)


def _result(part: Mapping[str, Any], state: Mapping[str, Any], call_id: str, agent: str | None, end: int) -> Result:
    arguments = _arguments(state)
    name, error = text_in(part, "tool"), ""
    if name == _INVALID_TOOL and "error" in arguments:
        name, error = text_in(arguments, "tool"), text_in(arguments, "error") or _INVALID_TOOL
    elif state.get("status") == "error":
        error = text_in(state, "error") or "error"
    if not is_thinking_tool(own_tool_name(name)):
        status = _exit_status(state)
        error = error or (f"Exit code {status}\n{text_in(state, 'output')}" if status else "")
        edits = edits_of_diff(text_in(object_in(state, "metadata"), "diff")) if name in EDIT_TOOLS and not error else ()
        return Result(id=call_id, time=end, agent=agent, is_error=bool(error), error=failure_line(error), edits=edits)
    answer: Mapping[str, Any] = {} if error else _first_object(text_in(state, "output"))
    if answer.get("status") == "failed":
        error = text_in(answer, "error") or "failed"
    needed = answer.get("nextThoughtNeeded")
    return Result(
        id=call_id,
        time=end,
        agent=agent,
        is_error=bool(error),
        error=error,
        answered_next=needed if isinstance(needed, bool) and not error else None,
    )


def _first_object(answer: str) -> Mapping[str, Any]:
    """Return the JSON object that an answer begins with; other text may follow it."""
    try:
        return as_fields(json.JSONDecoder().raw_decode(answer[:_MAX_ANSWER_CHARS].lstrip())[0])
    except (ValueError, RecursionError):
        return {}


def _subagent(state: Mapping[str, Any], call_id: str, agent: str | None, start: int) -> list[Fact]:
    child = _child_session(state)
    if child is None:
        return []
    arguments = _arguments(state)
    return [
        AgentStarted(
            id=child,
            time=start,
            agent=agent,
            name=task_name(text_in(arguments, "subagent_type"), text_in(arguments, "description")),
            call=call_id,
            model=text_in(object_in(object_in(state, "metadata"), "model"), "modelID") or None,
        )
    ]


def _task_end(part_id: str, state: Mapping[str, Any], start: int, end: int | None) -> list[Fact]:
    child = _child_session(state)
    if child is None or object_in(state, "metadata").get("background") is True:
        return []
    is_aborted = state.get("status") == "error"
    return [TaskEnded(id=part_id, time=end or start, agent=child, is_aborted=is_aborted, is_dated=end is not None)]


def _exit_status(state: Mapping[str, Any]) -> int:
    """Return the exit status of a command; 0 if the call was none."""
    status = object_in(state, "metadata").get("exit")
    return status if isinstance(status, int) else 0


def _child_session(state: Mapping[str, Any]) -> str | None:
    return identifier(object_in(state, "metadata").get("sessionId"))
