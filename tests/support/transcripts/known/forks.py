"""Forks of known sessions, as Codex and OpenCode make them: with copies of what was said, or with a reference."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from tests.support.transcripts.known.damage import data_of, values_of
from tests.support.transcripts.known.writes import Write, Written, line_of

_TYPING: Final = timedelta(seconds=2)
"""How long a user takes to type the first prompt of a fork; ids of turns that are counted do not say when it was."""


def codex_fork(original: Written, turns: int, own: Written) -> Written:
    """Return a thread of Codex and its fork, which leaves it after some turns; versions with ordinals copy nothing."""
    path, place = original.writes[0].path, own.writes[0].path
    lines = [json.loads(write.data) for write in original.writes if write.path == path]
    begun = [at for at, line in enumerate(lines) if line["payload"].get("type") == "task_started"]
    upto = ([*begun[1:], len(lines)])[min(turns, len(begun)) - 1]
    first = json.loads(own.writes[0].data)
    first["payload"]["forked_from_id"] = original.id
    copies: list[Write] = []
    if "ordinal" in first:
        first["payload"]["forked_from_ordinal_exclusive"] = upto
        numbered = [_renumbered(write, upto) if write.path == place else write for write in own.writes[1:]]
    else:
        first["timestamp"] = _earlier(first["timestamp"])
        copies = [Write(place, line_of({**line, "timestamp": first["timestamp"]})) for line in lines[:upto]]
        numbered = own.writes[1:]
    writes = [*original.writes, Write(place, line_of(first)), *copies, *numbered]
    return _together(original, writes, own)


def opencode_fork(original: Written, messages: int, own: Written) -> Written:
    """Return a session of OpenCode and its fork, which begins with copies of messages."""
    rows = {str(values_of(write)[0]): write for write in original.writes if isinstance(data_of(write), str)}
    is_newer = any("session_message" in (write.sql or ("", ()))[0] for write in rows.values())
    kept = [key for key, write in rows.items() if key.startswith("msg_") and values_of(write)[1] == original.id]
    kept = kept[:messages]
    copies: list[Write] = []
    for key, write in rows.items():
        values = values_of(write)
        if key in kept:
            copies.append(_with_values(write, (f"{key}F", own.id, *values[2:])))
        elif not is_newer and values[1] in kept:
            copies.append(_with_values(write, (f"{key}F", f"{values[1]}F", own.id, *values[3:])))
    session = values_of(own.writes[0])
    forked = (
        (*session[:3], original.id, *session[4:]) if is_newer else (*session[:3], "a title (fork #1)", *session[4:])
    )
    writes = [*original.writes, _with_values(own.writes[0], forked), *copies, *own.writes[1:]]
    return _together(original, writes, own)


def _earlier(time: str) -> str:
    made = datetime.fromisoformat(time) - _TYPING
    return made.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _renumbered(write: Write, by: int) -> Write:
    line: dict[str, Any] = json.loads(write.data)
    return replace(write, data=line_of({**line, "ordinal": line["ordinal"] + by}))


def _with_values(write: Write, values: tuple[object, ...]) -> Write:
    return replace(write, sql=((write.sql or ("", ()))[0], values), holds=(), marks=())


def _together(original: Written, writes: list[Write], own: Written) -> Written:
    of_fork = {each: replace(each, agent=each.agent or own.id) for each in own.said}
    late, awaited = (
        [*first, *(of_fork[each] for each in then)]
        for first, then in ((original.late, own.late), (original.awaited, own.awaited))
    )
    said = [*original.said, *of_fork.values()]
    return Written(original.source, original.id, writes, said, late=tuple(late), awaited=tuple(awaited))
