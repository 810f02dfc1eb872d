"""Finds the sessions of Qwen Code, and opens them."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.files.families import Copy, Families
from seqthink.sources.transcripts.files.json_lines import bounded_id
from seqthink.sources.transcripts.files.jsonl_feed import JsonlFeed
from seqthink.sources.transcripts.files.listing import ListedFile, list_files, list_folders, path_of
from seqthink.sources.transcripts.files.tail import open_own_file, read_head
from seqthink.sources.transcripts.qwen.session_files import AGENT_FOLDER, QwenFiles, is_agent_file
from seqthink.sources.transcripts.source import ClientProcess, FoundSession, SessionFeed
from seqthink.sources.transcripts.unreadable import skipped_link, unknown_format_at

_SUFFIX: Final = ".jsonl"
_CHATS: Final = "chats"
_HEAD_BYTES: Final = 16_384
_RECORD: Final = re.compile(rb'\{"uuid":"[^"\\]{1,128}","parentUuid":(?:null|"[^"\\]{1,128}"),"sessionId":"')
"""How every record begins."""
_COPIED: Final = re.compile(rb'"forkedFrom":\{"sessionId":"([\w.:-]{1,200})"')
_MAX_WATCHED: Final = 200


class QwenSource:
    """The sessions of Qwen Code, each with its subagents and its copies."""

    name = "qwen"
    """Its name in ``--sources``."""
    label = "Qwen Code"
    """The client's name for people."""

    def __init__(self, budget: Budget | None = None, *, is_alone: bool = False) -> None:
        """Read Qwen Code's sessions within a budget; ``is_alone`` says that a copy is a session of its own."""
        self._budget = budget or Budget()
        self._is_alone = is_alone
        self._families = Families(_session_of_name, self._original_of)

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Return the folder of all projects (see `Source`)."""
        configured = environ.get("QWEN_HOME")
        return (Path(configured) if configured else home / ".qwen") / "projects"

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        """Return the sessions that changed last (see `Source`); one and its copies are one."""
        files = list_files(
            folder,
            depth=2,
            wants_file=_is_session_file,
            enters_folder=lambda name, level: level == 1 or name == _CHATS,
            on_link=lambda path: self._budget.leave_out(skipped_link(path)),
        )
        folders = [one for project, _ in list_folders(folder) for one, _ in list_folders(Path(project, AGENT_FOLDER))]
        with_agents = {one.rpartition("/")[2] for one in folders}
        found = [
            (_found if one.id in with_agents else _bare)(one.id, one.file, one.changed)
            for one in self._families.group(files, limit)
        ]
        return sorted(found, key=lambda session: session.changed, reverse=True)

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        """Return the folders of all projects' sessions, the newest first (see `Source`)."""
        if not folder.is_dir():
            return []
        chats = [Path(path) / _CHATS for path, _ in list_folders(folder)]
        return [folder, *[one for one in chats if one.is_dir()][:_MAX_WATCHED]]

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return whether a file is a session or a subagent of Qwen Code (see `Source`)."""
        return path.suffix == _SUFFIX and _RECORD.search(head) is not None

    def sessions_in(self, path: Path) -> list[FoundSession]:
        """Return the session of a file (see `Source`); a copy or a subagent leads to its session, if that is there."""
        os.close(open_own_file(path))
        if is_agent_file(path.name):
            main = path.parent.parent.parent / _CHATS / f"{path.parent.name}{_SUFFIX}"
            if main.is_file() and not main.is_symlink():
                return self.sessions_in(main)
        session = _session_of_name(path.name) or path.stem
        first = None if self._is_alone or is_agent_file(path.name) else self._families.first_of(path.parent, session)
        if first is not None:
            return [_found(_session_of_name(Path(first.path).name), first, first.changed)]
        status = path.stat()
        return [FoundSession(self.name, session, path, status.st_mtime_ns // 1000, status.st_size)]

    def process_of(self, found: FoundSession) -> ClientProcess:  # noqa: ARG002 (no process says anything)
        """Return that nothing is known: the client's processes say nothing about themselves (see `Source`)."""
        return ClientProcess()

    def open(self, found: FoundSession) -> SessionFeed:
        """Return a feed of the session with its subagents and copies (see `Source`)."""
        os.close(open_own_file(found.path))
        return JsonlFeed(
            found.path, lambda counts: QwenFiles(found.path, found.id, counts, lambda: self._copies(found))
        )

    def _copies(self, found: FoundSession) -> Sequence[Copy]:
        if self._is_alone or is_agent_file(found.path.name):
            return ()
        return self._families.copies_in(found.path.parent).get(found.id, ())

    def _original_of(self, path: Path) -> str | None:
        """Return what a session was copied from (see `Families`)."""
        try:
            head = read_head(path, _HEAD_BYTES)
        except OSError:
            return None
        if _RECORD.search(head) is None:
            if b"\n" in head:
                self._budget.leave_out(unknown_format_at(path, self.label))
            return None
        first_line, newline, _ = head.partition(b"\n")
        copied = _COPIED.search(first_line)
        if copied is not None:
            return copied[1].decode()
        return "" if newline or len(head) == _HEAD_BYTES else None


def _is_session_file(name: str) -> bool:
    return name.endswith(_SUFFIX) and not is_agent_file(name)


def _session_of_name(name: str) -> str:
    return (bounded_id(name.removesuffix(_SUFFIX)) or "") if _is_session_file(name) else ""


def _found(session: str, file: ListedFile, changed: int) -> FoundSession:
    """Return a session with the time at which it, a copy or a subagent of it changed last."""
    found = _bare(session, file, changed)
    agents = list_files(found.path.parent.parent / AGENT_FOLDER / session, depth=0, wants_file=is_agent_file)
    return found._replace(changed=max(changed, agents[0].changed)) if agents else found


def _bare(session: str, file: ListedFile, changed: int) -> FoundSession:
    return FoundSession(QwenSource.name, session, path_of(file.path), changed, file.size)
