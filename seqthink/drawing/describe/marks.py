"""The marks at the right end of a row: at most two, the most important first (docs/screens.md, "Marks on a row")."""

from seqthink.chain.model import NONE, Attachment, Thought
from seqthink.chain.session import Session
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Role, Span, Spans

MAX_MARKS_CELLS = 9
"""Maximal width of all marks of a row together."""


def audit_mark(audit: Attachment, signs: Signs) -> Span:
    """Return the verdict of an audit with its score."""
    sign, role = {
        "pass": (signs.final, Role.GOOD),
        "revise": (signs.revise, Role.WARN),
        "reject": (signs.refused, Role.BAD),
    }[audit.verdict]
    return Span(f"{sign}{audit.score}", role)


def estimate_mark(thought: Thought, signs: Signs) -> Span | None:
    """Return the mark of a changed estimate, ``+?`` if the thought only asks for more thoughts, or None."""
    if thought.estimate_change:
        before, after = thought.estimate_change
        both = f"{before}{signs.changed}{after}"
        return Span(both if width(both) <= MAX_MARKS_CELLS else f"{signs.changed}{after}", Role.ESTIMATE)
    return Span("+?", Role.ESTIMATE) if thought.needs_more else None


def all_marks(session: Session, thought: Thought, signs: Signs, *, has_words: bool) -> Spans:
    """Return every mark of a thought, the most important first."""
    verdict = session.thoughts.verdict_on(thought.index)
    marks: Spans = [audit_mark(verdict, signs)] if verdict is not None else []
    change = estimate_mark(thought, signs)
    if change:
        marks.append(change)
    if thought.revised_number and thought.target == NONE:
        marks.append(Span(f"{signs.revision} {thought.revised_number}?", Role.REVISION))
    reviser = session.thoughts.reviser_of(thought.index)
    if reviser != NONE:
        by = f" by {session.thoughts.number_of(reviser)}" if has_words else str(session.thoughts.number_of(reviser))
        marks.append(Span(signs.revised_by + by, Role.REVISION))
    if thought.is_repeat:
        marks.append(Span(f"{max(2, thought.occurrence)}{signs.times}", Role.WARN))
    if session.thoughts.has_note(thought.index):
        marks.append(Span(signs.note, Role.NOTE))
    if session.thoughts.has_context(thought.index):
        marks.append(Span(signs.context, Role.NOTE))
    return marks


def row_marks(session: Session, thought: Thought, signs: Signs, *, max_marks: int, has_words: bool) -> Spans:
    """Return the marks shown on a row: at most ``max_marks``, together at most `MAX_MARKS_CELLS` cells.

    Words are dropped before a mark is.
    """
    marks = all_marks(session, thought, signs, has_words=has_words)[:max_marks]
    if has_words and _cells(marks) > MAX_MARKS_CELLS:
        marks = all_marks(session, thought, signs, has_words=False)[:max_marks]
    while len(marks) > 1 and _cells(marks) > MAX_MARKS_CELLS:
        marks.pop()
    return [Span(cut(mark.text, MAX_MARKS_CELLS, signs.ellipsis), mark.role) for mark in marks]


def _cells(marks: Spans) -> int:
    return sum(width(mark.text) + 1 for mark in marks) - 1
