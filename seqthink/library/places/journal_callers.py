"""Which agents a server knows by their calls, as its journal says it: a note can go to one of them alone."""

from pathlib import Path
from typing import NamedTuple

from seqthink.core.errors import CorruptLineError
from seqthink.core.events import AgentEvent, SessionEvent
from seqthink.journal.decode import decode
from seqthink.journal.journal_file import JournalFile

MAX_READ_BYTES = 64 << 20
"""How much of a journal's beginning is looked at."""
_CHUNK_BYTES = 1 << 20
_KINDS = (b'"type":"agent"', b'"type":"session"')


class JournalCallers(NamedTuple):
    """Who calls a server."""

    server: SessionEvent | None = None
    """What the server that began or resumed the journal last says of itself; None if there is none."""
    agents: frozenset[str] = frozenset()
    """The ids of the agents that were named by a call; not the main agent."""


def journal_callers(journal: Path) -> JournalCallers:
    """Return who calls the server of a journal; nobody if it cannot be read."""
    server, agents = None, set[str]()
    try:
        file = JournalFile.open(journal)
    except OSError:
        return JournalCallers()
    try:
        offset, rest = 0, b""
        while offset < MAX_READ_BYTES and (chunk := file.read_bytes(offset, _CHUNK_BYTES)):
            offset += len(chunk)
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                event = _described(line)
                if isinstance(event, SessionEvent):
                    server = event
                elif isinstance(event, AgentEvent):
                    agents.add(event.id)
    except OSError:
        return JournalCallers()
    finally:
        file.close()
    return JournalCallers(server, frozenset(agents))


def _described(line: bytes) -> object:
    """Return the event of a line that describes a server or an agent; None for any other line."""
    if not any(kind in line[:120] for kind in _KINDS):
        return None
    try:
        return decode(line)
    except CorruptLineError:
        return None
