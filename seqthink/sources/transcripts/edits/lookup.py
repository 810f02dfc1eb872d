"""Reads a transcript again for what some of its calls changed in files."""

from collections.abc import Callable, Collection
from contextlib import closing
from typing import Final

from seqthink.core.file_edit import CallChange
from seqthink.sources.transcripts.facts import Fact, Result, ToolCall
from seqthink.sources.transcripts.source import FoundSession, Source

READ_BYTES: Final = 1 << 20
MAX_TEXT_CHARS: Final = 16 << 20
"""How much text of files is kept at a time."""


def changes_of(
    source: Source, found: FoundSession, calls: Collection[str], on_read: Callable[[int], bool]
) -> list[CallChange]:
    """Return what calls changed, in the order in which they were made; a call that changed nothing is not among them.

    Args:
        source: reads the session.
        found: the session.
        calls: the ids of the calls.
        on_read: is called with the number of bytes read so far, and returns False to give up.

    Raises:
        OSError: the transcript cannot be read.
    """
    wanted, read = _Wanted(calls), 0
    with closing(source.open(found)) as feed:
        while True:
            batch = feed.read(READ_BYTES)
            if batch.restarted:
                wanted = _Wanted(calls)
            for fact in batch.facts:
                wanted.take(fact)
            read += READ_BYTES
            if batch.at_end or wanted.is_complete or not on_read(read):
                return wanted.changes()


class _Wanted:
    """What is known of the calls that are looked for."""

    def __init__(self, calls: Collection[str]) -> None:
        self._calls = frozenset(calls)
        self._begun: dict[str, CallChange] = {}
        self._ended: set[str] = set()
        self._chars = 0

    @property
    def is_complete(self) -> bool:
        """Whether all calls have been read to their end."""
        return self._ended >= self._calls

    def take(self, fact: Fact) -> None:
        """Take in a fact, if it is about one of the calls."""
        if fact.id not in self._calls:
            return
        if isinstance(fact, ToolCall) and fact.id not in self._begun:
            self._begun[fact.id] = self._kept(CallChange(fact.tool, fact.time, tuple(fact.edits)))
        elif isinstance(fact, Result) and fact.id not in self._ended and fact.id in self._begun:
            self._ended.add(fact.id)
            begun = self._begun[fact.id]
            edits = begun.edits if fact.is_error else tuple(fact.edits) or begun.edits
            self._begun[fact.id] = self._kept(begun._replace(edits=edits, is_failed=fact.is_error))

    def _kept(self, change: CallChange) -> CallChange:
        """Return a change without its texts, if there are too many already."""
        self._chars += sum(len(edit.before or "") + len(edit.after or "") for edit in change.edits)
        return change if self._chars <= MAX_TEXT_CHARS else change._replace(edits=(), is_left_out=bool(change.edits))

    def changes(self) -> list[CallChange]:
        """Return those that changed something, or tried to."""
        return [change for change in self._begun.values() if change.edits or change.is_left_out]
