"""What one event says by itself, before anything that came earlier is looked at."""

from typing import Any

from seqthink.chain.session_columns import FLAG_FINAL, FLAG_NEEDS_MORE, FLAG_REPEAT, FLAG_REVISION
from seqthink.events import AuditEvent, ThoughtEvent


def is_same_call(one: ThoughtEvent, other: ThoughtEvent) -> bool:
    """Return whether two calls with the same number are one call and its retry."""
    return (
        one.thought == other.thought
        and one.nextThoughtNeeded == other.nextThoughtNeeded
        and one.totalThoughts == other.totalThoughts
        and one.isRevision == other.isRevision
        and one.revisesThought == other.revisesThought
        and one.branchFromThought == other.branchFromThought
        and (one.branchId or None) == (other.branchId or None)
        and one.needsMoreThoughts == other.needsMoreThoughts
    )


def thought_flags(event: ThoughtEvent, *, is_revision: bool, is_repeat: bool) -> int:
    """Return what is kept of a thought in one number."""
    answered = event.nextThoughtNeeded if event.answeredNext is None else event.answeredNext
    return (
        (FLAG_REVISION if is_revision else 0)
        | (FLAG_REPEAT if is_repeat else 0)
        | (0 if answered else FLAG_FINAL)
        | (FLAG_NEEDS_MORE if event.needsMoreThoughts else 0)
    )


def verdict_of(event: AuditEvent) -> tuple[str, int]:
    """Return an audit's verdict and score; no verdict where it failed, or says none that is known."""
    review: dict[str, Any] = event.review or {}
    verdict, score = review.get("verdict"), review.get("overall")
    if not isinstance(verdict, str) or verdict not in {"pass", "revise", "reject"}:
        return "", 0
    number = score if isinstance(score, int | float) and score == score else 0  # noqa: PLR0124 - NaN is not itself
    return verdict, round(max(0, min(100, number)))
