"""Findings, cards and the combined review (docs/audit.md, "Verdict"). Pure.

A finding costs points of its dimension, less in a long source than in a short one. A judge's score is the mean of its
dimensions, the overall score that of all judges. Fatal findings (broken syntax, a diff that does not apply, a secret)
reject whatever the score. Code that was not read has no score; only findings in it count.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.unread_lines import UnreadLines, unread_sentences
from seqthink.core.redaction import MAX_QUOTE_CHARS, quote_safely

Dimension = Literal["correctness", "security", "clarity"]
Verdict = Literal["pass", "revise", "reject"]

DIMENSIONS: Final[tuple[Dimension, ...]] = ("correctness", "security", "clarity")
MINOR, SERIOUS, GRAVE, FATAL = 16, 50, 80, 100
"""What a finding costs its dimension, of 100: with three of them, one serious finding misses the default threshold."""
FULL_COST_LINES: Final = 50
SERIOUS_FULL_COST_LINES: Final = 100
SECURITY_FULL_COST_LINES: Final = 150
"""Lines up to which a finding costs all its points: a minor one, a serious one, and a serious one of security. In a
source of twice as many it costs half: sound modules of a thousand lines have a few such findings each."""
MAX_CORRECTNESS: Final = 90
"""The most that a judge gives for correctness that knows mistakes, but not what the code shall do."""
REJECT_BELOW: Final = 50
MAX_SUMMARY_CHARS: Final = 2000
MAX_NOTES_CHARS: Final = 2000
MAX_PATH_CHARS: Final = 200
MAX_COMMENT_CHARS: Final = 500
"""Longer paths, comments, notes and summaries are cut."""
_MAX_SCORE: Final = 100
_BEST: Final[Mapping[str, int]] = {"correctness": MAX_CORRECTNESS, "security": _MAX_SCORE, "clarity": _MAX_SCORE}


class CodeFinding(Struct, frozen=True, kw_only=True):
    """Something to do about one line."""

    path: str
    line: int
    """In the file, or in the thought if ``path`` is ``THOUGHT_PATH``; from 1."""
    comment: str
    """What is wrong and what to do about it."""
    dimension: Dimension = "correctness"
    cost: int = 0
    """Points that it costs its dimension in a short source; 0 for a model's, which gives its own score."""
    is_fatal: bool = False
    """Whether it rejects the code whatever the score."""


class JudgeCard(Struct, frozen=True, kw_only=True):
    """The opinion of one judge."""

    model: str
    """The judge's name: "internal" or a model."""
    score: int
    """0 to 100."""
    notes: str = ""
    dimensions: Mapping[str, int] = {}
    """Score of each dimension, 0 to 100."""
    findings: tuple[CodeFinding, ...] = ()
    proposed_diff: str | None = None
    """A diff that the judge offers."""
    read_units: tuple[CodeUnit, ...] = ()
    """The code that the opinion covers."""
    unread: tuple[UnreadLines, ...] = ()
    """Lines that it does not cover."""
    looked_for: str = ""
    """What the judge looked for, in words; "": a model, which does not say."""
    best_score: int = _MAX_SCORE
    """The score of code in which the judge finds nothing."""

    @property
    def full_notes(self) -> str:
        """What was not judged, followed by the notes."""
        return " ".join(filter(None, [*unread_sentences(self.unread, self.model), self.notes]))


def card_from_findings(
    model: str,
    findings: Sequence[CodeFinding],
    notes: str = "",
    *,
    read_units: Sequence[CodeUnit],
    unread: Sequence[UnreadLines] = (),
    max_findings: int | None = None,
    looked_for: str = "",
) -> JudgeCard:
    """Return the card for ``findings``; if nothing was read, it scores only the dimensions with findings.

    All ``findings`` count; only the first ``max_findings`` are listed.
    """
    scores = _scores(findings, _line_counts(read_units))
    if not read_units:
        scores = {finding.dimension: scores[finding.dimension] for finding in findings}
    return JudgeCard(
        model=model, score=_score(scores), notes=notes, dimensions=scores, findings=tuple(findings[:max_findings]),
        read_units=tuple(read_units), unread=tuple(unread), looked_for=looked_for, best_score=_score(_BEST),
    )  # fmt: skip


