"""Finds the sessions of pi, and opens them."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.files.families import Copy, Families
from seqthink.sources.transcripts.files.json_lines import bounded_id, decode_object
from seqthink.sources.transcripts.files.jsonl_feed import JsonlFeed
from seqthink.sources.transcripts.files.listing import ListedFile, list_files, list_folders, path_of
from seqthink.sources.transcripts.files.tail import open_own_file, read_head
from seqthink.sources.transcripts.json_fields import text_in
from seqthink.sources.transcripts.pi.session_files import PiFiles
from seqthink.sources.transcripts.source import ClientProcess, FoundSession, SessionFeed
from seqthink.sources.transcripts.unreadable import skipped_link, unknown_format_at

_SUFFIX: Final = ".jsonl"
_HEAD_BYTES: Final = 16_384
_HEADER: Final = re.compile(rb'\{"type":"session",(?:"version":\d+,)?"id":"')
_RECORD: Final = re.compile(rb'\{"type":"\w+","id":"[^"\\]{1,128}","parentId":(?:null|"[^"\\]{1,128}"),"timestamp":"')
"""How every other record begins: the first line may be damaged."""
_MAX_WATCHED: Final = 200


class PiSource:
    """The sessions of pi, each with its copies."""

    name = "pi"
    """Its name in ``--sources``."""
    label = "pi"
    """The client's name for people."""

    def __init__(self, budget: Budget | None = None, *, is_alone: bool = False) -> None:
        """Read pi's sessions within a budget; ``is_alone`` says that a copy is a session of its own."""
        self._budget = budget or Budget()
        self._is_alone = is_alone
        self._families = Families(_session_of_name, self._original_of)

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Return the folder of all sessions (see `Source`)."""
        configured = environ.get("PI_CODING_AGENT_SESSION_DIR")
        if configured:
            return Path(configured)
        agent = environ.get("PI_CODING_AGENT_DIR")
        return (Path(agent) if agent else home / ".pi" / "agent") / "sessions"

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        """Return the sessions that changed last (see `Source`); one and its copies are one."""
        files = list_files(
            folder,
            depth=1,
            wants_file=_is_session_file,
            on_link=lambda path: self._budget.leave_out(skipped_link(path)),
        )
        return [_found(one.id, one.file, one.changed) for one in self._families.group(files, limit)]

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        """Return the folders of all projects, the newest first (see `Source`)."""
        if not folder.is_dir():
            return []
        return [folder, *(Path(path) for path, _ in list_folders(folder)[:_MAX_WATCHED])]

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return whether a file is a session of pi (see `Source`)."""
        return path.suffix == _SUFFIX and _is_session(head)

    def sessions_in(self, path: Path) -> list[FoundSession]:
        """Return the session of a file (see `Source`); a copy leads to its session, if that is beside it."""
        os.close(open_own_file(path))
        session = _session_of_name(path.name)
        first = self._families.first_of(path.parent, session) if session and not self._is_alone else None
        if first is not None:
            return [_found(_session_of_name(Path(first.path).name), first, first.changed)]
        status = path.stat()
        return [FoundSession(self.name, session or path.stem, path, status.st_mtime_ns // 1000, status.st_size)]

    def process_of(self, found: FoundSession) -> ClientProcess:  # noqa: ARG002 (no process says anything)
        """Return that nothing is known: the client's processes say nothing about themselves (see `Source`)."""
        return ClientProcess()

    def open(self, found: FoundSession) -> SessionFeed:
        """Return a feed of the session with its copies (see `Source`)."""
        os.close(open_own_file(found.path))
        return JsonlFeed(found.path, lambda counts: PiFiles(found.path, found.id, counts, lambda: self._copies(found)))

    def _copies(self, found: FoundSession) -> Sequence[Copy]:
        return () if self._is_alone else self._families.copies_in(found.path.parent).get(found.id, ())

    def _original_of(self, path: Path) -> str | None:
        """Return what a session was copied from (see `Families`)."""
        try:
            first_line, newline, rest = read_head(path, _HEAD_BYTES).partition(b"\n")
        except OSError:
            return None
        if not newline and len(first_line) < _HEAD_BYTES:
            return None
        if not _is_session(first_line + newline + rest):
            self._budget.leave_out(unknown_format_at(path, self.label))
            return None
        original = text_in(decode_object(first_line) or {}, "parentSession")
        return _session_of_name(re.split(r"[\\/]", original)[-1])


def _is_session(head: bytes) -> bool:
    return _HEADER.search(head) is not None or _RECORD.search(head) is not None


def _is_session_file(name: str) -> bool:
    return name.endswith(_SUFFIX) and "_" in name


def _session_of_name(name: str) -> str:
    """Return the id in the name of a session's file, ``TIME_ID.jsonl``; "" for another file."""
    return (bounded_id(name.removesuffix(_SUFFIX).partition("_")[2]) or "") if _is_session_file(name) else ""


def _found(session: str, file: ListedFile, changed: int) -> FoundSession:
    return FoundSession(PiSource.name, session, path_of(file.path), changed, file.size)
