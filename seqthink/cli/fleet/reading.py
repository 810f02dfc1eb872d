"""Opens a fleet for a command, and waits a little where its engine is not there."""

import atexit
import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from seqthink.cli.common import print_stderr
from seqthink.cli.overview.wanted_sessions import has_wanted, wanted_of, wanted_words
from seqthink.core.errors import UsageError
from seqthink.core.progress_line import ProgressLine
from seqthink.drawing.describe.session import facts_of
from seqthink.sources.fleet.engine import FleetEngine
from seqthink.sources.fleet.failures import EngineUnavailableError
from seqthink.sources.fleet.mirror.folder import FleetFolder

MAX_SESSIONS: Final = 100_000
"""How many sessions a command is about at most, the newest."""
PATIENCE_SECONDS: Final = 5.0
"""How long a command waits for an engine that is not there."""
_PAUSE_SECONDS: Final = 0.2
_Answer = TypeVar("_Answer")


def open_folder(url: str) -> FleetFolder:
    """Return the sessions of the fleet at ``url``; nothing is connected yet.

    Raises:
        UsageError: there can be no fleet at such an address, or what speaks to it is not installed.
        SeqthinkError: there is no room for its sessions.
    """
    from seqthink.sources.fleet.opening import open_reader, parse_address

    address = parse_address(url)

    def open_engine() -> FleetEngine:
        """Open a connection."""
        return open_reader(address, os.environ)

    return FleetFolder(open_engine, os.environ, lambda: time.time_ns() // 1000, address.label)


@contextmanager
def opened(url: str) -> Generator[FleetFolder]:
    """Give the sessions of the fleet at ``url``. Raises as `open_folder` does."""
    folder = open_folder(url)
    try:
        yield folder
    finally:
        folder.close()


def patiently(ask: Callable[[], _Answer]) -> _Answer:
    """Return what ``ask`` returns; while the engine is not there, ask again for `PATIENCE_SECONDS`.

    Raises:
        EngineUnavailableError: it is not there all the time.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return ask()
        except EngineUnavailableError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE_SECONDS)  # noqa: TID251 - the engine says nothing when it comes back


def refresh(folder: FleetFolder, limit: int) -> None:
    """Look which sessions there are.

    Raises:
        EngineUnavailableError: the engine is not there.
        UsageError: it will not serve this user.
    """

    def look() -> None:
        folder.refresh(limit)
        _require_engine(folder)

    patiently(look)


def fill(folder: FleetFolder, path: Path) -> None:
    """Bring a session's file up to date, with progress on a terminal; say on stderr what of it is not there.

    Raises:
        EngineUnavailableError: the engine is not there.
        UsageError: it will not serve this user.
    """
    with DownloadProgress() as progress:

        def ask() -> bool:
            is_whole = folder.fill(path, progress=progress.show)
            if not is_whole and not folder.problem_of(path):
                _require_engine(folder)
            return is_whole

        patiently(ask)
    for sentence in missing(folder, path):
        print_stderr(sentence)


def missing(folder: FleetFolder, path: Path) -> list[str]:
    """Return sentences about what of a session is not in its file."""
    sentences: list[str] = []
    if folder.first_kept(path) > 1:
        sentences.append(no_longer_kept(folder.first_kept(path)))
    elif folder.has_holes(path):
        sentences.append("some lines between are missing")
    if folder.problem_of(path):
        sentences.append(f"the session is not shown to its end: {folder.problem_of(path)}")
    return sentences


def no_longer_kept(first: int) -> str:
    """Return a sentence about the lines before ``first``."""
    return "line 1 is no longer kept" if first == 2 else f"lines 1–{first - 1:,} are no longer kept"


def fleet_journal(url: str, options: Namespace) -> Path:
    """Return the file of the session that a command names, with all its lines; it is there until the command ends.

    Raises:
        EngineUnavailableError: the engine is not there.
        UsageError: it will not serve this user; there is no such session, or more than one.
    """
    folder = open_folder(url)
    atexit.register(folder.close)
    path = _wanted_path(folder, options) if has_wanted(options) else patiently(lambda: folder.resolve(options.session))
    fill(folder, path)
    return path


def _wanted_path(folder: FleetFolder, options: Namespace) -> Path:
    """Return the file of the newest session that `--repo` and `--branch` want."""
    wanted = wanted_of(options)
    refresh(folder, MAX_SESSIONS)
    for file in folder.listed:
        listed = folder.summary_of(file.path, 0)
        if listed is not None and wanted.matches(facts_of(listed, 0, 0)):
            return file.path
    raise UsageError(f"no session of the fleet matches {wanted_words(options)}; `seqthink sessions` lists all")


def _require_engine(folder: FleetFolder) -> None:
    trouble = folder.trouble
    if trouble is not None:
        raise EngineUnavailableError(trouble.sentence)


class DownloadProgress:
    """One line on stderr while a session is read, if that is a terminal; it is erased at the end."""

    def __init__(self) -> None:
        self._line = ProgressLine(sys.stderr)

    def __enter__(self) -> "DownloadProgress":
        return self

    def __exit__(self, *_: object) -> None:
        self._line.clear()

    def show(self, done: int, total: int) -> None:
        """Say how many lines there are, not more often than is worth it."""
        self._line.show(lambda: f"seqthink: {done:,} of {max(done, total):,} lines read ...")
