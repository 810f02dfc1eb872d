"""Where forks leave their originals, as far as a fork only says how many records of the original are its own history.

Such a fork repeats nothing. So that its place is known all the same, the last fact before it is told again as the
fork's: what is told twice says how far the two are the same.
"""

from bisect import bisect_left

from msgspec import structs

from seqthink.transcripts.facts import Call, Fact, Prompt, Reasoning, TurnEnded

_Row = Prompt | Reasoning | Call | TurnEnded


class ForkPoints:
    """The facts of the threads of one session by the ordinals of their records, without their texts."""

    def __init__(self) -> None:
        self._ordinals: dict[str, list[int]] = {}
        self._rows: dict[str, list[_Row]] = {}

    def note(self, thread: str, ordinal: int, facts: list[Fact]) -> None:
        """Take in what a record with an ordinal told; ordinals rise."""
        for fact in facts:
            if isinstance(fact, _Row):
                self._ordinals.setdefault(thread, []).append(ordinal)
                self._rows.setdefault(thread, []).append(_bare(fact))

    def last_before(self, thread: str, ordinal: int, time: int, agent: str | None) -> list[Fact]:
        """Return the last fact of a thread before a record, with this time and as this agent's, if there is one."""
        index = bisect_left(self._ordinals.get(thread, []), ordinal)
        if index == 0:
            return []
        return [structs.replace(self._rows[thread][index - 1], time=time, agent=agent)]


def _bare(fact: _Row) -> _Row:
    match fact:
        case Prompt():
            return Prompt(id=fact.id, time=fact.time, text="")
        case Reasoning():
            return Reasoning(id=fact.id, time=fact.time, text="")
        case Call():
            return Call(id=fact.id, time=fact.time, tool=fact.tool)
        case TurnEnded():
            return TurnEnded(id=fact.id, time=fact.time)
