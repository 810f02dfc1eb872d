"""How full an agent's context is, in a few cells: ``ctx ███░░ 62%``, ``ctx 62%``; without a window ``ctx 118k``."""

from datetime import tzinfo

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.columns.context_columns import ContextUse
from seqthink.chain.session import Session
from seqthink.core.text import one_line
from seqthink.drawing.describe import units
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.spans import BOLD, Role, Span

GAUGE_CELLS = 5
"""Cells of the bar."""


def used_part(use: ContextUse) -> str:
    """Return ``62%``, or ``118k`` if the window is not known: never a guess."""
    return units.tokens(use.tokens) if use.percent is None else f"{use.percent}%"


def gauge(use: ContextUse, signs: Signs = UNICODE) -> str:
    """Return the bar with its figure: ``███░░ 62%``; without a window the tokens alone."""
    if use.percent is None:
        return used_part(use)
    full, empty = signs.bars
    filled = max(use.percent * GAUGE_CELLS // 100, 1 if use.percent else 0)
    return f"{full * filled}{empty * (GAUGE_CELLS - filled)} {used_part(use)}"


def gauge_spans(session: Session, signs: Signs = UNICODE, agent: int = MAIN_AGENT) -> list[Span]:
    """Return how full an agent's context is, the longest form first; [] if its client does not record it."""
    use = session.agents.context_of(agent)
    return use_spans(use, signs) if use is not None else []


def use_spans(use: ContextUse, signs: Signs = UNICODE) -> list[Span]:
    """Return how full a context is, the longest form first; one that is nearly full is bold."""
    texts = dict.fromkeys((gauge(use, signs), used_part(use)))
    role, face = (Role.TEXT, BOLD) if use.is_nearly_full else (Role.MUTED, 0)
    return [Span(f"ctx {text}", role, face) for text in texts]


def context_words(use: ContextUse) -> str:
    """Return the figures in words: ``context 62%, 124k of 200k tokens``; without a window ``context 118k tokens``."""
    if use.percent is None:
        return f"context {units.tokens(use.tokens)} tokens"
    return f"context {use.percent}%, {units.tokens(use.tokens)} of {units.tokens(use.window)} tokens"


def context_fact(session: Session, index: int, zone: tzinfo, signs: Signs = UNICODE) -> list[str]:
    """Return how full the context of a thought's agent was there, with model and time: as one fact, or none."""
    lane = session.thoughts.lane_of(index)
    is_newest = index == session.lanes.newest_in(lane)
    then = session if is_newest else session.at(session.thoughts.entry_index_of(index) + 1)
    use = then.agents.context_of(session.lanes.agent_of(lane))
    if use is None:
        return []
    parts = (context_words(use), one_line(use.model), units.clock(use.time, zone))
    return [f" {signs.separator} ".join(part for part in parts if part)]
