"""The items of the model's conversation, as ``response_item`` records hold them: what each type of them says."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from seqthink.sources.transcripts.codex.answers import AnswerRecord
from seqthink.sources.transcripts.codex.scripts import SCRIPT_TOOL
from seqthink.sources.transcripts.codex.thread_meta import agent_name
from seqthink.sources.transcripts.codex.thread_state import ThreadState
from seqthink.sources.transcripts.facts import AgentStarted, Fact
from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.json_fields import Fields, id_in, object_in, picture_in, text_in, texts_in
from seqthink.sources.transcripts.tool_names import is_thinking_tool, own_tool_name, unsealed

_INJECTED: Final = (
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
    "<turn_aborted>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<skill>",
    "<model_switch>",
    "<personality_spec>",
    "<permissions instructions>",
)
_REPORT: Final = "Message Type: FINAL_ANSWER"
_BEFORE_TASK: Final = "\nPayload:"
_TASK_NAME: Final = re.compile(r"^Task name: (?:\S*/)?([^/\s]+)\s*$", re.MULTILINE)
_SPAWN_TOOL: Final = "spawn_agent"
_MAX_PROMPT_ITEM: Final = 1 << 20


def _message(state: ThreadState, item: Fields) -> list[Fact]:
    role = text_in(item, "role")
    text = "\n".join(texts_in(item, "content")) or picture_in(item, "content")
    if role == "assistant":
        return [*state.settle(), *state.said("message", text, text_in(item, "phase"))]
    if role == "user" and not text.lstrip().startswith(_INJECTED):
        state.suggest_prompt(text[:_MAX_PROMPT_ITEM])
    return []


def _reasoning(state: ThreadState, item: Fields) -> list[Fact]:
    parts = texts_in(item, "summary") or texts_in(item, "content")
    return state.reasoning("item", id_in(item, "id"), parts, sealed=text_in(item, "encrypted_content"))


def _function_call(state: ThreadState, item: Fields) -> list[Fact]:
    name, namespace = text_in(item, "name"), text_in(item, "namespace")
    if namespace and not is_thinking_tool(own_tool_name(name)):
        name = f"{namespace}__{name}" if namespace.startswith("mcp__") else name
    call, arguments = _call_id(state, item), item.get("arguments", item.get("input"))
    if name == SCRIPT_TOOL and text_in(item, "type") == "custom_tool_call":
        return [*state.settle(), *state.script_begun(call, arguments)]
    return _begun(state, item, call, name, arguments)


def _shell_call(state: ThreadState, item: Fields) -> list[Fact]:
    return _begun(state, item, _call_id(state, item), "local_shell", object_in(item, "action"))


def _search_call(state: ThreadState, item: Fields) -> list[Fact]:
    arguments = object_in(item, "action", "arguments") or item.get("arguments")
    name = text_in(item, "type").removesuffix("_call")
    call = _call_id(state, item)
    facts = _begun(state, item, call, name, arguments)
    if name != "web_search":
        return facts
    answer = AnswerRecord(is_error=text_in(item, "status") == "failed")
    return [*facts, *state.calls.ended(call, answer, state.time, state.agent)]


def _output(state: ThreadState, item: Fields) -> list[Fact]:
    call, output = id_in(item, "call_id"), item.get("output")
    facts = state.settle()
    if state.scripts.is_open(call):
        script = state.script_ended(call)
        if not script:
            return facts
        facts += script
    if state.calls.tool(call) == _SPAWN_TOOL:
        facts += _spawned(state, call, output)
    return [*facts, *state.answered(call, output)]


def _begun(state: ThreadState, item: Fields, call: str, name: str, arguments: object) -> list[Fact]:
    return [*state.settle(), *state.call_begun(call, text_in(item, "type"), name, arguments)]


def _call_id(state: ThreadState, item: Fields) -> str:
    return id_in(item, "call_id", "id") or state.id_of("call", text_in(item, "name", "type"))


def _spawned(state: ThreadState, call: str, output: object) -> list[Fact]:
    answer = decode_object(output.encode("utf-8", "replace")) if isinstance(output, str) else None
    agent = id_in(answer or {}, "agent_id", "agent_thread_id", "thread_id")
    if not answer or not agent:
        return []
    name = agent_name(answer, state.calls.summary_of(call))
    return [AgentStarted(id=agent, time=state.time, agent=state.agent, name=name, call=state.calls.id_of(call))]


def agent_message(state: ThreadState, item: Fields) -> list[Fact]:
    """Take in what another agent wrote to this one: its task, if no event says what that is.

    The task itself may be sealed; then its name replaces it.
    """
    text = text_in(item, "content") or "\n".join(texts_in(item, "content"))
    if item.get("trigger_turn") is not False and not text.startswith(_REPORT):
        header, _, task = text.partition(_BEFORE_TASK)
        name = _TASK_NAME.search(header)
        state.suggest_prompt(unsealed(task.strip()) or (name[1] if name else unsealed(text)))
    return []


def _nothing_but_settled(state: ThreadState, _: Fields) -> list[Fact]:
    return state.settle()


ITEMS: Final[Mapping[str, Callable[[ThreadState, Fields], list[Fact]]]] = {
    "message": _message,
    "agent_message": agent_message,
    "reasoning": _reasoning,
    "function_call": _function_call,
    "custom_tool_call": _function_call,
    "local_shell_call": _shell_call,
    "web_search_call": _search_call,
    "tool_search_call": _search_call,
    "function_call_output": _output,
    "custom_tool_call_output": _output,
    "tool_search_output": _output,
    "image_generation_call": _nothing_but_settled,
}
"""How each type of item is read."""
ITEMS_WITHOUT_FACTS: Final = frozenset(
    {
        "additional_tools",
        "compaction",
        "compaction_summary",
        "compaction_trigger",
        "context_compaction",
        "ghost_snapshot",
        "other",
    }
)
"""Known types that say nothing of use."""
