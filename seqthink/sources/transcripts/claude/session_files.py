"""Which files a session has: its own, those of its subagents, and the copies of it that went on."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.claude.agents import AgentNames, Subagents, agent_names
from seqthink.sources.transcripts.claude.record_ids import Origins
from seqthink.sources.transcripts.claude.records import ClaudeReader, FileKind
from seqthink.sources.transcripts.claude.subagents import AgentMeta
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.files.json_lines import bounded_id, decode_object
from seqthink.sources.transcripts.files.jsonl_feed import TranscriptFile
from seqthink.sources.transcripts.files.listing import FolderLook, list_files, list_folders
from seqthink.sources.transcripts.files.processes import Processes
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.json_fields import Fields, id_in, text_in

MAX_AGENT_FILES: Final = 2000
AGENT_FOLDER: Final = "subagents"
WORKFLOW_FOLDER: Final = "workflows"
_WORKFLOW_AGENT: Final = "workflow-subagent"
_MAX_META_BYTES: Final = 1 << 16
_MAX_JOURNAL_BYTES: Final = 1 << 20
_MAX_META_TRIES: Final = 100


def is_agent_file(name: str) -> bool:
    """Return whether this is the name of a subagent's file; those that only compact a conversation are left out."""
    return name.startswith("agent-") and name.endswith(".jsonl") and not name.startswith("agent-acompact-")


def agent_of_file(name: str) -> str:
    """Return the id of the subagent whose file has this name."""
    return bounded_id(name.removeprefix("agent-").removesuffix(".jsonl")) or name


class ClaudeFiles:
    """The `SessionFiles` of one session, with readers that share what is known of its subagents."""

    def __init__(
        self,
        main: Path,
        session: str,
        counts: ReadCounts,
        *,
        copies: Callable[[], Iterable[Path]] = tuple,
        agents_beside: Callable[[], Mapping[str, Iterable[Path]]] = dict,
        processes: Processes | None = None,
    ) -> None:
        """Read the session whose file is ``main``.

        Args:
            main: Its own file.
            session: Its id.
            counts: Counts what cannot be read.
            copies: Returns the files that begin as a copy of it, the oldest first.
            agents_beside: Returns the files of subagents that lie beside those of their sessions (version 2.0), by
                session.
            processes: What earlier readings have shown of the processes that write it.
        """
        self._counts = counts
        self._processes = processes
        self._copies = copies
        self._agents_beside = agents_beside
        self._agents = Subagents()
        kind = FileKind.AGENT if is_agent_file(main.name) else FileKind.MAIN
        reader = ClaudeReader(kind, session, self._agents, counts, processes=processes)
        self._sessions: dict[Path, _SessionFolder] = {main: _SessionFolder(main)}
        self._files: dict[Path, TranscriptFile] = {main: TranscriptFile(main, reader)}
        self._main_reader = reader
        self._origins = Origins(reader.lineage, session)
        self._labels: dict[Path, FolderLook[Mapping[str, str]]] = {}
        # Subagents beside whose file no description was found yet, and how often it was looked for.
        self._undescribed: dict[Path, tuple[ClaudeReader, int]] = {}

    def files(self) -> Iterable[TranscriptFile]:
        """Return the files that there are now (see `SessionFiles`)."""
        for copy in self._copies():
            if copy not in self._files:
                self._add_copy(copy)
        beside = self._agents_beside()
        for main, folder in self._sessions.items():
            for path in (*folder.agent_files(), *beside.get(main.stem, ())):
                if path not in self._files and len(self._files) < MAX_AGENT_FILES:
                    self._add_agent(path, self._files[main].reader)
        self._describe()
        return list(self._files.values())

    def _add_copy(self, path: Path) -> None:
        session = bounded_id(path.stem) or path.name
        reader = ClaudeReader(
            FileKind.FORK,
            session,
            self._agents,
            self._counts,
            agent=session if session != self._main_reader.session else None,  # else it is the same, in another folder
            origins=self._origins,
            processes=self._processes,
        )
        self._files[path] = TranscriptFile(path, reader, after=next(reversed(self._sessions)))
        self._sessions[path] = _SessionFolder(path)

    def _add_agent(self, path: Path, parent: object) -> None:
        owner = parent.session if isinstance(parent, ClaudeReader) and parent is not self._main_reader else None
        agent = agent_of_file(path.name)
        run = path.parent.name if path.parent.parent.name == WORKFLOW_FOLDER else None
        reader = ClaudeReader(
            FileKind.AGENT,
            self._main_reader.session,
            self._agents,
            self._counts,
            agent=agent,
            parent=owner,
            run=run,
            beside=self._main_reader.lineage,
        )
        self._files[path] = TranscriptFile(path, reader)
        self._undescribed[path] = (reader, 0)

    def _describe(self) -> None:
        for path, (reader, tries) in list(self._undescribed.items()):
            meta = _read_meta(path.with_name(f"{path.stem}.meta.json"))
            if path.parent.parent.name == WORKFLOW_FOLDER and (meta is None or not meta.names.task):
                name = self._labels_in(path.with_name("journal.jsonl")).get(agent_of_file(path.name))
                meta = AgentMeta(names=AgentNames("", name)) if name is not None else meta
            if meta is not None:
                reader.describe(meta)
            if meta is not None or tries >= _MAX_META_TRIES:
                del self._undescribed[path]
            else:
                self._undescribed[path] = (reader, tries + 1)

    def _labels_in(self, journal: Path) -> Mapping[str, str]:
        """Return the names that the journal of a workflow's run gives its agents."""
        if journal not in self._labels:
            self._labels[journal] = FolderLook(journal, lambda: _read_labels(journal))
        return self._labels[journal].get()


