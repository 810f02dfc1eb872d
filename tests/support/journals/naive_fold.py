"""A second fold, slow and plain, written from docs/journal.md alone: the oracle for the real one.

Nothing that can be counted again is kept. Every question goes over all thoughts so far.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from seqthink.core.events import (
    ActionEvent,
    AgentEvent,
    AskingEvent,
    AuditEvent,
    ElicitEvent,
    EndEvent,
    NativeEvent,
    PromptEvent,
    ReasoningEvent,
    RemarkEvent,
    RewoundEvent,
    SessionEvent,
    SkippedEvent,
    ThoughtEvent,
    TurnEvent,
    UnknownEvent,
    text_of,
)
from tests.support.journals.events_factory import CORRUPT, Item, is_row
from tests.support.journals.naive_calls import begins


@dataclass(eq=False)
class NaiveThought:
    """One thought, or row of native reasoning, and the facts derived from it."""

    event: ThoughtEvent | NativeEvent
    is_revision: bool = False
    carried: int = 0
    """Of native reasoning: the total of the row before it on its lane."""
    lane_high: int = 0
    """The highest number on its lane when it arrived, without what was left behind."""
    occurrence: int = 1
    """Its place among the thoughts of its lane with its number, when it arrived."""
    is_left_behind: bool = False
    says_kind: bool = False
    """Whether the document says what it is."""
    is_repeat: bool = False
    revises: "NaiveThought | None" = None
    change: list[int] | None = None
    is_news: bool = False
    """Whether the change is more than an estimate that follows the numbers."""
    missing: int = 0
    brings_back: "list[NaiveLane]" = field(default_factory=list["NaiveLane"])
    reopened: bool = False
    undecided: bool = False

    @property
    def agent(self) -> str | None:
        return self.event.agent or None

    @property
    def is_call(self) -> bool:
        return isinstance(self.event, ThoughtEvent)

    @property
    def number(self) -> int:
        return self.event.thoughtNumber if isinstance(self.event, ThoughtEvent) else 0

    @property
    def total(self) -> int:
        """The effective total, at least the number."""
        return max(self.event.totalThoughts, self.number) if isinstance(self.event, ThoughtEvent) else self.carried

    @property
    def is_final(self) -> bool:
        if not isinstance(self.event, ThoughtEvent):
            return isinstance(self.event, TurnEvent) and not self.event.aborted and not self.reopened
        answered = self.event.answeredNext
        needed = self.event.nextThoughtNeeded if answered is None else answered
        return not needed and not self.reopened and not self.undecided


@dataclass(eq=False)
class NaiveLane:
    """A trunk, another agent's thoughts on no branch, or a branch; ``key`` says which of its agent's lanes it is."""

    branch: str | None
    named: bool
    fork: NaiveThought | None
    fork_number: int | None
    agent: str | None = None
    key: Any = None
    thoughts: list[NaiveThought] = field(default_factory=list[NaiveThought])

    @property
    def kept(self) -> list[NaiveThought]:
        """What was not left behind."""
        return [thought for thought in self.thoughts if not thought.is_left_behind]


@dataclass(eq=False)
class NaiveProblem:
    """The current problem of one agent: its lanes, those of earlier chains first, and its thoughts."""

    agent: str | None
    lanes: list[NaiveLane] = field(default_factory=list[NaiveLane])
    thoughts: list[NaiveThought] = field(default_factory=list[NaiveThought])
    rows: list[NaiveThought] = field(default_factory=list[NaiveThought])
    """The thoughts, and native reasoning."""
    inherited: int = 0
    """Of a fork: the highest number that it has from its parent."""

    @property
    def kept(self) -> list[NaiveThought]:
        return [thought for thought in self.thoughts if not thought.is_left_behind]

    @property
    def on_no_branch(self) -> list[NaiveThought]:
        return [thought for lane in self.lanes if lane.key is None for thought in lane.kept if thought in self.thoughts]

    def lane(self, key: object) -> NaiveLane | None:
        return next((lane for lane in reversed(self.lanes) if lane.key == key), None)


@dataclass(eq=False)
class NaiveChain:
    """A problem of the main agent: lane 0 is the trunk; ``thoughts`` are in order of arrival."""

    lanes: list[NaiveLane]
    thoughts: list[NaiveThought] = field(default_factory=list[NaiveThought])


@dataclass(eq=False)
class NaiveSession:
    """Everything in a journal."""

    chains: list[NaiveChain] = field(default_factory=list[NaiveChain])
    thoughts: list[NaiveThought] = field(default_factory=list[NaiveThought])
    servers: list[SessionEvent | EndEvent] = field(default_factory=list[SessionEvent | EndEvent])
    agents: dict[str, AgentEvent] = field(default_factory=dict[str, AgentEvent])
    named: set[str] = field(default_factory=set[str])
    problems: dict[str | None, NaiveProblem] = field(default_factory=dict[str | None, NaiveProblem])
    forks: set[str] = field(default_factory=set[str])
    left: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """By the ``seq`` of a rewind: how many calls and how many prompts it left behind."""
    unread: int = 0
    corrupt: int = 0
    skipped: dict[str | None, SkippedEvent] = field(default_factory=dict[str | None, SkippedEvent])

    def lane_of(self, thought: NaiveThought) -> NaiveLane:
        return next(lane for chain in self.chains for lane in chain.lanes if thought in lane.thoughts)


def naive_fold(  # noqa: C901, PLR0912 - one arm for each kind of line
    items: Sequence[Item], *, has_native: bool = False
) -> NaiveSession:
    session = NaiveSession()
    for place, item in enumerate(items):
        if item == CORRUPT:
            session.corrupt += 1
        elif isinstance(item, UnknownEvent):
            session.unread += 1
        elif isinstance(item, SkippedEvent):
            session.skipped[item.id] = item
        elif isinstance(item, SessionEvent | EndEvent):
            session.servers.append(item)
        elif isinstance(item, ThoughtEvent):
            session.named |= {item.agent} if item.agent else set()
            _think(session, item)
        elif isinstance(item, AgentEvent):
            session.named.add(item.id)
            session.agents[item.id] = item
            session.forks |= {item.id} if item.fork else set()
        elif isinstance(item, NativeEvent):
            session.named |= {item.agent} if item.agent else set()
            if has_native and is_row(item):
                _add_native(session, item)
        elif isinstance(item, ActionEvent):
            if begins(items, place):
                _act(session, item)
        elif isinstance(item, RewoundEvent):
            _go_back(session, item)
        elif isinstance(item, AuditEvent | AskingEvent | ElicitEvent):
            for thought in session.thoughts:
                if thought.event.seq == item.of and thought.is_call:
                    _hear(thought, item)
    return session


def _act(session: NaiveSession, action: ActionEvent) -> None:
    """An agent that begins a call after the end of its turn has not ended it."""
    kept = [thought for thought in session.thoughts if not thought.is_left_behind]
    own = [thought for thought in kept if thought.agent == (action.agent or None)]
    if own and isinstance(own[-1].event, TurnEvent):
        own[-1].reopened = True


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
    agent = event.agent or None
    own = [thought for thought in session.thoughts if thought.agent == agent and thought.is_call]
    is_retry = own != [] and not own[-1].is_left_behind and _nine(own[-1].event) == _nine(event)
    thought = NaiveThought(event, is_revision=_is_revision(event))
    problem = session.problems.get(agent)
    begins = problem is not None and _starts_problem(session, problem, thought, is_retry=is_retry)
    problem, _ = _entered(session, agent, begins=begins)
    key = _key(session, problem, event)
    lane = _lane_for(session, problem, event, key)
    if thought.is_revision and event.revisesThought is not None:
        thought.revises = _target(session, problem, lane, event.revisesThought)
    taken = thought.number in [other.number for other in lane.kept]
    thought.is_repeat = (taken and not thought.is_revision) or is_retry
    highest = max([problem.inherited, *(other.number for other in problem.kept)])
    if not thought.is_revision and thought.number > highest + 1:
        thought.missing = thought.number - highest - 1
    if lane.kept and lane.kept[-1].total not in (0, thought.total):
        thought.change = [lane.kept[-1].total, thought.total]
        thought.is_news = not _keeps_pace(lane, thought)
    thought.brings_back = [
        branch
        for branch in session.chains[-1].lanes
        if _comes_back(problem, branch) and _is_home(session, lane, branch) and _names(event, branch)
    ]
    problem.thoughts.append(thought)
    _arrive(session, problem, lane, thought)


def _keeps_pace(lane: NaiveLane, thought: NaiveThought) -> bool:
    """Whether a changed estimate rose by one with the number, and left nothing, or as much for the second time."""
    rises = thought.total == lane.kept[-1].total + 1 and thought.number > lane.kept[-1].lane_high
    left = [max(0, other.total - other.lane_high) for other in lane.kept if other.is_call][-2:]
    ahead = thought.total - thought.number
    return rises and (ahead == 0 or left == [ahead, ahead])


def _comes_back(problem: NaiveProblem, branch: NaiveLane) -> bool:
    """Whether a branch has thoughts that nobody has come back to; the limits on how many and how long are left out."""
    since = problem.thoughts.index(branch.kept[-1]) + 1 if branch.kept and branch.kept[-1] in problem.thoughts else None
    if since is None or branch.agent != problem.agent or branch.branch is None or not branch.named:
        return False
    later = [thought for thought in problem.thoughts[since:] if not thought.is_left_behind]
    return not any(branch in thought.brings_back for thought in later)


def _is_home(session: NaiveSession, lane: NaiveLane, branch: NaiveLane) -> bool:
    """Whether a lane is the one that a branch leaves, or has its agent's thoughts on no branch."""
    is_here = branch.fork in session.chains[-1].thoughts
    return lane is not branch and (lane.key is None or (is_here and branch.fork in lane.thoughts))


