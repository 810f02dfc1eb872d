"""Transcripts of Codex of every shape, in any size."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from uuid import UUID

from tests.growth.transcript_shapes.records import Record, call_of, time_of, write_lines

CODEX_THREAD: Final = "01a20457-b8ca-7e52-8af8-6a2a4cbd7e6c"


def _codex(number: int, kind: str, payload: Record) -> Record:
    return {"timestamp": time_of(number), "type": kind, "payload": payload}


def _codex_meta() -> Record:
    about = {"id": CODEX_THREAD, "timestamp": time_of(0), "cwd": "/x", "cli_version": "0.120.0"}
    return _codex(0, "session_meta", about)


def _codex_event(number: int, kind: str, /, **fields: object) -> Record:
    return _codex(number, "event_msg", {"type": kind, **fields})


def _codex_item(number: int, kind: str, /, **fields: object) -> Record:
    return _codex(number, "response_item", {"type": kind, **fields})


def _codex_call(number: int, call_id: str) -> Iterator[Record]:
    arguments = json.dumps(call_of(number)["input"])
    yield _codex_item(number, "function_call", name="s__sequentialthinking", arguments=arguments, call_id=call_id)
    yield _codex_item(number, "function_call_output", call_id=call_id, output="fine")


def _codex_straight(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _codex_event(number, "user_message", message=f"why {number}?")
        yield from _codex_call(number, f"c{number}")


def _codex_calls_of_one_turn(size: int) -> Iterator[Record]:
    yield _codex_event(0, "user_message", message="why?")
    for number in range(size):
        yield from _codex_call(number, f"c{number}")


def _codex_equal_calls(size: int) -> Iterator[Record]:
    return (record for number in range(size) for record in _codex_call(number, "c"))


def _codex_open_calls(size: int) -> Iterator[Record]:
    for number in range(size):
        yield next(_codex_call(number, f"c{number}"))
    for number in range(size):
        yield _codex_event(number, "user_message", message="why?")


def _codex_reasoning(size: int) -> Iterator[Record]:
    for number in range(size):
        summary = [{"type": "summary_text", "text": f"**Perhaps {number}**"}]
        yield _codex_event(number, "agent_reasoning", text=f"**Perhaps {number}**")
        yield _codex_item(number, "reasoning", id=f"r{number}", summary=summary, encrypted_content="x")


def _codex_summaries_of_one(size: int) -> Iterator[Record]:
    summary = [{"type": "summary_text", "text": f"**Perhaps {number}**"} for number in range(size)]
    yield _codex_item(0, "reasoning", id="r", summary=summary)
    for number in range(size):
        yield _codex_event(0, "agent_reasoning", text=f"**Perhaps {number}**")


def _codex_rollbacks(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _codex_event(number, "task_started", turn_id=f"t{number}")
        yield _codex_event(number, "user_message", message=f"why {number}?")
        yield _codex_event(number, "thread_rolled_back", num_turns=1)


def _codex_one_rollback(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _codex_event(number, "task_started", turn_id=f"t{number}")
        yield _codex_event(number, "user_message", message=f"why {number}?")
    for number in range(size):
        yield _codex_event(size + number, "thread_rolled_back", num_turns=1)


def _codex_agents(size: int) -> Iterator[Record]:
    for number in range(size):
        fields = {"kind": "started", "event_id": f"c{number}", "agent_thread_id": str(UUID(int=number + 1))}
        yield _codex_event(number, "sub_agent_activity", **fields)


def _codex_metas(size: int) -> Iterator[Record]:
    return (_codex_meta() for _ in range(size))


def _codex_items(size: int) -> Iterator[Record]:
    for number in range(size):
        arguments = call_of(number)["input"]
        item = {"type": "McpToolCall", "id": f"e{number}", "server": "s", "tool": "sequentialthinking"}
        item |= {"arguments": arguments, "status": "completed", "result": {"content": []}}
        yield _codex_event(number, "item_completed", thread_id=CODEX_THREAD, item=item)


def _codex_messages(size: int) -> Iterator[Record]:
    for number in range(size):
        content = [{"type": "output_text", "text": f"It is {number}."}]
        yield _codex_item(number, "message", role="assistant", content=content)


def _codex_again(size: int) -> Iterator[Record]:
    for _ in range(2):
        yield from _codex_straight(size)


CODEX: Final[dict[str, Callable[[int], Iterator[Record]]]] = {
    "straight": _codex_straight,
    "calls of one turn": _codex_calls_of_one_turn,
    "equal ids of calls": _codex_equal_calls,
    "calls without an answer": _codex_open_calls,
    "reasoning": _codex_reasoning,
    "summaries of one piece of reasoning": _codex_summaries_of_one,
    "rollbacks": _codex_rollbacks,
    "rollbacks one after the other": _codex_one_rollback,
    "subagents": _codex_agents,
    "repeated heads": _codex_metas,
    "completed calls": _codex_items,
    "all of it again": _codex_again,
    "messages": _codex_messages,
}


def write_codex(path: Path, records: Iterator[Record]) -> Path:
    """Write a rollout with these records behind its first; return the file."""
    return write_lines(path, (record for some in ([_codex_meta()], records) for record in some))


def write_codex_agents(folder: Path, size: int, *, deep: bool = False) -> Path:
    """Write a thread and many of subagents, of it or each of the one before; return the first."""
    main = write_codex(folder / f"rollout-2026-11-22T10-00-00-{CODEX_THREAD}.jsonl", _codex_agents(size))
    parent = CODEX_THREAD
    for number in range(size):
        thread = str(UUID(int=number + 1))
        spawned = {"subagent": {"thread_spawn": {"parent_thread_id": parent, "depth": number + 1 if deep else 1}}}
        about = {"id": thread, "session_id": CODEX_THREAD, "timestamp": time_of(number), "cwd": "/x", "source": spawned}
        records = [_codex(number, "session_meta", about), _codex_event(number, "user_message", message="do")]
        write_lines(folder / f"rollout-2026-11-22T10-00-01-{thread}.jsonl", iter(records))
        parent = thread if deep else parent
    return main


def write_codex_forks(folder: Path, size: int) -> Path:
    """Write a thread and many forks of it; return the first."""
    main = write_codex(folder / f"rollout-2026-11-22T10-00-00-{CODEX_THREAD}.jsonl", _codex_straight(3))
    for number in range(size):
        thread = str(UUID(int=number + 1))
        about = {"id": thread, "forked_from_id": CODEX_THREAD, "timestamp": time_of(50 + number), "cwd": "/x"}
        own = _codex_event(50 + number, "user_message", message=f"and {number}?")
        records = [_codex(50 + number, "session_meta", about), _codex_meta(), *_codex_straight(3), own]
        write_lines(folder / f"rollout-2026-11-22T10-00-01-{thread}.jsonl", iter(records))
    return main


CODEX_FILES: Final[dict[str, Callable[[Path, int], Path]]] = {
    "subagents": write_codex_agents,
    "subagents of subagents": lambda folder, size: write_codex_agents(folder, size, deep=True),
    "forks": write_codex_forks,
}
