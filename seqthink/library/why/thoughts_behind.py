"""The thought that led to a call: read from the session when it is asked for, never from the index."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.core.events import (
    ActionEvent,
    AgentEvent,
    Event,
    PromptEvent,
    ReasoningEvent,
    RemarkEvent,
    ThoughtEvent,
    TurnEvent,
    UnknownEvent,
)
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe.lanes import agent_name, lane_name
from seqthink.journal.decode import LineDecoder
from seqthink.journal.decode import decode as plain_decode
from seqthink.journal.reader import JournalReader
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal

MAX_TURNS_BACK: Final = 1
"""A thought of an earlier turn counts if it is at most this many turns ago: then the prompt was to go on with it."""

BehindKind = Literal["thought", "reasoning", "remark", "prompt", "nothing"]


class SaidText(NamedTuple):
    """A text in a session."""

    seq: int
    text: str


class Behind(Struct, frozen=True, kw_only=True):
    """What led to a call."""

    kind: BehindKind
    """The newest thought of the tool or piece of native reasoning, else a remark, else the prompt."""
    seq: int = 0
    """The entry; 0 for nothing."""
    text: str = ""
    time: int = 0
    """When it was thought, in microseconds since 1970."""
    number: int = 0
    """Of a thought: its number."""
    branch: str = ""
    """Of a thought: the branch that it is on; empty on the trunk."""
    revises: int = 0
    """Of a thought: the number of the thought that it reconsiders; 0 for none."""
    revised: SaidText | None = None
    """That thought."""
    fork: int = 0
    """Of a thought on a branch: the number of the thought that the branch leaves from; 0 if that is not known."""
    revised_by: SaidText | None = None
    """Of a thought: the newest one that reconsiders it."""
    prompt: SaidText | None = None
    """What the agent was asked."""
    agent: str = ""
    """The name of the sub-agent; empty for the main agent."""
    started_by: SaidText | None = None
    """Of a sub-agent: the thought that it was started from."""
    thought_before: SaidText | None = None
    """Of native reasoning: the thought of the tool before it, in the same turn or the one before."""
    action: str = ""
    """The call itself, in words."""
    needs_native: bool = False
    """Whether the viewer shows it only with native reasoning switched on."""


class _SaidByAgent:
    """The newest texts of one agent."""

    def __init__(self) -> None:
        self.thought: ThoughtEvent | None = None
        self.turns_since_thought = 0
        self.reasoning: ReasoningEvent | None = None
        self.remark: RemarkEvent | None = None
        self.prompt: PromptEvent | None = None

    def take(self, event: Event) -> None:
        match event:
            case PromptEvent():
                self.prompt, self.reasoning, self.remark = event, None, None
                self.turns_since_thought += 1
            case ThoughtEvent():
                self.thought, self.turns_since_thought = event, 0
            case ReasoningEvent() if event.text:
                self.reasoning = event
            case RemarkEvent():
                self.remark = event
            case _:
                pass

    @property
    def leading(self) -> ThoughtEvent | ReasoningEvent | RemarkEvent | PromptEvent | None:
        """What led to what the agent does now."""
        thought = self.thought if self.turns_since_thought <= MAX_TURNS_BACK else None
        if thought is not None and self.reasoning is not None:
            return max(thought, self.reasoning, key=lambda event: event.seq)
        return thought or self.reasoning or self.remark or self.thought or self.prompt


class SoughtCall(NamedTuple):
    """What is looked for in a session."""

    call: str
    """The client's id of the call; empty for what the main agent, or any other, did at a time."""
    agent: str | None
    time: int
    """When it was made, in microseconds since 1970."""


def behind_calls(
    journal: Path, calls: Iterable[SoughtCall], decode: LineDecoder = plain_decode
) -> dict[SoughtCall, Behind]:
    """Return what led to each of these calls of a session, whose journal is whole.

    Raises:
        OSError, UsageError: the journal cannot be read.
    """
    search = _Search(calls)
    for event in _events(journal, decode):
        search.take(event)
    texts = load_journal(journal, decode)
    return {call: _described(texts, lead) for call, lead in search.finish().items()}


class _Lead(NamedTuple):
    event: ThoughtEvent | ReasoningEvent | RemarkEvent | PromptEvent | None
    thought_before: ThoughtEvent | None
    prompt: PromptEvent | None
    action: str
    agent: str | None
    started_of: int


