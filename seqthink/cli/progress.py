"""How far a command is that reads and writes a whole session, on stderr, where a person waits."""

import sys
from collections.abc import Iterable, Iterator
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self, TextIO, TypeVar

from seqthink.core.progress_line import FIRST_SECONDS, STEP_SECONDS, ProgressLine

Piece = TypeVar("Piece", str, bytes, str | bytes)


class WritingProgress:
    """A line on a terminal that says what is going on; it is erased at the end. Nothing where ``screen`` is none.

    Args:
        screen: stderr, or its replacement.
        shares_screen: whether what is written goes to the same screen, so that the line goes away before.
        first_seconds: after how long it appears.
    """

    def __init__(
        self, screen: TextIO | None, *, shares_screen: bool = False, first_seconds: float = FIRST_SECONDS
    ) -> None:
        self._line = ProgressLine(screen)
        self._shares_screen, self._first_seconds = shares_screen, first_seconds
        self._written: int | None = None
        self._task = "reading"
        self._over, self._lock = Event(), Lock()
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        if self._line.is_on_a_terminal:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def name_task(self, task: str) -> None:
        """Say from now on what is done before anything is written: "reading", or another word."""
        self._task = task

    def writing(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Yield ``pieces``, which are written now."""
        if self._shares_screen:
            self._end()
        for piece in pieces:
            yield piece
            self._written = (self._written or 0) + len(piece)

    def _end(self) -> None:
        self._over.set()
        with self._lock:
            self._line.clear()

    def _run(self) -> None:
        pause = self._first_seconds
        while not self._over.wait(pause):
            pause = STEP_SECONDS
            with self._lock:
                if not self._over.is_set():
                    self._line.rewrite(self._words())

    def _words(self) -> str:
        if self._written is None:
            return f"seqthink: {self._task} ..."
        return f"seqthink: {self._written / 1e6:,.1f} MB written ..."


def progress(*, to_stdout: bool = True) -> WritingProgress:
    """Return the progress of a command that writes to stdout, or to a file."""
    out = sys.stdout
    return WritingProgress(sys.stderr, shares_screen=to_stdout and out is not None and out.isatty())
