"""The client's own events, as ``event_msg`` records hold them: what each type of them says."""

from collections.abc import Callable, Mapping
from typing import Final

from seqthink.sources.transcripts.codex.answers import AnswerRecord, command_answer, mcp_event_answer
from seqthink.sources.transcripts.codex.completed_items import read_completed_item, sub_agent_activity
from seqthink.sources.transcripts.codex.patched_files import PATCH_TOOL, change_edits, changed_files
from seqthink.sources.transcripts.codex.thread_meta import agent_name
from seqthink.sources.transcripts.codex.thread_state import ThreadState
from seqthink.sources.transcripts.facts import AgentStarted, ContextUsed, Fact, SessionDescribed
from seqthink.sources.transcripts.json_fields import PICTURE, Fields, id_in, list_in, number_in, object_in, text_in

_INJECTED_KINDS: Final = frozenset({"user_instructions", "environment_context"})


def _turn_started(state: ThreadState, event: Fields) -> list[Fact]:
    facts = [*state.settle(), *state.end_unmarked_turn()]
    state.enter_turn(id_in(event, "turn_id"), is_new=True, is_marked=True)
    return facts


def _turn_ended(state: ThreadState, event: Fields) -> list[Fact]:
    facts = state.settle()
    state.enter_turn(id_in(event, "turn_id"), is_marked=True)
    return [*facts, *state.turn_ended(state.turn, text_in(event, "last_agent_message"))]


def _turn_aborted(state: ThreadState, event: Fields) -> list[Fact]:
    facts = state.settle()
    state.enter_turn(id_in(event, "turn_id"))
    is_aborted = text_in(event, "reason") != "review_ended"
    return [*facts, *state.turn_ended(state.turn, "", is_aborted=is_aborted)]


def _error(state: ThreadState, _: Fields) -> list[Fact]:
    state.has_failed = True
    return state.settle()


def _user_message(state: ThreadState, event: Fields) -> list[Fact]:
    if text_in(event, "kind") in _INJECTED_KINDS:
        return []
    text = text_in(event, "message") or (PICTURE if list_in(event, "images") or list_in(event, "local_images") else "")
    return state.prompt(text, id_in(event, "id"))


def _agent_message(state: ThreadState, event: Fields) -> list[Fact]:
    return [*state.settle(), *state.said("event", text_in(event, "message"), text_in(event, "phase"))]


def _reasoning(state: ThreadState, event: Fields) -> list[Fact]:
    return state.reasoning_part(text_in(event, "text"), is_raw=False)


def _raw_reasoning(state: ThreadState, event: Fields) -> list[Fact]:
    return state.reasoning_part(text_in(event, "text"), is_raw=True)


def _mcp_begun(state: ThreadState, event: Fields) -> list[Fact]:
    invocation = object_in(event, "invocation")
    return _begun(state, event, text_in(invocation, "tool"), invocation.get("arguments"))


def _mcp_ended(state: ThreadState, event: Fields) -> list[Fact]:
    facts = _mcp_begun(state, event)
    answer = mcp_event_answer(event.get("result"))
    return [*facts, *state.calls.ended(id_in(event, "call_id"), answer, state.time, state.agent)]


def _command_ended(state: ThreadState, event: Fields) -> list[Fact]:
    facts = _begun(state, event, "exec_command", event)
    output = text_in(event, "aggregated_output") or text_in(event, "stderr")
    return [*facts, *_ended(state, event, command_answer(event, output))]


def _patch_ended(state: ThreadState, event: Fields) -> list[Fact]:
    changes = object_in(event, "changes")
    facts = _begun(state, event, PATCH_TOOL, changed_files(changes))
    answer = command_answer({}, text_in(event, "stderr"), is_failed=event.get("success") is False)
    return [*facts, *_ended(state, event, answer._replace(edits=change_edits(changes)))]


def _search_ended(state: ThreadState, event: Fields) -> list[Fact]:
    return [*_begun(state, event, "web_search", event), *_ended(state, event, AnswerRecord(is_error=False))]


def _agent_spawned(state: ThreadState, event: Fields) -> list[Fact]:
    agent = id_in(event, "new_thread_id")
    if not agent:
        return state.settle()
    call, model = state.calls.id_of(id_in(event, "call_id")) or None, text_in(event, "model") or None
    started = AgentStarted(id=agent, time=state.time, agent=state.agent, name=agent_name(event), call=call, model=model)
    return [*state.settle(), started]


