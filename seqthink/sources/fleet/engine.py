"""What an engine does for seqthink, in types. `seqthink.sources.fleet.redis` is the one that there is.

All methods block. All raise `EngineUnavailableError` for what passes, and `EngineRefusedError` for what does not; an
engine may be called by one thread at a time, but for ``close``, which makes a waiting call end.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.layout import SessionName


class Shipment(NamedTuple):
    """Lines of a session that follow one another."""

    session: str
    first: int
    """Number of the first line, from 1."""
    lines: Sequence[bytes]
    """The lines, without their line feeds."""


class Line(NamedTuple):
    """A line of a journal."""

    number: int
    """Its number, from 1."""
    text: bytes
    """Its bytes, without the line feed."""


class StreamState(NamedTuple):
    """What the engine has of a session's lines."""

    first: int
    """Number of the first line that is kept; 0 if none is."""
    last: int
    """Number of the last line that ever came; 0 if none did."""


class SentNote(NamedTuple):
    """A note to an agent, as it is in the engine. All is untrusted."""

    entry: str
    """The engine's own id of it, for `OriginEngine.notes`."""
    session: str
    id: str
    time: str
    text: str
    by: str
    mac: str
    agent: str = ""
    """The id of the agent that it is for; empty for whichever agent thinks next."""


class ListedName(NamedTuple):
    """A session in the index."""

    name: SessionName
    last: int
    """Time of its last event, in milliseconds since 1970, as its machine's clock says."""


class Life(NamedTuple):
    """Whose heartbeats the engine has."""

    session: bool
    """The session's server runs."""
    shipper: bool
    """The machine's shipper runs."""


class OriginEngine(Protocol):
    """The side of a shipper: the keys of one origin."""

    def append(self, shipments: Sequence[Shipment]) -> list[int]:
        """Append lines, each session's only where they follow what is there; what is there already is skipped.

        Returns, for each shipment, the number of the last line that the engine has then. It is below the shipment's
        first line less one if there would be a gap, and nothing was appended.
        """
        ...

    def states(self, sessions: Sequence[str]) -> list[StreamState]:
        """Return what the engine has of each session."""
        ...

    def line(self, session: str, number: int) -> bytes | None:
        """Return one line of a session; None if it is not kept."""
        ...

    def put_cards(self, cards: Mapping[str, Card]) -> None:
        """Replace what lists show of these sessions, by their ids; put them into the index and announce it."""
        ...

    def beat(self, alive: Collection[str], ended: Collection[str] = ()) -> None:
        """Say for `HEARTBEAT_SECONDS` that the shipper and these sessions live, and that the ``ended`` do not."""
        ...

    def leave(self) -> None:
        """Say that the shipper ends."""
        ...

    def forget(self, sessions: Collection[str]) -> None:
        """Delete what the engine has of sessions. Their names in the index stay until they are tidied up."""
        ...

    def notes(self, after: str, wait_seconds: float) -> list[SentNote]:
        """Return the notes behind the entry ``after`` ("0-0" for all); waits for one so long, 0 for not at all."""
        ...

    def trim(self, session: str, keep_lines: int) -> None:
        """Drop all but about the last ``keep_lines`` lines of a session."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class FleetEngine(Protocol):
    """The side of a reader."""

    def listed(self, limit: int) -> list[ListedName]:
        """Return the sessions that changed last, the newest first, at most ``limit``.

        Members of the index that name no session are left out.
        """
        ...

    def cards(self, names: Sequence[SessionName]) -> list[Card | None]:
        """Return what lists show of sessions; None for one without a card."""
        ...

    def lives(self, names: Sequence[SessionName]) -> list[Life]:
        """Return whose heartbeats there are."""
        ...

    def states(self, names: Sequence[SessionName]) -> list[StreamState]:
        """Return what the engine has of each session."""
        ...

    def lines(self, name: SessionName, after: int, limit_bytes: int) -> list[Line]:
        """Return lines behind number ``after``, at most about ``limit_bytes`` of them, at least one if there is one."""
        ...

    def ending(self, name: SessionName, count: int) -> list[Line]:
        """Return the last lines of a session, at most ``count``, in their order."""
        ...

    def wait(self, after: Mapping[SessionName, int], seconds: float) -> dict[SessionName, list[Line]]:
        """Wait at most so long for lines behind the numbers, and return those that came; empty if none did."""
        ...

    def news(self, after: str, seconds: float) -> tuple[str, list[SessionName]]:
        """Return the sessions that moved since ``after`` ("$" for now), and what to ask with next; waits so long."""
        ...

    def send_note(self, name: SessionName, note: SentNote) -> None:
        """Send a note to a session's machine; ``note.entry`` is not used."""
        ...

    def tidy(self) -> int:
        """Remove the sessions without a card from the index, and return how many; needs an administrator's rights."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


HEARTBEAT_SECONDS = 30
"""How long a heartbeat counts; shippers renew theirs three times in that time."""
