"""Two processes that write one rollout, each in its lane."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest

from seqthink.sources.transcripts.codex.source import CodexSource
from seqthink.sources.transcripts.facts import Fact, Prompt, SessionDescribed, TurnEnded
from seqthink.sources.transcripts.source import SessionFeed
from tests.sources.transcripts.codex.rollouts import THREAD, meta

Record = dict[str, Any]
PASSED: Final = "internal_chat_message_metadata_passthrough"
ALTERNATING: Final = (True, False) * 20
"""The second one is always in the middle of a turn when the first one begins another."""


def turn(name: str) -> list[Record]:
    """Return the records of a turn, as Codex 0.171 writes them: 7, or 9 of one whose name begins with ``b``."""

    def about(item: Record) -> Record:
        return {"type": "item_completed", "thread_id": THREAD, "turn_id": name, "item": {**item, "id": f"{name}-item"}}

    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": f"{name}."}]}
    payloads: list[tuple[str, Record]] = [
        ("event_msg", {"type": "task_started", "turn_id": name}),
        ("turn_context", {"turn_id": name, "model": "gpt-5.6-sol"}),
        ("event_msg", about({"type": "UserMessage", "content": [{"type": "text", "text": f"{name}?"}]})),
        *[("event_msg", Record(type="token_count", info=None))] * (3 if name.startswith("b") else 1),
        ("event_msg", about({"type": "AgentMessage", "content": [{"type": "Text", "text": f"{name}."}]})),
        ("response_item", {**said, PASSED: {"turn_id": name}}),
        ("event_msg", {"type": "task_complete", "turn_id": name, "last_agent_message": f"{name}."}),
    ]
    return [{"type": kind, "payload": payload} for kind, payload in payloads]


def numbered(records: Iterable[Record], first: int) -> list[Record]:
    return [{**record, "ordinal": first + place} for place, record in enumerate(records)]


def mixed(ours: list[Record], others: list[Record], order: Iterable[bool]) -> list[Record]:
    left = (list(ours), list(others))
    taken = [left[0 if is_ours else 1].pop(0) for is_ours in order if all(left)]
    return [*taken, *left[0], *left[1]]


def append(folder: Path, records: Iterable[Record]) -> None:
    path = folder / "sessions" / "2026" / "11" / "22" / f"rollout-2026-11-22T17-39-00-{THREAD}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [] if path.exists() else [meta()]
    lines += [json.dumps({"timestamp": "2026-11-22T17:40:00.000Z", **record}).encode() for record in records]
    with path.open("ab") as file:
        file.writelines(line + b"\n" for line in lines)


def feed_of(folder: Path, records: Iterable[Record]) -> SessionFeed:
    append(folder, records)
    source = CodexSource()
    (found,) = source.find(folder, 10)
    return source.open(found)


def words_of(facts: Iterable[Fact]) -> dict[str | None, list[str]]:
    """Return the texts of prompts and answers, by agent."""
    texts: dict[str | None, list[str]] = {}
    for fact in facts:
        if isinstance(fact, Prompt | TurnEnded):
            texts.setdefault(fact.agent, []).append(fact.text)
    return texts


def lanes(facts: Iterable[Fact]) -> list[str | None]:
    return [fact.lane_name for fact in facts if isinstance(fact, SessionDescribed) and fact.agent is not None]


OURS = [*turn("a2"), *turn("a3")]
OTHERS = [*turn("b1"), *turn("b2")]
TWO = {None: ["a1?", "a1.", "a2?", "a2.", "a3?", "a3."], "b1": ["b1?", "b1.", "b2?", "b2."]}


@pytest.mark.parametrize("counts_for_itself", [True, False])
def test_two_processes_whose_records_alternate_are_two_lanes(tmp_path: Path, counts_for_itself: bool) -> None:
    begun = numbered(turn("a1"), 1)
    if counts_for_itself:
        both = mixed(numbered(OURS, 8), numbered(OTHERS, 8), ALTERNATING)
    else:
        both = numbered(mixed(OURS, OTHERS, ALTERNATING), 8)
    facts = feed_of(tmp_path, [*begun, *both]).read(1 << 20).facts

    assert words_of(facts) == TWO
    assert lanes(facts) == ["process 2"]


def test_a_process_that_begins_in_the_middle_of_another_one_s_turn_is_a_lane(tmp_path: Path) -> None:
    begun, goes_on = numbered(turn("a1"), 1)[:3], [*numbered(turn("a1"), 1)[3:], *numbered(OURS, 8)]
    facts = feed_of(tmp_path, [*begun, *mixed(goes_on, numbered(OTHERS, 4), (False, True) * 20)]).read(1 << 20).facts

    assert words_of(facts) == TWO


def test_two_processes_that_write_whole_turns_are_distinguished_by_the_numbers_of_their_records(tmp_path: Path) -> None:
    turns = (("a1", 1), ("a2", 8), ("b1", 8), ("a3", 15), ("b2", 17))
    records = [record for name, first in turns for record in numbered(turn(name), first)]

    assert words_of(feed_of(tmp_path, records).read(1 << 20).facts) == TWO


def test_a_turn_that_no_record_ends_is_followed_by_one_of_the_same_process(tmp_path: Path) -> None:
    records = numbered([*turn("a1")[:-1], *turn("a2")], 1)
    facts = feed_of(tmp_path, records).read(1 << 20).facts

    assert words_of(facts) == {None: ["a1?", "a1.", "a2?", "a2."]}
    assert lanes(facts) == []


def test_an_interrupted_turn_turns_out_to_be_another_process_s_when_it_goes_on(tmp_path: Path) -> None:
    feed = feed_of(tmp_path, [*numbered(turn("a1"), 1)[:3], *numbered(turn("b1"), 4)])
    before = feed.read(1 << 20)
    append(tmp_path, numbered(turn("a1"), 1)[3:])
    after = feed.read(1 << 20)

    assert words_of(before.facts) == {None: ["a1?", "b1?", "b1."]}
    assert after.restarted
    assert words_of(after.facts) == {None: ["a1?", "a1."], "b1": ["b1?", "b1."]}
