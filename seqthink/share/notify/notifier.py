"""Starts the user's commands on occasions: each once, in one viewer of several, and never in the caller's way."""

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from seqthink.core.errors import UsageError, reason_of
from seqthink.library.viewer_store.notified import NotifiedSessions
from seqthink.share.notify.commands import run_command
from seqthink.share.notify.facts import facts_of, json_line, variables_of
from seqthink.share.notify.occasions import Occasion
from seqthink.share.notify.states import OF_AN_EVENT, NotifyState

MAX_AT_ONCE: Final = 4
"""Commands that run at a time; further ones wait for their turn."""
MAX_WAITING: Final = 200
"""Occasions that wait; the oldest are given up first."""


class Notifier:
    """Runs commands in threads, which do not keep the program from ending; what runs then goes on without it.

    Args:
        commands: the words of each command, by the state that it is for.
        notified: what several viewers remember together; None if nothing is remembered.
        clock: returns microseconds since 1970.
        say: is called in a thread with a sentence about a command that does not work, once for each state.
    """

    def __init__(
        self,
        commands: Mapping[str, Sequence[str]],
        notified: NotifiedSessions | None,
        clock: Callable[[], int],
        say: Callable[[str], object],
    ) -> None:
        self._commands = commands
        self._notified = notified
        self._clock = clock
        self._say = say
        self._waiting: deque[Occasion] = deque(maxlen=MAX_WAITING)
        self._lock = threading.Lock()
        self._thread_count = 0
        self._said: set[str] = set()

    def add(self, occasions: Sequence[Occasion]) -> None:
        """Start what the user wants on these occasions, soon."""
        with self._lock:
            self._waiting.extend(occasions)
            wanted = min(MAX_AT_ONCE, len(self._waiting)) - self._thread_count
            self._thread_count += max(0, wanted)
        for _ in range(wanted):
            threading.Thread(target=self._work, name="commands", daemon=True).start()

    @property
    def is_idle(self) -> bool:
        """Whether no command runs or waits."""
        with self._lock:
            return not self._thread_count and not self._waiting

    def close(self) -> None:
        """Start no further command."""
        self._waiting.clear()

    def _work(self) -> None:
        while (occasion := self._next()) is not None:
            words = self._commands.get(occasion.state)
            if self._is_first(occasion) and words:
                self._run(occasion, words)

    def _next(self) -> Occasion | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._thread_count -= 1
            return None

    def _is_first(self, occasion: Occasion) -> bool:
        """Return whether nobody has started a command on an occasion; True if that cannot be known."""
        if self._notified is None:
            return True
        ends = frozenset(NotifyState) - OF_AN_EVENT if occasion.state in OF_AN_EVENT else ()
        try:
            return self._notified.claim(occasion.subject.session, occasion.state, occasion.mark, ends=ends)
        except (OSError, UsageError) as error:
            self._say_once("", f"notify: several viewers may start a command each: {reason_of(error)}")
            return True

    def _run(self, occasion: Occasion, words: Sequence[str]) -> None:
        facts = facts_of(occasion, self._clock())
        outcome = run_command(words, variables_of(facts), json_line(facts))
        if outcome.problem:
            self._say_once(occasion.state, f"notify.{occasion.state}: {outcome.problem}")

    def _say_once(self, about: str, sentence: str) -> None:
        with self._lock:
            is_new = about not in self._said
            self._said.add(about)
        if is_new:
            self._say(sentence)
