"""Which calls a row stands for, when it is asked what they changed in files."""

from collections.abc import Iterable

from seqthink.chain.model import NONE, AsideKind
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.events import ActionEvent


def calls_of_aside(texts: SessionTexts, session: Session, ordinal: int) -> list[str]:
    """Return the clients' ids of the calls of a row of actions; of any other row, of those that follow it.

    They follow it up to the next thought of its lane. ``session`` is that of ``texts``, or an earlier position of it.
    """
    aside = session.asides.get(ordinal)
    if aside.kind is AsideKind.ACTIONS or aside.thought_above == NONE:
        return _calls_of(texts, session, [ordinal])
    behind = session.asides.all_after(aside.thought_above)
    return _calls_of(texts, session, (one for one in behind if one > ordinal))


def calls_after_thought(texts: SessionTexts, session: Session, index: int) -> list[str]:
    """Return the clients' ids of the calls between a thought and the next of its lane, in order."""
    return _calls_of(texts, session, session.asides.all_after(index))


def has_calls(session: Session, *, thought: int, aside: int) -> bool:
    """Return whether there are calls for the row of a thought or an aside; the other one is NONE."""
    above = thought if aside == NONE else session.asides.get(aside).thought_above
    if aside != NONE and session.asides.get(aside).kind is AsideKind.ACTIONS:
        return True
    behind = session.asides.all_after(above) if above != NONE else ()
    return any(session.asides.get(one).kind is AsideKind.ACTIONS for one in behind if one > aside)


def _calls_of(texts: SessionTexts, session: Session, ordinals: Iterable[int]) -> list[str]:
    items = (
        item
        for ordinal in ordinals
        if session.asides.get(ordinal).kind is AsideKind.ACTIONS
        for item in session.asides.items_of(ordinal)
    )
    events = (texts.event(item.offset, item.size) for item in items)
    return [event.call for event in events if isinstance(event, ActionEvent) and event.call]
