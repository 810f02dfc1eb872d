"""What the product shows of a folder: read by the parts that `seqthink export --native --format json` is made of."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from seqthink.chain.native.switchable_fold import Shown
from seqthink.core.events import ReasoningEvent, RejectedEvent
from seqthink.journal.decode import decode
from seqthink.library.live_session import load_journal
from seqthink.share.export.document import document
from seqthink.sources.transcripts.choosing import ChosenSession, ClientFolders
from seqthink.sources.transcripts.registry import TRANSCRIPTS
from seqthink.sources.transcripts.spool import Spool
from tests.support.transcripts.known.sessions import Row, Rows

LATE: Final = 4_000_000_000_000_000
"""A time at which no transcript has changed for long."""


def found_in(home: Path) -> list[ChosenSession]:
    """Return all sessions below a home folder, as commands find them."""
    return ClientFolders(frozenset(TRANSCRIPTS), {}, home).all_sessions()


def read_to_end(spool: Spool, *, is_quiet: bool = False) -> None:
    """Read all that there is now; ``is_quiet`` says that nothing was written for long."""
    while not spool.advance(LATE if is_quiet else spool.found.changed):
        pass


def damage_in(journal: Path) -> int:
    """Return how many records an export says were left out."""
    exported = _exported(journal)
    return exported["corrupt"] + exported["unread"]


def rows_in(journal: Path) -> Rows:
    """Return what is shown of a session, by agent; what is counted only comes behind."""
    rows = rows_of(_exported(journal))
    for agent, row in _counted(journal):
        rows.setdefault(agent, []).append(row)
    return rows


def rows_of(exported: dict[str, Any]) -> Rows:
    """Return the rows of an exported session, by agent."""
    rows: Rows = {}
    shown: list[tuple[int, str | None, Row]] = []
    for chain in exported["chains"]:
        for lane in chain["lanes"]:
            shown += ((each["seq"], lane.get("agent"), _row(each)) for each in lane["thoughts"])
    for _, agent, row in sorted(shown, key=lambda each: each[0]):
        if row != ("answer", ""):  # where the user interrupted
            rows.setdefault(agent, []).append(row)
    return rows


def _exported(journal: Path) -> dict[str, Any]:
    return document(load_journal(journal, decode, shown=Shown.EVERYTHING))


def _row(shown: dict[str, Any]) -> Row:
    return shown.get("kind", "thought"), shown["thought"]


def _counted(journal: Path) -> Iterable[tuple[str | None, Row]]:
    for event in map(decode, journal.read_bytes().splitlines()):
        match event:
            case ReasoningEvent(text=None | ""):
                yield event.agent, ("unkept", "")
            case RejectedEvent():
                arguments: Any = event.arguments
                yield event.agent, ("refused", arguments["thought"])
            case _:
                pass
