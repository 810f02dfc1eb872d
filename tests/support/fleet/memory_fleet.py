"""A fleet in memory: what readers and shippers see of it, and all that can go wrong with it, set by hand."""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from seqthink.core.errors import SeqthinkError
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import Life, Line, ListedName, SentNote, StreamState
from seqthink.sources.fleet.failures import EngineUnavailableError
from seqthink.sources.fleet.layout import SessionName

_Found = TypeVar("_Found", bound=Collection[object])


@dataclass
class MemoryFleet:
    """What the engine holds. Tests change it with the methods; what they leave alone stays as it is."""

    streams: dict[SessionName, dict[int, bytes]] = field(default_factory=dict[SessionName, dict[int, bytes]])
    last_numbers: dict[SessionName, int] = field(default_factory=dict[SessionName, int])
    cards: dict[SessionName, Card] = field(default_factory=dict[SessionName, Card])
    index: dict[SessionName, int] = field(default_factory=dict[SessionName, int])
    alive: set[SessionName] = field(default_factory=set[SessionName])
    shippers: set[str] = field(default_factory=set[str])
    sent: list[tuple[SessionName, SentNote]] = field(default_factory=list[tuple[SessionName, SentNote]])
    moved: list[SessionName] = field(default_factory=list[SessionName])
    failure: SeqthinkError | None = None
    """What every call raises, if anything."""
    opened: int = 0
    """How often it was opened."""
    calls: list[str] = field(default_factory=list[str])
    """The names of the calls that came."""
    changed: threading.Condition = field(default_factory=threading.Condition)

    def open(self) -> "MemoryEngine":
        """Open a connection."""
        self.opened += 1
        return MemoryEngine(self)

    def put(self, name: SessionName, card: Card, *, moved: bool = True) -> None:
        """Put a card, as a shipper does."""
        with self.changed:
            self.cards[name] = card
            self.index[name] = card.last // 1000
            if moved:
                self.moved.append(name)
            self.changed.notify_all()

    def append(self, name: SessionName, lines: Iterable[bytes]) -> None:
        """Append lines to a session."""
        with self.changed:
            stream = self.streams.setdefault(name, {})
            for line in lines:
                self.last_numbers[name] = self.last_numbers.get(name, 0) + 1
                stream[self.last_numbers[name]] = line
            self.changed.notify_all()

    def trim(self, name: SessionName, first: int) -> None:
        """Drop the lines before ``first``."""
        with self.changed:
            for number in [number for number in self.streams[name] if number < first]:
                del self.streams[name][number]

    def forget_all(self) -> None:
        """Lose everything, as an engine without persistence that is started again."""
        with self.changed:
            for held in (self.streams, self.last_numbers, self.cards, self.index):
                held.clear()
            self.alive.clear()
            self.shippers.clear()

    def break_with(self, failure: SeqthinkError | None) -> None:
        """Raise ``failure`` from now on, also in calls that wait; None to be well again."""
        with self.changed:
            self.failure = failure
            self.changed.notify_all()


class MemoryEngine:
    """A connection of a reader to a `MemoryFleet`."""

    def __init__(self, fleet: MemoryFleet) -> None:
        self._fleet = fleet
        self._is_closed = False

    def _enter(self, call: str) -> None:
        self._fleet.calls.append(call)
        self._check()

    def _check(self) -> None:
        if self._is_closed:
            raise EngineUnavailableError("the connection was closed")
        if self._fleet.failure is not None:
            raise self._fleet.failure

    def listed(self, limit: int) -> list[ListedName]:
        """Return the newest sessions."""
        self._enter("listed")
        newest = sorted(self._fleet.index.items(), key=lambda item: (item[1], item[0]), reverse=True)
        return [ListedName(name, score) for name, score in newest[:limit]]

    def cards(self, names: Sequence[SessionName]) -> list[Card | None]:
        """Return cards."""
        self._enter("cards")
        return [self._fleet.cards.get(name) for name in names]

    def lives(self, names: Sequence[SessionName]) -> list[Life]:
        """Return heartbeats."""
        self._enter("lives")
        return [Life(name in self._fleet.alive, name.origin in self._fleet.shippers) for name in names]

    def states(self, names: Sequence[SessionName]) -> list[StreamState]:
        """Return what there is of sessions."""
        self._enter("states")
        return [
            StreamState(min(self._fleet.streams.get(name, {}), default=0), self._fleet.last_numbers.get(name, 0))
            for name in names
        ]

    def lines(self, name: SessionName, after: int, limit_bytes: int) -> list[Line]:
        """Return lines."""
        self._enter("lines")
        found: list[Line] = []
        for line in self._lines(name, after):
            if found and limit_bytes <= 0:
                break
            limit_bytes -= len(line.text)
            found.append(line)
        return found

    def _lines(self, name: SessionName, after: int) -> list[Line]:
        stream = self._fleet.streams.get(name, {})
        return [Line(number, stream[number]) for number in sorted(stream) if number > after]

    def ending(self, name: SessionName, count: int) -> list[Line]:
        """Return the last lines."""
        self._enter("ending")
        return self._lines(name, 0)[-count:]

    def wait(self, after: Mapping[SessionName, int], seconds: float) -> dict[SessionName, list[Line]]:
        """Wait for lines."""
        return self._waited("wait", seconds, lambda: self._arrived(after)) or {}

    def _arrived(self, after: Mapping[SessionName, int]) -> dict[SessionName, list[Line]]:
        found = {name: self._lines(name, number) for name, number in after.items()}
        return {name: lines for name, lines in found.items() if lines}

    def news(self, after: str, seconds: float) -> tuple[str, list[SessionName]]:
        """Wait for news."""
        start = len(self._fleet.moved) if after == "$" else int(after)
        moved = self._waited("news", seconds, lambda: self._fleet.moved[start:]) or []
        return str(start + len(moved)), moved

    def _waited(self, call: str, seconds: float, found: Callable[[], _Found]) -> _Found | None:
        self._enter(call)
        with self._fleet.changed:
            self._fleet.changed.wait_for(lambda: self._is_closed or self._fleet.failure or found(), seconds)
            self._check()
            return found()

    def send_note(self, name: SessionName, note: SentNote) -> None:
        """Take a note."""
        self._enter("send_note")
        self._fleet.sent.append((name, note))

    def tidy(self) -> int:
        """Remove what has no card from the index."""
        stale = self._fleet.index.keys() - self._fleet.cards.keys()
        for name in stale:
            del self._fleet.index[name]
        return len(stale)

    def close(self) -> None:
        """End what waits."""
        with self._fleet.changed:
            self._is_closed = True
            self._fleet.changed.notify_all()
