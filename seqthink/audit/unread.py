"""What of the code a judge could not read: which lines, and why. No verdict is about those. Pure."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from seqthink.audit.sources import THOUGHT, Source
from seqthink.audit.telling import told

NO_JUDGE: Final = "no judge here reads its language"
NO_GRAMMAR: Final = "its grammar is not installed"
CONFLICT: Final = "its conflict is not resolved"
TOO_MUCH: Final = "it is too deep, too long or too broken to be read"
_NAMED: Final = 5
_LONGEST_PLACE: Final = 100


class Unread(Struct, frozen=True):
    """Lines of ``path``, numbered as findings are, that were not read; ``place`` is what a person calls them."""

    path: str
    first: int
    last: int
    place: str
    reason: str


def all_of(source: Source, reason: str) -> Unread:
    """Return that ``source`` was not read at all."""
    place = _place(source, source.first_line, source.last_line)
    if source.is_whole and source.path != THOUGHT:
        place = source.path
    if source.language:
        place += f" ({source.language})"
    return Unread(source.path, source.first_line, source.last_line, place, reason)


def some_of(source: Source, lines: Iterable[int], reason: str) -> list[Unread]:
    """Return that ``lines`` of ``source`` were not read; those that are not new need not be."""
    new = sorted(line for line in set(lines) if source.is_new(line))
    return [Unread(source.path, first, last, _place(source, first, last), reason) for first, last in runs(new)]


def read_lines(source: Source, unread: Iterable[Unread]) -> list[int]:
    """Return which of the lines of ``source`` that are judged were read."""
    left = {line for one in unread if one.path == source.path for line in range(one.first, one.last + 1)}
    return [line for line in source.new_lines if line not in left]


def is_read(source: Source, unread: Sequence[Unread]) -> bool:
    """Return whether something in ``source`` was read: a line that is not blank, or there was nothing to leave out."""
    texts = source.text.split("\n")
    return not unread or any(texts[line - source.first_line].strip() for line in read_lines(source, unread))


def told_of(unread: Iterable[Unread], judge: str) -> list[str]:
    """Return a sentence for each reason why ``judge`` did not judge something."""
    places: dict[str, list[str]] = {}
    for one in unread:
        places.setdefault(one.reason, []).append(told(one.place, _LONGEST_PLACE))
    return [f"Not judged by {judge!r} ({reason}): {_listed(found)}." for reason, found in places.items()]


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return ``numbers``, which rise, as first and last of each unbroken run."""
    firsts = [number for number, before in zip(numbers, [None, *numbers], strict=False) if number - 1 != before]
    lasts = [number for number, after in zip(numbers, [*numbers[1:], None], strict=False) if number + 1 != after]
    return list(zip(firsts, lasts, strict=True))


def _place(source: Source, first: int, last: int) -> str:
    return f"{source.path}:{first}" + (f"-{last}" if last > first else "")


def _listed(places: Sequence[str]) -> str:
    names = ", ".join(places[:_NAMED])
    return names if len(places) <= _NAMED else f"{names} and {len(places) - _NAMED} more"
