"""What `seqthink ship` puts together: engine, journals, notes, signals, and what is said at the end."""

import argparse
import os
import random
import signal
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Timer
from types import ModuleType
from typing import TYPE_CHECKING, Final

from seqthink.cli.common import print_stderr
from seqthink.cli.fleet.background_work import BackgroundWork
from seqthink.cli.option_values import Since, journal_folder
from seqthink.cli.standard_output import output
from seqthink.core import system
from seqthink.core.errors import SeqthinkError, UsageError
from seqthink.core.redaction import load_shapes
from seqthink.journal.folder import SUFFIX
from seqthink.journal.store import resolve_journal
from seqthink.library.viewer_store.label_book import label_book_of
from seqthink.share.shipping.card_sender import CardOptions
from seqthink.share.shipping.line_redaction import LineRedaction, as_it_stands
from seqthink.share.shipping.note_receiver import NoteOptions, NoteReceiver
from seqthink.share.shipping.origin import Origin
from seqthink.share.shipping.progress import ShippingProgress
from seqthink.share.shipping.shipped_state import Memory, StateFile, shipping_folder
from seqthink.share.shipping.shipper import ShipOptions, Shipper, clocks_of_system
from seqthink.share.shipping.waiting import Stop
from seqthink.sources.fleet.address import FleetAddress
from seqthink.sources.fleet.engine import OriginEngine, SentNote
from seqthink.sources.fleet.layout import is_session
from seqthink.sources.fleet.opening import open_origin

if TYPE_CHECKING:
    from collections.abc import Callable

_HOUR_SECONDS: Final = 3600
_KEY_FILE: Final = "SEQTHINK_NOTE_KEY_FILE"
_HTTP_CLIENT: Final = "requests"
_CLOSE_SECONDS: Final = 1.0
"""How long the engine may take to answer after a signal."""
_STOP_SECONDS: Final = 0.5
"""How long a call may take that is to end because the time is over."""


class ShippingRun:
    """One run of the command.

    Args:
        options: the options of the command line.
        address: where the engine is.
        origin: who ships.
        home: the folder of all of seqthink's data.
    """

    def __init__(self, options: argparse.Namespace, address: FleetAddress, origin: Origin, home: Path) -> None:
        self._options = options
        self._address = address
        self._origin = origin
        self._random = random.SystemRandom().random
        self._folder, self._only = _folder_and_session(options)
        kept = shipping_folder(home)
        self._memory = Memory(kept, StateFile(kept, str(address), origin.name, self._folder), print_stderr)
        self._reason_to_drop = _reason_to_drop() if options.notes else _nothing_to_say

    def run(self) -> int:
        """Ship, and return the exit status."""
        options = self._options
        if not options.once:
            system.give_way()  # a thought comes first where cores are few
        with Stop() as stop:
            engine = self._open()
            _end_on_signals(stop, engine)
            shipper = self._shipper(engine)
            notes = self._note_receiver(stop) if options.notes else None
            try:
                if notes is not None:
                    notes.start()
                system.give_back_memory()
                if options.once:
                    self._ship_in_time(shipper, engine, stop)
                else:
                    self._ship(shipper, engine, stop)
            finally:
                self._end_notes(notes)
                with suppress(SeqthinkError):
                    engine.close()
            return _exit_status(shipper, stop, is_once=options.once)

    def _ship(self, shipper: Shipper, engine: OriginEngine, stop: Stop) -> None:
        shipper.run(stop, _progress())
        if self._only is None and not shipper.has_failed:
            _leave(engine)

    def _ship_in_time(self, shipper: Shipper, engine: OriginEngine, stop: Stop) -> None:
        """Ship until all is there or the time is over, whatever the engine keeps it waiting with."""
        shipping = BackgroundWork(lambda: self._ship(shipper, engine, stop))
        ends = [(float(self._options.timeout), stop.set), (_STOP_SECONDS, engine.close), (_STOP_SECONDS, _do_nothing)]
        for seconds, end in ends:
            if shipping.has_ended(seconds):
                return shipping.result()
            end()
        print_stderr(f"the engine kept the shipper waiting for more than {self._options.timeout} s")
        return None

    def _open(self) -> OriginEngine:
        keep = self._options.keep * _HOUR_SECONDS * 1000
        return open_origin(self._address, self._origin.name, os.environ, keep)

    def _shipper(self, engine: OriginEngine) -> Shipper:
        options = self._options
        outgoing = as_it_stands
        if not options.verbatim:
            _load_shapes()
            outgoing = LineRedaction(self._origin.salt)
        book = label_book_of(os.environ, is_redacted=not options.verbatim)
        cards = CardOptions(outgoing, options.notes, bool(os.environ.get(_KEY_FILE)), book)
        oldest = options.since or Since(options.keep)
        since = 0.0 if self._only is not None else oldest.time(datetime.fromtimestamp(time.time(), UTC)).timestamp()
        shipped = ShipOptions(cards, options.once, self._only, since, options.keep_lines)
        memory = self._memory if self._only is None else None
        return Shipper(engine, self._folder, shipped, print_stderr, clocks_of_system(time.time, self._random), memory)

    def _note_receiver(self, stop: Stop) -> NoteReceiver:
        options = NoteOptions(self._folder, self._reason_to_drop, self._only)
        after = self._memory.state.notes_after
        return NoteReceiver(self._open, options, print_stderr, stop, self._random, after)

    def _end_notes(self, notes: NoteReceiver | None) -> None:
        """End the notes, and remember which came last.

        Raises:
            EngineRefusedError: the engine gave none.
        """
        if notes is None:
            return
        notes.end()
        if self._only is None:
            self._memory.state.notes_after = notes.after
            self._memory.save(time.monotonic(), time.time())
        if notes.refusal is not None:
            raise notes.refusal


