"""Reads files below one folder and nothing else: follows no links, reads only regular files.

Every folder of a path is opened inside the previous one without following links, and the opened file is checked again,
so a file that is replaced by a link in between is refused, too.
"""

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

_GIT_FOLDER_NAME = re.compile(r"\.git|git~\d+")
_OPEN_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""Opening must not block: a named pipe would wait for a writer."""
_CHUNK_BYTES: Final = 1 << 20

OUTSIDE: Final = "it is outside the workspace"
LINKED: Final = "a symbolic link is not followed"
MISSING: Final = "the file does not exist"
NOT_REGULAR: Final = "it is not a regular file"
IS_FOLDER: Final = "it is a folder"
PATH_BLOCKED: Final = "a part of its path is a symbolic link or a file"
_REASONS: Final = {
    errno.ENOENT: MISSING,
    errno.ELOOP: LINKED,
    errno.ENOTDIR: PATH_BLOCKED,
    errno.ENXIO: NOT_REGULAR,
    errno.EACCES: "access to it is denied",
    errno.ENAMETOOLONG: "its name is too long",
}


class RefusedFileError(Exception):
    """A path that must not or cannot be read; ``reason`` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class FileContent(Struct, frozen=True):
    """The content of a file."""

    data: bytes
    is_executable: bool


def path_parts(path: str) -> tuple[str, ...]:
    """Return the parts of ``path``.

    Raises:
        RefusedFileError: The path leads out of the folder or into git's own folder, or is not valid text.
    """
    if "\0" in path or any("\ud800" <= character <= "\udfff" for character in path):
        raise RefusedFileError("its name is not text")
    names = tuple(part for part in path.split("/") if part not in ("", "."))
    if path.startswith("/") or ".." in names:
        raise RefusedFileError(OUTSIDE)
    if any(_is_git_folder(part) for part in names):
        raise RefusedFileError("it belongs to git")
    return names


def _is_git_folder(part: str) -> bool:
    """Return whether some file system treats ``part`` as `.git`: by case, alternate streams or invisible characters."""
    visible = "".join(character for character in part if unicodedata.category(character) != "Cf").casefold()
    return any(_GIT_FOLDER_NAME.fullmatch(piece.partition(":")[0].rstrip(" .")) for piece in visible.split("\\"))


def printable_path(path: str) -> str:
    """Return ``path`` on one line, escaped and cut if necessary."""
    printable = path if path.isprintable() and path else ascii(path)
    return printable if len(printable) <= 200 else printable[:199] + "…"


def read_file(root: Path, path: str, max_bytes: int) -> FileContent:
    """Return the content of the file ``path`` below ``root``.

    Raises:
        RefusedFileError: The file must not be read, is missing, or is larger than ``max_bytes``.
    """
    return read_file_at(root, path_parts(path), max_bytes)


def read_file_at(root: Path, names: tuple[str, ...], max_bytes: int) -> FileContent:
    """Like ``read_file``, for a path in parts, and also in git's own folder."""
    if not names:
        raise RefusedFileError(IS_FOLDER)
    with open_folder(root, names[:-1]) as folder:
        return read_file_in(folder, names[-1], max_bytes)


def read_file_if_present(root: Path, path: str, max_bytes: int) -> FileContent | None:
    """Like ``read_file``, but return None for a missing file."""
    try:
        return read_file(root, path, max_bytes)
    except RefusedFileError as refused:
        if refused.reason == MISSING:
            return None
        raise


@contextmanager
def open_folder(root: Path, names: Sequence[str], *, create: bool = False) -> Generator[int, None, None]:
    """Open the folder at ``names`` below ``root`` and yield its descriptor; ``create`` makes missing folders.

    Raises:
        RefusedFileError: It cannot be opened, or an operation in it fails.
    """
    descriptor = -1
    try:
        descriptor = os.open(root, _OPEN_FOLDER)
        for name in names:
            if create:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=descriptor)
            inner = os.open(name, _OPEN_FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    except OSError as error:
        raise RefusedFileError(_REASONS.get(error.errno or 0, os.strerror(error.errno or 0))) from None
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def read_file_in(folder: int, name: str, max_bytes: int) -> FileContent:
    """Return the content of the file ``name`` in an open folder.

    Raises:
        OSError: It cannot be opened.
        RefusedFileError: It is not a regular file, or is larger than ``max_bytes``.
    """
    descriptor = os.open(name, _OPEN_FILE, dir_fd=folder)
    try:
        return _read_descriptor(descriptor, max_bytes)
    finally:
        os.close(descriptor)


def _read_descriptor(descriptor: int, max_bytes: int) -> FileContent:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise RefusedFileError(IS_FOLDER if stat.S_ISDIR(status.st_mode) else NOT_REGULAR)
    data = bytearray()
    while len(data) <= max_bytes and (chunk := os.read(descriptor, min(_CHUNK_BYTES, max_bytes + 1 - len(data)))):
        data += chunk
    if len(data) > max_bytes:
        raise RefusedFileError(f"it is larger than {max_bytes // 1024} KiB")
    return FileContent(bytes(data), bool(status.st_mode & stat.S_IXUSR))


def decode_text(data: bytes) -> str:
    """Return ``data`` as text.

    Raises:
        RefusedFileError: It is binary or not UTF-8.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RefusedFileError("it is not UTF-8 text") from None
    if "\0" in text:
        raise RefusedFileError("it is binary")
    return text
