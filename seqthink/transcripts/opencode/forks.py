"""Finds out which session a fork was copied from; OpenCode does not write it down.

A fork is a session of its own with copies of the other's messages. Ids are new, but a message keeps the time at which
it was created, so the copies are older than the fork itself. The title shows which sessions are worth a look.
"""

import re
from collections.abc import Iterable, Mapping
from sqlite3 import Connection
from typing import Final

from seqthink.transcripts.opencode import queries
from seqthink.transcripts.opencode.rows import SessionRow
from seqthink.transcripts.opencode.values import count

_MAX_ORIGINS: Final = 64
"""How many sessions, the oldest, are compared that have a fork's first message."""
_FORK_TITLE: Final = re.compile(r".* \(fork #\d+\)", re.DOTALL)


def looks_forked(row: SessionRow) -> bool:
    """Return whether the title is one that OpenCode gives to forks."""
    return row.parent_id is None and _FORK_TITLE.fullmatch(row.title) is not None


def origins_of_forks(connection: Connection, rows: Iterable[SessionRow]) -> dict[str, str]:
    """Return the session that each of these was copied from; those that are no copy, or whose original is gone, not.

    It has the fork's first message, and of those that have it preferably the last copied one, too; the oldest of these.
    """
    copied = {row: times for row in rows if (times := _copied_times(connection, row))}
    older = queries.sessions_with_message_at(connection, {times[0] for times in copied.values()}) if copied else {}
    found: dict[str, str] = {}
    for row, times in copied.items():
        created, first = count(row.created), None
        for origin in older[times[0]][:_MAX_ORIGINS]:
            if count(origin.created) >= created:
                break
            first = first or origin.id
            if queries.has_message_at(connection, origin.id, times[-1]):
                first = origin.id
                break
        if first is not None:
            found[row.id] = first
    return found


def has_own_message(connection: Connection, row: SessionRow) -> bool:
    """Return whether a fork has a message that is no copy."""
    return queries.has_message_since(connection, row.id, count(row.created))


def family_roots(parents: Mapping[str, str | None]) -> dict[str, str]:
    """Return for each session the one that it belongs to in the end, a subagent's or a fork's."""
    roots: dict[str, str] = {}
    for session_id in parents:
        above: dict[str, None] = {}
        each = session_id
        while each not in roots:
            above[each] = None
            parent = parents[each]
            if parent is None or parent not in parents or parent in above:
                roots[each] = each
            else:
                each = parent
        roots |= dict.fromkeys(above, roots[each])
    return roots


def _copied_times(connection: Connection, row: SessionRow) -> list[int]:
    created = count(row.created)
    return sorted(time for time, _ in queries.message_times(connection, row.id) if time < created)
