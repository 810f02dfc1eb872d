"""One message of Gemini CLI: what the user wrote, or the model with its thoughts and its calls, and what it says."""

import json
import re
from typing import Final

from seqthink.sources.transcripts.call_ids import CallIds
from seqthink.sources.transcripts.edits.recorded import edits_of_diff
from seqthink.sources.transcripts.edits.tools import EDIT_TOOLS
from seqthink.sources.transcripts.facts import AgentStarted, Fact, Prompt, Reasoning, Remark, Result, TurnEnded
from seqthink.sources.transcripts.json_fields import (
    NO_FIELDS,
    PICTURE,
    Fields,
    as_fields,
    id_in,
    list_in,
    number_in,
    object_in,
    objects_in,
    text_in,
    time_in,
)
from seqthink.sources.transcripts.lane_names import task_name
from seqthink.sources.transcripts.tool_names import (
    failure_line,
    is_thinking_tool,
    next_in_answer,
    own_tool_name,
    tool_call,
)

MAX_ERROR_CHARS: Final = 2_000
_INJECTED: Final = ("<session_context>", "<loaded_context>", "<state_snapshot>", "<hook_context>")
_AGENT_TOOL: Final = "invoke_agent"
_END_TOOL: Final = "complete_task"
_FAILED: Final = frozenset({"error", "cancelled"})
_CONTEXT_TAG: Final = re.compile(r"</?untrusted_context>")
_CANCELLED: Final = "Request cancelled"
_EXIT_CODE: Final = re.compile(r"^Exit Code: (?!0$)(-?\d+)$", re.MULTILINE)
_OUTPUT: Final = re.compile(r"^Output: *", re.MULTILINE)
_SHELL_TOOL: Final = "run_shell_command"


def facts_of(message: Fields, agent: str | None, before: int, call_ids: CallIds) -> list[Fact]:
    """Return what one message says so far; ``before`` is the time of the record before it.

    ``call_ids`` are those of the agent's calls.
    """
    identifier = id_in(message, "id")
    time = time_in(message, "timestamp") or before
    match text_in(message, "type"):
        case "user":
            text = prompt_text(message)
            return [Prompt(id=identifier, time=time, agent=agent, text=text)] if text else []
        case "gemini" | "model" | "assistant":
            return _model_facts(message, identifier, time, agent, call_ids)
        case "error":
            return [TurnEnded(id=identifier, time=time, agent=agent, text="", is_aborted=True)]
        case "info" if _plain_text(message.get("content")).startswith(_CANCELLED):
            return [TurnEnded(id=identifier, time=time, agent=agent, text="", is_aborted=True)]
        case _:
            return []


def prompt_text(message: Fields) -> str:
    """Return what the user wrote in a message; empty if it holds only the client's own context or tool answers."""
    texts = [text for text in _texts(message.get("content")) if not text.lstrip().startswith(_INJECTED)]
    return "\n".join(texts).strip() or ("" if texts else _picture(message))


def _picture(message: Fields) -> str:
    """Return a word for a picture, if the user sent nothing else."""
    sent = [object_in(part, "inlineData", "fileData") for part in objects_in(message, "content")]
    return PICTURE if any(text_in(data, "mimeType").startswith("image/") for data in sent) else ""


def words_of(message: Fields) -> tuple[str, str]:
    """Return what a message says and calls, in whichever form the client writes it, and what it thought.

    Both are empty if none of it is shown.
    """
    content = message.get("content")
    text = prompt_text(message) if text_in(message, "type") == "user" else _plain_text(content).strip()
    parts = [object_in(part, "functionCall") for part in objects_in({"parts": content}, "parts")]
    calls = objects_in(message, "toolCalls") or [part for part in parts if part]
    asked = [(_tool(call), call.get("args")) for call in calls]
    thoughts = "\n".join(map(_thought_text, objects_in(message, "thoughts")))
    return (json.dumps([text, asked], sort_keys=True) if text or asked else thoughts), thoughts


def is_summary(message: Fields) -> bool:
    """Return whether a message is the summary that a compressed conversation begins with."""
    return text_in(message, "type") == "user" and "<state_snapshot>" in _plain_text(message.get("content"))


def may_have_calls(message: Fields) -> bool:
    """Return whether a message is the model's and has no calls so far: they are written when they have ended."""
    is_model = text_in(message, "type") in {"gemini", "model", "assistant"}
    return is_model and not objects_in(message, "toolCalls") and not _holds_calls(message.get("content"))


def _model_facts(message: Fields, identifier: str, time: int, agent: str | None, call_ids: CallIds) -> list[Fact]:
    facts: list[Fact] = [*_reasonings(message, identifier, time, agent)]
    calls = objects_in(message, "toolCalls")
    said = _plain_text(message.get("content")).strip()
    is_answer = not calls and not _holds_calls(message.get("content"))
    if said and not is_answer:
        facts.append(Remark(id=identifier, time=time, agent=agent, text=said))
    ends: list[Fact] = []
    for index, call in enumerate(calls):
        place = f"{identifier}/call-{index}"
        client_id = id_in(call, "id")
        call_id = call_ids.of(client_id, place) if client_id else place
        facts += _beginning(call, call_id, time, agent)
        ends += _end(call, call_id, time, agent)
    # Calls of one message run side by side.
    facts += ends
    if said and is_answer:
        facts.append(TurnEnded(id=identifier, time=time, agent=agent, text=said))
    return facts


