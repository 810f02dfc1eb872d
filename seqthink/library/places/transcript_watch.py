"""Says when to look at the files of a transcript again."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from pathlib import Path

from seqthink.journal.change_hints import ChangeHints, WatchSubject

SECOND_LOOK_SECONDS = 0.03
"""After a change is announced, the files are looked at once more: a database is committed after its last write."""


class RelevantNames:
    """Says which names in a folder are worth a look: those of a session, and each other one the first time.

    Args:
        files: returns the files of the session.
    """

    def __init__(self, files: Callable[[], Sequence[Path]]) -> None:
        self._files = files
        self._others: set[str] = set()

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        # What a client puts beside a file, a log, a compressed copy or a folder of subagents, is called like it.
        if name.startswith(tuple(file.stem for file in self._files())):
            return True
        is_new = name not in self._others
        self._others.add(name)
        return is_new


async def announce(folder: Path, files: Callable[[], Sequence[Path]], changed: asyncio.Event) -> None:
    """Set ``changed`` when files of a session in ``folder`` may have changed, at least twice a second.

    ``files`` returns the session's files; there may be more later.
    """
    names = RelevantNames(files)
    hints = ChangeHints(WatchSubject(folder, names.__contains__, lambda: _signature(folder, files())))
    loop = asyncio.get_running_loop()
    async with aclosing(_looks(hints)) as looks:
        async for announced in looks:
            changed.set()
            if announced:
                loop.call_later(SECOND_LOOK_SECONDS, changed.set)


async def _looks(hints: ChangeHints) -> AsyncGenerator[bool, None]:
    async with aclosing(hints.stream()) as stream:
        async for announced in stream:
            hints.report_look(announced=announced, had_news=False)
            yield announced


def _signature(folder: Path, files: Sequence[Path]) -> object:
    """Return what differs after a change in a folder whose changes nobody announces."""
    states: list[object] = []
    for path in (folder, *files, *(f"{file}-wal" for file in files)):
        try:
            status = os.stat(path)  # noqa: PTH116 - fifty times a second
        except OSError:
            continue
        states.append((str(path), status.st_size, status.st_mtime_ns))
    return states
