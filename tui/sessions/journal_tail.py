"""The last lines of a long journal, read before all the others, so that its end is on the screen at once."""

from pathlib import Path

from seqthink.core.errors import CorruptLineError
from seqthink.drawing.describe.line_thought import LineThought, line_thought
from seqthink.journal.decode import LineDecoder
from seqthink.journal.journal_file import JournalFile

MIN_JOURNAL_BYTES = 16 << 20
"""A shorter journal is opened within about 0.3 s, and has no need of this."""
TAIL_BYTES, MAX_TAIL_BYTES = 256 << 10, 4 << 20
"""Bytes that are read from the end, and the most where these hold no whole thought; four times as many each time."""


def read_tail(path: Path, decode: LineDecoder, *, is_ending: bool = False) -> list[LineThought]:
    """Return the thoughts of the last whole lines of a long journal; ``[]`` of a short one, or if there are none.

    Of a file that holds only the end of a journal (``is_ending``), they are returned however short it is.

    Lines that do not decode are left out: the whole tree counts and names them. Native reasoning is left out where
    there is a thought of the tool: then it is hidden by default.

    Raises:
        OSError: the journal cannot be read.
    """
    file = JournalFile.open(path, decode)
    try:
        size, reach, found = file.stat().st_size, TAIL_BYTES, list[LineThought]()
        if size < MIN_JOURNAL_BYTES and not is_ending:
            return []
        while not found and reach <= MAX_TAIL_BYTES:
            found = _thoughts_from(file, max(0, size - reach), size)
            reach *= 4
    finally:
        file.close()
    told = [thought for thought in found if thought.native is None]
    return told or found


def _thoughts_from(file: JournalFile, start: int, end: int) -> list[LineThought]:
    """Return the thoughts of the whole lines between two offsets."""
    chunk = file.read_bytes(start, end - start)
    offset = chunk.find(b"\n") + 1 if start else 0
    found: list[LineThought] = []
    for line in chunk[offset : chunk.rfind(b"\n")].split(b"\n"):
        thought = _thought_of(file.decode, line, start + offset)
        if thought is not None:
            found.append(thought)
        offset += len(line) + 1
    return found


def _thought_of(decode: LineDecoder, line: bytes, offset: int) -> LineThought | None:
    try:
        preview = decode.preview(line)
    except CorruptLineError:
        return None
    return line_thought(preview.event, offset, preview.whole_chars)
