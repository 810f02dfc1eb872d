"""What views are made of: events that are read again from the file, and lists whose views are made on demand."""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

from typing_extensions import override

from seqthink.chain.health.health import Health
from seqthink.core.errors import CorruptLineError, JournalChangedError
from seqthink.core.events import Event, UnknownEvent, text_of
from seqthink.journal.journal_file import EventSource

View = TypeVar("View")


class EventReader:
    """Reads single events of one open journal again, by the byte ranges of their lines."""

    def __init__(self, source: EventSource) -> None:
        self._source = source
        self._is_closed = False
        self.health = Health()
        """What is odd about the journal, as far as somebody asked."""

    def close(self) -> None:
        """Close the file. Calling it again does nothing."""
        self._is_closed = True
        self._source.close()

    def event(self, offset: int, size: int) -> Event | UnknownEvent:
        """Return the event whose line begins at ``offset`` and is ``size`` bytes long, newline not counted.

        Raises:
            JournalChangedError: the file was rewritten, so the line is not there any more.
            ValueError: the journal is closed.
        """
        if self._is_closed:
            raise ValueError("the journal is closed; read texts before `close()`, or inside the `with` block")
        try:
            return self._source.read_event(offset, size)
        except (CorruptLineError, OSError) as error:
            raise JournalChangedError from error

    def text(self, offset: int, size: int) -> str:
        """Return the text of the thought with this line. Raises the same errors."""
        event = self.event(offset, size)
        text = text_of(event)
        if text is None:
            raise JournalChangedError
        return text


class Views(Sequence[View], Generic[View]):
    """A read-only list of views, each made when it is asked for."""

    __slots__ = ("_indices", "_make")

    def __init__(self, indices: Sequence[int], make: Callable[[int], View]) -> None:
        self._indices = indices
        self._make = make

    @override
    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> View: ...
    @overload
    def __getitem__(self, index: slice) -> "Views[View]": ...
    @override
    def __getitem__(self, index: "int | slice") -> "View | Views[View]":
        if isinstance(index, slice):
            return Views(self._indices[index], self._make)
        return self._make(self._indices[index])

    @override
    def __iter__(self) -> Iterator[View]:
        return map(self._make, self._indices)

    @override
    def __repr__(self) -> str:
        return f"<{len(self)} {'view' if len(self) == 1 else 'views'}>"
