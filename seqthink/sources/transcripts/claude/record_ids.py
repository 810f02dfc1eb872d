"""An id for each record of a session's files, and which of them are copies of an earlier file's.

A file repeats a record if its uuid, its time and what it says are the same. Of a copy the time may be another, unless
uuids are counted: then it must follow the same record, too, and none that this file alone has. A record that shares
nothing but the uuid is another one, and gets an id of its own.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Final, NamedTuple

from msgspec import Raw

from seqthink.sources.transcripts.call_ids import is_unique
from seqthink.sources.transcripts.claude.lineage import Lineage
from seqthink.sources.transcripts.claude.shapes import Content, Record

_DIGEST_BYTES: Final = 8


def said_in(record: Record) -> int:
    """Return a digest of what a record says; a copy may have another session, folder or time.

    Where uuids are counted, it says when, and what it follows, too.
    """
    message, attached = record.message, record.attachment
    is_counted = not is_unique(record.uuid or "")
    said = [
        *((record.parent_uuid, record.timestamp) if is_counted else ()),
        record.type,
        record.subtype,
        *(_said(attached.prompt) if attached is not None else ()),
        *(_said(message.content) if message is not None else ()),
    ]
    data = b"\0".join(part if isinstance(part, Raw) else (part or "").encode() for part in said)
    return int.from_bytes(_digest(data), "big")


def _said(content: Content) -> Iterator[str | Raw | None]:
    if isinstance(content, str):
        yield content
        return
    for block in content or ():
        yield from (block.type, block.text, block.thinking, block.id, block.name, block.input, block.tool_use_id)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST_BYTES).digest()


class Origins:
    """Which of the files that begin alike had a record first: the original, or a copy that was made before another."""

    def __init__(self, original: Lineage, session: str) -> None:
        self._original = original
        self._sessions = [session]
        # Of the records that the original does not have: the place of the first of the copies that has it, and what
        # it says.
        self._first: dict[str, tuple[int, int]] = {}

    def add(self, session: str) -> int:
        """Add the next copy; return its place."""
        self._sessions.append(session)
        return len(self._sessions) - 1

    def before(self, place: int, uuid: str, said: int) -> str | None:
        """Return the session before the copy at ``place`` that has a record which says the same, if one has."""
        first = self._known(uuid)
        return self._sessions[first[0]] if first is not None and first[0] < place and first[1] == said else None

    def is_others(self, place: int, uuid: str) -> bool:
        """Return whether a file before the copy at ``place`` has a record with this uuid."""
        first = self._known(uuid)
        return first is not None and first[0] < place

    def note(self, place: int, uuid: str, said: int) -> None:
        """The copy at ``place`` has a record of its own."""
        self._first[uuid] = (place, said)

    def _known(self, uuid: str) -> tuple[int, int] | None:
        said = self._original.said(uuid)
        return self._first.get(uuid) if said is None else (0, said)


class RecordId(NamedTuple):
    """How a record is known."""

    id: str
    """The client's uuid, unless another record has it."""
    parent: str | None
    """The id of the record that it continues."""
    said: int
    time: int
    """Its own time, in microseconds since 1970 (UTC); 0 if it has none."""
    origin: str | None
    """The earlier session whose record it repeats."""
    is_shared: bool
    """Whether another record has its uuid."""


class RecordIds:
    """The ids of one file's records.

    Args:
        lineage: The file's records by these ids.
        origins: Of a copy: the records of the files before it.
        session: The file's session.
    """

    def __init__(self, lineage: Lineage, origins: Origins | None, session: str) -> None:
        self._lineage = lineage
        self._origins = origins
        self._place = origins.add(session) if origins is not None else 0
        # The newest record with each uuid that several records of this session have.
        self._newest: dict[str, str] = {}
        # Of a copy: the records that no file before it has.
        self._own: set[str] = set()

    def of(self, record: Record, uuid: str, parent_uuid: str | None, time: int) -> RecordId | None:
        """Return how the next record is known, whose own time is given; None if it repeats one of this file."""
        said, parent = said_in(record), self.newest(parent_uuid)
        newest = self._newest.get(uuid, uuid)
        if self._lineage.is_repeated(uuid, said, time):
            return None
        if newest != uuid and self._lineage.is_repeated(newest, said, time):
            return None
        origin = self._origin(uuid, said, parent)
        is_shared = uuid in self._lineage or (
            origin is None and self._origins is not None and self._origins.is_others(self._place, uuid)
        )
        identifier = uuid
        if is_shared:
            identifier = f"{uuid}@{_digest(f'{parent}/{said}/{time}'.encode()).hex()}"
            if identifier in self._lineage:
                return None
            self._newest[uuid] = identifier
        if self._origins is not None and origin is None:
            self._own.add(identifier)
            self._origins.note(self._place, identifier, said)
        return RecordId(identifier, parent, said, time, origin, is_shared)

    def newest(self, uuid: str | None) -> str | None:
        """Return the id of the newest record with a uuid."""
        return None if uuid is None else self._newest.get(uuid, uuid)

    def is_copy(self, identifier: str) -> bool:
        """Return whether a record repeats one of an earlier file."""
        return self._origins is not None and identifier not in self._own

    def _origin(self, uuid: str, said: int, parent: str | None) -> str | None:
        if self._origins is None or (parent in self._own and not is_unique(uuid)):
            return None
        return self._origins.before(self._place, uuid, said)
