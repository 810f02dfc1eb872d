"""The fold: events in, a session out (journal.md, "From events to a session: the fold").

The same events always give the same session, whether folded at once, one by one, or live. No sequence of valid events
raises. Everything is decided on arrival in constant time, from what came before.

Several agents may think at once. Each counts by itself: what a number means, whether it repeats or leaves a gap, and
whether a 1 begins another problem is decided among the thoughts of one agent. The main agent's problems are the
session's chains. Another agent's thoughts stand in lanes of its own: the first leaves from the thought that the journal
names as its caller, else from the newest thought of the agent that started it. When it begins another problem, or goes
on after the main agent has begun another chain, it does so in a new lane.
"""

from bisect import bisect_left
from collections.abc import Iterable
from datetime import UTC, datetime

from seqthink.chain.agents import MAIN
from seqthink.chain.calls import flags, is_same_call, verdict_of
from seqthink.chain.line import Line
from seqthink.chain.log import Log
from seqthink.chain.model import NONE, Attachment, Landmark, Refusal
from seqthink.chain.questions import LIMIT, OpenQuestions
from seqthink.chain.resolve import Numbers
from seqthink.chain.running import RunningAudits
from seqthink.chain.session import Session
from seqthink.events import (
    AgentEvent,
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
        self._main = Line(MAIN, Numbers(self._log, NONE))
        self._lines: dict[int, Line] = {MAIN: self._main}
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
                self._refuse(event, offset, size)
            case AgentEvent():
                agent = log.agents.ordinal(event.id, log.entries)
                log.agents.said[agent].append((log.entries, event))
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
        line = self._line_of(event.agent) if event.agent else self._main
        is_revision = bool(event.isRevision or (event.revisesThought and event.isRevision is None))
        previous = line.previous
        is_retry = previous is not None and previous.thoughtNumber == number and is_same_call(previous, event)
        begins = number == 1 and not is_revision and not is_retry and self._begins_problem(event, line)
        if begins or line is not self._main or not index:
            self._enter(line, index, begins=begins)
        lane = self._lane_for(event, line)
        if is_revision:
            self._revise(event.revisesThought or 0, lane, index, line)
        if number > line.highest:
            if number > line.highest + 1 and not is_revision:
                log.missing.put(index, number - line.highest - 1)
            line.highest = number
        last = log.lanes.last[lane]
        taken = 1
        if last != NONE and number <= log.peak[last]:
            taken = line.numbers.take_again(lane, number, index)
        if taken > 1:
            log.taken.put(index, taken)
        is_repeat = is_retry or (taken > 1 and not is_revision)
        self._append(event, lane, last, line.last, flags(event, is_revision=is_revision, is_repeat=is_repeat))
        log.offset.append(offset)
        log.size.append(size)
        if lane != line.root:
            line.numbers.note_branch(number, index)
        line.previous, line.last = event, index

    def _line_of(self, name: str) -> Line:
        agent = self._log.agents.ordinal(name, self._log.entries)
        line = self._lines.get(agent)
        if line is None:
            line = self._lines[agent] = Line(agent, Numbers(self._log, NONE))
        return line

    def _enter(self, line: Line, index: int, *, begins: bool) -> None:
        """Let the thought ``index`` begin a chain, or another problem of another agent, or go on in the chain."""
        log = self._log
        if not index or (begins and line is self._main):
            self._begin_chain(index)
        if line is self._main:
            return
        log.agents.add(line.agent, index)
        chain = len(log.chain_start) - 1
        if line.chain != chain:
            log.agents.in_chain.append(chain, line.agent)
            line.move(chain)
        if begins:
            line.begin(Numbers(log, NONE))

    def _lane_for(self, event: ThoughtEvent, line: Line) -> int:
        """Return the lane that a thought belongs to, opened if it is new."""
        if event.branchId or event.branchFromThought:
            return self._branch_for(event, line)
        return line.root if line.root != NONE else self._open_root(line)

    def _refuse(self, event: RejectedEvent, offset: int, size: int) -> None:
        log = self._log
        self._mark(Landmark.REFUSAL)
        time = self._show_beside(event.time)
        line = self._lines.get(log.agents.find(event.agent))
        start = log.chain_start[-1] if log.chain_start else 0
        above = line.last if line and line.last >= start else len(log.seq) - 1
        log.refusals.append(Refusal(log.entries, len(log.seq), event.seq, time, offset, size, above))
        if above != NONE:
            log.refusals_in.append(log.lane[above], len(log.refusals) - 1)

    def _revise(self, number: int, lane: int, index: int, line: Line) -> None:
        log = self._log
        self._mark_revision(log.entries)
        target = line.numbers.target(number, lane) if number else NONE
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

    def _append(self, event: ThoughtEvent, lane: int, last: int, before: int, flags: int) -> None:
        """Append a thought to its lane, whose newest one was ``last``; its agent's was ``before``; or NONE."""
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
        if before != NONE and time > log.time[before]:
            # a clock that jumps to and fro could add up to more than a column holds
            spent += time - log.time[before]
            spent = spent if spent < _LAST else _LAST
        if before != (index - 1 if index != log.chain_start[-1] else NONE):
            log.before.put(index, before)
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

    def _begins_problem(self, event: ThoughtEvent, line: Line) -> bool:
        """Whether a thought with number 1, no revision and no retry, is the agent's first on another problem."""
        if line.last == NONE:
            return False
        has_root = (line.root != NONE and self._log.lanes.last[line.root] != NONE) or line.earlier_root() != NONE
        if not event.branchId and not event.branchFromThought:
            return has_root
        if has_root:
            return False
        key = event.branchId or self._fork_key(event, line)
        existing = line.branches.get(key, line.earlier.get(key))
        if existing is not None:
            return line.numbers.newest(existing, 1) != NONE
        return not event.branchFromThought

    def _begin_chain(self, index: int) -> None:
        log = self._log
        self._mark(Landmark.CHAIN)
        log.chain_start.append(index)
        self._main.begin(Numbers(log, log.lanes.open_trunk(log.entries)))

    def _open_root(self, line: Line) -> int:
        """Open the lane of another agent's thoughts that are on no branch."""
        log, earlier = self._log, line.earlier_root()
        fork = log.lanes.last[earlier] if earlier != NONE else self._start_of(line)
        line.root = line.numbers.trunk = self._open(line, None, 0, fork)
        log.agents.roots.append(log.entries)
        return line.root

    def _start_of(self, line: Line) -> int:
        """Return the thought of the current chain from which another agent's line leaves, or NONE."""
        log = self._log
        said = log.agents.said[line.agent]
        known = said[-1][1] if said else None
        start = log.chain_start[-1]
        caller = self._thought_at(known.of) if known and known.of else NONE
        if caller >= start:
            return caller
        parent = self._lines.get(log.agents.find(known.parent if known else None), self._main)
        parent = self._main if parent is line else parent
        return parent.last if parent.last >= start else NONE

    def _branch_for(self, event: ThoughtEvent, line: Line) -> int:
        """Return the branch of an event that names one, opened if it is new."""
        key = event.branchId or self._fork_key(event, line)
        lane = line.branches.get(key)
        if lane is None:
            lane = line.branches[key] = self._open_branch(event, line, line.earlier.get(key, NONE))
        return lane

    def _fork_key(self, event: ThoughtEvent, line: Line) -> int:
        """Name a branch without an id within its chain by its fork (below 0: a number that no thought has)."""
        fork = self._fork_of(event, line)
        return fork if fork != NONE else NONE - (event.branchFromThought or 0)

    def _fork_of(self, event: ThoughtEvent, line: Line) -> int:
        log = self._log
        if event.branchFromThought:
            current = log.lane[line.last] if line.last != NONE else line.root
            return line.numbers.fork(event.branchFromThought, current)
        root = line.root if line.root != NONE else line.earlier_root()
        last = log.lanes.last[root] if root != NONE else NONE
        return last if last != NONE or line is self._main else self._start_of(line)

    def _open_branch(self, event: ThoughtEvent, line: Line, earlier: int) -> int:
        """Open a branch, which may go on from the lane ``earlier`` in another chain."""
        fork = self._log.lanes.last[earlier] if earlier != NONE else self._fork_of(event, line)
        return self._open(line, event.branchId or None, event.branchFromThought or 0, fork)

    def _open(self, line: Line, name: str | None, number: int, fork: int) -> int:
        log = self._log
        lane = log.lanes.open(log.entries, name, number, fork, line.agent)
        self._mark_branch(log.entries)
        fork = log.lanes.fork[lane]
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
