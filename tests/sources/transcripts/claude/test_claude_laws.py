"""What holds for any lines that a file of Claude Code may consist of."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seqthink.sources.transcripts.claude.agents import Subagents
from seqthink.sources.transcripts.claude.record_ids import Origins
from seqthink.sources.transcripts.claude.records import ClaudeReader, FileKind
from seqthink.sources.transcripts.claude.session_files import ClaudeFiles
from seqthink.sources.transcripts.claude.shapes import KNOWN_TYPES
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, FileEdit
from seqthink.sources.transcripts.files.jsonl_feed import JsonlFeed
from tests.support.depth import first
from tests.support.transcripts.claude_lines import SESSION, facts_of, reader
from tests.support.transcripts.recorded import RECORDED

UUIDS = st.sampled_from(["u1", "u2", "u3", "u4", "a1", "a2", "a3", ""])
CALLS = st.sampled_from(["t1", "t2", "t3"])
TEXTS = st.sampled_from([
    "why?", "", " ", "[Request interrupted by user]", "<command-name>/review</command-name>", "<ide_x>y</ide_x>z",
    "<local-command-stdout>x", "<task-notification><task-id>a7</task-id><status>completed</status>", "\ud800", "\0",
])  # fmt: skip
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
NAMES = st.sampled_from(["mcp__seq__sequentialthinking", "Agent", "Task", "Read", ""])
BLOCKS = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": TEXTS}),
    st.fixed_dictionaries({"type": st.just("thinking"), "thinking": TEXTS, "signature": TEXTS}),
    st.fixed_dictionaries({
        "type": st.just("tool_use"), "id": CALLS, "name": NAMES, "input": ODD | st.fixed_dictionaries({"prompt": TEXTS})
    }),
    st.fixed_dictionaries({
        "type": st.just("tool_result"), "tool_use_id": CALLS, "content": ODD, "is_error": st.booleans()
    }),
    ODD,
)  # fmt: skip
MESSAGES = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["m1", "m2", None]),
        "model": st.sampled_from(["claude", "<synthetic>", 7]),
        "content": TEXTS | st.lists(BLOCKS, max_size=3),
        "stop_reason": st.sampled_from(["end_turn", "tool_use", None, 5]),
        "usage": ODD,
    }
)
TIMES = st.integers(0, 59).map(lambda second: f"2026-11-22T17:38:{second:02}.000Z")
RECORDS = st.fixed_dictionaries(
    {"type": st.sampled_from(sorted(KNOWN_TYPES)) | st.sampled_from(["user", "assistant", "assistant", "new"])},
    optional={
        "uuid": UUIDS,
        "parentUuid": UUIDS | st.none(),
        "logicalParentUuid": UUIDS,
        "timestamp": TIMES,
        "isSidechain": st.booleans(),
        "agentId": st.sampled_from(["a7", 7]),
        "message": MESSAGES | ODD,
        "subtype": st.sampled_from(["compact_boundary", "turn_duration", "local_command"]),
        "toolUseResult": st.fixed_dictionaries({"agentId": st.just("a7"), "status": TEXTS, "content": ODD}) | ODD,
        "attachment": st.fixed_dictionaries({"type": st.just("queued_command"), "prompt": TEXTS}) | ODD,
        "data": st.fixed_dictionaries({"agentId": st.just("a7")}) | ODD,
        "parentToolUseID": CALLS,
        "customTitle": TEXTS,
        "summary": TEXTS,
        "leafUuid": UUIDS,
        "operation": st.just("enqueue"),
        "content": TEXTS,
        "isMeta": st.booleans(),
        "isCompactSummary": st.booleans(),
        "compactMetadata": ODD,
        "version": ODD,
        "forkedFrom": ODD,
        "mcpMeta": ODD,
    },
)


def encoded(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record).encode()


LINES = st.lists(RECORDS.map(encoded), max_size=12)
KINDS = st.sampled_from(list(FileKind))


def check_types(fact: Fact) -> None:
    """Fail if a field of the fact has another type than it says."""
    fields = {name: getattr(fact, name) for name in fact.__struct_fields__}
    kind = type(fact)
    if "edits" in fields:
        edits = fields.pop("edits")
        assert msgspec.convert(edits, list[FileEdit]) == list(edits)
        fact = msgspec.structs.replace(fact, edits=())
    assert msgspec.convert(fields, kind, strict=True) == fact or "nan" in repr(fact)


def keys(facts: list[Fact]) -> list[tuple[str, str]]:
    return [(type(fact).__name__, fact.id) for fact in facts]


@given(lines=LINES, kind=KINDS)
def test_records_of_any_shape_give_facts_of_the_right_types(lines: list[bytes], kind: FileKind) -> None:
    agent = None if kind is FileKind.MAIN else "a7"
    earlier = ClaudeReader(FileKind.MAIN, "earlier", Subagents(), ReadCounts())
    facts_of(lines[:3], earlier)
    it = ClaudeReader(kind, SESSION, Subagents(), ReadCounts(), agent=agent, origins=Origins(earlier.lineage, SESSION))
    for fact in facts_of(lines, it):
        check_types(fact)


CUT_RECORDS = st.tuples(RECORDS.map(encoded), st.floats(0, 1)).map(lambda cut: cut[0][: int(cut[1] * len(cut[0]))])


@given(st.lists(st.binary(max_size=80) | CUT_RECORDS, max_size=12))
def test_bytes_of_any_kind_do_no_harm(lines: list[bytes]) -> None:
    for fact in facts_of(lines):
        check_types(fact)


@given(lines=LINES)
def test_what_is_read_twice_has_the_same_ids(lines: list[bytes]) -> None:
    assert keys(facts_of(lines)) == keys(facts_of(lines))
    it = reader()
    facts_of(lines, it)
    again = [record for record in lines if cast("dict[str, Any]", json.loads(record)).get("uuid")]
    assert facts_of(again, it) == []


@given(lines=LINES, cut=st.floats(0, 1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_where_the_file_was_cut_between_two_reads_makes_no_difference(
    lines: list[bytes], cut: float, tmp_path: Path
) -> None:
    data = b"".join(line + b"\n" for line in lines)
    path = tmp_path / "s.jsonl"
    at = int(cut * len(data))
    path.unlink(missing_ok=True)
    path.write_bytes(data[:at])
    feed = JsonlFeed(path, lambda counts: ClaudeFiles(path, "s", counts))
    facts = feed.read(1 << 20).facts
    with path.open("ab") as out:
        out.write(data[at:])
    facts += feed.read(1 << 20).facts

    whole = JsonlFeed(path, lambda counts: ClaudeFiles(path, "s", counts))
    assert repr(facts) == repr(whole.read(1 << 20).facts)
    assert feed.counts == whole.counts


@pytest.mark.parametrize(
    "path", first(6, sorted((RECORDED / "claude").glob("*/home/**/*.jsonl"))), ids=lambda path: path.name[:12]
)
def test_no_cut_of_a_recorded_line_raises(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    it = reader()
    for record in lines[:60]:
        for at in range(0, len(record), max(1, len(record) // 23)):
            for fact in it.read(record[:at]):
                check_types(fact)
