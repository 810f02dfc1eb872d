"""The lines that clients append to the files of their sessions: made sessions in their real shapes."""

import json
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from tests.bench import journals

_PROJECTS = 8
NEW_SESSIONS = 1_000_000
"""The sessions with numbers from here on, and number 0, go on now."""


def arguments(place: int) -> dict[str, object]:
    """Return the arguments of the thought at ``place``; they are the same in every session."""
    text = f"{journals.text_mark(place)} and so the pool of the checkout starves"
    return {"thought": text, "thoughtNumber": place, "totalThoughts": place + 5, "nextThoughtNeeded": True}


def call_id(session: int, place: int) -> str:
    """Return the client's id of the call of a thought."""
    return f"call_{session}_{place}"


class Lines(NamedTuple):
    """How a client writes its lines, for the session with a number."""

    path: Callable[[int], str]
    """Where the session's file is, below the home folder."""
    opening: Callable[[int], bytes]
    """The lines up to the first prompt."""
    filling: Callable[[int, int], bytes]
    """A line of about so many bytes in which there is no thought."""
    thought: Callable[[int, int], Sequence[bytes]]
    """What is written for an answered thought, one piece for each write."""


def _line(record: object) -> bytes:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def age(session: int) -> float:
    """Return how many seconds ago a session was: an hour and more for the old ones, 0 for those that go on."""
    return 3600.0 + 60 * session if 0 < session < NEW_SESSIONS else 0.0


