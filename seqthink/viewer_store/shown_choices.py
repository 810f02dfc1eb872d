"""What of each session the user chose to see: thoughts only, what agents said too, or everything (docs/screens.md)."""

from collections.abc import Collection
from pathlib import Path

from seqthink.viewer_store.record_file import MIN_OUTDATED_LINES, Record, RecordFile


class ShownChoices:
    """The newest choice for each session, in a file to which several viewers may add.

    Args:
        folder: the folder of what viewers keep.
    """

    def __init__(self, folder: Path) -> None:
        self._file = RecordFile(folder / "shown.jsonl")

    def of(self, session: str) -> str | None:
        """Return what was chosen for a session; None if nothing is known to be.

        Raises:
            OSError: the file cannot be read.
            UsageError: it is no file of our own.
        """
        return _newest(self._file.read()).get(session)

    def choose(self, session: str, shown: str) -> None:
        """Remember a choice.

        Raises:
            OSError: the file cannot be written.
            UsageError: it is no file of our own.
        """
        self._file.append([{"session": session, "shown": shown}])
        records = self._file.read()
        if len(records) > 2 * len(_newest(records)) + MIN_OUTDATED_LINES:
            self._file.rewrite(_kept)

    def forget(self, sessions: Collection[str]) -> None:
        """Forget sessions. Raises as `choose` does."""
        if any(record.get("session") in sessions for record in self._file.read()):
            self._file.rewrite(lambda records: _kept([r for r in records if r.get("session") not in sessions]))


def _newest(records: list[Record]) -> dict[str, str]:
    pairs = ((record.get("session"), record.get("shown")) for record in records)
    return {session: shown for session, shown in pairs if isinstance(session, str) and isinstance(shown, str)}


def _kept(records: list[Record]) -> list[Record]:
    return [{"session": session, "shown": shown} for session, shown in _newest(records).items()]
