"""Keeps an engine up to date with the journals of a folder, until it is stopped or all is there."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.core import system
from seqthink.drawing.describe.units import count
from seqthink.share.shipping.backoff import Backoff
from seqthink.share.shipping.card_sender import CardOptions, CardSender
from seqthink.share.shipping.heartbeats import Heartbeats
from seqthink.share.shipping.journal_cursor import START
from seqthink.share.shipping.journal_list import JournalList, ListChanges
from seqthink.share.shipping.line_sender import LineSender, Sent, ShippedJournal
from seqthink.share.shipping.open_journals import OpenJournals
from seqthink.share.shipping.shipped_state import Memory, ShippedPlace
from seqthink.share.shipping.waiting import POLL_SECONDS, FolderChanges, Stop
from seqthink.sources.fleet.engine import OriginEngine
from seqthink.sources.fleet.failures import EngineUnavailableError

_SWEEP_SECONDS: Final = 5.0
"""How often the whole folder is looked at, besides what the system says."""
_VERIFY_SECONDS: Final = 30.0
"""How often the engine is asked whether it still has what it acknowledged."""
_MAX_MISSING_NAMED: Final = 5
_LABEL_SECONDS = 2.0
"""The pause between two looks at what people say about the sessions."""
_LINGER_SECONDS: Final = 60.0
"""How long one session is followed whose server has vanished."""


class ShipOptions(NamedTuple):
    """What is shipped, and how."""

    cards: CardOptions
    once: bool = False
    """Whether to end when all is there."""
    only: str | None = None
    """The one session to ship; None for all."""
    since: float = 0.0
    """Journals that changed last before this time, in seconds since 1970, are left out until they change."""
    keep_lines: int | None = None
    """How many lines the engine keeps of each session; None for all."""


class Clocks(NamedTuple):
    """The sources of time and chance."""

    monotonic: Callable[[], float]
    """Seconds of a clock that never goes back."""
    now: Callable[[], float]
    """Seconds since 1970. Nothing that is shipped depends on it."""
    fraction: Callable[[], float]
    """A random number from 0 to 1."""


class Shipper:
    """Ships the journals of one folder.

    Args:
        engine: where to.
        folder: the folder of the journals.
        options: what is shipped, and how.
        show: prints one line for the user.
        clocks: the time.
        memory: what is remembered of earlier runs, and for `seqthink prune`; None for nothing.
    """

    def __init__(
        self,
        engine: OriginEngine,
        folder: Path,
        options: ShipOptions,
        show: Callable[[str], None],
        clocks: Clocks,
        memory: Memory | None = None,
    ) -> None:
        self._engine = engine
        self._folder = folder
        self._options = options
        self._clocks = clocks
        self._memory = memory
        self._journals = OpenJournals(folder)
        self._list = JournalList(folder, show, options.only)
        self._beats = Heartbeats(engine, self._journals, self._life_changed)
        self.sender = LineSender(engine, self._journals, options.cards.outgoing, show, options.keep_lines)
        """What sends the lines."""
        self._cards = CardSender(
            engine,
            self._journals,
            options.cards,
            self._beats.alive.__contains__,
            self._lines_of,
            lambda: int(clocks.now() * 1_000_000),
        )
        self._backoff = Backoff(show, clocks.fraction)
        self._is_first_look = True
        self._next_sweep = self._next_verify = self._next_labels = 0.0
        self._vanished_at: float | None = None
        self.lines = 0
        """How many lines were sent."""

    @property
    def is_done(self) -> bool:
        """Whether all is there: lines and cards."""
        return not self._is_first_look and not self.sender.has_work and not self._cards.has_work

    @property
    def has_failed(self) -> bool:
        """Whether the engine failed when it was last asked."""
        return self._backoff.has_failed

    def summary(self) -> str:
        """Return what was done, in words."""
        sessions = sum(not journal.is_diverged for journal in self.sender.shipped)
        return f"{count(self.lines, 'line')} sent, {count(sessions, 'session')}"

    def missing(self) -> str:
        """Return what is not there, in words; empty if all is."""
        if self._is_first_look:
            return "the engine was not reached"
        left, diverged = self.sender.missing()
        parts = [f"{count(lines, 'line')} of {session}" for session, lines in left[:_MAX_MISSING_NAMED]]
        if len(left) > _MAX_MISSING_NAMED:
            rest = sum(lines for _, lines in left[_MAX_MISSING_NAMED:])
            parts.append(f"{count(rest, 'line')} of {len(left) - _MAX_MISSING_NAMED:,} more")
        if diverged:
            parts.append(f"{count(diverged, 'session')} that diverged")
        if self._cards.has_work and not parts:
            parts.append("what lists show")
        return ", ".join(parts)

    def run(self, stop: Stop, progress: Callable[["Shipper"], None] | None = None) -> None:
        """Ship until ``stop`` is set, or all is there and that is enough.

        Args:
            stop: ends it.
            progress: called now and then.

        Raises:
            EngineRefusedError: the engine will not serve us.
        """
        changes = FolderChanges(self._folder, stop)
        try:
            while not stop.is_set and not self._is_over():
                try:
                    self._turn(changes)
                    self._backoff.worked()
                except EngineUnavailableError as error:
                    if stop.is_set:  # the call was cut short for that
                        break
                    self._engine_failed()
                    stop.wait(self._backoff.failed(error))
                if progress is not None:
                    progress(self)
        finally:
            changes.close()
            self._journals.close()
            self._remember()

    def _is_over(self) -> bool:
        if self._options.once:
            return self.is_done
        only = self._options.only
        return only is not None and not self._is_first_look and self._has_lingered(only)

    def _has_lingered(self, session: str) -> bool:
        """Whether no more is to be expected of the one session: its server ended or vanished, and all is there.

        An engine that is still away then is not waited for: the journal stays here.
        """
        if session in self._beats.alive:
            self._vanished_at = None
            return False
        seconds = self._clocks.monotonic()
        if self._vanished_at is None:
            self._vanished_at = seconds
        is_late = seconds - self._vanished_at > _LINGER_SECONDS
        if not self.is_done:
            return is_late and self.has_failed
        return is_late or self._cards.has_ended(session)

    def _turn(self, changes: FolderChanges) -> None:
        """Wait until there is something to do, and do it."""
        if changes.begin():
            self._next_sweep = 0.0
        seconds = self._clocks.monotonic()
        if seconds >= self._next_sweep:
            self._sweep(is_announced=changes.is_announced)
        if seconds >= self._next_labels:
            self._next_labels = seconds + _LABEL_SECONDS
            self._cards.look_at_labels(self._has_card)
        self._ship(seconds)
        for name in changes.wait(0.0 if self._is_over() else self._pause()):
            self._name_changed(name)

    def _ship(self, seconds: float) -> None:
        sent = self.sender.step() if self.sender.has_work else Sent(0, [], [])
        self.lines += sent.lines
        for session in sent.ended:
            self._beats.ends(session)
        for session in sent.finished:
            self._card_is_due(session)
        if not self.sender.has_work or seconds >= self._cards.next_round:
            for session in self._cards.step(seconds):
                self._card_was_sent(session)
        self._beats.step(seconds)
        if seconds >= self._next_verify:
            self._next_verify = seconds + _VERIFY_SECONDS
            self.sender.verify()
        if self.sender.has_doubts and not self.sender.has_work:
            self.sender.verify_some()
        if self._memory is not None and self._memory.is_due(seconds):
            self._remember()
            system.give_back_memory()

    def _card_is_due(self, session: str) -> None:
        journal = self.sender.journal(session)
        if journal is not None and journal.carded != journal.last:
            self._cards.changed(session, is_first=journal.carded < 0 and session in self._beats.alive)

    def _has_card(self, session: str) -> bool:
        journal = self.sender.journal(session)
        return journal is not None and journal.carded >= 0 and session in self._list.found

    def _card_was_sent(self, session: str) -> None:
        journal = self.sender.journal(session)
        if journal is not None:
            journal.carded = journal.last

    def _remember(self) -> None:
        """Save how far all is shipped."""
        if self._memory is None:
            return
        state, listed = self._memory.state, self._list.found
        state.places = {
            journal.session: _kept_place(journal) for journal in self.sender.shipped if journal.session in listed
        }
        state.behind = [name for name in self.sender.waiting if name in listed and self._is_behind(name)]
        self._memory.save(self._clocks.monotonic(), self._clocks.now())

    def _is_behind(self, session: str) -> bool:
        journal, file = self.sender.journal(session), self._list.found[session]
        return journal is None or file.size > journal.cursor.seen.offset

    def _pause(self) -> float:
        """Return how long nothing has to be done unless something changes."""
        if self.sender.has_work:
            return 0.0
        if self.sender.has_doubts:
            return 0.0
        seconds = self._clocks.monotonic()
        times = [self._next_sweep, self._beats.next_beat, self._next_verify, self._next_labels]
        if self._cards.has_work:
            times.append(self._cards.next_round)
        return max(0.0, min(times) - seconds)

    def _name_changed(self, name: str) -> None:
        session = self._list.look_at(name) if name else None
        if session is not None:
            self.sender.changed(session)
            if session not in self._beats.alive:
                self._beats.look_at([session])
        elif not name or self._list.is_new(name):
            self._next_sweep = 0.0

    def _sweep(self, *, is_announced: bool) -> None:
        """Look at the whole folder: what is new, what grew without notice, what is gone."""
        now = self._clocks.now()
        self._next_sweep = self._clocks.monotonic() + (_SWEEP_SECONDS if is_announced else POLL_SECONDS)
        found = self._list.look()
        self._take(found)
        self.sender.look_at_unreadable()
        for session, file in self._list.found.items():
            journal = self.sender.journal(session)
            if journal is not None and journal.is_located and file.size != journal.cursor.place.offset:
                self.sender.changed(session)
        self._beats.look(self._list.found, is_first=self._is_first_look, now=now)
        if not self._is_first_look:
            self._beats.look_at(found.new)
        for session in found.new:
            if session in self._beats.alive:
                self.sender.changed(session)
        self._is_first_look = False
        self._forget_deleted()

    def _forget_deleted(self) -> None:
        """Delete the copies of sessions that were deleted here."""
        deleted = self._memory.newly_deleted(self._list.found) if self._memory is not None else []
        if self._memory is not None and deleted and self._options.only is None:
            self._engine.forget(deleted)
            self._memory.state.deleted += deleted

    def _take(self, found: ListChanges) -> None:
        """Take in what is different in the folder."""
        for session in found.gone:
            self.sender.remove(session)
            self._cards.remove(session)
        for session in found.replaced:
            self.sender.replaced(session)
        for session in found.new:
            place, has_card = self._memory.place(session) if self._memory is not None else (START, False)
            self.sender.add(session, place, has_card=has_card)
        self.sender.look_at([each for each in found.new if self._list.found[each].changed >= self._options.since])

    def _life_changed(self, session: str) -> None:
        self._cards.changed(session, is_first=True)

    def _lines_of(self, session: str) -> int:
        journal = self.sender.journal(session)
        return journal.last if journal is not None else 0

    def _engine_failed(self) -> None:
        self.sender.engine_failed()
        for session in self._beats.alive:
            self._cards.changed(session)
        self._beats.engine_failed()


def _kept_place(journal: ShippedJournal) -> ShippedPlace:
    seen = journal.cursor.seen
    return ShippedPlace(seen.line, seen.offset, seen.before, journal.carded == seen.line)


def clocks_of_system(now: Callable[[], float], fraction: Callable[[], float]) -> Clocks:
    """Return the clocks of this process."""
    return Clocks(time.monotonic, now, fraction)
