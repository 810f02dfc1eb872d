r"""Unified diffs as git and `diff -u` write them: found in other text, read, and made ready for `git apply`. Pure.

No text is an error: what is wrong with a change is stored in its ``problem``. All takes linear time.

Models often miscount the lines of a hunk, so there are two ways to read one:

- `parse_diff` ends a hunk where git would. Lines that are missing, and added or removed lines beyond the counts, are
  read, too; the change then has the problem `BAD_COUNTS` and must not be applied.
- `diff_lines` is for showing a diff: a hunk goes on up to the next header, whatever its counts say, and a line without
  a sign is a kept line that lacks its blank.

Either way a line that the counts claim is file content, even if it looks like a header, unless it begins a pair of
names with a hunk header below. Whether a diff applies, only git can say.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

DIFF_LANGUAGES: Final = frozenset({"diff", "patch", "udiff"})
"""How fences name a diff."""
BAD_COUNTS: Final = "a hunk does not have as many lines as its @@ line says"
NO_FILE_NAME: Final = "a change without a file name"

_GIT_HEADER: Final = "diff --git "
_NAME_HEADS: Final = ("--- ", "+++ ")
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
_HEADER = re.compile(
    rf"(?:{_GIT_HEADER}|index [\da-f]+\.\.|(?:new|deleted) file mode |(?:old|new) mode |similarity index |"
    r"dissimilarity index |(?:rename|copy) (?:from|to) |Binary files )"
)
_BINARY = re.compile(r"Binary files (.+?) and (.+) differ$")


class LineKind(StrEnum):
    """What a line is in a diff."""

    KEPT = " "
    REMOVED = "-"
    ADDED = "+"
    NO_NEWLINE = "\\"
    """The mark below a last line that has no newline."""
    GIT_HEADER = "diff --git"
    OLD_NAME = "---"
    NEW_NAME = "+++"
    """Always follows an `OLD_NAME`."""
    HEADER = "header"
    """Any other line that git writes between names and hunks."""
    HUNK = "@@"
    OTHER = "other"


_SIGNS: Final = {kind.value: kind for kind in (LineKind.KEPT, LineKind.REMOVED, LineKind.ADDED, LineKind.NO_NEWLINE)}
_CONTENT: Final = {LineKind.KEPT, LineKind.REMOVED, LineKind.ADDED}


class DiffLine(Struct, frozen=True):
    """A line of a diff."""

    kind: LineKind
    text: str
    """Of a kept, removed or added line, without its sign; a carriage return at the end belongs to it."""
    old: int = 0
    """Its number in the old file, from 1; 0: it is not there, or there is no hunk header to count from."""
    new: int = 0
    """Its number in the new file, as in ``old``."""


class HunkHeader(Struct, frozen=True):
    """An ``@@`` line."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    section: str
    """What follows the second ``@@``, often the function that is changed."""


class DiffHunk(Struct, frozen=True):
    """One place that changes."""

    header: HunkHeader
    lines: tuple[DiffLine, ...]
    """Its kept, removed and added lines."""

    @property
    def first_line(self) -> int:
        """Number of its first line in the new file."""
        return max(1, self.header.new_start)

    @property
    def new_side(self) -> list[DiffLine]:
        """The kept and the added lines."""
        return [line for line in self.lines if line.kind is not LineKind.REMOVED]

    @property
    def problem(self) -> str:
        """What is wrong with it, or ""."""
        old_count = sum(line.kind is not LineKind.ADDED for line in self.lines)
        is_right = (old_count, len(self.new_side)) == (self.header.old_count, self.header.new_count)
        return "" if is_right else BAD_COUNTS


class FileChange(Struct, frozen=True, kw_only=True):
    """What a diff does to one file."""

    old_path: str | None
    """None: the file is new."""
    new_path: str | None
    """None: the file is deleted."""
    hunks: tuple[DiffHunk, ...] = ()
    prefix_depth: int | None = None
    """The `-p` argument that `git apply` needs for these names; None: unknown."""
    is_binary: bool = False
    is_rename: bool = False
    problem: str = ""
    """What is wrong with the change, or ""."""

    @property
    def path(self) -> str:
        """The new path, or the old one of a deleted file."""
        return self.new_path or self.old_path or ""

    @property
    def is_new(self) -> bool:
        """Whether the file is created."""
        return self.old_path is None

    @property
    def is_deleted(self) -> bool:
        """Whether the file is deleted."""
        return self.new_path is None

    @property
    def has_two_names(self) -> bool:
        """Whether old and new name differ although it is not a rename."""
        return bool(self.old_path and self.new_path) and self.old_path != self.new_path and not self.is_rename

    @property
    def added_lines(self) -> tuple[tuple[int, str], ...]:
        """The added lines with their new numbers."""
        return tuple((line.new, line.text) for line in self._lines_of(LineKind.ADDED))

    @property
    def removed_lines(self) -> tuple[str, ...]:
        """The removed lines."""
        return tuple(line.text for line in self._lines_of(LineKind.REMOVED))

    def _lines_of(self, kind: LineKind) -> Iterator[DiffLine]:
        return (line for hunk in self.hunks for line in hunk.lines if line.kind is kind)


