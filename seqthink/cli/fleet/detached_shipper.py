"""The shipper that a server starts for its session (docs/fleet.md, "Containers and CI").

It is a process of its own: the server opens no connection. Standard library only, as all of `serve`.
"""

import atexit
import os
import sys
from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_START_SECONDS: Final = 5.0
"""How long a server that ends at once waits for the process to be started."""
_LOG_NAME: Final = "ship.log"
_MAX_LOG_BYTES: Final = 1 << 20
"""A longer log is started again."""


class DetachedShipper:
    """Starts a shipper for a session; it ends by itself.

    Args:
        folder: the folder of the journals.
        print_stderr: prints one line about the server.
    """

    def __init__(self, folder: "Path", print_stderr: Callable[[str], None]) -> None:
        self._folder = folder
        self._print_stderr = print_stderr

    def start(self, session: str) -> None:
        """Start a shipper for ``session``; the caller does not wait for it."""
        has_started = Event()
        atexit.register(has_started.wait, _START_SECONDS)
        Thread(target=self._start, args=(session, has_started), daemon=True).start()

    def _start(self, session: str, has_started: Event) -> None:
        try:
            _run(session, os.path.abspath(self._folder), has_started)  # noqa: PTH100 - `resolve` would ask the disk
        except (OSError, RuntimeError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            self._print_stderr(f"the session is not shipped: {reason}")
        finally:
            has_started.set()


def _run(session: str, folder: str, has_started: Event) -> None:
    """Start the process, and wait for its end.

    Raises:
        OSError: it cannot be started.
        RuntimeError: the home folder is unknown.
    """
    import subprocess

    log = _open_log()
    try:
        process = subprocess.Popen(
            # -P: the working folder is not a place to import from.
            [sys.executable, "-P", "-m", "seqthink", "ship", "--session", session, "--journal-dir", folder],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/" if os.name == "posix" else None,
            start_new_session=True,
        )
    finally:
        os.close(log)
    has_started.set()
    process.wait()  # else it would stay in the system's table; if the server ends first, the system takes it over


def _open_log() -> int:
    from seqthink.core import system
    from seqthink.journal.folder import make_private_folder, seqthink_home

    path = seqthink_home(os.environ).absolute() / "shipping" / _LOG_NAME
    make_private_folder(path.parent)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | system.OPEN | system.NO_LINK, 0o600)
    if os.fstat(descriptor).st_size > _MAX_LOG_BYTES:
        os.ftruncate(descriptor, 0)
    return descriptor
