"""What a unified diff says: which files change, and how. Pure, linear, and never an error, whatever the text.

Both of git's and plain `diff -u`'s forms are read, with other text around them. What only git can say (does it apply?)
is not guessed here.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.workspace.diff_names import name_in_file_header, names_in_git_header, strip_prefixes, unquote_name

BAD_COUNTS: Final = "a hunk has not as many lines as its @@ line says"
NO_FILE_NAME: Final = "a change without a file's name"


class DiffHunk(Struct, frozen=True):
    """One place that changes: the number of its first new line, and its lines, each with its sign."""

    first_line: int
    lines: tuple[tuple[str, str], ...]
    problem: str = ""

    def lines_after(self) -> list[tuple[int, str, bool]]:
        """Return the lines after the change: number, text, and whether it came with the change."""
        kept = [(sign, text) for sign, text in self.lines if sign != "-"]
        return [(number, text, sign == "+") for number, (sign, text) in enumerate(kept, self.first_line)]


class FileChange(Struct, frozen=True, kw_only=True):
    """What a diff does to one file; a path is None on the side where there is no file.

    ``depth`` is what `git apply -p` has to be told for these names.
    """

    old_path: str | None
    new_path: str | None
    hunks: tuple[DiffHunk, ...] = ()
    prefix_depth: int | None = None
    is_binary: bool = False
    is_rename: bool = False
    problem: str = ""

    @property
    def path(self) -> str:
        """The name to speak of it by."""
        return self.new_path or self.old_path or ""

    @property
    def is_new(self) -> bool:
        """Whether the file comes with the change."""
        return self.old_path is None

    @property
    def is_deleted(self) -> bool:
        """Whether the file goes with it."""
        return self.new_path is None

    @property
    def has_two_names(self) -> bool:
        """Whether it calls one file by two names, though it does not rename it."""
        return bool(self.old_path and self.new_path) and self.old_path != self.new_path and not self.is_rename

    @property
    def added_lines(self) -> tuple[tuple[int, str], ...]:
        """The lines that come, as they are numbered afterwards; a carriage return at the end belongs to the text."""
        return tuple((number, text) for hunk in self.hunks for number, text, is_added in hunk.lines_after() if is_added)

    @property
    def removed_lines(self) -> tuple[str, ...]:
        """The lines that go."""
        return tuple(text for hunk in self.hunks for sign, text in hunk.lines if sign == "-")


def parse_diff(text: str) -> list[FileChange]:
    """Return the changes that ``text`` describes, in its order; what is wrong with one stands in its ``problem``."""
    return list(_DiffReader(text).changes())


def units_of_hunks(changes: Iterable[FileChange]) -> list[CodeUnit]:
    """Return what ``changes`` alone let see of the files they leave: all of a new one, else the places that change."""
    return [
        _unit_of_hunk(change, hunk)
        for change in changes
        for hunk in change.hunks
        if not change.is_deleted and any(sign != "-" for sign, _ in hunk.lines)
    ]


def normalise_diff(text: str) -> str:
    """Return ``text`` as `git apply` wants it: without a fence around it, no carriage returns in what is not a file's.

    Lines of files are never touched.
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
    """A change as far as it was read."""

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
    """Goes through the lines once; ``held`` are the numbers of those that are a file's, not the diff's own."""

    def __init__(self, text: str) -> None:
        self.lines = _lines(text)
        self.content_rows = set[int]()
        self._row = 0

    def changes(self) -> Iterator[FileChange]:
        """Yield each change as soon as it ends."""
        draft: _ChangeBuilder | None = None
        while self._row < len(self.lines):
            begun = self._start_change(draft)
            if begun is not None:
                if draft:
                    yield draft.build()
                draft = begun
            elif (match := _HUNK.match(self.lines[self._row])) is not None:
                draft = draft or _ChangeBuilder()
                draft.hunks.append(self._read_hunk(match))
            else:
                if draft and not draft.hunks:
                    self._read_header_line(draft, self.lines[self._row].rstrip("\r"))
                self._row += 1
        if draft:
            yield draft.build()

    def _start_change(self, draft: _ChangeBuilder | None) -> _ChangeBuilder | None:
        """Return what begins at this line, if a change does."""
        line = self.lines[self._row].rstrip("\r")
        if line.startswith("diff --git "):
            self._row += 1
            return _ChangeBuilder(*names_in_git_header(line.removeprefix("diff --git ")), is_git=True)
        in_head = draft is not None and draft.is_git and not draft.hunks and not draft.has_names
        if self._is_at_file_headers() and not in_head and self._row_starts_with(2, "@@ -"):
            return _ChangeBuilder(*self._read_file_headers())
        if (binary := _BINARY.match(line)) and (draft is None or not draft.is_git or draft.hunks):
            self._row += 1
            begun = _ChangeBuilder(name_in_file_header(binary[1]), name_in_file_header(binary[2]))
            begun.is_binary = True
            return begun
        return None

    def _read_header_line(self, draft: _ChangeBuilder, line: str) -> None:
        """Take what a line between `diff --git` and the first hunk says."""
        if draft.is_git and not draft.has_names and self._is_at_file_headers():
            draft.old, draft.new = self._read_file_headers()
            draft.has_names = True
            self._row -= 1
            return
        draft.is_new |= line.startswith("new file mode ")
        draft.is_deleted |= line.startswith("deleted file mode ")
        draft.is_binary |= line.startswith(("GIT binary patch", "Binary files "))
        for side, heads in (("from", ("rename from ", "copy from ")), ("to", ("rename to ", "copy to "))):
            if line.startswith(heads):
                draft.renamed_paths[side] = unquote_name(line.split(" ", 2)[2])

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
        left = {"-": int(match[2] or 1), "+": int(match[4] or 1)}
        while (sign := self._sign_in_hunk(left)) is not None:
            self.content_rows.add(self._row)
            if sign != "\\":
                lines.append((sign, self.lines[self._row][1:]))
            for side in "-+":
                left[side] -= sign in (side, " ")
            self._row += 1
        if self._row_starts_with(0, "\\"):
            self._row += 1
        is_right = left == {"-": 0, "+": 0}
        return DiffHunk(max(1, int(match[3])), tuple(lines), "" if is_right else BAD_COUNTS)

    def _sign_in_hunk(self, left: dict[str, int]) -> str | None:
        """Return what this line is to the hunk; None: the hunk is over."""
        if self._row >= len(self.lines):
            return None
        line = self.lines[self._row]
        sign = line[:1] if line.rstrip("\r") else " "
        if sign not in ("-", "+", " ", "\\"):
            return None
        if max(left.values()) > 0:
            is_next_file = self._is_at_file_headers() and self._row_starts_with(2, "@@ -") and left != {"-": 1, "+": 1}
            return None if is_next_file else sign
        is_over = sign not in ("-", "+") or line.rstrip() == "--" or self._is_at_file_headers()
        return None if is_over else sign


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
