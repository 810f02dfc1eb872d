"""Events with the byte ranges of their lines, kept as three lists: tuples for a million lines take longer to make."""

from collections.abc import Iterator, Sequence
from typing import cast, overload

from typing_extensions import override

from seqthink.core.events import Event, UnknownEvent

LocatedEvent = tuple[Event | UnknownEvent, int, int]
"""An event, and the offset and size of its line in bytes, without the newline."""


class LocatedEvents(Sequence[LocatedEvent]):
    """Events in the order of the file; as a sequence, each with the offset and size of its line."""

    __slots__ = ("events", "offsets", "sizes")

    def __init__(
        self,
        events: list[Event | UnknownEvent] | None = None,
        offsets: list[int] | None = None,
        sizes: list[int] | None = None,
    ) -> None:
        self.events = events if events is not None else []
        """The events."""
        self.offsets = offsets if offsets is not None else []
        """By event: the byte offset of its line."""
        self.sizes = sizes if sizes is not None else []
        """By event: the length of its line in bytes, without the newline."""

    @classmethod
    def of(cls, located: Sequence[LocatedEvent]) -> "LocatedEvents":
        """Return ``located`` as three lists."""
        if isinstance(located, LocatedEvents):
            return located
        return cls(
            [event for event, _, _ in located], [offset for _, offset, _ in located], [size for _, _, size in located]
        )

    def append(self, event: Event | UnknownEvent, offset: int, size: int) -> None:
        """Add the event of the next line."""
        self.events.append(event)
        self.offsets.append(offset)
        self.sizes.append(size)

    def extend(self, more: "LocatedEvents") -> None:
        """Add the events of the next lines."""
        self.events += more.events
        self.offsets += more.offsets
        self.sizes += more.sizes

    @override
    def __len__(self) -> int:
        return len(self.events)

    @override
    def __iter__(self) -> Iterator[LocatedEvent]:
        return zip(self.events, self.offsets, self.sizes, strict=True)

    @overload
    def __getitem__(self, index: int) -> LocatedEvent: ...
    @overload
    def __getitem__(self, index: slice) -> "LocatedEvents": ...
    @override
    def __getitem__(self, index: int | slice) -> "LocatedEvent | LocatedEvents":
        if isinstance(index, slice):
            return LocatedEvents(self.events[index], self.offsets[index], self.sizes[index])
        return self.events[index], self.offsets[index], self.sizes[index]

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(cast("Sequence[LocatedEvent]", other))

    __hash__ = None  # pyright: ignore[reportAssignmentType] - it grows
