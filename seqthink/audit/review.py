"""What a judge says of code, and what all judges say together: the GanReview (gan-audit.md). Pure.

A finding costs its dimension points; a judge's score is the mean of its dimensions, and the review's the mean of the
judges'. What nobody may overlook (broken syntax, a diff that does not apply, a secret) rejects, whatever the score. Of
what was not read only the findings count: that there are none says nothing of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.quoting import MAX_NOTE_CHARS, quote_safely
from seqthink.audit.unread import UnreadLines, unread_sentences

Dimension = Literal["correctness", "security", "clarity"]
Verdict = Literal["pass", "revise", "reject"]

DIMENSIONS: Final[tuple[Dimension, ...]] = ("correctness", "security", "clarity")
MINOR, SERIOUS, GRAVE, FATAL = 16, 50, 80, 100
"""What a finding costs its dimension: with three of them, one serious finding misses the default threshold."""
REJECT_BELOW: Final = 50
MAX_SUMMARY_CHARS: Final = 2000
MAX_NOTES_CHARS: Final = 2000
_MAX_PATH_CHARS: Final = 200
_MAX_COMMENT_CHARS: Final = 500
_MAX_SCORE: Final = 100


class CodeFinding(Struct, frozen=True, kw_only=True):
    """Something to do about one line: where, what, and how many points of which dimension it costs.

    A model's costs none: its score is its own.
    """

    path: str
    line: int
    comment: str
    dimension: Dimension = "correctness"
    cost: int = 0
    is_fatal: bool = False


class JudgeCard(Struct, frozen=True, kw_only=True):
    """One judge's opinion; ``read`` is the code that it is about, ``unread`` what of it, and what else, it is not."""

    model: str
    score: int
    notes: str = ""
    dimensions: Mapping[str, int] = {}
    findings: tuple[CodeFinding, ...] = ()
    proposed_diff: str | None = None
    read_units: tuple[CodeUnit, ...] = ()
    unread: tuple[UnreadLines, ...] = ()

    @property
    def full_notes(self) -> str:
        """What was not judged, and the notes."""
        return " ".join(filter(None, [*unread_sentences(self.unread, self.model), self.notes]))


def card_from_findings(
    model: str,
    findings: Sequence[CodeFinding],
    notes: str = "",
    *,
    read_units: Sequence[CodeUnit],
    unread: Sequence[UnreadLines] = (),
) -> JudgeCard:
    """Return the opinion that ``findings`` come to; where nothing was read, it has no other side than theirs."""
    scores = _scores(findings)
    if not read_units:
        scores = {finding.dimension: scores[finding.dimension] for finding in findings}
    return JudgeCard(
        model=model, score=_score(scores), notes=notes, dimensions=scores, findings=tuple(findings),
        read_units=tuple(read_units), unread=tuple(unread),
    )  # fmt: skip


def justifies_verdict(card: JudgeCard, threshold: float) -> bool:
    """Return whether a verdict follows from ``card``: something was read, or what was found lets nothing pass."""
    return bool(card.read_units) or has_fatal([card]) or _score(_scores(card.findings)) < threshold


def _scores(findings: Sequence[CodeFinding]) -> dict[str, int]:
    scores: dict[str, int] = dict.fromkeys(DIMENSIONS, _MAX_SCORE)
    for finding in findings:
        scores[finding.dimension] = max(0, scores[finding.dimension] - finding.cost)
    return scores


def _score(scores: Mapping[str, int]) -> int:
    return round(sum(scores.values()) / len(scores)) if scores else 0


