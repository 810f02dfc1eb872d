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

from seqthink.audit.workspace.files import Content, RefusedFileError, found, opened_folder, parts, read_in, shown

CHANGED: Final = "it is not as it was when the diff was tried"
_MOST: Final = 8 << 20
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Write(Struct, frozen=True):
    """One file as it is expected and as it is to be (None: no file)."""

    path: str
    before: Content | None
    after: Content | None


def write(root: Path, writes: Sequence[Write]) -> str:
    """Do all of ``writes`` below ``root``, or nothing; return why it was not done, or ""."""
    done = list[Write]()
    path = ""
    try:
        for one in writes:
            path = one.path
            _expect(one.before, found(root, path, _MOST))
        for one in sorted(writes, key=lambda one: one.after is None):  # what is gone is the hardest to bring back
            path = one.path
            replace(root, one)
            done.append(one)
    except RefusedFileError as refused:
        stuck = [shown(one.path) for one in reversed(done) if not _is_undone(root, one)]
        more = f"; what was done to {', '.join(stuck)} could not be taken back" if stuck else ""
        return f"{shown(path)}: {refused.reason}{more}"
    return ""


def _is_undone(root: Path, done: Write) -> bool:
    try:
        replace(root, Write(done.path, done.after, done.before))
    except RefusedFileError:
        return False
    return True


def replace(root: Path, one: Write) -> None:
    """Do ``one``, and leave no folder empty that would be so because of it, as git does."""
    *folders, name = parts(one.path)
    try:
        with opened_folder(root, folders, is_made=one.before is None) as folder:
            _expect(one.before, _current(folder, name))
            if one.after is None:
                os.unlink(name, dir_fd=folder)
            elif one.before is None:
                _make(folder, name, one.after.data, 0o777 if one.after.is_executable else 0o666)
            else:
                _exchange(folder, name, one.after)
    finally:
        if one.before is None or one.after is None:
            _prune(root, folders)


def _expect(before: Content | None, current: Content | None) -> None:
    if current != before:
        raise RefusedFileError(CHANGED)


def _current(folder: int, name: str) -> Content | None:
    try:
        return read_in(folder, name, _MOST)
    except FileNotFoundError:
        return None


def _make(folder: int, name: str, data: bytes, mode: int) -> None:
    descriptor = os.open(name, _NEW_FILE, mode, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    except OSError:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise


def _exchange(folder: int, name: str, after: Content) -> None:
    """Put ``after`` in the place of a file that keeps its permissions, but for whether it may be run."""
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode & 0o777
    if after.is_executable != bool(mode & stat.S_IXUSR):
        mode = mode | (mode & 0o444) >> 2 if after.is_executable else mode & ~0o111
    beside = f".seqthink-{secrets.token_hex(8)}"
    _make(folder, beside, after.data, 0o600)
    try:
        os.chmod(beside, mode, dir_fd=folder)
        os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise


def _prune(root: Path, folders: Sequence[str]) -> None:
    """Take away the innermost of ``folders`` as long as they are empty."""
    for depth in range(len(folders), 0, -1):
        try:
            with opened_folder(root, folders[: depth - 1]) as outer:
                os.rmdir(folders[depth - 1], dir_fd=outer)
        except RefusedFileError:
            return
