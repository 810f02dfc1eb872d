"""Hypothesis strategies for journals with runs: many thoughts in a row that differ in little, and what breaks them."""

from typing import Any

from hypothesis import strategies as st

from seqthink.core.events import ThoughtEvent
from tests.support.journals.event_strategies import journal_steps, play
from tests.support.journals.events_factory import Journal

AGENTS = (None, None, "A", "F")
"""The main agent, a subagent, and a fork."""


@st.composite
def run_journals(draw: st.DrawFn, most: int = 8) -> Journal:
    """Draw a journal of runs of up to 24 thoughts, with single lines of every kind between them."""
    journal = Journal()
    if draw(st.booleans()):
        journal.agent("F", of=1, fork=True)
    steps = journal_steps(12, ("A", "F"), transcript=draw(st.booleans()))
    for _ in range(draw(st.integers(1, most))):
        _add_run(journal, draw)
        for step in draw(st.lists(steps, max_size=2)):
            play(journal, step)
    return journal


def _add_run(journal: Journal, draw: st.DrawFn) -> None:
    agent = draw(st.sampled_from(AGENTS))
    same: dict[str, Any] = {
        "agent": agent,
        "totalThoughts": draw(st.sampled_from([200, 200, 200, 9])),
        "revisesThought": draw(st.sampled_from([None, None, None, 1, 3, 12])),
        "isRevision": draw(st.sampled_from([None, None, None, True, False])),
        "nextThoughtNeeded": draw(st.sampled_from([True, True, False])),
        "answeredNext": draw(st.sampled_from([None, None, False])),
        "needsMoreThoughts": draw(st.sampled_from([None, None, True])),
    }
    mine = [item.thoughtNumber for item in journal.items if isinstance(item, ThoughtEvent) and item.agent == agent]
    first = draw(st.sampled_from([max(mine, default=0) + 1] * 4 + [1, 2, max(mine, default=0) + 3]))
    shape = draw(st.sampled_from(["trunk", "trunk", "one", "robin", "new", "new", "mixed", "unnamed"]))
    away = draw(st.sampled_from([1, 1, 1, 2, 5, 40, -1, None]))
    text = draw(st.sampled_from(["x", "x", None, "so branch b, and `c`"]))
    for place in range(draw(st.sampled_from([1, 5, 7, 12, 24]))):
        fields = same | _branch(journal, shape, place, first + place, away)
        if draw(st.integers(0, 30)) == 0:
            draw(st.sampled_from([journal.turn_back, journal.corrupt, journal.rejected, lambda: _pause(journal)]))()
        journal.think(first + place, text, **fields)


def _branch(journal: Journal, shape: str, place: int, number: int, away: int | None) -> dict[str, Any]:
    fork = max(0, number - away) or None if away is not None else None
    if shape == "trunk":
        return {}
    if shape == "unnamed":
        return {"branchFromThought": 2}
    known = "abc"
    name = {"one": "b", "robin": known[place % 3], "new": f"n{journal.seq}"}.get(shape)
    if shape == "mixed":
        name = (None, "", "b", f"m{journal.seq}")[place // 3 % 4]
    return {"branchId": name, "branchFromThought": fork if name else None}


def _pause(journal: Journal) -> None:
    journal.wait(3600)
