"""An engine in memory, for one origin, with switches for what can go wrong."""

from collections.abc import Collection, Mapping, Sequence
from threading import Event

from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import SentNote, Shipment, StreamState
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError


class MemoryOrigin:
    """Does what `OriginEngine` says, with dicts. ``failures`` calls fail before the next one that works."""

    def __init__(self) -> None:
        self.streams: dict[str, list[bytes]] = {}
        self.trimmed: dict[str, int] = {}
        self.shown: dict[str, Card] = {}
        self.alive: set[str] = set()
        self.is_shipper_alive = False
        self.sent: list[SentNote] = []
        self.failures = 0
        self.refusal = ""
        self.calls: list[str] = []
        self.is_closed = False

    def append(self, shipments: Sequence[Shipment]) -> list[int]:
        self._called("append")
        return [self._append(*shipment) for shipment in shipments]

    def _append(self, session: str, first: int, lines: Sequence[bytes]) -> int:
        stream = self.streams.get(session, [])
        if first <= len(stream) + 1:
            stream += lines[len(stream) + 1 - first :]
            self.streams[session] = stream
        return len(stream)

    def states(self, sessions: Sequence[str]) -> list[StreamState]:
        self._called("states")
        return [self._state(session) for session in sessions]

    def _state(self, session: str) -> StreamState:
        last, trimmed = len(self.streams.get(session, ())), self.trimmed.get(session, 0)
        return StreamState(trimmed + 1 if last > trimmed else 0, last)

    def line(self, session: str, number: int) -> bytes | None:
        self._called("line")
        stream = self.streams.get(session, ())
        return stream[number - 1] if self.trimmed.get(session, 0) < number <= len(stream) else None

    def put_cards(self, cards: Mapping[str, Card]) -> None:
        self._called("put_cards")
        self.shown.update(cards)

    def beat(self, alive: Collection[str], ended: Collection[str] = ()) -> None:
        self._called("beat")
        self.is_shipper_alive = True
        self.alive |= set(alive)
        self.alive -= set(ended)

    def leave(self) -> None:
        self._called("leave")
        self.is_shipper_alive = False

    def notes(self, after: str, wait_seconds: float) -> list[SentNote]:
        self._called("notes")
        entries = [note.entry for note in self.sent]
        found = self.sent[entries.index(after) + 1 :] if after in entries else list(self.sent)
        if not found:
            Event().wait(min(wait_seconds, 0.01))
        return found

    def trim(self, session: str, keep_lines: int) -> None:
        self._called("trim")
        self.trimmed[session] = max(0, len(self.streams.get(session, ())) - keep_lines)

    def forget(self, sessions: Collection[str]) -> None:
        self._called("forget")
        for session in sessions:
            self.streams.pop(session, None)
            self.shown.pop(session, None)
            self.alive.discard(session)

    def close(self) -> None:
        self.is_closed = True

    def text(self, session: str) -> bytes:
        """Return the session's lines as a file would hold them."""
        return b"".join(line + b"\n" for line in self.streams.get(session, ()))

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if self.refusal:
            raise EngineRefusedError(self.refusal)
        if self.failures:
            self.failures -= 1
            raise EngineUnavailableError("the engine cannot be reached")
