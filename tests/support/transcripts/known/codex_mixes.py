"""Two processes of Codex that write one rollout."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tests.support.transcripts.known.writes import Write, Written, line_of


def in_one_rollout(first: Written, second: Written, order: Iterable[bool]) -> Written:
    """Return two sessions without subagents as processes that write one rollout, the second from after a turn on.

    Args:
        first: The session that the rollout is of; it has more than one turn.
        second: What the other process adds, from the end of the first turn on.
        order: Whether the next record is the first one's, until one has no more.
    """
    begins = [at for at, write in enumerate(first.writes) if b'"task_started"' in write.data]
    at = begins[1]
    others = [_moved(write, first, at + place) for place, write in enumerate(second.writes[1:])]
    merged, left = list(first.writes[:at]), (list(first.writes[at:]), others)
    for is_first in order:
        merged.append(left[0 if is_first else 1].pop(0))
        if not all(left):
            break
    merged += [*left[0], *left[1]]
    named = _with_turns(merged, set(map(id, first.writes)))
    is_second_later = merged[at] is first.writes[at]
    later = second.writes[1] if is_second_later else first.writes[at]
    lane = json.loads(later.data)["payload"]["turn_id"]
    early = {said for write in first.writes[:at] for said in write.holds}
    said = [replace(each, agent=None if each in early or is_second_later else lane) for each in first.said]
    said += [replace(each, agent=lane if is_second_later else None) for each in second.said]
    return Written("codex", first.id, named, said)


def _moved(write: Write, first: Written, ordinal: int) -> Write:
    record = json.loads(write.data) | {"ordinal": ordinal}
    if "thread_id" in record["payload"]:
        record["payload"]["thread_id"] = first.id
    return replace(write, path=first.writes[0].path, data=line_of(record))


def _with_turns(merged: list[Write], firsts: set[int]) -> list[Write]:
    """Return the records; each that the model gets names its turn, as those of the newest versions do."""
    turns = {True: "", False: ""}
    named: list[Write] = []
    for write in merged:
        record: dict[str, Any] = json.loads(write.data)
        is_first, payload = id(write) in firsts, record["payload"]
        turns[is_first] = payload.get("turn_id") or turns[is_first]
        if record["type"] == "response_item":
            payload["internal_chat_message_metadata_passthrough"] = {"turn_id": turns[is_first]}
        named.append(replace(write, data=line_of(record)))
    return named
