"""Sends lines: what changed last first, then the backlog, in batches that are one round trip each.

The engine's last line is the cursor (docs/fleet.md, "What is promised"). Where it is not known, the engine is asked;
where it is not what we think, we go to it. So nothing has to be remembered, and shippers beside us do no harm.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from seqthink.core.errors import cannot_read
from seqthink.journal.journal_file import JournalFile
from seqthink.share.shipping.journal_cursor import START, JournalCursor, LinePlace
from seqthink.share.shipping.line_redaction import Outgoing
from seqthink.share.shipping.open_journals import OpenJournals
from seqthink.sources.fleet.engine import OriginEngine, Shipment, StreamState

BATCH_BYTES: Final = 256 << 10
"""Bytes of lines in one round trip; a longer line is a batch of its own."""
_FIRST_READ_BYTES: Final = 32 << 10
"""How much of a journal is read first: one that is written now has little news."""
_MAX_LOCATED: Final = 256
"""How many sessions the engine is asked about at a time."""
MAX_LINES: Final = 1 << 53
"""More than any journal has."""
_TYPE_ENDS: Final = 128
_TRIM_SHARE: Final = 8
"""A session is trimmed when it has this part more than the lines to keep."""


class ShippedJournal:
    """One journal, and how far it is shipped."""

    __slots__ = ("carded", "cursor", "is_diverged", "is_located", "last", "session", "trimmed_at")

    def __init__(self, session: str, place: LinePlace, carded: int) -> None:
        self.session = session
        self.cursor = JournalCursor(place)
        self.is_located = False
        """Whether the engine's last line is known, and the cursor is behind it."""
        self.is_diverged = False
        """Whether the engine has other lines than the journal."""
        self.last = 0
        """The engine's last line, as it last said."""
        self.trimmed_at = 0
        self.carded = carded
        """How many lines it had when its card was sent; -1 if that was not yet."""


class Sent(NamedTuple):
    """What one batch did."""

    lines: int
    """How many lines were sent."""
    finished: list[str]
    """Sessions with nothing left to send."""
    ended: list[str]
    """Sessions whose last line says that their server ended."""


