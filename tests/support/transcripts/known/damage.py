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
    """It has bytes that are no UTF-8, in a field that nobody reads."""
    CUT_OFF = "cut off"
    """It is the last one, and cut: the client was killed while it was writing."""
    TOO_LONG = "too long"


_LOSSES: Final = frozenset((Harm.GLUED, Harm.GARBAGE, Harm.HEADLESS, Harm.CUT_OFF, Harm.TOO_LONG))
_UNCOUNTED: Final = frozenset((Harm.TWICE, Harm.NO_UTF8, Harm.CUT_OFF))


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


@st.composite
def damages(draw: st.DrawFn, written: Written, harms: tuple[Harm, ...] = tuple(Harm)) -> Damaged:
    """Draw damage to one record or a few."""
    lines = [place for place, write in enumerate(written.writes) if write.path.endswith(".jsonl")]
    if written.source == "codex":
        lines = [place for place in lines if not _says_whose(written, place)]
    damaged: dict[int, Write] = {}
    lost: list[Write] = []
    counted, done = 0, list[str]()
    for _ in range(draw(st.integers(1, 2)) if lines else 0):
        place = draw(st.sampled_from(lines))
        harm = _possible(draw(st.sampled_from(harms)), is_last=is_last(written, place))
        if place == 0 and harm is Harm.CUT_OFF:  # a file that holds no record is no session yet
            continue
        if place in damaged or place + 1 in damaged or place - 1 in damaged:
            continue
        write = written.writes[place]
        at = draw(st.integers(1, len(write.data) - 2))
        damaged[place] = replace(write, data=harmed(harm, write.data, at))
        done.append(f"{harm.value} at byte {at} of {write.path}: {write.data!r}")
        lost += [write] if harm in _LOSSES else []
        counted += harm not in _UNCOUNTED
    return Damaged([damaged.get(place, write) for place, write in enumerate(written.writes)], lost, counted, done)


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
