"""Brings notes from the engine to the agents of this machine: each once, in order, and only what is sure to be one.

A note is a prompt with the authority of the machine's user. It goes into the same file as the notes of a viewer here
(docs/journal.md, "Where it lives"); the event in the journal is the receipt.
"""

import errno
import os
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Final, NamedTuple

from seqthink.core import system
from seqthink.core.background import keep_running_sync
from seqthink.core.errors import SeqthinkError, reason_of
from seqthink.journal.folder import journal_path, notes_path
from seqthink.journal.notes_file import MAX_AGENT_CHARS, MAX_NOTE_BYTES, Note, append_note, fit_note_text
from seqthink.share.shipping.backoff import Backoff
from seqthink.share.shipping.waiting import Stop
from seqthink.sources.fleet.engine import OriginEngine, SentNote
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError
from seqthink.sources.fleet.layout import is_session

_WAIT_SECONDS: Final = 5.0
_END_SECONDS: Final = 2.0
_PIECE_BYTES: Final = 1 << 20
_ID = re.compile(r"[0-9a-f]{16}")
_TIME = re.compile(r"[0-9T:.+Z-]{1,40}")
_PASSING: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.EROFS})
"""Reasons for which a note waits until it can be written."""


class NoteOptions(NamedTuple):
    """Which notes are taken."""

    folder: Path
    """The folder of the journals."""
    reason_to_drop: Callable[[SentNote], str | None]
    """Says why a note is not to be trusted, in words; None if it is."""
    only: str | None = None
    """The one session whose notes are taken; None for all."""


class NoteReceiver:
    """Takes notes from the engine in a thread of its own.

    Args:
        open_engine: opens an engine, which only this thread uses.
        options: which notes are taken.
        show: prints one line for the user.
        stop: ends it; it sets this itself when the engine refuses.
        fraction: returns a random number from 0 to 1.
        after: the last note that was taken before.
    """

    def __init__(
        self,
        open_engine: Callable[[], OriginEngine],
        options: NoteOptions,
        show: Callable[[str], None],
        stop: Stop,
        fraction: Callable[[], float],
        after: str,
    ) -> None:
        self.after = after
        """The last note that was taken."""
        self.refusal: EngineRefusedError | None = None
        """Why the engine gives no notes, if it refuses."""
        self.dropped: Counter[str] = Counter()
        """How many notes were not delivered, by the reason."""
        self._engine = open_engine()
        self._options = options
        self._show = show
        self._stop = stop
        self._backoff = Backoff(_say_nothing, fraction)  # the shipper says it
        self._reported_unwritable = False
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def end(self) -> None:
        """End, whatever it waits for."""
        self._stop.set()
        with suppress(SeqthinkError):
            self._engine.close()
        self._thread.join(_END_SECONDS)

    def _run(self) -> None:
        keep_running_sync(self._take_all, "taking notes", self._report)

    def _report(self, _name: str, trouble: str) -> None:
        if trouble:
            self._show(trouble)

    def _take_all(self) -> None:
        while not self._stop.is_set:
            try:
                self._take_some()
                self._backoff.worked()
                self._can_write()
            except EngineUnavailableError as error:
                self._stop.wait(self._backoff.failed(error))
            except EngineRefusedError as error:
                self.refusal = error
                self._stop.set()
            except OSError as error:
                self._cannot_write(error)

    def _take_some(self) -> None:
        for note in self._engine.notes(self.after, _WAIT_SECONDS):
            if self._stop.is_set:
                return
            reason = self._deliver(note)
            if reason is not None:
                self._dropped(reason)
            self.after = note.entry

    def _deliver(self, sent: SentNote) -> str | None:
        """Put a note into its session's file; return why it is dropped, None if it is there.

        Raises:
            OSError: the file cannot be written now.
        """
        reason = _reason_in_itself(sent)
        if reason is not None:
            return reason
        if self._options.only not in {None, sent.session}:
            return None  # another shipper's
        journal = journal_path(self._options.folder, sent.session)
        if not journal.is_file():
            return "there is no such session here"
        reason = self._options.reason_to_drop(sent)
        if reason is not None or _holds(notes_path(journal), sent.id) or _holds(journal, sent.id):
            return reason
        text, _ = fit_note_text(sent.text)
        time = sent.time if _TIME.fullmatch(sent.time) else ""
        try:
            append_note(notes_path(journal), Note(sent.id, text, time, agent=sent.agent))
        except OSError as error:
            if error.errno in _PASSING:
                raise
            return f"its file cannot be written: {(error.strerror or str(error)).lower()}"
        return None

    def _dropped(self, reason: str) -> None:
        """Count a note that is dropped; say so for the first one, the tenth, the hundredth."""
        self.dropped[reason] += 1
        times = self.dropped[reason]
        if str(times).strip("0") == "1":
            count = "a note was" if times == 1 else f"{times:,} notes were"
            self._show(f"{count} dropped: {reason}")

    def _cannot_write(self, error: OSError) -> None:
        if not self._reported_unwritable:
            self._reported_unwritable = True
            self._show(f"notes wait, they cannot be written: {reason_of(error)}")
        self._stop.wait(_WAIT_SECONDS)

    def _can_write(self) -> None:
        if self._reported_unwritable:
            self._reported_unwritable = False
            self._show("notes can be written again")


def _reason_in_itself(sent: SentNote) -> str | None:
    """Return why something is not a note, in words; None if it is one."""
    if not is_session(sent.session) or not _ID.fullmatch(sent.id):
        return "it is not a note"
    if len(sent.agent) > MAX_AGENT_CHARS:
        return "it is for no agent"
    if len(sent.text.encode("utf-8", "replace")) > MAX_NOTE_BYTES:
        return "it is too long"
    text, is_cut = fit_note_text(sent.text)
    return "it has no text" if not text or is_cut else None


def _holds(path: Path, note_id: str) -> bool:
    """Whether a file holds a note's id."""
    wanted = f'"id":"{note_id}"'.encode()
    try:
        descriptor = os.open(path, system.READ | system.NO_LINK)
    except OSError:
        return False
    end = b""
    with os.fdopen(descriptor, "rb", buffering=0) as file, suppress(OSError):
        while piece := file.read(_PIECE_BYTES):
            if wanted in end + piece:
                return True
            end = piece[-len(wanted) :]
    return False


def _say_nothing(_message: str) -> None:
    """Say nothing."""
