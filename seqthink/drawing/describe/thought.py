"""What is said of one thought: what it revises, what was unusual about its call, its details."""

from collections.abc import Iterator
from datetime import tzinfo
from typing import NamedTuple

from seqthink.chain.model import NONE, NativeKind, Thought
from seqthink.chain.native.retractions import retraction_in
from seqthink.chain.session import Session
from seqthink.core.events import ReasoningEvent, ThoughtEvent
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.spans import Role

MAX_RETURNS_NAMED = 8
"""How many of the branches that a thought brings back are named."""


class ThoughtFact(NamedTuple):
    """A few words about a thought, none of them untrusted."""

    text: str
    role: Role = Role.MUTED
    thought: int = NONE
    """The index of the thought to link to, or NONE."""


def revises_text(thought: Thought) -> str:
    """Return ``revises 2``, or ``revises 2?`` if there was no such thought, of a thought that names one."""
    return f"revises {thought.revised_number}" + ("?" if thought.target == NONE else "")


def revision_facts(session: Session, thought: Thought) -> Iterator[ThoughtFact]:
    """Yield what the thought revises, if it names that, and by what it was revised."""
    if thought.revised_number:
        yield ThoughtFact(revises_text(thought), Role.REVISION, thought.target)
    reviser = session.thoughts.reviser_of(thought.index)
    if reviser != NONE:
        yield ThoughtFact(f"revised by {session.thoughts.number_of(reviser)}", Role.REVISION, reviser)


def empty_text(thought: Thought, *, is_final: bool) -> SafeText:
    """Return what replaces the text of a thought that has none: of a turn's end, how it ended."""
    if thought.native is not NativeKind.ANSWER:
        return SafeText("")
    return SafeText("no answer" if is_final else "interrupted")


def native_heading(thought: Thought, *, is_final: bool) -> str:
    """Return what a row of native reasoning is: ``prompt``, ``reasoning 3 of this turn (counted)``, ``answer``."""
    match thought.native:
        case NativeKind.REASONING:
            return f"reasoning {thought.place_in_turn} of this turn (counted)"
        case NativeKind.ANSWER if not is_final:
            return "interrupted"
        case _:
            return thought.native.value if thought.native else ""


def native_facts(event: ReasoningEvent, signs: Signs = UNICODE) -> list[str]:
    """Return what a transcript says about a reasoning item besides its text, on one line: model, tokens, duration."""
    facts = [
        one_line(event.model or ""),
        f"{units.tokens(event.tokens)} tokens" if event.tokens and event.tokens > 0 else "",
        units.duration_ms(event.durationMs) if event.durationMs and event.durationMs > 0 else "",
    ]
    known = [fact for fact in facts if fact]
    return [f" {signs.separator} ".join(known)] if known else []


def retraction_facts(text: str) -> list[str]:
    """Return what is said of a text that takes something back: the sentence in which it does so; nothing of others."""
    sentence = one_line(retraction_in(text))
    return [f"takes something back, in its own words: {sentence}"] if sentence else []


def call_facts(
    session: Session, thought: Thought, event: ThoughtEvent | None, *, unanswered: str = ""
) -> Iterator[str]:
    """Yield one sentence per unusual fact of the call; ``unanswered`` replaces the answer that it did not get."""
    yield from _returns(session, thought.index)
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


def _returns(session: Session, index: int) -> Iterator[str]:
    brought_back = session.branch_returns.brought_back_by(index)
    for lane in brought_back[:MAX_RETURNS_NAMED]:
        yield f"brings back branch {one_line(session.lanes.get(lane).name or '') or '?'}"
    if len(brought_back) > MAX_RETURNS_NAMED:
        yield f"brings back {units.count(len(brought_back) - MAX_RETURNS_NAMED, 'more branch')}"


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
    parts = [units.date(thought.time, zone) + " " + units.clock(thought.time, zone)]
    if thought.native is None:
        parts.append(f"{thought.number} of {thought.estimate}")
    if event is not None:
        parts.append(size)
        parts += [one_line(name) for name in (event.agent, event.call or event.toolUseId) if name]
    return f" {signs.separator} ".join(parts)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
