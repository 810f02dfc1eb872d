"""The fold of a journal as it is shown by default: native reasoning has rows only where there are no tool thoughts."""

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.events import Event, UnknownEvent, WriterState


class JournalFold:
    """A `Fold` that settles by itself whether native reasoning has rows.

    Until the thinking tool is called, both foldings are made; the first call settles that native reasoning has none.

    Args:
        native: True to show native reasoning, False to hide it, None to show it until the thinking tool is called.
    """

    def __init__(self, native: bool | None = None) -> None:
        self._tool = Fold() if native is not True else None
        self._all = Fold(has_native=True) if native is not False else None
        self._is_settled = native is not None

    def evolve(self, event: Event | UnknownEvent, offset: int = 0, size: int = 0) -> None:
        """Fold in the next event, as `Fold.evolve` does."""
        if self._tool is not None:
            self._tool.evolve(event, offset, size)
        if self._all is not None:
            self._all.evolve(event, offset, size)
        if not self._is_settled:
            self._settle()

    def skip_corrupt(self) -> None:
        """Fold in a line that does not decode."""
        if self._tool is not None:
            self._tool.skip_corrupt()
        if self._all is not None:
            self._all.skip_corrupt()

    @property
    def has_native(self) -> bool:
        """Whether native reasoning has rows. It can become False as long as nobody settled it."""
        return self._shown.has_native

    def session(self, writer: WriterState = WriterState.UNKNOWN) -> Session:
        """Return a read-only view of the session so far; ``writer`` says whether its server is still running."""
        return self._shown.session(writer)

    @property
    def _shown(self) -> Fold:
        shown = self._all if self._all is not None else self._tool
        assert shown is not None, "one of the two is always kept"
        return shown

    def _settle(self) -> None:
        assert self._tool is not None, "both are kept until it is settled"
        if self._tool.has_thoughts:
            self._all, self._is_settled = None, True
