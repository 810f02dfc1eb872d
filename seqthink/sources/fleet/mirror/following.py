"""Keeps the mirrors of sessions up to date that somebody looks at: one thread and one connection for all of them."""

import random
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final

from seqthink.core.background import keep_running_sync
from seqthink.core.errors import SeqthinkError
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import FleetEngine, Line
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.mirror.catching_up import catch_up, head_line
from seqthink.sources.fleet.mirror.engine_link import EngineLink, TroubleBoard
from seqthink.sources.fleet.mirror.listing import Listing
from seqthink.sources.fleet.mirror.mirror_file import MirrorFile

LOOK_SECONDS: Final = 2.0
"""How often the heartbeats of followed sessions are looked at, and how long the thread waits for lines at most."""
LOST_LOOK_SECONDS: Final = 0.1
"""The same at first while the engine has fewer lines than we have: its machine is about to send them again."""
FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS, REFUSED_PAUSE_SECONDS = 0.05, 1.0, 30.0
"""Pauses before the connection is opened again: each is twice the one before, up to a bound."""


class Follower:
    """Follows sessions until it is closed. Any thread may call it.

    Args:
        open_engine: opens a connection.
        board: where trouble is noted.
        listing: what is known of the sessions.
    """

    def __init__(self, open_engine: Callable[[], FleetEngine], board: TroubleBoard, listing: Listing) -> None:
        self._link, self._board, self._listing = EngineLink(open_engine, board), board, listing
        self._condition = threading.Condition()
        self._mirrors: dict[SessionName, MirrorFile] = {}
        self._behind: set[SessionName] = set()
        self._is_waiting = self._is_closed = self._has_answered = False
        self._thread: threading.Thread | None = None

    @property
    def names(self) -> frozenset[SessionName]:
        """The sessions that are followed."""
        with self._condition:
            return frozenset(self._mirrors)

    def add(self, name: SessionName, mirror: MirrorFile) -> None:
        """Follow a session from now on."""
        with self._condition:
            if self._is_closed or self._mirrors.get(name) is mirror:
                return
            self._mirrors[name] = mirror
            self._behind.add(name)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="fleet follower", daemon=True)
                self._thread.start()
            if self._is_waiting:
                self._link.interrupt()
            self._condition.notify_all()

    def remove(self, name: SessionName) -> None:
        """Follow a session no longer."""
        with self._condition:
            self._mirrors.pop(name, None)
            self._behind.discard(name)

    def close(self) -> None:
        """End the thread. Calling it again does nothing."""
        with self._condition:
            self._is_closed = True
            self._mirrors.clear()
            self._condition.notify_all()
        self._link.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(LOOK_SECONDS)

    def _run(self) -> None:
        keep_running_sync(
            self._follow_all,
            "following the fleet",
            self._board.tasks.report,
            wait=self._pause,
            is_over=lambda: self._is_closed,
        )

    def _follow_all(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while self._wait_for_work():
            try:
                self._follow()
            except EngineUnavailableError:
                pause = FIRST_PAUSE_SECONDS if self._has_answered else pause
                self._has_answered = False
                if not self._link.was_interrupted:
                    self._pause(pause * random.uniform(0.5, 1))
                    pause = min(2 * pause, MAX_PAUSE_SECONDS)
            except SeqthinkError as error:  # the engine refuses, or what opens it does
                self._board.report(error)
                self._pause(REFUSED_PAUSE_SECONDS)

    def _wait_for_work(self) -> bool:
        with self._condition:
            self._condition.wait_for(lambda: self._mirrors or self._is_closed)
            return not self._is_closed

    def _pause(self, seconds: float) -> None:
        with self._condition:
            self._condition.wait_for(lambda: self._is_closed, seconds)

    def _follow(self) -> None:
        """Follow as long as the connection holds and there is something to follow. Raises as the engine does."""
        self._compare_all()
        due, lost_seconds = monotonic(), LOST_LOOK_SECONDS
        while self.names:
            if monotonic() >= due:
                self._link.call(self._look)
                self._has_answered = True
                self._board.tasks.report("following the fleet", "")
                due = monotonic() + LOOK_SECONDS
            if not self._catch_up():
                due = monotonic()  # only a look at what came for the others
            elif self._has_lost_lines():
                due = monotonic() + lost_seconds
                lost_seconds = min(2 * lost_seconds, LOOK_SECONDS)
            else:
                lost_seconds = LOST_LOOK_SECONDS
            self._link.call(lambda engine, due=due: self._wait(engine, max(0.01, due - monotonic())))

    def _has_lost_lines(self) -> bool:
        with self._condition:
            positions = [mirror.position for mirror in self._mirrors.values() if not mirror.problem]
        return any(one.last and not one.is_compared for one in positions)

    def _compare_all(self) -> None:
        with self._condition:
            self._behind.update(self._mirrors)
            mirrors = list(self._mirrors.values())
        for mirror in mirrors:
            mirror.forget_comparison()

    def _look(self, engine: FleetEngine) -> None:
        """Look at the heartbeats, and whether an engine lost lines that we have."""
        with self._condition:
            mirrors = {name: mirror for name, mirror in self._mirrors.items() if not mirror.problem}
            followed = list(self._mirrors)
        names = list(mirrors)
        self._listing.look_at_lives(engine, followed)
        for name, state in zip(names, engine.states(names), strict=False):
            mirror = mirrors[name]
            position = mirror.position
            if position.is_compared and state.last < position.last:
                mirror.forget_comparison()
            if not mirror.position.is_compared or state.last > position.last:
                with self._condition:
                    self._behind.add(name)

    def _catch_up(self) -> bool:
        """Make one step for each session that is behind, so that a long one keeps no other waiting.

        Returns whether none is behind any more.
        """
        with self._condition:
            behind = {name: mirror for name, mirror in self._mirrors.items() if name in self._behind}
            self._behind.clear()
        left = {name for name, mirror in behind.items() if not self._step(name, mirror)}
        with self._condition:
            self._behind |= left
            return not self._behind

    def _step(self, name: SessionName, mirror: MirrorFile) -> bool:
        try:
            return self._link.call(lambda engine: catch_up(engine, name, mirror, self._card(name)))
        except (EngineUnavailableError, EngineRefusedError):
            raise
        except SeqthinkError as error:  # a line that is larger than any
            mirror.stop(str(error))
            return True

    def _wait(self, engine: FleetEngine, seconds: float) -> None:
        with self._condition:
            mirrors = {name: mirror for name, mirror in self._mirrors.items() if not mirror.problem}
            positions = {name: mirror.position for name, mirror in mirrors.items()}
            # Of one that is not compared, lines behind ours are useless: it is looked at every now and then.
            after = {name: one.last for name, one in positions.items() if one.is_compared or not one.last}
            after = {name: last for name, last in after.items() if name not in self._behind}
            if self._is_closed:
                return
            if not after:
                self._condition.wait_for(lambda: self._behind or self._is_closed, seconds)
                return
            self._is_waiting = True
        try:
            arrived = engine.wait(after, seconds)
        finally:
            self._is_waiting = False
        for name, lines in arrived.items():
            if name in mirrors:
                self._append(name, mirrors[name], positions[name].generation, lines)

    def _append(self, name: SessionName, mirror: MirrorFile, generation: int, lines: list[Line]) -> None:
        mirror.append(lines, generation, head_line(self._card(name)))
        with self._condition:
            if name in self._mirrors and mirror.position.generation != generation:
                self._behind.add(name)

    def _card(self, name: SessionName) -> Card | None:
        known = self._listing.get(name)
        return known.card if known is not None else None
