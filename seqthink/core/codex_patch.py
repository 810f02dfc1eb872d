"""Patches as Codex's `apply_patch` takes them: found in other text and read. Pure.

    *** Begin Patch
    *** Update File: jobs/report.py
    *** Move to: jobs/hourly.py
    @@ def run():
     pool = Pool()
    -pool.open()
    +pool.warm()
    *** End Patch

The format has no line numbers: a hunk is where its lines are (`seqthink.audit.workspace.patch_conversion` finds them).
All takes linear time.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from seqthink.core.unified_diff import NO_FILE_NAME, DiffHunk, DiffLine, FileChange, HunkHeader, LineKind, parse_diff

_BEGIN: Final = "*** Begin Patch"
_END: Final = "*** End Patch"
_ADD: Final = "*** Add File: "
_DELETE: Final = "*** Delete File: "
_UPDATE: Final = "*** Update File: "
_MOVE: Final = "*** Move to: "
_END_OF_FILE: Final = "*** End of File"
_ENVIRONMENT: Final = "*** Environment ID: "
_FILE_HEADS: Final = (_ADD, _DELETE, _UPDATE)
_HEADS: Final = (*_FILE_HEADS, _MOVE, _END_OF_FILE, _ENVIRONMENT)
BAD_LINE: Final = "a line of the patch begins with none of +, - and blank"
_KINDS: Final = {"+": LineKind.ADDED, "-": LineKind.REMOVED, " ": LineKind.KEPT, "": LineKind.KEPT}


class PatchHunk(Struct, frozen=True):
    """Lines of an update that belong together."""

    anchors: tuple[str, ...] = ()
    """What ``@@`` lines name: lines above the hunk, from the outermost."""
    lines: tuple[tuple[LineKind, str], ...] = ()
    """Kept, removed and added lines."""
    is_at_end: bool = False
    """Whether it is at the end of the file."""

    @property
    def old_side(self) -> list[str]:
        """The kept and the removed lines."""
        return [text for kind, text in self.lines if kind is not LineKind.ADDED]

    @property
    def new_side(self) -> list[str]:
        """The kept and the added lines."""
        return [text for kind, text in self.lines if kind is not LineKind.REMOVED]


class FilePatch(Struct, frozen=True, kw_only=True):
    """What a patch does to one file."""

    path: str
    kind: str
    """One of the heads: `*** Add File: `, `*** Delete File: `, `*** Update File: `."""
    new_path: str = ""
    """Where the file is moved to, or ""."""
    hunks: tuple[PatchHunk, ...] = ()
    problem: str = ""
    """What is wrong with it, or ""."""

    @property
    def is_new(self) -> bool:
        """Whether the file is created."""
        return self.kind == _ADD

    @property
    def is_deleted(self) -> bool:
        """Whether the file is deleted."""
        return self.kind == _DELETE


def begins_patch(lines: Sequence[str], number: int) -> bool:
    """Return whether a patch begins on this line: its first line, with the head of a file below."""
    if not lines[number].startswith(_BEGIN) or lines[number].strip() != _BEGIN or number + 1 >= len(lines):
        return False
    return lines[number + 1].startswith((*_FILE_HEADS, _ENVIRONMENT))


def patch_end(lines: Sequence[str], start: int) -> int:
    """Return the end (exclusive) of the patch at ``start``: below its last line, or where lines with signs end."""
    number, signed_end, is_update = start + 1, 0, False
    while number < len(lines) and not begins_patch(lines, number):
        line = lines[number]
        if line.strip() == _END:
            return number + 1
        is_update = line.startswith(_UPDATE) or (is_update and not line.startswith(_FILE_HEADS))
        if not signed_end and not _belongs(line, is_update=is_update):
            signed_end = number
        number += 1
    end = signed_end or number
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return end


def is_patch(text: str) -> bool:
    """Return whether ``text`` contains a patch."""
    if _BEGIN not in text:
        return False
    lines = text.split("\n")
    return any(begins_patch(lines, number) for number in range(len(lines)))


def changes_in(diff: str) -> list[FileChange]:
    """Return the changes of ``diff``, a unified diff or a patch.

    A patch does not give the line numbers, so they are numbered from 1 in each file, one hunk after another.
    """
    return [_file_change(file) for file in parse_patch(diff)] if is_patch(diff) else parse_diff(diff)


def parse_patch(text: str) -> list[FilePatch]:
    """Return what each patch in ``text`` does to its files."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    files: list[FilePatch] = []
    number = 0
    while number < len(lines):
        if begins_patch(lines, number):
            end = patch_end(lines, number)
            files += _files(lines[number + 1 : end])
            number = end
        else:
            number += 1
    return files