def _when(session: int) -> str:
    moment = datetime.fromtimestamp(time.time() - age(session), UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _uuid(*names: object) -> str:
    return str(uuid5(NAMESPACE_URL, "/".join(str(name) for name in names)))


ANSWER = '{"thoughtNumber":1,"totalThoughts":9,"nextThoughtNeeded":true,"branches":[],"thoughtHistoryLength":1}'


def _claude(session: int, kind: str, message: object, *names: object) -> bytes:
    identity = {
        "uuid": _uuid("claude", session, *names),
        "timestamp": _when(session),
        "sessionId": _uuid("claude", session),
    }
    about = {"cwd": f"/home/ada/work-{session % _PROJECTS}", "version": "2.1.330", "gitBranch": "HEAD"}
    return _line({"parentUuid": None, "isSidechain": False, "type": kind, "message": message} | identity | about)


def _claude_result(session: int, call: str, text: str) -> bytes:
    block = {"tool_use_id": call, "type": "tool_result", "content": text}
    return _claude(session, "user", {"role": "user", "content": [block]}, "result", call)


def _claude_thought(session: int, place: int) -> Sequence[bytes]:
    call = call_id(session, place)
    block = {"type": "tool_use", "id": call, "name": "mcp__seq__sequentialthinking", "input": arguments(place)}
    said = {"id": f"msg_{session}_{place}", "role": "assistant", "model": "claude-opus-4-8", "content": [block]}
    return [_claude(session, "assistant", said, "call", place) + _claude_result(session, call, ANSWER)]


def _codex(session: int, kind: str, payload: object) -> bytes:
    return _line({"timestamp": _when(session), "type": kind, "payload": payload})


def _codex_opening(session: int) -> bytes:
    thread = _uuid("codex", session)
    meta = {
        "session_id": thread,
        "id": thread,
        "timestamp": _when(session),
        "cwd": "/home/ada/work",
        "cli_version": "0.169.0",
    }
    meta |= {"source": "exec", "thread_source": "user", "base_instructions": {"text": "You are an agent. " * 1000}}
    item = {"type": "UserMessage", "id": f"user-{session}", "content": [{"type": "text", "text": "why the 502s?"}]}
    asked = {"type": "item_completed", "thread_id": thread, "item": item}
    return _codex(session, "session_meta", meta | {"history_mode": "paginated"}) + _codex(session, "event_msg", asked)


def _codex_thought(session: int, place: int) -> Sequence[bytes]:
    call = call_id(session, place)
    tool = {"name": "sequentialthinking", "namespace": "mcp__seq", "call_id": call}
    asked = {"type": "function_call", **tool, "arguments": json.dumps(arguments(place))}
    item = {"type": "McpToolCall", "id": call, "server": "seq", "tool": "sequentialthinking"}
    item |= {"arguments": arguments(place), "status": "completed", "result": {"structuredContent": json.loads(ANSWER)}}
    done = {"type": "item_completed", "thread_id": _uuid("codex", session), "item": item}
    answered = {"type": "function_call_output", "call_id": call, "output": ANSWER}
    return [
        _codex(session, "response_item", asked),
        _codex(session, "event_msg", done),
        _codex(session, "response_item", answered),
    ]


def _codex_path(session: int) -> str:
    day = f"2026/11/{session % 20 + 1:02}"
    return f".codex/sessions/{day}/rollout-2026-11-{session % 20 + 1:02}T10-00-00-{_uuid('codex', session)}.jsonl"


def _gemini(session: int, name: str, calls: Sequence[object]) -> bytes:
    message = {"id": _uuid("gemini", session, name), "timestamp": _when(session), "type": "gemini", "content": ""}
    return _line(message | {"model": "gemini-3.8-flash", "tokens": {"thoughts": 3}, "toolCalls": calls})


def _gemini_call(session: int, name: str, call: str, given: object, answer: str) -> dict[str, object]:
    result = [{"functionResponse": {"id": call, "name": name, "response": {"output": answer}}}]
    return {"id": call, "name": name, "args": given, "result": result, "status": "success", "timestamp": _when(session)}


def _gemini_opening(session: int) -> bytes:
    head = {
        "sessionId": _gemini_id(session),
        "projectHash": "55e6a4c0",
        "startTime": _when(session),
        "lastUpdated": _when(session),
    }
    asked = {
        "id": f"user-{session}",
        "timestamp": _when(session),
        "type": "user",
        "content": [{"text": "why the 502s?"}],
    }
    return _line(head | {"kind": "main"}) + _line(asked)


def _gemini_id(session: int) -> str:
    return f"{session:08x}-0000-4000-8000-000000000000"


def _gemini_thought(session: int, place: int) -> Sequence[bytes]:
    call = _gemini_call(session, "mcp_seq_sequentialthinking", call_id(session, place), arguments(place), ANSWER)
    return [_gemini(session, f"thought-{place}", [call]), _line({"$set": {"lastUpdated": _when(session)}})]


def _claude_path(session: int) -> str:
    return f".claude/projects/-home-ada-work-{session % _PROJECTS}/{_uuid('claude', session)}.jsonl"


def _claude_opening(session: int) -> bytes:
    return _claude(session, "user", {"role": "user", "content": "why the 502s?"}, "asked")


def _claude_filling(session: int, size: int) -> bytes:
    return _claude_result(session, f"call_read_{size}", "x" * size)


def _codex_filling(session: int, size: int) -> bytes:
    return _codex(session, "compacted", {"message": "", "replacement_history": [{"text": "x" * size}]})


def _gemini_path(session: int) -> str:
    return f".gemini/tmp/work-{session % _PROJECTS}/chats/session-2026-11-01T10-00-{session:08x}.jsonl"


def _gemini_filling(session: int, size: int) -> bytes:
    call = _gemini_call(session, "read_file", f"read_{size}", {"path": "a.log"}, "x" * size)
    return _gemini(session, f"read-{size}", [call])


def _copilot_path(session: int) -> str:
    return f".copilot/session-state/{_uuid('copilot', session)}/events.jsonl"


def _copilot(session: int, kind: str, data: object, *names: object) -> bytes:
    record = {"type": kind, "data": data, "id": _uuid("copilot", session, kind, *names), "timestamp": _when(session)}
    return _line(record | {"parentId": None})


def _copilot_opening(session: int) -> bytes:
    about = {"sessionId": _uuid("copilot", session), "version": 1, "producer": "copilot-agent"}
    begun = about | {"copilotVersion": "1.0.102", "context": {"cwd": "/home/ada/work"}}
    asked = {"content": "why the 502s?", "transformedContent": "why the 502s?"}
    return _copilot(session, "session.start", begun) + _copilot(session, "user.message", asked)


def _copilot_call(session: int, call: str, name: str, given: object, answer: str) -> Sequence[bytes]:
    thinks = {"mcpToolName": "sequentialthinking"} if name != "bash" else {}
    wanted = {"toolCallId": call, "name": name, "arguments": given, **thinks}
    begun = {"toolCallId": call, "toolName": name, "arguments": given, **thinks}
    ended = {"toolCallId": call, "success": True, "result": {"content": answer}}
    return [
        _copilot(session, "assistant.message", {"content": "", "toolRequests": [wanted]}, call),
        _copilot(session, "tool.execution_start", begun, call),
        _copilot(session, "tool.execution_complete", ended, call),
    ]


def _copilot_filling(session: int, size: int) -> bytes:
    return b"".join(_copilot_call(session, f"read_{size}", "bash", {"command": "cat a.log"}, "x" * size))


def _copilot_thought(session: int, place: int) -> Sequence[bytes]:
    return _copilot_call(session, call_id(session, place), "seq-sequentialthinking", arguments(place), ANSWER)


def _qwen_path(session: int) -> str:
    return f".qwen/projects/-home-ada-work-{session % _PROJECTS}/chats/{_uuid('qwen', session)}.jsonl"


def _qwen(session: int, kind: str, parts: object, *names: object, **fields: object) -> bytes:
    identity = {
        "uuid": _uuid("qwen", session, kind, *names),
        "parentUuid": None,
        "sessionId": _uuid("qwen", session),
        "timestamp": _when(session),
    }
    about = {"type": kind, "cwd": "/home/ada/work", "version": "0.24.4", **fields}
    role = "model" if kind == "assistant" else "user"
    return _line(identity | about | {"message": {"role": role, "parts": parts}})


def _qwen_call(session: int, call: str, name: str, given: object, answer: str) -> Sequence[bytes]:
    asked = {"functionCall": {"id": call, "name": name, "args": given}}
    ended = {"functionResponse": {"id": call, "name": name, "response": {"output": answer}}}
    return [
        _qwen(session, "assistant", [asked], call, model="qwen3-coder-plus"),
        _qwen(session, "tool_result", [ended], call, toolCallResult={"callId": call, "status": "success"}),
    ]


def _qwen_opening(session: int) -> bytes:
    return _qwen(session, "user", [{"text": "why the 502s?"}])


def _qwen_filling(session: int, size: int) -> bytes:
    return b"".join(_qwen_call(session, f"read_{size}", "read_file", {"path": "a.log"}, "x" * size))


def _qwen_thought(session: int, place: int) -> Sequence[bytes]:
    return _qwen_call(session, call_id(session, place), "mcp__seq__sequentialthinking", arguments(place), ANSWER)


def _pi_path(session: int) -> str:
    folder = f".pi/agent/sessions/--home-ada-work-{session % _PROJECTS}--"
    return f"{folder}/2026-11-18T12-00-00-000Z_{_uuid('pi', session)}.jsonl"


def _pi(session: int, message: object, *names: object) -> bytes:
    record = {"type": "message", "id": _uuid("pi", session, *names)[:8], "parentId": None, "timestamp": _when(session)}
    return _line(record | {"message": message})


def _pi_call(session: int, call: str, name: str, given: object, answer: str) -> Sequence[bytes]:
    asked = [{"type": "toolCall", "id": call, "name": name, "arguments": given}]
    answered = [{"type": "text", "text": answer}]
    ended = {"role": "toolResult", "toolCallId": call, "content": answered, "isError": False}
    return [
        _pi(session, {"role": "assistant", "content": asked, "model": "m", "stopReason": "toolUse"}, "call", call),
        _pi(session, ended, "result", call),
    ]


def _pi_opening(session: int) -> bytes:
    head = {"type": "session", "version": 3, "id": _uuid("pi", session), "timestamp": _when(session)}
    asked = {"role": "user", "content": [{"type": "text", "text": "why the 502s?"}]}
    return _line(head | {"cwd": "/home/ada/work"}) + _pi(session, asked, "asked")


def _pi_filling(session: int, size: int) -> bytes:
    return b"".join(_pi_call(session, f"read_{size}", "read", {"path": "a.log"}, "x" * size))


def _pi_thought(session: int, place: int) -> Sequence[bytes]:
    return _pi_call(session, call_id(session, place), "mcp__seq__sequentialthinking", arguments(place), ANSWER)


CLIENTS = {
    "claude": Lines(_claude_path, _claude_opening, _claude_filling, _claude_thought),
    "codex": Lines(_codex_path, _codex_opening, _codex_filling, _codex_thought),
    "gemini": Lines(_gemini_path, _gemini_opening, _gemini_filling, _gemini_thought),
    "copilot": Lines(_copilot_path, _copilot_opening, _copilot_filling, _copilot_thought),
    "qwen": Lines(_qwen_path, _qwen_opening, _qwen_filling, _qwen_thought),
    "pi": Lines(_pi_path, _pi_opening, _pi_filling, _pi_thought),
}
"""The clients that append lines, by their names."""


def command_output(session: int, size: int) -> bytes:
    """Return a line of Codex with that many bytes of a command's output."""
    answer = {"type": "function_call_output", "call_id": f"call_shell_{size}", "output": "x" * size}
    return _codex(session, "response_item", answer)
