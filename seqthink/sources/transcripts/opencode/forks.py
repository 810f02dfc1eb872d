"""Finds out which session a fork was copied from; OpenCode 1 does not write it down.

A fork is a session of its own with copies of the other's messages. Ids are new, but a message keeps the time at which
it was created, so the copies are older than the fork itself. The title shows which sessions are worth a look.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from seqthink.sources.transcripts.opencode.columns import count
from seqthink.sources.transcripts.opencode.rows import SessionRow
from seqthink.sources.transcripts.opencode.tables import Tables

_MAX_ORIGINS: Final = 64
"""How many sessions, the oldest, are compared that have a fork's first message."""
_FORK_TITLE: Final = re.compile(r".* \(fork #\d+\)", re.DOTALL)


def looks_forked(row: SessionRow) -> bool:
    """Return whether the client noted what a session was copied from, or gave it a title as forks have."""
    return row.parent_id is None and (row.forked_from is not None or _FORK_TITLE.fullmatch(row.title) is not None)


def origins_of_forks(tables: Tables, rows: Iterable[SessionRow]) -> dict[str, str]:
    """Return the original session of each of these; copies without one, and sessions that are not a copy, are left out.

    It has the fork's first message, and of those that have it preferably the last copied one, too; the oldest of these.
    """
    rows = list(rows)
    found = {
        row.id: origin for row in rows if (origin := row.forked_from) is not None and tables.session(origin) is not None
    }
    copied = {row: times for row in rows if row.id not in found and (times := _copied_times(tables, row))}
    older = tables.sessions_with_message_at({times[0] for times in copied.values()}) if copied else {}
    for row, times in copied.items():
        created, first = count(row.created), None
        for origin in older[times[0]][:_MAX_ORIGINS]:
            if count(origin.created) >= created:
                break
            first = first or origin.id
            if any(time == times[-1] for time, _ in tables.message_times(origin.id)):
                first = origin.id
                break
        if first is not None:
            found[row.id] = first
    return found


def has_own_message(tables: Tables, row: SessionRow) -> bool:
    """Return whether a fork has a message that is not a copy."""
    return any(time >= count(row.created) for time, _ in tables.message_times(row.id))


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


def _copied_times(tables: Tables, row: SessionRow) -> list[int]:
    created = count(row.created)
    return sorted(time for time, _ in tables.message_times(row.id) if time < created)