def _names(event: ThoughtEvent, branch: NaiveLane) -> bool:
    """Whether a text names a branch, in the few ways of our strategies."""
    if branch.branch == "a-1":
        return "a-1" in event.thought
    return f"`{branch.branch}`" in event.thought or (branch.branch == "b" and "branch b" in event.thought)


def _add_native(session: NaiveSession, event: NativeEvent) -> None:
    agent = event.agent or None
    has_calls = any(thought.is_call for thought in session.thoughts)
    begins = agent is None and isinstance(event, PromptEvent) and not has_calls
    problem, _ = _entered(session, agent, begins=begins)
    lane = _lane_for(session, problem, event, None)
    carried = lane.kept[-1].total if lane.kept else 0
    _arrive(session, problem, lane, NaiveThought(event, carried=carried))


def _arrive(session: NaiveSession, problem: NaiveProblem, lane: NaiveLane, thought: NaiveThought) -> None:
    thought.occurrence = 1 + sum(other.number == thought.number for other in lane.kept)
    thought.lane_high = max(thought.number, lane.kept[-1].lane_high if lane.kept else 0)
    for growing in (lane.thoughts, problem.rows, session.chains[-1].thoughts, session.thoughts):
        growing.append(thought)


def _entered(session: NaiveSession, agent: str | None, *, begins: bool) -> tuple[NaiveProblem, NaiveChain]:
    if session.chains == [] or (begins and agent is None):
        trunk = NaiveLane(None, named=True, fork=None, fork_number=None)
        session.chains.append(NaiveChain([trunk]))
        session.problems[None] = NaiveProblem(None, [trunk])
    if agent is not None and (begins or agent not in session.problems):
        session.problems[agent] = NaiveProblem(agent)
    return session.problems[agent], session.chains[-1]


