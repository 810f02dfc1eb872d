"""Opens a copy of one thought in the user's editor; the journal itself is never opened for writing."""

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from seqthink.core.errors import SeqthinkError
from seqthink.core.text import sanitize
from tui.terminal.process_signals import END_SIGNALS


class EditorError(SeqthinkError):
    """The editor could not be started, or failed; the message says why in a few words."""


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """Return the user's editor and its arguments: ``$VISUAL``, else ``$EDITOR``, split as a shell would.

    Raises:
        EditorError: neither is set, or the value cannot be split.
    """
    for name in ("VISUAL", "EDITOR"):
        try:
            command = shlex.split(environ.get(name, ""))
        except ValueError as error:
            raise EditorError(f"${name} cannot be read: {str(error).lower()}") from error
        if command:
            return command
    raise EditorError("no editor: set $EDITOR")


class TemporaryCopies:
    """Copies of thoughts in a private temporary folder, deleted when the viewer exits."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def write(self, text: str, name: str) -> Path:
        """Write ``text``, made safe for a terminal, to a new file that only its owner can read; return the path.

        Raises:
            OSError: it cannot be written.
        """
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="seqthink-", ignore_cleanup_errors=True)
        descriptor, path = tempfile.mkstemp(prefix=f"{name}-", suffix=".md", dir=self._folder.name)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(sanitize(text) + "\n")
        return Path(path)

    def remove(self) -> None:
        """Delete all copies."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def run_editor(command: list[str], path: Path) -> None:
    """Run the editor on ``path`` until it ends.

    Raises:
        EditorError: it could not be started, or failed.
    """
    received_signals: list[int] = []
    process: subprocess.Popen[bytes] | None = None

    def forward_signal(number: int, _frame: object) -> None:
        received_signals.append(number)
        if process is not None:
            process.send_signal(number)

    with _forwarded_signals(forward_signal):
        try:
            process = subprocess.Popen([*command, str(path)])
        except OSError as error:
            raise EditorError(f"{command[0]}: {(error.strerror or str(error)).lower()}") from error
        for number in received_signals:
            process.send_signal(number)
        status = process.wait()
    for number in received_signals:
        signal.raise_signal(number)
    if status:
        raise EditorError(f"{Path(command[0]).name} ended with status {status}")


@contextmanager
def _forwarded_signals(forward_signal: Callable[[int, object], None]) -> Generator[None]:
    """Forward signals that would end this program; Ctrl-C reaches the editor directly and is ignored here."""
    handlers = {number: signal.getsignal(number) for number in END_SIGNALS}
    for number, handler in handlers.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _do_nothing if number == signal.SIGINT else forward_signal)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _do_nothing(_number: int, _frame: object) -> None:
    """Handle a signal by doing nothing; unlike SIG_IGN this is not inherited by child processes."""
