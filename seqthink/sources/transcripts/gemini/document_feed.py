"""Reads a session that is one JSON document, as before April 2026: whole, as the client rewrote it."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from seqthink.sources.transcripts.facts import Fact, ToolCall
from seqthink.sources.transcripts.files.rewritten_document import RewrittenDocument
from seqthink.sources.transcripts.gemini.records import ChatReader
from seqthink.sources.transcripts.json_fields import Fields
from seqthink.sources.transcripts.source import FactBatch, ReadCounts

_SESSION_ID: Final = re.compile(r'"sessionId"\s*:\s*"([\w.:-]{1,200})"')


class DocumentFeed:
    """A `SessionFeed` of one document, read at once. A changed one is read again, and gives the same facts and more."""

    def __init__(self, path: Path, begin: Callable[[ReadCounts], ChatReader]) -> None:
        """Read ``path`` with a reader that ``begin`` gives."""
        self._document = RewrittenDocument(path, _is_message, _named)
        self._begin = begin
        self._counts = ReadCounts()

    @property
    def counts(self) -> ReadCounts:
        """What became of the records so far."""
        return self._counts

    @property
    def agent_files(self) -> Sequence[Path]:
        """No other files: subagents had none then."""
        return ()

    @property
    def unstarted_calls(self) -> Mapping[str, int]:
        """None: the client does not say (see `SessionFeed`)."""
        return {}

    def unwritten_calls(self) -> Sequence[ToolCall]:
        """Return nothing: clients that wrote such a document are not looked for (see `SessionFeed`)."""
        return ()

    def is_abandoned(self) -> None:
        """Say nothing: the client does not keep its files open (see `SessionFeed`)."""

    def read(self, limit_bytes: int) -> FactBatch:  # noqa: ARG002 (a document has no parts to stop at)
        """Return the facts of the whole document, if it is new or has changed (see `SessionFeed`)."""
        counts = ReadCounts(read=1)
        is_first = not self._document.was_read
        document = self._document.read(counts)
        if document is None:
            return FactBatch([], at_end=True)
        self._counts = counts
        facts = [] if counts.too_long else self._begin(counts).read_record(document)
        return FactBatch(facts, at_end=True, restarted=not is_first)

    def settle(self) -> list[Fact]:
        """Return nothing: each message says by itself whether it is an answer."""
        return []

    def close(self) -> None:
        """Forget nothing: no file stays open between two reads."""


def _is_message(value: Fields) -> bool:
    return {"id", "type"} <= value.keys()


def _named(head: str) -> dict[str, Any]:
    """Return the id of a session whose document has a damaged beginning, as far as it is there."""
    named = _SESSION_ID.search(head)
    return {"sessionId": named[1] if named else "?"}
