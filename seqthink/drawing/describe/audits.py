"""What is said of a review: verdict, scores, comments, judges, the diff (docs/screens.md, "Audit verdicts").

A review is the one that an audit ended with, or a model's structured answer in the same form. All of it is untrusted.
"""

from collections.abc import Collection
from typing import NamedTuple

from seqthink.chain.model import Attachment
from seqthink.core.events import AuditEvent, AuditingEvent
from seqthink.drawing.describe import units
from seqthink.drawing.describe.json_values import JsonObject, as_line, as_list, as_object
from seqthink.drawing.describe.marks import audit_mark
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Role, Span, Spans

MIN_GOOD_SCORE, MIN_FAIR_SCORE = 85, 60
"""From the first on a score is good, below the second it is bad."""
MAX_STEPS = 9999
"""Steps of an audit that are counted; a journal may name any number."""
NEXT_THOUGHT_FORCED = "next thought forced"
"""The beginning of what is said of a verdict after which the answer asks for another thought."""


class ScoredDimension(NamedTuple):
    """One dimension of a review."""

    name: str
    score: int
    """From 0 to 100."""


class ReviewComment(NamedTuple):
    """A comment on one place of the reviewed code."""

    location: str
    """Path, and line if the review names one: ``app.py:12``."""
    text: str


def verdict_span(attachment: Attachment, signs: Signs) -> Span:
    """Return the verdict of an audit that has one, with its sign and score: ``✓92 pass``."""
    mark = audit_mark(attachment, signs)
    return Span(f"{mark.text} {attachment.verdict}", mark.role)


def verdict_spans(attachment: Attachment, signs: Signs) -> Spans:
    """Return the verdict of an audit in words."""
    label = Span("audit ", Role.MUTED)
    if not attachment.verdict:
        return [label, Span("no verdict", Role.MUTED)]
    mark = audit_mark(attachment, signs)
    return [label, mark, Span(f" {attachment.verdict}", mark.role)]


def audit_title(attachment: Attachment, audit: AuditEvent, signs: Signs) -> tuple[Spans, str]:
    """Return the title of an audit, and the text at its right: the judges and how long they took."""
    review, config = as_object(audit.review), as_object(audit.config)
    title = verdict_spans(attachment, signs)
    if attachment.verdict:
        threshold = config.get("threshold")
        if attachment.verdict != "pass" and isinstance(threshold, int | float):
            title.append(Span(f" {signs.separator} threshold {threshold:g}", Role.MUTED))
    judges = len(as_list(review.get("judge_cards")))
    facts = [units.count(judges, "judge")] if judges else []
    facts += [units.duration_ms(audit.durationMs)] if audit.durationMs is not None else []
    return title, f" {signs.separator} ".join(facts)


def audit_progress(audit: AuditingEvent) -> tuple[int, int]:
    """Return how many steps of a running audit are done, and of how many, both within bounds."""
    steps = max(1, min(audit.steps, MAX_STEPS))
    return max(0, min(audit.done, steps)), steps


def progress_span(audit: AuditingEvent) -> Span:
    """Return the progress of a running audit in words."""
    done, steps = audit_progress(audit)
    return Span(f"auditing, {done} of {steps}", Role.ACCENT)


def scored_dimensions(review: JsonObject) -> list[ScoredDimension]:
    """Return the dimensions of a review that have a score."""
    dimensions = [as_object(item) for item in as_list(review.get("dimensions"))]
    named = [(as_line(item.get("name")), item.get("score")) for item in dimensions]
    return [
        ScoredDimension(name, min(100, max(0, round(score))))
        for name, score in named
        if isinstance(score, int | float) and abs(score) < 1e6
    ]


def score_role(score: int) -> Role:
    """Return the colour of a score: good, fair or bad."""
    return Role.GOOD if score >= MIN_GOOD_SCORE else Role.REVISION if score >= MIN_FAIR_SCORE else Role.BAD


def review_comments(inline: object) -> list[ReviewComment]:
    """Return the comments that the field ``inline`` of a review holds."""
    comments: list[ReviewComment] = []
    for comment in map(as_object, as_list(inline)):
        line = f":{as_line(comment.get('line'))}" if comment.get("line") else ""
        comments.append(ReviewComment(as_line(comment.get("path")) + line, as_line(comment.get("comment"))))
    return comments


def remaining_summary(review: JsonObject) -> str:
    """Return the part of the summary that neither the comments nor the judges' notes repeat."""
    details = as_object(review.get("review"))
    summary, comments = as_line(details.get("summary")), [as_object(item) for item in as_list(details.get("inline"))]
    if not comments:
        return summary
    end = 0
    for comment in comments:
        path, line, text = (as_line(comment.get(key)) for key in ("path", "line", "comment"))
        quoted = f"{path}:{line} {text.rstrip('.')}"
        end = max(end, summary.find(quoted) + len(quoted)) if quoted in summary else end
    rest = summary[end:].removeprefix("; and more").removeprefix(".").strip() if end else ""
    if is_internal_pass(review):
        return rest
    for card in map(as_object, as_list(review.get("judge_cards"))):
        rest = rest.replace(as_line(card.get("notes")), "").strip() if card.get("notes") else rest
    return rest


def is_internal_pass(review: JsonObject) -> bool:
    """Return whether the only judge was the internal one and it passed; then nothing is said of judges."""
    cards = [as_object(item).get("model") for item in as_list(review.get("judge_cards"))]
    return review.get("verdict") == "pass" and cards == ["internal"]


def judge_facts(attachment: Attachment, review: JsonObject, *, has_rounds: bool = True) -> list[str]:
    """Return each judge with its score, the number of rounds, and whether a next thought is forced."""
    if is_internal_pass(review):
        return []
    cards, rounds = map(as_object, as_list(review.get("judge_cards"))), as_line(review.get("iterations"))
    return [
        *(f"{as_line(card.get('model')) or '?'} {as_line(card.get('score'))}".rstrip() for card in cards),
        *([f"{rounds} rounds"] if has_rounds and rounds not in {"", "0", "1"} else []),
        *([f"{NEXT_THOUGHT_FORCED}: yes"] if attachment.verdict in {"revise", "reject"} else []),
    ]


def judge_notes(review: JsonObject) -> list[str]:
    """Return what each judge remarked, behind its name."""
    if is_internal_pass(review):
        return []
    cards = [as_object(card) for card in as_list(review.get("judge_cards"))]
    return [
        f"{as_line(card.get('model'))}: {as_line(card.get('notes'))}" for card in cards if as_line(card.get("notes"))
    ]


def diff_of(answer: JsonObject) -> str:
    """Return the diff in an answer or a review, or ""."""
    diff = answer.get("diff", answer.get("proposed_diff"))
    return diff if isinstance(diff, str) else ""


def is_review_or_diff(answer: JsonObject) -> bool:
    """Return whether a model's answer has a diff or an overall score, and is said as a review."""
    return isinstance(answer.get("diff"), str) or "overall" in answer


def answer_heading(answer: JsonObject, shown_diffs: Collection[str]) -> str:
    """Return the first line of such an answer: its score and summary, or which diff it is."""
    if "overall" in answer:
        return f"{_number(answer['overall'])}  {as_line(answer.get('summary'))}"
    return "the proposed diff" if diff_of(answer) in shown_diffs else "a diff"


def answer_scores(answer: JsonObject) -> list[str]:
    """Return the dimensions of such an answer with their scores, as they are written."""
    dimensions = [as_object(item) for item in as_list(answer.get("dimensions"))]
    return [f"{as_line(item.get('name'))} {_number(item.get('score'))}" for item in dimensions]


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float) else as_line(value)
