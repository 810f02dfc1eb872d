"""Runs a command and passes its stdin and stdout on, byte for byte. Standard library only.

Each direction has a thread that reads the available bytes and writes them before it reads again: nothing waits, and a
reader that pauses makes its writer wait, as in a pipe. The main thread waits for signals and for the command's end.
The command inherits stderr, the working folder and the environment; it gets the signals that the tap gets.
"""

import os
import select
import signal
import threading
from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

_CHUNK_BYTES = 1 << 16
_STOP_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
_PASSED_SIGNALS = _STOP_SIGNALS | {signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2}
_WAITED_SIGNALS = _PASSED_SIGNALS | {signal.SIGCHLD}
_SIGNAL_STATUS = 128
"""A shell adds the number of the signal that ended a command to this."""
_SENT_BY_KERNEL = 0x80
"""`si_code` of a signal that a key in the terminal sent, to each process in the foreground."""


class Side(Enum):
    """Who wrote some bytes."""

    CLIENT = "client"
    SERVER = "server"


class RelayEnding(NamedTuple):
    """How a relay came to its end."""

    status: int
    """The command's exit status; 128 and the signal's number if a signal ended it, as a shell says it."""
    is_stopped: bool
    """Whether a signal stopped the tap."""
    has_client_left: bool
    """Whether the client had closed its end."""


class Relay:
    """Passes bytes between the own stdin and stdout and those of a command.

    Args:
        command: the words of the command.
        copy: called with each piece of bytes before it is passed on, from two threads; must neither wait nor raise.
    """

    def __init__(self, command: Sequence[str], copy: Callable[[Side, bytes], None]) -> None:
        self._command = list(command)
        self._copy = copy
        self._pid = self._stdin = self._stdout = self._wake_read = self._wake_write = -1
        self._status: int | None = None
        self._is_stopped = False
        self._has_client_left = False
        self._is_output_passed = False
        self._main_thread = threading.get_ident()

    def start(self) -> None:
        """Start the command; from now on bytes pass.

        Raises:
            OSError: the command cannot be started.
        """
        # With a handler the end of the command is noticed even where SIGCHLD was ignored before.
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        # Blocked here, and so in the threads, too: `wait` takes the signals one by one.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _WAITED_SIGNALS)
        their_stdin, self._stdin = os.pipe()
        self._stdout, their_stdout = os.pipe()
        try:
            self._pid = os.posix_spawnp(
                self._command[0],
                self._command,
                os.environ,
                file_actions=[(os.POSIX_SPAWN_DUP2, their_stdin, 0), (os.POSIX_SPAWN_DUP2, their_stdout, 1)],
                setsigmask=mask,
                setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],  # Python ignores them
            )
        except OSError:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            raise
        finally:
            os.close(their_stdin)
            os.close(their_stdout)
        self._wake_read, self._wake_write = os.pipe()
        # Daemons: one may be waiting for a client that neither writes nor leaves when the command has ended.
        threading.Thread(target=self._pass_input, daemon=True).start()
        threading.Thread(target=self._pass_output, daemon=True).start()

    def wait(self) -> RelayEnding:
        """Return when the command has ended and all its output has passed; meanwhile pass signals on."""
        while self._status is None or not self._is_output_passed:
            number, is_from_terminal = _next_signal()
            if number == signal.SIGCHLD:
                self._reap()
            elif self._status is not None:
                break  # the client does not read what is left, and wants an end
            else:
                self._is_stopped |= number in _STOP_SIGNALS
                if not is_from_terminal:  # else the command has got it, too
                    os.kill(self._pid, number)
        status = self._status or 0
        return RelayEnding(_SIGNAL_STATUS - status if status < 0 else status, self._is_stopped, self._has_client_left)

    def _reap(self) -> None:
        """Note the end of the command, if it has ended, and notify the thread of its output."""
        if self._status is None:
            ended, status = os.waitpid(self._pid, os.WNOHANG)
            if ended:
                self._status = os.waitstatus_to_exitcode(status)
                os.close(self._wake_write)

    def _pass_input(self) -> None:
        try:
            while chunk := _read(0):
                self._copy(Side.CLIENT, chunk)
                _write(self._stdin, chunk)
            self._has_client_left = True
        except OSError:
            pass  # the command has closed its stdin: so does the tap
        os.close(self._stdin)
        _close_standard_stream(0)

    def _pass_output(self) -> None:
        try:
            while chunk := self._next_output():
                self._copy(Side.SERVER, chunk)
                _write(1, chunk)
        except OSError:
            pass  # the client has closed its end: so does the tap
        os.close(self._stdout)
        _close_standard_stream(1)
        self._is_output_passed = True
        signal.pthread_kill(self._main_thread, signal.SIGCHLD)

    def _next_output(self) -> bytes:
        """Return what the command has written; nothing if it closed its stdout, or has ended and all is read.

        A process that the command left behind may hold its stdout open for ever, so the end of file is not waited for.
        """
        poll = select.poll()
        poll.register(self._stdout, select.POLLIN)
        poll.register(self._wake_read, select.POLLIN)
        readable = {descriptor for descriptor, _ in poll.poll()}
        return _read(self._stdout) if self._stdout in readable else b""


def _next_signal() -> tuple[int, bool]:
    """Wait for a signal; return its number and whether a key in the terminal sent it."""
    if not hasattr(signal, "sigwaitinfo"):
        return signal.sigwait(_WAITED_SIGNALS), False
    info = signal.sigwaitinfo(_WAITED_SIGNALS)
    return info.si_signo, info.si_code == _SENT_BY_KERNEL


def _read(descriptor: int) -> bytes:
    while True:
        try:
            return os.read(descriptor, _CHUNK_BYTES)
        except BlockingIOError:  # the program that started us may have made it so
            _wait_for(descriptor, select.POLLIN)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            _wait_for(descriptor, select.POLLOUT)


def _wait_for(descriptor: int, event: int) -> None:
    poll = select.poll()
    poll.register(descriptor, event)
    poll.poll()


def _close_standard_stream(descriptor: int) -> None:
    """Close stdin or stdout, so that the client notices; the number stays taken, so that no other file gets it."""
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    os.dup2(null, descriptor)
    os.close(null)
