"""Reads a JSON document that its client rewrites as a whole: what is whole of it, also where it is damaged."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.files.damaged_lines import places_of_records
from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.files.tail import open_own_file
from seqthink.sources.transcripts.json_fields import Fields, as_fields, objects_in

MAX_DOCUMENT_BYTES: Final = 256 << 20
"""A longer document is left out."""
_NO_JSON: Final = b"\0\xef\xbb\xbf \t\r\n"
"""What a crash or an editor leaves around a document: NULs, a byte order mark, white space."""
_MESSAGES: Final = re.compile(r'"messages"\s*:\s*\[')
_BETWEEN: Final = ", \t\r\n"
_END: Final = re.compile(r"\s*\]")


class RewrittenDocument:
    """A document with a list ``messages``.

    Args:
        path: the file.
        is_message: returns whether an object is a message.
        names: returns what of a damaged beginning is still known, such as the session's id.
    """

    def __init__(
        self,
        path: Path,
        is_message: Callable[[Fields], bool],
        names: Callable[[str], dict[str, Any]] = lambda _: {},
    ) -> None:
        """Read ``path``, which need not exist yet."""
        self.path = path
        """The file."""
        self._is_message = is_message
        self._names = names
        self._state: tuple[int, int, int] | None = None

    @property
    def was_read(self) -> bool:
        """Whether it has been read once."""
        return self._state is not None

    @property
    def changed(self) -> int:
        """When the file as it was read last was written, in nanoseconds since 1970; 0 if it was not read."""
        return self._state[2] if self._state is not None else 0

    def read(self, counts: ReadCounts) -> Fields | None:
        """Return the document if it is new or has changed, else None; damage is counted.

        Raises:
            OSError: it cannot be read (see `open_own_file`).
        """
        fd = open_own_file(self.path)
        with os.fdopen(fd, "rb") as file:
            status = os.fstat(fd)
            state = (status.st_ino, status.st_size, status.st_mtime_ns)
            if state == self._state:
                return None
            content = file.read(MAX_DOCUMENT_BYTES + 1)
        self._state = state
        return self._decoded(content, counts)

    def _decoded(self, content: bytes, counts: ReadCounts) -> Fields:
        if len(content) > MAX_DOCUMENT_BYTES:
            counts.too_long += 1
            return {}
        document = decode_object(content.strip(_NO_JSON))
        if document is None:
            document, damage = self._whole_part(content)
            counts.corrupt += damage
            return document
        counts.corrupt += int(content[:1] == b"\0" or content[-1:] == b"\0")
        return document

    def _whole_part(self, content: bytes) -> tuple[dict[str, Any], int]:
        """Return what can be read of a damaged document, and in how many places something of it is lost."""
        text = content.decode("utf-8", "replace")
        places = places_of_records(text, self._is_whole)
        whole = [as_fields(decode_object(text[at:end].encode("utf-8", "replace"))) for at, end in places]
        messages = [message for each in whole for message in (objects_in(each, "messages") or [each])]
        messages = list({json.dumps(message, sort_keys=True): message for message in messages}.values())
        starts, ends = [at for at, _ in places], [end for _, end in places]
        begins = _MESSAGES.search(text)
        head = text[: begins.start()] if begins is not None else text[: starts[0] if starts else len(text)]
        document = decode_object(f'{head}"messages":[]}}'.encode("utf-8", "replace")) or self._names(head)
        gaps = zip([begins.end() if begins is not None else 0, *ends], starts, strict=False)
        lost = sum(bool(text[before:after].strip(_BETWEEN)) for before, after in gaps)
        is_cut = _END.match(text, ends[-1] if ends else len(text)) is None
        return {**document, "messages": messages}, max(lost + is_cut, 1)

    def _is_whole(self, value: dict[str, Any]) -> bool:
        """Return whether an object is a message, or a whole document."""
        return self._is_message(value) or isinstance(value.get("messages"), list)
