"""Transcripts of Claude Code of every shape, in any size."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from uuid import UUID

from tests.growth.transcript_shapes.records import Record, call_of, time_of, write_lines

CLAUDE_SESSION: Final = "4884676d-0fec-4478-a490-7a18c9ed69a9"


def _claude(number: int, parent: int | None, kind: str, message: object, **more: object) -> Record:
    return {
        "parentUuid": None if parent is None else f"u{parent}",
        "isSidechain": False,
        "type": kind,
        "sessionId": CLAUDE_SESSION,
        "version": "2.1.197",
        "uuid": f"u{number}",
        "timestamp": time_of(number),
        "cwd": "/x",
        "message": message,
        **more,
    }


def _asked(number: int, parent: int | None, text: object = "why?", **more: object) -> Record:
    return _claude(number, parent, "user", {"role": "user", "content": text}, **more)


def _said(number: int, parent: int | None, *blocks: object, message: str | None = None, **more: object) -> Record:
    body = {"id": message or f"m{number}", "model": "claude", "content": list(blocks), "usage": {"output_tokens": 1}}
    return _claude(number, parent, "assistant", body, **more)


def _text(number: int) -> Record:
    return {"type": "text", "text": f"It is {number}."}


def _answer(number: int | str) -> Record:
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "fine"}


def _claude_straight(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(1, 2 * size, 2):
        yield _said(number, number - 1, call_of(number))
        yield _asked(number + 1, number, [_answer(number)])


def _claude_prompts_of_one(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(1, size):
        yield _asked(number, 0)


def _claude_roots(size: int) -> Iterator[Record]:
    return (_asked(number, None) for number in range(size))


def _claude_roots_with_answers(size: int) -> Iterator[Record]:
    for number in range(0, 2 * size, 2):
        yield _asked(number, None)
        yield _said(number + 1, number, _text(number))


def _claude_rewinds_of_each(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(1, size):
        yield _asked(number, number - 1)
    for number in range(size, 2 * size - 1):
        yield _asked(number, 2 * size - 2 - number)


def _claude_two_branches_in_turn(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(1, size):
        yield _asked(number, number - 1)
    leaf = size - 1
    for number in range(size, 3 * size, 2):
        yield _asked(number, leaf)
        yield _asked(number + 1, 0)
        leaf = number


def _claude_switches_between_dead_branches(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(1, size):
        yield _asked(number, 0)
    for number in range(size, 2 * size):
        yield _asked(number, number - size)


def _claude_blocks(block: Callable[[int], Record]) -> Callable[[int], Iterator[Record]]:
    def records(size: int) -> Iterator[Record]:
        yield _asked(0, None)
        yield _said(1, 0, *(block(number) for number in range(size)))

    return records


def _claude_records_of_one_message(block: Callable[[int], Record]) -> Callable[[int], Iterator[Record]]:
    def records(size: int) -> Iterator[Record]:
        yield _asked(0, None)
        for number in range(1, size):
            yield _said(number, number - 1, block(number), message="m")

    return records


def _claude_one_id_of_many_answers(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(1, size):
        yield _said(number, number - 1, _text(number), message="m", requestId=f"r{number}")


def _claude_one_id_in_many_turns(size: int) -> Iterator[Record]:
    for number in range(0, 2 * size, 2):
        yield _asked(number, number - 1 if number else None)
        yield _said(number + 1, number, _text(number), message="m")


def _thinking(number: int) -> Record:
    return {"type": "thinking", "thinking": f"perhaps {number}", "signature": f"s{number}"}


def _claude_equal_uuids(size: int) -> Iterator[Record]:
    return (_asked(0, None) for _ in range(size))


def _claude_equal_calls(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(1, 2 * size, 2):
        yield _said(number, number - 1, call_of("x"))
        yield _asked(number + 1, number, [_answer("x")])


def _claude_open_calls(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _said(number, number - 1 if number else None, call_of(number))
    for number in range(size, 2 * size):
        yield _asked(number, number - 1)


def _claude_inline_agents(size: int) -> Iterator[Record]:
    calls = [{"type": "tool_use", "id": f"t{i}", "name": "Task", "input": {"prompt": f"do {i}"}} for i in range(size)]
    yield _asked(0, None)
    yield _said(1, 0, *calls)
    for number in range(size):
        yield _asked(2 + number, None, f"do {size - 1 - number}", isSidechain=True)


def _claude_unknown_parents(size: int) -> Iterator[Record]:
    return (_asked(number, 1_000_000 + number) for number in range(size))


def _claude_titles(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(size):
        yield {"type": "ai-title", "sessionId": CLAUDE_SESSION, "aiTitle": f"title {number}"}


def _claude_queue(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(size):
        yield {"type": "queue-operation", "operation": "enqueue", "sessionId": CLAUDE_SESSION, "content": f"c{number}"}


def _claude_long_text(size: int) -> Iterator[Record]:
    yield _asked(0, None, "<command-name>" * size)
    yield _said(1, 0, {"type": "text", "text": "[" * size})


def _nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


def _claude_nested(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(1, size):
        yield _said(number, number - 1, {"type": "tool_use", "id": f"t{number}", "name": "X", "input": _nested(90)})


CLAUDE: Final[dict[str, Callable[[int], Iterator[Record]]]] = {
    "straight": _claude_straight,
    "prompts under one parent": _claude_prompts_of_one,
    "prompts without a parent": _claude_roots,
    "answered prompts without a parent": _claude_roots_with_answers,
    "prompts whose parents are missing": _claude_unknown_parents,
    "a rewind to each record": _claude_rewinds_of_each,
    "two branches in turn": _claude_two_branches_in_turn,
    "returns to branches that were left": _claude_switches_between_dead_branches,
    "calls in one answer": _claude_blocks(call_of),
    "texts in one answer": _claude_blocks(_text),
    "reasoning in one answer": _claude_blocks(_thinking),
    "records of one message: calls": _claude_records_of_one_message(call_of),
    "records of one message: texts": _claude_records_of_one_message(_text),
    "records of one message: reasoning": _claude_records_of_one_message(_thinking),
    "one message id, many requests": _claude_one_id_of_many_answers,
    "one message id, many turns": _claude_one_id_in_many_turns,
    "equal uuids": _claude_equal_uuids,
    "equal ids of calls": _claude_equal_calls,
    "calls without an answer": _claude_open_calls,
    "subagents among the records": _claude_inline_agents,
    "titles": _claude_titles,
    "queued prompts": _claude_queue,
    "a long text": _claude_long_text,
    "nested arguments": _claude_nested,
}


def write_claude_agents(folder: Path, size: int) -> Path:
    """Write a session with many subagents, each in a file of its own; return the session's file."""
    main = folder / f"{CLAUDE_SESSION}.jsonl"
    calls = [{"type": "tool_use", "id": f"t{i}", "name": "Task", "input": {"prompt": f"do {i}"}} for i in range(size)]
    write_lines(main, iter([_asked(0, None), _said(1, 0, *calls)]))
    for number in range(size):
        path = folder / CLAUDE_SESSION / "subagents" / f"agent-{number:06}.jsonl"
        write_lines(path, iter([_asked(number * 2 + 2, None), _said(number * 2 + 3, number * 2 + 2, call_of(number))]))
        meta = {"agentType": "Explore", "description": f"d{number}", "toolUseId": f"t{number}"}
        path.with_name(f"{path.stem}.meta.json").write_text(json.dumps(meta), encoding="utf-8")
    return main


def write_claude_forks(folder: Path, size: int) -> Path:
    """Write many copies of one session, each with a prompt of its own; return the original."""
    copied = [_asked(0, None), _said(1, 0, _text(1))]
    main = write_lines(folder / f"{CLAUDE_SESSION}.jsonl", iter(copied))
    for number in range(size):
        session = str(UUID(int=number + 1))
        records = [record | {"sessionId": session} for record in (*copied, _asked(2 + number, 1))]
        write_lines(folder / f"{session}.jsonl", iter(records))
    return main


def write_claude_sessions(folder: Path, size: int) -> Path:
    """Write many sessions into one folder; return the first."""
    for number in range(size):
        session = str(UUID(int=number + 1))
        write_lines(folder / f"{session}.jsonl", iter([_asked(number, None) | {"sessionId": session}]))
    return folder / f"{UUID(int=1)}.jsonl"


CLAUDE_FILES: Final[dict[str, Callable[[Path, int], Path]]] = {
    "subagents": write_claude_agents,
    "forks": write_claude_forks,
    "sessions": write_claude_sessions,
}
