"""Calls into a package of others: each in a thread of its own, so that one that never ends holds nothing up.

What is wrong with a call is kept in a sentence until it succeeds. One that takes too long is the last one: the source
is asked no more. Its thread is ended if it computes; if it waits for something, it goes on waiting.
"""

import ctypes
import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, TypeVar

from seqthink.core.text import one_line

FAULT_WORDS: Final = "does not read its sessions"
"""In each sentence about what is wrong."""
CALL_SECONDS: Final = 10.0
"""How long one call may take where nobody waits for less."""
PATIENCE_SECONDS: Final = 0.5
"""How long a viewer waits for an answer that it can do without: it takes the one before, and this one when it comes."""
_LOOK_SECONDS: Final = 0.05
"""For how long a thread is watched, to know whether it computes."""
_NO_CLOCK: Final = -1
_MAX_TEXT_CHARS: Final = 200
_MAX_TROUBLES: Final = 20

_T = TypeVar("_T")


class SourceFaultError(OSError):
    """A source of another package has failed, or is asked no more; the message says which and why."""


class LoadingError(Exception):
    """A source of another package cannot be loaded; the message says why."""


class _Call(Generic[_T]):
    """One call in a thread of its own, which no exit of the program waits for."""

    def __init__(self, method: str, function: Callable[[], _T]) -> None:
        self._method, self._function = method, function
        self._results: list[_T] = []
        self.error: OSError | None = None
        """What it has raised, if that is an `OSError`, which some methods may raise."""
        self.fault = ""
        """What is wrong with it, in words; empty if it has returned something."""
        self._began = time.monotonic()
        self._is_done = threading.Event()
        self._clock = _NO_CLOCK
        self._thread = threading.Thread(target=self._run, name=f"source: {method}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        # Asked for in the thread itself: of one that has ended it may not be asked. Some systems have no such clock.
        if hasattr(time, "pthread_getcpuclockid"):
            self._clock = time.pthread_getcpuclockid(threading.get_ident())
        try:
            self._results.append(self._function())
        except LoadingError as error:
            self.fault = f"loading it raised {error}"
        except BaseException as error:  # noqa: BLE001 - whatever it is, it ends in this thread
            self.error = error if isinstance(error, OSError) else None
            self.fault = f"`{self._method}` raised {words_of(error)}"
        finally:
            self._is_done.set()

    def wait(self, seconds: float) -> bool:
        """Return whether it has ended, after at most so many seconds."""
        return self._is_done.wait(seconds)

    @property
    def age(self) -> float:
        """For how many seconds it has run."""
        return time.monotonic() - self._began

    def stop(self) -> None:
        """End it if it computes; one that waits for something goes on waiting.

        CPython 3.11 looks for an exception that was sent until its thread runs, which as good as stops all the others.
        So a thread that waits gets none.
        """
        if self._thread.ident is not None and self._computes():
            thread = ctypes.c_ulong(self._thread.ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(SystemExit))

    def _computes(self) -> bool:
        """Return whether the thread takes time of a processor; where the system does not say, it counts as waiting."""
        try:
            before = time.clock_gettime(self._clock)
            self._is_done.wait(_LOOK_SECONDS)
            return time.clock_gettime(self._clock) > before
        except OSError:  # it has ended, or there is no such clock
            return False

    def result(self) -> _T:
        """Return what it has returned; it must have ended, and nothing be wrong with it."""
        return self._results[0]


class SourceCalls:
    """All calls into one source. Any thread may ask.

    Args:
        package: the package that brings it.
        say: called with the sentence about what is wrong.
        seconds: how long a call may take.
        patience: how long `latest` waits for an answer.
    """

    def __init__(
        self,
        package: str,
        say: Callable[[str], object],
        seconds: float = CALL_SECONDS,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._package, self._say, self._seconds, self._patience = package, say, seconds, min(patience, seconds)
        self._lock = threading.Lock()
        self._troubles: dict[Hashable, str] = {}
        self._pending: dict[tuple[str, str], _Call[Any]] = {}
        self._answers: dict[Hashable, Any] = {}
        self._end = ""

    def say_trouble(self) -> None:
        """Say what is wrong, if anything is: one sentence, however many calls it is wrong with."""
        with self._lock:
            trouble = self._end or next(iter(self._troubles.values()), "")
        if trouble:
            self._say(f"the package {self._package} {FAULT_WORDS}: {trouble}")

    def has_news(self, method: str) -> bool:
        """Return whether an answer of a method has come that `latest` did not wait for."""
        with self._lock:
            return any(name == method and call.wait(0) for (name, _), call in self._pending.items())

    def demand(self, method: str, key: str, function: Callable[[], _T]) -> _T:
        """Return what a method returns.

        Args:
            method: its name, for the sentence about what is wrong.
            key: what it is called with, as far as another call may succeed where this one fails.
            function: calls it.

        Raises:
            OSError: it has raised this.
            SourceFaultError: it has raised anything else or takes too long, or the source is asked no more.
        """
        call = None if self._end else _Call(method, function)
        if call is not None and not call.wait(self._seconds):
            self._give_up(method, call)
        if call is None or self._end:
            self.say_trouble()
            raise SourceFaultError(self._end)
        if call.error is not None:
            raise call.error
        self._note(method, key, call.fault)
        if call.fault:
            self.say_trouble()
            raise SourceFaultError(call.fault)
        return call.result()

    def latest(self, method: str, key: str, function: Callable[[], _T], default: _T, *, waits: bool = True) -> _T:
        """Return what a method returns, or the answer before if this one takes longer than patience allows.

        Without ``waits`` it is always the answer before, and the method is called for the next one. The ``default``
        counts before the first answer, and after a failure.
        """
        name = (method, key)
        with self._lock:
            if self._end:
                return default
            call = self._pending[name] = self._pending.get(name) or _Call[Any](method, function)
        if not call.wait(self._patience if waits else 0):
            if call.age >= self._seconds:
                self._give_up(method, call)
                return default
            return self._answers.get(name, default)
        self._note(method, key, call.fault)
        answer = default if call.fault else call.result()
        with self._lock:
            self._pending.pop(name, None)
            self._answers[name] = answer
        return answer

    def _give_up(self, method: str, call: _Call[Any]) -> None:
        call.stop()
        with self._lock:
            self._end = self._end or f"`{method}` did not answer within {self._seconds:g} s, so it is asked no more"

    def _note(self, method: str, key: str, fault: str) -> None:
        """Keep what is wrong with a method, or that nothing is."""
        with self._lock:
            self._troubles.pop((method, key), None)
            if fault and len(self._troubles) < _MAX_TROUBLES:
                self._troubles[method, key] = fault


def words_of(error: BaseException) -> str:
    """Return the kind of an error and what it says, in one line."""
    try:
        text = one_line(str(error))[:_MAX_TEXT_CHARS]
    except Exception:  # noqa: BLE001 - the text, too, is computed by the package
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