def _belongs(line: str, *, is_update: bool) -> bool:
    return line.startswith(("+", *_HEADS)) or not line.strip() or (is_update and line.startswith(("-", " ", "@@")))


def _files(lines: Sequence[str]) -> Iterator[FilePatch]:
    starts = [number for number, line in enumerate(lines) if line.startswith(_FILE_HEADS)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        kind = next(head for head in _FILE_HEADS if lines[start].startswith(head))
        path, body = (
            lines[start][len(kind) :].strip(),
            [line for line in lines[start + 1 : end] if line.strip() != _END],
        )
        new_path = body.pop(0)[len(_MOVE) :].strip() if body and body[0].startswith(_MOVE) else ""
        hunks = tuple(_hunks(body)) if kind == _UPDATE else (_added(body),) if kind == _ADD else ()
        is_signed = all(_belongs(line, is_update=kind == _UPDATE) for line in body)
        yield FilePatch(
            path=path,
            kind=kind,
            new_path=new_path if kind == _UPDATE else "",
            hunks=hunks,
            problem="" if is_signed else BAD_LINE,
        )


def _added(body: Sequence[str]) -> PatchHunk:
    return PatchHunk(lines=tuple((LineKind.ADDED, line[1:]) for line in body if line.startswith("+")))


def _hunks(body: Sequence[str]) -> Iterator[PatchHunk]:
    body = _without_blank_ends(body)
    anchors: list[str] = []
    lines: list[tuple[LineKind, str]] = []
    for line in body:
        if line.startswith("@@"):
            if lines:
                yield PatchHunk(tuple(anchors), tuple(lines))
                anchors, lines = [], []
            if anchor := line[2:].strip().removesuffix("@@").strip():
                anchors.append(anchor)
        elif line.strip() == _END_OF_FILE:
            yield PatchHunk(tuple(anchors), tuple(lines), is_at_end=True)
            anchors, lines = [], []
        else:
            kind = _KINDS.get(line[:1])
            lines.append((kind, line[1:]) if kind else (LineKind.KEPT, line))
    if lines:
        yield PatchHunk(tuple(anchors), tuple(lines))


def _without_blank_ends(body: Sequence[str]) -> Sequence[str]:
    """Return an update without empty lines at its end, and without blank lines before its first ``@@``."""
    start, end = 0, len(body)
    while end and not body[end - 1]:
        end -= 1
    while start < end and not body[start].strip():
        start += 1
    return body[start if body[start:end] and body[start].startswith("@@") else 0 : end]


def _file_change(file: FilePatch) -> FileChange:
    """Return ``file`` as a change whose lines are numbered from 1."""
    hunks: list[DiffHunk] = []
    old = new = 1
    for hunk in file.hunks:
        hunks.append(_numbered(hunk.lines, old, new, is_new_file=file.is_new))
        old, new = old + len(hunk.old_side), new + len(hunk.new_side)
    target = file.new_path or file.path
    return FileChange(
        old_path=None if file.is_new else file.path,
        new_path=None if file.is_deleted else target,
        hunks=tuple(hunks),
        is_rename=target != file.path,
        problem=file.problem if target else NO_FILE_NAME,
    )


def _numbered(lines: Sequence[tuple[LineKind, str]], old: int, new: int, *, is_new_file: bool) -> DiffHunk:
    old_count = sum(kind is not LineKind.ADDED for kind, _ in lines)
    new_count = sum(kind is not LineKind.REMOVED for kind, _ in lines)
    header = HunkHeader(0 if is_new_file else old, old_count, new, new_count, "")
    numbered: list[DiffLine] = []
    for kind, text in lines:
        is_old, is_new = kind is not LineKind.ADDED, kind is not LineKind.REMOVED
        numbered.append(DiffLine(kind, text, old * is_old, new * is_new))
        old, new = old + is_old, new + is_new
    return DiffHunk(header, tuple(numbered))
