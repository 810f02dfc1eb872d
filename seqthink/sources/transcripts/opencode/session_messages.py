"""A row of ``session_message``, the table of OpenCode 2, as a message and the parts that OpenCode 1 would have stored.

OpenCode 2 keeps the role in a column of its own and the parts of a message inside it. What MCP servers offer may be
called from a script (the tool ``execute``), which lists its calls beside its result.
"""

from collections.abc import Iterator
from typing import Any, Final

from seqthink.sources.transcripts.json_fields import Fields, number_in, object_in, objects_in, text_in
from seqthink.sources.transcripts.opencode.columns import count, decode_object
from seqthink.sources.transcripts.opencode.rows import ANSWERED, MessageRow, PartRow

_SILENT: Final = frozenset(
    {"agent-switched", "model-switched", "location-switched", "synthetic", "system", "skill", "shell"}
)
"""Rows that are known and hold nothing of a session's thinking."""
_SCRIPT_TOOL: Final = "execute"
_SUBAGENT_PREFACE: Final = "You are a subagent spawned by another session."
"""What the client writes above each task of a subagent."""


def as_stored_before(kind: str, row: MessageRow) -> tuple[MessageRow, list[PartRow]]:
    """Return a row as a message of the older tables with its parts; the row itself if it cannot be decoded."""
    data = decode_object(row.data)
    if data is None:
        return row, []
    match kind:
        case "user":
            asked = text_in(data, "text").removeprefix(_SUBAGENT_PREFACE).lstrip()
            parts = [PartRow(f"{row.id}:0", row.created, {"type": "text", "text": asked})]
        case "assistant":
            begun = number_in(object_in(data, "time"), "created") or count(row.created)
            parts = [
                PartRow(f"{row.id}:{place}", row.created, part)
                for number, content in enumerate(objects_in(data, "content"))
                for place, part in _stored_parts(str(number), content, begun)
            ]
        case _:
            parts = []
    return row._replace(data=_info(kind, data)), parts


def _info(kind: str, data: Fields) -> dict[str, Any]:
    info = {"role": kind, **{key: data[key] for key in ("time", "tokens", "error", "outcome", "finish") if key in data}}
    match kind:
        case "assistant":
            info["modelID"] = object_in(data, "model").get("id")
            if _ends_with_text(data) and info.get("finish") in {None, "stop"}:
                info["finish"] = ANSWERED
        case "compaction":
            status, times = text_in(data, "status") or "completed", object_in(data, "time")
            completed = times.get("completed", times.get("created")) if status == "completed" else None
            info |= {"role": "assistant", "summary": True, "time": {**times, "completed": completed}}
        case _ if kind in _SILENT:
            info["role"] = "note"
        case _:
            pass
    return info


def _ends_with_text(data: Fields) -> bool:
    content = objects_in(data, "content")
    return bool(content) and content[-1].get("type") == "text" and bool(text_in(content[-1], "text").strip())


def _stored_parts(place: str, part: Fields, begun: int) -> Iterator[tuple[str, Fields]]:
    """Yield a part of a message that began at a time; in the place of a script the calls that it made."""
    times = object_in(part, "time")
    start = max(begun, (number_in(times, "ran") or 0) or (number_in(times, "created") or 0))
    spent = {"start": start, "end": times.get("completed")}
    match part.get("type"):
        case "reasoning":
            yield place, {"type": "reasoning", "text": part.get("text"), "time": spent}
        case "tool" if part.get("name") == _SCRIPT_TOOL and (called := _calls_of_script(part)):
            for number, call in enumerate(called):
                state = {**call, "time": {"start": start, "end": start}}
                yield f"{place}.{number}", {"type": "tool", "tool": call.get("tool"), "state": state}
        case "tool" if part.get("name") == _SCRIPT_TOOL and "completed" not in times:
            return  # it may yet call something that is shown in its place
        case "tool":
            state = {**_state(object_in(part, "state")), "time": spent}
            yield place, {"type": "tool", "tool": part.get("name"), "callID": part.get("id"), "state": state}
        case _:
            yield place, part


def _calls_of_script(part: Fields) -> list[Fields]:
    return objects_in(_metadata(object_in(part, "state")), "toolCalls")


def _metadata(state: Fields) -> dict[str, Any]:
    """Return what a tool noted of its call; versions before 2.0 had another name for it."""
    return {**object_in(state, "structured"), **object_in(state, "metadata")}


def _state(state: Fields) -> dict[str, Any]:
    metadata, arguments = _metadata(state), dict(object_in(state, "input"))
    child = metadata.get("sessionID")
    if child is not None:
        is_background = state.get("status") == "completed" and metadata.get("status") == "running"
        metadata |= {"sessionId": child, "background": is_background}
        arguments["subagent_type"] = arguments.get("agent")
    output = "\n".join(text_in(piece, "text") for piece in objects_in(state, "content"))
    return {
        "status": state.get("status"),
        "input": arguments,
        "output": output or text_in(state, "output"),
        "error": text_in(object_in(state, "error"), "message") or text_in(state, "error"),
        "metadata": metadata,
    }
