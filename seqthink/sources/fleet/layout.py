"""The keys of the engine (docs/fleet.md, "What is kept where"). All keys of one machine share its hash tag.

Names that come from elsewhere are only used for a key if they match the patterns here: no name can leave its place.
"""

import re
from typing import Final, NamedTuple
from zlib import crc32

INDEX_BUCKETS: Final = 16
"""Sorted sets that the index is spread over."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class SessionName(NamedTuple):
    """A session of the fleet."""

    origin: str
    """The installation that wrote it."""
    session: str
    """Its id, as the journal's file is named."""


class Layout:
    """The keys of one tenant."""

    def __init__(self, tenant: str) -> None:
        self._prefix = f"seqthink:{tenant}"
        self.news = f"{self._prefix}:news"
        """A stream of hints that sessions moved."""
        self.indexes = tuple(f"{self._prefix}:index:{bucket}" for bucket in range(INDEX_BUCKETS))
        """The sorted sets of all sessions, by the time of their last events in milliseconds."""

    def lines(self, name: SessionName) -> str:
        """Return the key of a session's lines, a stream in which entry ``<n>-0`` is line ``n``."""
        return f"{self.of_origin(name.origin)}:e:{name.session}"

    def card(self, name: SessionName) -> str:
        """Return the key of what lists show of a session, a hash."""
        return f"{self.of_origin(name.origin)}:m:{name.session}"

    def alive(self, name: SessionName) -> str:
        """Return the key that is there while a session's server runs."""
        return f"{self.of_origin(name.origin)}:a:{name.session}"

    def shipper(self, origin: str) -> str:
        """Return the key that is there while an origin's shipper runs."""
        return f"{self.of_origin(origin)}:a"

    def notes(self, origin: str) -> str:
        """Return the key of the notes to an origin's agents, a stream."""
        return f"{self.of_origin(origin)}:notes"

    def of_origin(self, origin: str) -> str:
        """Return what all keys of an origin begin with."""
        return f"{self._prefix}:{{{origin}}}"

    def index(self, session: str) -> str:
        """Return the key of the index that a session is in."""
        return self.indexes[crc32(session.encode()) % INDEX_BUCKETS]


def is_session(name: str) -> bool:
    """Whether a session's id may be part of a key and of a file's name."""
    return _NAME.fullmatch(name) is not None and ".." not in name


def is_origin(name: str) -> bool:
    """Whether an origin's name may be part of a key and of a file's name."""
    return is_session(name)


def is_tenant(name: str) -> bool:
    """Whether a tenant's name may be part of a key."""
    return _TENANT.fullmatch(name) is not None


def member(name: SessionName) -> str:
    """Return how the indexes spell a session."""
    return f"{name.origin} {name.session}"


def name_of_member(text: bytes) -> SessionName | None:
    """Return the session that a member of an index names; None if that is not a name."""
    try:
        origin, _, session = text.decode("ascii").partition(" ")
    except UnicodeDecodeError:
        return None
    return SessionName(origin, session) if is_origin(origin) and is_session(session) else None
