"""What is open at the end of a journal, and how full contexts are, found slowly: the oracle for the fold."""

from collections.abc import Sequence

from seqthink.core.events import (
    AskingEvent,
    AuditEvent,
    AuditingEvent,
    CompactedEvent,
    ElicitEvent,
    EndEvent,
    RewoundEvent,
    SampleEvent,
    SessionEvent,
    UsageEvent,
    WriterState,
)
from tests.support.journals.events_factory import Item

Used = tuple[int, int | None]
"""Tokens and window."""


def naive_question(items: Sequence[Item], writer: WriterState) -> AskingEvent | None:
    """Return the newest open question, the user's before the model's; a tool's only while its agent is at work."""
    if writer is WriterState.GONE:
        return None
    for kind, answer in (("elicit", ElicitEvent), ("sample", SampleEvent)):
        for place in reversed(range(len(items))):
            asked, later = items[place], items[place + 1 :]
            if not isinstance(asked, AskingEvent) or asked.kind != kind:
                continue
            if asked.call is not None and writer is not WriterState.ALIVE:
                continue
            if not any(
                isinstance(item, SessionEvent | EndEvent)
                or (isinstance(item, answer) and (item.of, item.purpose) == (asked.of, asked.purpose))
                or (isinstance(item, AskingEvent) and _is_same_question(item, asked))
                for item in later
            ):
                return asked
    return None


def _is_same_question(asked: AskingEvent, earlier: AskingEvent) -> bool:
    return (asked.kind, asked.of, asked.purpose) == (earlier.kind, earlier.of, earlier.purpose)


def naive_auditing(items: Sequence[Item]) -> AuditingEvent | None:
    """Return the newest step of an unfinished audit."""
    for place in reversed(range(len(items))):
        step, later = items[place], items[place + 1 :]
        if isinstance(step, AuditingEvent) and not any(
            isinstance(item, SessionEvent | EndEvent)
            or (isinstance(item, AuditEvent | AuditingEvent) and item.of == step.of)
            for item in later
        ):
            return step
    return None


def naive_context(items: Sequence[Item], agent: str | None) -> Used | None:
    """Return tokens and window after these lines; None if they are not known."""
    for place in reversed(range(len(items))):
        item = items[place]
        if not isinstance(item, UsageEvent | CompactedEvent | RewoundEvent) or (item.agent or None) != agent:
            continue
        match item:
            case UsageEvent():
                return item.tokens, item.window
            case CompactedEvent():
                before = naive_context(items[:place], agent)
                return (item.tokensAfter, before[1]) if before is not None and item.tokensAfter else None
            case RewoundEvent():
                earlier = [each for each in items[:place] if not isinstance(each, str) and _seq(each) < item.of]
                return naive_context(earlier, agent)
    return None


def _seq(item: object) -> int:
    return getattr(item, "seq", 0)
