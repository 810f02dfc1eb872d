"""Sessions of Qwen Code and pi that were copied, and went on: the copy's file begins with the other's records."""

import json
from dataclasses import replace
from typing import Any

from tests.support.transcripts.known.writes import Write, Written, line_of


def qwen_copy(original: Written, records: int, own: Written) -> Written:
    """Return a session of Qwen Code with a copy of its first records, which goes on as ``own``."""
    lines = _lines(original)[:records]
    copied = [
        {**line, "sessionId": own.id, "forkedFrom": {"sessionId": original.id, "messageUuid": line["uuid"]}}
        for line in lines
    ]
    return _together(original, copied, own, _lines(own), {"parentUuid": lines[-1]["uuid"]})


def pi_copy(original: Written, records: int, own: Written) -> Written:
    """Return a session of pi with a copy of its first records, which goes on as ``own``."""
    header, *lines = _lines(original)
    own_header, *goes_on = _lines(own)
    header = {**header, **own_header, "parentSession": f"/home/ada/{original.writes[0].path}"}
    return _together(original, [header, *lines[:records]], own, goes_on, {"parentId": lines[:records][-1]["id"]})


def _lines(written: Written) -> list[dict[str, Any]]:
    main = written.writes[0].path
    return [json.loads(write.data) for write in written.writes if write.path == main]


def _together(
    original: Written, copied: list[dict[str, Any]], own: Written, goes_on: list[dict[str, Any]], link: dict[str, str]
) -> Written:
    place = own.writes[0].path
    lines = [*copied, {**goes_on[0], **link}, *goes_on[1:]]
    others = [write for write in own.writes if write.path != place]
    writes = [*original.writes, *(Write(place, line_of(line)) for line in lines), *others]
    said = [replace(each, agent=each.agent or own.id) for each in own.said]
    return Written(original.source, original.id, writes, [*original.said, *said], original.has_unique_calls)
