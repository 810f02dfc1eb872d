"""A file written whole or not at all, for its owner alone."""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path


def write_private(target: Path, lines: Iterable[bytes], *, may_replace: bool) -> None:
    """Write ``target`` with mode 0600: to a file of another name beside it, which gets the right one when complete.

    Raises:
        FileExistsError: it is there, and may not be replaced.
        OSError: it cannot be written; nothing is left of it.
    """
    if not may_replace and os.path.lexists(target):
        raise FileExistsError
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
            file.writelines(lines)
        if may_replace:
            beside.replace(target)
        else:
            os.link(beside, target)  # unlike a rename, it fails where a file has come meanwhile
    finally:
        beside.unlink(missing_ok=True)
