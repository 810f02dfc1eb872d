"""Events on their way into a journal, and what an append says about them. Standard library only.

The server needs these types before its first answer, and the writer only after it.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from seqthink.journal.encode import encode

if TYPE_CHECKING:  # loaded with the writer
    from datetime import datetime

_OF_FIELD = rb',"of":\d+'

EndReason = Literal["eof", "signal", "error"]
"""Why a server ends, as in ``EndEvent``."""


class DraftEvent(NamedTuple):
    """An event without a ``seq`` and time yet."""

    kind: str
    """Its type."""
    fields: Mapping[str, Any]
    """Its fields, without ``v``, ``seq``, ``time`` and ``type``."""
    of_distance: int = 0
    """If not 0, the event gets an ``of`` that refers to the event this many places before it."""

    def line(self, seq: int, time: "datetime") -> "PendingLine":
        """Return the encoded event with ``seq`` and ``time``."""
        fields = {**self.fields, "of": seq - self.of_distance} if self.of_distance else self.fields
        return PendingLine(self.kind, time, encode(seq, time, self.kind, fields), self.of_distance)


class LineLocation(NamedTuple):
    """Where a line is: the session whose file it is in, and its bytes there."""

    session: str
    """Id of the session."""
    offset: int
    """Byte offset in the file."""
    size: int
    """Length in bytes; of a resumed session without the newline."""


class AppendReceipt(NamedTuple):
    """Result of an append."""

    seq: int
    """``seq`` of the first event."""
    waiting: int = 0
    """How many events are queued in memory."""
    error: str = ""
    """Why the journal cannot be written now; empty if it can."""
    continues: str = ""
    """Id of the session whose file was deleted, in the first receipt after a new file continues it; else empty."""
    location: LineLocation | None = None
    """Where the last event was written; None while it is queued."""


class PendingLine(NamedTuple):
    """An encoded event that is to be written."""

    kind: str
    """Type of the event."""
    time: "datetime"
    """When the event was accepted."""
    data: bytes
    """The encoded line, newline included."""
    of_distance: int = 0
    """As in ``DraftEvent``."""

    def renumbered(self, seq: int) -> "PendingLine":
        """Return the line with another ``seq``; ``v`` and ``seq`` come first in every line."""
        version, _, rest = self.data.split(b",", 2)
        if self.of_distance:
            # This cannot match inside a string, where the quotes would be escaped.
            rest = re.sub(_OF_FIELD, b',"of":%d' % max(1, seq - self.of_distance), rest, count=1)
        return self._replace(data=version + b',"seq":%d,' % seq + rest)
