"""Writes a file completely or not at all."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from seqthink.core import system
from seqthink.core.errors import UsageError

_unfinished: set[Path] = set()
"""The temporary files that are being written now."""


def write_file(
    path: Path, pieces: Iterable[str | bytes], *, journal: Path, may_replace: bool, is_journal: Callable[[Path], bool]
) -> None:
    """Write a file completely or not at all; an existing pipe or device is written to directly.

    Args:
        path: the file.
        pieces: its text, or its bytes.
        journal: the journal that it was made from, which is never overwritten.
        may_replace: whether an existing file may be replaced; another journal never is.
        is_journal: whether an existing file is a journal.

    Raises:
        UsageError: the file exists and may not be replaced, or cannot be written.
    """
    try:
        expanded = path.expanduser()
        if expanded.exists() and not expanded.is_file() and not expanded.is_dir():
            with expanded.open("wb") as file:
                file.writelines(_encoded(pieces))
            return
        _check_target(path, expanded, journal=journal, may_replace=may_replace, is_journal=is_journal)
        # Replace the file that a link points to, not the link.
        write_atomically(expanded.resolve(), _encoded(pieces), may_replace=may_replace)
    except FileExistsError:
        raise UsageError(f"{path} already exists; --force replaces it") from None
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError) as error:
        raise UsageError(f"cannot write {path}: {_reason(error, path)}") from error


def _encoded(pieces: Iterable[str | bytes]) -> Iterator[bytes]:
    return (piece.encode() if isinstance(piece, str) else piece for piece in pieces)


def _check_target(
    path: Path, expanded: Path, *, journal: Path, may_replace: bool, is_journal: Callable[[Path], bool]
) -> None:
    """Raise unless the file at ``expanded``, which the user named as ``path``, may be written."""
    if expanded.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it")
    if not expanded.exists():
        if expanded.is_symlink():
            raise UsageError(f"{path} is a broken link; name a file")
        return
    if expanded.samefile(journal):
        raise UsageError(f"{path} is the journal itself; name another file")
    if not may_replace:
        raise UsageError(f"{path} already exists; --force replaces it")
    if is_journal(expanded):
        raise UsageError(f"{path} is a journal; name another file")


def write_atomically(target: Path, pieces: Iterable[bytes], *, may_replace: bool, is_private: bool = False) -> None:
    """Write to a temporary file in the same folder and rename it to ``target`` when it is complete.

    Args:
        target: the file.
        pieces: its bytes.
        may_replace: whether an existing file may be replaced.
        is_private: whether only its owner may read the file, independent of the umask.

    Raises:
        FileExistsError: ``target`` exists and may not be replaced.
        OSError: the file cannot be written; nothing of it is left.
    """
    temporary = target.with_name(f".{target.name[:100]}.{os.urandom(4).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.OPEN
    _unfinished.add(temporary)
    try:
        descriptor = os.open(temporary, flags, 0o600 if is_private else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            if is_private:
                system.make_private(descriptor)
            file.writelines(pieces)
        if may_replace:
            temporary.replace(target)
        else:
            _put_new(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
        _unfinished.discard(temporary)


def remove_unfinished() -> None:
    """Delete the temporary files of what is being written by other threads: the process is about to end at once."""
    for temporary in list(_unfinished):
        with suppress(OSError):
            temporary.unlink()


def _put_new(temporary: Path, target: Path) -> None:
    try:
        os.link(temporary, target)  # unlike a rename, this fails if the file was created meanwhile
    except FileExistsError:
        raise
    except OSError:  # a file system without links, such as a memory stick's
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.OPEN))  # now nobody else can create it
        try:
            temporary.replace(target)
        except OSError:
            target.unlink()
            raise


def _reason(error: OSError | RuntimeError, path: Path) -> str:
    if isinstance(error, OSError) and error.errno == errno.ENOENT:
        return f"there is no folder {path.parent}"
    return ((error.strerror if isinstance(error, OSError) else None) or str(error)).lower()