def parse_diff(text: str) -> list[FileChange]:
    """Return the changes in ``text``, in its order, with other text around them; problems are stored in each."""
    return list(_changes(list(_Scanner(_lines(text)).scan())))


def diff_lines(lines: Sequence[str]) -> Iterator[DiffLine]:
    """Yield all of ``lines``, which are a diff or an outline of one, as they are to be shown."""
    return _Scanner(lines, is_lenient=True).scan()


def read_hunk_header(line: str) -> HunkHeader | None:
    """Return the ``@@`` line that ``line`` is; None: it is none."""
    match = _HUNK.match(line)
    if match is None:
        return None
    return HunkHeader(int(match[1]), int(match[2] or 1), int(match[3]), int(match[4] or 1), match[5])


def normalise_diff(text: str) -> str:
    """Return ``text`` as `git apply` wants it: without a fence around it, and header lines without carriage returns.

    Lines of file content stay as they are.
    """
    lines = _lines(text)
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines and (fence := re.match(r"\s*(?:`{3,}|~{3,})", lines[first])):
        # Not as in Markdown, where a blank may precede the mark: in a diff that is a line of the file.
        marks = {fence[0], fence[0].lstrip()}
        ends = (number for number in range(first + 1, len(lines)) if lines[number].rstrip() in marks)
        lines = lines[first + 1 : next(ends, len(lines))]
    kinds = [line.kind for line in _Scanner(lines).scan()]
    return "".join(
        (line if kind in _CONTENT else line.rstrip("\r")) + "\n" for line, kind in zip(lines, kinds, strict=True)
    )


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


class _OpenHunk:
    """A hunk that is read: how many lines it still lacks, and the numbers of the next ones."""

    def __init__(self, header: HunkHeader) -> None:
        self._old, self._new = max(1, header.old_start), max(1, header.new_start)
        self.old_left, self.new_left = header.old_count, header.new_count

    @property
    def is_full(self) -> bool:
        """Whether it has all its lines."""
        return self.old_left <= 0 and self.new_left <= 0

    def take(self, kind: LineKind, line: str) -> DiffLine:
        """Return ``line`` with its numbers, and count it."""
        if kind is LineKind.NO_NEWLINE:
            return DiffLine(kind, line)
        is_old, is_new = kind is not LineKind.ADDED, kind is not LineKind.REMOVED
        text = line[1:] if line[:1] in _SIGNS or not line.rstrip("\r") else line
        taken = DiffLine(kind, text, self._old * is_old, self._new * is_new)
        self._old += is_old
        self._new += is_new
        self.old_left -= is_old
        self.new_left -= is_new
        return taken


class _Scanner:
    """Classifies each line; the only state is the hunk that is open."""

    def __init__(self, lines: Sequence[str], *, is_lenient: bool = False) -> None:
        self._lines = lines
        self._is_lenient = is_lenient

    def scan(self) -> Iterator[DiffLine]:
        """Yield every line."""
        hunk: _OpenHunk | None = None
        before = LineKind.OTHER
        for row, line in enumerate(self._lines):
            if hunk and (kind := self._kind_in_hunk(row, hunk)):
                yield hunk.take(kind, line)
                if kind is LineKind.NO_NEWLINE and hunk.is_full and not self._is_lenient:
                    hunk = None
                continue
            header = read_hunk_header(line)
            hunk = _OpenHunk(header) if header else None
            before = LineKind.NEW_NAME if before is LineKind.OLD_NAME else self._kind_outside(row)
            yield DiffLine(before, line[1:] if before in _CONTENT else line)

    def _kind_in_hunk(self, row: int, hunk: _OpenHunk) -> LineKind | None:
        """Return the kind of a line of ``hunk``; None if the hunk is over."""
        line = self._lines[row]
        kind = _SIGNS.get(line[:1] if line.rstrip("\r") else " ")
        if kind is None:
            is_kept = self._is_lenient and not (_HUNK.match(line) or _HEADER.match(line))
            return LineKind.KEPT if is_kept else None
        are_names = kind is LineKind.REMOVED and self._names_begin(row)
        if not hunk.is_full:
            is_last_change = hunk.old_left == hunk.new_left == 1
            return None if are_names and self._starts(row + 2, "@@ -") and not is_last_change else kind
        if are_names:
            return None
        is_surplus = self._is_lenient or (kind is not LineKind.KEPT and line.rstrip() != "--")
        return kind if is_surplus else None

    def _kind_outside(self, row: int) -> LineKind:
        """Return the kind of a line that is in no hunk."""
        line = self._lines[row]
        if line.startswith(_GIT_HEADER):
            return LineKind.GIT_HEADER
        if _HUNK.match(line):
            return LineKind.HUNK
        if self._names_begin(row):
            return LineKind.OLD_NAME
        if _HEADER.match(line):
            return LineKind.HEADER
        return _SIGNS.get(line[:1], LineKind.OTHER) if self._is_lenient else LineKind.OTHER

    def _names_begin(self, row: int) -> bool:
        return self._starts(row, _NAME_HEADS[0]) and self._starts(row + 1, _NAME_HEADS[1])

    def _starts(self, row: int, begin: str) -> bool:
        return row < len(self._lines) and self._lines[row].startswith(begin)


