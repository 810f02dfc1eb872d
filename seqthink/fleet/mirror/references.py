"""Which session of a fleet a reference means: an id, the beginning of one, ``last``, or either behind a host's name."""

from collections.abc import Sequence
from typing import Final

from seqthink.errors import AmbiguousSessionError, JournalNotFoundError
from seqthink.fleet.engine import ListedName
from seqthink.fleet.mirror.listing import host_of_origin

MAX_SEARCHED: Final = 100_000
"""How many sessions are looked through, the newest."""
_MAX_SHOWN: Final = 5
_HINT: Final = "name one by its id, a unique prefix, `last`, or HOST/ID"


def matching(reference: str | None, listed: Sequence[ListedName]) -> ListedName:
    """Return the session that ``reference`` means.

    Args:
        reference: as the user wrote it; None for the newest.
        listed: the sessions, the newest first.

    Raises:
        UsageError: there is none, or more than one.
    """
    host, _, begin = reference.rpartition("/") if reference else ("", "", "last")
    there = [one for one in listed if not host or host in {one.name.origin, host_of_origin(one.name.origin)}]
    if begin == "last":
        if there:
            return there[0]
        where = f"of the host {host!r} " if host else ""
        raise JournalNotFoundError(f"no sessions {where}in the fleet yet; `seqthink ship` on a machine sends its own")
    found = [one for one in there if one.name.session == begin]
    if not found and begin:
        found = [one for one in there if one.name.session.startswith(begin)]
    if len(found) == 1:
        return found[0]
    if found:
        raise AmbiguousSessionError(f"{reference!r} could be {_abbreviated(found)}; type more of it")
    raise JournalNotFoundError(f"no session {reference!r} in the fleet; {_HINT}")


def _abbreviated(found: Sequence[ListedName]) -> str:
    is_one_machine = len({one.name.origin for one in found}) == 1
    names = [one.name.session if is_one_machine else "/".join(one.name) for one in found]
    more = len(names) - _MAX_SHOWN
    shown = ", ".join(names[:_MAX_SHOWN])
    return f"{shown} or {more} more" if more > 0 else shown
