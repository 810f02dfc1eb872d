"""Which files a session of Qwen Code has: its own, those of its subagents, and the sessions copied from it."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.files.families import Copy
from seqthink.sources.transcripts.files.json_lines import bounded_id
from seqthink.sources.transcripts.files.jsonl_feed import TranscriptFile
from seqthink.sources.transcripts.files.listing import FolderLook, list_files
from seqthink.sources.transcripts.qwen.agents import QwenAgents, read_meta
from seqthink.sources.transcripts.qwen.records import QwenReader

MAX_AGENT_FILES: Final = 2000
AGENT_FOLDER: Final = "subagents"
_PREFIX: Final = "agent-"
_SUFFIX: Final = ".jsonl"


def is_agent_file(name: str) -> bool:
    """Return whether a file's name is that of a subagent's."""
    return name.startswith(_PREFIX) and name.endswith(_SUFFIX)


class QwenFiles:
    """The files of one session, and the state that their readers share."""

    def __init__(
        self, main: Path, session: str, counts: ReadCounts, copies: Callable[[], Sequence[Copy]] = tuple
    ) -> None:
        """Read the session whose file is ``main``; ``copies`` returns the sessions that were copied from it."""
        self._main = main
        self._session = session
        self._counts = counts
        self._copies = copies
        self._agents = QwenAgents()
        is_alone = is_agent_file(main.name)
        self._owners: dict[str, str | None] = {}
        self._paths = {session: main}
        reader = QwenReader(session, counts, self._agents, self._owners, is_subagent=is_alone)
        self._files: dict[Path, TranscriptFile] = {main: TranscriptFile(main, reader)}
        self._looks: dict[str, FolderLook[list[Path]]] = {}
        self._unnamed: dict[Path, QwenReader] = {}
        if not is_alone:
            self._look_at(session)

    def files(self) -> Iterable[TranscriptFile]:
        """Return the files that there are now, the main one first."""
        for copy in self._copies():
            self._take_copy(copy)
        for look in self._looks.values():
            for path in look.get():
                self._take_agent(path)
        for path, reader in list(self._unnamed.items()):
            started = read_meta(path, reader.agent or "")
            if started is not None:
                reader.describe(started)
                del self._unnamed[path]
        return list(self._files.values())

    def _look_at(self, session: str) -> None:
        if "/" not in session:
            folder = self._main.parent.parent / AGENT_FOLDER / session
            self._looks[session] = FolderLook(folder, lambda: _agent_files(folder))

    def _take_copy(self, copy: Copy) -> None:
        path = copy.path
        if path in self._files:
            return
        reader = QwenReader(copy.id, self._counts, self._agents, self._owners, agent=copy.id, copied_from=copy.original)
        self._files[path] = TranscriptFile(path, reader, after=self._paths.get(copy.original, self._main))
        self._paths[copy.id] = path
        self._look_at(copy.id)

    def _take_agent(self, path: Path) -> None:
        if path in self._files or len(self._files) > MAX_AGENT_FILES:
            return
        agent = bounded_id(path.stem.removeprefix(_PREFIX))
        reader = QwenReader(self._session, self._counts, self._agents, self._owners, agent=agent, is_subagent=True)
        self._files[path] = TranscriptFile(path, reader)
        self._unnamed[path] = reader


def _agent_files(folder: Path) -> list[Path]:
    """Return the files of subagents in a folder, in the order of their names."""
    return sorted(Path(file.path) for file in list_files(folder, depth=0, wants_file=is_agent_file))
