"""Finds out which session a fork was copied from; OpenCode does not write it down.

A fork is a session of its own with copies of the other's messages. Ids are new, but a message keeps the time at which
it was created, so the copies are older than the fork itself. The title shows which sessions are worth a look.
"""

import re
from collections.abc import Mapping
from sqlite3 import Connection
from typing import Final

from seqthink.transcripts.opencode import queries
from seqthink.transcripts.opencode.rows import SessionRow
from seqthink.transcripts.opencode.values import count

_FORK_TITLE: Final = re.compile(r".* \(fork #\d+\)", re.DOTALL)


def looks_forked(row: SessionRow) -> bool:
    """Return whether the title is one that OpenCode gives to forks."""
    return row.parent_id is None and _FORK_TITLE.fullmatch(row.title) is not None


def origin_of_fork(connection: Connection, row: SessionRow) -> str | None:
    """Return the id of the session that a fork was copied from; None if it is none, or the other is gone.

    It has the fork's first message, and of those that have it preferably the last copied one, too; the oldest of these.
    """
    created = count(row.created)
    copied = sorted(time for time, _ in queries.message_times(connection, row.id) if time < created)
    if not copied:
        return None
    origins = _older_sessions(connection, copied[0], created)
    nearest = _older_sessions(connection, copied[-1], created)
    return next((each for each in origins if each in nearest), next(iter(origins), None))


def has_own_message(connection: Connection, row: SessionRow) -> bool:
    """Return whether a fork has a message that is no copy."""
    return queries.has_message_since(connection, row.id, count(row.created))


def family_root(session_id: str, parents: Mapping[str, str | None]) -> str:
    """Return the session that a subagent's session or a fork belongs to in the end."""
    seen = {session_id}
    while (parent := parents.get(session_id)) is not None and parent in parents and parent not in seen:
        session_id = parent
        seen.add(parent)
    return session_id


def _older_sessions(connection: Connection, message_time: int, created: int) -> dict[str, None]:
    rows = queries.sessions_with_message_at(connection, message_time)
    return dict.fromkeys(each.id for each in rows if count(each.created) < created)