def justifies_verdict(card: JudgeCard, threshold: float) -> bool:
    """Return whether ``card`` allows a verdict: something was read, or its findings alone prevent a pass."""
    misses = _score(_scores(card.findings, {})) < min(threshold, card.best_score)
    return bool(card.read_units) or has_fatal([card]) or misses


def _scores(findings: Iterable[CodeFinding], line_counts: Mapping[str, int]) -> dict[str, int]:
    """Return the score of each dimension; ``line_counts`` has the number of judged lines by path."""
    points: dict[Dimension, float] = dict.fromkeys(DIMENSIONS, _MAX_SCORE)
    for finding in findings:
        points[finding.dimension] -= _cost(finding, line_counts.get(finding.path, 1))
    return {name: min(_BEST[name], max(0, round(points[name]))) for name in DIMENSIONS}


def _cost(finding: CodeFinding, line_count: int) -> float:
    """Return the points that ``finding`` costs in a source of this many lines (docs/audit.md, "Judges")."""
    if finding.is_fatal or finding.cost >= GRAVE:
        return finding.cost
    full_cost_lines = FULL_COST_LINES
    if finding.cost >= SERIOUS:
        full_cost_lines = SECURITY_FULL_COST_LINES if finding.dimension == "security" else SERIOUS_FULL_COST_LINES
    return finding.cost * min(1, full_cost_lines / line_count)


def _line_counts(units: Iterable[CodeUnit]) -> dict[str, int]:
    """Return the number of judged lines that are not blank, by path."""
    counts = Counter[str]()
    for unit in units:
        lines = enumerate(unit.text.split("\n"), unit.first_line)
        counts[unit.path] += sum(unit.is_new(number) and not line.isspace() for number, line in lines if line)
    return {path: max(1, count) for path, count in counts.items()}


def _score(scores: Mapping[str, int]) -> int:
    return round(sum(scores.values()) / len(scores)) if scores else 0


class AuditReview(Struct, frozen=True, kw_only=True):
    """The combined review of all judges."""

    overall: int
    """Mean score of all judges, 0 to 100."""
    verdict: Verdict
    cards: tuple[JudgeCard, ...]
    summary: str
    citations: tuple[str, ...] = ()
    """``repo://`` links to the workspace lines that were judged."""
    proposed_diff: str | None = None
    """The best diff of the improvement loop."""
    iterations: int = 1
    """Cycles of the improvement loop, at least 1."""

    def fields(self) -> dict[str, Any]:
        """Return the GanReview as the answer and the journal spell it (docs/audit.md, "The answer")."""
        findings = [finding for card in self.cards for finding in card.findings]
        return {
            "overall": self.overall,
            "dimensions": [{"name": name, "score": score} for name, score in _mean_dimensions(self.cards).items()],
            "verdict": self.verdict,
            "review": {
                "summary": self.summary,
                "inline": [_inline(finding) for finding in findings],
                "citations": [quote_safely(link, MAX_COMMENT_CHARS) for link in self.citations],
            },
            "proposed_diff": self.proposed_diff,
            "iterations": self.iterations,
            "judge_cards": [
                {"model": card.model, "score": card.score}
                | ({"notes": quote_safely(card.full_notes, MAX_NOTES_CHARS)} if card.full_notes else {})
                for card in self.cards
            ],
        }


def _inline(finding: CodeFinding) -> dict[str, Any]:
    return {
        "path": quote_safely(finding.path, MAX_PATH_CHARS),
        "line": finding.line,
        "comment": quote_safely(finding.comment, MAX_COMMENT_CHARS),
    }


def mean_score(cards: Sequence[JudgeCard]) -> float:
    """Return the mean score of ``cards``; at least one."""
    return sum(card.score for card in cards) / len(cards)


def has_fatal(cards: Sequence[JudgeCard]) -> bool:
    """Return whether a judge has a fatal finding."""
    return any(finding.is_fatal for card in cards for finding in card.findings)


