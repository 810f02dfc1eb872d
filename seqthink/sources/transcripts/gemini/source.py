"""Finds the sessions of Gemini CLI, and opens them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from typing_extensions import override

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.facts import Fact, Remark, ToolCall, TurnEnded
from seqthink.sources.transcripts.files.json_lines import bounded_id
from seqthink.sources.transcripts.files.jsonl_feed import JsonlFeed, TranscriptFile
from seqthink.sources.transcripts.files.listing import ListedFile, list_files, list_folders, path_of
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.gemini.clients import Clients
from seqthink.sources.transcripts.gemini.document_feed import DocumentFeed
from seqthink.sources.transcripts.gemini.grown_texts import GrownTexts
from seqthink.sources.transcripts.gemini.projects import working_folder
from seqthink.sources.transcripts.gemini.records import ChatReader
from seqthink.sources.transcripts.gemini.unwritten_calls import UnwrittenCalls
from seqthink.sources.transcripts.source import ClientProcess, FactBatch, FoundSession, ReadCounts, SessionFeed
from seqthink.sources.transcripts.unreadable import skipped_link, unknown_format_at

_NAME: Final = re.compile(r"session-.{1,40}-([0-9a-zA-Z]{4,64})\.jsonl?")
_SESSION_ID: Final = re.compile(rb'"sessionId"\s*:\s*"([\w.:-]{1,200})"')
_MESSAGE: Final = re.compile(rb'"id"\s*:\s*"[^"\\]{1,200}"[^{}]{0,200}"type"\s*:\s*"(?:user|gemini)"')
_SUBAGENT: Final = re.compile(rb'"kind"\s*:\s*"subagent"')
_NAME_SIZES: Final = range(4, 65)
"""How many of an id's characters the name of a session's file may have."""
_HEAD_BYTES: Final = 4_096
_MAX_NULS: Final = 1 << 16
"""How many NULs a crash may have left at the beginning of a file."""
_MAX_AGENT_LEVELS: Final = 8
_AGENTS_LEVEL: Final = 3
"""How deep below the folder of all projects the folders of subagents are."""
_WATCHED_AGENT_FOLDERS: Final = 2


class GeminiSource:
    """The sessions of Gemini CLI, each with its subagents."""

    name = "gemini"
    """Its name in ``--sources``."""
    label = "Gemini CLI"
    """The client's name for people."""

    def __init__(self, budget: Budget | None = None) -> None:
        """Read Gemini CLI's sessions within a budget."""
        self._budget = budget or Budget()
        self._clients = Clients()
        self._ids: dict[tuple[str, int], str] = {}
        """The session that each file belongs to, by path and inode; empty for a subagent's file."""

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Return the folder of Gemini CLI (see `Source`)."""
        return Path(environ.get("GEMINI_CLI_HOME") or home) / ".gemini"

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        """Return the sessions that changed last (see `Source`), each with the time at which a file of it changed last.

        Of several files of one session, as a resume leaves them, the largest one counts; a document only if there is
        nothing else, since the client moves an old session to lines when it goes on.
        """
        groups: dict[tuple[str, str], list[ListedFile]] = {}
        files, may_have_agents = self._listed(folder)
        for listed in files:
            chats, _, name = listed.path.rpartition("/")
            if (matched := _NAME.fullmatch(name)) is not None:
                groups.setdefault((chats, matched[1]), []).append(listed)
        found: list[FoundSession] = []
        for group in groups.values():
            if len(found) >= limit:
                break
            if self._budget.is_spent:
                self._budget.leave_out(f"Gemini CLI: not all sessions were listed {self._budget.words}")
                break
            found += self._sessions_of(group)
        agents = _agent_files(folder) if may_have_agents else []
        found = _changed_with_agents(found, agents) + self._agents_without_session(agents, groups)
        return sorted(found, key=lambda session: session.changed, reverse=True)[:limit]

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        """Return the existing folders in which a change may mean a new or grown session (see `Source`)."""
        tmp = folder / "tmp"
        projects = [Path(path) / "chats" for path, _ in list_folders(tmp)]
        chats = sorted((one for one in projects if one.is_dir()), key=_changed, reverse=True)
        watched: list[Path] = []
        for one in chats:
            watched += [one, *(Path(path) for path, _ in list_folders(one)[:_WATCHED_AGENT_FOLDERS])]
        return [*watched, tmp] if tmp.is_dir() else watched

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return whether a file is a session of Gemini CLI (see `Source`)."""
        start = head.lstrip(b"\0\xef\xbb\xbf \t\r\n")[:_HEAD_BYTES]  # a crash leaves NULs, an editor a byte order mark
        is_session = _SESSION_ID.search(start) is not None and b'"projectHash"' in start
        is_damaged = bool(_id_by_name(path, head))
        return (is_damaged or (is_session and start.startswith(b"{"))) and path.suffix in {".json", ".jsonl"}

    def sessions_in(self, path: Path) -> list[FoundSession]:
        """Return the session in a file (see `Source`); that of a subagent leads to its session, if it is there."""
        head = _head_of(path)
        if _SUBAGENT.search(head.partition(b"\n")[0]) is not None and (above := self._sessions_above(path)):
            return above
        status = path.stat()
        matched = _SESSION_ID.search(head)
        identifier = bounded_id(matched[1].decode("utf-8", "replace")) if matched else _id_by_name(path, head)
        if not identifier:
            return []
        return [FoundSession(self.name, identifier, path, status.st_mtime_ns // 1_000, status.st_size)]

    def process_of(self, found: FoundSession) -> ClientProcess:
        """Return whether a process of the client works on the session (see `Source`)."""
        return ClientProcess(is_running=self._clients.is_running(found.path, found.id))

    def open(self, found: FoundSession) -> SessionFeed:
        """Return a feed of the session (see `Source`)."""
        found.path.lstat()
        chats = next((above for above in found.path.parents if above.name == "chats"), found.path.parent)
        project = chats.parent
        cwd = working_folder(project.parent.parent, project.name)
        if found.path.suffix == ".json":
            return DocumentFeed(found.path, lambda counts: ChatReader(counts, cwd=cwd))
        return _ChatFeed(found, cwd, self._clients)

    def _sessions_above(self, path: Path) -> list[FoundSession]:
        """Return the session to which the folder belongs that a subagent's file lies in; at most one."""
        folder = path.parent
        for _ in range(_MAX_AGENT_LEVELS):
            files = list_files(folder.parent, depth=0, wants_file=lambda name: _NAME.fullmatch(name) is not None)
            found = [one for one in self._sessions_of(files) if one.id == folder.name]
            if found:
                return found[:1]
            name = f"{folder.name}.jsonl"
            parents = list_files(folder.parent, depth=1, wants_file=name.__eq__)
            if not parents:
                return []
            folder = Path(parents[0].path).parent
        return []

    def _agents_without_session(
        self, agents: Sequence[ListedFile], sessions: Iterable[tuple[str, str]]
    ) -> list[FoundSession]:
        """Return subagents whose session's file is gone, each as a session.

        Args:
            agents: the files of all subagents.
            sessions: the folder and the name of each session; an id begins with the name.
        """
        names = set(sessions)
        parents = {_parent_of(one) for one in agents}
        rooted = {
            (chats, name) for chats, name in parents if any((chats, name[:size]) in names for size in _NAME_SIZES)
        }
        for _ in range(_MAX_AGENT_LEVELS):
            rooted |= {(_parent_of(one)[0], Path(one.path).stem) for one in agents if _parent_of(one) in rooted}
        alone = [one for one in agents if _parent_of(one) not in rooted]
        named = [(bounded_id(Path(one.path).stem), one) for one in alone]
        return [FoundSession(self.name, name, Path(one.path), one.changed, one.size) for name, one in named if name]

    def _listed(self, folder: Path) -> tuple[list[ListedFile], bool]:
        """Return the files of sessions, and whether there are folders beside them, in which subagents have theirs."""
        beside: set[str] = set()

        def enters_folder(name: str, level: int) -> bool:
            if level == _AGENTS_LEVEL:
                beside.add(name)
            return level == 1 or (level < _AGENTS_LEVEL and name == "chats")

        files = list_files(
            folder / "tmp",
            depth=_AGENTS_LEVEL,
            wants_file=lambda name: name.startswith("session-"),
            enters_folder=enters_folder,
            on_link=lambda path: self._budget.leave_out(skipped_link(path)),
        )
        return files, bool(beside)

    def _sessions_of(self, group: list[ListedFile]) -> Iterator[FoundSession]:
        """Yield the session of these files, newest first; in theory several, whose ids begin alike."""
        by_id: dict[str, list[ListedFile]] = {}
        for listed in group:
            if identifier := self._session_of(listed):
                by_id.setdefault(identifier, []).append(listed)
        for identifier, files in by_id.items():
            main = max(files, key=lambda listed: (listed.path.endswith(".jsonl"), listed.size))
            yield FoundSession(self.name, identifier, path_of(main.path), files[0].changed, main.size)

    def _session_of(self, listed: ListedFile) -> str:
        key = (listed.path, listed.inode)
        known = self._ids.get(key)
        if known is not None:
            return known
        try:
            head = _head_of(Path(listed.path))
        except OSError:
            return ""
        matched = _SESSION_ID.search(head)
        if matched is None and (identifier := _id_by_name(Path(listed.path), head)):
            self._ids[key] = identifier
            return identifier
        if matched is None:
            is_document = bool(head) and listed.path.endswith(".json")
            if is_document or b"\n" in head or len(head) >= _HEAD_BYTES:
                self._budget.leave_out(unknown_format_at(listed.path, self.label))
            return ""
        is_subagent = _SUBAGENT.search(head.partition(b"\n")[0]) is not None
        identifier = "" if is_subagent else bounded_id(matched[1].decode("utf-8", "replace")) or ""
        self._ids[key] = identifier
        return identifier


def _head_of(path: Path) -> bytes:
    """Return the first bytes of a file, without the NULs that a crash left before them."""
    head = read_head(path, _HEAD_BYTES)
    return head if head.strip(b"\0") else read_head(path, _MAX_NULS).lstrip(b"\0")[:_HEAD_BYTES] or head


def _id_by_name(path: Path, head: bytes) -> str:
    """Return the id of a session whose first line is damaged, as far as the file's name or a folder's says it."""
    named = _NAME.fullmatch(path.name)
    is_whole_line = b"\n" in head or path.suffix == ".json"
    if named is None or not is_whole_line or _SESSION_ID.search(head) or not _MESSAGE.search(head):
        return ""
    folders = [Path(folder).name for folder, _ in list_folders(path.parent)]
    return next((name for name in folders if name.startswith(named[1])), named[1])


class _ChatFeed(JsonlFeed):
    """A feed that takes a text for a remark, not for an answer, if it has read already that calls followed.

    The client appends a message when the model has ended it, and again with its calls when those have ended. In
    between, its text looks like an answer; what was emitted as one is not emitted again.
    """

    def __init__(self, found: FoundSession, cwd: str | None, clients: Clients) -> None:
        self._found = found
        self._clients = clients
        self._running = UnwrittenCalls()
        self._chats: list[_ChatFiles] = []
        self._answers: set[str] = set()
        grown = GrownTexts()

        def begun(counts: ReadCounts) -> _ChatFiles:
            grown.begin()
            self._answers.clear()
            self._chats = [_ChatFiles(found.path, found.id, cwd, counts, grown)]
            return self._chats[0]

        super().__init__(found.path, begun, grown.take_news)

    @override
    def read(self, limit_bytes: int) -> FactBatch:
        """Return the facts of about the next ``limit_bytes`` bytes (see `SessionFeed`)."""
        batch = super().read(limit_bytes)
        continued = {message for chats in self._chats for message in chats.continued()}
        facts = [fact for fact in batch.facts if self._is_emitted(fact, continued)]
        self._answers.update(fact.id for fact in facts if isinstance(fact, TurnEnded))
        return batch._replace(facts=list(self._running.renamed(facts)))

    @override
    def unwritten_calls(self) -> Sequence[ToolCall]:
        """Return the commands that the client runs for the session (see `SessionFeed`)."""
        waiting = {agent: time for chats in self._chats for agent, time in chats.waiting()}
        return self._running.shown(self._clients.commands(self._found.path, self._found.id), waiting)

    def _is_emitted(self, fact: Fact, continued: set[str]) -> bool:
        if isinstance(fact, TurnEnded):
            return fact.id not in continued
        return not (isinstance(fact, Remark) and fact.id in self._answers)


class _ChatFiles:
    """The files of one session: its own, and those of its subagents, in a folder named by who started them."""

    def __init__(self, main: Path, session: str, cwd: str | None, counts: ReadCounts, grown: GrownTexts) -> None:
        self._chats = main.parent
        self._session = session
        self._counts = counts
        self._grown = grown
        self._readers = [ChatReader(counts, cwd=cwd, grown=grown)]
        self._files: dict[Path, TranscriptFile] = {main: TranscriptFile(main, self._readers[0])}
        for path in _others_of(main, session):
            self._readers.append(ChatReader(counts, cwd=cwd, grown=grown))
            self._files[path] = TranscriptFile(path, self._readers[-1], after=main)

    def files(self) -> Iterable[TranscriptFile]:
        """Return the files that there are now, the main one first."""
        parents: list[tuple[str, str | None]] = [(self._session, None)]
        for _ in range(_MAX_AGENT_LEVELS):
            parents = [(agent, agent) for folder, parent in parents for agent in self._take(folder, parent)]
        return list(self._files.values())

    def continued(self) -> set[str]:
        """Return the messages whose text turned out not to end a turn."""
        return {message for reader in self._readers for message in reader.continued}

    def waiting(self) -> Iterator[tuple[str | None, int]]:
        """Yield the agents whose newest message is the model's and has no calls so far, with its time."""
        for reader in self._readers:
            if reader.waiting is not None:
                yield reader.agent, reader.waiting

    def _take(self, folder: str, parent: str | None) -> list[str]:
        """Take in the subagents of one agent, and return their ids."""
        if "/" in folder or folder in {"", ".", ".."}:
            return []
        agents: list[str] = []
        listed = list_files(self._chats / folder, depth=0, wants_file=lambda name: name.endswith(".jsonl"))
        for path in sorted(Path(one.path) for one in listed):
            agents.append(path.stem)
            if path not in self._files:
                reader = ChatReader(self._counts, agent=bounded_id(path.stem), parent=parent, grown=self._grown)
                self._readers.append(reader)
                self._files[path] = TranscriptFile(path, reader)
        return agents


def _agent_files(folder: Path) -> list[ListedFile]:
    """Return the files of all subagents, which lie in folders that are named by who started them."""
    files = list_files(
        folder / "tmp",
        depth=_AGENTS_LEVEL,
        wants_file=lambda name: name.endswith(".jsonl") and not name.startswith("session-"),
        enters_folder=lambda name, level: level != 2 or name == "chats",
    )
    return [file for file in files if Path(file.path).parent.parent.name == "chats"]


def _changed_with_agents(found: Iterable[FoundSession], agents: Sequence[ListedFile]) -> list[FoundSession]:
    """Return sessions with the time at which they or a subagent of theirs changed last."""
    parents = {(_parent_of(one)[0], Path(one.path).stem): _parent_of(one) for one in agents}
    newest: dict[tuple[str, str], int] = {}
    for one in agents:
        above: tuple[str, str] | None = _parent_of(one)
        for _ in range(_MAX_AGENT_LEVELS):
            if above is not None:
                newest[above] = max(newest.get(above, 0), one.changed)
                above = parents.get(above)
    return [
        session._replace(changed=max(session.changed, newest.get((str(session.path.parent), session.id), 0)))
        for session in found
    ]


def _parent_of(agent: ListedFile) -> tuple[str, str]:
    """Return the folder of chats of a subagent's file, and who started the subagent."""
    folder = Path(agent.path).parent
    return str(folder.parent), folder.name


def _others_of(main: Path, session: str) -> list[Path]:
    """Return the other files beside a session's that are of the same session, as a resume or a copy leaves them."""
    named = _NAME.fullmatch(main.name)
    files = list_files(
        main.parent, depth=0, wants_file=lambda name: name.endswith(f"-{named[1]}.jsonl") if named else False
    )
    others = [Path(file.path) for file in files if file.path != str(main)]
    return sorted(path for path in others if _session_in(path) == session)


def _session_in(path: Path) -> str:
    try:
        matched = _SESSION_ID.search(_head_of(path))
    except OSError:
        return ""
    return (bounded_id(matched[1].decode("utf-8", "replace")) or "") if matched else ""


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
