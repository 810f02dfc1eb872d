"""Where threads leave their history: forks their original, and a rewound thread its own.

Such a file repeats nothing; its first line says how many records of the other file are its history. A fork emits the
last fact before that again as its own, since what both emit says how far the two are the same. A rewound thread goes on
in a second file, and reports what is left behind in the first.
"""

from bisect import bisect_left

from msgspec import structs

from seqthink.sources.transcripts.facts import Fact, Prompt, Reasoning, Remark, ToolCall, TurnEnded

_Row = Prompt | Reasoning | Remark | ToolCall | TurnEnded


class ForkPoints:
    """The facts of the threads of one session by the ordinals of their records, without their texts."""

    def __init__(self) -> None:
        self._ordinals: dict[str, list[int]] = {}
        self._facts: dict[str, list[_Row | str]] = {}
        """Of each fact its id, and of one that is a row of its own what is needed to emit it again."""

    def note(self, thread: str, ordinal: int, facts: list[Fact]) -> None:
        """Take in the facts of a record with an ordinal; ordinals rise."""
        for fact in facts:
            self._ordinals.setdefault(thread, []).append(ordinal)
            self._facts.setdefault(thread, []).append(_bare(fact) if isinstance(fact, _Row) else fact.id)

    def last_before(self, thread: str, ordinal: int, time: int, agent: str | None) -> list[Fact]:
        """Return the last row of a thread before a record, with this time and as this agent's, if there is one."""
        facts = self._facts.get(thread, [])
        for place in range(bisect_left(self._ordinals.get(thread, []), ordinal) - 1, -1, -1):
            fact = facts[place]
            if not isinstance(fact, str):
                return [structs.replace(fact, time=time, agent=agent)]
        return []

    def facts_before(self, thread: str, ordinal: int | None) -> tuple[str, ...]:
        """Return the id of the last fact of a thread before a record; None: the last of all so far."""
        ordinals = self._ordinals.get(thread, [])
        place = len(ordinals) if ordinal is None else bisect_left(ordinals, ordinal)
        return tuple(fact if isinstance(fact, str) else fact.id for fact in self._facts.get(thread, [])[:place][-1:])

    def leave_behind(self, thread: str, ordinal: int) -> tuple[str, ...]:
        """Forget the facts of a thread from a record on, and return their ids in order."""
        first = bisect_left(self._ordinals.get(thread, []), ordinal)
        facts = self._facts.get(thread, [])
        left = dict.fromkeys(fact if isinstance(fact, str) else fact.id for fact in facts[first:])
        if left:
            del self._ordinals[thread][first:], facts[first:]
        return tuple(left)


def _bare(fact: _Row) -> _Row:
    match fact:
        case Prompt():
            return Prompt(id=fact.id, time=fact.time, text="")
        case Reasoning():
            return Reasoning(id=fact.id, time=fact.time, text="")
        case Remark():
            return Remark(id=fact.id, time=fact.time, text="")
        case ToolCall():
            return ToolCall(id=fact.id, time=fact.time, tool=fact.tool)
        case TurnEnded():
            return TurnEnded(id=fact.id, time=fact.time)