def passes(cards: Sequence[JudgeCard], threshold: float) -> bool:
    """Return whether code with these cards, at least one, passes.

    Without a finding it does, whatever the threshold: nobody could do more for it.
    """
    return not has_fatal(cards) and round(mean_score(cards)) >= max(REJECT_BELOW, min(threshold, _best_score(cards)))


def _best_score(cards: Sequence[JudgeCard]) -> int:
    return round(sum(card.best_score for card in cards) / len(cards))


def combine_cards(
    cards: Sequence[JudgeCard],
    *,
    threshold: float,
    notes: Sequence[str] = (),
    citations: Sequence[str] = (),
    proposed_diff: str | None = None,
    iterations: int = 1,
) -> AuditReview:
    """Return the review that combines ``cards``, at least one; ``notes`` are sentences for the summary."""
    overall = round(mean_score(cards))
    verdict: Verdict = "pass" if passes(cards, threshold) else "revise"
    if has_fatal(cards) or overall < REJECT_BELOW:
        verdict = "reject"
    return AuditReview(
        overall=overall,
        verdict=verdict,
        cards=tuple(cards),
        summary=_summary(cards, verdict, threshold, notes),
        citations=tuple(citations),
        proposed_diff=proposed_diff,
        iterations=iterations,
    )


def _mean_dimensions(cards: Sequence[JudgeCard]) -> dict[str, int]:
    names = dict.fromkeys(name for card in cards for name in card.dimensions)
    scores = {name: [card.dimensions[name] for card in cards if name in card.dimensions] for name in names}
    return {name: round(sum(values) / len(values)) for name, values in scores.items()}


def _summary(cards: Sequence[JudgeCard], verdict: Verdict, threshold: float, notes: Sequence[str]) -> str:
    sentences = [f"{verdict.capitalize()}.", *_finding_sentences(cards)]
    if verdict == "pass":
        sentences += _clean_sentences(cards)
        if threshold > _best_score(cards):
            sentences.append(f"A threshold above {_best_score(cards)} counts as {_best_score(cards)}.")
    elif not any(card.findings for card in cards):
        limit = f"below {REJECT_BELOW}" if verdict == "reject" else f"below the threshold of {threshold:g}"
        sentences.append(f"The score of {round(mean_score(cards))} is {limit}, and no judge names a line.")
    card_notes = as_sentences([card.full_notes for card in cards if card.full_notes], MAX_SUMMARY_CHARS // 3)
    return quote_safely(" ".join([*sentences, *card_notes, *as_sentences(notes)]), MAX_SUMMARY_CHARS)


def _finding_sentences(cards: Sequence[JudgeCard]) -> list[str]:
    findings = [finding for card in cards for finding in card.findings]
    if not findings:
        return []
    worst = sorted(findings, key=lambda finding: (not finding.is_fatal, -finding.cost))[:3]
    sentence = f"{len(findings)} to look at: " + "; ".join(map(finding_in_short, worst))
    return [sentence + ("; and more." if len(findings) > len(worst) else ".")]


def _clean_sentences(cards: Sequence[JudgeCard]) -> list[str]:
    """Return what was looked for, and by whom nothing was found: a pass claims no more."""
    has_findings = any(card.findings for card in cards)
    known = "Nothing else found" if has_findings else "No known mistake found"
    return [
        f"Looked for: {card.looked_for}. {known}; behaviour was not checked."
        if card.looked_for
        else f"{quote_safely(card.model, MAX_PATH_CHARS)} names no line."
        for card in cards
        if card.looked_for or not card.findings
    ]


def finding_in_short(finding: CodeFinding) -> str:
    """Return place and comment of ``finding`` in short."""
    return f"{quote_safely(finding.path, MAX_PATH_CHARS)}:{finding.line} {quote_safely(finding.comment).rstrip('.')}"


def as_sentences(notes: Sequence[str], max_chars: int = MAX_QUOTE_CHARS) -> list[str]:
    """Return ``notes`` as safe sentences: on one line, secrets redacted, cut, with a full stop."""
    lines = [quote_safely(note, max_chars) for note in notes]
    return [line if line.endswith((".", "!", "?", "…")) else line + "." for line in lines]
