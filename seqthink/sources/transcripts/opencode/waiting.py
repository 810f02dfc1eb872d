"""Finds the calls in a database that wait for the user, in the few sessions that changed since a client began."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from seqthink.sources.transcripts.files.json_lines import microseconds_of_number
from seqthink.sources.transcripts.json_fields import text_in
from seqthink.sources.transcripts.opencode.columns import decode_object
from seqthink.sources.transcripts.opencode.rows import SessionRow
from seqthink.sources.transcripts.opencode.tables import Tables
from seqthink.sources.transcripts.opencode.tool_calls import call_start, is_question, is_unstarted, wanted_permissions


class WaitingCall(NamedTuple):
    """A call that waits for the user, if its client runs."""

    session: str
    time: int
    """When it was made, in microseconds since 1970."""
    permissions: frozenset[str]
    """It waits only if the client has asked for one of these; without any it waits certainly."""


def waiting_calls(tables: Tables, rows: Iterable[SessionRow]) -> Iterator[WaitingCall]:
    """Yield the calls in the newest message of each of these sessions that may wait for the user."""
    for row in rows:
        newest = max(tables.message_times(row.id), default=None)
        found = tables.message(newest[1]) if newest is not None else None
        for part in found.parts if found is not None else ():
            data = decode_object(part.data) or {}
            if text_in(data, "type") != "tool":
                continue
            permissions = wanted_permissions(data)
            if permissions or is_unstarted(data) or is_question(data):
                time = microseconds_of_number(part.created) or 0
                yield WaitingCall(row.id, call_start(data, time) or time, permissions)
