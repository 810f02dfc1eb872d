"""The name of this installation among the machines of a fleet: made once, and kept in a file beside the journals."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.core.saving import write_atomically
from seqthink.journal.folder import make_private_folder
from seqthink.sources.fleet.layout import is_origin

_FILE_NAME: Final = "origin"
_MAX_BYTES: Final = 1024
_MAX_HOST_CHARS: Final = 80
_SALT_BYTES: Final = 16
_UNFIT = re.compile(r"[^A-Za-z0-9_-]+")


class Origin(NamedTuple):
    """Who ships."""

    name: str
    """The machine's name and six letters, as ``buildbox-a2b3c4``: names such as ``runner`` are not unique."""
    salt: bytes
    """Never leaves the machine: with it, what redaction makes of two ids differs, and nobody can try ids out."""


def origin_of(home: Path, host: str, letters: Callable[[], str], name: str | None = None) -> Origin:
    """Return this installation's origin; the first time, make it.

    Args:
        home: the folder of all of seqthink's data.
        host: the machine's name.
        letters: returns six random letters.
        name: the origin's name where the user gives one; it is not kept.

    Raises:
        UsageError: the file cannot be read or written, or holds no name.
    """
    path = home / _FILE_NAME
    try:
        kept = _read(path) or _made(path, f"{_host_part(host)}-{letters()}")
    except OSError as error:
        raise UsageError(
            f"{path}: {(error.strerror or str(error)).lower()}; the name of this machine is kept there"
        ) from error
    if kept is None:
        raise UsageError(f"{path} holds no name of a machine; move it away, and a new one is made")
    return kept if name is None else kept._replace(name=name)


def _host_part(host: str) -> str:
    return _UNFIT.sub("-", host.partition(".")[0]).strip("-_")[:_MAX_HOST_CHARS].rstrip("-_") or "machine"


def _read(path: Path) -> Origin | None:
    """Return what the file says; None if there is none.

    Raises:
        OSError: it cannot be read.
        UsageError: it holds something else.
    """
    try:
        descriptor = os.open(path, system.READ | system.NO_LINK)
    except FileNotFoundError:
        return None
    try:
        lines = system.pread(descriptor, _MAX_BYTES, 0).decode("ascii", "replace").split("\n")
    finally:
        os.close(descriptor)
    with suppress(ValueError, IndexError):
        origin = Origin(lines[0], bytes.fromhex(lines[1]))
        if is_origin(origin.name) and len(origin.salt) == _SALT_BYTES:
            return origin
    raise UsageError(f"{path} holds no name of a machine; move it away, and a new one is made")


def _made(path: Path, name: str) -> Origin | None:
    """Write the file, unless another process was faster, and return what it says then.

    Raises:
        OSError: it cannot be written.
    """
    make_private_folder(path.parent)
    with suppress(FileExistsError):
        write_atomically(
            path, [f"{name}\n{os.urandom(_SALT_BYTES).hex()}\n".encode()], may_replace=False, is_private=True
        )
    return _read(path)