def _compacted(state: ThreadState, _: Fields) -> list[Fact]:
    return [*state.settle(), *state.compacted("event")]


def _rolled_back(state: ThreadState, event: Fields) -> list[Fact]:
    return [*state.settle(), *state.rewound(number_in(event, "num_turns") or 0)]


def _named(state: ThreadState, event: Fields) -> list[Fact]:
    title, thread = text_in(event, "thread_name", "name"), id_in(event, "thread_id")
    if not title or not thread or state.agent is not None:
        return []
    return [SessionDescribed(id=thread, time=state.time, title=title)]


def _tokens_counted(state: ThreadState, event: Fields) -> list[Fact]:
    info = object_in(event, "info")
    tokens = number_in(object_in(info, "last_token_usage"), "total_tokens") or 0
    state.count_tokens(tokens)
    if not tokens:
        return []
    identifier, window = f"context-{state.time}", number_in(info, "model_context_window")
    return [
        ContextUsed(id=identifier, time=state.time, agent=state.agent, tokens=tokens, window=window, model=state.model)
    ]


def _begun(state: ThreadState, event: Fields, name: str, arguments: object) -> list[Fact]:
    call = id_in(event, "call_id")
    return [*state.settle(), *state.call_begun(call, text_in(event, "type"), name, arguments)]


def _ended(state: ThreadState, event: Fields, answer: AnswerRecord) -> list[Fact]:
    return state.calls.ended(id_in(event, "call_id"), answer, state.time, state.agent)


EVENTS: Final[Mapping[str, Callable[[ThreadState, Fields], list[Fact] | None]]] = {
    "task_started": _turn_started,
    "turn_started": _turn_started,
    "task_complete": _turn_ended,
    "turn_complete": _turn_ended,
    "turn_aborted": _turn_aborted,
    "error": _error,
    "user_message": _user_message,
    "agent_message": _agent_message,
    "agent_reasoning": _reasoning,
    "agent_reasoning_raw_content": _raw_reasoning,
    "item_completed": read_completed_item,
    "mcp_tool_call_begin": _mcp_begun,
    "mcp_tool_call_end": _mcp_ended,
    "exec_command_end": _command_ended,
    "patch_apply_end": _patch_ended,
    "web_search_end": _search_ended,
    "sub_agent_activity": sub_agent_activity,
    "collab_agent_spawn_end": _agent_spawned,
    "context_compacted": _compacted,
    "thread_rolled_back": _rolled_back,
    "thread_name_updated": _named,
    "token_count": _tokens_counted,
}
"""How each type of event is read; one that gives None has an unknown item."""
_PAIRED_EVENTS: Final = ("exec_command", "patch_apply", "web_search", "collab_agent_interaction", "collab_waiting")
EVENTS_WITHOUT_FACTS: Final = frozenset(
    {
        *(f"{name}_begin" for name in (*_PAIRED_EVENTS, "collab_agent_spawn", "collab_close", "collab_resume")),
        *(f"{name}_end" for name in ("collab_agent_interaction", "collab_waiting", "collab_close", "collab_resume")),
        "agent_message_content_delta",
        "agent_message_delta",
        "agent_reasoning_delta",
        "agent_reasoning_section_break",
        "background_event",
        "deprecation_notice",
        "dynamic_tool_call_request",
        "dynamic_tool_call_response",
        "entered_review_mode",
        "exec_approval_request",
        "exec_command_output_delta",
        "exited_review_mode",
        "hook_completed",
        "hook_started",
        "image_generation_begin",
        "image_generation_end",
        "item_started",
        "mcp_startup_complete",
        "mcp_startup_update",
        "model_reroute",
        "patch_apply_updated",
        "plan_delta",
        "plan_update",
        "raw_response_item",
        "realtime_conversation_closed",
        "realtime_conversation_realtime",
        "realtime_conversation_started",
        "reasoning_content_delta",
        "reasoning_raw_content_delta",
        "session_configured",
        "shutdown_complete",
        "stream_error",
        "terminal_interaction",
        "thread_goal_updated",
        "thread_settings_applied",
        "turn_diff",
        "undo_completed",
        "undo_started",
        "view_image_tool_call",
        "warning",
    }
)
"""Known types that say nothing of use."""
