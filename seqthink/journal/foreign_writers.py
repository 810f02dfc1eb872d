"""Who writes journals that are copies or translations: a lock says nothing about them, but their keeper knows."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from seqthink.core.events import WriterState

_KEEPERS: Final[dict[str, Callable[[Path], WriterState]]] = {}
"""By their folders, with a separator at the end."""


def register_keeper(folder: Path, state_of: Callable[[Path], WriterState]) -> None:
    """Let ``state_of`` say of all journals below ``folder`` whether their servers run. Any thread may ask it."""
    _KEEPERS[_key(folder)] = state_of


def unregister_keeper(folder: Path) -> None:
    """Undo `register_keeper`. Calling it again does nothing."""
    _KEEPERS.pop(_key(folder), None)


def foreign_writer_state(path: Path) -> WriterState | None:
    """Return whether a journal's writer runs, as its keeper says; None for a journal without a keeper."""
    for folder, state_of in tuple(_KEEPERS.items()):
        if str(path).startswith(folder):
            return state_of(path)
    return None


def _key(folder: Path) -> str:
    return str(folder / "_")[:-1]
