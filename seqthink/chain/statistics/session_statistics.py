"""What one session counts: pure, from its fold alone. What cannot be known is None or left out.

A time between two thoughts is long if it is longer than a minute, and than four times the usual (median) one of the
session, so that a slow agent has a pace, too. The pace leaves long times out, and the time between two chains, which is
the user's. A silence is as long, but within it nothing at all came: neither a thought nor any other line.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import nlargest
from itertools import pairwise

from msgspec import Struct

from seqthink.chain.arrivals import MIN_PAUSE, Pause
from seqthink.chain.columns.call_columns import CallResult
from seqthink.chain.model import NONE, AsideKind
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.core.events import Event, ReasoningEvent, ThoughtEvent, UnknownEvent

PAUSE_FACTOR = 4
"""A long time is longer than this many times the usual time between two thoughts."""
MAX_SILENCES = 5
"""How many of the longest silences are kept."""
HOUR = 3_600_000_000
"""Microseconds."""
ACTIVITY_PARTS = 192
"""In how many equal parts of its time a session's thoughts are counted."""


class EstimateOutcome(Struct, frozen=True):
    """What a finished chain was estimated to take, and what it took."""

    first: int
    """The estimate of its first thought."""
    final: int
    """Its highest number."""

    @property
    def off(self) -> int:
        """How many thoughts more it took; below 0 for fewer."""
        return self.final - self.first


class Silence(Struct, frozen=True):
    """A time within a chain in which nothing came. Times are in microseconds."""

    duration: int
    since: int
    """When it began, since 1970 (UTC)."""
    number: int
    """The number of the thought before it."""
    session: str = ""
    """The session's id."""
    name: str = ""
    """The session's name, as the journal has it."""


class ToolCount(Struct, frozen=True):
    """How often a tool other than the thinking tool was called."""

    calls: int = 0
    failed: int = 0
    """How many of the calls failed, as far as that is known."""


class SessionStatistics(Struct, frozen=True, kw_only=True):
    """What one session counts. Times are in microseconds, those of day since 1970 (UTC)."""

    session: str
    name: str = ""
    client: str = ""
    folder: str = ""
    repository: str = ""
    """The address of its repository's origin, else its folder."""
    thoughts: int = 0
    """Calls of the thinking tool."""
    turns: int = 0
    """Turns of a session that has no such calls."""
    chains: int = 0
    finished: int = 0
    """Chains that are done."""
    revisions: int = 0
    branches: int = 0
    agents: int = 0
    """Sub-agents."""
    refused: int = 0
    """Refused calls."""
    estimates: tuple[EstimateOutcome, ...] = ()
    """Of each chain that is done."""
    thinking: int = 0
    """The time between thoughts, without long ones and without the time between chains."""
    steps: int = 0
    """How many times between two thoughts are in ``thinking``."""
    silences: tuple[Silence, ...] = ()
    """The longest ones, the longest first."""
    models: dict[str, int] = {}
    """By model: thoughts that are known to be its."""
    tools: dict[str, ToolCount] = {}
    """By tool, as the client names it."""
    hours: dict[int, int] = {}
    """By hour since 1970 (UTC): thoughts."""
    first: int | None = None
    """When the first thought arrived."""
    last: int | None = None
    """When the last one did."""
    activity: tuple[int, ...] = ()
    """Thoughts in equal parts of the time from the first to the last."""


class ModelWatch:
    """Finds which language model thought what, where a journal or a transcript says so."""

    def __init__(self) -> None:
        self.thoughts: Counter[str] = Counter()
        """By model: thoughts that are known to be its."""
        self._newest: dict[str | None, str] = {}

    def add(self, event: Event | UnknownEvent) -> None:
        """Add the next event."""
        match event:
            case ReasoningEvent() if event.model:
                self._newest[event.agent] = event.model
            case ThoughtEvent() if event.agent in self._newest:
                self.thoughts[self._newest[event.agent]] += 1
            case _:
                pass


