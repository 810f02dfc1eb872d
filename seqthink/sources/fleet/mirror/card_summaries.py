"""What lists draw of a session of a fleet, from its card alone."""

import re
from contextlib import suppress
from enum import StrEnum
from typing import TypeVar

from seqthink.chain.attention import Attention, Doing, Standing, StuckReason, attention_of
from seqthink.chain.columns.context_columns import ContextUse
from seqthink.chain.overview.work_place import last_part
from seqthink.chain.state import State
from seqthink.core.text import MAX_NEWEST_CHARS, MAX_TITLE_CHARS, SafeText, one_line, sanitize
from seqthink.drawing.describe.session import ListedPlace, ListedSession
from seqthink.sources.fleet.cards import Card, place_of
from seqthink.sources.fleet.layout import SessionName

_MAX_SHORT_CHARS = 40
"""Characters of a number or a progress that a list shows."""
_MAX_NAME_CHARS = 200
_CONTEXT = re.compile(r"([0-9]{1,15})/([0-9]{1,15})")
_Word = TypeVar("_Word", bound=StrEnum)
_Default = TypeVar("_Default")


def summary_of_card(
    name: SessionName, card: Card, *, alive: bool | None, now: int, changed: int, stuck_seconds: int
) -> ListedSession:
    """Return what lists show of a session.

    Args:
        name: the session.
        card: its card.
        alive: whether its server runs; None if that cannot be known.
        now: the time by our clock, in microseconds since 1970.
        changed: when we saw it change last, by our clock; 0 if we did not.
        stuck_seconds: seconds of silence after which a thinking session is stuck; 0 for never.
    """
    state = _state(card, alive)
    last = min(card.last, now)
    return ListedSession(
        session=name.session,
        last_change=last,
        name=one_line(card.name[:_MAX_NAME_CHARS]) or one_line(name.session),
        client=one_line(card.client[:_MAX_NAME_CHARS]),
        title=one_line(card.title[:MAX_TITLE_CHARS]),
        newest=SafeText(sanitize(card.newest[:MAX_NEWEST_CHARS])),
        newest_number=one_line(card.newest_number[:_MAX_SHORT_CHARS]),
        newest_time=min(card.newest_time, now),
        progress=one_line(card.progress[:_MAX_SHORT_CHARS]),
        context=_context(card.context),
        started=min(card.started, now),
        model=one_line(card.model[:_MAX_NAME_CHARS]),
        place=_place(card),
        state=state,
        standing=_standing(card, state, last, is_silent=_is_silent(now, changed, stuck_seconds)),
        alive=bool(alive),
        chains=card.chains,
        thoughts=card.thoughts,
        turns=card.turns,
        branches=card.branches,
        revisions=card.revisions,
        is_counted=True,
    )


def _context(text: str) -> ContextUse | None:
    """Return what the main agent uses of its context; None for a text that does not say it."""
    found = _CONTEXT.fullmatch(text)
    return ContextUse(int(found[1]), int(found[2]), "", 0) if found is not None else None


def _place(card: Card) -> ListedPlace:
    named = place_of(card)
    return ListedPlace(
        folder=one_line(card.cwd),
        repository=one_line(last_part(named.address)[:_MAX_NAME_CHARS]),
        address=one_line(named.address),
        branch=one_line(named.branch[:_MAX_NAME_CHARS]),
    )


def _state(card: Card, alive: bool | None) -> State:
    """Return the state of a session's newest chain: of one that is not done, what the heartbeats say."""
    state = _word(State, card.state, State.UNKNOWN)
    if state in {State.DONE, State.STOPPED, State.LEFT}:
        return state
    if card.ended:
        return State.STOPPED
    if alive is None:
        return State.UNKNOWN
    return State.THINKING if alive else State.LOST


def _standing(card: Card, state: State, last: int, *, is_silent: bool) -> Standing:
    attention, doing = _word(Attention, card.attention, Attention.OPEN), _word(Doing, card.doing, Doing.THINKING)
    if attention is Attention.ASKING and state is not State.LOST:
        return Standing(attention, since=last, question=one_line(card.question))
    if state is not State.THINKING and not (state is State.DONE and attention is Attention.THINKING):
        return Standing(attention_of(state), since=last, doing=doing)
    reason = _word(StuckReason, card.reason, None) if attention is Attention.STUCK else None
    if reason is None and is_silent and doing in {Doing.THINKING, Doing.ACTING}:
        reason = StuckReason.SILENT
    if reason is not None:
        return Standing(Attention.STUCK, reason, since=last)
    return Standing(Attention.THINKING, since=last, doing=doing)


def _is_silent(now: int, changed: int, stuck_seconds: int) -> bool:
    """Whether nothing came for long while we looked: by our own clock, never by that of its machine."""
    return bool(stuck_seconds and changed) and now - changed > stuck_seconds * 1_000_000


def _word(kind: type[_Word], text: str, default: _Default) -> _Word | _Default:
    with suppress(ValueError):
        return kind(text)
    return default
