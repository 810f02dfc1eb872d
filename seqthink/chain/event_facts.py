"""Facts that follow from one event alone, without the events before it."""

from typing import Any

from seqthink.chain.columns.session_columns import FLAG_FINAL, FLAG_NEEDS_MORE, FLAG_REPEAT, FLAG_REVISION
from seqthink.core.events import AuditEvent, ThoughtEvent


def is_same_call(first: ThoughtEvent, second: ThoughtEvent) -> bool:
    """Return whether two calls with the same number are a call and its retry."""
    return (
        first.thought == second.thought
        and first.nextThoughtNeeded == second.nextThoughtNeeded
        and first.totalThoughts == second.totalThoughts
        and first.isRevision == second.isRevision
        and first.revisesThought == second.revisesThought
        and first.branchFromThought == second.branchFromThought
        and (first.branchId or None) == (second.branchId or None)
        and first.needsMoreThoughts == second.needsMoreThoughts
    )


def revises(event: ThoughtEvent) -> bool:
    """Return whether a thought is a revision."""
    return bool(event.isRevision or (event.revisesThought and event.isRevision is None))


def thought_flags(event: ThoughtEvent, *, is_revision: bool, is_repeat: bool) -> int:
    """Pack a thought's yes-or-no properties into a bit mask of ``FLAG_…`` values."""
    answered = event.nextThoughtNeeded if event.answeredNext is None else event.answeredNext
    return (
        (FLAG_REVISION if is_revision else 0)
        | (FLAG_REPEAT if is_repeat else 0)
        | (0 if answered else FLAG_FINAL)
        | (FLAG_NEEDS_MORE if event.needsMoreThoughts else 0)
    )


def verdict_of(event: AuditEvent) -> tuple[str, int]:
    """Return an audit's verdict ("pass", "revise", "reject") and score (0 to 100); ("", 0) without a known verdict."""
    review: dict[str, Any] = event.review or {}
    verdict, score = review.get("verdict"), review.get("overall")
    if not isinstance(verdict, str) or verdict not in {"pass", "revise", "reject"}:
        return "", 0
    finite_score = score if isinstance(score, int | float) and score == score else 0  # noqa: PLR0124 - NaN is not itself
    return verdict, round(max(0, min(100, finite_score)))
