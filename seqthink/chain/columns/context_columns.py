"""How much of the model's context each agent uses, as far as its client records it (docs/sources.md, "Context")."""

from bisect import bisect_left
from collections import defaultdict
from typing import NamedTuple

from seqthink.chain.state import is_nearly_full, percent_of
from seqthink.core.events import CompactedEvent, RewoundEvent, UsageEvent
from seqthink.core.times import microseconds_of


class ContextUse(NamedTuple):
    """How much of the model's context an agent's conversation takes."""

    tokens: int
    window: int
    """How many tokens fit; 0 if the client does not record it."""
    model: str
    """The language model; empty if the client does not record it."""
    time: int
    """When the client recorded it, in microseconds since 1970 (UTC)."""

    @property
    def percent(self) -> int | None:
        """How much of the window is used, rounded down, at most 100; None if the window is not known."""
        return percent_of(self.tokens, self.window)

    @property
    def is_nearly_full(self) -> bool:
        """Whether most of the window is used; False if the window is not known."""
        return is_nearly_full(self.tokens, self.window)


class _Change(NamedTuple):
    entry: int
    seq: int
    use: ContextUse | None
    """What is used from this entry on; None if that is not known."""


class ContextColumns:
    """Each change of what the agents use, so that a prefix of the journal is a cut."""

    def __init__(self) -> None:
        self._changes: defaultdict[str | None, list[_Change]] = defaultdict(list)

    def use(self, event: UsageEvent, entry_index: int) -> None:
        """Record what an agent uses from the line ``entry_index`` on."""
        use = ContextUse(event.tokens, event.window or 0, event.model or "", microseconds_of(event.time))
        self._changes[event.agent or None].append(_Change(entry_index, event.seq, use))

    def compact(self, event: CompactedEvent, entry_index: int) -> None:
        """Record that a conversation was compacted: what is used after it is known only if its client says it."""
        changes = self._changes.get(event.agent or None)
        before = changes[-1].use if changes else None
        if changes and before is not None:
            after = event.tokensAfter
            use = before._replace(tokens=after, time=microseconds_of(event.time)) if after else None
            changes.append(_Change(entry_index, event.seq, use))

    def rewind(self, event: RewoundEvent, entry_index: int) -> None:
        """Record that an agent went back before the line ``event.of``: it uses what it used there."""
        changes = self._changes.get(event.agent or None)
        if changes:
            kept = bisect_left(changes, event.of, key=lambda change: change.seq)
            changes.append(_Change(entry_index, event.seq, changes[kept - 1].use if kept else None))

    def of(self, agent_id: str | None, entry_count: int) -> ContextUse | None:
        """Return what an agent uses after ``entry_count`` entries; None if that is not known."""
        changes = self._changes.get(agent_id, ())
        count = bisect_left(changes, entry_count, key=lambda change: change.entry)
        return changes[count - 1].use if count else None
