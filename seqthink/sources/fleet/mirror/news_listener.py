"""Listens which sessions of a fleet move, so that lists of them change by themselves."""

import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from seqthink.core.background import keep_running_sync
from seqthink.core.errors import SeqthinkError
from seqthink.sources.fleet.engine import FleetEngine, ListedName
from seqthink.sources.fleet.failures import EngineUnavailableError
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.mirror.engine_link import EngineLink, TroubleBoard
from seqthink.sources.fleet.mirror.following import FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS, REFUSED_PAUSE_SECONDS
from seqthink.sources.fleet.mirror.listing import Listing

WAIT_SECONDS: Final = 2.0
"""How long the thread waits for news at most."""
BETWEEN_SECONDS: Final = 0.2
"""The shortest time between two looks, so that a large fleet does not keep a viewer busy."""
MAX_MOVED: Final = 500
"""How many sessions are looked at after one wait; more are found by the next look at the whole list."""


class NewsListener:
    """Announces changes until it is closed.

    Args:
        open_engine: opens a connection.
        board: where trouble is noted.
        listing: what is known of the sessions; those that moved are looked at.
        notify: is called in a thread with the files of the sessions that moved, and with none when the engine is lost
            or back.
    """

    def __init__(
        self,
        open_engine: Callable[[], FleetEngine],
        board: TroubleBoard,
        listing: Listing,
        notify: Callable[[list[Path]], None],
    ) -> None:
        self._link, self._board, self._listing, self._notify = EngineLink(open_engine, board), board, listing, notify
        self._closed = threading.Event()
        self._after = "$"
        self._thread = threading.Thread(target=self._run, name="fleet news", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread. Calling it again does nothing."""
        self._closed.set()
        self._link.close()
        if self._thread is not threading.current_thread():
            self._thread.join(WAIT_SECONDS)

    def _run(self) -> None:
        keep_running_sync(
            self._notify_all,
            "the news of the fleet",
            self._board.tasks.report,
            wait=self._closed.wait,
            is_over=self._closed.is_set,
        )

    def _notify_all(self) -> None:
        pause, is_lost = FIRST_PAUSE_SECONDS, False
        while not self._closed.is_set():
            try:
                moved = self._link.call(self._is_there if is_lost else self._listen)
            except EngineUnavailableError:
                is_lost = self._say_lost(is_lost=is_lost)
                self._closed.wait(pause * random.uniform(0.5, 1))
                pause = min(2 * pause, MAX_PAUSE_SECONDS)
            except SeqthinkError as error:  # the engine refuses, or what opens it does
                self._board.report(error)
                is_lost = self._say_lost(is_lost=is_lost)
                self._closed.wait(REFUSED_PAUSE_SECONDS)
            else:
                pause = FIRST_PAUSE_SECONDS
                self._board.tasks.report("the news of the fleet", "")
                if moved or is_lost:
                    is_lost = False
                    self._notify(moved)
                    self._closed.wait(BETWEEN_SECONDS)

    def _say_lost(self, *, is_lost: bool) -> bool:
        self._after = "$"  # another engine has other ids
        if not is_lost and not self._closed.is_set():
            self._notify([])
        return True

    @staticmethod
    def _is_there(engine: FleetEngine) -> list[Path]:
        """Ask something that is answered at once, so that nobody waits for news to hear that the engine is back."""
        engine.listed(1)
        return []

    def _listen(self, engine: FleetEngine) -> list[Path]:
        self._after, names = engine.news(self._after, WAIT_SECONDS)
        moved = list(dict.fromkeys(names))[:MAX_MOVED]
        return self._listing.look_at(engine, [ListedName(name, self._score(name)) for name in moved]) if moved else []

    def _score(self, name: SessionName) -> int:
        known = self._listing.get(name)
        return known.score if known is not None else 0