class _Search:
    """Finds what led to calls in the events of a session, in their order."""

    def __init__(self, wanted: Iterable[SoughtCall]) -> None:
        self._wanted = set(wanted)
        self._by_id = {call.call: call for call in self._wanted if call.call}
        self._by_time = sorted((call for call in self._wanted if not call.call), key=lambda call: call.time)
        self._said: dict[str | None, _SaidByAgent] = {}
        self._started: dict[str, int] = {}
        self._newest: str | None = None
        self._found: dict[SoughtCall, _Lead] = {}

    def take(self, event: Event) -> None:
        """Take in the next event."""
        time = microseconds_of(event.time)
        while self._by_time and self._by_time[0].time < time:
            self._found[self._by_time.pop(0)] = self._lead(self._newest)
        match event:
            case AgentEvent() if event.of is not None:
                self._started[event.id] = event.of
            case ActionEvent() if not event.is_end:
                call = self._by_id.get(event.call or "")
                if call is not None and call not in self._found:
                    self._found[call] = self._lead(event.agent, f"{event.tool} {event.summary or ''}".strip())
            case ThoughtEvent() | ReasoningEvent() | RemarkEvent() | PromptEvent() | TurnEvent():
                self._newest = event.agent
                self._said.setdefault(event.agent, _SaidByAgent()).take(event)
            case _:
                pass

    def finish(self) -> dict[SoughtCall, _Lead]:
        """Return what was found; of a call that the session does not have, what its agent had thought at the end."""
        for call in self._wanted - self._found.keys():
            self._found[call] = self._lead(call.agent if call.agent in self._said else self._newest)
        return self._found

    def _lead(self, agent: str | None, action: str = "") -> _Lead:
        own = self._said.get(agent, _SaidByAgent())
        leading, thought = own.leading, own.thought if own.turns_since_thought <= MAX_TURNS_BACK else None
        before = thought if isinstance(leading, ReasoningEvent) else None
        return _Lead(leading, before, own.prompt, action, agent, self._started.get(agent or "", 0))


def _events(journal: Path, decode: LineDecoder) -> Iterable[Event]:
    reader, at_end = JournalReader(journal, decode), False
    while not at_end:
        batch = reader.read()
        yield from (event for event, _, _ in batch.events if not isinstance(event, UnknownEvent))
        at_end = batch.at_end


def _described(texts: JournalTexts, lead: _Lead) -> Behind:
    session, event = texts.session, lead.event
    agent = _agent_name(session, lead.agent)
    started = _said(texts, session.thoughts.index_of_seq(lead.started_of)) if lead.started_of else None
    prompt = SaidText(lead.prompt.seq, lead.prompt.text) if lead.prompt is not None else None
    if event is None:
        return Behind(kind="nothing", agent=agent, started_by=started, action=lead.action)
    index = session.thoughts.index_of_seq(event.seq)
    if not isinstance(event, ThoughtEvent) or index == NONE:
        return Behind(
            kind=_kind_of(event),
            seq=event.seq,
            text=(event.thought if isinstance(event, ThoughtEvent) else event.text) or "",
            time=microseconds_of(event.time),
            prompt=prompt if not isinstance(event, PromptEvent) else None,
            agent=agent,
            started_by=started,
            action=lead.action,
            needs_native=index == NONE,
            thought_before=SaidText(lead.thought_before.seq, lead.thought_before.thought)
            if lead.thought_before is not None
            else None,
        )
    thought = session.thoughts.get(index)
    lane = session.lanes.get(thought.lane)
    fork = session.lanes.fork_of(thought.lane)
    return Behind(
        kind="thought",
        seq=event.seq,
        text=event.thought,
        time=thought.time,
        number=thought.number,
        branch="" if lane.is_trunk else lane_name(session, lane),
        revises=thought.revised_number,
        revised=_said(texts, thought.target),
        fork=session.thoughts.number_of(fork) if fork != NONE and not lane.is_trunk else 0,
        revised_by=_said(texts, session.thoughts.reviser_of(index)),
        prompt=prompt,
        agent=agent,
        started_by=started,
        action=lead.action,
    )


def _said(texts: JournalTexts, index: int) -> SaidText | None:
    return SaidText(texts.session.thoughts.seq_of(index), texts.thought(index)) if index != NONE else None


def _kind_of(event: ThoughtEvent | ReasoningEvent | RemarkEvent | PromptEvent) -> BehindKind:
    match event:
        case ThoughtEvent():
            return "thought"
        case ReasoningEvent():
            return "reasoning"
        case RemarkEvent():
            return "remark"
        case PromptEvent():
            return "prompt"


def _agent_name(session: Session, agent: str | None) -> str:
    if agent is None:
        return ""
    ordinal = session.agents.find(agent)
    return agent_name(session, ordinal) if ordinal != NONE else agent
