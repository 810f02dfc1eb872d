"""How far each journal of a folder is shipped: its lines here, and those that the engine has."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.share.shipping.journal_cursor import JournalCursor, LinePlace
from seqthink.share.shipping.journal_list import JournalList
from seqthink.share.shipping.line_sender import MAX_LINES
from seqthink.share.shipping.open_journals import OpenJournals
from seqthink.share.shipping.shipped_state import ShippedState
from seqthink.sources.fleet.engine import OriginEngine

_ASKED: Final = 256


class SessionState(NamedTuple):
    """How far one session is."""

    session: str
    here: int
    """Complete lines in the journal."""
    there: int
    """The last line that the engine has."""
    first_kept: int
    """The first one that it still keeps; 0 if it keeps none."""
    changed: float
    """When the journal changed last, in seconds since 1970."""

    @property
    def behind(self) -> int:
        """How many lines the engine lacks."""
        return max(0, self.here - self.there)


def session_states(
    engine: OriginEngine, folder: Path, only: str | None, kept: ShippedState, show: Callable[[str], None]
) -> list[SessionState]:
    """Return how far the sessions of a folder are, those that changed last first.

    Args:
        engine: the engine.
        folder: the folder of the journals.
        only: the one session that is asked for; None for all.
        kept: what a shipper remembers, which saves counting lines.
        show: prints one line for the user.

    Raises:
        EngineUnavailableError: the engine cannot be reached now.
        EngineRefusedError: it will not serve us.
    """
    listed = JournalList(folder, show, only)
    names = listed.look().new
    journals = OpenJournals(folder)
    found: list[SessionState] = []
    for at in range(0, len(names), _ASKED):
        asked = names[at : at + _ASKED]
        for session, state in zip(asked, engine.states(asked), strict=True):
            here = _lines_of(journals, session, kept)
            found.append(SessionState(session, here, state.last, state.first, listed.found[session].changed))
    journals.close()
    return found


def _lines_of(journals: OpenJournals, session: str, kept: ShippedState) -> int:
    place = kept.places.get(session)
    try:
        file = journals.file(session)
        known = LinePlace(place.line, place.offset, place.before) if place is not None else LinePlace()
        if file.read_bytes(known.offset - len(known.before), len(known.before)) != known.before:
            known = LinePlace()
        cursor = JournalCursor(known)
        cursor.seek(file, MAX_LINES)
    except OSError:  # gone meanwhile
        return 0
    return cursor.place.line
