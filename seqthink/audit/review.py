"""What a judge says of code, and what all judges say together: the GanReview (gan-audit.md). Pure.

A finding costs its dimension points; a judge's score is the mean of its dimensions, and the review's the mean of the
judges'. What nobody may overlook (broken syntax, a diff that does not apply, a secret) rejects, whatever the score. Of
what was not read only the findings count: that there are none says nothing of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from seqthink.audit.sources import Source
from seqthink.audit.telling import A_NOTE, told
from seqthink.audit.unread import Unread, told_of

Dimension = Literal["correctness", "security", "clarity"]
Verdict = Literal["pass", "revise", "reject"]

DIMENSIONS: Final[tuple[Dimension, ...]] = ("correctness", "security", "clarity")
MINOR, SERIOUS, GRAVE, FATAL = 16, 50, 80, 100
"""What a finding costs its dimension: with three of them, one serious finding misses the default threshold."""
REJECT_BELOW: Final = 50
LONGEST_SUMMARY: Final = 2000
LONGEST_NOTES: Final = 2000
_LONGEST_PATH: Final = 200
_LONGEST_COMMENT: Final = 500
_PERFECT: Final = 100


class Finding(Struct, frozen=True, kw_only=True):
    """Something to do about one line: where, what, and how many points of which dimension it costs.

    A model's costs none: its score is its own.
    """

    path: str
    line: int
    comment: str
    dimension: Dimension = "correctness"
    cost: int = 0
    is_fatal: bool = False


class Card(Struct, frozen=True, kw_only=True):
    """One judge's opinion; ``read`` is the code that it is about, ``unread`` what of it, and what else, it is not."""

    model: str
    score: int
    notes: str = ""
    dimensions: Mapping[str, int] = {}
    findings: tuple[Finding, ...] = ()
    proposed_diff: str | None = None
    read: tuple[Source, ...] = ()
    unread: tuple[Unread, ...] = ()

    @property
    def told(self) -> str:
        """What was not judged, and the notes."""
        return " ".join(filter(None, [*told_of(self.unread, self.model), self.notes]))


def card(
    model: str,
    findings: Sequence[Finding],
    notes: str = "",
    *,
    read: Sequence[Source],
    unread: Sequence[Unread] = (),
) -> Card:
    """Return the opinion that ``findings`` come to; where nothing was read, it has no other side than theirs."""
    scores = _scores(findings)
    if not read:
        scores = {finding.dimension: scores[finding.dimension] for finding in findings}
    return Card(
        model=model, score=_score(scores), notes=notes, dimensions=scores, findings=tuple(findings), read=tuple(read),
        unread=tuple(unread),
    )  # fmt: skip


def is_earned(card: Card, threshold: float) -> bool:
    """Return whether a verdict follows from ``card``: something was read, or what was found lets nothing pass."""
    return bool(card.read) or has_fatal([card]) or _score(_scores(card.findings)) < threshold


def _scores(findings: Sequence[Finding]) -> dict[str, int]:
    scores: dict[str, int] = dict.fromkeys(DIMENSIONS, _PERFECT)
    for finding in findings:
        scores[finding.dimension] = max(0, scores[finding.dimension] - finding.cost)
    return scores


def _score(scores: Mapping[str, int]) -> int:
    return round(sum(scores.values()) / len(scores)) if scores else 0


class Review(Struct, frozen=True, kw_only=True):
    """What all judges say together."""

    overall: int
    verdict: Verdict
    cards: tuple[Card, ...]
    summary: str
    citations: tuple[str, ...] = ()
    proposed_diff: str | None = None
    iterations: int = 1

    def fields(self) -> dict[str, Any]:
        """Return the GanReview as the answer and the journal spell it."""
        findings = [finding for one in self.cards for finding in one.findings]
        return {
            "overall": self.overall,
            "dimensions": [{"name": name, "score": score} for name, score in _means(self.cards).items()],
            "verdict": self.verdict,
            "review": {
                "summary": self.summary,
                "inline": [_inline(one) for one in findings],
                "citations": [told(one, _LONGEST_COMMENT) for one in self.citations],
            },
            "proposed_diff": self.proposed_diff,
            "iterations": self.iterations,
            "judge_cards": [
                {"model": one.model, "score": one.score}
                | ({"notes": told(one.told, LONGEST_NOTES)} if one.told else {})
                for one in self.cards
            ],
        }


def _inline(finding: Finding) -> dict[str, Any]:
    return {
        "path": told(finding.path, _LONGEST_PATH),
        "line": finding.line,
        "comment": told(finding.comment, _LONGEST_COMMENT),
    }


def mean(cards: Sequence[Card]) -> float:
    """Return the score that ``cards``, at least one, come to."""
    return sum(one.score for one in cards) / len(cards)


def has_fatal(cards: Sequence[Card]) -> bool:
    """Return whether a judge found what no score makes up for."""
    return any(finding.is_fatal for one in cards for finding in one.findings)


def reviewed(
    cards: Sequence[Card],
    *,
    threshold: float,
    notes: Sequence[str] = (),
    citations: Sequence[str] = (),
    proposed_diff: str | None = None,
    iterations: int = 1,
) -> Review:
    """Return what ``cards``, at least one, come to; ``notes`` are sentences for the summary."""
    overall = round(mean(cards))
    verdict: Verdict = "pass" if overall >= threshold else "revise"
    if has_fatal(cards) or overall < REJECT_BELOW:
        verdict = "reject"
    return Review(
        overall=overall,
        verdict=verdict,
        cards=tuple(cards),
        summary=_summary(cards, verdict, notes),
        citations=tuple(citations),
        proposed_diff=proposed_diff,
        iterations=iterations,
    )


def _means(cards: Sequence[Card]) -> dict[str, int]:
    names = dict.fromkeys(name for one in cards for name in one.dimensions)
    scores = {name: [one.dimensions[name] for one in cards if name in one.dimensions] for name in names}
    return {name: round(sum(values) / len(values)) for name, values in scores.items()}


def _summary(cards: Sequence[Card], verdict: Verdict, notes: Sequence[str]) -> str:
    findings = [finding for one in cards for finding in one.findings]
    worst = sorted(findings, key=lambda one: (not one.is_fatal, -one.cost))[:3]
    if not findings:
        found = "Nothing to object to."
    else:
        found = f"{len(findings)} to look at: " + "; ".join(map(in_short, worst))
        found += "; and more." if len(findings) > len(worst) else "."
    said = {"pass": "Pass.", "revise": "Revise.", "reject": "Reject."}[verdict]
    own = [one.told for one in cards if one.told]
    return told(" ".join([said, found, *sentences(own, LONGEST_SUMMARY // 3), *sentences(notes)]), LONGEST_SUMMARY)


def in_short(finding: Finding) -> str:
    """Return where and what ``finding`` is, in a few words."""
    return f"{told(finding.path, _LONGEST_PATH)}:{finding.line} {told(finding.comment).rstrip('.')}"


def sentences(notes: Sequence[str], most: int = A_NOTE) -> list[str]:
    """Return ``notes`` as they are told: each in one line, without secrets, cut, and with a full stop."""
    lines = [told(note, most) for note in notes]
    return [line if line.endswith((".", "!", "?", "…")) else line + "." for line in lines]
