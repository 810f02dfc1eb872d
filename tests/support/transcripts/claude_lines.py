"""Lines as Claude Code writes them, and what a reader makes of them."""

import json
from collections.abc import Iterable

from seqthink.sources.transcripts.claude.agents import Subagents
from seqthink.sources.transcripts.claude.records import ClaudeReader, FileKind
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact

SESSION = "4884676d-0fec-4478-a490-7a18c9ed69a9"
START = "2026-11-22T17:38:21.000Z"
START_US = 1_795_369_101_000_000


def line(kind: str, uuid: str | None = None, parent: str | None = None, /, **fields: object) -> bytes:
    """Return a record's line; ``after`` is its time in seconds after `START`."""
    after = fields.pop("after", 0)
    assert isinstance(after, int)
    record = {"parentUuid": parent, "isSidechain": False, "type": kind, "sessionId": SESSION, "version": "2.1.197"}
    if uuid is not None:
        record["uuid"] = uuid
    record["timestamp"] = f"2026-11-22T17:38:{21 + after:02}.000Z"
    return json.dumps({**record, "cwd": "/home/ada/work", **fields}).encode()


def user(uuid: str, parent: str | None, content: object, /, **fields: object) -> bytes:
    """Return what a user typed, or the results of calls."""
    return line("user", uuid, parent, message={"role": "user", "content": content}, **fields)


def assistant(uuid: str, parent: str | None, message: str | None, /, *blocks: object, **fields: object) -> bytes:
    """Return a message of the model; ``stop`` is why it stopped."""
    stop = fields.pop("stop", None)
    usage = fields.pop("usage", {"output_tokens": 1})
    model = fields.pop("model", "claude-opus-4-8")
    body = {"id": message, "model": model, "content": list(blocks), "stop_reason": stop, "usage": usage}
    return line("assistant", uuid, parent, message=body, **fields)


def text(said: str) -> dict[str, object]:
    """Return a block of text."""
    return {"type": "text", "text": said}


def thinking(thought: str, signature: str = "s") -> dict[str, object]:
    """Return a block of reasoning."""
    return {"type": "thinking", "thinking": thought, "signature": signature}


def call(call_id: str, name: str, /, **arguments: object) -> dict[str, object]:
    """Return a block that calls a tool."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def result(call_id: str, content: object = "fine", /, *, is_error: bool | None = None) -> dict[str, object]:
    """Return a block with a call's result."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return block if is_error is None else {**block, "is_error": is_error}


def reader(
    kind: FileKind = FileKind.MAIN,
    agent: str | None = None,
    agents: Subagents | None = None,
    counts: ReadCounts | None = None,
) -> ClaudeReader:
    """Return a reader of one file, which has read nothing yet."""
    return ClaudeReader(kind, SESSION, agents or Subagents(), counts or ReadCounts(), agent=agent)


def facts_of(lines: Iterable[bytes], of: ClaudeReader | None = None) -> list[Fact]:
    """Return the facts in some lines, read as a session's own file."""
    it = of or reader()
    return [fact for each in lines if it.wants(each) for fact in it.read(each)]
