"""The journals that imports wrote: one for each session, found again by its name (docs/sources.md, "Import").

The last letters of a journal's name are derived from the client's id of its session, so no index is kept, and nothing
that a transcript holds is part of a path.
"""

import errno
import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from seqthink.core.errors import CorruptLineError
from seqthink.core.events import SessionEvent
from seqthink.core.times import datetime_of
from seqthink.journal.decode import decode
from seqthink.journal.folder import ID_ALPHABET, SUFFIX, is_journal, journal_path, new_session_id
from seqthink.journal.journal_file import PROBE_BYTES, JournalFile
from seqthink.journal.peek import first_session_event

_LETTERS = 6
_MAX_NAMES = 8
"""How many names there are for one session, should another journal have the first."""
_SESSION_TYPE = b'"type":"session"'
_START_BYTES = 128


def derived_letters(source: str, session: str, attempt: int = 0) -> str:
    """Return the letters at the end of the name of a session's journal, always the same ones."""
    text = "\0".join((source, session, str(attempt) if attempt else ""))
    number = int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
    return "".join(ID_ALPHABET[number >> 5 * place & 31] for place in range(_LETTERS))


class ImportedJournals:
    """The journals of one folder, which need not exist.

    Raises:
        OSError: the folder is there and cannot be listed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_letters: dict[str, list[Path]] = {}
        self._by_session: dict[tuple[str, str], Path] | None = None
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if is_journal(entry.name) and entry.is_file(follow_symlinks=False):
                        self._add_name(Path(entry.path))
        except FileNotFoundError:
            return

    def find(self, source: str, session: str) -> Path | None:
        """Return the journal that holds a session of a client, as its main session or as a fork; None without one."""
        for attempt in range(_MAX_NAMES):
            paths = self._by_letters.get(derived_letters(source, session, attempt), [])
            for path in paths:
                if self._holds(path, source, session):
                    return path
            if not paths:
                break
        if self._by_session is None:
            self._by_session = dict(self._sessions_in_journals())
        return self._by_session.get((source, session))

    def new_path(self, source: str, session: str, began: int) -> Path:
        """Return where the journal of a session is to be made that has none.

        ``began`` is the time of its first event, in microseconds since 1970.

        Raises:
            OSError: each of its names is taken.
        """
        for attempt in range(_MAX_NAMES):
            name = new_session_id(datetime_of(max(0, began)), derived_letters(source, session, attempt))
            path = journal_path(self._folder, name)
            if not os.path.lexists(path):
                return path
        raise OSError(errno.EEXIST, "other files have its names", str(self._folder))

    def add(self, path: Path, source: str, session: str) -> None:
        """Take in a journal that was made."""
        self._add_name(path)
        if self._by_session is not None:
            self._by_session[source, session] = path

    def _add_name(self, path: Path) -> None:
        self._by_letters.setdefault(path.name.removesuffix(SUFFIX)[-_LETTERS:], []).append(path)

    def _holds(self, path: Path, source: str, session: str) -> bool:
        event = first_session_event(path)
        if event is None:
            return _is_hardly_begun(path)
        return event.imported and event.source == source and session in event.sourceIds

    def _sessions_in_journals(self) -> Iterator[tuple[tuple[str, str], Path]]:
        for paths in self._by_letters.values():
            for path in paths:
                event = first_session_event(path)
                if event is not None and event.imported and event.source is not None:
                    for identifier in dict.fromkeys((*event.sourceIds, *_later_source_ids(path))):
                        yield (event.source, identifier), path


def _is_hardly_begun(path: Path) -> bool:
    """Whether an import was killed before it had written the first line."""
    try:
        file = JournalFile.open(path)
        try:
            return b"\n" not in file.read_bytes(0, PROBE_BYTES)
        finally:
            file.close()
    except OSError:
        return False


def _later_source_ids(path: Path) -> Iterator[str]:
    """Yield the ids that a journal's `session` events name, the later ones also, which forks have added."""
    try:
        with path.open("rb") as file:
            for line in file:
                if _SESSION_TYPE in line[:_START_BYTES]:
                    try:
                        event = decode(line.rstrip(b"\n"))
                    except CorruptLineError:
                        continue
                    if isinstance(event, SessionEvent):
                        yield from event.sourceIds
    except OSError:
        return
