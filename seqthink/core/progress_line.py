"""One line on a terminal that says how far something is."""

import time
from collections.abc import Callable
from typing import Final, TextIO

FIRST_SECONDS: Final = 0.5
"""What is done sooner has no line."""
STEP_SECONDS: Final = 0.25
"""The shortest time between two changes of the line."""
_REST_ERASED: Final = "\x1b[K"


class ProgressLine:
    """A line that is rewritten in place; nothing where there is no terminal, or where it is gone.

    Args:
        screen: stderr, or its replacement.
        clock: returns seconds that never go back.
    """

    def __init__(self, screen: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._screen = screen if screen is not None and screen.isatty() else None
        self._clock = clock
        self._next = clock() + FIRST_SECONDS
        self._is_shown = False

    @property
    def is_on_a_terminal(self) -> bool:
        """Whether there is somebody to read it."""
        return self._screen is not None

    def show(self, words: Callable[[], str]) -> None:
        """Show a text, unless it is too early for the first one or the next one."""
        if self._screen is not None and (now := self._clock()) >= self._next:
            self._next = now + STEP_SECONDS
            self.rewrite(words())

    def rewrite(self, text: str) -> None:
        """Show a text now."""
        self._is_shown = True
        self._write(f"\r{text}{_REST_ERASED}")

    def finish(self, text: str) -> None:
        """Show a last text, which stays."""
        self._is_shown = False
        self._write(f"\r{text}{_REST_ERASED}\n")

    def clear(self) -> None:
        """Take the line away, so that something else can be printed; the next text shows it again."""
        if self._is_shown:
            self._is_shown = False
            self._write(f"\r{_REST_ERASED}")

    def _write(self, text: str) -> None:
        if self._screen is None:
            return
        try:
            self._screen.write(text)
            self._screen.flush()
        except (OSError, ValueError):  # the terminal is gone
            self._screen = None
