"""One step of bringing a mirror up to what the engine has."""

from typing import Final

from seqthink.core.errors import CorruptLineError
from seqthink.core.events import SessionEvent
from seqthink.journal.decode import decode
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import FleetEngine, Line
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.mirror.mirror_file import MirrorFile, Position, digest_of

STEP_BYTES: Final = 4 << 20
"""About how many bytes of lines are asked for at a time."""


def catch_up(
    engine: FleetEngine, name: SessionName, mirror: MirrorFile, card: Card | None, limit_bytes: int = STEP_BYTES
) -> bool:
    """Append the next lines of a session to its mirror; return whether there are none at the moment.

    The engine may have lost its lines since, or have others: our last line is compared with its line of that number.

    Raises:
        SeqthinkError: as the engine does.
    """
    position = mirror.position
    if position.is_compared or not position.last:
        lines = engine.lines(name, position.last, limit_bytes)
        if not position.last:
            mirror.mark_compared(position.generation, is_same=True)
    else:
        lines = engine.lines(name, position.last - 1, limit_bytes)
        if not lines:
            return _compare_earlier(engine, name, mirror, position)
        if lines[0].number <= position.last:
            is_same = digest_of(lines[0].text) == mirror.digest(lines[0].number)
            mirror.mark_compared(position.generation, is_same=is_same)
            if not is_same:
                return False
            lines = lines[1:]
        else:
            mirror.mark_compared(position.generation, is_same=True)
    mirror.append(lines, position.generation, head_line(card))
    return not lines or bool(mirror.problem)


def _compare_earlier(engine: FleetEngine, name: SessionName, mirror: MirrorFile, position: Position) -> bool:
    """Compare the engine's last line with ours of that number: it has fewer, and they are shipped again, or others."""
    ending: list[Line] = engine.ending(name, 1)
    if not ending:
        return True
    newest = ending[-1]
    if newest.number >= position.last:  # it came meanwhile
        return False
    if mirror.digest(newest.number) == digest_of(newest.text) or newest.number < mirror.first:
        return True
    mirror.mark_compared(position.generation, is_same=False)
    return False


def head_line(card: Card | None) -> bytes:
    """Return the journal's first line if the card has it, fit to be a line of a file; else ``b""``."""
    head = card.head.encode(errors="replace") if card is not None else b""
    if not head or b"\n" in head:
        return b""
    try:
        return head if isinstance(decode(head), SessionEvent) else b""
    except CorruptLineError:
        return b""
