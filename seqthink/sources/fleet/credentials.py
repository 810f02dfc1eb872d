"""Who we are to the engine: user, password and authority, from the environment, never from a command line."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from typing_extensions import override

from seqthink.core import system
from seqthink.core.errors import UsageError

_MAX_SECRET_BYTES = 4096


class Credentials(NamedTuple):
    """What the engine asks for."""

    user: str
    password: str
    authorities: str
    """A file with the certificates of authorities that are believed; empty for the system's."""

    @override
    def __repr__(self) -> str:
        """Return nothing secret: values turn up in error reports."""
        return "Credentials(…)"


def credentials(environ: Mapping[str, str]) -> Credentials:
    """Return what the environment says.

    Raises:
        UsageError: It contradicts itself, or a file cannot be used.
    """
    user = environ.get("SEQTHINK_FLEET_USER", "")
    password = environ.get("SEQTHINK_FLEET_PASSWORD", "")
    file = environ.get("SEQTHINK_FLEET_PASSWORD_FILE", "")
    if password and file:
        raise UsageError("SEQTHINK_FLEET_PASSWORD and SEQTHINK_FLEET_PASSWORD_FILE are both set; unset one")
    if file:
        password = _text(secret(file, "SEQTHINK_FLEET_PASSWORD_FILE"), "SEQTHINK_FLEET_PASSWORD_FILE")
    if user and not password:
        raise UsageError("SEQTHINK_FLEET_USER is set without SEQTHINK_FLEET_PASSWORD or SEQTHINK_FLEET_PASSWORD_FILE")
    for name, value in (("SEQTHINK_FLEET_USER", user), ("SEQTHINK_FLEET_PASSWORD", password)):
        if not value.isprintable():
            raise UsageError(f"{name} has a control character or invalid text")
    return Credentials(user, password, _authorities(environ.get("SEQTHINK_FLEET_CA", "")))


def secret(path: str, variable: str) -> bytes:
    """Return what a file with a secret holds, without the line feed at its end.

    Raises:
        UsageError: It cannot be read, is empty or large, is another user's, or others can read it.
    """
    try:
        descriptor = os.open(_expanded(path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "the path is invalid"
        raise UsageError(f"the file of {variable} cannot be read: {reason}") from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"the file of {variable} is not a regular file")
        if not system.is_own(status) or status.st_mode & 0o077:
            raise UsageError(f"the file of {variable} can be read by other users; own it and `chmod 600` it")
        found = os.read(descriptor, _MAX_SECRET_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(found) > _MAX_SECRET_BYTES:
        raise UsageError(f"the file of {variable} is larger than {_MAX_SECRET_BYTES:,} bytes: it is not a secret")
    found = found.removesuffix(b"\n").removesuffix(b"\r")
    if not found:
        raise UsageError(f"the file of {variable} is empty")
    return found


def _text(found: bytes, variable: str) -> str:
    try:
        text = found.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"the file of {variable} holds no text") from error
    if not text.isprintable():
        raise UsageError(f"the file of {variable} holds more than one line, or a control character")
    return text


def _authorities(path: str) -> str:
    if path and not _expanded(path).is_file():
        raise UsageError("the file of SEQTHINK_FLEET_CA does not exist or is not a file")
    return str(_expanded(path)) if path else ""


def _expanded(path: str) -> Path:
    """Return a path with the home folder in place of ``~``; as it is where that folder is unknown."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - `Path.expanduser` raises there
