"""Appends events to a journal, and queues them in memory while it cannot be written.

This is the only place that writes journals; it keeps docs/journal.md, "Promises". Standard library and platformdirs
only, because it runs between a call and its answer.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from seqthink.core import system
from seqthink.core.errors import JournalInUseError, JournalWriteError
from seqthink.journal import resume
from seqthink.journal.drafts import AppendReceipt, DraftEvent, EndReason, LineLocation, PendingLine
from seqthink.journal.encode import encode
from seqthink.journal.folder import journal_path, make_private_folder, missing_folders, new_session_id
from seqthink.journal.locked_journal import JournalDeletedError, JournalExistsError, LockedJournal, Sleep

MAX_WAITING_EVENTS, MAX_WAITING_BYTES = 10_000, 64 << 20
"""Bounds on the events queued in memory while the journal cannot be written."""
_BATCH_BYTES = 1 << 20
"""Bytes of queued events that are written at a time."""


class WriterEnvironment:
    """What the writer needs from outside.

    Args:
        clock: returns the current time with its zone.
        letters: returns six random letters of ``ID_ALPHABET``.
        sleep: waits for a number of seconds while another process has the lock.
    """

    def __init__(self, clock: Callable[[], datetime], letters: Callable[[], str], sleep: Sleep) -> None:
        self.clock = clock
        self.letters = letters
        self.sleep = sleep


class JournalWriter:
    """Appends the events of one session, in order and without gaps. The first append creates the file.

    Args:
        folder: the folder of the journals; None where none is known, so that all events stay queued in memory.
        environment: clock, random letters and sleep.
        resumed: id and open journal of the session to resume; None for a new session.
        sync: whether each append waits until its lines are on the disk.
        required: whether an append fails if the journal cannot be written, instead of queueing in memory.
    """

    def __init__(
        self,
        folder: Path | None,
        environment: WriterEnvironment,
        *,
        resumed: tuple[str, LockedJournal] | None = None,
        sync: bool = False,
        required: bool = False,
    ) -> None:
        self.session, self._file = resumed or ("", None)
        """Id of the session; empty before a new one begins."""
        self._folder = folder
        self._environment = environment
        self._sync = sync
        self._required = required
        self._seq = 0
        self._waiting: deque[PendingLine] = deque()
        self._waiting_bytes = 0
        self._session_fields: Mapping[str, Any] | None = None
        self._continues = ""
        # Folders whose entries may not be on the disk yet; of a resumed journal this is not known.
        self._unsynced_folders = [folder] if self._file and folder else []

    @property
    def has_begun(self) -> bool:
        """Whether `begin` was called, so that an `end` may be written."""
        return self._session_fields is not None

    def begin(
        self, session_fields: Mapping[str, Any], on_event: Callable[[Mapping[str, Any], LineLocation], object]
    ) -> int:
        """Start the session, or read the journal to resume. Returns the number of torn bytes cut off.

        Args:
            session_fields: the fields of the `session` event about the server and its client.
            on_event: called with the fields and location of each event of a resumed journal.

        Raises:
            JournalWriteError: the journal to resume cannot be read or truncated.
        """
        torn = 0
        fields: dict[str, Any] = dict(session_fields)
        if self._file is not None:
            try:
                self._seq, torn = resume.read_events(
                    self._file, lambda event, offset, size: on_event(event, LineLocation(self.session, offset, size))
                )
            except OSError as error:
                raise JournalWriteError(f"the journal cannot be read: {error.strerror or error}") from error
            fields["resumed"] = True
        self._session_fields = session_fields
        self._queue_session_event(fields, self._environment.clock())
        return torn

    def append(self, drafts: Sequence[DraftEvent]) -> AppendReceipt:
        """Write ``drafts`` in one go with all queued events, or queue them until writing works again.

        Raises:
            JournalWriteError: they can neither be written nor queued; none of them is in the journal.
        """
        time = self._environment.clock()
        while True:
            lines = [draft.line(seq, time) for seq, draft in enumerate(drafts, self._seq + 1)]
            try:
                end = self._write_with_waiting(lines)
            except JournalDeletedError:
                self._start_new_file(time, continues=self.session)
                drafts = [_without_target(draft) for draft in drafts]
            except JournalExistsError:
                self._start_new_file(time)
            except JournalWriteError as error:
                self._queue(lines, error)
                return self._receipt(len(lines), error.reason)
            else:
                size = len(lines[-1].data)
                return self._receipt(len(lines), "", LineLocation(self.session, end - size, size))

    def read(self, location: LineLocation) -> bytes:
        """Return the bytes of a line in this session's file.

        Raises:
            OSError: the file cannot be read or was deleted.
        """
        if self._file is None or location.session != self.session:
            raise FileNotFoundError("its journal was deleted")
        return self._file.read(location.offset, location.size)

    def end(self, reason: EndReason, error: str | None = None) -> str:
        """Write `end` if anything was written, and close the file. Returns why events were lost, or an empty string."""
        lost = ""
        if self.has_begun and not self._needs_no_end():
            try:
                receipt = self.append([DraftEvent("end", {"reason": reason, "error": error})])
            except JournalWriteError as refused:
                lost = refused.reason
            else:
                lost = receipt.error
        return self._close_file() or lost

    def _needs_no_end(self) -> bool:
        """Whether an `end` would only create a file: nothing was written, or the journal was deleted."""
        if self._waiting:
            return len(self._waiting) == 1 and self._waiting[0].kind == "session"
        return self._file is not None and self._file.is_deleted

    def _close_file(self) -> str:
        """Close the file. Returns the error that is reported only now (a full network disk), or an empty string."""
        file, self._file = self._file, None
        try:
            if file is not None:
                file.close()
        except OSError as error:
            return error.strerror or str(error)
        return ""

    def _queue_session_event(self, fields: Mapping[str, Any], time: datetime) -> None:
        """Queue the `session` event, so that it is written together with the next event."""
        if self._file is None:
            self.session = new_session_id(time, self._environment.letters())
        self._seq += 1
        line = encode(self._seq, time, "session", {"session": self.session, **fields})
        self._waiting.append(PendingLine("session", time, line))
        self._waiting_bytes += len(line)

    def _write_with_waiting(self, lines: list[PendingLine]) -> int:
        """Write all queued events and ``lines``; return the offset of their end."""
        data = b"".join([line.data for line in lines])
        if not self._waiting:
            return self._write(data)
        while self._waiting and self._waiting_bytes + len(data) > _BATCH_BYTES:
            self._write_oldest_batch()
        end = self._write(b"".join([*(line.data for line in self._waiting), data]))
        self._waiting.clear()
        self._waiting_bytes = 0
        return end

    def _write_oldest_batch(self) -> None:
        """Write the oldest queued events, up to one batch."""
        batch: list[bytes] = []
        size = 0
        for line in self._waiting:
            if batch and size + len(line.data) > _BATCH_BYTES:
                break
            batch.append(line.data)
            size += len(line.data)
        self._write(b"".join(batch))
        for _ in batch:
            self._waiting.popleft()
        self._waiting_bytes -= size

    def _write(self, lines: bytes) -> int:
        try:
            if self._file is None:
                self._file = self._create()
            while self._sync and self._unsynced_folders:
                system.sync_folder(self._unsynced_folders[-1])
                self._unsynced_folders.pop()
        except JournalInUseError as error:
            raise JournalWriteError(str(error)) from error
        except OSError as error:
            where = f": {error.filename}" if error.filename else ""
            raise JournalWriteError(f"{error.strerror}{where}") from error
        return self._file.append(lines, sync=self._sync)

    def _create(self) -> LockedJournal:
        folder = self._folder
        if folder is None:
            raise JournalWriteError("the home folder is unknown; set HOME, or name a folder in SEQTHINK_HOME")
        if self._sync:
            changed_folders = [*(level.parent for level in missing_folders(folder)), folder]
            self._unsynced_folders += [changed for changed in changed_folders if changed not in self._unsynced_folders]
        make_private_folder(folder)
        return LockedJournal.create(journal_path(folder, self.session), self._environment.sleep)

    def _queue(self, lines: list[PendingLine], error: JournalWriteError) -> None:
        size = sum(len(line.data) for line in lines)
        is_full = len(self._waiting) + len(lines) > MAX_WAITING_EVENTS or self._waiting_bytes + size > MAX_WAITING_BYTES
        if self._required or is_full:
            raise JournalWriteError(f"the journal cannot be written: {error.reason}") from error
        self._waiting.extend(lines)
        self._waiting_bytes += size

    def _receipt(self, count: int, error: str, location: LineLocation | None = None) -> AppendReceipt:
        first = self._seq + 1
        self._seq += count
        continues, self._continues = self._continues, ""
        return AppendReceipt(first, len(self._waiting), error, continues, location)

    def _start_new_file(self, time: datetime, continues: str = "") -> None:
        """Start a new file and renumber the queued events; ``continues`` is the session whose file was deleted."""
        began = self._waiting[0].time if self._waiting else time
        self._close_file()
        waiting = [line for line in self._waiting if line.kind != "session"]
        self._waiting.clear()
        self._waiting_bytes = self._seq = 0
        self._continues = continues or self._continues
        self._queue_session_event({**(self._session_fields or {}), "continues": self._continues or None}, began)
        for line in waiting:
            self._seq += 1
            self._waiting.append(line.renumbered(self._seq))
            self._waiting_bytes += len(self._waiting[-1].data)


def _without_target(draft: DraftEvent) -> DraftEvent:
    """Return the draft for a new file, which lacks the thought it refers to: a context item loses its ``of``."""
    return draft._replace(fields={**draft.fields, "of": None}) if draft.kind == "context" else draft
