"""Turns a patch of Codex into the unified diff that git applies: finds its hunks in the files. Pure.

Hunks are looked for as `apply_patch` does it: below the hunk before and below the line that ``@@`` names, first as they
are, then without blanks at their ends, then without blanks around them, then with plain hyphens, quotes and blanks for
those of typography. A hunk that only adds lines is at the end of the file. Added lines end as the first line of the
file does. Unlike there, kept lines stay as the file has them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from msgspec import Struct, structs

from seqthink.audit.workspace.files import MISSING
from seqthink.audit.workspace.patch import ALREADY_THERE
from seqthink.core.codex_patch import FilePatch, PatchHunk
from seqthink.core.unified_diff import NO_FILE_NAME, LineKind

MISSING_LINES: Final = "the lines around the change differ from the file's"
NO_CHANGE: Final = "an update without lines"
TOO_MUCH: Final = "its lines could not be found in reasonable time"
MAX_STEPS: Final = 5_000_000
"""Lines of a file that are compared to find the hunks of a patch."""
_CONTEXT_LINES: Final = 3

T = TypeVar("T")


class PatchError(Exception):
    """A patch that does not apply; the message says why, ``path`` where."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


class FileText(Struct, frozen=True):
    """A file as it is."""

    text: str
    is_executable: bool = False


ReadFile = Callable[[str], FileText | None]
"""Return the file at a path; None: there is none."""


class _Edit(NamedTuple):
    """Lines ``start`` to ``end`` (exclusive, from 0) of a file and what replaces them."""

    start: int
    end: int
    lines: tuple[str, ...]


def unified_from_patch(files: Sequence[FilePatch], read: ReadFile) -> str:
    """Return what ``files`` does as a unified diff of the files that ``read`` returns; "": it changes nothing.

    Each file is in it once, however often the patch names it.

    Raises:
        PatchError: The lines of a hunk are not in the file, or the file is missing or already there.
    """
    drafts = _Drafts(read)
    for file in files:
        _apply(file, drafts)
    return "".join(_differences(drafts))


def is_in_place(files: Sequence[FilePatch], read: ReadFile) -> bool:
    """Return whether the files already are as ``files`` would leave them: whether it can be undone, last file first."""
    undone: dict[str, list[str] | None] = {}
    deleted: set[str] = set()
    """What the patch deletes later: it is unknown what was in it."""

    def current(path: str) -> list[str] | None:
        if path not in undone:
            now = read(path)
            undone[path] = None if now is None else _lines(now.text)
        return undone[path]

    for file in reversed(files):
        target = file.new_path or file.path
        if file.is_deleted:
            if current(file.path) is not None:
                return False
            deleted.add(file.path)
        elif target in deleted:
            deleted.discard(target)
            deleted |= set() if file.is_new else {file.path}
        else:
            before = _undone(file, current(target))
            if before is None or (target != file.path and current(file.path) is not None):
                return False
            undone[target] = None
            undone[file.path] = None if file.is_new else before
    return True


def _undone(file: FilePatch, now: list[str] | None) -> list[str] | None:
    """Return the lines of a file before it was created or updated; None: this has not happened to it."""
    if now is None:
        return None
    lines = _FileLines(file.path, now)
    if file.is_new:
        return now if [line.removesuffix("\r") for line in now] == file.hunks[0].new_side else None
    if any(not hunk.new_side and lines.find(hunk.old_side, 0) is not None for hunk in file.hunks):
        return None
    hunks = sorted(file.hunks, key=lambda hunk: not hunk.old_side)  # what was only added is at the end
    undoing = [
        structs.replace(
            hunk,
            lines=tuple((_REVERSED[kind], line) for kind, line in hunk.lines),
            is_at_end=hunk.is_at_end and bool(hunks[-1].old_side),
        )
        for hunk in hunks
    ]
    try:
        return list(_edited(now, _edits(lines, undoing)))
    except PatchError:
        return None


_REVERSED: Final = {
    LineKind.ADDED: LineKind.REMOVED,
    LineKind.REMOVED: LineKind.ADDED,
    LineKind.KEPT: LineKind.KEPT,
}


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


