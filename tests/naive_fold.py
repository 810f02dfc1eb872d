"""The fold once more, slow and plain, written from journal.md alone: what the real one is held against.

Nothing is kept that could be counted again. Every question goes over all thoughts so far.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from seqthink.events import (
    AskingEvent,
    AuditEvent,
    AuditingEvent,
    ElicitEvent,
    EndEvent,
    SampleEvent,
    SessionEvent,
    ThoughtEvent,
    UnreadEvent,
)
from tests.events_factory import CORRUPT, Item


@dataclass(eq=False)
class NaiveThought:
    """One thought and what follows from it."""

    event: ThoughtEvent
    is_revision: bool
    is_repeat: bool = False
    revises: "NaiveThought | None" = None
    change: list[int] | None = None
    missing: int = 0
    reopened: bool = False
    undecided: bool = False

    @property
    def number(self) -> int:
        return self.event.thoughtNumber

    @property
    def total(self) -> int:
        """The effective total, which is never below the number."""
        return max(self.event.totalThoughts, self.number)

    @property
    def is_final(self) -> bool:
        answered = self.event.answeredNext
        needed = self.event.nextThoughtNeeded if answered is None else answered
        return not needed and not self.reopened and not self.undecided


@dataclass(eq=False)
class NaiveLane:
    """A trunk or a branch."""

    branch: str | None
    named: bool
    fork: NaiveThought | None
    fork_number: int | None
    thoughts: list[NaiveThought] = field(default_factory=list[NaiveThought])


@dataclass(eq=False)
class NaiveChain:
    """A problem: lane 0 is the trunk; ``thoughts`` are all of them in time."""

    lanes: list[NaiveLane]
    thoughts: list[NaiveThought] = field(default_factory=list[NaiveThought])

    def lane_of(self, thought: NaiveThought) -> NaiveLane:
        return next(lane for lane in self.lanes if thought in lane.thoughts)


@dataclass(eq=False)
class NaiveSession:
    """All of a journal."""

    chains: list[NaiveChain] = field(default_factory=list[NaiveChain])
    thoughts: list[NaiveThought] = field(default_factory=list[NaiveThought])
    servers: list[SessionEvent | EndEvent] = field(default_factory=list[SessionEvent | EndEvent])
    unread: int = 0
    corrupt: int = 0


def naive_fold(items: Sequence[Item]) -> NaiveSession:  # noqa: C901 - one arm for each kind of line
    session = NaiveSession()
    for item in items:
        if item == CORRUPT:
            session.corrupt += 1
        elif isinstance(item, UnreadEvent):
            session.unread += 1
        elif isinstance(item, SessionEvent | EndEvent):
            session.servers.append(item)
        elif isinstance(item, ThoughtEvent):
            _think(session, item)
        elif isinstance(item, AuditEvent | AskingEvent | ElicitEvent):
            for thought in session.thoughts:
                if thought.event.seq == item.of:
                    _hear(thought, item)
    return session


def naive_question(items: Sequence[Item]) -> AskingEvent | None:
    """Return the newest question without an answer, the person's first."""
    for kind, answer in (("elicit", ElicitEvent), ("sample", SampleEvent)):
        for place in reversed(range(len(items))):
            asked, later = items[place], items[place + 1 :]
            if not isinstance(asked, AskingEvent) or asked.kind != kind:
                continue
            if not any(
                isinstance(item, SessionEvent | EndEvent)
                or (isinstance(item, answer) and (item.of, item.purpose) == (asked.of, asked.purpose))
                for item in later
            ):
                return asked
    return None


def naive_auditing(items: Sequence[Item]) -> AuditingEvent | None:
    """Return the newest step of an audit that has not ended."""
    for place in reversed(range(len(items))):
        step, later = items[place], items[place + 1 :]
        if isinstance(step, AuditingEvent) and not any(
            isinstance(item, SessionEvent | EndEvent)
            or (isinstance(item, AuditEvent | AuditingEvent) and item.of == step.of)
            for item in later
        ):
            return step
    return None


