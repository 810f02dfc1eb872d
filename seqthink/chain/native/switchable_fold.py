"""Folds a journal so that native reasoning and what agents said can be shown or hidden at any time."""

from collections.abc import Sequence
from enum import StrEnum

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.core.events import Event, NativeEvent, UnknownEvent, WriterState

MAX_EARLY_LINES = 4096
"""Lines before the first native reasoning that are remembered. A transcript begins with a prompt, so a few are enough;
a journal with more lines before it has no rows for native reasoning."""


class Shown(StrEnum):
    """What of a transcript has rows beside the calls of the thinking tool."""

    THOUGHTS = "thoughts"
    """Its prompts and answers only, quietly."""
    WORDS = "words"
    """What agents said between their calls, too."""
    EVERYTHING = "everything"
    """Native reasoning, too: all of them are rows of their own."""


class SwitchableFold:
    """Folds of the same lines, one for each choice of what is shown.

    All but the first one begin with the first line that they differ in, so a journal of calls only costs one fold.
    """

    def __init__(self) -> None:
        self._hidden = Fold()
        self._others: dict[Shown, Fold] = {}
        # The lines until native reasoning begins; None for one that does not decode. Not kept any more once it is None.
        self._early: list[tuple[Event | UnknownEvent, int, int] | None] | None = []

    @property
    def has_native(self) -> bool:
        """Whether there is native reasoning, so that showing and hiding it makes a difference."""
        return bool(self._others)

    @property
    def choices(self) -> tuple[Shown, ...]:
        """What can be shown, the least first; empty if it makes no difference."""
        if not self._others:
            return ()
        has_words = self._hidden.session().native.has_remarks
        return tuple(shown for shown in Shown if shown is not Shown.WORDS or has_words)

    @property
    def shown_by_default(self) -> Shown:
        """What is shown unless the user decides otherwise: everything while no tool thought has come."""
        return Shown.THOUGHTS if self._hidden.session().native.call_count else Shown.EVERYTHING

    def evolve(self, event: Event | UnknownEvent, offset: int = 0, size: int = 0) -> None:
        """Fold in the next event; see `Fold.evolve`."""
        self._hidden.evolve(event, offset, size)
        for fold in self._others.values():
            fold.evolve(event, offset, size)
        if self._early is not None:
            self._add_early((event, offset, size))

    def skip_corrupt(self) -> None:
        """Fold in a line that does not decode."""
        self._hidden.skip_corrupt()
        for fold in self._others.values():
            fold.skip_corrupt()
        if self._early is not None:
            self._add_early(None)

    def session(self, writer: WriterState = WriterState.UNKNOWN, *, shown: Shown | None = None) -> Session:
        """Return a read-only view of the session so far.

        Args:
            writer: whether its server is still running.
            shown: what is shown; None for `shown_by_default`.
        """
        return self._others.get(shown or self.shown_by_default, self._hidden).session(writer)

    def _add_early(self, line: tuple[Event | UnknownEvent, int, int] | None) -> None:
        assert self._early is not None, "lines are kept until native reasoning begins"
        self._early.append(line)
        if line is not None and isinstance(line[0], NativeEvent):
            self._others = {Shown.WORDS: Fold(has_words=True), Shown.EVERYTHING: Fold(has_native=True)}
            for fold in self._others.values():
                _add_lines(fold, self._early)
            self._early = None
        elif len(self._early) > MAX_EARLY_LINES:
            self._early = None


def _add_lines(fold: Fold, lines: Sequence[tuple[Event | UnknownEvent, int, int] | None]) -> None:
    """Fold in lines that were kept; None is one that does not decode."""
    for line in lines:
        if line is None:
            fold.skip_corrupt()
        else:
            fold.evolve(*line)