def session_statistics(
    session: Session,
    *,
    identity: str,
    name: str = "",
    client: str = "",
    folder: str = "",
    repository: str = "",
    models: dict[str, int],
) -> SessionStatistics:
    """Return what a session counts; names are given as they are to be shown."""
    calls = _calls(session)
    steps = [step for chain in range(session.chain_count) for step in _steps(session, chain)] if calls else []
    limit = max(MIN_PAUSE, PAUSE_FACTOR * sorted(steps)[len(steps) // 2]) if steps else MIN_PAUSE
    going = [duration for duration in steps if duration <= limit]
    silences = (pause for pause in _pauses_in_chains(session) if pause.duration > limit) if calls else ()
    longest = nlargest(MAX_SILENCES, silences, key=lambda pause: (pause.duration, pause.after))
    states = [session.chain_state(chain) for chain in range(session.chain_count)] if calls else []
    times = [session.thoughts.time_of(index) for index in calls]
    return SessionStatistics(
        session=identity,
        name=name,
        client=client,
        folder=folder,
        repository=repository,
        thoughts=len(calls),
        turns=session.native.turn_count,
        chains=len(states),
        finished=states.count(State.DONE),
        revisions=session.revision_count,
        branches=session.branch_count,
        agents=session.agents.count - session.agents.fork_count,
        refused=session.asides.refused_count,
        estimates=tuple(
            outcome
            for chain, state in enumerate(states)
            if state is State.DONE and (outcome := _outcome(session, chain)) is not None
        ),
        thinking=sum(going),
        steps=len(going),
        silences=tuple(
            Silence(pause.duration, _start_of(session, pause), session.thoughts.number_of(pause.after), identity, name)
            for pause in longest
        ),
        models=dict(models),
        tools=_tools(session),
        hours=dict(Counter(time // HOUR for time in times)),
        first=min(times, default=None),
        last=max(times, default=None),
        activity=_activity(session, calls),
    )


def _tools(session: Session) -> dict[str, ToolCount]:
    calls, failed = Counter[str](), Counter[str]()
    for ordinal in range(session.asides.count):
        if session.asides.get(ordinal).kind is AsideKind.ACTIONS:
            for item in session.asides.items_of(ordinal):
                end = session.asides.end_of(item)
                calls[item.name] += 1
                failed[item.name] += end is not None and end.result is CallResult.FAILED
    return {tool: ToolCount(count, failed[tool]) for tool, count in calls.items()}


def _calls(session: Session) -> Sequence[int]:
    if not session.native.count:
        return range(session.thought_count)
    return [index for index in range(session.thought_count) if session.native.kind_of(index) is None]


def _steps(session: Session, chain: int) -> list[int]:
    """Return the times between the thoughts of a chain in order of arrival."""
    arrivals = session.thoughts.arrivals
    times = [arrivals.time_of(index) for index in session.chains.thoughts_of(chain)]
    return [after - before for before, after in pairwise(times)]


def _pauses_in_chains(session: Session) -> Iterator[Pause]:
    """Yield the pauses between two thoughts of the same chain."""
    starts = {session.chains.thoughts_of(chain)[0] for chain in range(session.chain_count)}
    last = session.thought_count - 1
    for pause in session.thoughts.arrivals.pauses(session.entry_count):
        if pause.after < last and pause.after + 1 not in starts:
            yield pause


def _start_of(session: Session, pause: Pause) -> int:
    """Return when a pause began, in microseconds since 1970, by the journal's clock."""
    return session.thoughts.time_of(pause.after) + pause.start - session.thoughts.arrivals.time_of(pause.after)


def _outcome(session: Session, chain: int) -> EstimateOutcome | None:
    trunk = session.chains.lanes_of(chain)[0]
    newest = session.lanes.leading_in(trunk)
    calls = (index for index in session.lanes.get(trunk).thoughts if session.native.kind_of(index) is None)
    first = next(calls, NONE)
    if NONE in {first, newest} or first >= session.thought_count:
        return None
    return EstimateOutcome(session.thoughts.estimate_of(first), session.thoughts.highest_number_of(newest))


def _activity(session: Session, calls: Sequence[int]) -> tuple[int, ...]:
    if not calls:
        return ()
    arrivals = session.thoughts.arrivals
    start, end = arrivals.time_of(calls[0]), arrivals.time_of(calls[-1])
    counts = [0] * ACTIVITY_PARTS
    for index in calls:
        counts[min(ACTIVITY_PARTS - 1, (arrivals.time_of(index) - start) * ACTIVITY_PARTS // max(1, end - start))] += 1
    return tuple(counts)
