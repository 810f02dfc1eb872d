"""Work in a thread of its own, which a command can leave behind: some calls of the system cannot be ended.

A look-up of a name and the opening of an encrypted connection end when the other side wants them to.
"""

from collections.abc import Callable
from threading import Thread
from typing import Final, Generic, TypeVar

_LOOK_SECONDS: Final = 0.5
"""How often the main thread wakes while it waits, for the systems on which a signal does not wake it."""
_Result = TypeVar("_Result")


class BackgroundWork(Generic[_Result]):
    """Begins ``work`` at once; the process may end before it does."""

    def __init__(self, work: Callable[[], _Result]) -> None:
        self._work = work
        self._results: list[_Result] = []
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as error:  # noqa: BLE001 - it is raised again where the result is asked for
            self._error = error

    def has_ended(self, seconds: float) -> bool:
        """Wait at most so long; return whether it has ended."""
        left = seconds
        while left > 0 and self._thread.is_alive():
            self._thread.join(min(left, _LOOK_SECONDS))
            left -= _LOOK_SECONDS
        return not self._thread.is_alive()

    def result(self) -> _Result:
        """Return what the work returned, or raise what it raised. It must have ended."""
        if self._error is not None:
            raise self._error
        return self._results[0]
