"""Folds a journal so that native reasoning can be shown or hidden at any time."""

from collections.abc import Sequence

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.events import Event, NativeEvent, UnknownEvent, WriterState

MAX_EARLY_LINES = 4096
"""Lines before the first native reasoning that are remembered. A transcript begins with a prompt, so a few are enough;
a journal with more lines before it has no rows for native reasoning."""


class SwitchableFold:
    """Two folds of the same lines, of which one has rows for native reasoning.

    The second one begins with the first line of native reasoning, so a journal without any costs one fold.
    """

    def __init__(self) -> None:
        self._hidden = Fold()
        self._shown: Fold | None = None
        # The lines until native reasoning begins; None for one that does not decode. Not kept any more once it is None.
        self._early: list[tuple[Event | UnknownEvent, int, int] | None] | None = []

    @property
    def has_native(self) -> bool:
        """Whether there is native reasoning, so that showing and hiding it makes a difference."""
        return self._shown is not None

    @property
    def shows_by_default(self) -> bool:
        """Whether native reasoning is shown unless the user decides otherwise: while no tool thought has come."""
        return self._shown is not None and not self._hidden.session().native.call_count

    def evolve(self, event: Event | UnknownEvent, offset: int = 0, size: int = 0) -> None:
        """Fold in the next event; see `Fold.evolve`."""
        self._hidden.evolve(event, offset, size)
        self._add_to_shown((event, offset, size))

    def evolve_batch(
        self, events: Sequence[Event | UnknownEvent], offsets: Sequence[int], sizes: Sequence[int]
    ) -> None:
        """Fold in the next events; see `Fold.evolve_batch`."""
        self._hidden.evolve_batch(events, offsets, sizes)
        if self._shown is not None:
            self._shown.evolve_batch(events, offsets, sizes)
            return
        if self._early is not None:
            for line in zip(events, offsets, sizes, strict=True):
                self._add_to_shown(line)

    def _add_to_shown(self, line: tuple[Event | UnknownEvent, int, int]) -> None:
        if self._shown is not None:
            self._shown.evolve(*line)
        elif self._early is not None:
            self._add_early(line)

    def skip_corrupt(self) -> None:
        """Fold in a line that does not decode."""
        self._hidden.skip_corrupt()
        if self._shown is not None:
            self._shown.skip_corrupt()
        elif self._early is not None:
            self._add_early(None)

    def session(self, writer: WriterState = WriterState.UNKNOWN, *, has_native: bool | None = None) -> Session:
        """Return a read-only view of the session so far.

        Args:
            writer: whether its server is still running.
            has_native: whether native reasoning is shown; None for `shows_by_default`.
        """
        is_shown = self.shows_by_default if has_native is None else has_native
        fold = self._shown if is_shown and self._shown is not None else self._hidden
        return fold.session(writer)

    def _add_early(self, line: tuple[Event | UnknownEvent, int, int] | None) -> None:
        assert self._early is not None, "lines are kept until native reasoning begins"
        self._early.append(line)
        if line is not None and isinstance(line[0], NativeEvent):
            self._shown = Fold(has_native=True)
            for early in self._early:
                if early is None:
                    self._shown.skip_corrupt()
                else:
                    self._shown.evolve(*early)
            self._early = None
        elif len(self._early) > MAX_EARLY_LINES:
            self._early = None
