"""What of the code a judge could not read: which lines, and why. No verdict is about those. Pure."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit
from seqthink.audit.quoting import quote_safely

NO_JUDGE: Final = "no judge here reads its language"
NO_GRAMMAR: Final = "its grammar is not installed"
CONFLICT: Final = "its conflict is not resolved"
TOO_COMPLEX: Final = "it is too deep, too long or too broken to be read"
_MAX_LISTED_PLACES: Final = 5
_MAX_PLACE_CHARS: Final = 100


class UnreadLines(Struct, frozen=True):
    """Lines of ``path``, numbered as findings are, that were not read; ``place`` is what a person calls them."""

    path: str
    first_line: int
    last_line: int
    place: str
    reason: str


def all_unread(unit: CodeUnit, reason: str) -> UnreadLines:
    """Return that ``source`` was not read at all."""
    place = _place(unit, unit.first_line, unit.last_line)
    if unit.is_complete and unit.path != THOUGHT_PATH:
        place = unit.path
    if unit.language:
        place += f" ({unit.language})"
    return UnreadLines(unit.path, unit.first_line, unit.last_line, place, reason)


def some_unread(unit: CodeUnit, lines: Iterable[int], reason: str) -> list[UnreadLines]:
    """Return that ``lines`` of ``source`` were not read; those that are not new need not be."""
    new = sorted(line for line in set(lines) if unit.is_new(line))
    return [
        UnreadLines(unit.path, first, last, _place(unit, first, last), reason) for first, last in consecutive_runs(new)
    ]


def lines_read(unit: CodeUnit, unread: Iterable[UnreadLines]) -> list[int]:
    """Return which of the lines of ``source`` that are judged were read."""
    unread_lines = {
        line for one in unread if one.path == unit.path for line in range(one.first_line, one.last_line + 1)
    }
    return [line for line in unit.new_lines if line not in unread_lines]


def is_partly_read(unit: CodeUnit, unread: Sequence[UnreadLines]) -> bool:
    """Return whether something in ``source`` was read: a line that is not blank, or there was nothing to leave out."""
    texts = unit.text.split("\n")
    return not unread or any(texts[line - unit.first_line].strip() for line in lines_read(unit, unread))


def unread_sentences(unread: Iterable[UnreadLines], judge: str) -> list[str]:
    """Return a sentence for each reason why ``judge`` did not judge something."""
    places: dict[str, list[str]] = {}
    for one in unread:
        places.setdefault(one.reason, []).append(quote_safely(one.place, _MAX_PLACE_CHARS))
    return [f"Not judged by {judge!r} ({reason}): {_listed(found)}." for reason, found in places.items()]


def consecutive_runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return ``numbers``, which rise, as first and last of each unbroken run."""
    firsts = [number for number, before in zip(numbers, [None, *numbers], strict=False) if number - 1 != before]
    lasts = [number for number, after in zip(numbers, [*numbers[1:], None], strict=False) if number + 1 != after]
    return list(zip(firsts, lasts, strict=True))


def _place(unit: CodeUnit, first: int, last: int) -> str:
    return f"{unit.path}:{first}" + (f"-{last}" if last > first else "")


def _listed(places: Sequence[str]) -> str:
    names = ", ".join(places[:_MAX_LISTED_PLACES])
    return names if len(places) <= _MAX_LISTED_PLACES else f"{names} and {len(places) - _MAX_LISTED_PLACES} more"
