"""Transcripts of every shape, in any size, as the clients write them."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from uuid import UUID

Record = dict[str, Any]
CLAUDE_SESSION: Final = "4884676d-0fec-4478-a490-7a18c9ed69a9"
CODEX_THREAD: Final = "01a20457-b8ca-7e52-8af8-6a2a4cbd7e6c"
GEMINI_SESSION: Final = "0a970a83-f1e5-4568-8205-900341368e9a"
_MILLISECONDS: Final = 1_795_369_101_000


def _time(number: int) -> str:
    seconds = number // 10
    return f"2026-11-22T{10 + seconds // 3600 % 12}:{seconds // 60 % 60:02}:{seconds % 60:02}.{number % 10}00Z"


def write_lines(path: Path, records: Iterator[Record]) -> Path:
    """Write JSON Lines; return the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    return path


# Claude Code


def _claude(number: int, parent: int | None, kind: str, message: object, **more: object) -> Record:
    return {
        "parentUuid": None if parent is None else f"u{parent}",
        "isSidechain": False,
        "type": kind,
        "sessionId": CLAUDE_SESSION,
        "version": "2.1.197",
        "uuid": f"u{number}",
        "timestamp": _time(number),
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


def _call(number: int | str, name: str = "mcp__s__sequentialthinking") -> Record:
    arguments = {"thought": f"t{number}", "thoughtNumber": 1, "totalThoughts": 1, "nextThoughtNeeded": True}
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}


def _answer(number: int | str) -> Record:
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "fine"}


def _claude_straight(size: int) -> Iterator[Record]:
    yield _asked(0, None)
    for number in range(1, 2 * size, 2):
        yield _said(number, number - 1, _call(number))
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
        yield _said(number, number - 1, _call("x"))
        yield _asked(number + 1, number, [_answer("x")])


