"""Audits, and the structured answers of models, as lines (docs/screens.md, "Audit verdicts")."""

from collections.abc import Collection, Iterator

from seqthink.chain.model import Attachment
from seqthink.core.events import AuditEvent, AuditingEvent
from seqthink.core.text import sanitize
from seqthink.drawing.describe.audits import (
    ReviewComment,
    answer_heading,
    answer_scores,
    audit_progress,
    diff_of,
    judge_facts,
    judge_notes,
    remaining_summary,
    review_comments,
    score_role,
    scored_dimensions,
)
from seqthink.drawing.describe.json_values import MAX_TEXT_CHARS, JsonObject, as_line, as_list, as_object
from seqthink.drawing.markup.unified_diff import unified_diff_lines
from seqthink.drawing.text.cells import cut, pad, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_width
from seqthink.drawing.text.wrap import wrap

MAX_BAR_CELLS, MIN_BAR_CELLS, SCORE_CELLS = 20, 4, 5
"""Width of a bar, and of the score after it."""


def progress_lines(audit: AuditingEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield the progress of a running audit: a bar, then what it is doing."""
    done, steps = audit_progress(audit)
    count_text = f"  {done} of {steps}"
    bar = max(MIN_BAR_CELLS, min(MAX_BAR_CELLS, cells - len(count_text) - 2))
    filled = done * bar // steps
    spans = [Span(signs.bars[0] * filled, Role.ACCENT), Span(signs.bars[1] * (bar - filled), Role.LINE)]
    yield clip([Span(" "), *spans, Span(count_text)], cells)
    yield from _text(audit.doing, cells, Role.MUTED)


def audit_lines(attachment: Attachment, audit: AuditEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield the findings of an audit, its judges and its proposed diff."""
    review = as_object(audit.review)
    details = as_object(review.get("review"))
    if audit.error:
        yield from _text(audit.error, cells, Role.MUTED)
    bars = list(_bars(review, cells, signs))
    comments = list(_comment_lines(review_comments(details.get("inline")), cells))
    judges = _judges(attachment, review, cells)
    yield from bars
    if bars and comments and not judges:
        yield []
    yield from comments
    if rest := remaining_summary(review):
        yield from _text(rest, cells)
    for citation in as_list(details.get("citations")):
        yield from _text(as_line(citation), cells, Role.MUTED)
    if judges:
        yield []
        yield from judges
    if review.get("proposed_diff"):
        yield []
        yield [Span(" proposed:", Role.MUTED)]
        yield from unified_diff_lines(sanitize(str(review["proposed_diff"])[:MAX_TEXT_CHARS]), cells - 1)


def answer_lines(first: Spans, answer: JsonObject, shown_diffs: Collection[str], cells: int) -> Iterator[Spans]:
    """Yield a model's review or diff behind ``first``, the model's name; a diff in ``shown_diffs`` is only named."""
    diff = diff_of(answer)
    yield from hanging_indent(
        first, wrap_spans([Span(answer_heading(answer, shown_diffs))], max(2, cells - spans_width(first) - 1))
    )
    if scores := "   ".join(answer_scores(answer)):
        yield from hanging_indent([Span(" ")], wrap_spans([Span(scores, Role.MUTED)], cells - 2))
    yield from _comment_lines(review_comments(answer.get("inline")), cells)
    if diff and diff not in shown_diffs:
        yield from unified_diff_lines(sanitize(diff[:MAX_TEXT_CHARS]), cells - 1)


def _bars(review: JsonObject, cells: int, signs: Signs) -> Iterator[Spans]:
    scored = scored_dimensions(review)
    longest = min(max((width(name) for name, _ in scored), default=0), cells // 3)
    bar = max(MIN_BAR_CELLS, min(MAX_BAR_CELLS, cells - longest - SCORE_CELLS - 4))
    for name, score in scored:
        filled = (score * bar + 50) // 100
        yield clip(
            [
                Span(f" {pad(name, longest)}  "),
                Span(signs.bars[0] * filled, score_role(score)),
                Span(signs.bars[1] * (bar - filled), Role.LINE),
                Span(f"{score:>{SCORE_CELLS}}"),
            ],
            cells,
        )


def _comment_lines(comments: list[ReviewComment], cells: int) -> Iterator[Spans]:
    for comment in comments:
        location = cut(comment.location, max(8, cells - 4))
        yield from hanging_indent(
            [Span(" ")], wrap_spans([Span(location, Role.MUTED), Span("  "), Span(comment.text)], cells - 2)
        )


def _judges(attachment: Attachment, review: JsonObject, cells: int) -> list[Spans]:
    """Return the judges with their scores, and what they remarked."""
    lines: list[Spans] = [
        [Span(f" {line}", Role.MUTED)] for line in _packed(judge_facts(attachment, review), cells - 2)
    ]
    for note in judge_notes(review):
        lines += _text(note, cells, Role.MUTED)
    return lines


def _packed(texts: list[str], cells: int) -> Iterator[str]:
    """Yield ``texts`` side by side in as few lines as possible; a text longer than a line is broken."""
    line = ""
    for text in texts:
        longer = f"{line}   {text}" if line else text
        if line and width(longer) > cells:
            yield line
            longer = text
        line = longer
        if width(line) > cells:
            *full, line = wrap(line, cells)
            yield from full
    if line:
        yield line


def _text(text: str, cells: int, role: Role = Role.TEXT) -> Iterator[Spans]:
    for line in wrap(sanitize(text[:MAX_TEXT_CHARS]), cells - 2):
        yield [Span(" "), Span(line, role)]
