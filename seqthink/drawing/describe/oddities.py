"""What is said of an oddity, in words and as a mark (docs/journal.md, "Chain health")."""

from math import ceil

from seqthink.chain.health.circling import MIN_ROUNDS, MIN_STEPS
from seqthink.chain.health.health import Health, SessionHealth
from seqthink.chain.health.oddities import Oddity, OddityKind
from seqthink.chain.session import Session
from seqthink.core.text import SafeText, first_line
from seqthink.drawing.describe.lanes import lane_name
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Role, Span, Spans


def oddity_sentences(health: SessionHealth, session: Session, index: int) -> list[str]:
    """Return what is odd at a thought, a sentence for each."""
    return [oddity_sentence(session, oddity) for oddity in health.oddities_at(index)]


def oddity_sentence(session: Session, oddity: Oddity) -> SafeText:
    """Return what is odd, as a sentence without a capital and full stop, like the facts of a call."""
    match oddity.kind:
        case OddityKind.NEAR_DUPLICATE:
            return SafeText(_near_duplicate(session, oddity))
        case OddityKind.CIRCLING:
            return SafeText(_circle(oddity.numbers))
        case OddityKind.GROWING_ESTIMATE:
            first, newest = oddity.numbers
            return SafeText(f"the estimate only grew: {first} at first, now {newest}")
        case OddityKind.EARLY_END:
            number, estimate = oddity.numbers
            return SafeText(f"ends early: thought {number} of {estimate} that were expected")
        case OddityKind.LEFT_BRANCH:
            number = session.thoughts.highest_number_of(oddity.thought)
            estimate = session.thoughts.estimate_of(oddity.thought)
            return SafeText(f"nobody came back to this branch: it stops at {number} of {estimate}")


def _near_duplicate(session: Session, oddity: Oddity) -> str:
    number = session.thoughts.number_of(oddity.other)
    is_same_number = number == session.thoughts.number_of(oddity.thought)
    other = f"the earlier {number}" if is_same_number else f"{number}"
    lane = session.thoughts.lane_of(oddity.other)
    if lane != session.thoughts.lane_of(oddity.thought):
        other += f" on {first_line(lane_name(session, session.lanes.get(lane))) or 'the trunk'}"
    if oddity.percent == 100:
        return f"the same words as {other}"
    return f"almost the same as {other} ({oddity.percent} %)"


def _circle(numbers: tuple[int, ...]) -> str:
    rounds = max(MIN_ROUNDS, ceil(MIN_STEPS / len(numbers)))
    if len(numbers) == 1:
        return f"the number {numbers[0]} came {rounds} times in a row"
    return f"the numbers circle: {', '.join(map(str, numbers))} came {rounds} times in a row"


def oddity_count(health: SessionHealth, chain: int, signs: Signs) -> Spans:
    """Return how many oddities a chain has: ``≈ 3 odd``; [] without any."""
    count = health.count_in(chain)
    return [Span(f"{signs.odd} {count} odd", Role.MUTED)] if count else []


def newest_chain_oddities(health: Health, session: Session, signs: Signs) -> Spans:
    """Return how many oddities the newest chain has, for the status line of the session; [] without any."""
    return oddity_count(health.at(session), session.chain_count - 1, signs) if session.chain_count else []
