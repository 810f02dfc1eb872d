"""Runs both server paths, the fast path and the SDK path, on the same bytes; and lists all they may differ in."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.check import JournalCheck, JournalFinding
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import STATELESS_META, Message, Wire, events, journals, start

FAST_PATH: tuple[str, ...] = ()
SDK_PATH = ("--no-front",)
SERVER_PATHS = {"fast": FAST_PATH, "sdk": SDK_PATH}


class Traffic(NamedTuple):
    """The bytes a client sent, the answers, and the journal's events."""

    sent: bytes
    answers: list[Message]
    journal: list[Message]


class Difference(NamedTuple):
    """A permitted difference between the paths: its reason, how a comparison hides it, and bytes that show it."""

    what: str
    why: str
    hide: Callable[[bytes, list[Message]], list[Message]]
    example: bytes
    environ: Mapping[str, str] = {}


def lines(*messages: Message | bytes) -> bytes:
    """Return messages as lines of JSON."""
    return b"".join((m if isinstance(m, bytes) else json.dumps(m).encode()) + b"\n" for m in messages)


def request(method: str, params: object = None, number: object = 1) -> Message:
    fields: Message = {"jsonrpc": "2.0", "id": number, "method": method}
    return fields if params is None else fields | {"params": params}


def call(arguments: object, number: object = 1, *, is_stateless: bool = False, **more: object) -> Message:
    """Return a call of the thinking tool."""
    meta = {"_meta": STATELESS_META} if is_stateless else {}
    return request("tools/call", {"name": "sequentialthinking", "arguments": arguments, **meta, **more}, number)


def initialize(version: str = "2025-06-18", client: object = None, number: object = 0) -> Message:
    client = {"name": "handshake-client", "version": "1"} if client is None else client
    return request("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client}, number)


def exchange(
    options: tuple[str, ...], sent: bytes, folder: Path, warm: WarmServer, environ: Mapping[str, str] | None = None
) -> Traffic:
    """Send ``sent``, close stdin, and return the traffic; the server must exit cleanly."""
    environ = {"DISABLE_THOUGHT_LOGGING": "true", "SEQTHINK_JOURNAL_DIR": str(folder), **(environ or {})}
    with start(*options, warm=warm, environ=environ, keep_stderr=True) as wire:
        wire.send_bytes(sent)
        wire.hang_up()
        answers = wire.rest()
        assert_clean_exit(wire, folder)
    found = journals(folder) if folder.is_dir() else []
    assert len(found) <= 1
    return Traffic(sent, answers, [_timeless(event) for path in found for event in events(path)])


def assert_clean_exit(wire: Wire, folder: Path) -> None:
    """Wait for a server's exit: status 0, only its own lines on stderr, and an intact journal."""
    assert wire.status() == 0
    assert wire.stderr is not None
    with os.fdopen(os.dup(wire.stderr), encoding="utf-8") as stderr:
        assert [line for line in stderr if not line.startswith("seqthink: ") or "Traceback" in line] == []
    assert [finding for path in folder.glob("*.jsonl") for finding in check_findings(path)] == []


def check_findings(journal: Path) -> list[JournalFinding]:
    """Return the faults that `seqthink check` reports."""
    return [
        finding for finding in JournalCheck(JournalFile.open(journal), is_live=False).findings() if finding.is_error
    ]


def comparable(traffic: Traffic) -> list[Message]:
    """Return the answers without permitted differences."""
    answers = traffic.answers
    for difference in DIFFERENCES:
        answers = difference.hide(traffic.sent, answers)
    return answers


def _timeless(event: Message) -> Message:
    return {key: value for key, value in event.items() if key not in {"time", "pid", "session"}}


def _sorted(_sent: bytes, answers: list[Message]) -> list[Message]:
    return sorted(answers, key=lambda answer: json.dumps(answer, sort_keys=True))


def _without_cancelled(sent: bytes, answers: list[Message]) -> list[Message]:
    cancelled = {_cancelled(line) for line in sent.split(b"\n")}
    return [answer for answer in answers if str(answer.get("id")) not in cancelled]


def _cancelled(line: bytes) -> str | None:
    try:
        message: Any = json.loads(line)
        return str(message["params"]["requestId"]) if message["method"] == "notifications/cancelled" else None
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _without_count(_sent: bytes, answers: list[Message]) -> list[Message]:
    hidden: list[Message] = []
    for answer in answers:
        state = answer.get("result", {}).get("_meta", {}).get("seqthink/journal", {})
        if "waiting" in state:
            answer = json.loads(json.dumps(answer))  # noqa: PLW2901 - a copy: the traffic stays unchanged
            del answer["result"]["_meta"]["seqthink/journal"]["waiting"]
        hidden.append(answer)
    return hidden


_THOUGHT = {"thought": "t", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 3}
_CANCEL = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}

DIFFERENCES = (
    Difference(
        "the order of answers to requests in flight together",
        "an id says what is answered; the SDK's requests are tasks, and a bad line is answered as it is read",
        _sorted,
        lines(request("ping"), b'{"jsonrpc":"2.0","id":2,"method":"ping","params":[]}'),
    ),
    Difference(
        "whether a call taken back in the same breath is still answered",
        "the fast path has answered before it reads that; either way the thought is journaled",
        _without_cancelled,
        lines(call(_THOUGHT), _CANCEL),
    ),
    Difference(
        "how many events are said to wait while the journal cannot be written",
        "the fast path writes what one read brought in one go, and says about each how many wait after that",
        _without_count,
        lines(call(_THOUGHT, 1), call(_THOUGHT, 2)),
        {"SEQTHINK_JOURNAL_DIR": "/dev/null/nowhere"},
    ),
)
"""Everything in which the paths may differ; a comparison hides this and nothing else."""
