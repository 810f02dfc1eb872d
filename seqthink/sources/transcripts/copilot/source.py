"""Finds the sessions of Copilot, and opens them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from typing_extensions import override

from seqthink.core import system
from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.copilot.records import CopilotReader
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.files.json_lines import bounded_id
from seqthink.sources.transcripts.files.jsonl_feed import JsonlFeed, TranscriptFile
from seqthink.sources.transcripts.files.listing import list_files, list_folders, list_in_folders, path_of
from seqthink.sources.transcripts.files.local_machine import started_at
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.source import ClientProcess, FoundSession, SessionFeed
from seqthink.sources.transcripts.unreadable import skipped_link

_FILE: Final = "events.jsonl"
_SESSIONS: Final = "session-state"
_WATCHED_SESSIONS: Final = 8
_HEAD_BYTES: Final = 65_536
_RECORD: Final = re.compile(rb'\{"type":"[a-z]+\.?[A-Za-z_.]*","data":\{')
_SESSION_ID: Final = re.compile(rb'\{"type":"session\.start","data":\{"sessionId":"([\w.:-]{1,128})"')
_IN_USE: Final = re.compile(r"inuse\.([0-9]{1,9})\.lock")
_CLOCK_MICROSECONDS: Final = 1_000_000
"""How much earlier than its process a file may seem to have been written: file systems round."""


class CopilotSource:
    """The sessions of GitHub Copilot CLI, each with its subagents."""

    name = "copilot"
    """Its name in ``--sources``."""
    label = "Copilot CLI"
    """The client's name for people."""

    def __init__(self, budget: Budget | None = None) -> None:
        """Read Copilot's sessions within a budget."""
        self._budget = budget or Budget()
        self._recent: list[Path] = []
        """The folders of the sessions that were found last, as far as they are watched."""

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Return the folder of Copilot (see `Source`)."""
        return Path(environ.get("COPILOT_HOME") or home / ".copilot")

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        """Return the sessions that changed last (see `Source`): each has a folder, which is named by its id."""
        files = list_in_folders(
            folder / _SESSIONS, lambda _: _FILE, lambda path: self._budget.leave_out(skipped_link(path))
        )[:limit]
        named = [(bounded_id(path_of(one.path).parent.name), one) for one in files]
        self._recent = [path_of(one.path).parent for one in files[:_WATCHED_SESSIONS]]
        return [FoundSession(self.name, name, path_of(one.path), one.changed, one.size) for name, one in named if name]

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        """Return the existing folders in which a change may mean a new or grown session (see `Source`)."""
        sessions = folder / _SESSIONS
        newest = self._recent or [Path(path) for path, _ in list_folders(sessions)[:_WATCHED_SESSIONS]]
        return [*newest, sessions] if sessions.is_dir() else []

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return whether a file is a session of Copilot (see `Source`), also one whose first line is damaged."""
        return path.suffix == ".jsonl" and _RECORD.search(head) is not None

    def sessions_in(self, path: Path) -> list[FoundSession]:
        """Return the session in a file (see `Source`)."""
        status = path.stat()
        found = _SESSION_ID.search(read_head(path, _HEAD_BYTES))
        by_name = path.parent.name if path.name == _FILE else path.stem
        identifier = found[1].decode("ascii", "replace") if found is not None else bounded_id(by_name)
        if not identifier:
            return []
        return [FoundSession(self.name, identifier, path, status.st_mtime_ns // 1_000, status.st_size)]

    def process_of(self, found: FoundSession) -> ClientProcess:
        """Return whether a process of the client has the session open (see `Source`).

        Each leaves a file with its number in the session's folder, and removes it when it ends. One that was killed
        leaves it behind, and the number may be another program's by now.
        """
        locks = list_files(found.path.parent, depth=0, wants_file=lambda name: _IN_USE.fullmatch(name) is not None)
        runs = {_has_written(int(_name(one.path).split(".")[1]), one.changed) for one in locks}
        return ClientProcess(is_running=next((known for known in (True, None, False) if known in runs), None))

    def open(self, found: FoundSession) -> SessionFeed:
        """Return a feed of the session (see `Source`)."""
        found.path.lstat()
        return _EventFeed(found)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _has_written(process: int, changed: int) -> bool | None:
    """Return whether a process runs that can have written a file then; None if the system does not say."""
    is_running = system.is_running(process)
    started = started_at(process) if is_running else None
    return False if started is not None and started > changed + _CLOCK_MICROSECONDS else is_running


class _EventFeed(JsonlFeed):
    """A feed that knows which calls wait for the user's permission: the client writes what it asks, and the answer."""

    def __init__(self, found: FoundSession) -> None:
        self._found = found
        super().__init__(found.path, self._begun)

    def _begun(self, counts: ReadCounts) -> "_SessionFile":
        self._reader = CopilotReader(self._found.id, counts)
        return _SessionFile(TranscriptFile(self._found.path, self._reader))

    @property
    @override
    def unstarted_calls(self) -> Mapping[str, int]:
        """The calls that wait for permission (see `SessionFeed`)."""
        return self._reader.asked_permissions


class _SessionFile:
    """The one file of a session."""

    def __init__(self, file: TranscriptFile) -> None:
        self._file = file

    def files(self) -> Iterable[TranscriptFile]:
        """Return the file."""
        return (self._file,)
