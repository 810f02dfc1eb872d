"""The items of a turn, as ``item_completed`` events hold them (paginated rollouts): what each type of them says."""

from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import unquote

from seqthink.sources.transcripts.codex.answers import AnswerRecord, command_answer, mcp_answer
from seqthink.sources.transcripts.codex.patched_files import PATCH_TOOL, change_edits, changed_files
from seqthink.sources.transcripts.codex.thread_meta import agent_name
from seqthink.sources.transcripts.codex.thread_state import ThreadState
from seqthink.sources.transcripts.facts import AgentStarted, Fact
from seqthink.sources.transcripts.json_fields import (
    Fields,
    as_fields,
    id_in,
    list_in,
    number_in,
    object_in,
    objects_in,
    picture_in,
    text_in,
    texts_in,
)

_FAILED: Final = frozenset({"failed", "declined", "Failed", "Declined"})


def read_completed_item(state: ThreadState, event: Fields) -> list[Fact] | None:
    """Return what a completed item says; None if its type is unknown."""
    item = object_in(event, "item")
    kind = text_in(item, "type")
    if kind in ITEMS_WITHOUT_FACTS:
        return []
    reader = ITEMS.get(kind)
    return None if reader is None else reader(state, event, item)


def _user_message(state: ThreadState, _: Fields, item: Fields) -> list[Fact]:
    return state.prompt("".join(texts_in(item, "content")) or picture_in(item, "content"), id_in(item, "id"))


def _agent_message(state: ThreadState, _: Fields, item: Fields) -> list[Fact]:
    text = "\n".join(texts_in(item, "content"))
    return [*state.settle(), *state.said("item", text, text_in(item, "phase"))]


def _reasoning(state: ThreadState, event: Fields, item: Fields) -> list[Fact]:
    parts = texts_in(item, "summary_text") or texts_in(item, "raw_content")
    start, end = number_in(event, "started_at_ms"), number_in(event, "completed_at_ms")
    duration = float(end - start) if start is not None and end is not None and end > start else None
    return state.reasoning("completed", id_in(item, "id"), parts, duration)


def _mcp_call(state: ThreadState, event: Fields, item: Fields) -> list[Fact]:
    failed = text_in(item, "status") in _FAILED
    error = text_in(object_in(item, "error"), "message") or text_in(item, "error")
    answer = mcp_answer(object_in(item, "result"), is_failed=failed, error=error)
    return _whole_call(state, event, item, text_in(item, "tool"), item.get("arguments"), answer)


def _command(state: ThreadState, event: Fields, item: Fields) -> list[Fact]:
    command = [part for part in list_in(item, "command") if isinstance(part, str)]
    is_shell = len(command) == 3 and command[1] in {"-lc", "-c"}
    arguments = {"command": command[2:] if is_shell else command or text_in(item, "command"), "cwd": _folder(item)}
    answer = command_answer(item, text_in(item, "aggregated_output"), is_failed=text_in(item, "status") in _FAILED)
    return _whole_call(state, event, item, "exec_command", arguments, answer)


def _folder(item: Fields) -> str:
    """Return the working folder of a command, which newer versions write as an address."""
    return unquote(text_in(item, "cwd").removeprefix("file://"))


def _dynamic_call(state: ThreadState, event: Fields, item: Fields) -> list[Fact]:
    failed = text_in(item, "status") in _FAILED or item.get("success") is False
    return _whole_call(state, event, item, text_in(item, "tool"), item.get("arguments"), AnswerRecord(is_error=failed))


def _file_change(state: ThreadState, event: Fields, item: Fields) -> list[Fact]:
    changes = as_fields(item.get("changes"))
    failed = text_in(item, "status") in _FAILED
    answer = AnswerRecord(is_error=failed, edits=change_edits(changes))
    return _whole_call(state, event, item, PATCH_TOOL, changed_files(changes), answer)


def _web_search(state: ThreadState, event: Fields, item: Fields) -> list[Fact]:
    return _whole_call(state, event, item, "web_search", text_in(item, "query"), AnswerRecord(is_error=False))


def _agent_call(state: ThreadState, event: Fields, item: Fields) -> list[Fact]:
    tool = text_in(item, "tool")
    name = {"spawnAgent": "spawn_agent"}.get(tool, tool)
    failed = text_in(item, "status") in _FAILED
    facts = _whole_call(state, event, item, name or "agent", text_in(item, "prompt"), AnswerRecord(is_error=failed))
    if name != "spawn_agent":
        return facts
    agents = [id_in({"id": thread}, "id") for thread in list_in(item, "receiver_thread_ids", "receiverThreadIds")]
    known = {id_in(one, "thread_id", "threadId"): one for one in objects_in(item, "receiver_agents", "receiverAgents")}
    return [
        *facts,
        *(
            AgentStarted(
                id=agent,
                time=state.time,
                agent=state.agent,
                name=agent_name(known.get(agent, {}), text_in(item, "prompt")),
                call=state.calls.id_of(id_in(item, "id")) or None,
                model=text_in(item, "model") or None,
            )
            for agent in agents
            if agent
        ),
    ]


def sub_agent_activity(state: ThreadState, event: Fields) -> list[Fact]:
    """Return that another agent was started, if that is what an activity is."""
    agent = id_in(event, "agent_thread_id", "agentThreadId")
    if not agent or text_in(event, "kind").lower() != "started":
        return state.settle()
    call = state.calls.id_of(id_in(event, "event_id", "id")) or None
    name = agent_name(event)
    return [*state.settle(), AgentStarted(id=agent, time=state.time, agent=state.agent, name=name, call=call)]


def _compaction(state: ThreadState, _: Fields, __: Fields) -> list[Fact]:
    return [*state.settle(), *state.compacted("event")]


def _whole_call(
    state: ThreadState, event: Fields, item: Fields, name: str, arguments: object, answer: AnswerRecord
) -> list[Fact]:
    call = id_in(item, "id", "call_id")
    state.scripts.called()
    start, end = number_in(event, "started_at_ms"), number_in(event, "completed_at_ms")
    begun_at = state.time if start is None else min(start * 1_000, state.time)
    ended_at = state.time if end is None else min(max(end * 1_000, begun_at), state.time)
    return [
        *state.settle(),
        *state.call_begun(call, "item", name, arguments, begun_at),
        *state.calls.ended(call, answer, ended_at, state.agent),
    ]


ITEMS: Final[Mapping[str, Callable[[ThreadState, Fields, Fields], list[Fact]]]] = {
    "UserMessage": _user_message,
    "AgentMessage": _agent_message,
    "Reasoning": _reasoning,
    "McpToolCall": _mcp_call,
    "CommandExecution": _command,
    "DynamicToolCall": _dynamic_call,
    "FileChange": _file_change,
    "WebSearch": _web_search,
    "CollabAgentToolCall": _agent_call,
    "SubAgentActivity": lambda state, _, item: sub_agent_activity(state, item),
    "ContextCompaction": _compaction,
}
"""How each type of item is read, given the event that holds it and the item."""
ITEMS_WITHOUT_FACTS: Final = frozenset(
    {
        "Plan",
        "HookPrompt",
        "ImageView",
        "ImageGeneration",
        "Sleep",
        "Extension",
        "EnteredReviewMode",
        "ExitedReviewMode",
    }
)
"""Known types that say nothing of use."""
