"""Finds the sessions of Codex, and opens them."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from typing_extensions import override

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.codex.line_head import line_head
from seqthink.sources.transcripts.codex.open_rollouts import OpenRollouts, asking_rollouts, has_started_program
from seqthink.sources.transcripts.codex.rollout_index import RolloutIndex, ThreadHeads, meta_of_name, rollout_folders
from seqthink.sources.transcripts.codex.thread_files import ThreadFiles
from seqthink.sources.transcripts.codex.thread_meta import meta_of_line
from seqthink.sources.transcripts.codex.zstandard_files import SUFFIX, can_decompress, read_rollout_head
from seqthink.sources.transcripts.facts import Result, ToolCall, TurnEnded
from seqthink.sources.transcripts.files.jsonl_feed import JsonlFeed
from seqthink.sources.transcripts.files.listing import list_folders, path_of
from seqthink.sources.transcripts.files.processes import Processes
from seqthink.sources.transcripts.source import ClientProcess, FactBatch, FoundSession, SessionFeed
from seqthink.sources.transcripts.unreadable import skipped_link

_HEAD_BYTES: Final = 65_536
_ZSTANDARD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_WATCHED_DAYS: Final = 3
_WAITS: Final = "input"
"""What a session waits for that asks its user; what that is, its rollout says."""


class CodexSource:
    """The sessions of Codex: threads, each with its forks and subagents."""

    name = "codex"
    """Its name in ``--sources``."""
    label = "Codex"
    """The client's name for people."""

    def __init__(self, budget: Budget | None = None) -> None:
        """Read Codex's sessions within a budget."""
        self._budget = budget or Budget()
        self._heads = ThreadHeads()
        self._rollouts = OpenRollouts()
        self._index: RolloutIndex | None = None
        """What was listed last."""

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Return the folder of Codex (see `Source`)."""
        return Path(environ.get("CODEX_HOME") or home / ".codex")

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        """Return the sessions that changed last (see `Source`), one for a thread with all its forks and subagents."""
        index = self._index = RolloutIndex(folder, self._heads, lambda path: self._budget.leave_out(skipped_link(path)))
        found: dict[str, FoundSession] = {}
        for listed, meta in index.newest():
            if len(found) >= limit:
                break
            if self._budget.is_spent:
                self._budget.leave_out(f"Codex: not all sessions were listed {self._budget.words}")
                break
            root = index.root_of(meta)
            path = index.path(root) if root else None
            if root and path and root not in found:
                found[root] = FoundSession(self.name, root, path_of(path), listed.changed, index.size(path))
        asking = asking_rollouts([session.path for session in found.values()])
        return [one._replace(waits_for=_WAITS) if one.path in asking else one for one in found.values()]

    def left_out(self, folder: Path) -> str | None:
        """Return in a sentence which sessions `find` has to leave out, if any."""
        count = RolloutIndex(folder, self._heads).left_out()
        if not count:
            return None
        what = "1 compressed rollout is" if count == 1 else f"{count} compressed rollouts are"
        return f"Codex: {what} left out (.jsonl.zst). With the package zstandard they can be read."

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        """Return the existing folders in which a change may mean a new or grown session (see `Source`)."""
        watched: list[Path] = []
        for top in rollout_folders(folder):
            levels = [[top]]
            for _ in range(3):
                below = [Path(path) for above in levels[-1] for path, _ in list_folders(above)]
                levels.append(sorted((one for one in below if one.name.isdecimal()), reverse=True)[:_WATCHED_DAYS])
            watched += [one for level in reversed(levels) for one in level if one.is_dir()]
        return watched

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return whether a file is a rollout (see `Source`)."""
        if head.startswith(_ZSTANDARD_MAGIC):
            return path.name.endswith(".jsonl.zst") and path.name.startswith("rollout-")
        line, newline, rest = head.partition(b"\n")
        if meta_of_line(line) is None:
            # A crash may have damaged the first line: then the name holds the id, and the next line shows the format.
            is_damaged = bool(newline) and meta_of_name(str(path)) is not None
            return is_damaged and line_head(rest.partition(b"\n")[0]) is not None
        return b'"session_meta"' in line[:512] or b'"instructions"' in line or path.match("rollout-*")

    def sessions_in(self, path: Path) -> list[FoundSession]:
        """Return the session in a rollout (see `Source`); that of a subagent or fork leads to its session."""
        if path.suffix == SUFFIX and not can_decompress():
            raise OSError(f"compressed with Zstandard; the package zstandard can read it: {path.name}")
        status = path.stat()
        meta = meta_of_line(read_rollout_head(path, _HEAD_BYTES).partition(b"\n")[0]) or meta_of_name(str(path))
        if meta is None:
            return []
        index = RolloutIndex(_folder_of(path), self._heads)
        root = index.root_of(meta)
        above = index.path(root) if root and root != meta.id else None
        if root and above:
            status = os.lstat(above)
            return [FoundSession(self.name, root, Path(above), status.st_mtime_ns // 1_000, status.st_size)]
        return [FoundSession(self.name, meta.id, path, status.st_mtime_ns // 1_000, status.st_size)]

    def process_of(self, found: FoundSession) -> ClientProcess:
        """Return whether a process has the session's rollout open (see `Source`); None for a copy elsewhere."""
        folder = _folder_of(found.path)
        is_copy = folder == found.path.parent
        return ClientProcess(is_running=None if is_copy else self._rollouts.has(found.path, folder))

    def open(self, found: FoundSession) -> SessionFeed:
        """Return a feed of the session (see `Source`)."""
        index = self._index
        if index is None or index.path(found.id) != str(found.path):
            index = RolloutIndex(_folder_of(found.path), self._heads)
        found.path.lstat()
        return _RolloutFeed(index, found)


class _RolloutFeed(JsonlFeed):
    """A feed that keeps what it has read when its file is compressed or archived under it."""

    def __init__(self, index: RolloutIndex, found: FoundSession) -> None:
        processes = Processes()
        super().__init__(
            found.path, lambda counts: ThreadFiles(index, found.id, found.path, counts, processes), processes.take_news
        )
        self._path = found.path
        self._archived = index.folder / "archived_sessions" / found.path.name
        self._has_read = False
        # The time and the agent of the calls that wait for the user, or run already.
        self._escalated: dict[str, tuple[int, str | None]] = {}

    @property
    @override
    def unstarted_calls(self) -> Mapping[str, int]:
        """The commands for which Codex asks, while it has started no program since (see `SessionFeed`)."""
        calls = self._escalated.items()
        return {call: time for call, (time, _) in calls if has_started_program(self._path, time) is False}

    @override
    def read(self, limit_bytes: int) -> FactBatch:
        """Return the facts of about the next ``limit_bytes`` bytes (see `SessionFeed`)."""
        try:
            batch = super().read(limit_bytes)
        except FileNotFoundError:
            moved = (self._path.with_name(self._path.name + SUFFIX), self._archived)
            if not self._has_read or not any(path.exists() for path in moved):
                raise
            return FactBatch([], at_end=True)
        self._has_read = True
        self._escalated = {} if batch.restarted else self._escalated
        for fact in batch.facts:
            if isinstance(fact, ToolCall) and fact.needs_permission:
                self._escalated[fact.id] = (fact.time, fact.agent)
            elif isinstance(fact, Result):
                self._escalated.pop(fact.id, None)
            elif isinstance(fact, TurnEnded):
                ended = [call for call, (_, agent) in self._escalated.items() if agent == fact.agent]
                for call in ended:
                    del self._escalated[call]
        return batch


def _folder_of(path: Path) -> Path:
    """Return Codex's own folder that a rollout lies in; elsewhere the folder beside it."""
    above = path.parent
    for _ in range(3):
        if above.name.isdecimal():
            above = above.parent
    return above.parent if above.name in {"sessions", "archived_sessions"} else path.parent
