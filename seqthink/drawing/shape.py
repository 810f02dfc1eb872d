"""A lane or chain in one glance: its last thoughts as signs, ``●●●├●●↺+14`` (screens.md, "The shape")."""

from seqthink.chain.session import Session
from seqthink.drawing.glyphs import DOWN, RIGHT, UP, Signs
from seqthink.drawing.gutter import lane_role
from seqthink.drawing.spans import Role, Span, Spans

MOST_CELLS = 9


def shape(session: Session, lane: int, signs: Signs) -> Spans:
    """Return the first thoughts of a lane, its revisions and forks, in nine cells; what is left over as ``+14``."""
    length = session.lane_length(lane)
    thoughts = session.lane(lane).thoughts[: min(length, MOST_CELLS)]
    fork = Span(signs.line(UP | DOWN | RIGHT), Role.LINE)
    node = Span(signs.thought, lane_role(session, session.lane(lane)))
    spans: Spans = []
    shown = 0
    for index in thoughts:
        signs_here: Spans = [Span(signs.revision, Role.REVISION) if session.is_revision(index) else node]
        if session.branches_from(index):
            signs_here.append(fork)
        if len(spans) + len(signs_here) > MOST_CELLS:
            break
        spans += signs_here
        shown += 1
    if shown < length:
        spans.append(Span(f"+{length - shown}", Role.MUTED))
    return spans
