"""Facts of a tool call in words: repairs, a raised total, a changed answer, a missing target."""

from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo

from seqthink.chain.model import NONE, Thought
from seqthink.chain.session import Session
from seqthink.drawing.describe import units
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.events import ThoughtEvent
from seqthink.text import one_line


def call_facts(thought: Thought, event: ThoughtEvent | None, *, unanswered: str = "") -> Iterator[str]:
    """Yield one sentence per unusual fact of the call; ``unanswered`` replaces the answer that it did not get."""
    if thought.revised_number and thought.target == NONE:
        yield f"revises {thought.revised_number}, but there was no such thought"
    elif thought.is_revision and thought.target == NONE:
        yield "a revision that does not name its thought"
    if thought.is_repeat:
        yield f"number {thought.number} repeated: the {_ordinal(max(2, thought.occurrence))} time on its lane"
    if thought.skipped_count:
        yield f"{units.count(thought.skipped_count, 'number')} skipped before it"
    if thought.needs_more:
        yield "asks for more thoughts than planned"
    if event is not None:
        yield from _answer_facts(event, unanswered)


def _answer_facts(event: ThoughtEvent, unanswered: str) -> Iterator[str]:
    if event.requestedTotal is not None:
        yield f"total {event.requestedTotal} given, raised to {event.totalThoughts}"
    if event.coerced:
        yield "repaired: " + one_line(", ".join(event.coerced))
    if event.answeredNext is not None and event.answeredNext != event.nextThoughtNeeded:
        called, answered = ("yes" if needed else "no" for needed in (event.nextThoughtNeeded, event.answeredNext))
        yield f"next thought needed: {called} in the call, {unanswered or answered + ' in the answer'}"
    if event.hint:
        yield "hint given: " + one_line(event.hint)


def call_details(
    session: Session, index: int, event: ThoughtEvent | None, size: str, *, zone: tzinfo, signs: Signs = UNICODE
) -> str:
    """Return date and time, number, ``size``, agent and call id on one line."""
    thought = session.thoughts.get(index)
    parts = [_date(thought.time, zone) + " " + units.clock(thought.time, zone)]
    parts.append(f"{thought.number} of {thought.estimate}")
    if event is not None:
        parts.append(size)
        parts += [one_line(name) for name in (event.agent, event.call or event.toolUseId) if name]
    return f" {signs.separator} ".join(parts)


def _date(microseconds: int, zone: tzinfo) -> str:
    try:
        return datetime.fromtimestamp(microseconds // 1_000_000, UTC).astimezone(zone).strftime("%Y-%m-%d")
    except (OverflowError, ValueError):
        return ""


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
