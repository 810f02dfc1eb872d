"""Damages what a client wrote, and knows what is lost by it."""

from dataclasses import replace
from enum import Enum
from typing import Final

from hypothesis import strategies as st
from typing_extensions import override

from tests.support.transcripts.known.writes import Write, Written

_TOO_LONG: Final = (16 << 20) + 1


class Harm(Enum):
    """What can happen to a record."""

    GLUED = "glued"
    """It is cut, and the next one follows without a line feed."""
    NULS_BEFORE = "nuls before"
    NULS_BETWEEN = "nuls between"
    GARBAGE = "garbage"
    """Other bytes are in its place."""
    HEADLESS = "headless"
    """Its beginning is missing."""
    TWICE = "twice"
    NEWER = "newer"
    """A record of an unknown kind comes before it."""
    NO_UTF8 = "no UTF-8"
    """It has bytes that are not UTF-8, in a field that nobody reads."""
    CUT_OFF = "cut off"
    """It is the last one, and cut: the client was killed while it was writing."""
    TOO_LONG = "too long"


_LOSSES: Final = frozenset((Harm.GLUED, Harm.GARBAGE, Harm.HEADLESS, Harm.CUT_OFF, Harm.TOO_LONG))
_UNCOUNTED: Final = frozenset((Harm.TWICE, Harm.NO_UTF8))


class Damaged:
    """What lies on the disk after the damage."""

    def __init__(self, writes: list[Write], lost: list[Write], counted: int, done: list[str]) -> None:
        self.writes = writes
        self.lost = lost
        """The whole writes that were destroyed."""
        self.counted = counted
        """How many damaged records have to be counted."""
        self._done = done

    @override
    def __repr__(self) -> str:
        return "\n".join(self._done)


def is_last(written: Written, place: int) -> bool:
    """Return whether no record follows in the same file."""
    path = written.writes[place].path
    return all(write.path != path for write in written.writes[place + 1 :])


def _neighbours(written: Written, place: int) -> list[int]:
    """Return a record's place with those of the records before and behind it in its file."""
    path = written.writes[place].path
    places = [at for at, write in enumerate(written.writes) if write.path == path]
    found = places.index(place)
    return places[max(0, found - 1) : found + 2]


@st.composite
def damages(draw: st.DrawFn, written: Written, harms: tuple[Harm, ...] = tuple(Harm)) -> Damaged:
    """Draw damage to one record or a few."""
    if any(write.sql for write in written.writes):
        return draw(damaged_rows(written))
    fragile = set(map(id, written.fragile))
    lines = [
        place
        for place, write in enumerate(written.writes)
        if write.path.endswith(".jsonl") and id(write) not in fragile
    ]
    if written.source == "codex":
        lines = [place for place in lines if not _says_whose(written, place)]
    damaged: dict[int, Write] = {}
    lost: list[Write] = []
    counted, done = 0, list[str]()
    for _ in range(draw(st.integers(1, 2)) if lines else 0):
        place = draw(st.sampled_from(lines))
        harm = _possible(draw(st.sampled_from(harms)), is_last=is_last(written, place))
        if place == 0 and is_last(written, place):  # a file without a whole record is not listed as a session
            continue
        if not damaged.keys().isdisjoint(_neighbours(written, place)):  # two that are glued are one damaged line
            continue
        write = written.writes[place]
        if write.run and write.run in {each.run for each in lost}:
            continue
        at = draw(st.integers(1, len(write.data) - 2))
        damaged[place] = replace(write, data=harmed(harm, write.data, at))
        done.append(f"{harm.value} at byte {at} of {write.path}: {write.data!r}")
        lost += [write] if harm in _LOSSES else []
        counted += harm not in _UNCOUNTED
    return Damaged([damaged.get(place, write) for place, write in enumerate(written.writes)], lost, counted, done)


@st.composite
def damaged_rows(draw: st.DrawFn, written: Written) -> Damaged:
    """Draw damage to one row of a message, or of a part of one, as the client left it."""
    rows = [write for write in written.writes if isinstance(data_of(write), str)]
    row = draw(st.sampled_from(rows))
    kept, lost = _without_row(written, str(values_of(row)[0]))
    changed = row_of_unknown_type(row) if draw(st.booleans()) else _cut_row(row, draw(st.integers(1, 9)))
    return Damaged([*kept, changed], lost, 1, [f"{changed.sql} instead of {row.sql}"])


def row_of_unknown_type(row: Write) -> Write:
    """Return the statement that writes a row, with a type of a newer version."""
    statement, values = row.sql or ("", ())
    data = '{"type":"newest-of-all","role":"newest-of-all"}'
    if "session_message" in statement:  # the type has a column of its own
        return replace(row, sql=(statement, (*values[:2], "newest-of-all", *values[3:-1], data)))
    return replace(row, sql=(statement, (*values[:-1], data)))


def _cut_row(row: Write, chars: int) -> Write:
    statement, values = row.sql or ("", ())
    return replace(row, sql=(statement, (*values[:-1], str(data_of(row))[:-chars])))


def values_of(write: Write) -> tuple[object, ...]:
    """Return the values of the row that a statement writes."""
    return write.sql[1] if write.sql is not None else ()


def data_of(write: Write) -> object:
    """Return what a row holds: JSON, or the time of a session."""
    return values_of(write)[-1]


def _without_row(written: Written, row: str) -> tuple[list[Write], list[Write]]:
    """Return all writes but those of a row, and those that say nothing without it: its own, and those of its parts."""
    kept = [write for write in written.writes if values_of(write)[0] != row]
    lost = [write for write in written.writes if row in values_of(write)[:2]]
    return kept, lost


def _says_whose(written: Written, place: int) -> bool:
    """Return whether only this record says that its file is a subagent's: without it, that is a session of its own."""
    path = written.writes[place].path
    return path != written.writes[0].path and all(write.path != path for write in written.writes[:place])


def _possible(harm: Harm, *, is_last: bool) -> Harm:
    if is_last and harm is Harm.GLUED:
        return Harm.CUT_OFF
    return Harm.GLUED if not is_last and harm is Harm.CUT_OFF else harm


def harmed(harm: Harm, line: bytes, at: int) -> bytes:
    """Return what becomes of a line; ``at`` is somewhere in it."""
    newer = b'{"type":"newest-of-all","payload":{"type":"x"}}\n'
    damaged = {
        Harm.GLUED: lambda: line[:at],
        Harm.CUT_OFF: lambda: line[:at],
        Harm.NULS_BEFORE: lambda: bytes(at) + line,
        Harm.NULS_BETWEEN: lambda: bytes(at) + b"\n" + line,
        Harm.GARBAGE: lambda: b"\x9c" * at + b"\n",
        Harm.HEADLESS: lambda: line[at:],
        Harm.TWICE: lambda: line + line,
        Harm.NEWER: lambda: newer + line,
        Harm.NO_UTF8: lambda: line[:-2] + b',"x":"\xff\xfe"}\n',
        Harm.TOO_LONG: lambda: line[:-2] + b',"x":"' + b"x" * _TOO_LONG + b'"}\n',
    }
    return damaged[harm]()
