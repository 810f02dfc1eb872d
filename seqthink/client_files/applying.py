"""Writes what was planned: under a lock, with a copy kept, completely or not at all, and never over a newer file."""

import errno
import os
import secrets
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from seqthink.client_files.backups import drop_old_backups, make_backup
from seqthink.client_files.places import FilePlace
from seqthink.client_files.planning import Plan
from seqthink.client_files.reading import ChangedWhileReadError, ClientFile, read_client_file, reason_of
from seqthink.errors import ClientFileError, UsageError
from seqthink.journal.folder import make_private_folder, seqthink_home
from seqthink.system import OPEN, lock

_PRIVATE_MODE: Final = 0o600
_SHARED_MODE: Final = 0o666
_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS})
"""What file systems say that have no hard links."""


class FileChangedError(UsageError):
    """The file is not any more as it was when the plan was made: plan again."""


def apply_plan(plan: Plan, environ: Mapping[str, str], now: datetime) -> Path | None:
    """Write what was planned, and return where the file as it was is kept; None where that is not needed.

    Raises:
        FileChangedError: the file was written since the plan was made; it is as it is now.
        ClientFileError: it cannot be written; it is as it was.
    """
    try:
        with exclusive_lock(environ):
            return write_planned(plan, now)
    except OSError as error:
        raise ClientFileError(f"{plan.place.shown}: cannot be written: {reason_of(error)}; it is as it was") from error


@contextmanager
def exclusive_lock(environ: Mapping[str, str]) -> Generator[None]:
    """Wait until no other seqthink edits a client's file, and keep all others from it meanwhile.

    Raises:
        ClientFileError: there is no folder for the lock.
        OSError: the lock cannot be had.
    """
    try:
        folder = seqthink_home(environ)
    except RuntimeError:
        raise ClientFileError("the folder of seqthink is not known; set HOME or SEQTHINK_HOME") from None
    make_private_folder(folder)
    descriptor = os.open(folder / "clients.lock", os.O_RDWR | os.O_CREAT | OPEN, _PRIVATE_MODE)
    try:
        lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def write_planned(plan: Plan, now: datetime) -> Path | None:
    """Write what was planned, as `apply_plan` does, under a lock that is held already. Raises as that does."""
    check_unchanged(plan.place, plan.file)
    if plan.new is None:
        plan.file.target.unlink()
        return None
    if plan.restored_from is not None:
        replace_file(plan.place, plan.file, plan.new)
        with suppress(OSError):
            plan.restored_from.unlink()  # the file holds the same bytes now
        return None
    target = plan.file.target
    target.parent.mkdir(parents=True, exist_ok=True)
    backup = make_backup(plan.file, now) if plan.file.exists else None
    try:
        replace_file(plan.place, plan.file, plan.new)
    except (OSError, UsageError):
        if backup is not None:
            backup.unlink(missing_ok=True)
        raise
    drop_old_backups(target)
    return backup


def check_unchanged(place: FilePlace, file: ClientFile) -> None:
    """Raise FileChangedError if the file is not as it was read."""
    try:
        now = read_client_file(place.path, place.roots)
    except (ClientFileError, ChangedWhileReadError) as error:
        raise FileChangedError(f"{place.shown}: {error}") from error
    if (now.target, now.data, now.state) != (file.target, file.data, file.state):
        raise FileChangedError(f"{place.shown}: another program has written it meanwhile; try again")


def replace_file(place: FilePlace, file: ClientFile, data: bytes) -> None:
    """Put ``data`` in the place of ``file``, unless that has been written since it was read.

    Raises:
        FileChangedError: it has been; it is as it is now.
        OSError: it cannot be written; it is as it was.
    """
    target = file.target
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}")
    mode = _PRIVATE_MODE if file.exists or place.is_private else _SHARED_MODE
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN, mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            _take_after(stream.fileno(), file)
            os.fsync(stream.fileno())
        check_unchanged(place, file)
        if file.exists:
            temporary.replace(target)
        else:
            _put_new(temporary, target, place)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _take_after(descriptor: int, original: ClientFile) -> None:
    """Give a new file the group and the permissions of the one whose place it takes."""
    if not original.exists or not hasattr(os, "fchmod"):
        return
    if os.fstat(descriptor).st_gid != original.group:
        with suppress(OSError):
            os.fchown(descriptor, -1, original.group)
    os.fchmod(descriptor, original.mode)


def _put_new(temporary: Path, target: Path, place: FilePlace) -> None:
    """Give a new file its name, unless somebody else has created one meanwhile."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise FileChangedError(f"{place.shown}: another program has created it meanwhile; try again") from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        temporary.replace(target)


def _sync_folder(folder: Path) -> None:
    """Make a new name last through a power cut, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
