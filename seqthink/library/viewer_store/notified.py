"""On which occasions a command was started, so that of several viewers only one starts it (docs/sessions.md)."""

from collections.abc import Collection
from pathlib import Path

from seqthink.library.viewer_store.record_file import Record, RecordFile

MAX_RECORDS = 2_000
"""How many occasions are remembered, the newest."""


class NotifiedSessions:
    """Occasions in a file that several viewers share.

    Args:
        folder: the folder of what viewers keep.
    """

    def __init__(self, folder: Path) -> None:
        self._file = RecordFile(folder / "notified.jsonl")

    def claim(self, session: str, state: str, mark: int, *, ends: Collection[str] = ()) -> bool:
        """Return whether this is the first claim of an occasion, and remember it.

        Args:
            session: the session's id.
            state: what it has come to.
            mark: distinguishes occasions of the same state.
            ends: the states that are forgotten with it, so that they may be claimed again.

        Raises:
            OSError: the file cannot be written.
            UsageError: it is not a file of our own.
        """
        claimed: Record = {"session": session, "state": state, "mark": mark}
        is_first = False

        def add(records: list[Record]) -> list[Record]:
            nonlocal is_first
            is_first = claimed not in records
            kept = [one for one in records if one.get("session") != session or one.get("state") not in ends]
            return [*kept, claimed][-MAX_RECORDS:] if is_first else records

        self._file.rewrite(add)
        return is_first

    def forget(self, sessions: Collection[str]) -> None:
        """Forget sessions. Raises as `claim` does."""
        if any(record.get("session") in sessions for record in self._file.read()):
            self._file.rewrite(lambda records: [one for one in records if one.get("session") not in sessions])