def _reasonings(message: Fields, identifier: str, time: int, agent: str | None) -> list[Reasoning]:
    tokens = number_in(object_in(message, "tokens"), "thoughts") or 0
    model = text_in(message, "model") or None
    return [
        Reasoning(
            id=f"{identifier}/{index}",
            time=time_in(thought, "timestamp") or time,
            agent=agent,
            text=_thought_text(thought),
            # The client counts the tokens of a whole message; its first thought gets them.
            tokens=tokens if index == 0 else 0,
            model=model,
        )
        for index, thought in enumerate(objects_in(message, "thoughts"))
    ]


def _thought_text(thought: Fields) -> str:
    subject, description = text_in(thought, "subject").strip(), text_in(thought, "description").strip()
    return "\n\n".join(part for part in (f"**{subject}**" if subject else "", description) if part)


def _beginning(call: Fields, identifier: str, time: int, agent: str | None) -> list[Fact]:
    tool, arguments = _tool(call), call.get("args")
    facts: list[Fact] = [tool_call(identifier, id_in(call, "id"), tool, arguments, time=time, agent=agent)]
    child = id_in(call, "agentId")
    if child and tool == _AGENT_TOOL:
        asked = as_fields(arguments)
        name = task_name(text_in(asked, "agent_name"), prompt=text_in(asked, "prompt"))
        facts.append(AgentStarted(id=child, time=time, agent=agent, name=name, call=identifier))
    return facts


def _end(call: Fields, identifier: str, begun_at: int, agent: str | None) -> list[Fact]:
    status, tool = text_in(call, "status"), _tool(call)
    if status != "success" and status not in _FAILED:
        return []
    time = max(time_in(call, "timestamp") or begun_at, begun_at)
    facts: list[Fact] = [_result(call, identifier, time, agent, is_thinking=is_thinking_tool(tool))]
    if tool == _END_TOOL and status == "success":
        text = _plain_text(object_in(call, "args").get("result"))
        facts.append(TurnEnded(id=identifier, time=time, agent=agent, text=text))
    return facts


def _tool(call: Fields) -> str:
    return own_tool_name(text_in(call, "name")) or "?"


def _result(call: Fields, identifier: str, time: int, agent: str | None, *, is_thinking: bool) -> Result:
    status = text_in(call, "status")
    is_error, error, answered_next = status in _FAILED, "", None
    response = _response(call)
    answer = _CONTEXT_TAG.sub("", text_in(response, "output")).strip()
    if is_error:
        error = (text_in(response, "error") or text_in(call, "resultDisplay") or answer or status)[:MAX_ERROR_CHARS]
        error = error if is_thinking else failure_line(error)
    elif is_thinking:
        answered_next = next_in_answer(answer)
    elif _tool(call) == _SHELL_TOOL:
        error = _command_failure(answer)
        is_error = bool(error)
    shown = object_in(call, "resultDisplay") if _tool(call) in EDIT_TOOLS and not is_error else NO_FIELDS
    return Result(
        id=identifier,
        time=time,
        agent=agent,
        is_error=is_error,
        error=error,
        answered_next=answered_next,
        edits=edits_of_diff(text_in(shown, "fileDiff"), text_in(shown, "filePath")),
    )


def _command_failure(answer: str) -> str:
    """Return why a command failed although the client says that its call succeeded; empty if it did not fail."""
    status = _EXIT_CODE.search(answer)
    return failure_line(f"Exit code {status[1]}\n{_OUTPUT.split(answer, maxsplit=1)[-1]}") if status else ""


def _response(call: Fields) -> Fields:
    for part in objects_in(call, "result"):
        response = object_in(object_in(part, "functionResponse"), "response")
        if response:
            return response
    return object_in(object_in(object_in(call, "result"), "functionResponse"), "response")


def _holds_calls(content: object) -> bool:
    """Return whether a content asks for calls itself, as after a resume, which leaves out ``toolCalls``."""
    return any("functionCall" in part for part in objects_in({"parts": content}, "parts"))


def _plain_text(content: object) -> str:
    return "\n".join(_texts(content))


def _texts(content: object) -> list[str]:
    """Return the texts of a content: a text, a part, or a list of both; without the model's thoughts."""
    if isinstance(content, str):
        return [content] if content else []
    content = as_fields(content).get("parts", content)
    parts = list_in({"parts": content}, "parts") or [content]
    texts: list[str] = []
    for part in parts:
        text = part if isinstance(part, str) else text_in(as_fields(part), "text")
        if text and as_fields(part).get("thought") is not True:
            texts.append(text)
    return texts
