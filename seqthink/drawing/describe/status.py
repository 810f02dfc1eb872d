"""How a session is getting on, as sign, word and colour (docs/screens.md, "States")."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from seqthink.chain.attention import Standing, StuckReason, plain_standing
from seqthink.chain.overview.states import STATES, ShownState, counts_by_sign, counts_by_state, shown_state
from seqthink.chain.state import STALE_SECONDS, State
from seqthink.drawing.describe import units
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.spans import Role, Span, spans_text

# A list of sessions shows standings, and loads no fold for it.
if TYPE_CHECKING:
    from seqthink.chain.session import Session


class Status(Struct, frozen=True):
    """How a state is displayed."""

    sign: str
    word: str
    role: Role
    """The colour of sign and word."""


def state_status(state: ShownState, signs: Signs = UNICODE) -> Status:
    """Return how a state is displayed, wherever a session or a chain is named."""
    row = STATES[state]
    return Status(getattr(signs, row.sign), row.word, Role(row.role))


def standing_status(
    standing: Standing, signs: Signs = UNICODE, now: int | None = None, stale_seconds: int = STALE_SECONDS
) -> Status:
    """Return how a standing is displayed; without ``now`` (microseconds) none is quiet."""
    return state_status(shown_state(standing, now, stale_seconds), signs)


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


def counts_spans(states: Iterable[ShownState], signs: Signs = UNICODE, *, gap: str = " ") -> list[Span]:
    """Return how many of these states there are, by sign and without zeros: ``▲1 ●4 ○2 ✓2 ■1``."""
    counts = counts_by_sign(states)
    found = [Span(f"{getattr(signs, sign)}{number}", Role(role)) for (sign, role), number in counts.items()]
    return [span for place, shown in enumerate(found) for span in ([Span(gap)] if place else []) + [shown]]


def breakdown(states: Iterable[ShownState]) -> list[Span]:
    """Return what a group holds, each in its colour: ``3 thinking``, ``4 quiet``; of one kind alone its word."""
    counts = counts_by_state(states)
    return [
        Span(f"{count:,} {STATES[state].word}" if len(counts) > 1 else STATES[state].word, Role(STATES[state].role))
        for state, count in counts.items()
    ]


def counts_text(states: Iterable[ShownState], signs: Signs = UNICODE) -> str:
    """Return the same as text."""
    return spans_text(counts_spans(states, signs))


def standing_words(
    standing: Standing, signs: Signs = UNICODE, now: int | None = None, stale_seconds: int = STALE_SECONDS
) -> str:
    """Return a standing in words: ``asking you 2m``, ``stuck: silent 6m``, ``thinking 12s``, ``done 4m ago``."""
    word = standing_status(standing, signs, now, stale_seconds).word
    reason = stuck_reason(standing, signs, now)
    return f"{word}: {reason}" if reason else word_with_age(word, standing.since, now)


def standing_news(name: str, standing: Standing) -> str:
    """Return what a notification says of a session, as in ``shop-api is stuck: silent``."""
    news = f"{name} {STATES[shown_state(standing)].news}"
    reason = stuck_reason(standing)
    return f"{news}: {reason}" if reason else news


def session_status(
    session: "Session", now: int | None, stale_seconds: int = STALE_SECONDS, signs: Signs = UNICODE
) -> Status:
    """Return the status of a session, which is never stuck; without ``now`` (microseconds) none is quiet."""
    return standing_status(plain_standing(session), signs, now, stale_seconds)


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
