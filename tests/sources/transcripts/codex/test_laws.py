import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.sources.transcripts.codex.completed_items import ITEMS as COMPLETED_ITEMS
from seqthink.sources.transcripts.codex.events import EVENTS
from seqthink.sources.transcripts.codex.records import RolloutReader
from seqthink.sources.transcripts.codex.response_items import ITEMS
from seqthink.sources.transcripts.source import ReadCounts
from tests.sources.transcripts.codex.rollouts import LATER_TURN, THREAD, TURN, facts_of
from tests.sources.transcripts.fact_types import assert_well_typed

RECORDED = Path(__file__).parent.parent / "recorded" / "codex-plain-resume.jsonl"

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
ids = st.sampled_from([THREAD, TURN, LATER_TURN, "c1", "rs", "", "x" * 300])
_KEYS = """
id session_id call_id turn_id thread_id type role content text message summary summary_text arguments input
output name namespace tool status result invocation Ok Err structuredContent isError item action command
exit_code model encrypted_content num_turns started_at_ms completed_at_ms source subagent thread_spawn
parent_thread_id forked_from_id agent_thread_id kind event_id agent_path receiver_thread_ids receiver_agents
info last_token_usage total_tokens timestamp cwd changes success nextThoughtNeeded error last_agent_message
"""
keys = st.sampled_from(_KEYS.split())
tool_names = st.sampled_from(["sequentialthinking", "seq__sequentialthinking", "spawn_agent", "exec_command"])
values: st.SearchStrategy[Any] = st.recursive(
    scalars | ids | tool_names,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys | st.text(max_size=5), inner, max_size=6),
    max_leaves=12,
)
objects: st.SearchStrategy[dict[str, Any]] = st.dictionaries(keys, values, max_size=10)


def typed(types: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    def with_type(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
        return {**fields, "type": kind}

    return st.builds(with_type, st.sampled_from(types), objects)


def completed_item(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "item_completed", "item": item}


def record_of(time: str, kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": time, "type": kind, "payload": payload}


def encoded(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode()


payloads: st.SearchStrategy[dict[str, Any]] = st.one_of(
    typed(sorted(EVENTS)),
    typed(sorted(ITEMS)),
    st.builds(completed_item, typed(sorted(COMPLETED_ITEMS))),
    objects,
)
kinds = st.sampled_from(
    ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "inter_agent_communication", "?"]
)
times = st.sampled_from(["2026-11-22T17:39:00.500Z", "2026-11-22T17:39:07Z", "never"])
records: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(record_of, times, kinds, payloads),
    payloads,
)
lines = st.lists(records.map(encoded) | st.binary(max_size=40), max_size=12)


@pytest.mark.slow  # each rollout is read in all ways
@given(lines)
def test_whatever_stands_in_a_rollout_nothing_is_raised_and_every_fact_is_well_typed(written: list[bytes]) -> None:
    reader = RolloutReader(ReadCounts(), THREAD)

    for line in written:
        reader.wants(line)
        for fact in reader.read(line):
            assert_well_typed(fact)


@given(lines)
def test_reading_twice_gives_equal_facts(written: list[bytes]) -> None:
    assert repr(facts_of(written)) == repr(facts_of(written))


@given(st.data())
def test_a_line_that_is_cut_or_changed_is_never_raised_about(data: st.DataObject) -> None:
    written = RECORDED.read_bytes().splitlines()
    index = data.draw(st.integers(0, len(written) - 1))
    line = written[index]
    cut = data.draw(st.integers(0, len(line)))
    put = data.draw(st.binary(max_size=3))

    for fact in facts_of([*written[:index], line[:cut] + put + line[cut + len(put) :], *written[index + 1 :]]):
        assert_well_typed(fact)


def test_every_cut_of_the_recorded_lines_gives_the_same_facts_in_two_parts() -> None:
    written = RECORDED.read_bytes().splitlines()
    whole = facts_of(written)

    for cut in range(len(written)):
        reader = RolloutReader(ReadCounts())
        parts = [fact for part in (written[:cut], written[cut:]) for line in part for fact in reader.read(line)]
        assert parts == whole
