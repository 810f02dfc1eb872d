"""What was read of each session: its thoughts that were on a screen while somebody was there (docs/sessions.md)."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from seqthink.library.viewer_store.record_file import MIN_OUTDATED_LINES, Record, RecordFile


class _Seen(NamedTuple):
    """What was read of one session."""

    thoughts: int = 0
    until: int = 0


class ReadState:
    """How many thoughts of each session were read; several viewers may add to it.

    What ended before the first viewer was opened counts as read.

    Args:
        folder: the folder of what viewers keep.
    """

    def __init__(self, folder: Path) -> None:
        self._file = RecordFile(folder / "read.jsonl")
        self._signature: tuple[int, int, int] | None = None
        self._seen: dict[str, _Seen] = {}
        self._since: int | None = None

    def begin(self, now: int) -> None:
        """Remember that thoughts from ``now`` on, in microseconds since 1970, are unread, unless that was done before.

        Raises:
            OSError: the file cannot be written.
            UsageError: it is not a file of our own.
        """
        self._load()
        if self._since is None:
            self._file.append([{"since": now}])

    def seen_count(self, session: str) -> int:
        """Return how many of a session's thoughts were read, in order of arrival; 0 if none is known to be.

        Raises:
            OSError: the file cannot be read.
            UsageError: it is not a file of our own.
        """
        self._load()
        return self._seen.get(session, _Seen()).thoughts

    def is_unread(self, session: str, newest: int) -> bool:
        """Return whether a session's newest thought, of the time ``newest`` in microseconds since 1970, is unread.

        A time later than the newest thought's asks whether it may be. Raises as `seen_count` does.
        """
        self._load()
        seen = self._seen.get(session)
        if seen is not None and seen.until:
            return newest > seen.until
        return self._since is not None and newest > self._since

    def unread_count(self, session: str, thoughts: int, newest: int) -> int:
        """Return how many of a session's ``thoughts`` are unread; ``newest`` as in `is_unread`, which it raises as."""
        return max(1, thoughts - self.seen_count(session)) if thoughts and self.is_unread(session, newest) else 0

    def mark_read(self, session: str, count: int, until: int = 0) -> None:
        """Remember that the first ``count`` thoughts of a session were read; a smaller number changes nothing.

        Args:
            session: its id.
            count: thoughts in order of arrival.
            until: time of the last of them, in microseconds since 1970.

        Raises:
            OSError: the file cannot be written.
            UsageError: it is not a file of our own.
        """
        self._load()
        known = self._seen.get(session, _Seen())
        if count > known.thoughts or until > known.until:
            self._file.append([{"session": session, "seen": count, "until": until}])

    def forget(self, sessions: Collection[str]) -> None:
        """Forget sessions. Raises as `mark_read` does."""
        self._load()
        if not self._seen.keys().isdisjoint(sessions):
            self._file.rewrite(lambda records: _newest([r for r in records if r.get("session") not in sessions]))

    def _load(self) -> None:
        signature = self._file.signature()
        if signature == self._signature:
            return
        records = self._file.read()
        self._seen, self._since = _understood(records)
        self._signature = signature
        if len(records) > 2 * len(self._seen) + MIN_OUTDATED_LINES:
            self._file.rewrite(_newest)


def _understood(records: list[Record]) -> tuple[dict[str, _Seen], int | None]:
    """Return the most that was read of each session, and since when thoughts are unread."""
    seen: dict[str, _Seen] = {}
    since: int | None = None
    for record in records:
        session, begun = record.get("session"), _whole(record.get("since"))
        if begun:
            since = begun if since is None else min(since, begun)
        if isinstance(session, str):
            known = seen.get(session, _Seen())
            count, until = _whole(record.get("seen")), _whole(record.get("until"))
            seen[session] = _Seen(max(count, known.thoughts), max(until, known.until))
    return seen, since


def _whole(value: object) -> int:
    """Return a whole number that is not negative; 0 for anything else."""
    return max(0, value) if isinstance(value, int) and not isinstance(value, bool) else 0


def _newest(records: list[Record]) -> list[Record]:
    """Return the records that say the same, one for each session."""
    seen, since = _understood(records)
    begun: list[Record] = [{"since": since}] if since is not None else []
    return begun + [{"session": name, "seen": one.thoughts, "until": one.until} for name, one in seen.items()]
