"""A program in a real pseudo-terminal: what it writes, when, and its CPU time and memory."""

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
_CLIENT_FOLDERS = {"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME"}
_TICKS = os.sysconf("SC_CLK_TCK")


def python(*arguments: str) -> list[str]:
    """Return the command line that runs one of our modules."""
    return [sys.executable, "-m", *arguments]


class Terminal:
    """A program in its own terminal of 140 by 45 cells; a context manager.

    ``hear`` is called with each piece of output and the time it arrived. ``home`` is the folder in which the program
    finds the transcripts of clients; without one it looks at our journals only. ``packages`` is a folder of
    packages that are installed, too.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        hear: Callable[[bytes, float], object] | None = None,
        home: Path | None = None,
        packages: Path | None = None,
    ) -> None:
        self._seen = bytearray()
        self._hear = hear
        self._news = threading.Condition()
        self.first_at = 0.0
        near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "SEQTHINK_HOME": str(folder)}
        path = os.pathsep.join(map(str, [ROOT, *([packages] if packages else [])]))
        environment |= {"PYTHONPATH": path, "SEQTHINK_SOURCES": "journal"}
        if home is not None:
            environment = {name: environment[name] for name in environment if name not in _CLIENT_FOLDERS}
            environment["HOME"] = str(home)
            del environment["SEQTHINK_SOURCES"]
        environment.pop("NO_COLOR", None)
        self._near = near
        self.started = time.perf_counter()
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
        """Clear the recorded output."""
        with self._news:
            self._seen.clear()

    def press(self, keys: str) -> float:
        """Type ``keys``; return the time."""
        now = time.perf_counter()
        os.write(self._near, keys.encode())
        return now

    def wait(self, *texts: str, bound: float = TIMEOUT_SECONDS) -> float:
        """Wait until one of the texts has appeared since the last ``forget``; return the time it arrived."""
        wanted = [text.encode() for text in texts]
        with self._news:
            if not self._news.wait_for(lambda: any(text in self._seen for text in wanted), bound):
                raise TimeoutError(f"{texts} never came; last: {bytes(self._seen[-300:])!r}")
            return self._last_at

    @property
    def written(self) -> str:
        """Output since the last ``forget``."""
        with self._news:
            return self._seen.decode("utf-8", "replace")

    @property
    def cpu(self) -> float:
        """CPU seconds that the program has used."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def resident(self) -> int:
        """Resident memory of the program, in bytes."""
        fields = Path(f"/proc/{self._process.pid}/statm").read_text("utf-8").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


def wait_seconds(span: float) -> None:
    """Sleep for ``span`` seconds."""
    threading.Event().wait(span)