class _Draft(Struct, frozen=True):
    """A file as a patch has left it so far."""

    path: str
    """Where it was before the patch; "": nowhere."""
    lines: list[str]
    origins: list[int]
    """The number that each line had before the patch, from 0; -1: it is new."""
    has_open_end: bool = False
    """Whether the last line has no newline."""
    is_executable: bool = False


class _Drafts:
    """The files of a patch, before it and as it has left them so far."""

    def __init__(self, read: ReadFile) -> None:
        self._read = read
        self.before: dict[str, _Draft | None] = {}
        self.now: dict[str, _Draft | None] = {}

    def get(self, path: str) -> _Draft | None:
        """Return the file at ``path`` now; None: there is none."""
        if path not in self.now:
            file = self._read(path)
            self.before[path] = self.now[path] = None if file is None else _unchanged(path, file)
        return self.now[path]


def _unchanged(path: str, file: FileText) -> _Draft:
    lines = _lines(file.text)
    has_open_end = bool(file.text) and not file.text.endswith("\n")
    return _Draft(path, lines, list(range(len(lines))), has_open_end, file.is_executable)


def _apply(file: FilePatch, drafts: _Drafts) -> None:
    """Do to ``drafts`` what a patch does to one file."""
    now = drafts.get(file.path)
    if file.problem or not file.path:
        raise PatchError(file.path, file.problem or NO_FILE_NAME)
    if file.is_new:
        if now is not None:
            raise PatchError(file.path, ALREADY_THERE)
        lines = file.hunks[0].new_side
        drafts.now[file.path] = _Draft("", lines, [-1] * len(lines))
        return
    if now is None:
        raise PatchError(file.path, MISSING)
    drafts.now[file.path] = None
    if not file.is_deleted:
        _update(file, now, drafts)


def _update(file: FilePatch, now: _Draft, drafts: _Drafts) -> None:
    target = file.new_path or file.path
    if not file.hunks and target == file.path:
        raise PatchError(file.path, NO_CHANGE)
    if target != file.path and drafts.get(target) is not None:
        raise PatchError(target, ALREADY_THERE)
    edits = _edits(_FileLines(file.path, now.lines), file.hunks)
    drafts.now[target] = structs.replace(
        now,
        lines=list(_edited(now.lines, edits)),
        origins=list(_edited(now.origins, [(start, end, (-1,) * len(lines)) for start, end, lines in edits])),
        has_open_end=now.has_open_end and not file.hunks,
    )


def _differences(drafts: _Drafts) -> Iterator[str]:
    """Yield a unified diff of each file that is not as before."""
    renamed = {
        draft.path: path
        for path, draft in drafts.now.items()
        if draft and drafts.before[path] is None and draft.path and drafts.now[draft.path] is None
    }
    for path, draft in drafts.now.items():
        before = drafts.before[path]
        if draft is None:
            if before is not None and path not in renamed:
                yield _whole_file(path, "-", before)
        elif renamed.get(draft.path) == path:
            yield _changed_file(draft.path, path, drafts.before[draft.path] or draft, draft)
        elif before is None:
            yield _whole_file(path, "+", draft)
        elif draft != before:
            yield _changed_file(path, path, before, draft)


def _changed_file(path: str, target: str, before: _Draft, after: _Draft) -> str:
    """Return ``after`` as a diff of ``before``, from which it came or which it replaces."""
    edits = list(_net_edits(before, after)) if after.path == path else [_Edit(0, len(before.lines), tuple(after.lines))]
    body = "".join(_hunk_text(before, group, shift) for group, shift in _groups(edits))
    names = f"--- {_quoted(f'a/{path}')}\n+++ {_quoted(f'b/{target}')}\n" if body else ""
    return _head(path, target) + names + body


def _net_edits(before: _Draft, after: _Draft) -> Iterator[_Edit]:
    """Yield what all updates of a file together change."""
    start, added, count = 0, list[str](), len(before.lines)
    for line, origin in zip((*after.lines, ""), (*after.origins, count), strict=True):
        if origin < 0:
            added.append(line)
            continue
        if added or origin > start:
            yield _Edit(start, origin, tuple(added))
        start, added = origin + 1, []
    if before.has_open_end and not after.has_open_end and after.origins[-1:] == [count - 1]:
        yield _Edit(count - 1, count, (before.lines[-1],))


