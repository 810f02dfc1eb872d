"""Files below one folder, and nothing else: no link is followed on the way, and only a regular file is ever read.

Each folder of a path is opened inside the one before, without following links, and what was opened is looked at again:
a file that becomes a link between a look and the reading is refused too.
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

_GIT = re.compile(r"\.git|git~\d+")
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""What is no file must not make the opening wait: a pipe does until somebody writes."""
_CHUNK: Final = 1 << 20

OUTSIDE: Final = "it is outside the workspace"
LINKED: Final = "a symbolic link is not followed"
MISSING: Final = "the file is not there"
NO_FILE: Final = "it is no regular file"
FOLDER: Final = "it is a folder"
NO_FOLDER: Final = "a part of its path is a symbolic link or a file"
_REASONS: Final = {
    errno.ENOENT: MISSING,
    errno.ELOOP: LINKED,
    errno.ENOTDIR: NO_FOLDER,
    errno.ENXIO: NO_FILE,
    errno.EACCES: "access to it is denied",
    errno.ENAMETOOLONG: "its name is too long",
}


class RefusedFileError(Exception):
    """A path that is not read, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Content(Struct, frozen=True):
    """A file's bytes, and whether it may be run."""

    data: bytes
    is_executable: bool


def parts(path: str) -> tuple[str, ...]:
    """Return the names that ``path`` leads through.

    Raises:
        RefusedFileError: it leads out, into git's own folder, or is no name that a text can hold.
    """
    if "\0" in path or any("\ud800" <= letter <= "\udfff" for letter in path):
        raise RefusedFileError("its name is no text")
    inside = tuple(part for part in path.split("/") if part not in ("", "."))
    if path.startswith("/") or ".." in inside:
        raise RefusedFileError(OUTSIDE)
    if any(_is_git(part) for part in inside):
        raise RefusedFileError("it belongs to git")
    return inside


def _is_git(part: str) -> bool:
    """Return whether some file system takes ``part`` for `.git`: other case, other streams, letters that don't show."""
    seen = "".join(letter for letter in part if unicodedata.category(letter) != "Cf").casefold()
    return any(_GIT.fullmatch(piece.partition(":")[0].rstrip(" .")) for piece in seen.split("\\"))


def shown(path: str) -> str:
    """Return ``path`` for a sentence: one line, whatever it is made of."""
    plain = path if path.isprintable() and path else ascii(path)
    return plain if len(plain) <= 200 else plain[:199] + "…"


def read(root: Path, path: str, most: int) -> Content:
    """Return what is in the file ``path`` below ``root``.

    Raises:
        RefusedFileError: nothing may be read there, there is nothing, or it is larger than ``most`` bytes.
    """
    return read_at(root, parts(path), most)


def read_at(root: Path, names: tuple[str, ...], most: int) -> Content:
    """Return what is in the file that ``names`` lead to from ``root``, as `read` does but also in git's own folder."""
    if not names:
        raise RefusedFileError(FOLDER)
    with opened_folder(root, names[:-1]) as folder:
        return read_in(folder, names[-1], most)


def found(root: Path, path: str, most: int) -> Content | None:
    """Return what `read` does, and None where there is no file."""
    try:
        return read(root, path, most)
    except RefusedFileError as refused:
        if refused.reason == MISSING:
            return None
        raise


@contextmanager
def opened_folder(root: Path, names: Sequence[str], *, is_made: bool = False) -> Generator[int, None, None]:
    """Lend the descriptor of the folder that ``names`` lead to from ``root``, made where it ``is_made``.

    Raises:
        RefusedFileError: it cannot be opened, or what is done with it fails.
    """
    held = -1
    try:
        held = os.open(root, _FOLDER)
        for name in names:
            if is_made:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=held)
            inner = os.open(name, _FOLDER, dir_fd=held)
            os.close(held)
            held = inner
        yield held
    except OSError as error:
        raise RefusedFileError(_REASONS.get(error.errno or 0, os.strerror(error.errno or 0))) from None
    finally:
        if held >= 0:
            os.close(held)


def read_in(folder: int, name: str, most: int) -> Content:
    """Return what is in the file ``name`` of an opened folder.

    Raises:
        OSError: it cannot be opened.
        RefusedFileError: it is no regular file, or it is larger than ``most`` bytes.
    """
    descriptor = os.open(name, _FILE, dir_fd=folder)
    try:
        return _content(descriptor, most)
    finally:
        os.close(descriptor)


def _content(descriptor: int, most: int) -> Content:
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode):
        raise RefusedFileError(FOLDER if stat.S_ISDIR(about.st_mode) else NO_FILE)
    data = bytearray()
    while len(data) <= most and (chunk := os.read(descriptor, min(_CHUNK, most + 1 - len(data)))):
        data += chunk
    if len(data) > most:
        raise RefusedFileError(f"it is larger than {most // 1024} KiB")
    return Content(bytes(data), bool(about.st_mode & stat.S_IXUSR))


def text_of(data: bytes) -> str:
    """Return ``data`` as text.

    Raises:
        RefusedFileError: it is none.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RefusedFileError("it is not UTF-8 text") from None
    if "\0" in text:
        raise RefusedFileError("it is binary")
    return text