class _ChangeBuilder:
    """Collects what is read of one change."""

    def __init__(self, old: str | None = None, new: str | None = None, *, is_git: bool = False) -> None:
        self._old, self._new = old, new
        self._is_git = is_git
        self._has_names = not is_git
        self._renamed_paths: dict[str, str] = {}
        self._hunks: list[tuple[HunkHeader, list[DiffLine]]] = []
        self._is_new = self._is_deleted = self._is_binary = False

    @property
    def is_in_git_header(self) -> bool:
        """Whether no hunk was read since `diff --git`."""
        return self._is_git and not self._hunks

    @property
    def awaits_names(self) -> bool:
        """Whether the next names belong to it."""
        return self.is_in_git_header and not self._has_names

    def set_names(self, old: str | None, new: str | None) -> None:
        """Take the names below a git header."""
        self._old, self._new = old, new
        self._has_names = True

    def read(self, line: DiffLine) -> None:
        """Take in a line that begins no change."""
        if header := read_hunk_header(line.text) if line.kind is LineKind.HUNK else None:
            self._hunks.append((header, []))
        elif line.kind in _CONTENT:
            self._hunks[-1][1].append(line)
        elif not self._hunks:
            self._read_header(line.text.rstrip("\r"))

    def _read_header(self, line: str) -> None:
        self._is_new |= line.startswith("new file mode ")
        self._is_deleted |= line.startswith("deleted file mode ")
        self._is_binary |= line.startswith(("GIT binary patch", "Binary files "))
        for side, heads in (("from", ("rename from ", "copy from ")), ("to", ("rename to ", "copy to "))):
            if line.startswith(heads):
                self._renamed_paths[side] = unquoted(line.split(" ", 2)[2])

    def build(self) -> FileChange:
        """Return the change."""
        old, new, depth = _strip_prefixes(self._old, self._new)
        old, new = self._renamed_paths.get("from", old), self._renamed_paths.get("to", new)
        old, new = None if self._is_new else old, None if self._is_deleted else new
        hunks = tuple(DiffHunk(header, tuple(lines)) for header, lines in self._hunks)
        problems = [hunk.problem for hunk in hunks if hunk.problem] + [NO_FILE_NAME] * (not (old or new))
        return FileChange(
            old_path=old,
            new_path=new,
            hunks=hunks,
            prefix_depth=depth,
            is_binary=self._is_binary,
            is_rename=bool(self._renamed_paths),
            problem=problems[0] if problems else "",
        )


def _changes(lines: Sequence[DiffLine]) -> Iterator[FileChange]:
    """Yield each change as soon as it ends."""
    current: _ChangeBuilder | None = None
    for row, line in enumerate(lines):
        if (started := _started_change(lines, row, current)) is not None:
            if current:
                yield current.build()
            current = started
        elif current and current.awaits_names and line.kind is LineKind.OLD_NAME:
            current.set_names(*_names_at(lines, row))
        elif current or line.kind is LineKind.HUNK:
            current = current or _ChangeBuilder()
            current.read(line)
    if current:
        yield current.build()


def _started_change(lines: Sequence[DiffLine], row: int, current: _ChangeBuilder | None) -> _ChangeBuilder | None:
    """Return the change that begins at ``row``; None if none does."""
    line = lines[row]
    if line.kind is LineKind.GIT_HEADER:
        return _ChangeBuilder(*_names_in_git_header(line.text.rstrip("\r").removeprefix(_GIT_HEADER)), is_git=True)
    if line.kind is LineKind.OLD_NAME and not (current and current.awaits_names):
        has_hunk = row + 2 < len(lines) and lines[row + 2].text.startswith("@@ -")
        return _ChangeBuilder(*_names_at(lines, row)) if has_hunk else None
    if current and current.is_in_git_header:
        return None
    if match := _BINARY.match(line.text.rstrip("\r")) if line.kind is LineKind.HEADER else None:
        started = _ChangeBuilder(_name_in_header(match[1]), _name_in_header(match[2]))
        started.read(line)
        return started
    return None


