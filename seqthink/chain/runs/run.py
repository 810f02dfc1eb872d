"""Finds runs: thoughts in a row that differ in their numbers, branches, texts and times only.

In a run each number is one above the one before. So where the first is above all numbers of the agent's problem, no
thought of the run repeats a number, leaves a gap, is a retry or begins a problem, and each number of the run means one
thought.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, pairwise
from operator import ne
from typing import NamedTuple, cast

from seqthink.core.events import Event, ThoughtEvent, UnknownEvent
from seqthink.core.times import all_microseconds_of

MIN_LENGTH = 6
"""Shorter runs are folded thought by thought: that is as fast."""


class Run(NamedTuple):
    """Thoughts in a row with the same fields, but for what the module says. Each column has an item for a thought."""

    events: Sequence[ThoughtEvent]
    """The thoughts."""
    offsets: Sequence[int]
    """The byte offset of its line."""
    sizes: Sequence[int]
    """The length of its line in bytes, without the newline."""
    times: Sequence[int]
    """When it arrived, in microseconds since 1970 (UTC)."""
    branches: Sequence[str | None]
    """The name of its branch."""

    @property
    def first(self) -> ThoughtEvent:
        """The first thought."""
        return self.events[0]

    @property
    def length(self) -> int:
        """How many thoughts there are."""
        return len(self.events)

    @property
    def numbers(self) -> range:
        """The numbers of the thoughts."""
        return range(self.first.thoughtNumber, self.first.thoughtNumber + self.length)

    def part(self, start: int, stop: int) -> "Run":
        """Return the thoughts from ``start`` to before ``stop``."""
        return Run(
            self.events[start:stop],
            self.offsets[start:stop],
            self.sizes[start:stop],
            self.times[start:stop],
            self.branches[start:stop],
        )

    def parts(self, known: Mapping[str | int, int]) -> "Iterator[Run]":
        """Yield the run in parts whose thoughts are on known lanes, or each the first of a new branch.

        Args:
            known: the branches that are there before the run.
        """
        names = set(self.branches)
        are_new = len(names) == self.length and all(names) and known.keys().isdisjoint(names)
        if are_new or len(names) == 1 or names <= known.keys():
            yield self
            return
        is_new: list[bool] = []
        for name in self.branches:
            is_new.append(bool(name) and name in names and name not in known)
            names.discard(name)
        cuts = compress(range(1, self.length), map(ne, is_new, is_new[1:]))
        for start, stop in pairwise((0, *cuts, self.length)):
            yield self.part(start, stop)


Located = tuple[Event | UnknownEvent, int, int]
"""An event, and the offset and size of its line."""


def runs(
    events: Sequence[Event | UnknownEvent], offsets: Sequence[int], sizes: Sequence[int]
) -> Iterator[Run | Located]:
    """Yield the events in their order: those in runs of at least ``MIN_LENGTH`` together, the others one by one."""
    forms = [
        (
            event.thoughtNumber - place,
            event.totalThoughts,
            event.agent,
            event.revisesThought,
            event.isRevision,
            event.nextThoughtNeeded,
            event.answeredNext,
            event.needsMoreThoughts,
        )
        if type(event) is ThoughtEvent
        else None
        for place, event in enumerate(events)
    ]
    if not forms or forms.count(forms[0]) == len(forms):
        cuts: list[int] = []
    else:
        cuts = list(compress(range(1, len(forms)), map(ne, forms, forms[1:])))
    for start, stop in pairwise((0, *cuts, len(forms))):
        if stop - start < MIN_LENGTH or forms[start] is None:
            yield from zip(events[start:stop], offsets[start:stop], sizes[start:stop], strict=True)
        else:
            thoughts = cast("Sequence[ThoughtEvent]", events[start:stop])
            times = all_microseconds_of([event.time for event in thoughts])
            branches = [event.branchId for event in thoughts]
            yield Run(thoughts, offsets[start:stop], sizes[start:stop], times, branches)
