"""What is said of two compared sessions: their facts beside each other, what they have in common, where they part."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import NamedTuple

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.comparison.comparison import Comparison, StretchKind
from seqthink.chain.comparison.passages import Passage, PassageKind
from seqthink.chain.comparison.side_facts import ComparedSessions, ComparedSide, SideFacts
from seqthink.chain.model import NONE
from seqthink.chain.overview.states import chain_state_shown
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.lanes import agent_name, lane_name
from seqthink.drawing.describe.session import client_name, session_name
from seqthink.drawing.describe.status import state_status
from seqthink.drawing.text.glyphs import Signs

LEFT, RIGHT = "A", "B"
"""How the two sessions are called."""
MAX_BRANCHES_NAMED = 4
"""How many branches of a session are named."""
_UNKNOWN = "-"


class FactRow(NamedTuple):
    """A fact of both sessions, without control characters."""

    label: str
    left: str
    right: str


class PassageLabel(NamedTuple):
    """How a passage is called: its number, or what it is; and whose it is, or on which branch."""

    name: str
    lane: SafeText


def fact_rows(sessions: ComparedSessions, signs: Signs, zone: tzinfo) -> list[FactRow]:
    """Return the facts of both sessions; one that is unknown or zero on both sides is left out."""
    left, right = (dict(_facts(side, signs, zone)) for side in (sessions.left, sessions.right))
    rows = [FactRow(label, fact or _UNKNOWN, right[label] or _UNKNOWN) for label, fact in left.items()]
    return [row for row in rows if {row.left, row.right} != {_UNKNOWN}]


def _facts(compared: ComparedSide, signs: Signs, zone: tzinfo) -> Iterator[tuple[str, str]]:
    session, facts = compared.texts.session, compared.facts
    first = min((passage.time for passage in compared.side.passages), default=0)
    yield "session", session_name(session)
    yield "client", client_name(session.session_event)
    yield "model", ", ".join(one_line(model) for model in facts.models)
    yield "began", f"{units.date(first, zone)} {units.clock(first, zone)}".strip() if first else ""
    status = state_status(chain_state_shown(facts.state), signs)
    yield "state", f"{status.sign} {status.word}"
    yield "prompts", _number(facts.prompts)
    yield "thoughts", _number(facts.thoughts)
    yield "estimate", f"{facts.estimated} {signs.changed} {facts.reached}" if facts.estimated else ""
    yield "branches", _branches(facts, signs)
    yield "revisions", _number(facts.revisions)
    yield "sub-agents", _number(facts.agents)
    yield "refused", _number(facts.refused)
    yield "time", units.duration(facts.took) if facts.took else ""
    yield "per thought", units.duration(facts.between) if facts.between else ""
    yield "context", f"{units.tokens(facts.context)} tokens at most" if facts.context else ""
    yield "reasoning", f"{units.tokens(facts.tokens)} tokens" if facts.tokens else ""


def _number(number: int) -> str:
    return f"{number:,}" if number else ""


def _branches(facts: SideFacts, signs: Signs) -> str:
    if not facts.branches:
        return ""
    named = [one_line(name) or "?" for name in facts.branches[:MAX_BRANCHES_NAMED]]
    more = [signs.ellipsis] if len(facts.branches) > MAX_BRANCHES_NAMED else []
    return f"{len(facts.branches):,}: {', '.join([*named, *more])}"


def common_words(comparison: Comparison) -> str:
    """Return how much two sessions have in common, as ``3 the same, 1 alike, 7 only in A``."""
    counts = (
        (comparison.count(StretchKind.SAME), "the same"),
        (comparison.count(StretchKind.ALIKE), "alike"),
        (comparison.left_only, f"only in {LEFT}"),
        (comparison.right_only, f"only in {RIGHT}"),
    )
    return ", ".join(f"{number:,} {words}" for number, words in counts if number) or "nothing to compare"


def own_words(comparison: Comparison) -> str:
    """Return the words that only one of the sessions uses, as a sentence; "" if there are none."""
    sides = ((LEFT, comparison.left.own_words), (RIGHT, comparison.right.own_words))
    named = [f"only in {letter}: {', '.join(map(one_line, words))}" for letter, words in sides if words]
    return f"Words {'; '.join(named)}." if named else ""


def parting_words(sessions: ComparedSessions) -> str:
    """Return where two sessions part, as ``They part at A's 4 and B's 4``, in a sentence."""
    comparison = sessions.comparison
    if comparison.first_parting == NONE:
        return "They do not part."
    stretch = comparison.stretches[comparison.first_parting]
    places = [
        f"{letter}'s {_first_thought(side, places)}"
        for letter, side, places in ((LEFT, sessions.left, stretch.left), (RIGHT, sessions.right, stretch.right))
        if places
    ]
    return f"They part at {' and '.join(places)}."


def _first_thought(side: ComparedSide, places: Sequence[int]) -> str:
    passages = [side.side.passages[place] for place in places]
    first = next((passage for passage in passages if passage.kind is not PassageKind.PROMPT), passages[0])
    label = passage_label(side, first)
    return f"{label.name} ({label.lane})" if label.lane else label.name


def answer_words(comparison: Comparison) -> str:
    """Return how the answers of two sessions are related."""
    match comparison.answers:
        case StretchKind.SAME:
            return "Their answers are the same."
        case StretchKind.ALIKE:
            return "Their answers are alike."
        case StretchKind.APART:
            return "Their answers differ."
        case None:
            has_left, has_right = comparison.left.answer != NONE, comparison.right.answer != NONE
            return f"Only {LEFT if has_left else RIGHT} has an answer." if has_left or has_right else "No answer yet."


def passage_label(compared: ComparedSide, passage: Passage) -> PassageLabel:
    """Return how a passage is called."""
    session = compared.texts.session
    if passage.thought == NONE:
        agent = next(
            (one for one in range(1, session.agents.count + 1) if session.agents.id_of(one) == passage.agent), 0
        )
        return PassageLabel(passage.kind.value, one_line(agent_name(session, agent) if agent != MAIN_AGENT else ""))
    lane = one_line(lane_name(session, session.lanes.get(session.thoughts.lane_of(passage.thought))))
    if passage.kind is PassageKind.THOUGHT:
        return PassageLabel(str(session.thoughts.number_of(passage.thought)), lane)
    place = session.thoughts.get(passage.thought).place_in_turn if passage.kind is PassageKind.REASONING else 0
    return PassageLabel(f"{passage.kind.value} {place}" if place else passage.kind.value, lane)
