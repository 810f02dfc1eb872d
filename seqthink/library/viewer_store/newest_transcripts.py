"""The newest sessions of other programs as a viewer found them last, so that the next one need not look for them first.

It is only where the next viewer begins: that looks at each file, and then at all folders.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from seqthink.core.errors import UsageError
from seqthink.library.viewer_store.folder import LIST_PREFIX, open_private, replace_private

MAX_BYTES: Final = 4 << 20
"""A larger file is ignored."""
_FORMAT: Final = "seqthink.newest/1"
FileState = tuple[int, int]
"""Size, and time of the last change in nanoseconds, of a file or folder."""


class NewestSessions(msgspec.Struct, frozen=True, array_like=True):
    """The newest sessions of one client."""

    folder: str
    states: dict[str, FileState | None]
    """The folders in which others would have appeared, and their states then; and those of a database."""
    sessions: list[tuple[str, str, int, int, int]]
    """Of each its id, file, last change, size and beginning, as in `seqthink.sources.transcripts.source`."""


class _Document(msgspec.Struct):
    format: str
    sources: dict[str, NewestSessions]


def load_newest(viewer_folder: Path) -> Mapping[str, NewestSessions]:
    """Return what was remembered of each client, by its name; nothing if it cannot be read."""
    with suppress(OSError, UsageError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        with os.fdopen(open_private(_path(viewer_folder), os.O_RDONLY), "rb") as file:
            found = msgspec.json.decode(file.read(MAX_BYTES), type=_Document)
        if found.format == _FORMAT:
            return found.sources
    return {}


def save_newest(viewer_folder: Path, newest: Mapping[str, NewestSessions]) -> None:
    """Remember the newest sessions of each client. Failures do not matter."""
    with suppress(OSError, UsageError, UnicodeEncodeError):
        replace_private(_path(viewer_folder), msgspec.json.encode(_Document(_FORMAT, dict(newest))))


def _path(viewer_folder: Path) -> Path:
    return viewer_folder / f"{LIST_PREFIX}newest.json"
