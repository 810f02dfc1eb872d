"""A program in a real pseudo-terminal: what it writes, when, and what it costs."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

COLUMNS, ROWS = 140, 45
ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_SECONDS = 120.0
_TICKS = os.sysconf("SC_CLK_TCK")


def python(*arguments: str) -> list[str]:
    """Return the command line of a module of ours."""
    return [sys.executable, "-m", *arguments]


class Terminal:
    """A program that runs in a terminal of its own, 140 by 45 cells; use it in a ``with``.

    ``hear`` is given whatever it writes, and when that came.
    """

    def __init__(
        self, command: Sequence[str], folder: Path, hear: Callable[[bytes, float], object] | None = None
    ) -> None:
        self._seen = bytearray()
        self._hear = hear
        self._news = threading.Condition()
        self.first_at = 0.0
        near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "SEQTHINK_HOME": str(folder)}
        environment |= {"PYTHONPATH": str(ROOT)}
        environment.pop("NO_COLOR", None)
        self._near = near
        self.began = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdin=far, stdout=far, stderr=far, env=environment, start_new_session=True
        )
        os.close(far)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        os.close(self._near)

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._near, 1 << 16)
            except OSError:
                return
            if not data:
                return
            now = time.perf_counter()
            if self._hear is not None:
                self._hear(data, now)
            with self._news:
                self.first_at = self.first_at or now
                self._seen += data
                self._last_at = now
                self._news.notify_all()

    def forget(self) -> None:
        """Forget what was written so far."""
        with self._news:
            self._seen.clear()

    def press(self, keys: str) -> float:
        """Type ``keys``; return when."""
        now = time.perf_counter()
        os.write(self._near, keys.encode())
        return now

    def wait(self, *sought: str, bound: float = TIMEOUT_SECONDS) -> float:
        """Wait until one of the texts was written since the last ``forget``; return when it came."""
        wanted = [one.encode() for one in sought]
        with self._news:
            if not self._news.wait_for(lambda: any(one in self._seen for one in wanted), bound):
                raise TimeoutError(f"{sought} never came; last: {bytes(self._seen[-300:])!r}")
            return self._last_at

    @property
    def written(self) -> str:
        """What was written since the last ``forget``."""
        with self._news:
            return self._seen.decode("utf-8", "replace")

    @property
    def cpu(self) -> float:
        """The seconds of CPU that the program has taken."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def resident(self) -> int:
        """The bytes of memory that the program holds."""
        fields = Path(f"/proc/{self._process.pid}/statm").read_text("utf-8").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


def wait_seconds(span: float) -> None:
    """Let time pass."""
    threading.Event().wait(span)
