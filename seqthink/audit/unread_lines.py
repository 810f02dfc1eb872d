"""Code that a judge could not read, and why; no verdict covers it. Pure."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit
from seqthink.core.redaction import quote_safely

NO_JUDGE: Final = "no judge supports its language"
NO_GRAMMAR: Final = "its grammar is not installed"
UNNAMED: Final = "it names no language and does not parse in exactly one; put it in a fence that names it"
CONFLICT: Final = "its conflict is not resolved"
TOO_COMPLEX: Final = "it is too deeply nested, too long or too broken to parse"
_MAX_LISTED_PLACES: Final = 5
_MAX_PLACE_CHARS: Final = 100


class UnreadLines(Struct, frozen=True):
    """Lines of one unit that were not read."""

    path: str
    """The unit's path."""
    first_line: int
    """Numbered as in findings."""
    last_line: int
    """Inclusive."""
    place: str
    """How the summary names the lines."""
    reason: str
    """Why they were not read; completes "Not judged (…)"."""


def all_unread(unit: CodeUnit, reason: str) -> UnreadLines:
    """Return ``unit`` as unread."""
    place = _place(unit, unit.first_line, unit.last_line)
    if unit.is_complete and unit.path != THOUGHT_PATH:
        place = unit.path
    if unit.language:
        place += f" ({unit.language})"
    return UnreadLines(unit.path, unit.first_line, unit.last_line, place, reason)


def some_unread(unit: CodeUnit, lines: Iterable[int], reason: str) -> list[UnreadLines]:
    """Return those of ``lines`` that are new as unread; old lines are not judged anyway."""
    new = sorted(line for line in set(lines) if unit.is_new(line))
    return [
        UnreadLines(unit.path, first, last, _place(unit, first, last), reason) for first, last in consecutive_runs(new)
    ]


def lines_read(unit: CodeUnit, unread: Iterable[UnreadLines]) -> list[int]:
    """Return the judged lines of ``unit`` that were read."""
    unread_lines = {
        line for part in unread if part.path == unit.path for line in range(part.first_line, part.last_line + 1)
    }
    return [line for line in unit.new_lines if line not in unread_lines]


def is_partly_read(unit: CodeUnit, unread: Sequence[UnreadLines]) -> bool:
    """Return whether a line of ``unit`` that is not blank was read, or nothing is unread."""
    texts = unit.text.split("\n")
    return not unread or any(texts[line - unit.first_line].strip() for line in lines_read(unit, unread))


def unread_sentences(unread: Iterable[UnreadLines], judge: str) -> list[str]:
    """Return one sentence per reason why ``judge`` left code out."""
    places: dict[str, list[str]] = {}
    for part in unread:
        places.setdefault(part.reason, []).append(quote_safely(part.place, _MAX_PLACE_CHARS))
    return [
        f"Not judged by {judge!r} ({reason}): {_listed(reason_places)}." for reason, reason_places in places.items()
    ]


def consecutive_runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return first and last number of each unbroken run in ``numbers``, which must be ascending."""
    firsts = [number for number, before in zip(numbers, [None, *numbers], strict=False) if number - 1 != before]
    lasts = [number for number, after in zip(numbers, [*numbers[1:], None], strict=False) if number + 1 != after]
    return list(zip(firsts, lasts, strict=True))


def _place(unit: CodeUnit, first: int, last: int) -> str:
    return f"{unit.path}:{first}" + (f"-{last}" if last > first else "")


def _listed(places: Sequence[str]) -> str:
    names = ", ".join(places[:_MAX_LISTED_PLACES])
    return names if len(places) <= _MAX_LISTED_PLACES else f"{names} and {len(places) - _MAX_LISTED_PLACES} more"
