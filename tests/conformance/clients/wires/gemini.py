"""Gemini's generateContent, as Gemini CLI speaks it."""

from collections.abc import Iterator

from tests.conformance.clients.script import script_in
from tests.conformance.clients.wires.wire import Answer, Asked, Json, sse


class GeminiWire:
    """Reads requests and writes answers."""

    content_type = "text/event-stream"

    def asked(self, path: str, request: Json) -> Asked:
        script, place = None, 0
        for content in request.get("contents", []):
            named = script_in(_own_text(content)) if content.get("role") == "user" else None
            if named:
                script, place = named, 0
            elif content.get("role") == "model":
                place += 1
        return Asked(script, place, _tools(request), "streamGenerateContent" in path)

    def written(self, answer: Answer) -> Iterator[bytes]:
        parts: list[Json] = []
        if answer.step.reasoning:
            yield sse(_document(answer, [{"text": answer.step.reasoning, "thought": True}], finished=False))
        if answer.step.answer:
            parts.append({"text": answer.step.answer})
        parts += [{"functionCall": {"name": call.tool, "args": call.arguments}} for call in answer.calls]
        yield sse(_document(answer, parts, finished=True))

    def whole(self, answer: Answer) -> Json:
        return _document(answer, [{"text": answer.step.answer}], finished=True)


def _own_text(content: Json) -> str:
    return "\n".join(part["text"] for part in content.get("parts", []) if isinstance(part.get("text"), str))


def _tools(request: Json) -> frozenset[str]:
    declared = [tool.get("functionDeclarations", []) for tool in request.get("tools", [])]
    return frozenset(function["name"] for functions in declared for function in functions)


def _document(answer: Answer, parts: list[Json], *, finished: bool) -> Json:
    candidate: Json = {"content": {"role": "model", "parts": parts}, "index": 0}
    if finished:
        candidate["finishReason"] = "STOP"
    return {
        "candidates": [candidate],
        "usageMetadata": _usage(answer),
        "modelVersion": answer.model,
        "responseId": answer.id,
    }


def _usage(answer: Answer) -> Json:
    tokens = answer.step.tokens
    return {
        "promptTokenCount": tokens,
        "candidatesTokenCount": 1,
        "thoughtsTokenCount": 3,
        "totalTokenCount": tokens + 4,
    }
