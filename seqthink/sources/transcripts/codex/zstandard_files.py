"""Opens rollouts that Codex has compressed (``.jsonl.zst``), if this Python can read them."""

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final, cast

from seqthink.sources.transcripts.files.tail import open_own_file

SUFFIX: Final = ".zst"
_Opener = Callable[[IO[bytes]], IO[bytes]]


def can_decompress() -> bool:
    """Return whether this Python can read Zstandard: from 3.14 on, or with the package ``zstandard``."""
    return _opener() is not None


def open_rollout(path: Path) -> IO[bytes]:
    """Return a stream of a rollout's bytes, decompressed if need be; the caller closes it.

    Raises:
        OSError: it cannot be opened, or is compressed and this Python cannot read that.
    """
    file = os.fdopen(open_own_file(path), "rb")
    if path.suffix != SUFFIX:
        return file
    opener = _opener()
    if opener is None:
        file.close()
        raise OSError(f"compressed with Zstandard, which this Python cannot read: {path.name}")
    return opener(file)


def read_rollout_head(path: Path, size: int) -> bytes:
    """Return the first bytes of a rollout; empty if it cannot be read."""
    try:
        with open_rollout(path) as stream:
            return stream.read(size)
    except Exception:  # noqa: BLE001 (each decompressor has errors of its own for a broken file)
        return b""


def _opener() -> _Opener | None:
    for module, name in (("compression.zstd", "ZstdFile"), ("zstandard", "open")):
        try:
            return cast("_Opener", getattr(importlib.import_module(module), name))
        except (ImportError, AttributeError):
            continue
    return None