class _SessionFolder:
    """Where the files of one session's subagents are."""

    def __init__(self, main: Path) -> None:
        self._folder = main.with_suffix("") / AGENT_FOLDER
        self._workflows = FolderLook(self._folder / WORKFLOW_FOLDER, self._find_workflows)
        self._looks: dict[Path, FolderLook[list[Path]]] = {}

    def agent_files(self) -> list[Path]:
        """Return them, the oldest first within each folder."""
        return [path for folder in (self._folder, *self._workflows.get()) for path in self._look(folder).get()]

    def _find_workflows(self) -> list[Path]:
        return [Path(path) for path, _ in list_folders(self._folder / WORKFLOW_FOLDER)[:MAX_AGENT_FILES]]

    def _look(self, folder: Path) -> FolderLook[list[Path]]:
        if folder not in self._looks:
            self._looks[folder] = FolderLook(folder, lambda: _agent_files_in(folder))
        return self._looks[folder]


def _agent_files_in(folder: Path) -> list[Path]:
    return [Path(file.path) for file in reversed(list_files(folder, depth=0, wants_file=is_agent_file))]


def _read_labels(journal: Path) -> Mapping[str, str]:
    try:
        lines = read_head(journal, _MAX_JOURNAL_BYTES).split(b"\n")
    except OSError:
        return {}
    started = [line for line in map(decode_object, lines) if line is not None and line.get("type") == "started"]
    named = [(id_in(line, "agentId"), _label(line)) for line in started]
    return {agent: name for agent, name in named if agent and name}


def _read_meta(path: Path) -> AgentMeta | None:
    try:
        meta = decode_object(read_head(path, _MAX_META_BYTES))
    except OSError:
        return None
    if meta is None:
        return None
    kind = meta.get("agentType")
    kind = None if kind == _WORKFLOW_AGENT else kind  # the type of all of them
    return AgentMeta(
        names=agent_names(kind, _label(meta) or meta.get("description")),
        call=id_in(meta, "toolUseId") or None,
        model=text_in(meta, "model") or None,
    )


def _label(fields: Fields) -> str:
    """Return what a workflow calls an agent, ``phase: label``, as far as both are known."""
    return ": ".join(filter(None, agent_names(fields.get("phase"), fields.get("label"))))
