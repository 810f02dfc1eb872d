"""Names for files that are written beside a client's file, and the end of those that a killed run has left.

Where the system can write a file without a name (Linux, on most file systems), such a file has its name for an instant
only: from when it is whole until it has taken the place of the other. What a kill in that instant leaves is deleted by
the next command that looks at the client's file. Where a file has to have a name from the beginning, the instant is as
long as the writing.
"""

import os
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from seqthink.connect.client_files.locking import nobody_writes
from seqthink.core.system import OPEN

_PRIVATE_MODE: Final = 0o600
_NAMELESS: Final = getattr(os, "O_TMPFILE", 0)


def temporary_name(target: Path) -> Path:
    """Return a new name beside ``target`` for a file that is to take its place."""
    return target.with_name(f".{target.name[:100]}.seqthink-{secrets.token_hex(4)}.tmp")


def write_beside(
    path: Path, data: bytes, mode: int = _PRIVATE_MODE, prepare: Callable[[int], None] = lambda _descriptor: None
) -> None:
    """Write a new file, whole on the disk before it has its name where the system can do that.

    Args:
        path: its name.
        data: its bytes.
        mode: its permissions, but for what the umask takes away.
        prepare: is called with its descriptor, before it has its name.

    Raises:
        OSError: the file cannot be written, or there is one of this name; nothing of it is left.
    """
    descriptor = _open_nameless(path.parent, mode)
    if descriptor is not None:
        with os.fdopen(descriptor, "wb") as stream:
            _fill(stream, data, prepare)
            if _give_name(descriptor, path):
                return
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN, mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            _fill(stream, data, prepare)
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _open_nameless(folder: Path, mode: int) -> int | None:
    """Open a file in ``folder`` that has no name; None where the system or its disk cannot do that."""
    with suppress(OSError):
        return os.open(folder, os.O_WRONLY | _NAMELESS | OPEN, mode) if _NAMELESS else None
    return None


def _give_name(descriptor: int, path: Path) -> bool:
    """Give a file its name, and return whether that was done: not without /proc, and not on every disk."""
    with suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY | OPEN)
        try:  # only with a folder does Python follow the link that leads to the file
            os.link(f"/proc/self/fd/{descriptor}", path, src_dir_fd=folder)
        finally:
            os.close(folder)
        return True
    return False


def _fill(stream: IO[bytes], data: bytes, prepare: Callable[[int], None]) -> None:
    stream.write(data)
    stream.flush()
    prepare(stream.fileno())
    os.fsync(stream.fileno())


def drop_leftovers(path: Path, environ: Mapping[str, str]) -> None:
    """Delete what killed runs have left beside a client's file, unless a run is writing at this moment.

    Args:
        path: the file as its client names it.
        environ: the environment, which says where the lock of all runs is.
    """
    with suppress(OSError):
        target = Path(os.path.realpath(path))
        if leftovers_of(target):
            with nobody_writes(environ) as is_so:
                for leftover in leftovers_of(target) if is_so else ():
                    leftover.unlink(missing_ok=True)


def leftovers_of(target: Path) -> list[Path]:
    """Return the files beside ``target`` that were to take its place, or have given it up."""
    pattern = re.compile(rf"\.{re.escape(target.name[:100])}\.seqthink-[0-9a-f]{{8}}\.tmp")
    return [path for path in target.parent.iterdir() if pattern.fullmatch(path.name)]
