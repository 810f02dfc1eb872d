"""Files below one folder are written: all of a set or none, and only where they are as they are expected to be.

A file that changes is made beside the old one and takes its place, so that nobody reads half of it, and what else
shares the old one's bytes (a hard link) keeps them. No link is followed on the way.
"""

import os
import secrets
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from seqthink.audit.workspace.files import (
    FileContent,
    RefusedFileError,
    open_folder,
    path_parts,
    printable_path,
    read_file_if_present,
    read_file_in,
)

CHANGED_SINCE: Final = "it is not as it was when the diff was tried"
_MAX_FILE_BYTES: Final = 8 << 20
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class FileWrite(Struct, frozen=True):
    """One file as it is expected and as it is to be (None: no file)."""

    path: str
    before: FileContent | None
    after: FileContent | None


def write_all(root: Path, writes: Sequence[FileWrite]) -> str:
    """Do all of ``writes`` below ``root``, or nothing; return why it was not done, or ""."""
    done = list[FileWrite]()
    path = ""
    try:
        for one in writes:
            path = one.path
            _expect(one.before, read_file_if_present(root, path, _MAX_FILE_BYTES))
        for one in sorted(writes, key=lambda one: one.after is None):  # what is gone is the hardest to bring back
            path = one.path
            write_one(root, one)
            done.append(one)
    except RefusedFileError as refused:
        stuck = [printable_path(one.path) for one in reversed(done) if not _undo(root, one)]
        more = f"; what was done to {', '.join(stuck)} could not be taken back" if stuck else ""
        return f"{printable_path(path)}: {refused.reason}{more}"
    return ""


def _undo(root: Path, done: FileWrite) -> bool:
    try:
        write_one(root, FileWrite(done.path, done.after, done.before))
    except RefusedFileError:
        return False
    return True


def write_one(root: Path, file_write: FileWrite) -> None:
    """Do ``one``, and leave no folder empty that would be so because of it, as git does."""
    *folders, name = path_parts(file_write.path)
    try:
        with open_folder(root, folders, create=file_write.before is None) as folder:
            _expect(file_write.before, _current(folder, name))
            if file_write.after is None:
                os.unlink(name, dir_fd=folder)
            elif file_write.before is None:
                _create(folder, name, file_write.after.data, 0o777 if file_write.after.is_executable else 0o666)
            else:
                _replace(folder, name, file_write.after)
    finally:
        if file_write.before is None or file_write.after is None:
            _remove_empty_folders(root, folders)


def _expect(before: FileContent | None, current: FileContent | None) -> None:
    if current != before:
        raise RefusedFileError(CHANGED_SINCE)


def _current(folder: int, name: str) -> FileContent | None:
    try:
        return read_file_in(folder, name, _MAX_FILE_BYTES)
    except FileNotFoundError:
        return None


def _create(folder: int, name: str, data: bytes, mode: int) -> None:
    descriptor = os.open(name, _NEW_FILE, mode, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    except OSError:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise


def _replace(folder: int, name: str, after: FileContent) -> None:
    """Put ``after`` in the place of a file that keeps its permissions, but for whether it may be run."""
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode & 0o777
    if after.is_executable != bool(mode & stat.S_IXUSR):
        mode = mode | (mode & 0o444) >> 2 if after.is_executable else mode & ~0o111
    temporary_name = f".seqthink-{secrets.token_hex(8)}"
    _create(folder, temporary_name, after.data, 0o600)
    try:
        os.chmod(temporary_name, mode, dir_fd=folder)
        os.rename(temporary_name, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary_name, dir_fd=folder)
        raise


def _remove_empty_folders(root: Path, folders: Sequence[str]) -> None:
    """Take away the innermost of ``folders`` as long as they are empty."""
    for depth in range(len(folders), 0, -1):
        try:
            with open_folder(root, folders[: depth - 1]) as outer:
                os.rmdir(folders[depth - 1], dir_fd=outer)
        except RefusedFileError:
            return
