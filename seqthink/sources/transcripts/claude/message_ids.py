"""An id for each message of the model: some servers give several answers the same."""

from typing import NamedTuple


class _Message(NamedTuple):
    place: int
    """How many came before it."""
    id: str


class MessageIds:
    """The ids of the messages of one agent, from one file.

    A message has several records, one for each of its blocks. Records with one id are of two messages if they answer
    two requests, or are in two turns.
    """

    def __init__(self) -> None:
        # Looked up, never searched: thousands of answers may have one id. Each holds the newest message.
        self._of_id: dict[str, _Message] = {}
        self._of_request: dict[tuple[str, str], _Message] = {}
        self._of_turn: dict[tuple[str, int], _Message] = {}
        self._of_turn_without_request: dict[tuple[str, int], _Message] = {}

    def of(self, client_id: str | None, request: str | None, turn: int, record: str) -> str:
        """Return the id of the message that a record belongs to.

        Args:
            client_id: what the record says; a record without an id is a message of its own.
            request: the client's id of the request that it answers, if the record has one.
            turn: the number of the turn.
            record: the record's id.
        """
        if client_id is None:
            return record
        return (self._known(client_id, request, turn) or self._new(client_id, request, turn, record)).id

    def _known(self, given: str, request: str | None, turn: int) -> _Message | None:
        """Return the newest message that the record can be of: the requests are compared where both have one."""
        if request is None:
            return self._of_turn.get((given, turn))
        known = (self._of_request.get((given, request)), self._of_turn_without_request.get((given, turn)))
        return max((each for each in known if each is not None), default=None)

    def _new(self, given: str, request: str | None, turn: int, record: str) -> _Message:
        before = self._of_id.get(given)
        new = _Message(0, given) if before is None else _Message(before.place + 1, f"{given}@{record}")
        self._of_id[given] = self._of_turn[given, turn] = new
        if request is None:
            self._of_turn_without_request[given, turn] = new
        else:
            self._of_request[given, request] = new
        return new
