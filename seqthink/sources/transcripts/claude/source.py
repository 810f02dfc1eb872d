"""Finds and opens the sessions of Claude Code."""

import os
import re
import sys
from collections.abc import Container, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.claude.forks import MAX_HEADS, ForkGroups
from seqthink.sources.transcripts.claude.process_files import process_of, waiting_sessions
from seqthink.sources.transcripts.claude.session_files import AGENT_FOLDER, WORKFLOW_FOLDER, ClaudeFiles, is_agent_file
from seqthink.sources.transcripts.claude.shapes import KNOWN_TYPES, decode_record, records_in_damaged
from seqthink.sources.transcripts.files.jsonl_feed import JsonlFeed
from seqthink.sources.transcripts.files.listing import FolderLook, ListedFile, list_files, list_folders, listed, path_of
from seqthink.sources.transcripts.files.processes import Processes
from seqthink.sources.transcripts.files.tail import open_own_file, read_head
from seqthink.sources.transcripts.source import ClientProcess, FoundSession, SessionFeed
from seqthink.sources.transcripts.unreadable import skipped_link

_SUFFIX: Final = ".jsonl"
_OTHERS_RECORD: Final = b'{"uuid":'
"""How records of another client begin that have Claude Code's types."""
_MAX_LINES_LOOKED_AT: Final = 40
_MAX_WATCHED: Final = 200
_MAX_FILES_BESIDE: Final = 500
_AGENT_HEAD_BYTES: Final = 1 << 14
_AGENT_LEVELS: Final = 5
_WARM_UP: Final = re.compile(rb'"content"\s*:\s*"Warmup"')
_SETTLED_NS: Final = 5_000_000_000
"""A copy may say only so long after its file was made what it is a copy of."""


class _LooksBeside(NamedTuple):
    """What lies beside the sessions of a folder."""

    groups: FolderLook[Mapping[str, Sequence[str]]]
    agents: FolderLook[Mapping[str, Sequence[Path]]]


class _Beside:
    """What is seen beside the files of sessions while these are listed."""

    def __init__(self) -> None:
        self.folders: set[str] = set()
        """The names of the folders in those of all projects: a session's has the session's name."""
        self.has_agents = False
        """Whether subagents have their files there, as older versions write them."""

    def wants_file(self, name: str) -> bool:
        """Return whether a file is a session's."""
        self.has_agents = self.has_agents or is_agent_file(name)
        return _is_session_file(name)

    def enters_folder(self, name: str, level: int) -> bool:
        """Return whether a folder may be a project's, and note which others there are."""
        if level == 1:
            return True
        self.folders.add(name)
        return False