def _lane_for(
    session: NaiveSession, problem: NaiveProblem, event: ThoughtEvent | NativeEvent, key: object
) -> NaiveLane:
    lane = problem.lane(key)
    if lane is None or lane not in session.chains[-1].lanes or (key is not None and lane.kept == []):
        # What it goes on from is its newest lane in an earlier chain that was not left behind as a whole.
        earlier = [one for one in problem.lanes if one.key == key and one.kept and one not in session.chains[-1].lanes]
        is_new_here = lane is None or lane not in session.chains[-1].lanes
        if key is not None and lane is not None and lane.kept == []:
            earlier = []
        lane = _opened_lane(session, problem, event, key, earlier[-1] if earlier and is_new_here else None)
        problem.lanes.append(lane)
        session.chains[-1].lanes.append(lane)
    return lane


def _go_back(session: NaiveSession, event: RewoundEvent) -> None:
    agent = event.agent or None
    if agent is not None and agent not in session.problems:
        return
    later = [thought for thought in session.thoughts if thought.event.seq >= event.of and not thought.is_left_behind]
    left = [thought for thought in later if agent in (None, thought.agent)]
    for thought in left:
        thought.is_left_behind = True
    prompts = sum(isinstance(thought.event, PromptEvent) for thought in left)
    session.left[event.seq] = (sum(thought.is_call for thought in left), prompts)


