"""Which session of a fleet a reference means: an id, the beginning of one, ``last``, or either behind a host's name."""

from collections.abc import Sequence
from typing import Final

from seqthink.core.errors import AmbiguousSessionError, JournalNotFoundError
from seqthink.sources.fleet.engine import ListedName
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.mirror.listing import host_of_origin

MAX_SEARCHED: Final = 100_000
"""How many sessions are looked through, the newest."""
_MAX_CANDIDATES: Final = 100
"""How many sessions that a reference may mean are looked at."""
_MAX_SHOWN: Final = 5
_NEWEST: Final = "last"
_HINT: Final = "name one by its id, a unique prefix, `last`, or HOST/ID"


def is_newest(reference: str | None) -> bool:
    """Return whether a reference means the newest session, of all machines or of one."""
    return not reference or reference.rpartition("/")[2] == _NEWEST


def candidates(reference: str | None, listed: Sequence[ListedName]) -> list[ListedName]:
    """Return the sessions that ``reference`` may mean, the newest first.

    Args:
        reference: as the user wrote it; None for the newest.
        listed: the sessions of the index, the newest first. Some may not be kept any more.

    Raises:
        UsageError: there is none.
    """
    host, _, begin = reference.rpartition("/") if reference else ("", "", _NEWEST)
    there = [one for one in listed if not host or host in {one.name.origin, host_of_origin(one.name.origin)}]
    if begin == _NEWEST:
        return there[:_MAX_CANDIDATES]
    found = [one for one in there if one.name.session == begin]
    if not found and begin:
        found = [one for one in there if one.name.session.startswith(begin)]
    return found[:_MAX_CANDIDATES]


def chosen(reference: str | None, found: Sequence[SessionName]) -> SessionName:
    """Return the session that ``reference`` means, of those that it may mean and that are kept, the newest first.

    Raises:
        UsageError: there is none, or more than one.
    """
    if len(found) == 1 or (found and is_newest(reference)):
        return found[0]
    if found:
        raise AmbiguousSessionError(f"{reference!r} could be {_abbreviated(found)}; type more of it")
    if is_newest(reference):
        host = reference.rpartition("/")[0] if reference else ""
        where = f"of the host {host!r} " if host else ""
        raise JournalNotFoundError(f"no sessions {where}in the fleet yet; `seqthink ship` on a machine sends its own")
    raise JournalNotFoundError(f"no session {reference!r} in the fleet; {_HINT}")


def _abbreviated(found: Sequence[SessionName]) -> str:
    is_one_machine = len({name.origin for name in found}) == 1
    names = [name.session if is_one_machine else "/".join(name) for name in found]
    more = len(names) - _MAX_SHOWN
    shown = ", ".join(names[:_MAX_SHOWN])
    return f"{shown} or {more} more" if more > 0 else shown
