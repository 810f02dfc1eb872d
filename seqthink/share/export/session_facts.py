"""Facts shown above the tree and above each thought of an export; some link to another thought."""

from collections.abc import Iterator, Sequence

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.attention import last_activity
from seqthink.chain.model import NONE, Attachment, Thought
from seqthink.chain.overview.states import chain_state_shown
from seqthink.chain.session import Session
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe import lanes, units
from seqthink.drawing.describe.audits import verdict_span
from seqthink.drawing.describe.context_use import context_words
from seqthink.drawing.describe.session import counts_of, length_of, session_name
from seqthink.drawing.describe.status import Status, state_status
from seqthink.drawing.describe.thought import ThoughtFact, revision_facts
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import Role


def name(session: Session) -> SafeText:
    """Return the display name of the session."""
    called = session_name(session)
    return SafeText("A session") if called in {"", "?"} else called


def client(session: Session) -> SafeText:
    """Return the client's name and version, or "" if unknown."""
    info = session.session_event
    return one_line(f"{info.client.name} {info.client.version}") if info and info.client else SafeText("")


def status(session: Session) -> Status:
    """Return the session's status."""
    return state_status(chain_state_shown(session.state), UNICODE)


def counts(session: Session) -> list[str]:
    """Return how many thoughts, chains, branches and so on there are; zeros are left out, except for thoughts."""
    return [
        length_of(session),
        *(
            [units.count(session.chain_count, "chain")]
            if session.chain_count > 1 and not session.native.turn_count
            else []
        ),
        *counts_of(session),
        *([units.count(session.asides.refused_count, "refused call")] if session.asides.refused_count else []),
        *([units.count(len(session.labels.comments), "comment")] if session.labels.comments else []),
    ]


def contexts(session: Session) -> list[str]:
    """Return how full the main agent's context is, as one fact; nothing if its client does not record it."""
    use = session.agents.context_of(MAIN_AGENT)
    return [context_words(use)] if use is not None else []


def tags(session: Session) -> list[SafeText]:
    """Return the tags of the session, each with its sign."""
    return [one_line(f"#{tag}") for tag in session.labels.tags]


def time_span(session: Session) -> str:
    """Return start and end of the session in UTC, or "" without thoughts."""
    if not session.thought_count:
        return ""
    start, end = session.thoughts.time_of(0), max(last_activity(session), session.thoughts.time_of(0))
    first, last = _date_and_clock(start), _date_and_clock(end)
    if first == last:
        return f"{first[0]} {first[1]} UTC"
    return f"{first[0]} {first[1]} – {last[1] if first[0] == last[0] else ' '.join(last)} UTC"


def branch_name(session: Session, index: int) -> SafeText:
    """Return the name of the branch or agent that a thought belongs to, or "" on a trunk."""
    lane = session.lanes.get(session.thoughts.lane_of(index))
    return SafeText("") if lane.is_trunk else one_line(lanes.lane_name(session, lane)) or SafeText("?")


def lane_role(session: Session, lane: int) -> Role:
    """Return the colour role of a lane."""
    return lanes.lane_role(session.lanes.get(lane))


def thought_facts(session: Session, thought: Thought, attached: Sequence[Attachment]) -> Iterator[ThoughtFact]:
    """Yield the facts of a thought, the most important first; ``attached`` are its attachments."""
    index = thought.index
    if attached:
        yield from _audits(attached)
    lane = session.lanes.get(thought.lane)
    if not thought.index_in_lane and lane.fork != NONE:
        fork = session.thoughts.get(lane.fork)
        yield ThoughtFact(f"from {fork.number or f'reasoning {fork.place_in_turn}'}", Role.MUTED, lane.fork)
    if session.thoughts.is_final(index):
        yield ThoughtFact("final", Role.GOOD)
    if thought.is_revision and not thought.revised_number:
        yield ThoughtFact("revises ?", Role.REVISION)
    yield from revision_facts(session, thought)
    change = thought.marked_change
    if change:
        yield ThoughtFact(f"estimate {change[0]} → {change[1]}", Role.ESTIMATE)
    took = session.thoughts.duration_of(index)
    if took is not None:
        yield ThoughtFact(units.duration(took))
    yield ThoughtFact(units.clock(thought.time))


def _audits(attached: Sequence[Attachment]) -> Iterator[ThoughtFact]:
    for audit in attached:
        if audit.verdict:
            verdict = verdict_span(audit, UNICODE)
            yield ThoughtFact(verdict.text, verdict.role)


def _date_and_clock(microseconds: int) -> tuple[str, str]:
    return units.date(microseconds) or "?", units.clock(microseconds)
