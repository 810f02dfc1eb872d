"""OpenAI's Chat Completions with ``reasoning_content``, as several clients speak it to any compatible server."""

import json
from collections.abc import Iterator
from typing import Any

from tests.conformance.clients.script import script_in
from tests.conformance.clients.wires.wire import Answer, Asked, Json, pieces, sse


class ChatWire:
    """Reads requests and writes answers."""

    content_type = "text/event-stream"

    def asked(self, path: str, request: Json) -> Asked:  # noqa: ARG002, the path says nothing here
        script, place = None, 0
        for message in request.get("messages", []):
            named = script_in(_text(message["content"])) if message["role"] == "user" else None
            if named:
                script, place = named, 0
            elif message["role"] == "assistant":
                place += 1
        tools = frozenset(tool["function"]["name"] for tool in request.get("tools", []))
        return Asked(script, place, tools, request.get("stream", False))

    def written(self, answer: Answer) -> Iterator[bytes]:
        yield _chunk(answer, {"role": "assistant", "content": ""})
        for piece in pieces(answer.step.reasoning):
            yield _chunk(answer, {"reasoning_content": piece})
        for piece in pieces(answer.step.answer):
            yield _chunk(answer, {"content": piece})
        for index, call in enumerate(_calls(answer)):
            yield _chunk(answer, {"tool_calls": [{"index": index, **call}]})
        yield _chunk(answer, {}, "tool_calls" if answer.calls else "stop")
        yield sse({**_head(answer), "choices": [], "usage": _usage(answer)})
        yield b"data: [DONE]\n\n"

    def whole(self, answer: Answer) -> Json:
        message = {"role": "assistant", "content": answer.step.answer}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": f"chat-{answer.id}", "object": "chat.completion", "model": answer.model, "choices": [choice]}


def _text(content: str | list[Json] | None) -> str:
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if part["type"] == "text")
    return content or ""


def _calls(answer: Answer) -> list[Json]:
    return [
        {
            "id": f"call_{call.id}",
            "type": "function",
            "function": {"name": call.tool, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
        }
        for call in answer.calls
    ]


def _chunk(answer: Answer, delta: Json, finish: str | None = None) -> bytes:
    choice: dict[str, Any] = {"index": 0, "delta": delta, "finish_reason": finish}
    return sse({**_head(answer), "choices": [choice]})


def _head(answer: Answer) -> Json:
    return {"id": f"chat-{answer.id}", "object": "chat.completion.chunk", "created": 0, "model": answer.model}


def _usage(answer: Answer) -> Json:
    tokens = answer.step.tokens
    return {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1}
