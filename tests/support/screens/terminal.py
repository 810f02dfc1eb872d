"""Programs on a pseudo-terminal: what they write, byte by byte, and the keys they get."""

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.screens.payloads import PAYLOADS
from tests.support.servers.commands import environment
from tests.support.servers.warm_terminals import start_in_a_fork

TIMEOUT_SECONDS = 60.0
_TAKE_CONTROL = """
import fcntl, os, sys, termios
fcntl.ioctl(1, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """A pseudo-terminal with one program on it, killed on exit with its children; maybe its controlling terminal."""

    def __init__(
        self,
        command: Sequence[str],
        size: tuple[int, int] = (80, 24),
        *,
        variables: Mapping[str, str] | None = None,
        stdin: int | None = None,
        is_controlling: bool = False,
        folder: Path | None = None,
    ) -> None:
        self.written = b""
        self._master, slave = os.openpty()
        self.resize(*size)
        self.first_modes = self.modes
        """Its modes before the program, which may change them at once."""
        environ = environment(COLORTERM="truecolor") | dict(variables or {})
        descriptors = (slave if stdin is None else stdin, slave, slave)
        try:
            self.process = start_in_a_fork(
                command, environ, descriptors, folder=folder, is_controlling=is_controlling
            ) or subprocess.Popen(
                [sys.executable, "-c", _TAKE_CONTROL, *command] if is_controlling else command,
                env=environ,
                cwd=folder,
                stdin=descriptors[0],
                stdout=slave,
                stderr=slave,
                start_new_session=True,
            )
        finally:
            os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)  # with the editor that it may have started
        self.process.wait()
        os.close(self._master)

    @property
    def text(self) -> str:
        return self.written.decode(errors="replace")

    @property
    def modes(self) -> list[object]:
        """The terminal's modes (`termios`)."""
        return termios.tcgetattr(self._master)

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def hang_up(self) -> None:
        """Close the terminal; the program gets a signal only if this is its controlling terminal."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, self._master)
        os.close(nowhere)

    def until(self, *words: str, since: int = 0) -> None:
        """Read until all ``words`` have been written after the first ``since`` bytes."""
        wanted = [word.encode() for word in words]
        until = time.monotonic() + TIMEOUT_SECONDS
        while not all(word in self.written[since:] for word in wanted):
            if not self._read(until):
                raise AssertionError(f"{words} never came up, but\n{visible(self.text)[-3000:]}")

    def end(self) -> int:
        """Read until the program exits, and return its status."""
        until = time.monotonic() + TIMEOUT_SECONDS
        while self._read(until):
            pass
        return self.process.wait(TIMEOUT_SECONDS)

    def _read(self, until: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], max(0, until - time.monotonic()))
        try:
            data = os.read(self._master, 65536) if ready else b""
        except OSError:  # the program has exited
            data = b""
        self.written += data
        return bool(data)


KNOWN = re.compile(
    r"\x1b\[[0-9;]*m"  # colours
    r"|\x1b\[[0-9]+;[0-9]+H|\x1b\[H|\x1b\[[0-9]*[ABCDGJK]"  # where to write
    r"|\x1b\[\?(?:7|25|1000|1002|1003|1004|1006|1015|1016|1049|2004|2026|2027|2048)[hl]"  # modes
    r"|\x1b\]22;(?:default|pointer|text)\x07"  # the shape of the mouse pointer
    r"|\x1b\[2[23];2t|\x1b\]2;(?:[▲●✓!ov][0-9]+ )*seqthink\x1b\\"  # the title: kept, set, given back
    r"|\x1b\[\?(?:2026|2048)\$p|\x1b\[(?:[<>=]?[0-9;]*u|\?u|c|0c|6n|14t|16t|18t)"  # questions, the keyboard
)
"""Every sequence that Textual itself writes, and the title, in which no text of anyone is."""


def visible(written: str) -> str:
    """Return the output without the known sequences; any others stay."""
    return KNOWN.sub("", written)


SOFT_HYPHEN = "\u00ad"
"""Stays in texts, like joiners: a line may break there, and nothing else happens."""
INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def check_written(written: str, *, allowed: str = "\r\n") -> None:
    """Check that nothing but text was written, apart from Textual's own sequences."""
    text = visible(written)
    bad = {character for character in text if unicodedata.category(character) in INVISIBLE_CATEGORIES} - {
        *allowed,
        SOFT_HYPHEN,
    }
    where = [text[max(0, text.index(character) - 30) :][:60] for character in bad]
    assert not bad, where
    for payload in PAYLOADS.values():
        if not payload.replace(SOFT_HYPHEN, "").isprintable():
            assert payload not in written
