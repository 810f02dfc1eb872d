"""The shape of a lane at a glance: its first thoughts as signs, ``●●├●↺+14`` (docs/screens.md, "The shape")."""

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.describe.lanes import lane_role
from seqthink.drawing.text.glyphs import DOWN, RIGHT, UP, Signs
from seqthink.drawing.text.spans import Role, Span, Spans

MAX_SPARKLINE_CELLS = 9
"""Maximal width of a sparkline."""


def sparkline(session: Session, lane: int, signs: Signs) -> Spans:
    """Return the first thoughts of a lane with revisions and forks, then how many more there are, in nine cells."""
    length = session.lanes.length_of(lane)
    thoughts = session.lanes.get(lane).thoughts[: min(length, MAX_SPARKLINE_CELLS)]
    node = Span(signs.thought, lane_role(session.lanes.get(lane)))
    fork = Span(signs.box[UP | DOWN | RIGHT], Role.LINE)
    drawn: list[Spans] = []
    for index in thoughts:
        sign = Span(signs.revision, Role.REVISION) if session.thoughts.is_revision(index) else node
        drawn.append([sign] if session.lanes.newest_branch_from(index) == NONE else [sign, fork])
    rest = ""
    while drawn and (len(drawn) < length or _cells(drawn) > MAX_SPARKLINE_CELLS):
        rest = f"+{length - len(drawn)}" if len(drawn) < length else ""
        if _cells(drawn) + len(rest) <= MAX_SPARKLINE_CELLS:
            break
        drawn.pop()
        rest = f"+{length - len(drawn)}"
    spans = [span for signs_here in drawn for span in signs_here]
    return [*spans, Span(rest, Role.MUTED)] if rest else spans


def _cells(drawn: list[Spans]) -> int:
    return sum(len(signs_here) for signs_here in drawn)
