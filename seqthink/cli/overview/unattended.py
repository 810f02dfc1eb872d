"""Watches all sessions without a viewer: starts the user's commands, and prints what sessions have come to."""

import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from datetime import datetime
from functools import partial
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Final

from seqthink.cli.common import print_stderr
from seqthink.cli.standard_output import output
from seqthink.core.background import keep_running_sync
from seqthink.drawing.describe import units
from seqthink.journal.folder import seqthink_home
from seqthink.library.viewer_store.folder import viewer_folder
from seqthink.share.notify.facts import facts_of
from seqthink.share.notify.occasions import Occasion
from tui.sessions.wall_notifying import WallNotifier
from tui.sessions.wall_sessions import WallSessions

if TYPE_CHECKING:
    from seqthink.cli.preferences import Preferences
    from seqthink.journal.decode import LineDecoder
    from seqthink.library.catalog.session_catalog import SessionCatalog

TASK: Final = "watching the sessions"
LOOK_SECONDS: Final = 2.0
_TIME_FACTOR: Final = 20
"""The shortest pause between two looks at the sessions, in seconds and as a multiple of the look's own time."""
_BEHIND_SECONDS: Final = 0.05
"""The same while a look has left something to the next one."""
_END_SECONDS: Final = 1.0
"""How long the end waits for a look."""


class Unattended:
    """Looks at the sessions until it is ended.

    Args:
        catalog: all sessions.
        preferences: the commands, and how long a session may be silent.
        decode: decodes lines of journals; redacts if that is on.
        begin: is called once all sessions were read, with how many are live or recent.
    """

    def __init__(
        self,
        catalog: "SessionCatalog",
        preferences: "Preferences",
        decode: "LineDecoder",
        begin: Callable[[int], object] = lambda _count: None,
    ) -> None:
        folder = viewer_folder(seqthink_home(os.environ))
        self._catalog = catalog
        self._begin = begin
        self._has_begun = False
        self._list_at = 0.0
        self._wall = WallSessions(catalog, now_microseconds, decode, preferences.stuck)
        self._notifier = WallNotifier(catalog, preferences.commands, folder, now_microseconds, print_stderr)
        self._ended = threading.Event()
        self._error = ""

    def run(self, show: Callable[[list[Occasion]], object]) -> None:
        """Look again and again; ``show`` gets what is new."""
        keep_running_sync(
            partial(self._look, show), TASK, self._report, wait=self._ended.wait, is_over=self._ended.is_set
        )

    def _look(self, show: Callable[[list[Occasion]], object]) -> None:
        while not self._ended.is_set():
            began = thread_time()
            if monotonic() >= self._list_at:
                self._catalog.refresh()
                self._list_at = monotonic() + LOOK_SECONDS
            self._wall.refresh()
            self._report(TASK, f"{TASK}: {self._wall.error}; trying again" if self._wall.error else self._wall.lost)
            found, had_begun = self._notifier.look(self._wall), self._has_begun
            self._has_begun = self._notifier.has_begun
            if self._has_begun and not had_begun:
                self._begin(len(self._wall.entries))
            if found:
                show(found)
            pause = max(LOOK_SECONDS, _TIME_FACTOR * (thread_time() - began))
            self._ended.wait(_BEHIND_SECONDS if self._wall.is_behind else pause)

    def _report(self, _name: str, trouble: str) -> None:
        """Say what is wrong, once."""
        if trouble and trouble != self._error:
            print_stderr(trouble)
        self._error = trouble

    def close(self) -> None:
        """End, and start no further command."""
        self._ended.set()
        self._notifier.close()


@contextmanager
def notifying(catalog: "SessionCatalog", preferences: "Preferences", decode: "LineDecoder") -> Generator[None]:
    """Start the user's commands from a thread until the block is left; do nothing if there are none."""
    if not preferences.commands:
        yield
        return
    with closing(Unattended(catalog, preferences, decode)) as unattended:
        thread = threading.Thread(target=unattended.run, args=(_show_nothing,), name=TASK, daemon=True)
        thread.start()
        yield
    thread.join(_END_SECONDS)


def report_occasions(catalog: "SessionCatalog", preferences: "Preferences", decode: "LineDecoder") -> int:
    """Print a line whenever a session needs the user or has ended, and start their commands, until Ctrl-C."""
    states = ", ".join(preferences.commands) or "no state, see `seqthink settings`"

    def begin(count: int) -> None:
        print_stderr(f"watching {units.count(count, 'recent session')} and new ones; commands for: {states}")

    with output() as out, closing(Unattended(catalog, preferences, decode, begin)) as unattended:

        def show(found: list[Occasion]) -> None:
            now = now_microseconds()
            time_of_day = datetime.fromtimestamp(now / 1_000_000).astimezone().isoformat(timespec="seconds")
            out.writelines(f"{time_of_day} {facts_of(occasion, now)['text']}\n" for occasion in found)
            out.flush()

        unattended.run(show)
    return 0


def _show_nothing(_found: list[Occasion]) -> None:
    """Show nothing: pages show it."""


def now_microseconds() -> int:
    """Return the time in microseconds since 1970."""
    return time.time_ns() // 1000
