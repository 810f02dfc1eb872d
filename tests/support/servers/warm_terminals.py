"""Runs programs of a terminal in forks of one warm process: a viewer takes seven tenths of its start to load modules.

A fork has the terminal, a session, an environment and a folder of its own, and runs `python -m seqthink` from its
first line. What only a start of the interpreter shows stays with real processes: what a shell starts (job control,
closed streams, ignored signals), other PYTHON and locale variables (`start_in_a_fork` declines them).
"""

import atexit
import fcntl
import importlib
import os
import pkgutil
import signal
import sys
import termios
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from subprocess import TimeoutExpired

from tests.support.servers import warm_commands
from tests.support.servers.warm_server import PROJECT, WarmServer, requests_of_forks

_AT_START = (*warm_commands.AT_START, "TEXTUAL_", "TERM_PROGRAM")
"""Beginnings of the variables that an interpreter, or a module of Textual, reads once."""
_COMMAND = [sys.executable, "-m", "seqthink"]
_WORTH_A_PROCESS = 2
"""How many programs with the same start make a warm process for it worth its own start."""
_IS_CONTROLLING = "--controlling"
_asked: Counter[frozenset[tuple[str, str]]] = Counter()


class ForkedProgram:
    """A program in a fork, as far as tests use `subprocess.Popen`."""

    def __init__(self, warm: WarmServer, pid: int) -> None:
        self.pid = pid
        self._warm = warm
        self._status: int | None = None

    def poll(self) -> int | None:
        """Return the exit status; None while the program runs."""
        if self._status is None:
            self._status = self._warm.poll(self.pid)
        return self._status

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status of a program that ends; it is killed when it is too slow."""
        if self._status is None:
            self._status = self._warm.wait(self.pid)
        if self._status == -signal.SIGKILL and timeout is not None:
            raise TimeoutExpired("seqthink", timeout)
        return self._status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


def start_in_a_fork(
    command: Sequence[str],
    environ: Mapping[str, str],
    descriptors: tuple[int, int, int],
    *,
    folder: Path | None = None,
    is_controlling: bool = False,
) -> ForkedProgram | None:
    """Start ``command`` on a terminal; return None if it needs a process of its own."""
    start = frozenset((name, value) for name, value in environ.items() if name.startswith(_AT_START))
    if list(command[:3]) != _COMMAND or ("PYTHONPATH", str(PROJECT)) not in start:
        return None
    _asked[start] += 1
    if _asked[start] < _WORTH_A_PROCESS:
        return None
    warm = _warm_process(start)
    words = [*command, _IS_CONTROLLING] if is_controlling else [*command]
    return ForkedProgram(warm, warm.spawn(words, environ, folder or Path.cwd(), descriptors, is_leader=True))


@cache
def _warm_process(start: frozenset[tuple[str, str]]) -> WarmServer:
    warm = WarmServer(program="tests.support.servers.warm_terminals", environ=dict(start))
    atexit.register(warm.__exit__)
    return warm


def _load() -> None:
    """Import what these commands import."""
    import tui

    warm_commands.load()
    for module in pkgutil.walk_packages(tui.__path__, "tui."):
        importlib.import_module(module.name)
    for name in ("textual.drivers.linux_driver", "textual.widgets._input"):
        importlib.import_module(name)


def _take_control() -> None:
    fcntl.ioctl(1, termios.TIOCSCTTY, 0)


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _load()
    if not (forked := requests_of_forks()):
        return
    request, descriptors = forked
    is_controlling = request["arguments"][-1] == _IS_CONTROLLING
    if is_controlling:
        request["arguments"].pop()
    warm_commands.run_to_its_end(request, descriptors, _take_control if is_controlling else None)


if __name__ == "__main__":
    _main()