class AuditReview(Struct, frozen=True, kw_only=True):
    """What all judges say together."""

    overall: int
    verdict: Verdict
    cards: tuple[JudgeCard, ...]
    summary: str
    citations: tuple[str, ...] = ()
    proposed_diff: str | None = None
    iterations: int = 1

    def fields(self) -> dict[str, Any]:
        """Return the GanReview as the answer and the journal spell it."""
        findings = [finding for one in self.cards for finding in one.findings]
        return {
            "overall": self.overall,
            "dimensions": [{"name": name, "score": score} for name, score in _mean_dimensions(self.cards).items()],
            "verdict": self.verdict,
            "review": {
                "summary": self.summary,
                "inline": [_inline(one) for one in findings],
                "citations": [quote_safely(one, _MAX_COMMENT_CHARS) for one in self.citations],
            },
            "proposed_diff": self.proposed_diff,
            "iterations": self.iterations,
            "judge_cards": [
                {"model": one.model, "score": one.score}
                | ({"notes": quote_safely(one.full_notes, MAX_NOTES_CHARS)} if one.full_notes else {})
                for one in self.cards
            ],
        }


def _inline(finding: CodeFinding) -> dict[str, Any]:
    return {
        "path": quote_safely(finding.path, _MAX_PATH_CHARS),
        "line": finding.line,
        "comment": quote_safely(finding.comment, _MAX_COMMENT_CHARS),
    }


def mean_score(cards: Sequence[JudgeCard]) -> float:
    """Return the score that ``cards``, at least one, come to."""
    return sum(one.score for one in cards) / len(cards)


def has_fatal(cards: Sequence[JudgeCard]) -> bool:
    """Return whether a judge found what no score makes up for."""
    return any(finding.is_fatal for one in cards for finding in one.findings)


def combine_cards(
    cards: Sequence[JudgeCard],
    *,
    threshold: float,
    notes: Sequence[str] = (),
    citations: Sequence[str] = (),
    proposed_diff: str | None = None,
    iterations: int = 1,
) -> AuditReview:
    """Return what ``cards``, at least one, come to; ``notes`` are sentences for the summary."""
    overall = round(mean_score(cards))
    verdict: Verdict = "pass" if overall >= threshold else "revise"
    if has_fatal(cards) or overall < REJECT_BELOW:
        verdict = "reject"
    return AuditReview(
        overall=overall,
        verdict=verdict,
        cards=tuple(cards),
        summary=_summary(cards, verdict, notes),
        citations=tuple(citations),
        proposed_diff=proposed_diff,
        iterations=iterations,
    )


def _mean_dimensions(cards: Sequence[JudgeCard]) -> dict[str, int]:
    names = dict.fromkeys(name for one in cards for name in one.dimensions)
    scores = {name: [one.dimensions[name] for one in cards if name in one.dimensions] for name in names}
    return {name: round(sum(values) / len(values)) for name, values in scores.items()}


def _summary(cards: Sequence[JudgeCard], verdict: Verdict, notes: Sequence[str]) -> str:
    findings = [finding for one in cards for finding in one.findings]
    worst = sorted(findings, key=lambda one: (not one.is_fatal, -one.cost))[:3]
    if not findings:
        found = "Nothing to object to."
    else:
        found = f"{len(findings)} to look at: " + "; ".join(map(finding_in_short, worst))
        found += "; and more." if len(findings) > len(worst) else "."
    verdict_sentence = {"pass": "Pass.", "revise": "Revise.", "reject": "Reject."}[verdict]
    card_notes = [one.full_notes for one in cards if one.full_notes]
    return quote_safely(
        " ".join([verdict_sentence, found, *as_sentences(card_notes, MAX_SUMMARY_CHARS // 3), *as_sentences(notes)]),
        MAX_SUMMARY_CHARS,
    )


def finding_in_short(finding: CodeFinding) -> str:
    """Return where and what ``finding`` is, in a few words."""
    return f"{quote_safely(finding.path, _MAX_PATH_CHARS)}:{finding.line} {quote_safely(finding.comment).rstrip('.')}"


def as_sentences(notes: Sequence[str], max_chars: int = MAX_NOTE_CHARS) -> list[str]:
    """Return ``notes`` as they are told: each in one line, without secrets, cut, and with a full stop."""
    lines = [quote_safely(note, max_chars) for note in notes]
    return [line if line.endswith((".", "!", "?", "…")) else line + "." for line in lines]
