"""An id for each message of the model: some servers give several answers the same."""

from typing import NamedTuple

from seqthink.transcripts.files.json_lines import bounded_id


class _Message(NamedTuple):
    id: str
    request: str | None
    turn: int


class MessageIds:
    """The ids of the messages of one agent, from one file.

    A message has several records, one for each of its blocks. Records with one id are of two messages if they answer
    two requests, or stand in two turns.
    """

    def __init__(self) -> None:
        self._messages: dict[str, list[_Message]] = {}

    def of(self, client_id: str | None, request: str | None, turn: int, record: str) -> str:
        """Return the id of the message that a record belongs to.

        Args:
            client_id: what the record says; a record without an id is a message of its own.
            request: the client's id of the request that it answers, if the record has one.
            turn: the number of the turn.
            record: the record's id.
        """
        given = bounded_id(client_id)
        if given is None:
            return record
        known = self._messages.setdefault(given, [])
        for message in reversed(known):
            if _is_same(message, request, turn):
                return message.id
        known.append(_Message(f"{given}@{record}" if known else given, request, turn))
        return known[-1].id


def _is_same(known: _Message, request: str | None, turn: int) -> bool:
    if known.request is not None and request is not None:
        return known.request == request
    return known.turn == turn