def begins_diff(lines: Sequence[str], number: int) -> bool:
    """Return whether a diff begins on this line: a header or a hunk line, followed by what must follow it."""
    line = lines[number]
    if not line.startswith((_GIT_HEADER, _NAME_HEADS[0], "@@ -")):
        return False
    following = [*lines[number + 1 : number + 3], "", ""]
    if line.startswith(_GIT_HEADER):
        return following[0].startswith(_NAME_HEADS) or bool(_HEADER.match(following[0]))
    if line.startswith(_NAME_HEADS[0]):
        return following[0].startswith(_NAME_HEADS[1]) and bool(_HUNK.match(following[1]))
    return bool(_HUNK.match(line)) and following[0][:1] in {"+", "-", " "}


def diff_end(lines: Sequence[str], start: int) -> int:
    """Return the end (exclusive) of the diff at ``start``.

    Every line with a sign belongs to it, whatever the counts say; they only decide which blank lines do.
    """
    old_left = new_left = 0
    end = number = start
    while number < len(lines):
        line = lines[number]
        if hunk := read_hunk_header(line):
            old_left, new_left = hunk.old_count, hunk.new_count
        elif not line or line.isspace():
            if old_left <= 0 and new_left <= 0 and not (number + 1 < len(lines) and begins_diff(lines, number + 1)):
                break
            old_left, new_left = old_left - 1, new_left - 1
        elif line[0] in _SIGNS or _HEADER.match(line):
            old_left, new_left = old_left - (line[0] in "- "), new_left - (line[0] in "+ ")
        else:
            break
        number += 1
        end = number if line.strip() or (line and number > 0) else end
    return end


# Names of files: quotes, escapes, timestamps, and the prefixes `a/` and `b/`.

_TIMESTAMP = re.compile(r" \d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?[-+]\d{4}|Z)?$")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPES: Final = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_PAIR = re.compile(rf"({_QUOTED}) (.+)$|(.+) ({_QUOTED})$")
_PREFIX = re.compile(r"[abciow12]/.")


def names_in_headers(old_line: str, new_line: str) -> tuple[str | None, str | None]:
    """Return the names in a ``---`` and a ``+++`` line, without prefixes; None: there is no file on this side."""
    old, new, _ = _strip_prefixes(_name_in_header(old_line[4:]), _name_in_header(new_line[4:]))
    return old, new


def _names_at(lines: Sequence[DiffLine], row: int) -> tuple[str | None, str | None]:
    return _name_in_header(lines[row].text[4:]), _name_in_header(lines[row + 1].text[4:])


def _names_in_git_header(names: str) -> tuple[str | None, str | None]:
    """Return the two names after `diff --git`, which are split where both are equal except for their prefixes."""
    if match := _PAIR.match(names):
        return unquoted(match[1] or match[3]), unquoted(match[2] or match[4])
    middle = len(names) // 2
    if names[middle : middle + 1] == " " and names.count(" ") % 2:
        return names[:middle], names[middle + 1 :]
    old, _, new = names.partition(" ")
    return (old, new) if new and " " not in new else (None, None)


def _name_in_header(header: str) -> str | None:
    """Return the name in the rest of a `---` or `+++` line; None: no file on this side."""
    header = header.rstrip("\r")
    if match := re.match(_QUOTED, header):
        return unquoted(match[0])
    name = _TIMESTAMP.sub("", header.partition("\t")[0]) if "\t" not in header else header.partition("\t")[0]
    return None if name == "/dev/null" else name


def unquoted(name: str) -> str:
    """Return a name without the quotes and escapes that git adds to unusual names."""
    if len(name) < 2 or not (name.startswith('"') and name.endswith('"')):
        return name
    raw = name[1:-1].encode("utf-8", "surrogatepass")
    return _ESCAPE.sub(_unescape, raw).decode("utf-8", "surrogateescape")


def _unescape(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    return bytes([int(escape, 8) & 0xFF]) if len(escape) == 3 else _ESCAPES.get(escape, escape)


def _strip_prefixes(old: str | None, new: str | None) -> tuple[str | None, str | None, int | None]:
    """Return both names without `a/` and `b/`, and the number of folders removed; None if there is no name."""
    names: Sequence[str] = [name for name in (old, new) if name]
    is_pair = len(names) == 2 and all(_PREFIX.match(name) for name in names) and names[0][0] != names[1][0]
    is_half = len(names) == 1 and names[0].startswith("b/" if new else "a/") and len(names[0]) > 2
    if is_pair or is_half:
        return old and old[2:], new and new[2:], 1
    return old, new, 0 if names else None
