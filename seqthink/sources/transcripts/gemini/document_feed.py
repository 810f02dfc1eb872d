"""Reads a session that is one JSON document, as before April 2026: whole, as the client rewrote it."""

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from seqthink.sources.transcripts.facts import Fact, ToolCall
from seqthink.sources.transcripts.files.damaged_lines import places_of_records
from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.files.tail import open_own_file
from seqthink.sources.transcripts.gemini.records import ChatReader
from seqthink.sources.transcripts.json_fields import as_fields, objects_in
from seqthink.sources.transcripts.source import FactBatch, ReadCounts

_NO_JSON: Final = b"\0\xef\xbb\xbf \t\r\n"
"""What a crash or an editor leaves around a document: NULs, a byte order mark, white space."""
_MESSAGES: Final = re.compile(r'"messages"\s*:\s*\[')
_SESSION_ID: Final = re.compile(r'"sessionId"\s*:\s*"([\w.:-]{1,200})"')
_BETWEEN: Final = ", \t\r\n"
_END: Final = re.compile(r"\s*\]")
MAX_DOCUMENT_BYTES: Final = 256 << 20
"""A longer document is left out."""


class DocumentFeed:
    """A `SessionFeed` of one document, read at once. A changed one is read again, and gives the same facts and more."""

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
        """None: the client does not say (see `SessionFeed`)."""
        return {}

    def unwritten_calls(self) -> Sequence[ToolCall]:
        """Return nothing: clients that wrote such a document are not looked for (see `SessionFeed`)."""
        return ()

    def is_abandoned(self) -> None:
        """Say nothing: the client does not keep its files open (see `SessionFeed`)."""

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
        """Forget nothing: no file stays open between two reads."""

    def _facts(self, content: bytes) -> list[Fact]:
        self._counts = ReadCounts(read=1)
        if len(content) > MAX_DOCUMENT_BYTES:
            self._counts.too_long = 1
            return []
        document = decode_object(content.strip(_NO_JSON))
        self._counts.corrupt = int(content[:1] == b"\0" or content[-1:] == b"\0")
        if document is None:
            document, self._counts.corrupt = _whole_part(content)
        return self._begin(self._counts).read_record(document)


def _whole_part(content: bytes) -> tuple[dict[str, Any], int]:
    """Return what can be read of a damaged document, and in how many places something of it is lost."""
    text = content.decode("utf-8", "replace")
    places = places_of_records(text, _is_whole)
    whole = [as_fields(decode_object(text[at:end].encode("utf-8", "replace"))) for at, end in places]
    messages = [message for each in whole for message in (objects_in(each, "messages") or [each])]
    messages = list({json.dumps(message, sort_keys=True): message for message in messages}.values())
    starts, ends = [at for at, _ in places], [end for _, end in places]
    begins = _MESSAGES.search(text)
    head = text[: begins.start()] if begins is not None else text[: starts[0] if starts else len(text)]
    document = decode_object(f'{head}"messages":[]}}'.encode("utf-8", "replace")) or _named(head)
    gaps = zip([begins.end() if begins is not None else 0, *ends], starts, strict=False)
    lost = sum(bool(text[before:after].strip(_BETWEEN)) for before, after in gaps)
    is_cut = _END.match(text, ends[-1] if ends else len(text)) is None
    return {**document, "messages": messages}, max(lost + is_cut, 1)


def _is_whole(value: dict[str, Any]) -> bool:
    """Return whether an object is a message, or a whole document."""
    return {"id", "type"} <= value.keys() or isinstance(value.get("messages"), list)


def _named(head: str) -> dict[str, Any]:
    """Return the id of a session whose document has a damaged beginning, as far as it is there."""
    named = _SESSION_ID.search(head)
    return {"sessionId": named[1] if named else "?"}
