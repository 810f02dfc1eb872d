"""Reads one session of Cline CLI: its document, those of its subagents, and its state file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.cline.agents import ClineAgents
from seqthink.sources.transcripts.cline.messages import is_message
from seqthink.sources.transcripts.cline.records import ClineReader
from seqthink.sources.transcripts.cline.state_file import ClineState, read_state
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, SessionDescribed, ToolCall, TurnEnded
from seqthink.sources.transcripts.files.json_lines import bounded_id
from seqthink.sources.transcripts.files.listing import FolderLook, list_files
from seqthink.sources.transcripts.files.rewritten_document import RewrittenDocument
from seqthink.sources.transcripts.source import FactBatch, FoundSession

DOCUMENT_SUFFIX: Final = ".messages.json"
AGENT_PREFIX: Final = "agent_"
MAX_AGENTS: Final = 2000


class _Document:
    """One document, and what reads it."""

    def __init__(self, path: Path, agents: ClineAgents, agent: str | None) -> None:
        self.counts = ReadCounts()
        self.document = RewrittenDocument(path, is_message)
        self._agents = agents
        self._agent = agent
        self.reader = ClineReader(self.counts, agents, agent)

    def read(self) -> list[Fact]:
        """Return what is new. Raises as `RewrittenDocument.read` does."""
        counts = ReadCounts()
        document = self.document.read(counts)
        if document is None:
            return []
        for name in ("read", "unknown", "corrupt", "too_long"):
            setattr(self.counts, name, getattr(counts, name))
        return self.reader.read(document, is_whole=not counts.corrupt and not counts.too_long)


class ClineFeed:
    """A `SessionFeed` of the documents of one session."""

    def __init__(self, found: FoundSession, *, is_alone: bool) -> None:
        """Read the session ``found``; ``is_alone`` says that it is a subagent's document that is read by itself."""
        self._found = found
        folder = found.path.parent
        self._agents = ClineAgents()
        self._main = _Document(found.path, self._agents, None)
        self._others: dict[Path, _Document] = {}
        self._look = FolderLook(folder, lambda: [] if is_alone else agent_documents(folder))
        self._about: SessionDescribed | None = None
        # When the session began: the time of its first message, where the client does not say it.
        self._began = 0
        self._stopped: set[str] = set()

    @property
    def counts(self) -> ReadCounts:
        """What became of the messages in the documents as they are now."""
        total = ReadCounts()
        for one in (self._main, *self._others.values()):
            total.read += one.counts.read
            total.unknown += one.counts.unknown
            total.corrupt += one.counts.corrupt
            total.too_long += one.counts.too_long
        return total

    @property
    def agent_files(self) -> Sequence[Path]:
        """The documents of subagents that were read so far."""
        return list(self._others)

    @property
    def unstarted_calls(self) -> Mapping[str, int]:
        """None: the client does not say (see `SessionFeed`)."""
        return {}

    def unwritten_calls(self) -> Sequence[ToolCall]:
        """Return nothing: a document holds a call as soon as it is made (see `SessionFeed`)."""
        return ()

    def is_abandoned(self) -> None:
        """Say nothing besides what `Source.process_of` says (see `SessionFeed`)."""

    def read(self, limit_bytes: int) -> FactBatch:  # noqa: ARG002 (a document has no parts to stop at)
        """Return what is new in the documents (see `SessionFeed`)."""
        state = read_state(self._found.path)
        by_document = [self._main.read()]
        self._began = state.began or self._began or next((fact.time for fact in by_document[0]), 0)
        described = self._described(state)
        for path in self._look.get()[:MAX_AGENTS]:
            if path not in self._others:
                agent = bounded_id(path.name.removesuffix(DOCUMENT_SUFFIX))
                self._others[path] = _Document(path, self._agents, agent)
        for one in self._others.values():
            try:
                by_document.append(one.read())
            except OSError:
                continue  # a subagent's document that is gone: what was read of it stays
        return FactBatch([*described, *_in_order(by_document), *self._ended(state)], at_end=True)

    def settle(self) -> list[Fact]:
        """Return nothing: each message says by itself whether it is an answer."""
        return []

    def close(self) -> None:
        """Forget nothing: no file stays open between two reads."""

    def _described(self, state: ClineState) -> list[Fact]:
        asked = self._main.reader.first_prompt
        title = None if asked.startswith(state.title.rstrip(".…")) else state.title
        about = SessionDescribed(
            id=self._found.id,
            time=self._began,
            cwd=state.cwd or None,
            title=title,
            client_version=state.version or None,
        )
        if about == self._about:
            return []
        self._about = about
        return [about]

    def _ended(self, state: ClineState) -> list[Fact]:
        """Return the end of a turn that the user stopped: the client works no more, and the turn has no answer."""
        reader = self._main.reader
        last = reader.open_turn
        if not last or last in self._stopped or state.is_at_work or state.changed < self._main.document.changed:
            return []
        self._stopped.add(last)
        return [TurnEnded(id=f"{last}/stopped", time=reader.time, is_aborted=True)]


def agent_documents(folder: Path) -> list[Path]:
    """Return the documents of a session's subagents, in the order in which they began."""
    files = list_files(
        folder, depth=0, wants_file=lambda name: name.startswith(AGENT_PREFIX) and name.endswith(DOCUMENT_SUFFIX)
    )
    return sorted(Path(file.path) for file in files)


def _in_order(by_document: Sequence[Sequence[Fact]]) -> list[Fact]:
    """Return the facts of several documents by time, those of each in their own order."""
    dated: list[tuple[int, Fact]] = []
    for facts in by_document:
        reached = 0
        for fact in facts:
            reached = max(reached, fact.time)
            dated.append((reached, fact))
    return [fact for _, fact in sorted(dated, key=lambda pair: pair[0])]
