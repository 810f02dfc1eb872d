"""Parses unified diffs: which files change, and how. Pure, linear, and without errors for any text.

Reads the formats of git and `diff -u`, with other text around them. Whether a diff applies, only git can say.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.workspace.diff_names import name_in_file_header, names_in_git_header, strip_prefixes, unquote_name

BAD_COUNTS: Final = "a hunk does not have as many lines as its @@ line says"
NO_FILE_NAME: Final = "a change without a file name"


class DiffHunk(Struct, frozen=True):
    """One place that changes."""

    first_line: int
    """Number of its first line in the new file."""
    lines: tuple[tuple[str, str], ...]
    """Sign and text of each line."""
    problem: str = ""
    """What is wrong with it, or ""."""

    def lines_after(self) -> list[tuple[int, str, bool]]:
        """Return the lines after the change: number, text, and whether the line was added."""
        kept = [(sign, text) for sign, text in self.lines if sign != "-"]
        return [(number, text, sign == "+") for number, (sign, text) in enumerate(kept, self.first_line)]


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
        """Whether old and new name differ although it is no rename."""
        return bool(self.old_path and self.new_path) and self.old_path != self.new_path and not self.is_rename

    @property
    def added_lines(self) -> tuple[tuple[int, str], ...]:
        """The added lines with their new numbers; a carriage return at the end belongs to the text."""
        return tuple((number, text) for hunk in self.hunks for number, text, is_added in hunk.lines_after() if is_added)

    @property
    def removed_lines(self) -> tuple[str, ...]:
        """The removed lines."""
        return tuple(text for hunk in self.hunks for sign, text in hunk.lines if sign == "-")


def parse_diff(text: str) -> list[FileChange]:
    """Return the changes in ``text``, in its order; errors are stored in ``problem``."""
    return list(_DiffReader(text).changes())


def units_of_hunks(changes: Iterable[FileChange]) -> list[CodeUnit]:
    """Return the new side of ``changes`` as units: whole new files, otherwise one unit per hunk."""
    return [
        _unit_of_hunk(change, hunk)
        for change in changes
        for hunk in change.hunks
        if not change.is_deleted and any(sign != "-" for sign, _ in hunk.lines)
    ]


def normalise_diff(text: str) -> str:
    """Return ``text`` as `git apply` wants it: without a fence around it, and header lines without carriage returns.

    Lines of file content stay as they are.
    """
    lines = _lines(text)
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines and (fence := re.match(r"\s*(`{3,}|~{3,})", lines[first])):
        ends = (number for number in range(first + 1, len(lines)) if lines[number].strip() == fence[1])
        lines = lines[first + 1 : next(ends, len(lines))]
    reader = _DiffReader("")
    reader.lines = lines
    list(reader.changes())
    return "".join(
        (line if number in reader.content_rows else line.rstrip("\r")) + "\n" for number, line in enumerate(lines)
    )


def _unit_of_hunk(change: FileChange, hunk: DiffHunk) -> CodeUnit:
    side = hunk.lines_after()
    is_whole = change.is_new and len(change.hunks) == 1 and hunk.first_line == 1 and not hunk.problem
    return CodeUnit(
        path=change.path,
        text="".join(f"{text}\n" for _, text, _ in side),
        first_line=hunk.first_line,
        added_lines=frozenset(number for number, _, is_added in side if is_added),
        is_complete=is_whole,
    )


_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_BINARY = re.compile(r"Binary files (.+?) and (.+) differ$")


class _ChangeBuilder:
    """Collects what is read of one change."""

    def __init__(self, old: str | None = None, new: str | None = None, *, is_git: bool = False) -> None:
        self.old, self.new = old, new
        self.is_git = is_git
        self.has_names = not is_git
        self.renamed_paths: dict[str, str] = {}
        self.hunks: list[DiffHunk] = []
        self.is_new = self.is_deleted = self.is_binary = False

    def build(self) -> FileChange:
        """Return the change."""
        old, new, depth = strip_prefixes(self.old, self.new)
        old, new = self.renamed_paths.get("from", old), self.renamed_paths.get("to", new)
        old, new = None if self.is_new else old, None if self.is_deleted else new
        problems = [hunk.problem for hunk in self.hunks if hunk.problem] + [NO_FILE_NAME] * (not (old or new))
        return FileChange(
            old_path=old,
            new_path=new,
            hunks=tuple(self.hunks),
            prefix_depth=depth,
            is_binary=self.is_binary,
            is_rename=bool(self.renamed_paths),
            problem=problems[0] if problems else "",
        )


class _DiffReader:
    """Reads the lines once; ``content_rows`` are the rows of file content, as opposed to headers."""

    def __init__(self, text: str) -> None:
        self.lines = _lines(text)
        self.content_rows = set[int]()
        self._row = 0

    def changes(self) -> Iterator[FileChange]:
        """Yield each change as soon as it ends."""
        current: _ChangeBuilder | None = None
        while self._row < len(self.lines):
            started = self._start_change(current)
            if started is not None:
                if current:
                    yield current.build()
                current = started
            elif (match := _HUNK.match(self.lines[self._row])) is not None:
                current = current or _ChangeBuilder()
                current.hunks.append(self._read_hunk(match))
            else:
                if current and not current.hunks:
                    self._read_header_line(current, self.lines[self._row].rstrip("\r"))
                self._row += 1
        if current:
            yield current.build()

    def _start_change(self, current: _ChangeBuilder | None) -> _ChangeBuilder | None:
        """Return the change that begins on this line; None if none does."""
        line = self.lines[self._row].rstrip("\r")
        if line.startswith("diff --git "):
            self._row += 1
            return _ChangeBuilder(*names_in_git_header(line.removeprefix("diff --git ")), is_git=True)
        in_head = current is not None and current.is_git and not current.hunks and not current.has_names
        if self._is_at_file_headers() and not in_head and self._row_starts_with(2, "@@ -"):
            return _ChangeBuilder(*self._read_file_headers())
        if (binary := _BINARY.match(line)) and (current is None or not current.is_git or current.hunks):
            self._row += 1
            started = _ChangeBuilder(name_in_file_header(binary[1]), name_in_file_header(binary[2]))
            started.is_binary = True
            return started
        return None

    def _read_header_line(self, current: _ChangeBuilder, line: str) -> None:
        """Read a line between `diff --git` and the first hunk."""
        if current.is_git and not current.has_names and self._is_at_file_headers():
            current.old, current.new = self._read_file_headers()
            current.has_names = True
            self._row -= 1
            return
        current.is_new |= line.startswith("new file mode ")
        current.is_deleted |= line.startswith("deleted file mode ")
        current.is_binary |= line.startswith(("GIT binary patch", "Binary files "))
        for side, heads in (("from", ("rename from ", "copy from ")), ("to", ("rename to ", "copy to "))):
            if line.startswith(heads):
                current.renamed_paths[side] = unquote_name(line.split(" ", 2)[2])

    def _row_starts_with(self, ahead: int, begin: str) -> bool:
        return self._row + ahead < len(self.lines) and self.lines[self._row + ahead].startswith(begin)

    def _is_at_file_headers(self) -> bool:
        return self._row_starts_with(0, "--- ") and self._row_starts_with(1, "+++ ")

    def _read_file_headers(self) -> tuple[str | None, str | None]:
        old, new = self.lines[self._row : self._row + 2]
        self._row += 2
        return name_in_file_header(old[4:]), name_in_file_header(new[4:])

    def _read_hunk(self, match: re.Match[str]) -> DiffHunk:
        self._row += 1
        lines: list[tuple[str, str]] = []
        remaining = {"-": int(match[2] or 1), "+": int(match[4] or 1)}
        while (sign := self._sign_in_hunk(remaining)) is not None:
            self.content_rows.add(self._row)
            if sign != "\\":
                lines.append((sign, self.lines[self._row][1:]))
            for side in "-+":
                remaining[side] -= sign in (side, " ")
            self._row += 1
        if self._row_starts_with(0, "\\"):
            self._row += 1
        is_right = remaining == {"-": 0, "+": 0}
        return DiffHunk(max(1, int(match[3])), tuple(lines), "" if is_right else BAD_COUNTS)

    def _sign_in_hunk(self, remaining: dict[str, int]) -> str | None:
        """Return the sign of this line; None if the hunk is over."""
        if self._row >= len(self.lines):
            return None
        line = self.lines[self._row]
        sign = line[:1] if line.rstrip("\r") else " "
        if sign not in ("-", "+", " ", "\\"):
            return None
        if max(remaining.values()) > 0:
            is_next_file = (
                self._is_at_file_headers() and self._row_starts_with(2, "@@ -") and remaining != {"-": 1, "+": 1}
            )
            return None if is_next_file else sign
        is_over = sign not in ("-", "+") or line.rstrip() == "--" or self._is_at_file_headers()
        return None if is_over else sign


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
