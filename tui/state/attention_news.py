"""Which sessions have just come to need the person, or have ended: what rings, and what it says. Time comes in."""

from collections.abc import Sequence

from seqthink.chain.attention import Attention
from seqthink.chain.overview.states import STATES, shown_state
from seqthink.core.text import plain_line
from seqthink.drawing.describe.status import standing_news
from seqthink.drawing.text.cells import cut
from tui.state.next_session import SessionNeed

ALERT_SECONDS = 3.0
"""The shortest pause between two notifications."""
AGAIN_SECONDS = 60.0
"""The shortest pause between two notifications of a session that returns to the same state."""
MAX_NAME_CELLS = 40
"""How much of a name is said: what happened has to fit in behind it."""


class AttentionNews:
    """Remembers the attention of each session.

    Args:
        started: when the viewer began, in microseconds since 1970: what a session was before is not news.
    """

    def __init__(self, started: int) -> None:
        self._started = started
        self._known: dict[str, Attention] = {}
        self._pending: dict[str, SessionNeed] = {}
        self._notified: dict[tuple[str, Attention], float] = {}
        self._notified_at = float("-inf")

    def look(self, needs: Sequence[SessionNeed], seconds: float, *, seen: str | None = None) -> list[SessionNeed]:
        """Return the sessions that the person is notified about now.

        Args:
            needs: all sessions.
            seconds: the time, by a clock that never jumps.
            seen: the session that the person is looking at, which needs no notification.
        """
        for need in needs:
            self._note(need, seconds, is_seen=need.key == seen)
        listed = {need.key for need in needs}
        for known in (self._known, self._pending):
            for key in known.keys() - listed:
                del known[key]
        if not self._pending or seconds - self._notified_at < ALERT_SECONDS:
            return []
        due = [need for need in needs if need.key in self._pending]
        self._notified = {place: at for place, at in self._notified.items() if seconds - at < AGAIN_SECONDS}
        self._notified |= {(need.key, need.standing.attention): seconds for need in due}
        self._notified_at = seconds
        self._pending.clear()
        return due

    def _note(self, need: SessionNeed, seconds: float, *, is_seen: bool) -> None:
        attention = need.standing.attention
        before = self._known.get(need.key)
        self._known[need.key] = attention
        if is_seen or not STATES[shown_state(need.standing)].news:
            self._pending.pop(need.key, None)
            return
        is_new = attention is not before if before is not None else need.standing.since >= self._started
        notified_at = self._notified.get((need.key, attention))
        if (is_new and (notified_at is None or seconds - notified_at >= AGAIN_SECONDS)) or need.key in self._pending:
            self._pending[need.key] = need


def news_text(needs: Sequence[SessionNeed]) -> str:
    """Return what is said of sessions, as in ``shop-api asks you: Go on?``; it holds text that is not safe to write."""
    if len(needs) == 1 and needs[0].standing.question:
        return f"{_sentence_about(needs[0])}: {plain_line(needs[0].standing.question)}"
    return ", ".join(map(_sentence_about, needs))


def _sentence_about(need: SessionNeed) -> str:
    return standing_news(cut(need.name, MAX_NAME_CELLS), need.standing)