class ClaudeSource:
    """The `Source` of Claude Code."""

    name = "claude"
    label = "Claude Code"

    def __init__(self, budget: Budget | None = None, *, is_thorough: bool = False, is_alone: bool = False) -> None:
        """Read Claude Code's sessions.

        Args:
            budget: how much time and memory that may take.
            is_thorough: whether to read the head of every file before any is listed.
            is_alone: whether a file is a session of its own, whatever it is a copy of.
        """
        self._is_alone = is_alone
        self._budget = budget or Budget()
        self._groups = ForkGroups(sys.maxsize if is_thorough else MAX_HEADS, budget)
        self._recent_folders: list[str] = []
        self._sessions_of_agents: dict[tuple[int, int], str] = {}
        self._looks: dict[Path, _LooksBeside] = {}
        # The files of sessions that were found in more than one project's folder, by their name.
        self._elsewhere: dict[str, list[str]] = {}

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Return the folder of all projects (see `Source`)."""
        configured = environ.get("CLAUDE_CONFIG_DIR")
        return (Path(configured) if configured else home / ".claude") / "projects"

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        """Return the sessions that changed last (see `Source`); one and its copies are one, with the first's id."""
        beside = _Beside()
        files = list_files(
            folder,
            depth=2,
            wants_file=beside.wants_file,
            enters_folder=beside.enters_folder,
            on_link=lambda path: self._budget.leave_out(skipped_link(path)),
        )
        self._elsewhere = _in_several_folders(files)
        found: list[FoundSession] = []
        for group in self._groups.group(files):
            if len(found) == limit:
                break
            found.append(_found(group, max(file.changed for file in group)))
        waiting = waiting_sessions(_process_folder(folder))
        found = [
            (_with_agents(one) if one.path.stem in beside.folders else one)._replace(waits_for=waiting.get(one.id, ""))
            for one in found
        ]
        sessions = {_stem(file.path) for file in files}
        if beside.has_agents or not beside.folders <= sessions:
            found += self._agents_without_session(folder, sessions, limit)
        found = sorted(found, key=lambda session: session.changed, reverse=True)[:limit]
        self._recent_folders = list(dict.fromkeys(str(session.path).rpartition("/")[0] for session in found))
        return found

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        """Return the projects' folders, those of the sessions that were found last first (see `Source`)."""
        if not folder.is_dir():
            return []
        projects = [path for path, _ in list_folders(folder)]
        known = set(projects)
        recent = [path for path in self._recent_folders if path in known]
        ordered = dict.fromkeys((*recent, *projects))
        return [folder, *(Path(path) for path in list(ordered)[:_MAX_WATCHED])]

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return whether the head is one of Claude Code's files (see `Source`)."""
        if path.suffix != _SUFFIX and not head.startswith(b"{"):
            return False
        lines = head.split(b"\n")
        if any(map(_is_known, lines[:_MAX_LINES_LOOKED_AT])):
            return True
        return len(lines) == 1 and head.startswith(b'{"parentUuid":') and b'"isSidechain":' in head

    def sessions_in(self, path: Path) -> list[FoundSession]:
        """Return the session of a file: if it began as a copy of another beside it, the one that holds both.

        Where it is read alone, it is its own. A subagent's file leads to its session, if that is beside it.
        """
        file = _listed_file(path)
        if is_agent_file(path.name) and (root := _root_of_agent(path)) is not None:
            return self.sessions_in(root)
        if not is_agent_file(path.name) and not self._is_alone:
            beside = list_files(path.parent, depth=0, wants_file=_is_session_file)
            group = next(
                (group for group in self._groups.group(beside) if file.path in {it.path for it in group}), None
            )
            if group is not None and len(group) > 1:
                return [_found(group, max(it.changed for it in group))]
        session = None if is_agent_file(path.name) else self._groups.session_of(file)
        return [FoundSession(self.name, session or path.stem, path, file.changed, file.size)]

    def open(self, found: FoundSession) -> SessionFeed:
        """Return a feed of the session with its subagents and copies (see `Source`)."""
        os.close(open_own_file(found.path))
        if is_agent_file(found.path.name):
            return JsonlFeed(found.path, lambda counts: ClaudeFiles(found.path, found.id, counts))
        folder = found.path.parent
        processes = Processes()
        return JsonlFeed(
            found.path,
            lambda counts: ClaudeFiles(
                found.path,
                found.id,
                counts,
                copies=lambda: self._copies(found.path),
                agents_beside=self._look_beside(folder).agents.get,
                processes=processes,
            ),
            processes.take_news,
        )

    def process_of(self, found: FoundSession) -> ClientProcess:
        """Return what the session's process says about itself (see `Source`); one without a terminal says nothing."""
        return process_of(_process_folder(found.path.parent.parent), found.id)

    def _look_beside(self, folder: Path) -> "_LooksBeside":
        """Return the looks at a folder of sessions, which all of its sessions share."""
        if folder not in self._looks:
            self._looks[folder] = _LooksBeside(
                FolderLook(folder, lambda: self._groups_in(folder), _SETTLED_NS),
                FolderLook(folder, lambda: self._agents_beside(folder)),
            )
        return self._looks[folder]

    def _copies(self, main: Path) -> list[Path]:
        """Return the files that begin as a copy of a session, and its own in other projects' folders."""
        if self._is_alone:
            return []
        group = self._look_beside(main.parent).groups.get().get(str(main), ())
        paths = dict.fromkeys((*group, *self._elsewhere.get(main.name, ())))
        return [Path(path) for path in paths if path != str(main)]

    def _groups_in(self, folder: Path) -> Mapping[str, Sequence[str]]:
        """Return for each file of a session that has copies, or is one, all of them, the original first."""
        found: dict[str, Sequence[str]] = {}
        for group in self._groups.group(list_files(folder, depth=0, wants_file=_is_session_file)):
            paths = [file.path for file in group]
            if len(paths) > 1:
                found |= dict.fromkeys(paths, paths)
        return found

    def _agents_without_session(self, folder: Path, sessions: Container[str], limit: int) -> list[FoundSession]:
        """Return the newest subagents whose session is none of ``sessions``, since its file is gone, as sessions."""
        files = list_files(
            folder,
            depth=_AGENT_LEVELS,
            wants_file=is_agent_file,
            enters_folder=lambda name, level: _may_hold_agents(name, level, sessions),
        )
        alone = islice((file for file in files if self._is_alone_agent(file, folder, sessions)), limit)
        return [FoundSession(self.name, Path(one.path).stem, Path(one.path), one.changed, one.size) for one in alone]

    def _is_alone_agent(self, file: ListedFile, folder: Path, sessions: Container[str]) -> bool:
        path = Path(file.path)
        if path.parent.parent != folder:
            return True
        session = self._session_of_agent(file)
        return (session is None or session not in sessions) and not _is_warm_up(path)

    def _session_of_agent(self, file: ListedFile) -> str | None:
        """Return the session that a subagent's file names."""
        key = (file.device, file.inode)
        session = self._sessions_of_agents.get(key) or _session_in_head(Path(file.path))
        if session is not None:
            self._sessions_of_agents[key] = session
        return session

    def _agents_beside(self, folder: Path) -> Mapping[str, Sequence[Path]]:
        """Return the files of subagents that lie beside those of their sessions, by session."""
        files = list_files(folder, depth=0, wants_file=is_agent_file)[:_MAX_FILES_BESIDE]
        found: dict[str, list[Path]] = {}
        for file in reversed(files):
            session = self._session_of_agent(file)
            if session is not None:
                found.setdefault(session, []).append(Path(file.path))
        return found


