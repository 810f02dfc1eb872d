"""Does slow work that may be needed later, in a thread that pauses while messages are handled.

The work is mostly imports. The thread lets go of the interpreter often, so that a message that comes meanwhile is
answered by the main thread, and it begins no further module before that is done. Whatever the work does, the main
thread stays free: a module that fails, ends the program or never ends does so in the thread. Standard library only;
nothing is loaded, and no thread exists, before the work begins.
"""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from seqthink.core.errors import SeqthinkError

if TYPE_CHECKING:
    import threading

Result = TypeVar("Result")

_SWITCH_SECONDS: Final = 0.0005
"""How long the thread may keep the interpreter from the main thread, except in native code; usually it is 5 ms."""
_MAX_PAUSE_SECONDS: Final = 0.05
"""How long one module waits at most: the main thread may in turn wait for a module that the thread has begun."""
_CHECK_SECONDS: Final = 0.05
"""How often a thread that waits for the work asks whether it still may; the end of the work ends the wait at once."""
_MAX_REASON_CHARS: Final = 300


class LoadingFailedError(SeqthinkError):
    """What is needed could not be loaded; the message says why."""


class _AbandonedError(BaseException):
    """Ends the work; not an ``Exception``, so that no module that is being imported takes it for its own."""


class IdleLoading(Generic[Result]):
    """Calls ``work`` in a thread of its own, from `begin` or `finish` on."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._results: list[Result] = []
        self._failure: BaseException | None = None
        self._thread: threading.Thread | None = None
        self._may_go_on: threading.Event | None = None
        self._is_abandoned = False

    @property
    def has_begun(self) -> bool:
        """Whether the work was begun."""
        return self._thread is not None

    def begin(self) -> None:
        """Start the work in a thread."""
        import threading  # noqa: PLC0415 - not in a session that needs no SDK

        self._failure = None
        self._may_go_on = threading.Event()
        self._may_go_on.set()
        # A thread that hangs must not keep the process; `abandon` gives any other the time to end.
        self._thread = threading.Thread(target=self._run, name="idle loading", daemon=True)
        self._thread.start()

    def stand_back(self) -> None:
        """Let the thread begin no further module until `go_on`: there is a message to handle."""
        if self._may_go_on is not None:
            self._may_go_on.clear()

    def go_on(self) -> None:
        """Let the thread continue."""
        if self._may_go_on is not None:
            self._may_go_on.set()

    def finish(self, may_wait: Callable[[], bool]) -> Result:
        """Wait until the work is done, and return its result; begin it if it was not begun.

        Work that has failed in idle time is tried once more: that time there may have been no memory for it.

        Raises:
            LoadingFailedError: it failed, or it is not done and ``may_wait``, asked from time to time, says no.
        """
        was_begun = self.has_begun
        for attempt in range(2 if was_begun else 1):
            if attempt or not was_begun:
                self.begin()
            self.go_on()
            if not self._has_ended(may_wait):
                raise LoadingFailedError("it takes too long")
            if self._results:
                return self._results[0]
        raise LoadingFailedError(_reason(self._failure)) from self._failure

    def abandon(self, seconds: float) -> None:
        """End the work at the next module, and wait for that, but no longer than ``seconds``."""
        self._is_abandoned = True
        self.go_on()
        if self._thread is not None:
            self._thread.join(seconds)

    def find_spec(self, _name: str, _path: Sequence[str] | None, _target: object = None) -> None:
        """Find nothing: as the first finder on `sys.meta_path`, wait before a module is loaded."""
        assert self._may_go_on is not None
        if not self._is_own_thread():
            return
        self._may_go_on.wait(_MAX_PAUSE_SECONDS)
        if self._is_abandoned:
            raise _AbandonedError

    def _has_ended(self, may_wait: Callable[[], bool]) -> bool:
        """Wait until the thread ends or ``may_wait`` returns False; return whether it has ended."""
        assert self._thread is not None
        while self._thread.is_alive():
            if not may_wait():
                return False
            self._thread.join(_CHECK_SECONDS)
        return True

    def _is_own_thread(self) -> bool:
        import threading  # noqa: PLC0415 - loaded by `begin`

        return threading.current_thread() is self._thread

    def _run(self) -> None:
        usual_seconds = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_SECONDS)
        sys.meta_path.insert(0, self)
        try:
            self._results.append(self._work())
        except BaseException as failure:  # noqa: BLE001 - an error only when the result is needed; also `sys.exit`
            self._failure = failure
        finally:
            sys.meta_path.remove(self)
            sys.setswitchinterval(usual_seconds)


def _reason(failure: BaseException | None) -> str:
    text = " ".join(f"{type(failure).__name__}: {failure}".split())
    return text if len(text) <= _MAX_REASON_CHARS else f"{text[:_MAX_REASON_CHARS]}…"
