"""Writes what was planned: under a lock, with a copy kept, completely or not at all, and never over a newer file."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from seqthink.connect.client_files.backups import drop_old_backups, make_backup
from seqthink.connect.client_files.claude_command import write_by_claude
from seqthink.connect.client_files.locking import OwnWrites, exclusive_lock
from seqthink.connect.client_files.places import FilePlace, config_file, place_of
from seqthink.connect.client_files.planning import Plan, Request, make_plan
from seqthink.connect.client_files.reading import reason_of
from seqthink.connect.client_files.replacing import check_unchanged, remove_file, replace_file
from seqthink.core.errors import ClientFileError, UsageError


def apply_plan(plan: Plan, environ: Mapping[str, str], now: datetime) -> Path | None:
    """Write what was planned, and return where the file as it was is kept; None where that is not needed.

    Raises:
        FileChangedError: the file was written since the plan was made; it is as it is now.
        ClientFileError: it cannot be written; it is as it was, or the message says what its client's program did.
    """
    with _only_writer(plan.place, environ) as written:
        return _write(plan, environ, now, written)


def plan_and_apply(request: Request, environ: Mapping[str, str], now: datetime) -> tuple[Plan, Path | None]:
    """Write what is asked for, whatever the file says at this moment; no other seqthink can come between.

    Returns:
        what was written, and where the file as it was is kept; None where that is not needed.

    Raises:
        FileChangedError: another program has written the file in this moment; it is as it is now.
        ClientFileError: as from `make_plan` and `apply_plan`.
    """
    place = place_of(config_file(request.client, request.scope, environ), environ)
    with _only_writer(place, environ) as written:
        plan = make_plan(request, environ)
        return plan, _write(plan, environ, now, written) if plan.changes else None


@contextmanager
def _only_writer(place: FilePlace, environ: Mapping[str, str]) -> Generator[OwnWrites]:
    try:
        with exclusive_lock(environ) as written:
            yield written
    except OSError as error:
        raise ClientFileError(f"{place.shown}: cannot be written: {reason_of(error)}; it is as it was") from error


def _write(plan: Plan, environ: Mapping[str, str], now: datetime, written: OwnWrites) -> Path | None:
    check_unchanged(plan.place, plan.file)
    backup = write_by_claude(plan, environ, now) if plan.program else _write_planned(plan, now)
    written.add(plan.file.target)
    return backup


def _write_planned(plan: Plan, now: datetime) -> Path | None:
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
        if backup is not None and backup.is_new:
            backup.path.unlink(missing_ok=True)
        raise
    drop_old_backups(target)
    return backup.path if backup is not None else None
