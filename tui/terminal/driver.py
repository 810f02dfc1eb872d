"""The terminal driver: finds pastes in the input, and restores the terminal when a signal ends or stops the viewer.

Textual's own driver parses a paste that contains an escape character as keys. It ignores the signals that end a
program, and it acts inside the handler on those that stop one, which deadlocks in the middle of a write. Handlers here
only schedule a callback on the event loop.
"""

import errno
import os
import select
import signal
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from textual import events
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message
from typing_extensions import override

from seqthink.core.saving import remove_unfinished
from tui.terminal.bracketed_paste import ESCAPE, BracketedPasteParser
from tui.terminal.notifications import RESTORE_TITLE, SAVE_TITLE
from tui.terminal.process_signals import END_SIGNALS, SIGNAL_STATUS_BASE

POLL_SECONDS = 0.1
READ_BYTES = 1 << 16
MAX_EXIT_SECONDS = 3.0
"""Time limit for leaving after a signal: a terminal that accepts no more bytes must not keep the viewer alive."""
RESTORE_SEQUENCE = (
    b"\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
"""The escape sequences that Textual writes when it leaves the terminal."""


class ViewerDriver(LinuxDriver):
    """Linux driver that delivers each paste as one event and restores the terminal on every exit."""

    _restore_sequence = RESTORE_SEQUENCE

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)  # pyright: ignore[reportUnknownMemberType] - Textual leaves out what its app ends with
        self._file = cast("TextIO", _TolerantFile(self._file))  # has every method that Textual's writer calls
        self._has_terminal = False
        self._will_retake = False
        self._end_signal = 0
        for number in END_SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # `nohup` ignores it on purpose
                signal.signal(number, self._on_end_signal)

    # Taking the terminal, and giving it back

    @override
    def start_application_mode(self) -> None:
        """Take over the terminal; a background process first waits until it is in the foreground."""
        if not self._end_signal:
            self._wait_for_foreground()
        if not self._end_signal:
            self._has_terminal = True
            super().start_application_mode()

    @override
    def stop_application_mode(self) -> None:
        """Restore the terminal."""
        if self._has_terminal:
            super().stop_application_mode()
            self._has_terminal = False

    @override
    def disable_input(self) -> None:
        """Stop reading keys, unless another program already reads them."""
        if self._has_terminal:
            super().disable_input()

    @override
    def write(self, data: str) -> None:
        """Write to the terminal, unless another program is using it."""
        if self._has_terminal:
            super().write(data)

    @override
    def _disable_mouse_support(self) -> None:
        super()._disable_mouse_support()
        if self._mouse_pixels:
            self.write("\x1b[?1016l")

    @override
    @contextmanager
    def no_automatic_restart(self) -> Generator[None]:
        """Leave SIGTSTP to the shell while another program uses the terminal: both stop and continue together."""
        handlers = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            with super().no_automatic_restart():
                yield
        finally:
            signal.signal(signal.SIGTSTP, handlers)

    def _wait_for_foreground(self) -> None:
        while not self._end_signal:
            try:
                # changes nothing, but the system stops a background process here until it is in the foreground
                termios.tcsetattr(self.fileno, termios.TCSANOW, termios.tcgetattr(self.fileno))
            except termios.error as error:
                if error.args[0] == errno.EINTR:
                    continue
            return

    # Signals

    def _on_end_signal(self, number: int, _frame: object) -> None:
        self._end_signal = self._end_signal or number
        if not self._loop.is_running():
            raise SystemExit(SIGNAL_STATUS_BASE + number)
        signal.signal(signal.SIGALRM, self._force_exit)
        signal.setitimer(signal.ITIMER_REAL, MAX_EXIT_SECONDS)
        self._loop.call_soon_threadsafe(self._app.exit, None, SIGNAL_STATUS_BASE + self._end_signal)

    def _force_exit(self, _number: int, _frame: object) -> None:
        if self._has_terminal:
            with suppress(OSError):
                # reopened, because O_NONBLOCK belongs to the open file, which the shell shares
                terminal = os.open(os.ttyname(self.fileno), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
                os.write(terminal, self._restore_sequence)
            if self.attrs_before is not None:
                with suppress(termios.error):
                    termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
        remove_unfinished()
        os._exit(SIGNAL_STATUS_BASE + self._end_signal)

    @override
    def _sigtstp_application(self, *_: object) -> None:
        if self._loop.is_running():
            self._loop.call_soon_threadsafe(self._app.call_later, self._app.action_suspend_process)

    @override
    def _sigcont_application(self, *_: object) -> None:
        """Take over the terminal again after SIGSTOP, which cannot be caught: the shell has used it meanwhile.

        Without the terminal there is nothing to take again: `start_application_mode` waits for the foreground. A second
        time would discard the keys typed since the first.
        """
        if self._auto_restart and self._has_terminal and not self._will_retake and self._loop.is_running():
            self._will_retake = True
            self._loop.call_soon_threadsafe(self._app.call_later, self._retake_terminal)

    def _retake_terminal(self) -> None:
        self._wait_for_foreground()
        with self._app.suspend():
            pass
        self._will_retake = False  # now: SIGCONT may reach another thread first, and Python's handler comes late

    # Keys

    @override
    def run_input_thread(self) -> None:
        """Read the terminal and post messages until the driver stops."""
        decode = getincrementaldecoder("utf-8")("replace").decode
        typed = InputDecoder(XTermParser(self._debug))
        while not self.exit_event.is_set():
            text = ""
            if select.select([self.fileno], [], [], POLL_SECONDS)[0]:
                text = decode(self._read_bytes())
            for message in typed.feed(text, time.monotonic()):
                self.process_message(message)

    def _read_bytes(self) -> bytes:
        try:
            data = os.read(self.fileno, READ_BYTES)
        except OSError:  # the terminal has hung up; the viewer polls for that
            data = b""
        if not data:
            self.exit_event.wait(POLL_SECONDS)
        return data


class TitleDriver(ViewerDriver):
    """A viewer's driver that may set the terminal's title, and gives the former one back with the terminal."""

    _restore_sequence = RESTORE_SEQUENCE + RESTORE_TITLE.encode()

    @override
    def start_application_mode(self) -> None:
        """Take over the terminal, and remember its title."""
        super().start_application_mode()
        self.write(SAVE_TITLE)

    @override
    def stop_application_mode(self) -> None:
        """Restore the terminal and its title."""
        self.write(RESTORE_TITLE)
        super().stop_application_mode()


class _TolerantFile:
    """The terminal as a file; errors of a vanished terminal are ignored."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()


class InputDecoder:
    """Turns terminal input into messages: pastes are found here, everything else by Textual's parser."""

    def __init__(self, parser: XTermParser) -> None:
        self._parser = parser
        self._paste_parser = BracketedPasteParser()
        self._last_input_at = 0.0

    def feed(self, text: str, now: float) -> Iterator[Message]:
        """Yield the messages of ``text``, received at ``now`` in seconds; an empty text lets pending input time out."""
        pastes, pieces = self._paste_parser, iter(())
        if text:
            self._last_input_at, pieces = now, pastes.feed(text)
        elif pastes.timeout_seconds is not None and now - self._last_input_at >= pastes.timeout_seconds:
            pieces = pastes.flush()
        for piece in pieces:
            if piece.is_paste:
                yield events.Paste(piece.text.replace("\x00", ""))
                continue
            keys = piece.text.removesuffix(ESCAPE)
            if keys:  # the parser takes an empty string for the end of input
                yield from self._parser.feed(keys)
            if keys != piece.text:  # the rest of a sequence would have arrived with it, so this is the Escape key
                yield events.Key("escape", ESCAPE)
        yield from self._parser.tick()
