"""Puts the facts of messages that overlap in the order of their time.

The task of a subagent is a part of its parent's message: it is read with that message, but ended after everything that
the subagent did.
"""

import heapq
from collections.abc import Iterable

from msgspec.structs import replace

from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Fact,
    Prompt,
    Reasoning,
    Remark,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)


class TaskEnded(TurnEnded, frozen=True, kw_only=True):
    """The task of a subagent ended, which ends its turn unless its own messages say so."""

    is_dated: bool = True
    """Whether the client says when; else it was after everything that the subagent is known to have done."""


class FactOrder:
    """Holds facts until nothing earlier can come."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, Fact]] = []
        self._added = 0
        self._undated: list[TaskEnded] = []
        self._at_work: set[str | None] = set()
        self._newest: dict[str | None, int] = {}

    def add(self, facts: Iterable[Fact]) -> None:
        """Take in facts, in the order in which those of the same time happened.

        What the session is comes before everything in it.
        """
        for fact in facts:
            if isinstance(fact, TaskEnded) and not fact.is_dated:
                self._undated.append(fact)
                continue
            self._added += 1
            is_about_all = isinstance(fact, SessionDescribed) and fact.agent is None
            heapq.heappush(self._waiting, (0 if is_about_all else fact.time, self._added, fact))

    def release(self, until: int | None = None) -> list[Fact]:
        """Return the facts up to a time in order; all of them without it."""
        released: list[Fact] = []
        while self._waiting and (until is None or self._waiting[0][0] <= until):
            fact = self._follow(heapq.heappop(self._waiting)[2])
            if fact is not None:
                released.append(fact)
                self._newest[fact.agent] = fact.time
        return released + (self._end_undated() if until is None else [])

    def _end_undated(self) -> list[Fact]:
        """Return the ends of tasks without a time, now that all is read that their subagents have written."""
        undated, self._undated = self._undated, []
        latest = (replace(fact, time=max(fact.time, self._newest.get(fact.agent, 0))) for fact in undated)
        return [ended for fact in latest if (ended := self._follow(fact)) is not None]

    def _follow(self, fact: Fact) -> Fact | None:
        """Return the fact as it is reported; None for the end of a task whose subagent has ended its turn already."""
        match fact:
            case AgentStarted():
                self._at_work.add(fact.id)
            case Prompt() | Reasoning() | Remark() | ToolCall():
                self._at_work.add(fact.agent)
            case TaskEnded() if fact.agent not in self._at_work:
                return None
            case TaskEnded():
                self._at_work.discard(fact.agent)
                return TurnEnded(id=fact.id, time=fact.time, agent=fact.agent, is_aborted=fact.is_aborted)
            case TurnEnded():
                self._at_work.discard(fact.agent)
            case _:
                pass
        return fact
