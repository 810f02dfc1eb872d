"""What two compared sessions count: thoughts, branches, estimates, time and tokens."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from seqthink.chain.attention import last_activity
from seqthink.chain.comparison.comparison import Comparison, SideTexts
from seqthink.chain.comparison.passages import PassageKind
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.chain.state import State
from seqthink.core.events import Event, ReasoningEvent, UnknownEvent, UsageEvent


class SideFacts(Struct, frozen=True, kw_only=True):
    """What one of two sessions counts. Times are in microseconds."""

    state: State
    prompts: int
    thoughts: int
    """Thoughts, native reasoning, remarks and answers: all that is compared besides the prompts."""
    branches: Sequence[str]
    """The names of the branches, in order of arrival; empty for one without a name."""
    revisions: int
    agents: int
    """Sub-agents."""
    refused: int
    """Refused calls."""
    estimated: int
    """How many thoughts the chains were estimated to take at first; 0 if nothing was estimated."""
    reached: int
    """How many they took, or have taken so far."""
    took: int
    """The time from the first passage to the last activity."""
    between: int
    """The time between two thoughts, at the median."""
    tokens: int
    """Tokens of reasoning, as far as a client says; 0 if it says nothing."""
    context: int
    """The most tokens that the main agent's conversation took, as far as a client says; 0 if it says nothing."""
    models: Sequence[str]
    """The language models that are known, the first one first."""


class TokenWatch:
    """Counts tokens of reasoning and of the conversation, and notes the models, where a transcript says so."""

    def __init__(self) -> None:
        self.tokens = 0
        """Tokens of reasoning, of all agents."""
        self.context = 0
        """The most tokens that the main agent's conversation took."""
        self.models: dict[str, None] = {}

    def add(self, event: Event | UnknownEvent) -> None:
        """Add the next event."""
        if isinstance(event, ReasoningEvent):
            self.tokens += max(0, event.tokens or 0)
        elif isinstance(event, UsageEvent) and event.agent is None:
            self.context = max(self.context, event.tokens)
        if isinstance(event, ReasoningEvent | UsageEvent) and event.model:
            self.models.setdefault(event.model)


class ComparedSide(Struct, frozen=True):
    """One of two compared sessions, with its texts and what it counts."""

    texts: SessionTexts
    side: SideTexts
    facts: SideFacts


class ComparedSessions(Struct, frozen=True):
    """Two sessions and their comparison: all that is drawn or exported of it."""

    left: ComparedSide
    right: ComparedSide
    comparison: Comparison


def side_facts(session: Session, side: SideTexts, watched: TokenWatch) -> SideFacts:
    """Return what one of two sessions counts."""
    prompts = sum(passage.kind is PassageKind.PROMPT for passage in side.passages)
    times = sorted(passage.time for passage in side.passages if passage.kind is not PassageKind.PROMPT)
    steps = sorted(after - before for before, after in pairwise(times))
    first = min((passage.time for passage in side.passages), default=0)
    estimates = [_estimate(session, chain) for chain in range(session.chain_count)]
    return SideFacts(
        state=session.state,
        prompts=prompts,
        thoughts=len(side.passages) - prompts,
        branches=[session.lanes.get(lane).name or "" for lane in _branches(session)],
        revisions=session.revision_count,
        agents=session.agents.count - session.agents.fork_count,
        refused=session.asides.refused_count,
        estimated=sum(first for first, _ in estimates),
        reached=sum(reached for _, reached in estimates),
        took=max(0, last_activity(session) - first) if side.passages else 0,
        between=steps[len(steps) // 2] if steps else 0,
        tokens=watched.tokens,
        context=watched.context,
        models=list(watched.models),
    )


def _branches(session: Session) -> list[int]:
    lanes = [lane for chain in range(session.chain_count) for lane in session.chains.lanes_of(chain)]
    return [lane for lane in lanes if not session.lanes.get(lane).is_root]


def _estimate(session: Session, chain: int) -> tuple[int, int]:
    """Return what the trunk of a chain was estimated to take at first, and what it has taken; zeros for no estimate."""
    trunk = session.chains.lanes_of(chain)[0]
    newest = session.lanes.leading_in(trunk)
    thoughts = session.lanes.get(trunk).thoughts[: session.lanes.length_of(trunk)]
    first = next((index for index in thoughts if session.native.kind_of(index) is None), NONE)
    if NONE in {first, newest}:
        return 0, 0
    return session.thoughts.estimate_of(first), session.thoughts.highest_number_of(newest)
