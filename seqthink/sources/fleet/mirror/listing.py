"""What is known of a fleet's sessions: their cards, whose heartbeats there are, and their order."""

import re
import threading
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from seqthink.core.times import datetime_of
from seqthink.journal.folder import SUFFIX
from seqthink.journal.store import SessionFile
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import FleetEngine, Life, ListedName
from seqthink.sources.fleet.failures import ReplyTooLargeError
from seqthink.sources.fleet.layout import SessionName

FIRST_ROWS: Final = 64
"""How many of the newest sessions are asked about at each look."""
MAX_AGE_MICROSECONDS: Final = 60_000_000
"""How long what is known of a session counts if nothing says that it moved."""
MAX_AGED: Final = 500
"""How many sessions are asked about at a look only because of their age."""
_BATCH: Final = 500
"""Cards that are asked for at a time."""
_ORIGIN = re.compile(r"(.+)-[a-z2-7]{6}")
_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


class KnownSession(NamedTuple):
    """What is known of a session."""

    name: SessionName
    card: Card
    life: Life
    score: int
    """Its place in the index."""
    asked: int
    """When it was asked about, by our clock in microseconds since 1970."""
    changed: int
    """When we saw it change, likewise; 0 if we did not."""
    file: SessionFile


class Listing:
    """The sessions of a fleet as they were at the last look. Any thread may read it; one at a time may change it.

    Args:
        folder: where their files are to be.
        clock: returns the time in microseconds since 1970.
    """

    def __init__(self, folder: Path, clock: Callable[[], int]) -> None:
        self._folder, self._clock = folder, clock
        self._lock = threading.Lock()
        self._known: dict[SessionName, KnownSession] = {}
        self._names: dict[Path, SessionName] = {}
        self._shown: set[SessionName] = set()
        self.files: list[SessionFile] = []
        """The sessions, the newest first; another list as soon as anything in it changes."""

    def get(self, name: SessionName) -> KnownSession | None:
        """Return what is known of a session."""
        return self._known.get(name)

    def name_of(self, path: Path) -> SessionName | None:
        """Return the session whose file is at ``path``, if it was ever seen."""
        return self._names.get(path)

    def path_of(self, name: SessionName) -> Path:
        """Return where the file of a session is."""
        known = self._known.get(name)
        if known is not None:
            return known.file.path
        path = self._folder / name.origin / f"{name.session}{SUFFIX}"
        self._names[path] = name
        return path

    def refresh(self, engine: FleetEngine, limit: int) -> None:
        """Look at the ``limit`` sessions that changed last. Raises as the engine does."""
        listed = engine.listed(limit)
        asked = self._to_ask(listed)
        alive = {one.name for one in listed if (known := self._known.get(one.name)) is not None and known.life.session}
        self._ask(engine, asked)
        self.look_at_lives(engine, list(alive.difference(one.name for one in asked)))
        with self._lock:
            self._shown = {one.name for one in listed if one.name in self._known}
            self._sort()

    def look_at(self, engine: FleetEngine, names: Sequence[ListedName]) -> list[Path]:
        """Look at some sessions, which are listed from now on; return the files of those that there are."""
        self._ask(engine, names)
        with self._lock:
            found = [one.name for one in names if one.name in self._known]
            if found:
                self._shown.update(found)
                self._sort()
            return [self._known[name].file.path for name in found]

    def look_at_lives(self, engine: FleetEngine, names: Sequence[SessionName]) -> None:
        """Look whose heartbeats there are. Raises as the engine does."""
        lives = engine.lives(names) if names else []
        for name, life in zip(names, lives, strict=False):
            known = self._known.get(name)
            if known is not None and known.life != life:
                self._known[name] = known._replace(life=life)

    def _to_ask(self, listed: list[ListedName]) -> list[ListedName]:
        """Return the sessions that moved, that may, and those that nobody asked about for long."""
        now, aged = self._clock(), 0
        found: list[ListedName] = []
        for place, one in enumerate(listed):
            known = self._known.get(one.name)
            if known is None or known.score != one.last or place < FIRST_ROWS:
                found.append(one)
            elif now - known.asked > MAX_AGE_MICROSECONDS and aged < MAX_AGED:
                aged += 1
                found.append(one)
        return found

    def _ask(self, engine: FleetEngine, names: Sequence[ListedName]) -> None:
        for start in range(0, len(names), _BATCH):
            batch = names[start : start + _BATCH]
            plain = [one.name for one in batch]
            cards, lives = in_parts(engine.cards, plain), engine.lives(plain)
            now = self._clock()
            for one, card, life in zip(batch, cards, lives, strict=False):
                self._remember(one, card, life, now)

    def _remember(self, one: ListedName, card: Card | None, life: Life, now: int) -> None:
        known = self._known.get(one.name)
        if card is None:
            self._known.pop(one.name, None)
        elif known is not None and known.card == card:
            self._known[one.name] = known._replace(life=life, score=one.last, asked=now)
        else:
            file = SessionFile(one.name.session, self.path_of(one.name), card.bytes, _time_of(card, one.last, now))
            changed = now if known is not None else 0
            self._known[one.name] = KnownSession(one.name, card, life, one.last, now, changed, file)

    def _sort(self) -> None:
        shown = [known for name in self._shown if (known := self._known.get(name)) is not None]
        shown.sort(key=lambda known: (known.file.last, known.name.session, known.name.origin), reverse=True)
        files = [known.file for known in shown]
        if files != self.files:
            self.files = files

    def forget(self, kept: Collection[SessionName]) -> None:
        """Forget the sessions that are neither listed nor among those that are kept."""
        with self._lock:
            wanted = self._shown | set(kept)
            for name in [name for name in list(self._known) if name not in wanted]:
                self._known.pop(name, None)
            for path in [path for path, name in list(self._names.items()) if name not in wanted]:
                self._names.pop(path, None)


def host_of_origin(origin: str) -> str:
    """Return the machine's name in an origin's: ``build17`` of ``build17-a2b3c4``."""
    found = _ORIGIN.fullmatch(origin)
    return found[1] if found else origin


def in_parts(ask: Callable[[Sequence[_Item]], list[_Answer | None]], items: Sequence[_Item]) -> list[_Answer | None]:
    """Return the answers about some things; None about one whose answer alone is too large."""
    try:
        return ask(items)
    except ReplyTooLargeError:
        if len(items) <= 1:
            return [None] * len(items)
        middle = len(items) // 2
        return in_parts(ask, items[:middle]) + in_parts(ask, items[middle:])


def _time_of(card: Card, score: int, now: int) -> datetime:
    """Return when a session changed last: never in the future of our clock, whatever its machine's says."""
    return datetime_of(max(0, min(card.last or score * 1000, now)))