class _FileLines:
    """The lines of a file in which those of a patch are looked for."""

    def __init__(self, path: str, lines: Sequence[str]) -> None:
        self.path = path
        self.all = lines
        self.ending = "\r" if lines and lines[0].endswith("\r") else ""
        """What added lines end with before their newline."""
        self._steps = 0
        self._normal: dict[Callable[[str], str], list[str]] = {}

    def find(self, wanted: Sequence[str], position: int) -> int | None:
        """Return where ``wanted`` is from ``position``; None: nowhere."""
        for normalise in (_without_return, str.rstrip, str.strip, _plain):
            if normalise not in self._normal:
                self._normal[normalise] = [normalise(line) for line in self.all]
            found = _first_match(self._normal[normalise], [normalise(line) for line in wanted], position)
            self._steps += (len(self.all) if found is None else found) - position + len(wanted)
            if self._steps > MAX_STEPS:
                raise PatchError(self.path, TOO_MUCH)
            if found is not None:
                return found
        return None


def _without_return(line: str) -> str:
    return line.removesuffix("\r")


_PLAIN_CHARACTERS: Final = str.maketrans(
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f"
    "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "-" * 7 + "'" * 4 + '"' * 4 + " " * 13,
)
"""The hyphens, quotes and blanks of typography that `apply_patch` takes for plain ones (tried with Codex 0.169)."""


def _plain(line: str) -> str:
    return line.strip().translate(_PLAIN_CHARACTERS)


def _edits(lines: _FileLines, hunks: Sequence[PatchHunk]) -> list[_Edit]:
    """Return where the changes of ``hunks`` are in ``lines``; kept lines stay as the file has them."""
    edits: list[_Edit] = []
    position = 0
    for hunk in hunks:
        for anchor in hunk.anchors:
            found = lines.find([anchor], position)
            if found is None:
                raise PatchError(lines.path, MISSING_LINES)
            position = found + 1
        start = _place(lines, hunk, position)
        if start is None:
            raise PatchError(lines.path, MISSING_LINES)
        edits += _edits_of_hunk(hunk, start, lines)
        position = min(len(lines.all), start + len(hunk.old_side)) if hunk.old_side else position
    return sorted(edits, key=lambda edit: edit.start)


def _place(lines: _FileLines, hunk: PatchHunk, position: int) -> int | None:
    """Return where the old side of ``hunk`` is, from ``position``; None: nowhere. Without one, it is at the end."""
    old, count = hunk.old_side, len(lines.all)
    if not old:
        return count
    first = max(position, count - len(old)) if hunk.is_at_end else position
    found = lines.find(old, first)
    if found is None and len(old) > 1 and not old[-1].strip():
        return lines.find(old[:-1], first)
    return found


def _first_match(lines: Sequence[str], wanted: Sequence[str], position: int) -> int | None:
    """Return where ``wanted`` is in ``lines`` from ``position``, by Knuth, Morris and Pratt: in linear time."""
    borders = [0] * len(wanted)
    length = 0
    for number in range(1, len(wanted)):
        while length and wanted[number] != wanted[length]:
            length = borders[length - 1]
        length += wanted[number] == wanted[length]
        borders[number] = length
    length = 0
    for number in range(position, len(lines)):
        line = lines[number]
        while length and line != wanted[length]:
            length = borders[length - 1]
        length += line == wanted[length]
        if length == len(wanted):
            return number + 1 - length
    return None


def _edits_of_hunk(hunk: PatchHunk, start: int, lines: _FileLines) -> Iterator[_Edit]:
    """Yield the removed and added lines of ``hunk``, which is at ``start``, without its kept lines."""
    line_count = len(lines.all)
    old, removed_from, added = start, -1, list[str]()
    for kind, text in (*hunk.lines, (LineKind.KEPT, "")):
        if kind is LineKind.KEPT:
            if removed_from >= 0:
                yield _Edit(min(removed_from, line_count), min(old, line_count), tuple(added))
            old, removed_from, added = old + 1, -1, []
            continue
        removed_from = old if removed_from < 0 else removed_from
        if kind is LineKind.ADDED:
            added.append(text + lines.ending)
        else:
            old += 1


