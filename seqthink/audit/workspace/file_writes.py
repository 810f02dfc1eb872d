"""Writes files below one folder: all of a set or none, and only if they still have the expected content.

A changed file is written beside the old one and renamed over it: readers never see half a file, and hard links keep the
old content. No links are followed.
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

CHANGED_SINCE: Final = "it changed after the diff was tested"
_MAX_FILE_BYTES: Final = 8 << 20
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class FileWrite(Struct, frozen=True):
    """One file to write."""

    path: str
    before: FileContent | None
    """The expected content; None: no file."""
    after: FileContent | None
    """The content to write; None: delete it."""


def write_all(root: Path, writes: Sequence[FileWrite]) -> str:
    """Do all of ``writes`` below ``root``, or none; return why it was not done, or ""."""
    done = list[FileWrite]()
    path = ""
    try:
        for file_write in writes:
            path = file_write.path
            _expect(file_write.before, read_file_if_present(root, path, _MAX_FILE_BYTES))
        # Deletions last: they are the hardest to undo.
        for file_write in sorted(writes, key=lambda file_write: file_write.after is None):
            path = file_write.path
            write_one(root, file_write)
            done.append(file_write)
    except RefusedFileError as refused:
        not_undone = [printable_path(file_write.path) for file_write in reversed(done) if not _undo(root, file_write)]
        more = f"; the changes to {', '.join(not_undone)} could not be undone" if not_undone else ""
        return f"{printable_path(path)}: {refused.reason}{more}"
    return ""


def _undo(root: Path, done: FileWrite) -> bool:
    try:
        write_one(root, FileWrite(done.path, done.after, done.before))
    except RefusedFileError:
        return False
    return True


def write_one(root: Path, file_write: FileWrite) -> None:
    """Do one write; afterwards remove folders that it left empty, as git does."""
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
    """Replace a file and keep its permissions, except the executable bits."""
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
    """Remove the innermost of ``folders`` as long as they are empty."""
    for depth in range(len(folders), 0, -1):
        try:
            with open_folder(root, folders[: depth - 1]) as outer:
                os.rmdir(folders[depth - 1], dir_fd=outer)
        except RefusedFileError:
            return
