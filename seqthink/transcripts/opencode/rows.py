"""The rows of OpenCode's database, as far as they are read; times in milliseconds since 1970."""

from typing import NamedTuple


class SessionRow(NamedTuple):
    """A row of ``session``: a root session, or the session of a subagent."""

    id: str
    parent_id: str | None
    directory: str
    title: str
    version: str
    created: object
    updated: object


class MessageRow(NamedTuple):
    """A row of ``message``: what the user sent, or one step of the model."""

    id: str
    session_id: str
    created: object
    data: object
    """A JSON object; None if it was left in the database because it is too long."""


class PartRow(NamedTuple):
    """A row of ``part``: a piece of a message, rewritten as it changes."""

    id: str
    created: object
    data: object
    """A JSON object; None if it was left in the database because it is too long."""


class LogRow(NamedTuple):
    """A row of ``event``: what was written to a session, in the order of ``seq``."""

    seq: int
    type: str
    data: object