def _edited(lines: Sequence[T], edits: Iterable[tuple[int, int, Sequence[T]]]) -> Iterator[T]:
    done = 0
    for start, end, new_lines in edits:
        yield from lines[done:start]
        yield from new_lines
        done = end
    yield from lines[done:]


def _groups(edits: Sequence[_Edit]) -> Iterator[tuple[list[_Edit], int]]:
    """Yield edits that share their context lines, each with how many lines the ones before added."""
    group: list[_Edit] = []
    shift = group_shift = 0
    for edit in edits:
        if group and edit.start - group[-1].end > 2 * _CONTEXT_LINES:
            yield group, group_shift
            group, group_shift = [], shift
        group.append(edit)
        shift += len(edit.lines) - (edit.end - edit.start)
    if group:
        yield group, group_shift


def _hunk_text(before: _Draft, edits: Sequence[_Edit], shift: int) -> str:
    """Return ``edits`` as one hunk of a unified diff; the edits before it added ``shift`` lines."""
    count = len(before.lines)
    first, last = max(0, edits[0].start - _CONTEXT_LINES), min(count, edits[-1].end + _CONTEXT_LINES)
    content: list[str] = []
    at = first
    for edit in edits:
        content += [f" {line}" for line in before.lines[at : edit.start]]
        content += [f"-{line}" for line in before.lines[edit.start : edit.end]]
        content += [f"+{line}" for line in edit.lines]
        at = edit.end
    content += [f" {line}" for line in before.lines[at:last]]
    if before.has_open_end and last == count:
        content = _with_open_end(content)
    old_count, new_count = (sum(line[0] in signs for line in content) for signs in (" -", " +"))
    header = f"@@ -{first + bool(old_count)},{old_count} +{first + shift + bool(new_count)},{new_count} @@"
    return "".join(f"{line}\n" for line in (header, *content))


def _with_open_end(content: list[str]) -> list[str]:
    r"""Return a hunk whose last old line has no newline; it gets one, as `apply_patch` does it.

    A last kept line is removed and added again, since only its newline is new.
    """
    number = max(row for row, line in enumerate(content) if line[0] in " -")
    mark = "\\ No newline at end of file"
    if content[number][0] == "-":
        return [*content[: number + 1], mark, *content[number + 1 :]]
    kept = content[number][1:]
    return [*content[:number], f"-{kept}", mark, f"+{kept}", *content[number + 1 :]]


def _head(path: str, target: str) -> str:
    renamed = f"rename from {_quoted(path)}\nrename to {_quoted(target)}\n" if target != path else ""
    return f"diff --git {_quoted(f'a/{path}')} {_quoted(f'b/{target}')}\n{renamed}"


def _whole_file(path: str, sign: str, file: _Draft) -> str:
    """Return a diff that creates ("+") or deletes ("-") a file."""
    is_new = sign == "+"
    mode = "100755" if file.is_executable else "100644"
    head = f"{_head(path, path)}{'new' if is_new else 'deleted'} file mode {mode}\n"
    if not file.lines:
        return head
    lines = file.lines
    names = ("/dev/null", _quoted(f"b/{path}")) if is_new else (_quoted(f"a/{path}"), "/dev/null")
    ranges = f"-0,0 +1,{len(lines)}" if is_new else f"-1,{len(lines)} +0,0"
    body = "".join(f"{sign}{line}\n" for line in lines)
    end = "\\ No newline at end of file\n" if file.has_open_end else ""
    return f"{head}--- {names[0]}\n+++ {names[1]}\n@@ {ranges} @@\n{body}{end}"


def _quoted(name: str) -> str:
    """Return ``name`` as git writes it in a header: quoted if it is not plain."""
    if all(character.isalnum() or character in "._/+@-" for character in name) and name.isascii():
        return name
    raw = name.encode("utf-8", "surrogateescape")
    escaped = "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}" for byte in raw)
    return f'"{escaped}"'