def _hear(thought: NaiveThought, event: AuditEvent | AskingEvent | ElicitEvent) -> None:
    if isinstance(event, AuditEvent):
        if event.review is not None and event.review.get("verdict") in ["revise", "reject"]:
            thought.reopened = True
    elif event.purpose == "limit":
        if isinstance(event, AskingEvent):
            thought.undecided = thought.undecided or event.kind == "elicit"
            return
        if event.action == "accept":
            thought.reopened = True
        if event.action is not None or event.error not in ["client left", "the call was called off"]:
            thought.undecided = False


def _think(session: NaiveSession, event: ThoughtEvent) -> None:
    is_retry = session.thoughts != [] and _nine(session.thoughts[-1].event) == _nine(event)
    thought = NaiveThought(event, is_revision=_is_revision(event))
    if session.chains == [] or _starts_chain(session.chains[-1], thought, is_retry=is_retry):
        session.chains.append(NaiveChain([NaiveLane(None, named=True, fork=None, fork_number=None)]))
    chain = session.chains[-1]
    lane = _own_lane(chain, event)
    if lane is None:
        lane = _opened_lane(chain, event)
        chain.lanes.append(lane)
    if thought.is_revision and event.revisesThought is not None:
        thought.revises = _target(chain, lane, event.revisesThought)
    taken = thought.number in [other.number for other in lane.thoughts]
    thought.is_repeat = (taken and not thought.is_revision) or is_retry
    highest = max([other.number for other in chain.thoughts], default=0)
    if not thought.is_revision and thought.number > highest + 1:
        thought.missing = thought.number - highest - 1
    if lane.thoughts and lane.thoughts[-1].total != thought.total:
        thought.change = [lane.thoughts[-1].total, thought.total]
    lane.thoughts.append(thought)
    chain.thoughts.append(thought)
    session.thoughts.append(thought)


def _nine(event: ThoughtEvent) -> list[Any]:
    return [
        event.thought,
        event.nextThoughtNeeded,
        event.thoughtNumber,
        event.totalThoughts,
        event.isRevision,
        event.revisesThought,
        event.branchFromThought,
        _branch_id(event),
        event.needsMoreThoughts,
    ]


def _branch_id(event: ThoughtEvent) -> str | None:
    return None if event.branchId == "" else event.branchId


def _is_revision(event: ThoughtEvent) -> bool:
    if event.isRevision is False:
        return False
    return event.isRevision is True or event.revisesThought is not None


def _starts_chain(chain: NaiveChain, thought: NaiveThought, *, is_retry: bool) -> bool:
    event = thought.event
    if event.thoughtNumber != 1 or thought.is_revision or is_retry:
        return False
    trunk_is_empty = chain.lanes[0].thoughts == []
    if _branch_id(event) is None and event.branchFromThought is None:
        return not trunk_is_empty
    if not trunk_is_empty:
        return False
    branch = _own_lane(chain, event)
    if branch is not None:
        return 1 in [other.number for other in branch.thoughts]
    return _branch_id(event) is not None and event.branchFromThought is None


def _own_lane(chain: NaiveChain, event: ThoughtEvent) -> NaiveLane | None:
    """Return the lane that the thought belongs to, None when it would open one."""
    branch = _branch_id(event)
    if branch is not None:
        for lane in chain.lanes[1:]:
            if lane.named and lane.branch == branch:
                return lane
        return None
    if event.branchFromThought is None:
        return chain.lanes[0]
    fork = _fork(chain, event.branchFromThought)
    for lane in chain.lanes[1:]:
        if not lane.named and lane.fork is fork and lane.fork_number == event.branchFromThought:
            return lane
    return None


