"""What calls changed in files, file by file and line by line: for a page of the viewer, and one in a browser."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from seqthink.core.file_edit import CallChange, FileEdit
from seqthink.core.text import SafeText, one_line, sanitize
from seqthink.drawing.describe.calls import path_in_folder
from seqthink.drawing.markup.text_diff import ChangeKind, line_diff

MAX_LINES: Final = 2000
"""How many lines of one edit are shown."""
CONTEXT_LINES: Final = 3
"""How many unchanged lines are shown before and after a change."""
MAX_NAME_CHARS: Final = 300
NOTHING_CHANGED: Final = "nothing was changed"
NO_CHANGES: Final = "No call here says that it changed a file. What a command changes is not recorded."


class EditLine(NamedTuple):
    """A line of an edit, sanitized."""

    kind: ChangeKind | None
    """None for a line that says how many are not shown."""
    number: int
    """Its number in the file afterwards; 0 if that is not known, or it is not there any more."""
    text: str


class ShownEdit(NamedTuple):
    """One edit of a file."""

    tool: SafeText
    time: int
    """When the call was made, in microseconds since 1970."""
    facts: tuple[str, ...]
    """What is to be known of it besides its lines."""
    is_failed: bool
    lines: tuple[EditLine, ...]
    added: int
    removed: int


class ChangedFile(NamedTuple):
    """A file with all edits of it, in the order in which they were made."""

    path: SafeText
    """Relative to the working folder, if it is in there."""
    edits: tuple[ShownEdit, ...]

    @property
    def added(self) -> int:
        """How many lines were added; those of calls that failed do not count."""
        return sum(edit.added for edit in self.edits if not edit.is_failed)

    @property
    def removed(self) -> int:
        """How many lines were removed."""
        return sum(edit.removed for edit in self.edits if not edit.is_failed)

    @property
    def is_changed(self) -> bool:
        """Whether any of its edits was made."""
        return not all(edit.is_failed for edit in self.edits)


def changed_files(changes: Sequence[CallChange], folder: str) -> list[ChangedFile]:
    """Return the files that calls changed, in the order of their first change; ``folder`` is the working folder."""
    by_path: dict[str, list[ShownEdit]] = {}
    for change in changes:
        for edit in change.edits:
            by_path.setdefault(path_in_folder(folder, edit.path), []).append(_shown(change, edit, folder))
    return [ChangedFile(one_line(path), tuple(edits)) for path, edits in by_path.items()]


def left_out_sentence(changes: Sequence[CallChange]) -> str:
    """Return how many calls are not shown since there is too much; empty if all are."""
    count = sum(change.is_left_out for change in changes)
    return f"{count} more calls changed files; their texts are too long together" if count else ""


def count_words(added: int, removed: int) -> str:
    """Return how many lines were added and removed: ``+3 -2``."""
    return " ".join([*([f"+{added:,}"] if added else []), *([f"-{removed:,}"] if removed else [])])


def _shown(change: CallChange, edit: FileEdit, folder: str) -> ShownEdit:
    lines = [*_lines(edit)]
    facts = [
        *(["failed", NOTHING_CHANGED] if change.is_failed else []),
        *(["deleted"] if edit.kind == "delete" else []),
        *([f"moved to {one_line(path_in_folder(folder, edit.moved_to))}"] if edit.moved_to else []),
        *(["new file"] if edit.kind == "write" and edit.before == "" else []),
        *(["written whole", "what was there before is not recorded"] if _has_unknown_past(edit) else []),
        *(["only its beginning is shown"] if edit.is_cut else []),
    ]
    return ShownEdit(
        one_line(change.tool[:MAX_NAME_CHARS]),
        change.time,
        tuple(facts),
        change.is_failed,
        tuple(_shortened(lines)),
        added=sum(line.kind is ChangeKind.ADDED for line in lines),
        removed=sum(line.kind is ChangeKind.REMOVED for line in lines),
    )


def _has_unknown_past(edit: FileEdit) -> bool:
    return edit.kind == "write" and edit.before is None


def _lines(edit: FileEdit) -> Iterator[EditLine]:
    """Yield all lines of an edit."""
    number = edit.line or 0
    for kind, lines in _runs(edit.before, edit.after):
        for line in lines:
            yield EditLine(kind, 0 if kind is ChangeKind.REMOVED else number, line)
            number += number > 0 and kind is not ChangeKind.REMOVED


def _runs(before: str | None, after: str | None) -> Iterator[tuple[ChangeKind, Sequence[str]]]:
    old, new = (sanitize(text).removesuffix("\n") if text else "" for text in (before, after))
    if old and new:
        yield from line_diff(old, new)
    elif old:
        yield ChangeKind.REMOVED, old.split("\n")
    elif new:
        yield ChangeKind.ADDED, new.split("\n")


def _shortened(lines: Sequence[EditLine]) -> Iterator[EditLine]:
    """Yield the lines that are shown: of many that are the same only those beside changes, and not all of very many."""
    near = _near_changes(lines)
    shown = hidden = 0
    for place, line in enumerate(lines):
        if shown >= MAX_LINES:
            yield EditLine(None, 0, f"{len(lines) - place:,} more lines")
            return
        if not near[place]:
            hidden += 1
            continue
        if hidden:
            yield EditLine(None, 0, f"{hidden:,} lines are the same")
            hidden = 0
        yield line
        shown += 1
    if hidden:
        yield EditLine(None, 0, f"{hidden:,} lines are the same")


def _near_changes(lines: Sequence[EditLine]) -> Sequence[bool]:
    """Return of each line whether it is a change, or near one."""
    near = bytearray(len(lines))
    for place, line in enumerate(lines):
        if line.kind is not ChangeKind.SAME:
            first, stop = max(0, place - CONTEXT_LINES), min(len(lines), place + CONTEXT_LINES + 1)
            near[first:stop] = b"\1" * (stop - first)
    return [bool(one) for one in near]
