"""The signals that end or stop the viewer, as far as the system has them."""

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager

END_SIGNALS = tuple(getattr(signal, name) for name in ("SIGHUP", "SIGINT", "SIGTERM") if hasattr(signal, name))
STOP_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTSTP", "SIGCONT") if hasattr(signal, name))
SIGNAL_STATUS_BASE = 128
"""Added to a signal's number to give the exit status of a program that the signal ended."""


@contextmanager
def restored_signal_handlers() -> Generator[None]:
    """Restore the signal handlers on exit: those of a driver end with its viewer."""
    handlers = {number: signal.getsignal(number) for number in (*END_SIGNALS, *STOP_SIGNALS)}
    try:
        yield
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def stop_process_group() -> bool:
    """Stop the process group as Ctrl-Z does, and return after SIGCONT; return whether it was stopped.

    The system stops nothing when no shell could continue it, and has no such signals if it is not POSIX.
    """
    if not STOP_SIGNALS:
        return False
    continue_signals: list[int] = []
    handlers = signal.signal(signal.SIGCONT, lambda number, _frame: continue_signals.append(number))
    try:
        os.kill(0, signal.SIGTSTP)
    finally:
        signal.signal(signal.SIGCONT, handlers)
    return bool(continue_signals)
