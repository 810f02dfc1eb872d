"""The rows of OpenCode's database, as far as they are read; times in milliseconds since 1970."""

from typing import Final, NamedTuple

ANSWERED: Final = "answered"
"""The `finish` of a step that ends with a text behind its calls, which OpenCode 2 stores in one message."""


class SessionRow(NamedTuple):
    """A row of ``session`` or ``session_v2``: a root session, or the session of a subagent."""

    id: str
    parent_id: str | None
    directory: str
    title: str
    version: str
    created: object
    updated: object
    forked_from: str | None = None
    """The session that this one was copied from, where the client noted it."""
    agent: str = ""
    """The kind of agent that works in it, where the client noted it."""


class MessageRow(NamedTuple):
    """A row of ``message`` or ``session_message``: what the user sent, or one step of the model."""

    id: str
    session_id: str
    created: object
    data: object
    """A JSON object, as text or decoded; None if it was left in the database because it is too long."""


class PartRow(NamedTuple):
    """A row of ``part``: a piece of a message, rewritten as it changes."""

    id: str
    created: object
    data: object
    """A JSON object, as text or decoded; None if it was left in the database because it is too long."""


class LogRow(NamedTuple):
    """A row of ``event``: what was written to a session, in the order of ``seq``."""

    seq: int
    type: str
    data: object


class StoredMessage(NamedTuple):
    """A message with its parts in their order, and how many bytes were read for it."""

    row: MessageRow
    parts: list[PartRow]
    bytes: int
