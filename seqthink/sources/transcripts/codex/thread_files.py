"""The rollouts of one session: that of its main thread, its forks, and their subagents, also those still to come."""

import os
from collections.abc import Iterable
from pathlib import Path

from seqthink.sources.transcripts.codex.compressed_tail import CompressedTail
from seqthink.sources.transcripts.codex.fork_points import ForkPoints
from seqthink.sources.transcripts.codex.line_head import RECORD_START, is_head_enough
from seqthink.sources.transcripts.codex.records import RolloutReader
from seqthink.sources.transcripts.codex.rollout_index import RolloutIndex, rollout_folders
from seqthink.sources.transcripts.codex.thread_meta import ThreadMeta
from seqthink.sources.transcripts.codex.zstandard_files import SUFFIX
from seqthink.sources.transcripts.files.jsonl_feed import TranscriptFile
from seqthink.sources.transcripts.files.processes import Processes
from seqthink.sources.transcripts.files.tail import JsonlTail
from seqthink.sources.transcripts.source import ReadCounts


class ThreadFiles:
    """Finds the files of a session; a new rollout is always in the newest day's folder."""

    def __init__(self, index: RolloutIndex, root: str, main: Path, counts: ReadCounts, processes: Processes) -> None:
        """Find the session of thread ``root``, whose file is ``main``; its readers count in ``counts``.

        ``processes`` is what earlier readings have shown of the processes that write it.
        """
        self._index = index
        self._root = root
        self._counts = counts
        self._processes = processes
        self._looked_at: set[str] = set()
        self._forks = ForkPoints()
        self._files: dict[str, TranscriptFile] = {root: self._file(main, None)}
        self._waiting: set[str] = set(index.members(root)) - {root}

    def files(self) -> Iterable[TranscriptFile]:
        """Return the files that there are now, the main one first."""
        self._look_for_new()
        waiting, self._waiting = self._waiting, set[str]()
        for part in sorted(waiting):
            meta = self._index.meta(part)
            if meta is None:
                self._waiting.add(part)  # its first line is not there yet
            elif self._index.root_of(meta) == self._root:
                self._take(part, meta)
        return list(self._files.values())

    def _take(self, part: str, meta: ThreadMeta) -> None:
        path = self._index.path(part)
        if path is None or part in self._files:
            return
        before = self._index.path(self._part_before(part, meta) or "")
        self._files[part] = self._file(Path(path), Path(before) if before else None)

    def _file(self, path: Path, after: Path | None) -> TranscriptFile:
        reader = RolloutReader(self._counts, self._root, self._forks, self._processes)
        tail = CompressedTail if path.suffix == SUFFIX else JsonlTail
        return TranscriptFile(path, reader, after, is_head_enough, RECORD_START, tail)

    def _part_before(self, part: str, meta: ThreadMeta) -> str | None:
        """Return what is to be read before this: the thread's part before it, or all of a fork's original."""
        if part != meta.id:
            parts = self._index.parts(meta.id)
            return parts[max(parts.index(part) - 1, 0)] if part in parts else None
        return self._index.parts(meta.forked_from)[-1] if meta.forked_from else None

    def _look_for_new(self) -> None:
        # New ones are never among the archived, which come second.
        for day in _newest_days(rollout_folders(self._index.folder)[0]):
            for name in _names(day):
                path = f"{day}/{name}"
                if path not in self._looked_at and not name.endswith(SUFFIX):
                    self._looked_at.add(path)
                    part = self._index.add(path)
                    if part is not None and part not in self._files:
                        self._waiting.add(part)


def _newest_days(folder: Path) -> list[str]:
    """Return the two newest folders of days in a folder of years, and the folder itself if it has none."""
    days = [str(folder)]
    for _ in range(3):
        below = [f"{path}/{name}" for path in days for name in _names(path) if name.isdecimal()]
        if not below:
            break
        days = sorted(below)[-2:]
    return days


def _names(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except OSError:
        return []
