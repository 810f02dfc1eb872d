"""OpenAI's Responses, as Codex speaks it."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from tests.conformance.clients.script import script_in
from tests.conformance.clients.wires.wire import Answer, Asked, Json, ToolCall, event, pieces

_PLACE: Final = re.compile(r"^call_(\d+)_")
_PLAIN: Final = "functions"  # the namespace of the tools that need none
_STARTED: Final = re.compile(r'^\{"(?:agent_id|task_name)":"([^"]+)"')
_REPORTED: Final = "Message Type: FINAL_ANSWER"
_FREE_TOOLS: Final = frozenset({"apply_patch", "exec"})
"""The tools that take a patch or JavaScript, not JSON."""


class ResponsesWire:
    """Reads requests and writes answers. The items of one answer come back singly, so call ids say the place."""

    content_type = "text/event-stream"

    def asked(self, path: str, request: Json) -> Asked:  # noqa: ARG002, the path says nothing here
        script, place = None, 0
        for item in _items(request):
            given = item.get("role") == "user" or item.get("type") == "agent_message"
            named = script_in(_own_text(item)) if given else None
            if named:
                script, place = named, 0
            elif counted := _PLACE.match(str(item.get("call_id", ""))):
                place = max(place, int(counted[1]) + 1)
            elif item.get("type") == "message" and item.get("role") == "assistant":
                place += 1
        added = [tool for item in _items(request) if item.get("type") == "additional_tools" for tool in item["tools"]]
        tools = frozenset(_tools([*request.get("tools", []), *added]))
        return Asked(script, place, tools, request.get("stream", False), _working(_items(request)))

    def written(self, answer: Answer) -> Iterator[bytes]:
        head: Json = {"id": f"resp_{answer.id}", "object": "response", "model": answer.model, "output": []}
        yield event("response.created", {"response": {**head, "status": "in_progress"}})
        items = _output(answer)
        for index, item in enumerate(items):
            yield event("response.output_item.added", {"output_index": index, "item": _begun(item)})
            yield from _deltas(item, index)
            yield event("response.output_item.done", {"output_index": index, "item": item})
        done = {**head, "status": "completed", "output": items, "usage": _usage(answer)}
        yield event("response.completed", {"response": done})

    def whole(self, answer: Answer) -> Json:
        return {"id": f"resp_{answer.id}", "object": "response", "status": "completed", "output": _output(answer)}


def _items(request: Json) -> list[Json]:
    given = request.get("input", [])
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


def _own_text(item: Json) -> str:
    content: str | list[Json] = item.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text") or part.get("encrypted_content", "")) for part in content)


def _tools(tools: list[Json]) -> Iterator[str]:
    for tool in tools:
        if tool.get("type") == "namespace":
            within = "" if tool["name"] == _PLAIN else f"{tool['name']}."
            yield from (within + str(inner["name"]) for inner in tool.get("tools", []))
        else:
            yield str(tool.get("name", tool.get("type")))


def _working(items: list[Json]) -> tuple[str, ...]:
    """Return the subagents that have not reported: in Codex's first protocol known by ids, in its second by paths."""
    started: list[str] = []
    for item in items:
        if item.get("type") == "function_call_output":
            output = str(item.get("output"))
            started = [agent for agent in started if f'"{agent}":{{"completed"' not in output]
            started += _STARTED.findall(output)
        elif item.get("type") == "agent_message" and _REPORTED in _own_text(item):
            started = [agent for agent in started if agent != item["author"]]
    return tuple(started)


def _output(answer: Answer) -> list[Json]:
    items: list[Json] = []
    if answer.step.reasoning:
        summary = [{"type": "summary_text", "text": answer.step.reasoning}]
        items.append(
            {"type": "reasoning", "id": f"rs_{answer.id}", "summary": summary, "encrypted_content": "gAAAsealed"}
        )
    if answer.step.answer:
        content = [{"type": "output_text", "text": answer.step.answer, "annotations": list[Json]()}]
        items.append({"type": "message", "id": f"msg_{answer.id}", "role": "assistant", "content": content})
    return items + [_call(call) for call in answer.calls]


def _call(call: ToolCall) -> Json:
    head = {"id": f"fc_{call.id}", "call_id": f"call_{call.id}", "status": "completed"}
    if call.tool in _FREE_TOOLS:
        return {**head, "type": "custom_tool_call", "name": call.tool, "input": call.arguments["source"]}
    namespace, _, name = call.tool.rpartition(".")
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    named = {"name": name, "namespace": namespace} if namespace else {"name": name}
    return {**head, "type": "function_call", **named, "arguments": arguments}


def _begun(item: Json) -> Json:
    return {**item, **({"summary": []} if item["type"] == "reasoning" else {})}


def _deltas(item: Json, index: int) -> Iterator[bytes]:
    if item["type"] == "reasoning":
        place: dict[str, Any] = {"item_id": item["id"], "output_index": index, "summary_index": 0}
        yield event("response.reasoning_summary_part.added", {**place, "part": {"type": "summary_text", "text": ""}})
        for piece in pieces(item["summary"][0]["text"]):
            yield event("response.reasoning_summary_text.delta", {**place, "delta": piece})
    if item["type"] == "message":
        for piece in pieces(item["content"][0]["text"]):
            yield event(
                "response.output_text.delta",
                {"output_index": index, "content_index": 0, "item_id": item["id"], "delta": piece},
            )


def _usage(answer: Answer) -> Json:
    return {
        "input_tokens": answer.step.tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": answer.step.tokens + 1,
    }