class LineSender:
    """Sends the lines of the journals that it is given.

    Args:
        engine: where to.
        journals: the journals.
        outgoing: makes of a line what is sent.
        show: prints one line for the user.
        keep_lines: how many lines the engine keeps of each session; None for all.
    """

    def __init__(
        self,
        engine: OriginEngine,
        journals: OpenJournals,
        outgoing: Outgoing,
        show: Callable[[str], None],
        keep_lines: int | None = None,
    ) -> None:
        self._engine = engine
        self._journals = journals
        self._outgoing = outgoing
        self._show = show
        self._keep_lines = keep_lines
        self._known: dict[str, ShippedJournal] = {}
        self._hot: OrderedDict[str, None] = OrderedDict()
        self._backlog: OrderedDict[str, None] = OrderedDict()
        self._unreadable: dict[str, str] = {}
        self._reported_diverged: set[str] = set()
        self._to_verify: list[str] = []

    @property
    def has_work(self) -> bool:
        """Whether there may be lines to send."""
        return bool(self._hot or self._backlog)

    @property
    def has_doubts(self) -> bool:
        """Whether `verify_some` has something to ask."""
        return bool(self._to_verify)

    @property
    def waiting(self) -> list[str]:
        """The sessions that may have lines to send."""
        return [*self._hot, *self._backlog]

    @property
    def shipped(self) -> Iterable[ShippedJournal]:
        """The journals that it knows."""
        return self._known.values()

    def journal(self, session: str) -> ShippedJournal | None:
        """Return what is known of a session's journal."""
        return self._known.get(session)

    def add(self, session: str, place: LinePlace = START, *, has_card: bool = False) -> None:
        """Get to know a journal; ``place`` is where it was shipped to when that was last noted."""
        if session not in self._known:
            self._known[session] = ShippedJournal(session, place, place.line if has_card else -1)

    def changed(self, session: str) -> None:
        """Look at a journal soon: it has grown."""
        self._backlog.pop(session, None)
        self._hot[session] = None

    def look_at(self, sessions: Iterable[str]) -> None:
        """Look at journals when there is time, in this order."""
        for session in sessions:
            if session not in self._hot:
                self._backlog[session] = None

    def replaced(self, session: str) -> None:
        """Start again with a journal: another file has its name."""
        self._journals.drop(session)
        journal = self._known.get(session)
        if journal is not None:
            journal.cursor.restart()
            journal.is_located = journal.is_diverged = False
            self.changed(session)

    def remove(self, session: str) -> None:
        """Forget a journal: it is gone."""
        self._journals.drop(session)
        self._known.pop(session, None)
        self._unreadable.pop(session, None)
        self._hot.pop(session, None)
        self._backlog.pop(session, None)

    def engine_failed(self) -> None:
        """Ask the engine again what it has of each session: it may have lost some."""
        for journal in self._known.values():
            journal.is_located = journal.is_diverged = False
        self.look_at(self._known)

    def look_at_unreadable(self) -> None:
        """Try the journals again that could not be read."""
        self.look_at(name for name in self._unreadable if name in self._known)

    def verify(self) -> None:
        """Ask for all sessions that are there whether they still are, some with each `verify_some`."""
        self._to_verify = [name for name, journal in self._known.items() if journal.is_located and journal.last]

    def verify_some(self) -> None:
        """Ask for some sessions whether the engine still has what it acknowledged; look at those that it lost.

        Raises:
            EngineUnavailableError: the engine cannot be reached now.
            EngineRefusedError: it will not serve us.
        """
        names, self._to_verify = self._to_verify[-_MAX_LOCATED:], self._to_verify[:-_MAX_LOCATED]
        journals = [journal for name in names if (journal := self._known.get(name)) is not None and journal.is_located]
        if not journals:
            return
        for journal, state in zip(journals, self._engine.states([each.session for each in journals]), strict=True):
            if state.last < journal.last:
                journal.is_located = False
                self.look_at([journal.session])

    def missing(self) -> tuple[list[tuple[str, int]], int]:
        """Return the sessions with missing lines, and how many are missing; and how many sessions have diverged."""
        left = [(name, self._lines_left(self._known[name])) for name in sorted(self.waiting) if name in self._known]
        return left, sum(journal.is_diverged for journal in self._known.values())

    def _lines_left(self, journal: ShippedJournal) -> int:
        cursor = JournalCursor()
        try:
            cursor.seek(self._journals.file(journal.session), MAX_LINES)
        except OSError:
            return 0
        return max(0, cursor.place.line - journal.last)

    def step(self) -> Sent:
        """Send one batch.

        Raises:
            EngineUnavailableError: the engine cannot be reached now; call `engine_failed` before the next step.
            EngineRefusedError: it will not serve us.
        """
        finished: list[str] = []
        wanted = self._next_journals()
        self._locate([journal for journal in wanted if not journal.is_located], finished)
        batch = self._collect(wanted, finished)
        lines = 0
        if batch:
            shipments = [shipment for _, shipment in batch]
            for (journal, shipment), last in zip(batch, self._engine.append(shipments), strict=True):
                lines += self._arrived(journal, shipment, last)
        return Sent(lines, finished, [shipment.session for _, shipment in batch if _is_end(shipment.lines[-1])])

    def _next_journals(self) -> list[ShippedJournal]:
        """Return the journals to look at now, those that changed first."""
        names: list[str] = []
        for queue in (self._hot, self._backlog):
            for session in queue:
                if len(names) == _MAX_LOCATED:
                    break
                names.append(session)
        found: list[ShippedJournal] = []
        for name in names:
            journal = self._known.get(name)
            if journal is None or journal.is_diverged:
                self._done(name)
            else:
                found.append(journal)
        return found

    def _done(self, session: str) -> None:
        self._hot.pop(session, None)
        self._backlog.pop(session, None)

    def _collect(self, wanted: list[ShippedJournal], finished: list[str]) -> list[tuple[ShippedJournal, Shipment]]:
        """Return the next lines of the journals, of all together about a batch."""
        batch: list[tuple[ShippedJournal, Shipment]] = []
        room = BATCH_BYTES
        for journal in wanted:
            if room <= 0:
                break
            if not journal.is_located:
                continue
            try:
                shipment, is_at_end = self._read(journal, room)
            except OSError as error:
                self._cannot_read(journal, error)
                continue
            self._can_read(journal)
            if shipment is not None:
                batch.append((journal, shipment))
                room -= sum(map(len, shipment.lines))
            if is_at_end:
                self._done(journal.session)
                finished.append(journal.session)
        return batch

    def _read(self, journal: ShippedJournal, room: int) -> tuple[Shipment | None, bool]:
        """Return the next lines of one journal, and whether there are no others."""
        file = self._journals.file(journal.session)
        read = journal.cursor.read(file, min(room, _FIRST_READ_BYTES))
        if read is None:
            self.replaced(journal.session)
            return None, False
        lines = read.lines
        if not read.at_end and room > _FIRST_READ_BYTES:
            more = journal.cursor.read(file, room - _FIRST_READ_BYTES)
            if more is not None:
                lines, read = lines + more.lines, more
        if not lines:
            return None, read.at_end
        first = journal.cursor.place.line - len(lines) + 1
        return Shipment(journal.session, first, [self._outgoing(line) for line in lines]), read.at_end

    def _arrived(self, journal: ShippedJournal, shipment: Shipment, last: int) -> int:
        """Note the engine's last line behind a batch; return how many lines were new."""
        _, first, lines = shipment
        journal.last = last
        if last == first + len(lines) - 1:
            journal.cursor.seen = journal.cursor.place
            self._trim(journal)
            return len(lines)
        # It has less, since it lost some, or more, from another shipper: ask, and go there.
        journal.is_located = False
        self.changed(journal.session)
        return max(0, min(len(lines), last - first + 1))

    def _trim(self, journal: ShippedJournal) -> None:
        keep = self._keep_lines
        if keep is not None and journal.last - journal.trimmed_at > keep + max(keep // _TRIM_SHARE, 1):
            self._engine.trim(journal.session, keep)
            journal.trimmed_at = journal.last - keep

    def _locate(self, journals: list[ShippedJournal], finished: list[str]) -> None:
        """Ask how far the engine is, and go there."""
        if not journals:
            return
        for journal, state in zip(journals, self._engine.states([each.session for each in journals]), strict=True):
            try:
                self._stand_at(journal, state, finished)
            except OSError as error:
                self._cannot_read(journal, error)
            else:
                self._can_read(journal)

    def _stand_at(self, journal: ShippedJournal, state: StreamState, finished: list[str]) -> None:
        file, cursor = self._journals.file(journal.session), journal.cursor
        journal.last = state.last
        if state.last < journal.carded:
            journal.carded = -1  # it lost lines, and the card perhaps with them
        journal.trimmed_at = max(0, state.first - 1)
        if not self._has_its_place(cursor, file):
            cursor.restart()
        if not cursor.seek(file, state.last):
            self._diverged(journal, f"the engine has {state.last:,} lines of it, and the journal {cursor.place.line:,}")
            return
        cursor.seen = cursor.place
        if file.stat().st_size == cursor.place.offset:
            journal.is_located = True
            self._done(journal.session)
            finished.append(journal.session)
            return
        theirs = self._engine.line(journal.session, state.last) if state.last else None
        if theirs is not None and not self._is_ours(theirs, cursor.last_line(file)):
            self._diverged(journal, f"line {state.last:,} is another one in the engine")
            return
        journal.is_located = True

    @staticmethod
    def _has_its_place(cursor: JournalCursor, file: JournalFile) -> bool:
        return all(
            file.read_bytes(place.offset - len(place.before), len(place.before)) == place.before
            for place in {cursor.place, cursor.seen}
        )

    def _is_ours(self, theirs: bytes, ours: bytes) -> bool:
        """Whether a line of the engine is this one, shipped unchanged or without secrets."""
        return theirs in {ours, self._outgoing(ours)}

    def _diverged(self, journal: ShippedJournal, reason: str) -> None:
        journal.is_diverged = True
        self._done(journal.session)
        if journal.session not in self._reported_diverged:
            self._reported_diverged.add(journal.session)
            self._show(f"{journal.session} has diverged: {reason}; it is left alone")

    def _cannot_read(self, journal: ShippedJournal, error: OSError) -> None:
        """Leave a journal until it changes, or `look_at_unreadable`."""
        self._done(journal.session)
        self._journals.drop(journal.session)
        trouble = cannot_read(journal.session, error)
        if not isinstance(error, FileNotFoundError) and self._unreadable.get(journal.session) != trouble:
            self._unreadable[journal.session] = trouble
            self._show(trouble)

    def _can_read(self, journal: ShippedJournal) -> None:
        if self._unreadable and self._unreadable.pop(journal.session, None) is not None:
            self._show(f"{journal.session} can be read again")


def _is_end(line: bytes) -> bool:
    """Whether a line says that a server ended; its type is near its beginning (docs/journal.md, "Lines")."""
    return line.find(b'"type":"end"', 0, _TYPE_ENDS) >= 0
