"""The private folder of what shippers keep: how far each one is, and which sessions were deleted here."""

import os
from collections.abc import Callable, Container
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from seqthink.core import system
from seqthink.core.saving import write_atomically
from seqthink.journal.folder import make_private_folder
from seqthink.share.shipping.journal_cursor import START, LinePlace
from seqthink.sources.fleet.layout import is_session

_MAX_BYTES: Final = 64 << 20
_DELETED: Final = "deleted"
_FORGOTTEN_SECONDS: Final = 60 * 24 * 3600
"""How long it is remembered that a session was deleted, for shippers that do not run now."""
_SAVE_SECONDS: Final = 30.0
_ABANDONED_SECONDS: Final = 30 * 24 * 3600
"""A shipper that did not run for so long holds back no `seqthink prune`."""


class ShippedPlace(msgspec.Struct, frozen=True, array_like=True):
    """How far a journal was shipped."""

    line: int
    offset: int
    before: bytes
    """The last bytes before the offset."""
    has_card: bool
    """Whether what lists show was sent, too."""


class ShippedState(msgspec.Struct, kw_only=True):
    """What one shipper keeps. All of it can be found out again; only `seqthink prune` and `--status` ask for it."""

    v: int = 1
    address: str
    origin: str
    folder: str
    """The folder of the journals."""
    time: float = 0.0
    """When it was written, in seconds since 1970."""
    places: dict[str, ShippedPlace] = {}
    """How far each session is shipped."""
    behind: list[str] = []
    """Sessions whose lines were missing in the engine."""
    deleted: list[str] = []
    """Sessions whose copies were deleted in the engine."""
    notes_after: str = "0-0"
    """The last note that was taken from the engine."""


def shipping_folder(home: Path) -> Path:
    """Return the folder of what shippers keep in ``home`` (see `seqthink.journal.folder.seqthink_home`)."""
    return home / "shipping"


class StateFile:
    """The file of one shipper: there is one for each engine, origin and folder.

    Args:
        folder: the folder of what shippers keep.
        address: the engine's address, without a password.
        origin: the origin's name.
        journals: the folder of the journals.
    """

    def __init__(self, folder: Path, address: str, origin: str, journals: Path) -> None:
        self._empty = ShippedState(address=address, origin=origin, folder=os.path.abspath(journals))  # noqa: PTH100 - `resolve` would ask the disk
        key = "\0".join((address, origin, self._empty.folder)).encode("utf-8", "surrogateescape")
        self.path = folder / f"{blake2b(key, digest_size=8).hexdigest()}.json"
        """Where it is."""

    def read(self) -> ShippedState:
        """Return what the file says; nothing if there is none, or it cannot be read."""
        found = _read(self.path)
        same = found is not None and found.v == 1 and found.address == self._empty.address
        return found if found is not None and same else msgspec.structs.replace(self._empty)

    def write(self, state: ShippedState) -> None:
        """Write the file.

        Raises:
            OSError: it cannot be written.
        """
        make_private_folder(self.path.parent)
        write_atomically(self.path, [msgspec.json.encode(state)], may_replace=True, is_private=True)


def _read(path: Path) -> ShippedState | None:
    try:
        descriptor = os.open(path, system.READ | system.NO_LINK)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file, suppress(OSError, msgspec.MsgspecError, RecursionError):
        return msgspec.json.decode(file.read(_MAX_BYTES), type=ShippedState)
    return None


def states_of(folder: Path, journals: Path, now: float) -> list[ShippedState]:
    """Return what the shippers of the journals in ``journals`` keep, without those that do not run any more."""
    wanted = os.path.abspath(journals)  # noqa: PTH100 - as above
    with suppress(OSError):
        found = [_read(path) for path in folder.glob("*.json")]
        return [
            state
            for state in found
            if state is not None and state.folder == wanted and now - state.time < _ABANDONED_SECONDS
        ]
    return []


def note_deletion(folder: Path, session: str) -> None:
    """Remember that a session was deleted here, so that shippers delete its copy; nothing where there is no shipper.

    Raises:
        OSError: it cannot be remembered.
    """
    if not is_session(session) or not folder.is_dir():
        return
    make_private_folder(folder / _DELETED)
    (folder / _DELETED / session).touch(mode=0o600)


def deleted_sessions(folder: Path) -> list[str]:
    """Return the sessions that were deleted here."""
    with suppress(OSError), os.scandir(folder / _DELETED) as entries:
        return [entry.name for entry in entries if is_session(entry.name)]
    return []


def drop_old_deletions(folder: Path, now: float) -> None:
    """Forget what was deleted long ago."""
    with suppress(OSError), os.scandir(folder / _DELETED) as entries:
        for entry in entries:
            with suppress(OSError):
                if now - entry.stat().st_mtime > _FORGOTTEN_SECONDS:
                    os.unlink(entry.path)  # noqa: PTH108 - an entry has its path as text


class Memory:
    """What one shipper remembers while it runs and after.

    Args:
        folder: the folder of what shippers keep.
        file: the shipper's own file in it.
        show: prints one line for the user.
    """

    def __init__(self, folder: Path, file: StateFile, show: Callable[[str], None]) -> None:
        self._folder = folder
        self._file = file
        self._show = show
        self._has_reported = False
        self._next_save = 0.0
        self.state = file.read()
        """What is kept. A change needs no notice."""

    def place(self, session: str) -> tuple[LinePlace, bool]:
        """Return how far a session was shipped, as far as is remembered, and whether its card was, too."""
        found = self.state.places.get(session)
        return (
            (LinePlace(found.line, found.offset, found.before), found.has_card) if found is not None else (START, False)
        )

    def newly_deleted(self, there: Container[str]) -> list[str]:
        """Return the sessions that were deleted here, and whose copies were not, without those that are ``there``."""
        done = self.state.deleted
        return [each for each in deleted_sessions(self._folder) if each not in done and each not in there]

    def is_due(self, seconds: float) -> bool:
        """Whether to save at this time of a clock that never goes back."""
        return seconds >= self._next_save

    def save(self, seconds: float, now: float) -> None:
        """Save; what cannot be saved is said once, and costs only time at the next start."""
        self._next_save = seconds + _SAVE_SECONDS
        self.state.time = now
        try:
            self._file.write(self.state)
        except OSError as error:
            if not self._has_reported:
                self._has_reported = True
                self._show(
                    f"{self._file.path}: {(error.strerror or str(error)).lower()}; it is counted again next time"
                )
