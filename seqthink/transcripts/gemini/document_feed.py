"""Reads a session that is one JSON document, as before April 2026: whole, as the client rewrote it."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from seqthink.transcripts.facts import Fact
from seqthink.transcripts.files.json_lines import decode_object
from seqthink.transcripts.files.tail import open_own_file
from seqthink.transcripts.gemini.records import ChatReader
from seqthink.transcripts.source import FactBatch, ReadCounts

MAX_DOCUMENT_BYTES: Final = 256 << 20
"""A longer document is left out."""


class DocumentFeed:
    """A `SessionFeed` of one document, read at once. A changed one is read anew, and gives the same facts and more."""

    def __init__(self, path: Path, begin: Callable[[ReadCounts], ChatReader]) -> None:
        """Read ``path`` with a reader that ``begin`` gives."""
        self._path = path
        self._begin = begin
        self._counts = ReadCounts()
        self._state: tuple[int, int, int] | None = None

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
        """None: the client does not tell (see `SessionFeed`)."""
        return {}

    def is_abandoned(self) -> bool:
        """Return False: the client does not keep its files open (see `SessionFeed`)."""
        return False

    def read(self, limit_bytes: int) -> FactBatch:  # noqa: ARG002 (a document has no parts to stop at)
        """Return the facts of the whole document, if it is new or has changed (see `SessionFeed`)."""
        fd = open_own_file(self._path)
        with os.fdopen(fd, "rb") as file:
            status = os.fstat(fd)
            state = (status.st_ino, status.st_size, status.st_mtime_ns)
            if state == self._state:
                return FactBatch([], at_end=True)
            content = file.read(MAX_DOCUMENT_BYTES + 1)
        is_first, self._state = self._state is None, state
        return FactBatch(self._facts(content), at_end=True, restarted=not is_first)

    def settle(self) -> list[Fact]:
        """Return nothing: each message says by itself whether it is an answer."""
        return []

    def close(self) -> None:
        """Forget nothing: no file is held open between two reads."""

    def _facts(self, content: bytes) -> list[Fact]:
        self._counts = ReadCounts(read=1)
        if len(content) > MAX_DOCUMENT_BYTES:
            self._counts.too_long = 1
            return []
        document = decode_object(content)
        if document is None:
            self._counts.corrupt = 1
            return []
        return self._begin(self._counts).read_record(document)
