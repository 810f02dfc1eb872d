"""Sessions of Claude Code that share records or a file: a copy, and two processes."""

import json
from collections.abc import Iterable
from dataclasses import replace

from tests.support.transcripts.known.sessions import Said
from tests.support.transcripts.known.writes import Write, Written, line_of


def copied(original: Written, records: int, own: Written) -> Written:
    """Return a session that begins as a copy of the first records of another one, with that one.

    Args:
        original: The session that is copied, in its own file.
        records: How many records of its main agent are copied.
        own: What is said after that, by a session of its own.
    """
    main, place = original.writes[0].path, own.writes[0].path
    lines = [json.loads(write.data) for write in original.writes if write.path == main]
    lines = lines[: records + next(at for at, line in enumerate(lines) if "uuid" in line)]
    last = next(line["uuid"] for line in reversed(lines) if "uuid" in line)
    begins = next(at for at, write in enumerate(own.writes) if b'"parentUuid":' in write.data)
    first = {**json.loads(own.writes[begins].data), "parentUuid": last}
    begun = [Write(place, line_of({**line, "sessionId": own.id})) for line in lines]
    writes = [*original.writes, *begun, Write(place, line_of(first)), *own.writes[begins + 1 :]]
    said = [replace(each, agent=each.agent or own.id) for each in own.said]
    return Written("claude", original.id, writes, [*original.said, *said])


def in_two_folders(original: Written, records: int, own: Written, *, has_agents: bool) -> Written:
    """Return a session whose first records are copied in another project's folder, where it went on.

    Args:
        original: The session.
        records: How many records of its main agent are in the copy.
        own: What is said after that, by a session of its own.
        has_agents: Whether the files of its subagents were copied, too.
    """
    copy = copied(original, records, own)
    main, folder = original.writes[0].path, original.writes[0].path.rpartition("/")[0]

    def moved(write: Write) -> Write:
        path = write.path.replace(folder, f"{folder}-moved").replace(own.id, original.id)
        return replace(write, path=path, data=write.data.replace(own.id.encode(), original.id.encode()))

    agents = [replace(write, holds=()) for write in original.writes if write.path != main and has_agents]
    writes = [*original.writes, *map(moved, [*copy.writes[len(original.writes) :], *agents])]
    said = [replace(each, agent=None if each.agent == own.id else each.agent) for each in copy.said]
    is_whole = records >= len(original.writes)  # else both went on at once, and either may be shown first
    return Written("claude", original.id, writes, said, has_order=is_whole)


def in_one_file(first: Written, second: Written, order: Iterable[bool]) -> Written:
    """Return two sessions without subagents as processes that write one file, in which the second begins after a turn.

    Args:
        first: The session that the file is of; it has more than one turn.
        second: What the other process adds, from the end of the first turn on.
        order: Whether the next record is the first one's, until one has no more.
    """
    lines = [json.loads(write.data) for write in first.writes]
    at = next(at for at, line in enumerate(lines) if at and line["type"] == "user" and _is_typed(line))
    others = [{**json.loads(write.data), "sessionId": first.id} for write in second.writes]
    others[0]["parentUuid"] = lines[at - 1]["uuid"]
    merged, left = lines[:at], (lines[at:], list(others))
    for is_first in order:
        merged.append(left[0 if is_first else 1].pop(0))
        if not all(left):
            break
    merged += [*left[0], *left[1]]
    beginnings = [line["uuid"] for line in merged if line["uuid"] in {lines[at]["uuid"], others[0]["uuid"]}]
    is_second_later = beginnings[1] == others[0]["uuid"]
    early = {said for write in first.writes[:at] for said in write.holds}
    said = [_of(each, None if each in early or is_second_later else beginnings[1]) for each in first.said]
    said += [_of(each, beginnings[1] if is_second_later else None) for each in second.said]
    return Written("claude", first.id, [Write(first.writes[0].path, line_of(line)) for line in merged], said)


def _is_typed(line: dict[str, dict[str, object]]) -> bool:
    return isinstance(line["message"]["content"], str)


def _of(said: Said, agent: str | None) -> Said:
    return replace(said, agent=agent)
