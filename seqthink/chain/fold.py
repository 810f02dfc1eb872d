"""The fold: events in, a session out (journal.md, "From events to a session: the fold").

The same events always give the same session, whether folded at once, one by one, or live. No sequence of valid events
raises. Everything is decided on arrival in constant time, from what came before.
"""

from bisect import bisect_left
from collections.abc import Iterable
from datetime import UTC, datetime

from seqthink.chain.calls import flags, is_same_call, verdict_of
from seqthink.chain.log import Log
from seqthink.chain.model import NONE, Attachment, Landmark, Refusal
from seqthink.chain.questions import LIMIT, OpenQuestions
from seqthink.chain.resolve import Numbers
from seqthink.chain.running import RunningAudits
from seqthink.chain.session import Session
from seqthink.events import (
    AskingEvent,
    AuditEvent,
    AuditingEvent,
    ContextEvent,
    ElicitEvent,
    EndEvent,
    Event,
    NoteEvent,
    RejectedEvent,
    SampleEvent,
    SessionEvent,
    ThoughtEvent,
    UnreadEvent,
    Writer,
)

_Attached = AuditEvent | SampleEvent | ElicitEvent | ContextEvent | NoteEvent
"""What belongs to a thought."""


class Fold:
    """A session that grows by one event at a time."""

    def __init__(self) -> None:
        self._log = Log()
        self._previous: ThoughtEvent | None = None
        self._highest = 0
        self._trunk = NONE
        self._branches: dict[str | int, int] = {}
        self._numbers = Numbers(self._log, NONE)
        self._asked = OpenQuestions(self._log.questions, self._log.undecided)
        self._audits = RunningAudits(self._log.audits)
        marks = self._log.landmarks
        self._mark_revision = marks[Landmark.REVISION].append
        self._mark_branch = marks[Landmark.BRANCH].append
        self._mark_change = marks[Landmark.CHANGE].append

    def session(self, writer: Writer = Writer.UNKNOWN) -> Session:
        """Return the session as folded so far, read-only; ``writer`` says whether its server lives."""
        return Session(self._log, self._log.entries, len(self._log.seq), writer)

    def evolve(self, event: Event | UnreadEvent, offset: int = 0, size: int = 0) -> None:
        """Fold in the next event of the journal, whose line stands at ``offset`` and is ``size`` bytes long."""
        log = self._log
        match event:
            case ThoughtEvent():
                self._think(event, offset, size)
            case SessionEvent() | EndEvent():
                self._turn(event)
            case RejectedEvent():
                self._mark(Landmark.REFUSAL)
                time = self._show_beside(event.time)
                log.refusals.append(Refusal(log.entries, len(log.seq), event.seq, time, offset, size))
            case UnreadEvent():
                log.unread.append(log.entries)
            case AskingEvent() | AuditingEvent():
                self._begin(event)
            case SampleEvent() | ElicitEvent() | AuditEvent() | ContextEvent() | NoteEvent():
                self._end(event)
                self._attach(event, offset, size)
        log.entries += 1

    def _begin(self, event: AskingEvent | AuditingEvent) -> None:
        """Note what goes on until an event of its kind says that it has ended."""
        match event:
            case AskingEvent():
                self._asked.open(event, self._log.entries)
            case AuditingEvent():
                self._audits.move(event, self._log.entries)

    def _end(self, event: _Attached) -> None:
        if isinstance(event, SampleEvent | ElicitEvent):
            self._asked.close(event, self._log.entries)
        elif isinstance(event, AuditEvent):
            self._audits.end(event, self._log.entries)

    def _turn(self, event: SessionEvent | EndEvent) -> None:
        self._log.servers.append((self._log.entries, event))
        self._asked.drop(self._log.entries)
        self._audits.drop(self._log.entries)
        if isinstance(event, EndEvent):
            self._mark(Landmark.END)

    def skip_corrupt(self) -> None:
        """Take in a line that does not decode: it is counted, as an entry too, so that every prefix knows its own."""
        self._log.corrupt.append(self._log.entries)
        self._log.entries += 1

    def _think(self, event: ThoughtEvent, offset: int, size: int) -> None:
        log, index, number = self._log, len(self._log.seq), event.thoughtNumber
        is_revision = bool(event.isRevision or (event.revisesThought and event.isRevision is None))
        previous = self._previous
        is_retry = previous is not None and previous.thoughtNumber == number and is_same_call(previous, event)
        if not index or (number == 1 and not is_revision and not is_retry and self._begins_chain(event)):
            self._begin_chain(index)
        is_on_trunk = not event.branchId and not event.branchFromThought
        lane = self._trunk if is_on_trunk else self._branch_for(event)
        if is_revision:
            self._revise(event.revisesThought or 0, lane, index)
        if number > self._highest:
            if number > self._highest + 1 and not is_revision:
                log.missing.put(index, number - self._highest - 1)
            self._highest = number
        last = log.lanes.last[lane]
        taken = 1
        if last != NONE and number <= log.peak[last]:
            taken = self._numbers.take_again(lane, number, index)
        if taken > 1:
            log.taken.put(index, taken)
        is_repeat = is_retry or (taken > 1 and not is_revision)
        self._append(event, lane, last, flags(event, is_revision=is_revision, is_repeat=is_repeat))
        log.offset.append(offset)
        log.size.append(size)
        if not is_on_trunk:
            self._numbers.note_branch(number, index)
        self._previous = event

    def _revise(self, number: int, lane: int, index: int) -> None:
        log = self._log
        self._mark_revision(log.entries)
        target = self._numbers.target(number, lane) if number else NONE
        if target != NONE:
            log.target.put(index, target)
            log.revisers.append(target, index)
        elif number:
            log.revises_nothing.put(index, number)

    def _mark(self, kind: Landmark) -> None:
        self._log.landmarks[kind].append(self._log.entries)

    def _show_beside(self, time: datetime) -> int:
        """Note that this line shows, though it is no thought; return its time in microseconds."""
        moment = _microseconds(time)
        self._log.beside.append(self._log.entries)
        self._log.beside_time.append(moment)
        return moment

    def _append(self, event: ThoughtEvent, lane: int, last: int, flags: int) -> None:
        """Append a thought to its lane, whose newest one was ``last``, or NONE."""
        log, number, total = self._log, event.thoughtNumber, event.totalThoughts
        index = len(log.seq)
        total = total if total > number else number
        place, spent, peak = 0, 0, number
        if last != NONE:
            place, spent, peak = log.place[last] + 1, log.spent[last], log.peak[last]
            peak = peak if peak > number else number
            if log.total[last] != total:
                self._change(lane, index)
        time = _microseconds(event.time)
        if index != log.chain_start[-1] and time > log.time[-1]:
            # a clock that jumps to and fro could add up to more than a column holds
            spent += time - log.time[-1]
            spent = spent if spent < _LAST else _LAST
        log.lanes.thoughts.append(lane, index)
        log.lanes.last[lane] = index
        log.place.append(place)
        log.lane.append(lane)
        log.seq.append(event.seq)
        log.entry.append(log.entries)
        log.time.append(time)
        log.spent.append(spent)
        log.number.append(number)
        log.total.append(total)
        log.peak.append(peak)
        log.flags.append(flags)

    def _change(self, lane: int, index: int) -> None:
        self._mark_change(self._log.entries)
        changes = self._log.lanes.first_change
        if changes.get(lane) == NONE:
            changes.put(lane, index)

    def _begins_chain(self, event: ThoughtEvent) -> bool:
        """Whether a thought with number 1, no revision and no retry, is the first of another problem."""
        is_trunk_empty = self._log.lanes.last[self._trunk] == NONE
        if not event.branchId and not event.branchFromThought:
            return not is_trunk_empty
        if not is_trunk_empty:
            return False
        existing = self._branches.get(event.branchId or self._fork_key(event))
        if existing is not None:
            return self._numbers.newest(existing, 1) != NONE
        return not event.branchFromThought

    def _begin_chain(self, index: int) -> None:
        log = self._log
        self._mark(Landmark.CHAIN)
        log.chain_start.append(index)
        self._trunk = log.lanes.open_trunk(log.entries)
        self._highest = 0
        self._branches = {}
        self._numbers = Numbers(log, self._trunk)

    def _branch_for(self, event: ThoughtEvent) -> int:
        """Return the branch of an event that names one, opened if it is new."""
        key = event.branchId or self._fork_key(event)
        lane = self._branches.get(key)
        if lane is None:
            lane = self._branches[key] = self._open_branch(event)
        return lane

    def _fork_key(self, event: ThoughtEvent) -> int:
        """Name a branch without an id within its chain by its fork (below 0: a number that no thought has)."""
        fork = self._fork_of(event)
        return fork if fork != NONE else NONE - (event.branchFromThought or 0)

    def _fork_of(self, event: ThoughtEvent) -> int:
        log = self._log
        if event.branchFromThought:
            current = log.lane[-1] if len(log.seq) > log.chain_start[-1] else self._trunk
            return self._numbers.fork(event.branchFromThought, current)
        return log.lanes.last[self._trunk]

    def _open_branch(self, event: ThoughtEvent) -> int:
        log, fork = self._log, self._fork_of(event)
        lane = log.lanes.open(log.entries, event.branchId or None, event.branchFromThought or 0, fork)
        self._mark_branch(log.entries)
        if fork != NONE:
            log.forks.append(fork, lane)
        else:
            log.loose.append(len(log.chain_start) - 1, lane)
        return lane

    def _attach(self, event: _Attached, offset: int, size: int) -> None:
        log = self._log
        index = self._thought_at(event.of) if event.of else len(log.seq) - 1
        if index == NONE:
            return
        verdict, score = verdict_of(event) if isinstance(event, AuditEvent) else ("", 0)
        kind = type(event).__struct_config__.tag
        time = self._show_beside(event.time)
        attachment = Attachment(log.entries, str(kind), event.seq, time, offset, size, verdict, score)
        log.attached[index].append(attachment)
        asks_on = isinstance(event, ElicitEvent) and event.purpose == LIMIT and event.action == "accept"
        if verdict:
            self._mark(Landmark.VERDICT)
            log.verdicts_on.append(index, len(log.verdicts))
            log.verdicts.append(attachment)
        elif attachment.kind in log.first_attached:
            log.first_attached[attachment.kind].setdefault(index, log.entries)
        if verdict in {"revise", "reject"} or asks_on:
            log.reopened.setdefault(index, log.entries)

    def _thought_at(self, seq: int) -> int:
        index = bisect_left(self._log.seq, seq)
        return index if index < len(self._log.seq) and self._log.seq[index] == seq else NONE


def fold(events: Iterable[Event | UnreadEvent], writer: Writer = Writer.UNKNOWN) -> Session:
    """Return the session that ``events`` give, in their order."""
    growing = Fold()
    for event in events:
        growing.evolve(event)
    return growing.session(writer)


def _microseconds(time: datetime) -> int:
    since = time - _EPOCH
    exact = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    # with an offset, the first and last hours of the calendar fall out of it in UTC
    return exact if _FIRST <= exact <= _LAST else min(max(exact, _FIRST), _LAST)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = -62_135_596_800_000_000, 253_402_300_799_999_999
