"""The marks at the right end of a row: at most two, the most important first; revisions have a column of their own.

Drawn in docs/screens.md, "Marks on a row".
"""

from typing import NamedTuple

from seqthink.chain.model import NONE, Attachment, Thought
from seqthink.chain.session import Session
from seqthink.core.text import first_line
from seqthink.drawing.describe.lanes import lane_role
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import REVISE, Signs, retraction_sign
from seqthink.drawing.text.spans import Role, Span, Spans

MAX_MARKS_CELLS = 9
"""Maximal width of a row's marks together, without the name of a branch that comes back, and without revisions where
these have their column."""
MAX_RETURN_NAME_CELLS = 12
"""Width of that name."""
# looked up once: a member of an enum takes as long as a cell
_MUTED = Role.MUTED
_REVISION = Role.REVISION


class RowMarks(NamedTuple):
    """The marks shown on a row."""

    marks: Spans
    """The most important first."""
    revisions: Spans
    """The column right of them: by what the thought is revised, and what it revises."""


def audit_mark(audit: Attachment, signs: Signs) -> Span:
    """Return the verdict of an audit with its score."""
    sign, role = {
        "pass": (signs.final, Role.GOOD),
        "revise": (REVISE, _REVISION),
        "reject": (signs.refused, Role.BAD),
    }[audit.verdict]
    return Span(f"{sign}{audit.score}", role)


def estimate_mark(thought: Thought, signs: Signs) -> Span | None:
    """Return the mark of a changed estimate, with ``+?`` if the thought asks for more thoughts; None for neither."""
    more = "+?" if thought.needs_more else ""
    if not thought.marked_change:
        return Span(more, Role.ESTIMATE) if more else None
    before, after = thought.marked_change
    both = f"{before}{signs.changed}{after}"
    room = MAX_MARKS_CELLS - width(more)
    shown = both if width(both) <= room else cut(f"{signs.changed}{after}", room, signs.ellipsis)
    return Span(shown + more, Role.ESTIMATE)


def return_mark(session: Session, index: int, signs: Signs, *, has_words: bool) -> Span | None:
    """Return the mark of a thought that brings branches back, with the name of the only one; None for any other."""
    brought_back = session.branch_returns.brought_back_by(index)
    if not brought_back:
        return None
    if len(brought_back) > 1:
        words = " branches" if has_words else ""
        return Span(f"{signs.brings_back}{len(brought_back)}{words}", _MUTED)
    lane = session.lanes.get(brought_back[0])
    name = cut(first_line(lane.name or "") or "?", MAX_RETURN_NAME_CELLS, signs.ellipsis)
    return Span(signs.brings_back + (f" {name}" if has_words else ""), lane_role(lane))


def all_marks(session: Session, thought: Thought, signs: Signs, *, is_odd: bool, has_words: bool) -> Spans:
    """Return every mark of a thought but those of revisions, the most important first.

    ``is_odd`` says that it has an oddity.
    """
    marks = _loud_marks(session, thought, signs)
    brings_back = return_mark(session, thought.index, signs, has_words=has_words)
    if brings_back:
        marks.append(brings_back)
    return [*marks, *_quiet_marks(session, thought, signs, is_odd=is_odd)]


def _loud_marks(session: Session, thought: Thought, signs: Signs) -> Spans:
    verdict = session.thoughts.verdict_on(thought.index)
    marks: Spans = [audit_mark(verdict, signs)] if verdict is not None else []
    change = estimate_mark(thought, signs)
    return [*marks, change] if change else marks


def retraction_mark(signs: Signs) -> Span:
    """Return the mark of what takes something back, in its own words."""
    return Span(retraction_sign(signs), _REVISION)


def revised_by_mark(session: Session, index: int, signs: Signs, *, has_words: bool) -> Span | None:
    """Return the mark of a thought that was revised, None for any other: ``↻ by 6``, without words ``↻6``."""
    reviser = session.thoughts.reviser_of(index)
    if reviser == NONE:
        return None
    return Span(f"{signs.revised_by}{' by ' if has_words else ''}{session.thoughts.number_of(reviser)}", _REVISION)


def revises_mark(thought: Thought, signs: Signs) -> Span | None:
    """Return the mark of a revision that says what it revises, None for any other: ``↺2``, ``↺9?`` for no thought."""
    if not thought.revised_number:
        return None
    missing = "?" if thought.target == NONE else ""
    return Span(f"{signs.revision}{thought.revised_number}{missing}", _REVISION)


def _quiet_marks(session: Session, thought: Thought, signs: Signs, *, is_odd: bool) -> Spans:
    """Return the marks of what is odd about a thought, or kept with it."""
    marks: Spans = [retraction_mark(signs)] if thought.is_retraction else []
    if is_odd:
        marks.append(Span(signs.odd, _MUTED))
    if thought.is_repeat:
        marks.append(Span(f"{max(2, thought.occurrence)}{signs.times}", _MUTED))
    if session.thoughts.has_attached(thought.index, "note"):
        marks.append(Span(signs.note, Role.NOTE))
    if session.thoughts.has_attached(thought.index, "context"):
        marks.append(Span(signs.context, Role.NOTE))
    return marks


def row_marks(
    session: Session,
    thought: Thought,
    signs: Signs,
    *,
    is_odd: bool,
    max_marks: int,
    has_words: bool,
    has_arrow: bool = True,
) -> RowMarks:
    """Return the marks shown on a row: at most ``max_marks``, together at most `MAX_MARKS_CELLS` cells.

    With words, revisions have their column beside these. Without, they are among them, and a target is named only if
    there is none, or no arrow that leads to it.
    """
    if not is_odd and session.thoughts.is_plain(thought.index):
        return RowMarks([], [])
    by = revised_by_mark(session, thought.index, signs, has_words=has_words)
    revises = revises_mark(thought, signs)
    every = all_marks(session, thought, signs, is_odd=is_odd, has_words=has_words)
    if has_words:
        return RowMarks(_fitting(every, max_marks, signs), [mark for mark in (by, revises) if mark])
    loud, is_missing = len(_loud_marks(session, thought, signs)), thought.target == NONE
    first = [mark for mark in (revises if is_missing else None, by) if mark]
    last = [revises] if revises and not is_missing and not has_arrow else []
    shown = _fitting([*every[:loud], *first, *every[loud:], *last], max_marks, signs)
    revisions = [mark for mark in shown if mark in first or mark in last]
    return RowMarks([mark for mark in shown if mark not in revisions], revisions)


def _fitting(marks: Spans, max_marks: int, signs: Signs) -> Spans:
    """Return the first marks, as many as there is room for, the only one cut."""
    marks = marks[:max_marks]
    while len(marks) > 1 and _cells(marks, signs) > MAX_MARKS_CELLS:
        marks.pop()
    return [mark if _is_return(mark, signs) else _cut(mark, signs) for mark in marks]


def _cut(mark: Span, signs: Signs) -> Span:
    return Span(cut(mark.text, MAX_MARKS_CELLS, signs.ellipsis), mark.role)


def _is_return(mark: Span, signs: Signs) -> bool:
    return mark.text.startswith(signs.brings_back)


def _cells(marks: Spans, signs: Signs) -> int:
    """Return the cells of marks beside each other; of one for a branch that comes back only its sign counts."""
    return sum(1 if _is_return(mark, signs) else width(mark.text) for mark in marks) + len(marks) - 1
