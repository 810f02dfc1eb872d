"""Sends what lists show: of one session at most once a second, of all together within a limit per second."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from seqthink.core.errors import UsageError
from seqthink.core.labels import NO_LABELS, SessionLabels
from seqthink.library.viewer_store.label_book import LabelBook
from seqthink.share.shipping.card_fold import CardFold
from seqthink.share.shipping.line_redaction import Outgoing
from seqthink.share.shipping.open_journals import OpenJournals
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import OriginEngine

ROUND_SECONDS: Final = 0.1
"""Cards are sent together, so often."""
_ROUND_CARDS: Final = 15
"""How many at a time."""
_SESSION_SECONDS: Final = 1.0
"""How long at least between two cards of a session."""
_ROUND_FOLD_BYTES: Final = 256 << 10
"""How much is folded in one round: lines that come meanwhile wait for it."""
_MAX_FOLDS_BYTES: Final = 12 << 20
"""How much memory the folds of live sessions may take between two cards, about. Those beyond are folded again."""
_SLICE_BYTES: Final = 128 << 10
_MIN_LOOK_BYTES: Final = 1 << 10
"""What a look at a journal costs at least, in bytes that could be folded instead."""


class CardOptions(NamedTuple):
    """What cards say besides what is in the journals."""

    outgoing: Outgoing
    """What is shipped for a line."""
    takes_notes: bool = False
    """Whether this machine takes notes to its agents."""
    signed: bool = False
    """Whether they must be signed."""
    label_book: LabelBook | None = None
    """What people say about sessions, without secrets if these are replaced; None if it is not sent."""


class CardSender:
    """Folds the journals with shipped lines, and sends their cards.

    Args:
        engine: where to.
        journals: the journals.
        options: what cards say.
        is_alive: returns whether a session's server runs.
        lines_of: returns how many lines of a session were shipped.
        now: returns the time, in microseconds since 1970.
    """

    def __init__(
        self,
        engine: OriginEngine,
        journals: OpenJournals,
        options: CardOptions,
        is_alive: Callable[[str], bool],
        lines_of: Callable[[str], int],
        now: Callable[[], int],
    ) -> None:
        self._engine = engine
        self._journals = journals
        self._options = options
        self._is_alive = is_alive
        self._lines_of = lines_of
        self._now = now
        self._due: OrderedDict[str, None] = OrderedDict()
        self._folds: dict[str, CardFold] = {}
        self._folds_bytes = 0
        self._ended: set[str] = set()
        self._sent_at: dict[str, float] = {}
        self._next_round = 0.0
        self._labels: Mapping[str, SessionLabels] = {}

    @property
    def has_work(self) -> bool:
        """Whether there are cards to send."""
        return bool(self._due)

    @property
    def next_round(self) -> float:
        """When the next cards may be sent."""
        return self._next_round

    def changed(self, session: str, *, is_first: bool = False) -> None:
        """Send a session's card soon: more of it was shipped, or its server began or ended."""
        if session not in self._due:
            self._due[session] = None
        if is_first:
            self._due.move_to_end(session, last=False)

    def look_at_labels(self, has_card: Callable[[str], bool]) -> None:
        """Send the cards of sessions soon about which people say something else now, of those that have one."""
        book, before = self._options.label_book, self._labels
        with suppress(OSError, UsageError):  # what was sent before stays
            self._labels = book.all() if book is not None else before
        if self._labels is not before:
            for session in {*before, *self._labels}:
                if has_card(session) and before.get(session) != self._labels.get(session):
                    self.changed(session)

    def remove(self, session: str) -> None:
        """Forget a session: its journal is gone."""
        self._due.pop(session, None)
        self._drop(session)
        self._ended.discard(session)

    def has_ended(self, session: str) -> bool:
        """Whether the session's journal says that its server ended, as of its last card."""
        return session in self._ended

    def step(self, seconds: float) -> list[str]:
        """Send the cards that are due at this time of a clock that never goes back; return whose.

        Raises:
            EngineUnavailableError: the engine cannot be reached now; the cards stay due.
            EngineRefusedError: it will not serve us.
        """
        if not self._due or seconds < self._next_round:
            return []
        cards = self._made(seconds)
        if cards:
            self._next_round = seconds + ROUND_SECONDS
            self._engine.put_cards(cards)
        for session in cards:
            self._was_sent(session, seconds)
        return list(cards)

    def _made(self, seconds: float) -> dict[str, Card]:
        """Return the cards of one round."""
        cards: dict[str, Card] = {}
        room = _ROUND_FOLD_BYTES
        for session in list(self._due):
            if len(cards) == _ROUND_CARDS or room <= 0:
                break
            if seconds - self._sent_at.get(session, -_SESSION_SECONDS) < _SESSION_SECONDS:
                continue
            try:
                card, room = self._card(session, room)
            except OSError:  # gone, or not to be read: the sender of its lines reports it
                self.remove(session)
                continue
            if card is not None:
                cards[session] = card
            else:
                self._due.move_to_end(session)  # a long one does not keep others waiting
        return cards

    def _card(self, session: str, room: int) -> tuple[Card | None, int]:
        """Return a session's card, None if it is not folded to its end yet, and how much may still be folded."""
        file = self._journals.file(session)
        fold = self._folds.get(session)
        if fold is None:
            fold = self._folds[session] = CardFold(self._options.outgoing)
        while room > 0:
            before = fold.offset
            is_at_end = fold.read(file, min(room, _SLICE_BYTES))
            room -= max(fold.offset - before, _MIN_LOOK_BYTES)
            if is_at_end:
                options = self._options
                return fold.card(
                    file,
                    self._now(),
                    is_alive=self._is_alive(session),
                    lines=self._lines_of(session),
                    takes_notes=options.takes_notes,
                    signed=options.signed,
                    labels=self._labels.get(session, NO_LABELS),
                ), room
        return None, room

    def _was_sent(self, session: str, seconds: float) -> None:
        del self._due[session]
        fold = self._folds[session]
        (self._ended.add if fold.has_ended() else self._ended.discard)(session)
        if not self._is_alive(session):
            self._drop(session)
            return
        self._sent_at[session] = seconds
        self._folds_bytes += fold.account()
        if self._folds_bytes > _MAX_FOLDS_BYTES:
            self._folds_bytes -= self._folds.pop(session).accounted

    def _drop(self, session: str) -> None:
        fold = self._folds.pop(session, None)
        if fold is not None:
            self._folds_bytes -= fold.accounted
        self._sent_at.pop(session, None)
