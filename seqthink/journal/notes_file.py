"""The notes file beside a journal: what the user writes to the agent in a viewer (docs/journal.md, "Where it lives").

Viewers append to it and the server reads it before each answer, so this uses the standard library only. Anyone who can
write to the file can speak to the agent; therefore both sides check its type and owner, and every note in it.
"""

import json
import os
import re
import stat
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from seqthink.core import system
from seqthink.journal.encode import encode_line

MAX_NOTE_BYTES: Final = 16 << 10
"""Maximal length of a note's text in UTF-8."""

_READ_BYTES = 128 << 10
"""Bytes read at a time."""
_FINGERPRINT_BYTES = 64
"""How many bytes before the offset are remembered, to detect another file."""
_ID = re.compile(r"[0-9a-f]{16}")
_TIME = re.compile(r"[0-9T:.+Z-]{1,40}")
_ELLIPSIS = "…"
_ADDRESSED = 2
"""The version of a line with an agent. A server that knows no other than 1 would give such a note to any agent."""
MAX_AGENT_CHARS: Final = 300
"""Maximal length of an agent's id; those that a journal keeps are shorter."""


class Note(NamedTuple):
    """A note of the user to the agent."""

    id: str
    """Sixteen hexadecimal digits."""
    text: str
    """The text, without control characters, not empty."""
    time: str
    """When it was written, as the viewer spelled it; empty if that is not a time."""
    is_cut: bool = False
    """Whether the text was cut to the maximal length."""
    agent: str = ""
    """The id of the agent that it is for; empty for whichever agent thinks next."""


class NotesFile:
    """Reads new notes from a file that grows, may be missing, and may be replaced."""

    def __init__(self, path: Path) -> None:
        self._path = os.fspath(path)
        self.refusal_reason = ""
        """Why the file is not read, in words; empty if it is read or does not exist."""
        self.has_more = False
        """Whether the last call of ``read_new`` stopped before the end of the file."""
        self._seen_signature: object = None
        self._restart()

    def read_new(self) -> list[Note]:
        """Return the notes added since the last call, in the file's order; all of them after it was replaced.

        Costs one `lstat` if nothing changed. Reads at most about 128 KiB.
        """
        self.has_more = False
        try:
            state = os.lstat(self._path)
            signature = (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns)
            if signature == self._seen_signature:
                return []
            self._seen_signature = signature
            self.refusal_reason = _reason_to_ignore(state)
            return [] if self.refusal_reason else self._read(state)
        except FileNotFoundError:
            self._seen_signature, self.refusal_reason = None, ""
            self._restart()
        except OSError as error:
            self.refusal_reason = (error.strerror or str(error)).lower()
        return []

    def _restart(self) -> None:
        self._offset = 0
        self._fingerprint = b""  # the last bytes before the offset, to detect another file
        self._is_in_long_line = False  # whether the offset is inside a line that is too long for a note

    def _read(self, state: os.stat_result) -> list[Note]:
        descriptor = os.open(self._path, system.READ | system.NO_LINK)
        try:
            if not os.path.samestat(os.fstat(descriptor), state):
                self._seen_signature = None  # replaced since `lstat`: read it next time
                return []
            chunk = self._read_chunk(descriptor)
        finally:
            os.close(descriptor)
        if self._offset + len(chunk) < state.st_size:
            self._seen_signature, self.has_more = None, True
        return self._complete_notes(chunk)

    def _read_chunk(self, descriptor: int) -> bytes:
        data = system.pread(descriptor, len(self._fingerprint) + _READ_BYTES, self._offset - len(self._fingerprint))
        if not data.startswith(self._fingerprint):
            self._restart()
            data = system.pread(descriptor, _READ_BYTES, 0)
        return data[len(self._fingerprint) :]

    def _complete_notes(self, chunk: bytes) -> list[Note]:
        """Return the notes of the complete lines. A torn line waits, unless it is already too long for a note."""
        complete, line_feed, _ = chunk.rpartition(b"\n")
        if not line_feed and len(chunk) < _READ_BYTES:
            return []
        lines = complete.split(b"\n") if line_feed else []
        if self._is_in_long_line:
            del lines[:1]
        self._is_in_long_line = not line_feed
        consumed = len(complete) + 1 if line_feed else len(chunk)
        self._fingerprint = (self._fingerprint + chunk[:consumed])[-_FINGERPRINT_BYTES:]
        self._offset += consumed
        return [note for line in lines if (note := read_note(line)) is not None]


def append_note(path: Path, note: Note) -> None:
    """Append ``note`` to the file at ``path`` in one write, after a newline if the last line has none.

    Raises:
        OSError: the file cannot be written, or is a link, not a regular file, or another user's.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | system.OPEN | system.NO_LINK | system.NO_WAIT
    descriptor = os.open(path, flags, 0o600)
    try:
        state = os.fstat(descriptor)
        if reason := _reason_to_ignore(state):
            raise PermissionError(None, reason, str(path))
        is_torn = state.st_size > 0 and system.pread(descriptor, 1, state.st_size - 1) != b"\n"
        fields = {"v": 1, "id": note.id, "time": note.time, "text": note.text}
        fields |= {"v": _ADDRESSED, "agent": note.agent} if note.agent else {}
        line = b"\n" * is_torn + encode_line(fields)
        if os.write(descriptor, line) != len(line):
            raise OSError(None, "no room left", str(path))
    finally:
        os.close(descriptor)


def read_note(line: bytes) -> Note | None:
    """Return the note in one line, fit for the agent; None if the line holds no note or only blanks."""
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    version, note_id, text, time = (fields.get(key) for key in ("v", "id", "text", "time"))
    if type(version) is not int or not isinstance(note_id, str) or not isinstance(text, str):
        return None
    agent = _addressee(fields.get("agent"))
    if agent is None or version not in ({_ADDRESSED} if agent else {1}):
        return None
    fit, is_cut = fit_note_text(text)
    if not _ID.fullmatch(note_id) or not fit:
        return None
    return Note(note_id, fit, time if isinstance(time, str) and _TIME.fullmatch(time) else "", is_cut, agent)


def _addressee(value: object) -> str | None:
    """Return the agent that a line names, "" for none; None if that cannot be an agent's id."""
    if value is None:
        return ""
    return value if isinstance(value, str) and 0 < len(value) <= MAX_AGENT_CHARS else None


def fit_note_text(text: str) -> tuple[str, bool]:
    """Return ``text`` without control characters and cut to a note's maximal length, and whether it was cut."""
    from seqthink.core.text import without_controls  # noqa: PLC0415 - not needed for a server's first answer

    clean = without_controls(text).strip()
    if fits_in_note(clean):
        return clean, False
    kept = clean.encode()[: MAX_NOTE_BYTES - len(_ELLIPSIS.encode())].decode(errors="ignore")
    return kept + _ELLIPSIS, True


def fits_in_note(text: str) -> bool:
    """Whether ``text``, which must have no lone surrogates, is short enough for a note."""
    return len(text) <= MAX_NOTE_BYTES and len(text.encode()) <= MAX_NOTE_BYTES


def _reason_to_ignore(state: os.stat_result) -> str:
    """Return why a file is not used as a notes file, in words; empty if it is."""
    if stat.S_ISLNK(state.st_mode):
        return "it is a symbolic link"
    if not stat.S_ISREG(state.st_mode):
        return "it is not a file"
    return "" if system.is_own(state) else "it belongs to another user"
