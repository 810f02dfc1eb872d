"""At most one viewer in a place, such as a window of tmux: a lock that ends with the process that holds it."""

import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from seqthink.core import system
from seqthink.library.viewer_store.folder import open_private, viewer_folder

_WAIT_SECONDS = 0.3
"""For how long a lock is tried: another process that only checks it has it for an instant, too."""
_PAUSE_SECONDS = 0.02


def place_path(home: Path, key: str) -> Path:
    """Return the file whose lock the viewer of a place holds; it is left behind, empty and unlocked."""
    return viewer_folder(home) / "places" / f"{key}.lock"


@contextmanager
def held(path: Path, wait_seconds: float = _WAIT_SECONDS) -> Generator[bool]:
    """Hold a place until the block is left; False if another process holds it for all of ``wait_seconds``.

    Raises:
        UsageError: it is not a file of our own.
        OSError: it cannot be opened or locked.
    """
    descriptor = open_private(path, os.O_RDWR | os.O_CREAT)
    try:
        yield wait_until(lambda: system.try_lock(descriptor), wait_seconds)
    finally:
        os.close(descriptor)


def is_held(path: Path) -> bool:
    """Return whether a process holds a place.

    Raises:
        UsageError: it is not a file of our own.
        OSError: it cannot be opened or locked.
    """
    descriptor = open_private(path, os.O_RDWR | os.O_CREAT)
    try:
        return not system.try_lock(descriptor)
    finally:
        os.close(descriptor)


def wait_until(is_so: Callable[[], bool], seconds: float) -> bool:
    """Ask again and again for ``seconds``; return the last answer."""
    end = time.monotonic() + seconds
    while not (answer := is_so()) and time.monotonic() < end:
        time.sleep(_PAUSE_SECONDS)  # noqa: TID251 - another process changes what is asked, and cannot notify us
    return answer
