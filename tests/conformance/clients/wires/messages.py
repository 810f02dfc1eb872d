"""Anthropic's Messages, as Claude Code speaks it."""

import json
from collections.abc import Iterator

from tests.conformance.clients.script import script_in
from tests.conformance.clients.wires.wire import Answer, Asked, Json, event, pieces

_USAGE = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1}


class MessagesWire:
    """Reads requests and writes answers."""

    content_type = "text/event-stream"

    def asked(self, path: str, request: Json) -> Asked:  # noqa: ARG002, the path says nothing here
        script, place = None, 0
        for message in request.get("messages", []):
            named = script_in(_own_text(message["content"])) if message["role"] == "user" else None
            if named:
                script, place = named, 0
            elif message["role"] == "assistant":
                place += 1
        tools = frozenset(tool["name"] for tool in request.get("tools", []))
        return Asked(script, place, tools, request.get("stream", False))

    def written(self, answer: Answer) -> Iterator[bytes]:
        yield event("message_start", {"message": {**self.whole(answer), "content": list[Json](), "stop_reason": None}})
        for index, (block, deltas) in enumerate(_blocks(answer)):
            yield event("content_block_start", {"index": index, "content_block": block})
            for delta in deltas:
                yield event("content_block_delta", {"index": index, "delta": delta})
            yield event("content_block_stop", {"index": index})
        end = {"stop_reason": _stop(answer), "stop_sequence": None}
        yield event("message_delta", {"delta": end, "usage": _usage(answer)})
        yield event("message_stop", {})

    def whole(self, answer: Answer) -> Json:
        text = {"type": "text", "text": answer.step.answer}
        return {
            "id": f"msg_{answer.id}", "type": "message", "role": "assistant", "model": answer.model, "content": [text],
            "stop_reason": _stop(answer), "stop_sequence": None, "usage": _usage(answer),
        }  # fmt: skip


def _own_text(content: str | list[Json]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")


def _blocks(answer: Answer) -> Iterator[tuple[Json, list[Json]]]:
    if answer.step.reasoning:
        thinking = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(answer.step.reasoning)]
        yield (
            {"type": "thinking", "thinking": "", "signature": ""},
            [
                *thinking,
                {"type": "signature_delta", "signature": "EpQDsig"},
            ],
        )
    if answer.step.answer:
        yield (
            {"type": "text", "text": ""},
            [{"type": "text_delta", "text": piece} for piece in pieces(answer.step.answer)],
        )
    for call in answer.calls:
        block: Json = {"type": "tool_use", "id": f"toolu_{call.id}", "name": call.tool, "input": {}}
        yield block, [{"type": "input_json_delta", "partial_json": json.dumps(call.arguments, ensure_ascii=False)}]


def _usage(answer: Answer) -> Json:
    return {"input_tokens": answer.step.tokens, **_USAGE}


def _stop(answer: Answer) -> str:
    return "tool_use" if answer.calls else "end_turn"
