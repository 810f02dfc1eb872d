"""Compresses rollouts of known sessions as Codex does with old ones, by a stand-in for Zstandard."""

import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO


def opener() -> Callable[[IO[bytes]], IO[bytes]]:
    """Return what opens a file that `compress` has made."""

    def opened(file: IO[bytes]) -> IO[bytes]:
        with file:
            return io.BytesIO(zlib.decompress(file.read()))

    return opened


def compress(path: Path) -> Path:
    """Replace a rollout by one that the stand-in can decompress."""
    packed = path.with_name(path.name + ".zst")
    packed.write_bytes(zlib.compress(path.read_bytes()))
    path.unlink()
    return packed
