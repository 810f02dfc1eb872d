"""The files of the sessions that somebody looked at: in a private folder in memory, the ones used last."""

import threading
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from seqthink.core.errors import SeqthinkError
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.mirror.mirror_file import MirrorFile
from seqthink.sources.transcripts.files.private_folder import PrivateFolder, memory_folder

MAX_MIRRORS: Final = 64
"""How many sessions are kept besides those that are followed."""
MAX_TOTAL_BYTES: Final = 2 << 30
"""How long they may be together."""
_PREFIX: Final = "seqthink-fleet-"
_SESSIONS: Final = "sessions"
_PRIVATE_MODE: Final = 0o700


class MirrorStore:
    """The mirrors of a fleet's sessions. Any thread may call it.

    Raises:
        SeqthinkError: the folder cannot be made.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        base = memory_folder(environ)
        try:
            self._folder = PrivateFolder(base, _PREFIX)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise SeqthinkError(f"{base}: no folder for the fleet's sessions can be made: {reason}") from error
        self.sessions = self._folder.path / _SESSIONS
        self._lock = threading.Lock()
        self._mirrors: dict[SessionName, MirrorFile] = {}
        self._is_closed = False

    def get(self, name: SessionName) -> MirrorFile | None:
        """Return the mirror of a session, if there is one."""
        return self._mirrors.get(name)

    @property
    def names(self) -> list[SessionName]:
        """The sessions that have mirrors."""
        with self._lock:
            return list(self._mirrors)

    def open(self, name: SessionName, path: Path, followed: Collection[SessionName]) -> MirrorFile:
        """Return the mirror of a session, a new one if need be; those that were not used for long are dropped.

        Raises:
            SeqthinkError: its folder cannot be made.
        """
        with self._lock:
            mirror = self._mirrors.pop(name, None) or MirrorFile(path)
            _make_folder(path.parent)
            self._mirrors[name] = mirror
            if self._is_closed:
                mirror.close()
            spare = [one for one in self._mirrors if one != name and one not in followed]
            dropped = [self._mirrors.pop(one) for one in self._superfluous(spare)]
            for one in dropped:
                one.close()
        return mirror

    def _superfluous(self, spare: list[SessionName]) -> Iterable[SessionName]:
        count, total = len(spare), sum(mirror.size for mirror in self._mirrors.values())
        for name in spare:
            if count <= MAX_MIRRORS and total <= MAX_TOTAL_BYTES:
                return
            count, total = count - 1, total - self._mirrors[name].size
            yield name

    def close(self) -> None:
        """Delete all. Calling it again does nothing."""
        with self._lock:
            self._is_closed = True
            mirrors = list(self._mirrors.values())
            self._mirrors.clear()
        for mirror in mirrors:
            mirror.close()
        self._folder.close()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=_PRIVATE_MODE, parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SeqthinkError(f"{folder}: no folder for a session of the fleet can be made: {reason}") from error
