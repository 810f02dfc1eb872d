"""The folder of the journals: whether a server can write there, and whether a lock on a file holds."""

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from seqthink.connect.doctor.fixes import shell_word
from seqthink.connect.doctor.results import CheckResult, right, unseen, warning, wrong
from seqthink.core import system
from seqthink.journal.folder import is_journal, missing_folders
from seqthink.journal.store import no_journals

LOW_BYTES: Final = 100 << 20
"""Room on the disk below which to warn."""
_EMPTY_BYTES: Final = 1 << 20
"""Room below which journals cannot be written for long."""
_LOCAL_DISK: Final = "set SEQTHINK_HOME to a folder on a local disk, in your shell and in the clients' entries"
_ROOM: Final = "make room on that disk, for example: seqthink prune --older-than 30d"
_OTHERS: Final = 0o077
_MINE: Final = 0o700
_NETWORK_KINDS: Final = frozenset(
    {"9p", "afs", "ceph", "cifs", "fuse.sshfs", "glusterfs", "lustre", "nfs", "nfs4", "smb3", "smbfs"}
)


def folder_checks(folder: Path) -> list[CheckResult]:
    """Return the results for the folder of the journals. Nothing is left in it."""
    word = shell_word(folder)
    try:
        status = folder.stat()
        names = _file_names(folder) if stat.S_ISDIR(status.st_mode) else []
    except (FileNotFoundError, NotADirectoryError):
        return [_missing(folder), unseen("lock", "not tried until there is a folder")]
    except OSError as error:
        fix = "chmod u+rwx {}" if _is_own(folder) else "give {} to yourself: sudo chown -R $USER {}"
        return [wrong("folder", _said("cannot be read", error), str(folder), fix=fix, fix_detail=word)]
    if not stat.S_ISDIR(status.st_mode):
        return [wrong("folder", "a file is in its place", str(folder), fix="mv {} {}.moved", fix_detail=word)]
    strange = no_journals(folder)
    fix = "move them away; `seqthink show FILE` takes a journal from any folder"
    left_out = [warning("sessions", "some are not shown", strange, fix=fix)] if strange else []
    return [_there(folder, names), *left_out, *_rights(folder, status), *_room(folder), *_written(folder)]


def _file_names(folder: Path) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]


def _there(folder: Path, names: list[str]) -> CheckResult:
    journals = sum(map(is_journal, names))
    sessions = f"{journals} session{'' if journals == 1 else 's'}"
    message = f"{sessions}; `seqthink check SESSION` looks for damage in one, this did not"
    return right("folder", message, str(folder))


def _missing(folder: Path) -> CheckResult:
    """Return whether a folder that does not exist yet can be made."""
    [outermost, *_] = missing_folders(folder)
    parent = outermost.parent
    if outermost.exists() or outermost.is_symlink():
        return wrong(
            "folder",
            "a file or a broken link blocks its path",
            str(outermost),
            fix="mv {} {}.moved",
            fix_detail=shell_word(outermost),
        )
    if os.access(parent, os.W_OK | os.X_OK):
        return right("folder", "not there yet; the first thought makes it", str(folder))
    return wrong(
        "folder",
        "not there yet, and cannot be made",
        str(folder),
        fix="mkdir -p {}, as a user who may write there, and give it to yourself",
        fix_detail=shell_word(folder),
    )


def _rights(folder: Path, status: os.stat_result) -> Iterator[CheckResult]:
    if not system.is_own(status):
        yield warning(
            "owner", "it belongs to another user", fix="sudo chown -R $USER {}", fix_detail=shell_word(folder)
        )
    elif os.name == "posix" and status.st_mode & _OTHERS:
        yield warning(
            "mode",
            f"other users can look into it (mode {stat.S_IMODE(status.st_mode):04o})",
            fix="chmod 700 {}",
            fix_detail=shell_word(folder),
        )
    elif os.name == "posix":
        yield right("mode", "yours, and closed to other users")


def _room(folder: Path) -> Iterator[CheckResult]:
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        yield unseen("room", _said("the system does not say", error))
        return
    if free >= LOW_BYTES:
        yield right("room", f"{free / 1e9:,.1f} GB free")
        return
    message = f"only {free / 1e6:,.1f} MB free"
    yield warning("room", message, fix=_ROOM) if free >= _EMPTY_BYTES else wrong("room", message, fix=_ROOM)


def _written(folder: Path) -> Iterator[CheckResult]:
    """Write a file as a server would, and lock it twice."""
    # No journal by its name, so that no list and no viewer takes it for one.
    path = folder / f".seqthink-doctor-{secrets.token_hex(4)}.tmp"
    try:
        first = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | system.OPEN, 0o600)
    except OSError as error:
        fix = "chmod u+rwx {}" if _is_own(folder) and _lacks_mode(folder) else _LOCAL_DISK
        yield wrong("writing", _said("no file can be made in it", error), fix=fix, fix_detail=shell_word(folder))
        return
    try:
        yield _write(first)
        yield _locked_twice(first, path, folder)
    finally:
        os.close(first)
        with suppress(OSError):
            path.unlink()


def _write(descriptor: int) -> CheckResult:
    try:
        os.write(descriptor, b"\n")
        os.fsync(descriptor)
    except OSError as error:
        return wrong("writing", _said("a file in it cannot be written", error), fix=_ROOM)
    return right("writing", "a file was written and removed")


def _locked_twice(first: int, path: Path, folder: Path) -> CheckResult:
    """Return whether a lock keeps another descriptor out, as one server's does another server and the viewer."""
    network = network_kind(folder)
    try:
        second = os.open(path, os.O_RDWR | system.OPEN)
    except OSError as error:
        return wrong("lock", _said("a file in it cannot be opened again", error), fix=_LOCAL_DISK)
    try:
        holds = system.try_lock(first) and not system.try_lock(second)
    except OSError as error:
        return wrong("lock", _said("files there cannot be locked", error), fix=_LOCAL_DISK)
    finally:
        os.close(second)
    if not holds:
        return wrong("lock", "locks do not work there, as on some network file systems", fix=_LOCAL_DISK)
    if network:
        return warning("lock", f"holds, but this is a network file system ({network})", fix=_LOCAL_DISK)
    return right("lock", "holds against a second writer")


def network_kind(folder: Path, mounts: str = "/proc/self/mounts") -> str:
    """Return the kind of the network file system that a folder is on; "" if it is on none, or that is not known."""
    try:
        lines = Path(mounts).read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    real = os.path.realpath(folder)
    found = ("", "")
    for line in lines:
        _device, point, kind, *_ = [*line.split(" "), "", "", ""]
        point = point.replace("\\040", " ")
        if (real == point or real.startswith(point.rstrip("/") + "/")) and len(point) >= len(found[0]):
            found = point, kind
    return found[1] if found[1] in _NETWORK_KINDS else ""


def _is_own(path: Path) -> bool:
    try:
        return system.is_own(path.stat())
    except OSError:
        return False


def _lacks_mode(folder: Path) -> bool:
    return folder.stat().st_mode & _MINE != _MINE


def _said(what: str, error: OSError) -> str:
    """Return what failed, with the system's own words for its number, which name nothing of this machine."""
    return f"{what} ({os.strerror(error.errno).lower()})" if error.errno else what
