"""What calls changed in files, for the page: read from the transcript when somebody asks, in a thread, and not kept."""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.drawing.describe import units
from seqthink.drawing.panels.file_changes import (
    NO_CHANGES,
    ChangedFile,
    EditLine,
    ShownEdit,
    changed_files,
    count_words,
    left_out_sentence,
)
from seqthink.library.call_changes import AskedRow, read_changes
from seqthink.share.web.settings import WebSettings

MAX_SECONDS: Final = 30.0
"""How long a transcript is read."""
MAX_LINES: Final = 20_000
"""How many lines of files one answer has."""
MAX_CHARS: Final = 2_000
"""Characters of one line."""


class AskedFiles(NamedTuple):
    """What is asked for."""

    row: AskedRow
    folder: str
    """The working folder of the session."""


def changed_files_answer(path: Path, asked: AskedFiles, settings: WebSettings) -> dict[str, Any]:
    """Return what calls of the session at ``path`` changed, as JSON. May take seconds."""
    until = monotonic() + MAX_SECONDS
    sentences: list[str] = []

    def goes_on(_read: int) -> bool:
        if monotonic() < until:
            return True
        sentences.append(f"The transcript is long: after {MAX_SECONDS:.0f} seconds it was not read to its end.")
        return False

    files: list[ChangedFile] = []
    if not asked.row.calls:
        sentences.append(_sentence(asked.row.nothing))
    else:
        try:
            changes = read_changes(settings.catalog.session(path), asked.row.calls, settings.decode, goes_on)
        except UsageError as error:
            sentences.append(_sentence(str(error)))
        else:
            files = changed_files(changes, asked.folder)
            sentences += filter(None, (left_out_sentence(changes), "" if files or sentences else NO_CHANGES))
    drawn, is_cut = _drawn(files, settings)
    sentences += ["Not all lines are shown."] if is_cut else []
    return {"title": _sentence(asked.row.title).removesuffix("."), "says": " ".join(sentences), "files": drawn}


def _sentence(text: str) -> str:
    """Return words of ours as a sentence."""
    line = one_line(text)
    return f"{line[:1].upper()}{line[1:]}." if line else ""


def _drawn(files: Sequence[ChangedFile], settings: WebSettings) -> tuple[list[dict[str, Any]], bool]:
    """Return the files as JSON, and whether some of their lines are left out."""
    room = MAX_LINES
    drawn: list[dict[str, Any]] = []
    for file in files:
        edits: list[dict[str, Any]] = []
        for edit in file.edits:
            edits.append(_edit(edit, edit.lines[: max(0, room)], settings))
            room -= len(edit.lines)
        counts = count_words(file.added, file.removed) if file.is_changed else "failed"
        drawn.append({"path": file.path[:MAX_CHARS], "counts": counts, "edits": edits})
    return drawn, room < 0


def _edit(edit: ShownEdit, lines: Sequence[EditLine], settings: WebSettings) -> dict[str, Any]:
    return {
        "clock": units.clock(edit.time, settings.zone),
        "tool": edit.tool,
        "facts": edit.facts,
        "is_failed": edit.is_failed,
        "lines": [
            (line.kind.value if line.kind is not None else "left", line.number, line.text[:MAX_CHARS]) for line in lines
        ],
    }