def _opened_lane(chain: NaiveChain, event: ThoughtEvent) -> NaiveLane:
    branch, number = _branch_id(event), event.branchFromThought
    if number is None:
        trunk = chain.lanes[0].thoughts
        return NaiveLane(branch, named=True, fork=trunk[-1] if trunk else None, fork_number=None)
    name = f"from {number}" if branch is None else branch
    return NaiveLane(name, named=branch is not None, fork=_fork(chain, number), fork_number=number)


def _fork(chain: NaiveChain, number: int) -> NaiveThought | None:
    found = _newest(chain.lanes[0].thoughts, number)
    if found is None and chain.thoughts:
        lane = chain.lane_of(chain.thoughts[-1])
        found = _newest(lane.thoughts, number)
        for _ in range(64):
            if found is not None or lane.fork is None:
                break
            lane = chain.lane_of(lane.fork)
            found = _newest(lane.thoughts, number)
    return found or _newest(chain.thoughts, number)


def _target(chain: NaiveChain, own: NaiveLane, number: int) -> NaiveThought | None:
    found = _newest(own.thoughts, number)
    lane = own
    for _ in range(64):
        if found is not None or lane.fork is None:
            break
        ancestor = chain.lane_of(lane.fork)
        found = _newest(ancestor.thoughts[: ancestor.thoughts.index(lane.fork) + 1], number)
        lane = ancestor
    return found or _newest(chain.lanes[0].thoughts, number) or _newest(chain.thoughts, number)


def _newest(thoughts: list[NaiveThought], number: int) -> NaiveThought | None:
    for thought in reversed(thoughts):
        if thought.number == number:
            return thought
    return None


def naive_document(items: Sequence[Item], writer: str = "unknown") -> dict[str, Any]:
    """Return the folded session as JSON values, format ``seqthink.session/1``."""
    session = naive_fold(items)
    sessions = [event for event in session.servers if isinstance(event, SessionEvent)]
    titles = [event.title for event in sessions if event.title]
    chains = [_chain(chain, _chain_state(session, chain, writer)) for chain in session.chains]
    return {
        "format": "seqthink.session/1",
        "session": sessions[-1].session if sessions else None,
        "title": titles[-1] if titles else chains[0]["title"] if chains else None,
        "state": chains[-1]["state"] if chains else _open_state(session, writer),
        "alive": writer == "alive",
        "chains": chains,
        "unread": session.unread,
        "corrupt": session.corrupt,
    }


def _chain_state(session: NaiveSession, chain: NaiveChain, writer: str) -> str:
    if chain.thoughts[-1].is_final:
        return "done"
    if chain is not session.chains[-1]:
        return "left"
    return _open_state(session, writer)


def _open_state(session: NaiveSession, writer: str) -> str:
    if session.servers and isinstance(session.servers[-1], EndEvent):
        return "stopped"
    return {"alive": "thinking", "gone": "lost", "unknown": "unknown"}[writer]


def _chain(chain: NaiveChain, state: str) -> dict[str, Any]:
    return {
        "title": chain.thoughts[0].event.thought.split("\n", maxsplit=1)[0][:80],
        "state": state,
        "lanes": [_lane(lane) for lane in chain.lanes],
    }


def _lane(lane: NaiveLane) -> dict[str, Any]:
    return {
        "branch": lane.branch,
        "named": lane.named,
        "fork": lane.fork.event.seq if lane.fork else None,
        "forkNumber": lane.fork_number,
        "thoughts": [_thought(thought) for thought in lane.thoughts],
    }


def _thought(thought: NaiveThought) -> dict[str, Any]:
    return {
        "seq": thought.event.seq,
        "number": thought.number,
        "total": thought.total,
        "change": thought.change,
        "revision": thought.is_revision,
        "revises": thought.revises.event.seq if thought.revises else None,
        "repeat": thought.is_repeat,
        "final": thought.is_final,
        "thought": thought.event.thought,
        "time": _time(thought.event.time),
    }


def _time(time: datetime) -> str:
    utc = time.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond:06}Z"