def _load_shapes() -> None:
    """Load the shapes of secrets, where it works without `requests`, with which their library asks services.

    We never ask, nothing else in this process needs it, and it takes a sixth of a shipper's memory.
    """
    if _HTTP_CLIENT not in sys.modules:
        sys.modules[_HTTP_CLIENT] = ModuleType(_HTTP_CLIENT)
        try:
            with suppress(AttributeError, ImportError):
                load_shapes()
        finally:
            del sys.modules[_HTTP_CLIENT]
    load_shapes()


def _reason_to_drop() -> "Callable[[SentNote], str | None]":
    """Return what says why a note is not to be trusted: with a key, one that is not signed with it."""
    from datetime import UTC, datetime

    from seqthink.sources.fleet.signing import note_key, verify

    key = note_key(os.environ)
    if key is None:
        return _nothing_to_say
    return lambda note: verify(note, key, datetime.now(UTC))  # noqa: TID251 - the edge reads the clock


def _nothing_to_say(_note: SentNote) -> str | None:
    """Return that nothing is wrong: without a key, the engine's permissions say who may send notes."""
    return None


def _folder_and_session(options: argparse.Namespace) -> tuple[Path, str | None]:
    folder = journal_folder(options)
    if options.session is None:
        return folder, None
    path = resolve_journal(options.session, folder)
    session = path.name.removesuffix(SUFFIX)
    if not is_session(session):
        raise UsageError(f"ship: {path.name} cannot be shipped: its name is not a session id")
    return path.parent, session


def _end_on_signals(stop: Stop, engine: OriginEngine) -> None:
    """Let the first signal end the shipper soon, whatever it waits for, and the second one at once."""

    def end(number: int, _frame: object) -> None:
        if stop.is_set:
            raise KeyboardInterrupt
        stop.set(number)
        timer = Timer(_CLOSE_SECONDS, engine.close)  # it may be waiting for an engine that hangs
        timer.daemon = True
        timer.start()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)


def _progress() -> ShippingProgress | None:
    screen = sys.stderr
    return ShippingProgress(screen) if screen is not None and screen.isatty() else None


def _do_nothing() -> None:
    """Leave what cannot be ended to the end of the process."""


def _leave(engine: OriginEngine) -> None:
    with suppress(SeqthinkError):
        engine.leave()


def _exit_status(shipper: Shipper, stop: Stop, *, is_once: bool) -> int:
    if stop.signal == signal.SIGINT:
        return 130
    if stop.signal or not is_once:
        return 0
    missing = shipper.missing()
    if missing:
        print_stderr(f"not all is there: {missing}")
        return 1
    with output() as out:
        print(f"all is there: {shipper.summary()}", file=out)
    return 0


def print_status(options: argparse.Namespace, address: FleetAddress, origin: Origin, home: Path) -> int:
    """Print how far each session is, here and in the engine; return 0 if all is there, else 1."""
    from seqthink.cli.fleet.ship_status import write_status
    from seqthink.share.shipping.status import session_states

    folder, only = _folder_and_session(options)
    kept = StateFile(shipping_folder(home), str(address), origin.name, folder).read()
    engine = open_origin(address, origin.name, os.environ)
    try:
        found = session_states(engine, folder, only, kept, print_stderr)
    finally:
        engine.close()
    with output() as out:
        write_status(found, kept, out, is_json=options.json)
    return 0