def _nine(event: ThoughtEvent | NativeEvent) -> list[Any]:
    assert isinstance(event, ThoughtEvent)
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


def _starts_problem(session: NaiveSession, problem: NaiveProblem, thought: NaiveThought, *, is_retry: bool) -> bool:
    event = thought.event
    assert isinstance(event, ThoughtEvent)
    if event.thoughtNumber != 1 or thought.is_revision or is_retry or problem.kept == []:
        return False
    if _branch_id(event) is None and event.branchFromThought is None:
        return problem.on_no_branch != []
    if problem.on_no_branch != []:
        return False
    branch = problem.lane(_key(session, problem, event))
    if branch is not None and branch.kept:
        return 1 in [other.number for other in branch.kept]
    return _branch_id(event) is not None and event.branchFromThought is None


def _key(session: NaiveSession, problem: NaiveProblem, event: ThoughtEvent) -> object:
    """Return the key of a thought's lane within its agent; None for the lane without a branch."""
    branch, number = _branch_id(event), event.branchFromThought
    if branch is not None or number is None:
        return branch
    return _fork(session, problem, number) or number


def _opened_lane(
    session: NaiveSession,
    problem: NaiveProblem,
    event: ThoughtEvent | NativeEvent,
    key: object,
    earlier: NaiveLane | None,
) -> NaiveLane:
    agent = problem.agent
    if key is None and agent is not None:
        fork = _caller(session, agent) if earlier is not None and problem.on_no_branch == [] else None
        fork = fork or (earlier.kept[-1] if earlier is not None else _start(session, agent))
        if fork is not None and agent in session.forks:
            problem.inherited = max(problem.inherited, fork.lane_high)
        return NaiveLane(None, named=True, fork=fork, fork_number=None, agent=agent)
    assert isinstance(event, ThoughtEvent)
    branch, number = _branch_id(event), event.branchFromThought
    if earlier is not None:
        fork = earlier.kept[-1]
    elif number is not None:
        fork = _fork(session, problem, number)
    else:
        trunk = problem.on_no_branch
        fork = trunk[-1] if trunk else _start(session, agent) if agent is not None else None
    is_named = branch is not None or number is None
    return NaiveLane(branch if is_named else f"from {number}", is_named, fork, number, agent, key)


def _start(session: NaiveSession, agent: str) -> NaiveThought | None:
    """Return the thought of the current chain from which another agent's lane leaves."""
    caller = _caller(session, agent)
    if caller is not None:
        return caller
    rows = [thought for thought in _parent(session, agent).rows if not thought.is_left_behind]
    return rows[-1] if rows and rows[-1] in session.chains[-1].thoughts else None


