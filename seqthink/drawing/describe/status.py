"""How a session is getting on, as sign, word and colour (docs/screens.md, "States")."""

from typing import TYPE_CHECKING

from msgspec import Struct

from seqthink.chain.attention import Attention, Doing, Standing, StuckReason, standing_of
from seqthink.chain.state import STALE_SECONDS, State
from seqthink.drawing.describe import units
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.spans import Role, Span, spans_text

# A list of sessions shows standings, and loads no fold for it.
if TYPE_CHECKING:
    from seqthink.chain.pending import QuestionKind
    from seqthink.chain.session import Session


class Status(Struct, frozen=True):
    """How a state is displayed."""

    sign: str
    word: str
    role: Role
    """The colour of sign and word."""


_STATES = {
    Attention.ASKING: State.THINKING,
    Attention.STUCK: State.THINKING,
    Attention.THINKING: State.THINKING,
    Attention.DONE: State.DONE,
    Attention.LOST: State.LOST,
    Attention.STOPPED: State.STOPPED,
    Attention.OPEN: State.UNKNOWN,
}


def status_of(
    state: State,
    signs: Signs,
    *,
    is_quiet: bool = False,
    asking: "QuestionKind | None" = None,
    is_auditing: bool = False,
) -> Status:
    """Return how to display a state. With ``is_quiet`` a thinking session is "quiet".

    A question to the user or the model, or a running audit, is shown instead.
    """
    if asking == "elicit":
        return Status(signs.attention, "asking you", Role.WARN)
    if is_auditing:
        return Status(signs.expected, "auditing", Role.ACCENT)
    if asking == "sample":
        return Status(signs.expected, "asking model", Role.ACCENT)
    if is_quiet and state is State.THINKING:
        return Status(signs.expected, "quiet", Role.MUTED)
    return {
        State.THINKING: Status(signs.thought, "thinking", Role.ACCENT),
        State.DONE: Status(signs.final, "done", Role.GOOD),
        State.LEFT: Status(signs.expected, "left", Role.MUTED),
        State.STOPPED: Status(signs.stopped, "stopped", Role.MUTED),
        State.LOST: Status(signs.refused, "lost", Role.BAD),
        State.UNKNOWN: Status(signs.expected, "open", Role.MUTED),
    }[state]


def standing_status(
    standing: Standing, signs: Signs = UNICODE, now: int | None = None, stale_seconds: int = STALE_SECONDS
) -> Status:
    """Return how a standing is displayed, wherever a session is named; without ``now`` (microseconds) none is quiet."""
    if standing.needs_person:
        word = "asking you" if standing.attention is Attention.ASKING else "stuck"
        return Status(signs.attention, word, Role.WARN)
    if standing.attention is Attention.THINKING and standing.doing is Doing.WAITING:
        return Status(signs.expected, "waiting", Role.MUTED)
    return status_of(
        _STATES[standing.attention],
        signs,
        is_quiet=now is not None and now - standing.since > stale_seconds * 1_000_000,
        asking="sample" if standing.doing is Doing.SAMPLING else None,
        is_auditing=standing.doing is Doing.AUDITING,
    )


def stuck_reason(standing: Standing, signs: Signs = UNICODE, now: int | None = None) -> str:
    """Return why a session is stuck, as in ``silent 6m``; "" if it is not."""
    match standing.reason:
        case StuckReason.SILENT:
            return "silent" if now is None else f"silent {units.age(now, standing.since)}"
        case StuckReason.REPEATING:
            return f"same thought {standing.numbers[-1]}{signs.times}"
        case StuckReason.CIRCLING:
            return f"circling {' '.join(map(str, standing.numbers))}"
        case None:
            return ""


def counts_spans(needing: int, thinking: int, unread: int, signs: Signs = UNICODE) -> list[Span]:
    """Return how many sessions need the person, think, and are done and unread: ``▲1 ●4 ✓2``, without zeros."""
    kinds = (
        (signs.attention, needing, Role.WARN),
        (signs.thought, thinking, Role.ACCENT),
        (signs.final, unread, Role.GOOD),
    )
    found = [Span(f"{sign}{number}", role) for sign, number, role in kinds if number]
    return [span for place, shown in enumerate(found) for span in ([Span(" ")] if place else []) + [shown]]


def counts_text(needing: int, thinking: int, unread: int, signs: Signs = UNICODE) -> str:
    """Return the same as text."""
    return spans_text(counts_spans(needing, thinking, unread, signs))


def standing_words(
    standing: Standing, signs: Signs = UNICODE, now: int | None = None, stale_seconds: int = STALE_SECONDS
) -> str:
    """Return a standing in words: ``asking you 2m``, ``stuck: silent 6m``, ``thinking 12s``, ``done 4m ago``."""
    word = standing_status(standing, signs, now, stale_seconds).word
    reason = stuck_reason(standing, signs, now)
    return f"{word}: {reason}" if reason else word_with_age(word, standing.since, now)


def session_status(
    session: "Session", now: int | None, stale_seconds: int = STALE_SECONDS, signs: Signs = UNICODE
) -> Status:
    """Return the status of a session, which is never stuck; without ``now`` (microseconds) none is quiet."""
    return standing_status(plain_standing(session), signs, now, stale_seconds)


def plain_standing(session: "Session") -> Standing:
    """Return how a session stands as it is without a clock: it is never stuck."""
    from seqthink.drawing.describe.session import last_activity  # noqa: PLC0415 - as said above

    found = standing_of(session, last_activity(session), 0, 0)
    if found.attention is Attention.STUCK:
        return Standing(Attention.THINKING, since=found.since)
    return found


def word_with_age(word: str, newest: int, now: int | None) -> str:
    """Return a status word and how long ago its session was active: ``thinking 12s``, ``done 4m ago``.

    ``newest`` is the time of the last activity, ``now`` the current time, both in microseconds; without either there
    is no age.
    """
    if now is None or not newest:
        return word
    age = units.age(now, newest)
    is_ago = word == State.DONE and age != "now" and "-" not in age
    return f"{word} {age} ago" if is_ago else f"{word} {age}"
