"""How much of its context an agent uses, found slowly from docs/journal.md alone: the oracle for the fold."""

from collections.abc import Sequence

from seqthink.core.events import CompactedEvent, RewoundEvent, UsageEvent
from tests.support.journals.events_factory import Item

Used = tuple[int, int | None]
"""Tokens and window."""


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