def _parent(session: NaiveSession, agent: str) -> NaiveProblem:
    known = session.agents.get(agent)
    parent = None if known is None or known.parent == agent else known.parent
    return session.problems.get(parent) or session.problems[None]


def _caller(session: NaiveSession, agent: str) -> NaiveThought | None:
    """Return the thought that an agent's event names; if that is not a thought, what its parent had thought then."""
    known, parent = session.agents.get(agent), _parent(session, agent).agent
    if known is None or known.of is None:
        return None
    called = [thought for thought in session.thoughts if thought.event.seq == known.of]
    before = [thought for thought in session.thoughts if thought.event.seq < known.of and thought.agent == parent]
    caller = (called or before or [None])[-1]
    return caller if caller in session.chains[-1].thoughts else None


def _fork(session: NaiveSession, problem: NaiveProblem, number: int) -> NaiveThought | None:
    roots = [lane for lane in problem.lanes if lane.key is None]
    found = _newest(problem.on_no_branch, number) or (_from_parent(session, roots[-1], number) if roots else None)
    if found is None and (problem.kept or roots):
        lane: NaiveLane | None = session.lane_of(problem.kept[-1]) if problem.kept else roots[-1]
        for _ in range(65):
            if found is not None or lane is None or lane.agent != problem.agent:
                break
            found, lane = _newest(lane.kept, number), _above(session, lane) or _parent_lane(session, lane)
    return found or _newest(problem.kept, number)


def _parent_lane(session: NaiveSession, lane: NaiveLane) -> NaiveLane | None:
    return session.lane_of(lane.fork) if lane.fork is not None and lane.agent in session.forks else None


def _from_parent(session: NaiveSession, root: NaiveLane, number: int) -> NaiveThought | None:
    """Return what a number means to a fork if it is one of its parent's, up to where it left."""
    until: NaiveThought | None = None
    lane = root
    for _ in range(65):
        above = _above(session, lane) or _parent_lane(session, lane)
        if above is None:
            break
        until = lane.fork if until is None and above.agent != lane.agent else until
        if until is not None:
            place = session.thoughts.index(until)
            found = _newest([one for one in above.kept if session.thoughts.index(one) <= place], number)
            if found is not None:
                return found
        lane = above
    return None


def _target(session: NaiveSession, problem: NaiveProblem, own: NaiveLane, number: int) -> NaiveThought | None:
    found, lane = _newest(own.kept, number), own
    for _ in range(64):
        above = _above(session, lane) or _parent_lane(session, lane)
        if found is not None or above is None or lane.fork is None:
            break
        found = _newest(above.thoughts[: above.thoughts.index(lane.fork) + 1], number)
        lane = above
    roots = [lane for lane in problem.lanes if lane.key is None]
    found = found or _newest(problem.on_no_branch, number)
    found = found or (_from_parent(session, roots[-1], number) if roots else None)
    return found or _newest(problem.kept, number)


def _above(session: NaiveSession, lane: NaiveLane) -> NaiveLane | None:
    """Return the parent lane, if it is the same agent's."""
    above = None if lane.fork is None else session.lane_of(lane.fork)
    return above if above is not None and above.agent == lane.agent else None


def _newest(thoughts: list[NaiveThought], number: int) -> NaiveThought | None:
    for thought in reversed(thoughts):
        if thought.number == number and not thought.is_left_behind:
            return thought
    return None


