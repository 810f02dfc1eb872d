"""The thoughts that the user marked, of all sessions: each by its session and its ``seq``.

A mark keeps what a list shows of it: the list reads no journal, and one whose session is gone still says what it was.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from seqthink.library.viewer_store.record_file import MIN_OUTDATED_LINES, Record, RecordFile

MAX_TEXT_CHARS = 200
"""What is kept of a thought's text, and of a name."""
_MAX_SEQ = 2**53


class Mark(NamedTuple):
    """A marked thought."""

    session: str
    """Id of its session."""
    seq: int
    """Its ``seq`` in the journal."""
    marked: int = 0
    """When it was marked, in microseconds since 1970."""
    name: str = ""
    """Name of the session, as it was then: untrusted, as the text is."""
    number: int = 0
    """Number of the thought."""
    text: str = ""
    """The beginning of its text."""
    path: str = ""
    """Its journal, where that is not in the folder of the journals."""


class Marks:
    """The marks in a file; several viewers may change them.

    Args:
        folder: the folder of what viewers keep.
    """

    def __init__(self, folder: Path) -> None:
        self._file = RecordFile(folder / "marks.jsonl")
        self._signature: tuple[int, int, int] | None = None
        self._marks: Mapping[tuple[str, int], Mark] = {}

    def all(self) -> list[Mark]:
        """Return all marks, the newest first.

        Raises:
            OSError: the file cannot be read.
            UsageError: it is not a file of our own.
        """
        self._load()
        return sorted(self._marks.values(), key=lambda mark: (mark.marked, mark.seq), reverse=True)

    def seqs(self, session: str) -> frozenset[int]:
        """Return the ``seq`` of each marked thought of a session. Raises as `all` does."""
        self._load()
        return frozenset(mark.seq for mark in self._marks.values() if mark.session == session)

    def add(self, mark: Mark) -> None:
        """Mark a thought. Raises as `all` does, also where the file cannot be written."""
        kept = mark._replace(name=mark.name[:MAX_TEXT_CHARS], text=mark.text[:MAX_TEXT_CHARS])
        self._file.append([kept._asdict()])

    def remove(self, session: str, seq: int) -> None:
        """Take a mark away. Raises as `add` does."""
        self._file.append([{"session": session, "seq": seq, "removed": True}])

    def forget(self, sessions: Collection[str]) -> None:
        """Take all marks of some sessions away, and what they kept. Raises as `add` does."""
        if any(record.get("session") in sessions for record in self._file.read()):
            self._file.rewrite(lambda records: _kept([r for r in records if r.get("session") not in sessions]))

    def _load(self) -> None:
        signature = self._file.signature()
        if signature == self._signature:
            return
        records = self._file.read()
        self._marks = _marks_of(records)
        self._signature = signature
        if len(records) > 2 * len(self._marks) + MIN_OUTDATED_LINES:
            self._file.rewrite(_kept)


def _kept(records: list[Record]) -> list[Record]:
    return [mark._asdict() for mark in _marks_of(records).values()]


def _marks_of(records: list[Record]) -> dict[tuple[str, int], Mark]:
    """Return the marks that are left after all records, by session and ``seq``."""
    found: dict[tuple[str, int], Mark] = {}
    for record in records:
        session, seq = record.get("session"), record.get("seq")
        if not isinstance(session, str) or not _is_number(seq) or not seq:
            continue
        if record.get("removed") is True:
            found.pop((session, seq), None)
        else:
            found[session, seq] = _mark(session, seq, record)
    return found


def _mark(session: str, seq: int, record: Record) -> Mark:
    """Return the mark of a record; a value that is not a text or number is left out."""
    texts = {name: record[name] for name in ("name", "text", "path") if isinstance(record.get(name), str)}
    numbers = {name: record[name] for name in ("marked", "number") if _is_number(record.get(name))}
    return Mark(session, seq, **numbers, **texts)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MAX_SEQ