def _is_known(line: bytes) -> bool:
    """Return whether a line is a record of a session, or holds one behind what a crash left."""
    record = decode_record(line) if line.strip() else None
    whole = records_in_damaged(line) if record is None else [line]
    records = (decode_record(each) for each in whole if not each.startswith(_OTHERS_RECORD))
    return any(
        record is not None and record.type in KNOWN_TYPES and bool(record.session_id or record.leaf_uuid)
        for record in records
    )


def _is_session_file(name: str) -> bool:
    return name.endswith(_SUFFIX) and not name.startswith("agent-")


def _may_hold_agents(name: str, level: int, sessions: Container[str]) -> bool:
    """Return whether a folder at a level below that of all projects may hold subagents whose session is gone."""
    match level:
        case 2:
            return name not in sessions
        case 3:
            return name == AGENT_FOLDER
        case 4:
            return name == WORKFLOW_FOLDER
        case _:
            return True


def _is_warm_up(path: Path) -> bool:
    """Return whether this is a subagent that version 2.0 starts by itself, also where nobody asks it anything."""
    try:
        return _WARM_UP.search(read_head(path, _AGENT_HEAD_BYTES)) is not None
    except OSError:
        return False


def _in_several_folders(files: Sequence[ListedFile]) -> dict[str, list[str]]:
    """Return the paths of the files that share their name with another, by that name."""
    by_name: dict[str, list[str]] = {}
    for file in files:
        by_name.setdefault(file.path.rpartition("/")[2], []).append(file.path)
    return {name: paths for name, paths in by_name.items() if len(paths) > 1}


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(_SUFFIX)


def _found(group: Sequence[ListedFile], changed: int) -> FoundSession:
    path = path_of(group[0].path)
    return FoundSession(ClaudeSource.name, _stem(group[0].path), path, changed, group[0].size)


def _with_agents(session: FoundSession) -> FoundSession:
    """Return the session with the time at which it or a subagent of it changed last."""
    folder = str(session.path).removesuffix(_SUFFIX) + f"/{AGENT_FOLDER}"
    agents = list_files(folder, depth=2, wants_file=is_agent_file)
    return session._replace(changed=max(session.changed, agents[0].changed)) if agents else session


def _listed_file(path: Path) -> ListedFile:
    fd = open_own_file(path)
    try:
        return listed(str(path), os.fstat(fd))
    finally:
        os.close(fd)


def _session_in_head(path: Path) -> str | None:
    try:
        lines = read_head(path, _AGENT_HEAD_BYTES).split(b"\n")
    except OSError:
        return None
    for line in lines[:_MAX_LINES_LOOKED_AT]:
        record = decode_record(line)
        session = record.session_id if record else None
        if session is not None:
            return session
    return None


def _root_of_agent(path: Path) -> Path | None:
    """Return the file of the session whose subagent's file is at ``path``, as far as it is there."""
    folder = next((above for above in path.parents[:3] if above.name == AGENT_FOLDER), None)
    session = _session_in_head(path)
    candidates = [folder.parent.with_name(f"{folder.parent.name}{_SUFFIX}")] if folder is not None else []
    if session is not None and "/" not in session:
        candidates.append(path.parent / f"{session}{_SUFFIX}")
    return next((one for one in candidates if one.is_file() and not one.is_symlink()), None)


def _process_folder(projects: Path) -> Path:
    return projects.parent / "sessions"
