"""Which rollouts there are, and which of them belong together: a session, its forks, and their subagents.

The name of a rollout holds its thread's id; its first line, read once and when asked for, holds the rest. A thread that
was rewound has further files, whose names have an id of their own behind the thread's.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.codex.thread_meta import ThreadMeta, bare_meta, meta_of_line
from seqthink.sources.transcripts.codex.zstandard_files import SUFFIX, can_decompress, read_rollout_head
from seqthink.sources.transcripts.files.listing import ListedFile, list_files

_UUID: Final = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_NAME: Final = re.compile(rf"rollout-.{{1,40}}?-({_UUID}(?:_{_UUID})?)\.jsonl(?:\.zst)?")
_HEAD_BYTES: Final = 65_536
_MAX_GENERATIONS: Final = 64
_DATED_LEVELS: Final = 3
_MAX_CACHED: Final = 200_000


def part_of_name(name: str) -> str | None:
    """Return which part of a thread a rollout's name stands for; None if it is not the name of a rollout.

    The first one is called as the thread, and a later one as the thread with an id behind it.
    """
    found = _NAME.fullmatch(name)
    return found[1] if found else None


def meta_of_name(path: str) -> ThreadMeta | None:
    """Return what a rollout's name says about its thread, for one whose first line is damaged; None if nothing."""
    part = part_of_name(path.rsplit("/", 1)[-1])
    return None if part is None else bare_meta(part.partition("_")[0])


def rollout_folders(folder: Path) -> list[Path]:
    """Return the folders of rollouts: of the client's own folder, or of one that holds rollouts itself."""
    folders = [folder / "sessions", folder / "archived_sessions"]
    return folders if any(one.is_dir() for one in folders) else [folder]


class ThreadHeads:
    """The first lines of rollouts, each read once."""

    def __init__(self) -> None:
        self._metas: dict[tuple[str, int], ThreadMeta] = {}

    def meta(self, path: str, inode: int | None = None) -> ThreadMeta | None:
        """Return what a rollout's first line says; None if it cannot be read (yet). Its ``inode`` may be known."""
        try:
            key = (path, os.lstat(path).st_ino if inode is None else inode)
        except OSError:
            return None
        known = self._metas.get(key)
        if known is not None:
            return known
        line, newline, _ = read_rollout_head(Path(path), _HEAD_BYTES).partition(b"\n")
        is_whole = bool(newline) or len(line) == _HEAD_BYTES
        meta = (meta_of_line(line) or meta_of_name(path)) if is_whole else None
        if meta is not None and len(self._metas) < _MAX_CACHED:
            self._metas[key] = meta
        return meta


class RolloutIndex:
    """The rollouts below one folder, by thread."""

    def __init__(self, folder: Path, heads: ThreadHeads, on_link: Callable[[str], object] = lambda _path: None) -> None:
        """List ``folder``, which is the client's own or holds rollouts itself; ``on_link`` gets skipped links."""
        self._on_link = on_link
        self.folder = folder
        self._heads = heads
        self._paths: dict[str, str] = {}
        self._later_parts: dict[str, set[str]] = {}
        self._members: dict[str, list[str]] | None = None
        self._is_readable = can_decompress()
        self._compressed: set[str] = set()
        self._files = self._listed()
        self._sizes = {listed.path: listed.size for listed in self._files}
        for listed in self._files:
            self.add(listed.path)

    def add(self, path: str) -> str | None:
        """Take in a rollout, and return which part it is; of two files of one part the plain one counts, or the larger.

        One that is being moved, or was brought back, is in two places.
        """
        part = part_of_name(path.rsplit("/", 1)[-1])
        if part is None:
            return None
        if path.endswith(SUFFIX) and not self._is_readable:
            self._compressed.add(part)
            return None
        known = self._paths.get(part)
        if known is None or self._rank(path) > self._rank(known):
            self._paths[part] = path
            if "_" in part:
                self._later_parts.setdefault(part.partition("_")[0], set()).add(part)
        return part

    def _rank(self, path: str) -> tuple[bool, int]:
        return not path.endswith(SUFFIX), self._sizes.get(path, 0)

    def left_out(self) -> int:
        """Return how many threads there are in compressed files only, which this Python cannot read."""
        return len(self._compressed - self._paths.keys())

    def path(self, thread: str) -> str | None:
        """Return the first file of a thread, or that of a part."""
        return self._paths.get(thread)

    def meta(self, thread: str) -> ThreadMeta | None:
        """Return what is known of a thread; None if its file is missing or cannot be read (yet)."""
        path = self._paths.get(thread)
        return None if path is None else self._heads.meta(path)

    def parts(self, thread: str) -> list[str]:
        """Return the parts of a thread that there are, in their order."""
        return [thread, *sorted(self._later_parts.get(thread, ()))]

    def members(self, root: str) -> list[str]:
        """Return the forks and subagents of a session that there were when this was asked first."""
        if self._members is None:
            self._members = {}
            for thread in self._paths:
                meta = self.meta(thread)
                if meta is not None and (above := self.root_of(meta)) is not None and above != thread:
                    self._members.setdefault(above, []).append(thread)
        return self._members.get(root, [])

    def size(self, path: str) -> int:
        """Return how large a file was when it was listed."""
        return self._sizes.get(path, 0)

    def newest(self) -> Iterator[tuple[ListedFile, ThreadMeta]]:
        """Yield the files that count, newest first, with what their first lines say."""
        for listed in self._files:
            thread = part_of_name(listed.path.rsplit("/", 1)[-1])
            if thread is not None and self._paths.get(thread) == listed.path:
                meta = self._heads.meta(listed.path, listed.inode)
                if meta is not None:
                    yield listed, meta

    def root_of(self, meta: ThreadMeta) -> str | None:
        """Return the thread that is listed as the session: this one, where the thread that it names is gone.

        None for a subagent that names none: the client started it for itself.
        """
        seen: set[str] = set()
        while meta.id not in seen and len(seen) < _MAX_GENERATIONS:
            seen.add(meta.id)
            above = self._above(meta)
            if above is None:
                return None if meta.is_subagent and meta.parent is None else meta.id
            meta = above
        return None

    def _above(self, meta: ThreadMeta) -> ThreadMeta | None:
        candidates = (meta.parent, meta.session) if meta.is_subagent else (meta.forked_from,)
        for thread in candidates:
            if thread and thread != meta.id and (above := self.meta(thread)) is not None:
                return above
        return None

    def _listed(self) -> list[ListedFile]:
        files = [
            listed
            for folder in rollout_folders(self.folder)
            for listed in list_files(
                folder,
                depth=_DATED_LEVELS,
                wants_file=lambda name: _NAME.fullmatch(name) is not None,
                enters_folder=lambda name, _: name.isdecimal(),
                on_link=self._on_link,
            )
        ]
        files.sort(key=lambda listed: (listed.changed, listed.path), reverse=True)
        return files
