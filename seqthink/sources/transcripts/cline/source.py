"""Finds the sessions of Cline CLI, and opens them."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.cline.feed import AGENT_PREFIX, DOCUMENT_SUFFIX, ClineFeed
from seqthink.sources.transcripts.cline.state_file import process_of, read_state
from seqthink.sources.transcripts.files.json_lines import bounded_id
from seqthink.sources.transcripts.files.listing import list_files, list_folders, list_in_folders, path_of
from seqthink.sources.transcripts.files.tail import open_own_file
from seqthink.sources.transcripts.source import ClientProcess, FoundSession, SessionFeed
from seqthink.sources.transcripts.unreadable import skipped_link

_HEAD: Final = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"updated_at"\s*:')
_MESSAGE: Final = re.compile(rb'"role"\s*:\s*"(?:user|assistant)"')
_MAX_WATCHED: Final = 50
_MAX_WITH_AGENTS: Final = 256
"""Sessions whose subagents are looked at, the newest: a subagent works soon after its session has changed."""


class ClineSource:
    """The sessions of Cline CLI, each with its subagents."""

    name = "cline"
    """Its name in ``--sources``."""
    label = "Cline CLI"
    """The client's name for people."""

    def __init__(self, budget: Budget | None = None) -> None:
        """Read Cline CLI's sessions within a budget."""
        self._budget = budget or Budget()
        self._recent: list[Path] = []
        """The folders of the sessions that were found last, as far as they are watched."""

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Return the folder of all sessions (see `Source`)."""
        sessions, data, own = (environ.get(f"CLINE_{name}") for name in ("SESSION_DATA_DIR", "DATA_DIR", "DIR"))
        if sessions:
            return Path(sessions)
        return (Path(data) if data else (Path(own) if own else home / ".cline") / "data") / "sessions"

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        """Return the sessions that changed last (see `Source`); a subagent's work changes its session."""
        files = list_in_folders(
            folder,
            lambda name: f"{name}{DOCUMENT_SUFFIX}",
            lambda path: self._budget.leave_out(skipped_link(path)),
        )[:limit]
        found = [self._found(path_of(file.path), file.changed, file.size) for file in files]
        found[:_MAX_WITH_AGENTS] = map(_with_agents, found[:_MAX_WITH_AGENTS])
        found.sort(key=lambda session: session.changed, reverse=True)
        self._recent = [session.path.parent for session in found[:_MAX_WATCHED]]
        return found

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        """Return the folders of the sessions that changed last, and that of all (see `Source`)."""
        if not folder.is_dir():
            return []
        return [folder, *(self._recent or [Path(path) for path, _ in list_folders(folder)[:_MAX_WATCHED]])]

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return whether a file is a session or a subagent of Cline CLI (see `Source`)."""
        is_damaged = path.name.endswith(DOCUMENT_SUFFIX) and _MESSAGE.search(head) is not None
        return path.suffix == ".json" and (_HEAD.match(head) is not None or is_damaged)

    def sessions_in(self, path: Path) -> list[FoundSession]:
        """Return the session of a document (see `Source`); a subagent's leads to its session, if that is there."""
        os.close(open_own_file(path))
        if path.name.startswith(AGENT_PREFIX):
            main = path.with_name(f"{path.parent.name}{DOCUMENT_SUFFIX}")
            if main.is_file() and not main.is_symlink():
                return self.sessions_in(main)
        status = path.stat()
        return [self._found(path, status.st_mtime_ns // 1000, status.st_size)]

    def process_of(self, found: FoundSession) -> ClientProcess:
        """Return whether the session's process runs (see `Source`)."""
        return process_of(read_state(found.path))

    def open(self, found: FoundSession) -> SessionFeed:
        """Return a feed of the session with its subagents (see `Source`)."""
        os.close(open_own_file(found.path))
        return ClineFeed(found, is_alone=found.path.name.startswith(AGENT_PREFIX))

    def _found(self, path: Path, changed: int, size: int) -> FoundSession:
        identifier = bounded_id(path.name.removesuffix(DOCUMENT_SUFFIX)) or path.stem
        return FoundSession(self.name, identifier, path, changed, size)


def _with_agents(session: FoundSession) -> FoundSession:
    """Return the session with the time at which it or a subagent of it changed last."""
    agents = list_files(session.path.parent, depth=0, wants_file=_is_agent_document)
    return session._replace(changed=max(session.changed, agents[0].changed)) if agents else session


def _is_agent_document(name: str) -> bool:
    return name.startswith(AGENT_PREFIX) and name.endswith(DOCUMENT_SUFFIX)
