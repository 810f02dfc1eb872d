"""What a call has changed in a file, as Claude Code records it with the result: with lines, and those around them."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Raw

from seqthink.sources.transcripts.claude.shapes import decode_edit_result
from seqthink.sources.transcripts.edits.recorded import RecordedEdits
from seqthink.sources.transcripts.facts import FileEdit

_CREATED: Final = "create"


def edits_of_result(result: Raw) -> Sequence[FileEdit]:
    """Return the edits in a ``toolUseResult``, which is not decoded before one is asked for."""
    return RecordedEdits(partial(_edits, result)) if result else ()


def _edits(result: Raw) -> Iterator[FileEdit]:
    from seqthink.sources.transcripts.edits import parsing  # noqa: PLC0415 - few ask for an edit

    said = decode_edit_result(result)
    if said is None or not said.file_path:
        return
    if said.type == _CREATED and said.content is not None:
        yield parsing.edit(said.file_path, "write", "", said.content, 1)
    for hunk in said.structured_patch:
        yield parsing.of_hunk(said.file_path, hunk.new_start, *parsing.signed_sides(hunk.lines))
