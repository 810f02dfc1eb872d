"""Reads the terminal for Textual, whose own reader takes a paste that holds an escape character for keys."""

import os
import select
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message
from typing_extensions import override

from tui.pastes import ESCAPE, Pastes

TURN_SECONDS = 0.1
READ_BYTES = 1 << 16


class Driver(LinuxDriver):
    """The terminal, with every paste in one piece, whatever is in it."""

    @override
    def run_input_thread(self) -> None:
        """Pass on what comes in until the viewer leaves the terminal."""
        decode = getincrementaldecoder("utf-8")("replace").decode
        typed = Typed(XTermParser(self._debug))
        while not self.exit_event.is_set():
            text = ""
            if select.select([self.fileno], [], [], TURN_SECONDS)[0]:
                text = decode(self._read())
            for message in typed.feed(text, time.monotonic()):
                self.process_message(message)

    def _read(self) -> bytes:
        try:
            data = os.read(self.fileno, READ_BYTES)
        except OSError:  # the terminal has hung up, which the viewer finds out for itself
            data = b""
        if not data:
            self.exit_event.wait(TURN_SECONDS)
        return data


class Typed:
    """What the terminal sends, as messages: pastes are found here, all else by Textual."""

    def __init__(self, parser: XTermParser) -> None:
        self._parser = parser
        self._pastes = Pastes()
        self._heard_at = 0.0

    def feed(self, text: str, now: float) -> Iterator[Message]:
        """Yield what ``text`` says, which came ``now``, and what its absence says."""
        pastes, pieces = self._pastes, iter(())
        if text:
            self._heard_at, pieces = now, pastes.feed(text)
        elif pastes.patience is not None and now - self._heard_at >= pastes.patience:
            pieces = pastes.give_up()
        for piece in pieces:
            if piece.is_paste:
                yield events.Paste(piece.text.replace("\x00", ""))
                continue
            keys = piece.text.removesuffix(ESCAPE)
            if keys:  # without any, the parser would take it for the end
                yield from self._parser.feed(keys)
            if keys != piece.text:  # nothing belongs to this Escape, or it would have come along
                yield events.Key("escape", ESCAPE)
        yield from self._parser.tick()