def _claude_open_calls(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _said(number, number - 1 if number else None, _call(number))
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
    "calls in one answer": _claude_blocks(_call),
    "texts in one answer": _claude_blocks(_text),
    "reasoning in one answer": _claude_blocks(_thinking),
    "records of one message: calls": _claude_records_of_one_message(_call),
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
        write_lines(path, iter([_asked(number * 2 + 2, None), _said(number * 2 + 3, number * 2 + 2, _call(number))]))
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


# Codex


def _codex(number: int, kind: str, payload: Record) -> Record:
    return {"timestamp": _time(number), "type": kind, "payload": payload}


def _codex_meta() -> Record:
    about = {"id": CODEX_THREAD, "timestamp": _time(0), "cwd": "/x", "cli_version": "0.120.0"}
    return _codex(0, "session_meta", about)


def _codex_event(number: int, kind: str, /, **fields: object) -> Record:
    return _codex(number, "event_msg", {"type": kind, **fields})


def _codex_item(number: int, kind: str, /, **fields: object) -> Record:
    return _codex(number, "response_item", {"type": kind, **fields})


def _codex_call(number: int, call_id: str) -> Iterator[Record]:
    arguments = json.dumps(_call(number)["input"])
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
        arguments = _call(number)["input"]
        item = {"type": "McpToolCall", "id": f"e{number}", "server": "s", "tool": "sequentialthinking"}
        item |= {"arguments": arguments, "status": "completed", "result": {"content": []}}
        yield _codex_event(number, "item_completed", thread_id=CODEX_THREAD, item=item)


def _codex_messages(size: int) -> Iterator[Record]:
    for number in range(size):
        content = [{"type": "output_text", "text": f"It is {number}."}]
        yield _codex_item(number, "message", role="assistant", content=content)


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
        about = {"id": thread, "session_id": CODEX_THREAD, "timestamp": _time(number), "cwd": "/x", "source": spawned}
        records = [_codex(number, "session_meta", about), _codex_event(number, "user_message", message="do")]
        write_lines(folder / f"rollout-2026-11-22T10-00-01-{thread}.jsonl", iter(records))
        parent = thread if deep else parent
    return main


def write_codex_forks(folder: Path, size: int) -> Path:
    """Write a thread and many forks of it; return the first."""
    main = write_codex(folder / f"rollout-2026-11-22T10-00-00-{CODEX_THREAD}.jsonl", _codex_straight(3))
    for number in range(size):
        thread = str(UUID(int=number + 1))
        about = {"id": thread, "forked_from_id": CODEX_THREAD, "timestamp": _time(50 + number), "cwd": "/x"}
        own = _codex_event(50 + number, "user_message", message=f"and {number}?")
        records = [_codex(50 + number, "session_meta", about), _codex_meta(), *_codex_straight(3), own]
        write_lines(folder / f"rollout-2026-11-22T10-00-01-{thread}.jsonl", iter(records))
    return main


# Gemini CLI


def _gemini_head() -> Record:
    return {"sessionId": GEMINI_SESSION, "projectHash": "55e6", "startTime": _time(0), "kind": "main"}


def _gemini_user(number: int) -> Record:
    return {"id": f"u{number}", "timestamp": _time(number), "type": "user", "content": [{"text": f"why {number}?"}]}


def _gemini_call(number: int, name: str) -> Record:
    return {
        "id": name,
        "name": "mcp_s_sequentialthinking",
        "args": _call(number)["input"],
        "status": "success",
        "timestamp": _time(number),
        "result": [],
    }


def _gemini_model(name: str, number: int, calls: list[Record], **more: object) -> Record:
    known = {"id": name, "timestamp": _time(number), "type": "gemini", "content": f"It is {number}.", "model": "g"}
    return known | {"toolCalls": calls} | more


def _gemini_straight(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _gemini_user(number)
        yield _gemini_model(f"m{number}", number, [_gemini_call(number, f"c{number}")])


def _gemini_calls_of_one(size: int) -> Iterator[Record]:
    yield _gemini_model("m", 1, [_gemini_call(number, f"c{number}") for number in range(size)])


def _gemini_thoughts_of_one(size: int) -> Iterator[Record]:
    thoughts = [{"subject": f"s{n}", "description": "d", "timestamp": _time(n)} for n in range(size)]
    yield _gemini_model("m", 1, [], thoughts=thoughts)


def _gemini_equal_ids(size: int) -> Iterator[Record]:
    return (_gemini_model("m", 1, [_gemini_call(number, f"c{number}")]) for number in range(size))


def _gemini_equal_calls(size: int) -> Iterator[Record]:
    return (_gemini_model(f"m{number}", number, [_gemini_call(number, "c")]) for number in range(size))


def _gemini_rewinds(size: int) -> Iterator[Record]:
    yield _gemini_user(0)
    for number in range(1, size):
        yield _gemini_user(number)
        yield {"$rewindTo": f"u{number}"}


def _gemini_rewinds_of_each(size: int) -> Iterator[Record]:
    for number in range(size):
        yield _gemini_user(number)
    for number in range(size - 1, 0, -1):
        yield {"$rewindTo": f"u{number}"}


def _gemini_replaced(size: int) -> Iterator[Record]:
    yield {"$set": {"messages": [_gemini_user(number) for number in range(size)]}}
    yield {"$set": {"messages": [_gemini_user(number) for number in range(size)]}}


def _gemini_set(size: int) -> Iterator[Record]:
    return ({"$set": {"lastUpdated": _time(number), "summary": f"s{number}"}} for number in range(size))


GEMINI: Final[dict[str, Callable[[int], Iterator[Record]]]] = {
    "straight": _gemini_straight,
    "calls of one message": _gemini_calls_of_one,
    "thoughts of one message": _gemini_thoughts_of_one,
    "one message again and again": _gemini_equal_ids,
    "equal ids of calls": _gemini_equal_calls,
    "rewinds": _gemini_rewinds,
    "rewinds one after the other": _gemini_rewinds_of_each,
    "all messages replaced": _gemini_replaced,
    "changed settings": _gemini_set,
}


def write_gemini(path: Path, records: Iterator[Record]) -> Path:
    """Write a chat with these records behind its first; return the file."""
    return write_lines(path, (record for some in ([_gemini_head()], records) for record in some))


def write_gemini_agents(folder: Path, size: int) -> Path:
    """Write a chat with many subagents, each in a file of its own; return the chat's file."""
    main = write_gemini(folder / "session-2026-11-22T10-00-0a970a83.jsonl", _gemini_straight(2))
    for number in range(size):
        session = str(UUID(int=number + 1))
        head = _gemini_head() | {"sessionId": session, "kind": "subagent"}
        write_lines(folder / GEMINI_SESSION / f"{session}.jsonl", iter([head, _gemini_user(number)]))
    return main


# OpenCode

_TABLES: Final = """
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT,
    time_created INTEGER, time_updated INTEGER);
CREATE INDEX session_parent ON session (parent_id);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE INDEX message_session ON message (session_id, time_created, id);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER,
    data TEXT);
CREATE INDEX part_message ON part (message_id, id);
CREATE INDEX part_session ON part (session_id);
CREATE TABLE event (id INTEGER PRIMARY KEY, aggregate_id TEXT, seq INTEGER, type TEXT, data TEXT);
"""


class _Rows:
    """The rows of a database that is being made."""

    def __init__(self) -> None:
        self.sessions: list[tuple[object, ...]] = []
        self.messages: list[tuple[object, ...]] = []
        self.parts: list[tuple[object, ...]] = []

    def session(self, name: str, parent: str | None = None, title: str = "t", at: int = 0) -> None:
        time = _MILLISECONDS + at
        self.sessions.append((name, parent, "/x", title, "1.2.3", time, time))

    def message(self, session: str, name: str, role: str, at: int, parts: int = 1) -> None:
        time = _MILLISECONDS + at
        self.messages.append((name, session, time, time, json.dumps({"role": role, "time": {"created": time}})))
        for number in range(parts):
            part: Record = {"type": "text", "text": f"why {number}?"}
            if role == "assistant":
                state = {
                    "status": "completed",
                    "input": _call(number)["input"],
                    "output": "{}",
                    "time": {"start": time},
                }
                part = {"type": "tool", "tool": "s_sequentialthinking", "callID": f"{name}c{number}", "state": state}
            self.parts.append((f"{name}p{number:06}", name, session, time, time, json.dumps(part)))


def _opencode_straight(rows: _Rows, size: int) -> None:
    rows.session("s")
    for number in range(size):
        rows.message("s", f"m{2 * number:06}", "user", 2 * number)
        rows.message("s", f"m{2 * number + 1:06}", "assistant", 2 * number + 1)


def _opencode_parts_of_one(rows: _Rows, size: int) -> None:
    rows.session("s")
    rows.message("s", "m", "assistant", 1, parts=size)


def _opencode_sessions(rows: _Rows, size: int) -> None:
    for number in range(size):
        rows.session("s" if not number else f"s{number}", at=number)
        rows.message("s" if not number else f"s{number}", f"m{number}", "user", number)


def _opencode_agents(rows: _Rows, size: int) -> None:
    rows.session("s")
    for number in range(size):
        rows.session(f"s{number}", "s", at=number)
        rows.message(f"s{number}", f"m{number}", "assistant", number)


def _opencode_deep_agents(rows: _Rows, size: int) -> None:
    rows.session("s")
    for number in range(size):
        rows.session(f"s{number}", f"s{number - 1}" if number else "s", at=number)
        rows.message(f"s{number}", f"m{number}", "assistant", number)


def _opencode_forks(rows: _Rows, size: int) -> None:
    rows.session("s")
    rows.message("s", "m", "user", 1)
    for number in range(size):
        rows.session(f"s{number}", title=f"t (fork #{number})", at=10 + number)
        rows.message(f"s{number}", f"a{number}", "user", 1)
        rows.message(f"s{number}", f"b{number}", "user", 10_000 + number)


def _opencode_forks_of_forks(rows: _Rows, size: int) -> None:
    rows.session("s")
    rows.message("s", "m0", "user", 1)
    for number in range(1, size):
        rows.session(f"s{number}", title=f"t (fork #{number})", at=2 * number)
        rows.message(f"s{number}", f"a{number}", "user", 2 * number - 1)
        rows.message(f"s{number}", f"b{number}", "user", 2 * number + 1)


OPENCODE: Final[dict[str, Callable[[_Rows, int], None]]] = {
    "straight": _opencode_straight,
    "parts of one message": _opencode_parts_of_one,
    "sessions": _opencode_sessions,
    "subagents": _opencode_agents,
    "subagents of subagents": _opencode_deep_agents,
    "forks": _opencode_forks,
    "forks of forks": _opencode_forks_of_forks,
}


def write_opencode(path: Path, shape: Callable[[_Rows, int], None], size: int) -> Path:
    """Write a database; return its file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = _Rows()
    shape(rows, size)
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(_TABLES)
        connection.executemany("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)", rows.sessions)
        connection.executemany("INSERT INTO message VALUES (?, ?, ?, ?, ?)", rows.messages)
        connection.executemany("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", rows.parts)
    connection.close()
    return path


CLAUDE_FILES: Final[dict[str, Callable[[Path, int], Path]]] = {
    "subagents": write_claude_agents,
    "forks": write_claude_forks,
    "sessions": write_claude_sessions,
}
CODEX_FILES: Final[dict[str, Callable[[Path, int], Path]]] = {
    "subagents": write_codex_agents,
    "subagents of subagents": lambda folder, size: write_codex_agents(folder, size, deep=True),
    "forks": write_codex_forks,
}
GEMINI_FILES: Final[dict[str, Callable[[Path, int], Path]]] = {"subagents": write_gemini_agents}
