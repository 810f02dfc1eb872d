"""An id for each call, where a client's own is not unique: some models count their calls in each answer.

Kimi writes ``functions.list_dir:0`` and Grok ``call_0``, in every answer and in every subagent. So the first call keeps
the client's id, and each later one with the same id is known by the record that holds it. Pure.
"""

import re
from typing import Final

_UNIQUE: Final = re.compile(
    r"(?=[0-9A-Za-z]{0,64}[0-9][0-9A-Za-z]{0,64}[0-9])[0-9A-Za-z]{8}|(?=[a-z0-9]*[A-Z])[0-9A-Za-z]{16}"
)
"""A run of letters and digits that only chance could repeat. Two digits in eight characters are more than a count."""


class CallIds:
    """The ids of the calls of one agent, from one file.

    Args:
        owner: the agent's id; None for the main agent. Two agents may both begin to count at 0.
    """

    def __init__(self, owner: str | None = None) -> None:
        self.owner = owner
        """Whose calls are read now: those that a file repeats from another one have the ids that they have there."""
        self._ids: dict[str, dict[str, str]] = {}

    def of(self, client_id: str, record_id: str, *, is_shared: bool = False) -> str:
        """Return the id of the call that a record holds, the same whenever it is asked for.

        Args:
            client_id: the client's id of the call.
            record_id: an id that no other record of the session has.
            is_shared: whether a call in another file may have the client's id, however it looks.
        """
        calls = self._ids.setdefault(client_id, {})
        if record_id not in calls:
            calls[record_id] = record_id if calls or is_shared else first_call_id(client_id, self.owner)
        return calls[record_id]

    def may_know(self, client_id: str) -> bool:
        """Return whether a result with this id is that of a call which was read, or is yet to be read.

        An id that others have, too, is not waited for: it would be taken for that of a later call.
        """
        return client_id in self._ids or is_unique(client_id)

    def is_known(self, client_id: str) -> bool:
        """Return whether a call with this id was read."""
        return client_id in self._ids

    def newest(self, client_id: str) -> str:
        """Return the id of the newest call with a client's id, as for its result."""
        calls = self._ids.get(client_id)
        return next(reversed(calls.values())) if calls else first_call_id(client_id, self.owner)


def first_call_id(client_id: str, owner: str | None) -> str:
    """Return the id of the first call of an agent that has this client's id; ``owner`` is None for the main agent."""
    return client_id if owner is None or is_unique(client_id) else f"{owner}/{client_id}"


def is_unique(client_id: str) -> bool:
    """Return whether an id looks as if no other call had it."""
    return _UNIQUE.search(client_id) is not None
