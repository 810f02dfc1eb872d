import json
import typing
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.sources.transcripts import facts as all_facts
from seqthink.sources.transcripts.facts import Fact, Prompt, Reasoning, ToolCall
from seqthink.sources.transcripts.opencode.ordering import TaskEnded
from seqthink.sources.transcripts.opencode.records import OpenCodeReader
from seqthink.sources.transcripts.opencode.rows import LogRow, MessageRow, PartRow, SessionRow
from seqthink.sources.transcripts.source import ReadCounts
from tests.sources.transcripts.opencode.client_database import recorded_events

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
_KINDS = ["text", "reasoning", "tool", "subtask", "compaction", "step-finish", "hologram"]


def mostly(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(usual, usual, _VALUES)


_TIMES = mostly(st.fixed_dictionaries({}, optional={key: mostly(st.integers(0, 2**42)) for key in ("start", "end")}))
_STATES = st.fixed_dictionaries(
    {},
    optional={
        "status": mostly(st.sampled_from(["pending", "running", "completed", "error"])),
        "input": mostly(st.dictionaries(st.sampled_from(["thought", "error", "tool", "command"]), _VALUES)),
        "output": mostly(st.sampled_from(['{"nextThoughtNeeded": true}', '{"status": "failed"}', "{", ""])),
        "error": _VALUES,
        "metadata": mostly(st.fixed_dictionaries({"sessionId": mostly(st.just("child")), "exit": _VALUES})),
        "time": _TIMES,
    },
)
_PARTS = st.fixed_dictionaries(
    {"type": mostly(st.sampled_from(_KINDS))},
    optional={
        "text": mostly(st.text(max_size=5)),
        "prompt": mostly(st.text(max_size=5)),
        "tool": mostly(st.sampled_from(["seq_sequentialthinking", "task", "invalid", "bash"])),
        "callID": mostly(st.sampled_from(["call-1", "call-2"])),
        "state": mostly(_STATES),
        "time": _TIMES,
    },
)
_MESSAGES = st.fixed_dictionaries(
    {"role": mostly(st.sampled_from(["user", "assistant"]))},
    optional={
        "time": mostly(st.fixed_dictionaries({"created": mostly(st.integers(0, 2**42)), "completed": _VALUES})),
        "finish": mostly(st.sampled_from(["stop", "tool-calls"])),
        "error": _VALUES,
        "summary": _VALUES,
        "modelID": _VALUES,
        "tokens": mostly(st.dictionaries(st.sampled_from(["input", "cache", "total"]), _VALUES)),
    },
)


def spelled(value: object) -> bytes:
    return json.dumps(value).encode()


def assert_typed(fact: Fact) -> None:
    for name, kind in typing.get_type_hints(type(fact), dict(vars(all_facts))).items():
        msgspec.convert(getattr(fact, name), kind, strict=True)
    msgspec.json.encode(fact)


_ROWS = st.lists(
    st.tuples(
        st.sampled_from(["m1", "m2", "m3"]),
        st.sampled_from(["root", "child"]),
        _MESSAGES.map(spelled) | st.binary(max_size=20) | st.none(),
        st.dictionaries(st.sampled_from("abcd"), _PARTS.map(spelled) | st.binary(max_size=20), max_size=4),
    ),
    max_size=5,
)


@given(_ROWS)
def test_whatever_the_rows_hold_each_fact_is_emitted_once_and_of_the_right_types(rows: list[Any]) -> None:
    reader = OpenCodeReader("root", ReadCounts())
    emitted: list[tuple[type[Fact], str]] = []
    for message_id, session_id, data, parts in rows:
        row = MessageRow(message_id, session_id, 1000, data)
        found = reader.take_message(row, [PartRow(message_id + key, 1000, parts[key]) for key in sorted(parts)])
        found += reader.take_removals()
        for fact in found:
            assert_typed(fact)
        emitted += [(type(fact), fact.id) for fact in found if isinstance(fact, Reasoning | TaskEnded)]
    assert len(emitted) == len(set(emitted))


@given(st.binary(max_size=60) | _VALUES.map(spelled), st.text(max_size=20))
def test_whatever_the_log_holds_it_is_read_or_counted(data: bytes, kind: str) -> None:
    counts = ReadCounts()
    reader = OpenCodeReader("root", counts)

    for each in (kind, "message.updated.1", "message.part.updated.1", "message.removed.1", "message.part.removed.1"):
        assert isinstance(reader.changed_message(LogRow(1, each, data)), str | None)
    assert counts.read == 5


@given(st.lists(st.tuples(st.sampled_from(["root", "a", "b"]), st.text(max_size=30), _VALUES)))
def test_whatever_a_session_is_called_it_is_described_in_the_right_types(rows: list[Any]) -> None:
    reader = OpenCodeReader("root", ReadCounts())

    for session_id, title, created in rows:
        for fact in reader.take_session(SessionRow(session_id, "root", "", title, "", created, created)):
            assert_typed(fact)


@given(st.integers(0, 400))
def test_a_row_that_was_cut_anywhere_gives_its_fact_when_it_is_whole(cut: int) -> None:
    text = "Ünïcode 漢字 " * 10
    whole = spelled({"type": "reasoning", "text": text, "time": {"start": 1, "end": 2}})
    reader = OpenCodeReader("root", ReadCounts())
    message = MessageRow("m", "root", 1, spelled({"role": "assistant"}))

    found = reader.take_message(message, [PartRow("p", 1, whole[:cut])])
    assert bool(found) == (cut >= len(whole))
    found += reader.take_message(message, [PartRow("p", 1, whole)])
    assert found == [Reasoning(id="p", time=2000, text=text, duration_ms=1.0)]


def test_the_log_names_the_message_that_each_of_its_entries_is_about() -> None:
    counts = ReadCounts()
    reader = OpenCodeReader("root", counts)
    rows = [LogRow(place, kind, spelled(data)) for place, (kind, data) in enumerate(recorded_events("chain-resume"))]
    named = {reader.changed_message(row) for row in rows}

    assert len(named - {None}) == 10
    assert (counts.read, counts.unknown, counts.corrupt) == (len(rows), 0, 0)
    assert reader.changed_message(LogRow(1, "session.next.text.ended.1", b"{}")) is None
    assert counts.unknown == 0


def test_taken_twice_a_message_says_nothing_new() -> None:
    reader = OpenCodeReader("root", ReadCounts())
    message = MessageRow("m", "root", 1, spelled({"role": "assistant", "finish": "stop", "time": {"completed": 3}}))
    parts = [
        PartRow("p1", 1, spelled({"type": "reasoning", "text": "why"})),
        PartRow("p2", 2, spelled({"type": "text", "text": "because"})),
    ]

    assert [type(fact).__name__ for fact in reader.take_message(message, parts)] == ["Reasoning", "TurnEnded"]
    assert reader.take_message(message, parts) == []


def test_a_lone_surrogate_becomes_a_character_that_can_be_written() -> None:
    reader = OpenCodeReader("root", ReadCounts())
    data = b'{"type": "text", "text": "half \\ud83d, NaN"}'
    facts = reader.take_message(MessageRow("m", "root", 1, b'{"role": "user"}'), [PartRow("p", 1, data)])

    assert len(facts) == 1
    assert_typed(facts[0])


THOUGHT = {"thought": "so", "thoughtNumber": 1, "totalThoughts": 1, "nextThoughtNeeded": False}


def taken(role: str, *parts: dict[str, Any], **info: object) -> list[Fact]:
    """Return what a message says, and what is certain once nothing more comes."""
    reader = OpenCodeReader("ses_1", ReadCounts())
    message = MessageRow("m1", "ses_1", 1, spelled({"role": role, **info}))
    rows = [PartRow(f"p{place}", 1, spelled(part)) for place, part in enumerate(parts)]
    return [*reader.take_message(message, rows), *reader.settle()]


@pytest.mark.parametrize("status", ["pending", "newest-of-all", None])
@pytest.mark.parametrize("given", [THOUGHT, json.dumps(THOUGHT)], ids=["object", "text"])
@pytest.mark.parametrize("info", [{}, {"time": {"completed": 2}, "finish": "tool-calls"}], ids=["killed", "completed"])
def test_a_call_that_did_not_begin_to_run_is_emitted_with_all_that_it_is_called_with(
    status: object, given: object, info: dict[str, object]
) -> None:
    part = {"type": "tool", "tool": "seq_sequentialthinking", "state": {"status": status, "input": given}}
    facts = taken("assistant", part, **info)

    assert [fact.arguments for fact in facts if isinstance(fact, ToolCall)] == [THOUGHT]


def test_a_call_whose_input_the_model_still_writes_is_not_emitted() -> None:
    part: dict[str, Any] = {"type": "tool", "tool": "bash", "state": {"status": "pending", "input": {}}}

    assert taken("assistant", part) == []


def test_a_picture_without_words_is_a_prompt_and_another_file_is_none() -> None:
    picture, file = ({"type": "file", "mime": mime} for mime in ("image/png", "text/plain"))

    seen = [*taken("user", picture), *taken("user", picture, {"type": "text", "text": "see"}), *taken("user", file)]
    assert [fact.text for fact in seen if isinstance(fact, Prompt)] == ["[image]", "see"]
