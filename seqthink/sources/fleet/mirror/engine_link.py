"""A connection to the engine for one kind of work, opened when it is needed, and again after trouble."""

import threading
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from seqthink.core.background import Troubles
from seqthink.core.errors import SeqthinkError
from seqthink.sources.fleet.engine import FleetEngine
from seqthink.sources.fleet.failures import EngineUnavailableError

_Answer = TypeVar("_Answer")


class Trouble(NamedTuple):
    """Why the engine is not there."""

    sentence: str
    """What is wrong, in words that may be shown."""
    since: int
    """Since when, in microseconds since 1970 by our clock."""


class TroubleBoard:
    """Where all connections of a folder say whether the engine is there. Any thread may call it.

    Args:
        clock: returns the time in microseconds since 1970.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self.trouble: Trouble | None = None
        """Why the engine is not there; None while it is."""
        self.tasks = Troubles()
        """What else is wrong with the threads that ask the engine."""
        self.outages = 0
        """How often it was away."""

    def report(self, error: SeqthinkError) -> None:
        """Note that the engine did not answer."""
        with self._lock:
            since = self.trouble.since if self.trouble is not None else self._clock()
            self.outages += self.trouble is None
            self.trouble = Trouble(str(error), since)

    def clear(self) -> None:
        """Note that it answered."""
        if self.trouble is not None:
            with self._lock:
                self.trouble = None


class EngineLink:
    """A connection for one kind of work. Any thread may call it; one is served at a time.

    Args:
        open_engine: opens a connection.
        board: where trouble is noted.
    """

    def __init__(self, open_engine: Callable[[], FleetEngine], board: TroubleBoard) -> None:
        self._open_engine, self._board = open_engine, board
        self._lock = threading.Lock()
        self._engine: FleetEngine | None = None
        self._is_closed = self._is_interrupted = False
        self.opened = 0
        """How often it was opened."""

    def call(self, work: Callable[[FleetEngine], _Answer]) -> _Answer:
        """Return what ``work`` returns, given the engine.

        Raises:
            EngineUnavailableError: the engine is not there; it is opened again by the next call.
            EngineRefusedError: it will not serve this user.
        """
        with self._lock:
            if self._is_closed:
                raise EngineUnavailableError("the connection to the fleet was closed")
            if self._is_interrupted:  # perhaps after the call that it was meant for
                self._drop()
                self._is_interrupted = False
            try:
                if self._engine is None:
                    self._engine = self._open_engine()
                    self.opened += 1
                answer = work(self._engine)
            except EngineUnavailableError as error:
                self._drop()
                if not (self._is_interrupted or self._is_closed):
                    self._board.report(error)
                raise
            self._board.clear()
            return answer

    @property
    def was_interrupted(self) -> bool:
        """Whether the last call ended because of `interrupt`."""
        return self._is_interrupted

    def interrupt(self) -> None:
        """Make a call that waits end; the next call opens the connection again."""
        self._is_interrupted = True
        engine = self._engine
        if engine is not None:
            engine.close()

    def close(self) -> None:
        """Close the connection; a call that waits ends."""
        self._is_closed = True
        engine = self._engine
        if engine is not None:
            engine.close()

    def _drop(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None
