"""Writes what was planned: under a lock, with a copy kept, completely or not at all, and never over a newer file."""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from seqthink.client_files.backups import drop_old_backups, make_backup
from seqthink.client_files.planning import Plan
from seqthink.client_files.reading import reason_of
from seqthink.client_files.replacing import check_unchanged, drop_leftovers, remove_file, replace_file
from seqthink.errors import ClientFileError, UsageError
from seqthink.journal.folder import make_private_folder, seqthink_home
from seqthink.system import OPEN, lock

_PRIVATE_MODE: Final = 0o600


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
    drop_leftovers(plan.file.target, now)
    if plan.new is None:
        remove_file(plan.place, plan.file)
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
