"""A folded session in a few short lines, for tests to compare.

A line per lane: ``trunk: 1 2 3``, ``a from #2: 3 4``, ``a from 9?`` (unresolved), ``a ?`` (no fork). Another agent's
lane starts with its id: ``@A from #2: 1``, ``@A/a from #3: 2``; ``<#2``: it leaves from an earlier chain. ``#2`` is a
``seq``. After a number: ``↺`` a revision, ``↺#2`` of that thought, ``↺9?`` of one that does not exist; ``=`` a repeat;
``(5→8)`` a changed estimate; ``✓`` final. Before it: ``..2`` two are missing.
"""

from collections.abc import Sequence

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.core.events import WriterState
from tests.support.journals.events_factory import Item, Journal, folded


def drawn(journal: Journal | Sequence[Item]) -> list[str]:
    """Return the lanes of all chains, with a rule between two chains."""
    items = journal.items if isinstance(journal, Journal) else journal
    session = folded(items).session()
    lines: list[str] = []
    for chain in range(session.chain_count):
        lines += ["--"] if chain else []
        lines += [_lane(session, lane) for lane in session.chains.lanes_of(chain)]
    return lines


def states(journal: Journal, writer: WriterState = WriterState.UNKNOWN) -> list[str]:
    """Return the state of each chain, then that of the session."""
    session = folded(journal.items).session(writer)
    return [*(session.chain_state(chain).value for chain in range(session.chain_count)), session.state.value]


def _lane(session: Session, ordinal: int) -> str:
    lane = session.lanes.get(ordinal)
    thoughts = [_thought(session, index) for index in lane.thoughts[: session.lanes.length_of(ordinal)]]
    name = "trunk" if lane.name is None else lane.name if lane.is_named else f"({lane.name})"
    if lane.agent:
        name = f"@{session.agents.id_of(lane.agent)}" + ("" if lane.is_root else f"/{name}")
    if lane.fork != lane.origin:
        name += f" <#{session.thoughts.get(lane.origin).seq}"
    elif lane.fork != NONE:
        name += f" from #{session.thoughts.get(lane.fork).seq}"
    elif lane.fork_number:
        name += f" from {lane.fork_number}?"
    elif not lane.is_trunk:
        name += " ?"
    return f"{name}: {' '.join(thoughts)}".rstrip()


def _thought(session: Session, index: int) -> str:
    thought = session.thoughts.get(index)
    text = f"..{thought.skipped_count} " if thought.skipped_count else ""
    text += str(thought.number)
    if thought.is_revision:
        text += "↺"
        if thought.target != NONE:
            text += f"#{session.thoughts.get(thought.target).seq}"
        elif thought.revised_number:
            text += f"{thought.revised_number}?"
    text += "=" if thought.is_repeat else ""
    text += "({}→{})".format(*thought.estimate_change) if thought.estimate_change else ""
    return text + ("✓" if session.thoughts.is_final(index) else "")
