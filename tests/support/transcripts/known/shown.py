"""What the product shows of a folder: read by the parts that `seqthink export --native --format json` is made of."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from seqthink.events import ReasoningEvent, RejectedEvent
from seqthink.export.document import document
from seqthink.journal.decode import decode
from seqthink.loading import load_journal
from seqthink.transcripts.choosing import ChosenSession, ClientFolders
from seqthink.transcripts.registry import TRANSCRIPTS
from seqthink.transcripts.spool import Spool

EARLY = 0
"""A time at which every transcript has just changed."""

Row = tuple[str, str]
"""The kind of a row, and its text."""
Rows = dict[str | None, list[Row]]
"""The rows of each agent, in order."""


def found_in(home: Path) -> list[ChosenSession]:
    """Return all sessions below a home folder, as commands find them."""
    return ClientFolders(frozenset(TRANSCRIPTS), {}, home).all_sessions()


def read_to_end(spool: Spool, limit_bytes: int = 1 << 20) -> None:
    """Read all that there is now."""
    while not spool.advance(EARLY, limit_bytes):
        pass


def rows_in(journal: Path) -> Rows:
    """Return what is shown of a session, by agent; what is counted only comes behind."""
    rows: Rows = {}
    shown: list[tuple[int, str | None, Row]] = []
    for chain in document(load_journal(journal, decode, has_native=True))["chains"]:
        for lane in chain["lanes"]:
            shown += ((each["seq"], lane.get("agent"), _row(each)) for each in lane["thoughts"])
    for _, agent, row in sorted(shown, key=lambda each: each[0]):
        if row != ("answer", ""):  # where the user interrupted
            rows.setdefault(agent, []).append(row)
    for agent, row in _counted(journal):
        rows.setdefault(agent, []).append(row)
    return rows


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
