"""Does slow work that may be needed later, in a thread that stands back while messages are handled.

The work is mostly imports. The thread lets go of the interpreter often, so that a message that comes meanwhile is
answered by the main thread, and it begins no further module before that is done. Standard library only; nothing is
loaded, and no thread exists, before the work begins.
"""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    import threading

Result = TypeVar("Result")

_SWITCH_SECONDS: Final = 0.0005
"""How long the thread may keep the interpreter from the main thread, except in native code; usually it is 5 ms."""
_MAX_PAUSE_SECONDS: Final = 0.05
"""How long one module waits at most: the main thread may in turn wait for a module that the thread has begun."""


class _AbandonedError(BaseException):
    """Ends the work; not an ``Exception``, so that no module that is being imported takes it for its own."""


class IdleLoading(Generic[Result]):
    """Calls ``work`` once: in a thread of its own, from `begin` on."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._result: Result | None = None
        self._thread: threading.Thread | None = None
        self._may_go_on: threading.Event | None = None
        self._is_abandoned = False

    @property
    def has_begun(self) -> bool:
        """Whether `begin` was called."""
        return self._thread is not None

    def begin(self) -> None:
        """Start the work in a thread."""
        import threading  # noqa: PLC0415 - not in a session that needs no SDK

        self._may_go_on = threading.Event()
        self._may_go_on.set()
        self._thread = threading.Thread(target=self._run, name="idle loading")
        self._thread.start()

    def stand_back(self) -> None:
        """Let the thread begin no further module until `go_on`: there is a message to handle."""
        if self._may_go_on is not None:
            self._may_go_on.clear()

    def go_on(self) -> None:
        """Let the thread continue."""
        if self._may_go_on is not None:
            self._may_go_on.set()

    def finish(self) -> Result | None:
        """Wait until the work is done, and return its result; None if it was not begun, or failed.

        A failure is no error here: whoever needs what was to be loaded meets it again.
        """
        self.go_on()
        if self._thread is not None:
            self._thread.join()
        return self._result

    def abandon(self) -> None:
        """End the work at the next module; return without waiting for it."""
        self._is_abandoned = True
        self.go_on()

    def find_spec(self, _name: str, _path: Sequence[str] | None, _target: object = None) -> None:
        """Find nothing: as the first finder on `sys.meta_path`, wait before a module is loaded."""
        assert self._may_go_on is not None
        if not self._is_own_thread():
            return
        self._may_go_on.wait(_MAX_PAUSE_SECONDS)
        if self._is_abandoned:
            raise _AbandonedError

    def _is_own_thread(self) -> bool:
        import threading  # noqa: PLC0415 - loaded by `begin`

        return threading.current_thread() is self._thread

    def _run(self) -> None:
        usual_seconds = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_SECONDS)
        sys.meta_path.insert(0, self)
        try:
            self._result = self._work()
        except (Exception, _AbandonedError):  # noqa: BLE001 - an error only when the result is needed
            pass
        finally:
            sys.meta_path.remove(self)
            sys.setswitchinterval(usual_seconds)
