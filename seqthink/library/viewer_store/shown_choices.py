"""What the user chose to see of each session (docs/viewer.md, "The screen"): how much of it, and the map.

The choices for the list of sessions are kept as those of a session with an empty id.
"""

from collections.abc import Collection
from pathlib import Path

from msgspec import UNSET, Struct, UnsetType, ValidationError, convert, to_builtins

from seqthink.library.viewer_store.record_file import MIN_OUTDATED_LINES, Record, RecordFile


class ShownChoice(Struct, frozen=True, kw_only=True):
    """What was chosen for one session; what is not set was not chosen."""

    shown: str | UnsetType = UNSET
    """Thoughts only, what agents said too, or everything."""
    map: bool | UnsetType = UNSET
    """Whether the map is beside the tree."""
    by: str | UnsetType = UNSET
    """Of the list of sessions, whose id is empty: by what it is grouped."""


class ShownChoices:
    """The newest choices for each session, in a file to which several viewers may add.

    Args:
        folder: the folder of what viewers keep.
    """

    def __init__(self, folder: Path) -> None:
        self._file = RecordFile(folder / "shown.jsonl")

    def of(self, session: str) -> ShownChoice:
        """Return what was chosen for a session.

        Raises:
            OSError: the file cannot be read.
            UsageError: it is not a file of our own.
        """
        return convert(_newest(self._file.read()).get(session, {}), ShownChoice)

    def choose(self, session: str, choice: ShownChoice) -> None:
        """Remember what ``choice`` sets.

        Raises:
            OSError: the file cannot be written.
            UsageError: it is not a file of our own.
        """
        self._file.append([{"session": session, **to_builtins(choice)}])
        records = self._file.read()
        if len(records) > 2 * len(_newest(records)) + MIN_OUTDATED_LINES:
            self._file.rewrite(_kept)

    def forget(self, sessions: Collection[str]) -> None:
        """Forget sessions. Raises as `choose` does."""
        if any(record.get("session") in sessions for record in self._file.read()):
            self._file.rewrite(lambda records: _kept([r for r in records if r.get("session") not in sessions]))


def merged(before: ShownChoice, choice: ShownChoice) -> ShownChoice:
    """Return what holds after a choice."""
    return convert({**to_builtins(before), **to_builtins(choice)}, ShownChoice)


def _newest(records: list[Record]) -> dict[str, Record]:
    """Return by session what was chosen last; what is not a choice is left out."""
    found: dict[str, Record] = {}
    for record in records:
        session = record.get("session")
        try:
            choice = convert(record, ShownChoice)
        except ValidationError:
            continue
        if isinstance(session, str):
            found.setdefault(session, {}).update(to_builtins(choice))
    return found


def _kept(records: list[Record]) -> list[Record]:
    return [{"session": session, **choice} for session, choice in _newest(records).items()]
