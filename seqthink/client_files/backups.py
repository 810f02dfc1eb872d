"""Copies of a client's configuration file, kept beside it before it is changed."""

import os
import re
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from seqthink.client_files.reading import ChangedWhileReadError, ClientFile, read_client_file
from seqthink.errors import ClientFileError
from seqthink.system import OPEN

KEPT: Final = 3
"""How many copies of a file are kept, the newest."""
_MODE: Final = 0o600


def backup_paths(target: Path) -> list[Path]:
    """Return the copies of ``target``, newest first."""
    pattern = re.compile(rf"{re.escape(target.name)}\.seqthink-\d{{8}}T\d{{6}}\.\d{{6}}Z\.bak")
    try:
        names = [path.name for path in target.parent.iterdir()]
    except OSError:
        return []
    return [target.parent / name for name in sorted(filter(pattern.fullmatch, names), reverse=True)]


def backups_of(target: Path) -> dict[Path, str]:
    """Return the texts of those copies of ``target`` that can be read, newest first."""
    texts: dict[Path, str] = {}
    for path in backup_paths(target):
        with suppress(ClientFileError, ChangedWhileReadError):
            texts[path] = read_client_file(path, (target.parent,)).text()
    return texts


def make_backup(file: ClientFile, now: datetime) -> Path:
    """Write a copy of ``file`` beside it, which only its owner can read, and return its path.

    Raises:
        OSError: it cannot be written; nothing of it is left.
    """
    path = file.target.with_name(f"{file.target.name}.seqthink-{now:%Y%m%dT%H%M%S.%f}Z.bak")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN, _MODE)
    try:
        with os.fdopen(descriptor, "wb") as copy:
            copy.write(file.data)
            copy.flush()
            os.fsync(copy.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path


def drop_old_backups(target: Path) -> None:
    """Delete all copies of ``target`` but the newest few."""
    for path in backup_paths(target)[KEPT:]:
        with suppress(OSError):
            path.unlink()
