"""Copies of a client's configuration file, kept beside it before it is changed."""

import re
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.connect.client_files.leftovers import write_beside
from seqthink.connect.client_files.reading import ChangedWhileReadError, ClientFile, read_client_file
from seqthink.core.errors import ClientFileError

KEPT: Final = 3
"""How many copies of a file are kept, the newest."""


class Backup(NamedTuple):
    """A copy of a file."""

    path: Path
    is_new: bool
    """Whether this run has made it."""


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


def make_backup(file: ClientFile, now: datetime) -> Backup:
    """Keep a copy of ``file`` beside it, which only its owner can read; one that a killed run has made is taken.

    Raises:
        OSError: it cannot be written; nothing of it is left.
    """
    newest = next(iter(backup_paths(file.target)), None)
    if newest is not None and _is_copy(newest, file.data):
        return Backup(newest, is_new=False)
    path = file.target.with_name(f"{file.target.name}.seqthink-{now:%Y%m%dT%H%M%S.%f}Z.bak")
    write_beside(path, file.data)
    return Backup(path, is_new=True)


def _is_copy(path: Path, data: bytes) -> bool:
    with suppress(ClientFileError, ChangedWhileReadError):
        return read_client_file(path, (path.parent,)).data == data
    return False


def drop_old_backups(target: Path) -> None:
    """Delete all copies of ``target`` but the newest few."""
    for path in backup_paths(target)[KEPT:]:
        with suppress(OSError):
            path.unlink()