def naive_document(items: Sequence[Item], writer: str = "unknown", *, has_native: bool = False) -> dict[str, Any]:
    """Return the folded session as JSON values, format ``seqthink.session/1``."""
    session = naive_fold(items, has_native=has_native)
    sessions = [event for event in session.servers if isinstance(event, SessionEvent)]
    titles = [event.title for event in sessions if event.title]
    has_agents = session.named != set()
    for thought in session.thoughts:
        thought.says_kind = any(not other.is_call for other in session.thoughts)
    is_aside = not has_native  # where native reasoning is shown, a prompt is a row of its own chain
    prompts = [item for item in items if is_aside and isinstance(item, PromptEvent) and not item.agent]
    chains = [
        _chain(chain, _chain_state(session, chain, writer), prompts, has_agents=has_agents) for chain in session.chains
    ]
    return {
        "format": "seqthink.session/1",
        "session": sessions[-1].session if sessions else None,
        "title": titles[-1] if titles else chains[0]["title"] if chains else None,
        "state": chains[-1]["state"] if chains else _open_state(session, writer),
        "alive": writer == "alive",
        "chains": chains,
        "unread": session.unread + sum(one.unknown for one in session.skipped.values()),
        "corrupt": session.corrupt + sum(one.corrupt + one.tooLong for one in session.skipped.values()),
    }


def _chain_state(session: NaiveSession, chain: NaiveChain, writer: str) -> str:
    if _is_concluded(chain):
        return "done"
    if chain is not session.chains[-1]:
        return "left"
    return _open_state(session, writer)


def _is_concluded(chain: NaiveChain) -> bool:
    """Whether the newest thought is final: the main agent's, and that of each agent that thought after it."""
    has_calls = any(thought.is_call for thought in chain.thoughts)
    counted = [one for one in chain.thoughts if not one.is_left_behind and one.is_call == has_calls]
    place = max([place for place, thought in enumerate(counted) if thought.agent is None], default=-1)
    newest = {thought.agent: thought for thought in counted[max(place, 0) :]}
    return all(thought.is_final for thought in newest.values())


def _open_state(session: NaiveSession, writer: str) -> str:
    if session.servers and isinstance(session.servers[-1], EndEvent):
        return "stopped"
    return {"alive": "thinking", "gone": "lost", "unknown": "unknown"}[writer]


def _chain(chain: NaiveChain, state: str, prompts: list[PromptEvent], *, has_agents: bool) -> dict[str, Any]:
    titling = [*(thought.event for thought in chain.thoughts if thought.agent is None), *prompts]
    return {
        "title": ((text_of(titling[0]) if titling else "") or "").split("\n", maxsplit=1)[0][:80].replace("`", ""),
        "state": state,
        "lanes": [_lane(lane, {"agent": lane.agent} if has_agents else {}) for lane in chain.lanes],
    }


def _lane(lane: NaiveLane, whose: dict[str, Any]) -> dict[str, Any]:
    return {
        "branch": lane.branch,
        "named": lane.named,
        "fork": lane.fork.event.seq if lane.fork else None,
        "forkNumber": lane.fork_number,
        **whose,
        "thoughts": [_thought(thought) for thought in lane.thoughts],
    }


def _thought(thought: NaiveThought) -> dict[str, Any]:
    return {
        "seq": thought.event.seq,
        **({"kind": _kind(thought)} if thought.says_kind else {}),
        "number": thought.number if thought.is_call else None,
        "total": thought.total if thought.is_call else None,
        "change": thought.change,
        "revision": thought.is_revision,
        "revises": thought.revises.event.seq if thought.revises else None,
        **({"bringsBack": [lane.branch for lane in thought.brings_back]} if thought.brings_back else {}),
        "repeat": thought.is_repeat,
        "final": thought.is_final,
        **({"leftBehind": True} if thought.is_left_behind else {}),
        "thought": text_of(thought.event) or "",
        "time": _time(thought.event.time),
    }


def _kind(thought: NaiveThought) -> str:
    if isinstance(thought.event, TurnEvent):
        return "remark" if thought.reopened and not thought.event.aborted else "answer"
    kinds = dict[type, str]({PromptEvent: "prompt", ReasoningEvent: "reasoning", RemarkEvent: "remark"})
    return kinds.get(type(thought.event), "thought")


def _time(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
