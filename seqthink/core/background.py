"""Background tasks: each recovers by itself and says so, or says that it has stopped and why.

A failure that may pass, of a file or of the engine, is tried again. Any other one is a fault of ours: the task stops,
and what started it lives on. docs/architecture.md ("When something fails") lists every task.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from seqthink.core.errors import SeqthinkError, reason_of

RETRY_SECONDS: Final = 2.0
"""The pause before a task that failed is tried again."""

Report = Callable[[str, str], object]
"""Called with a task's name and its problem: "" once it works again. It may be called twice with the same values."""


class Troubles:
    """What is wrong with some background tasks, by their names. Any thread may report."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    @property
    def text(self) -> str:
        """The trouble that was reported first and has not passed; empty while all tasks work."""
        return next(iter(self._texts.values()), "")

    def of(self, name: str) -> str:
        """What is wrong with one task; empty while it works."""
        return self._texts.get(name, "")

    def report(self, name: str, text: str) -> bool:
        """Note what is wrong with a task, "" once it works; return whether that is news."""
        if self._texts.get(name, "") == text:
            return False
        if text:
            self._texts[name] = text
        else:
            self._texts.pop(name, None)
        return True


async def keep_running(
    work: Callable[[], Awaitable[object]], name: str, report: Report, *, has_retries: bool = True
) -> None:
    """Run ``work`` to its end, and again after a failure that may pass. Whatever happens is reported, not raised.

    Args:
        work: the task; where it runs for long, it reports itself that it works again.
        name: what it does, as a screen names it: ``the list of sessions``.
        report: called with the problem.
        has_retries: whether to run it again; not for what a key has started.
    """
    while True:
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - the screen says it, and lives on
            if not _report_failure(error, name, report, has_retries=has_retries):
                return
            await asyncio.sleep(RETRY_SECONDS)
        else:
            report(name, "")
            return


def keep_running_sync(
    work: Callable[[], object],
    name: str,
    report: Report,
    *,
    wait: Callable[[float], object] | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> None:
    """Do the same where there is no event loop, as in a thread.

    Args:
        work: the task.
        name: what it does.
        report: called with the problem.
        wait: waits this many seconds, or until the task is to end; None: it is not run again.
        is_over: whether the task is to end.
    """
    while not is_over():
        try:
            work()
        except Exception as error:  # noqa: BLE001 - as above
            if not _report_failure(error, name, report, has_retries=wait is not None) or wait is None:
                return
            wait(RETRY_SECONDS)
        else:
            report(name, "")
            return


def _report_failure(error: Exception, name: str, report: Report, *, has_retries: bool) -> bool:
    """Report a failure; return whether to try again."""
    error = _first_of(error)
    may_pass = isinstance(error, OSError | SeqthinkError)
    # The text of an error that nobody expected could quote a thought.
    reason = reason_of(error) if may_pass else f"unexpected {type(error).__name__}"
    is_retried = may_pass and has_retries
    report(name, f"{name}: {reason}; trying again" if is_retried else f"{name} has stopped: {reason}")
    return is_retried


def _first_of(error: Exception) -> Exception:
    """Return the error of a task in a group, which is what failed first."""
    inner: Exception | None = next(iter(getattr(error, "exceptions", ())), None)
    return error if inner is None else _first_of(inner)
