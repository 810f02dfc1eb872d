"""The reference's recorded answers, each case against a fresh server over a real pipe (docs/tools.md, "The tool")."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.depth import first
from tests.support.servers.deviations import DEVIATIONS, Outcome
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import Message, Wire, start

RECORDED = Path(__file__).with_name("reference_cases.jsonl")
CASES: dict[str, Message] = {
    case["id"]: case for case in map(json.loads, RECORDED.read_text(encoding="utf-8").splitlines())
}
SILENCE = None
SPREAD = [case for start in range(3) for case in list(CASES)[start::3]]
"""All of them, every third one first: neighbours in the file are alike."""


def test_every_recorded_case_is_here() -> None:
    assert len(CASES) == 147


def test_no_row_of_the_table_is_without_a_case() -> None:
    idle = [row for row in DEVIATIONS if not any(row.covers(case) for case in CASES)]

    assert idle == []


@pytest.mark.parametrize("case", first(50, SPREAD))
def test_a_recorded_case_is_answered_as_recorded_or_as_the_table_says(case: str, warm: WarmServer) -> None:
    rows = [row for row in DEVIATIONS if row.covers(case)]
    with start(warm=warm, environ={"DISABLE_THOUGHT_LOGGING": "true"}) as wire:
        answers = _play(wire, CASES[case])

    recorded = [_comparable(step["response"]) for step in CASES[case]["steps"]]
    ours = [_comparable(answer) for answer in answers]
    differing = [i for i, answer in enumerate(ours) if not _is_equal(answer, recorded[i])]

    assert bool(differing) == bool(rows), (ours, recorded)
    if rows:
        assert [row.outcome for row in rows] == [_outcome(answers[differing[0]])]


def _play(wire: Wire, case: Message) -> list[Message | None]:
    if not case.get("no_init"):
        wire.handshake("2025-11-25")
    return [_step(wire, step, as_utf8=case.get("utf8", False)) for step in case["steps"]]


def _step(wire: Wire, step: Message, *, as_utf8: bool) -> Message | None:
    """Send one step and return its answer, or silence when the next request is answered first."""
    raw = step.get("raw")
    if isinstance(raw, str):
        line = raw.encode()
    else:
        params = {"name": "sequentialthinking", "arguments": step.get("arguments")}
        message = raw or {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
        line = json.dumps(expanded(message), ensure_ascii=not as_utf8).encode()
    wire.send(line)
    wire.send({"jsonrpc": "2.0", "id": "probe", "method": "ping"})
    answer = wire.receive()
    if answer["id"] == "probe":
        return SILENCE
    probe = wire.receive()
    assert probe["id"] == "probe"
    return answer


def expanded(value: Any) -> Any:  # noqa: ANN401 - any JSON
    match value:
        case {"$repeat": [text, count]}:
            return text * count
        case dict():
            return {key: expanded(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType] - any JSON
        case list():
            return [expanded(item) for item in value]  # pyright: ignore[reportUnknownVariableType] - any JSON
        case _:
            return value


def _comparable(response: Message | None) -> Any:  # noqa: ANN401 - any JSON
    """Return what compares of an answer: no id, no error data, no white space, of a refusal the fields it names."""
    if response is None:
        return SILENCE
    if "error" in response:
        return {"code": response["error"]["code"], "message": response["error"]["message"]}
    result = {key: value for key, value in response["result"].items() if (key, value) != ("isError", False)}
    if "content" not in result:
        return result
    text = result["content"][0]["text"]
    if result.get("isError"):
        return {"refused": _named_fields(text)}
    # A text recorded by its length counts the reference's white space; what it says stands in the structured answer.
    said = json.loads(text) if isinstance(text, str) else result["structuredContent"]
    return result | {"content": [{"type": "text", "text": said}]}


def _named_fields(refusal: str) -> Any:  # noqa: ANN401 - field names, or what else the text says
    if "Input validation error" in refusal:
        return sorted(re.findall(r" at (\w+)$", refusal, re.MULTILINE))
    return sorted(json.loads(refusal).get("details", {})) or refusal


def _is_equal(ours: Any, recorded: Any) -> bool:  # noqa: ANN401 - any JSON
    match recorded:
        case {"$long": [prefix, length]}:
            return isinstance(ours, str) and ours.startswith(prefix) and len(ours) == length
        case dict():
            keys: set[str] = set(recorded)  # pyright: ignore[reportUnknownArgumentType] - any JSON
            return isinstance(ours, dict) and keys == set(ours) and all(_is_equal(ours[k], recorded[k]) for k in keys)  # pyright: ignore[reportUnknownArgumentType] - any JSON
        case list():
            return isinstance(ours, list) and len(ours) == len(recorded) and all(map(_is_equal, ours, recorded))  # pyright: ignore[reportUnknownArgumentType] - any JSON
        case _:
            return type(ours) is type(recorded) and ours == recorded


def _outcome(answer: Message | None) -> Outcome:
    assert answer is not None
    match answer:
        case {"error": _}:
            return "error"
        case {"result": {"isError": True}}:
            return "refused"
        case {"result": {"structuredContent": _}}:
            return "accepted"
        case {"result": {"tools": _} | {"prompts": _}}:
            return "listed"
        case {"result": {"serverInfo": _}}:
            return "handshake"
        case _:
            return "done"
