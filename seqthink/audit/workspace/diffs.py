"""What a unified diff says: which files change, and how. Pure, linear, and never an error, whatever the text.

Both of git's and plain `diff -u`'s forms are read, with other text around them. What only git can say (does it apply?)
is not guessed here.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from seqthink.audit.sources import Source
from seqthink.audit.workspace.diff_names import name_in_line, names_in_head, unquoted, without_prefixes

BAD_COUNTS: Final = "a hunk has not as many lines as its @@ line says"
NO_NAME: Final = "a change without a file's name"


class Hunk(Struct, frozen=True):
    """One place that changes: the number of its first new line, and its lines, each with its sign."""

    first_line: int
    lines: tuple[tuple[str, str], ...]
    problem: str = ""

    def new_side(self) -> list[tuple[int, str, bool]]:
        """Return the lines after the change: number, text, and whether it came with the change."""
        kept = [(sign, text) for sign, text in self.lines if sign != "-"]
        return [(number, text, sign == "+") for number, (sign, text) in enumerate(kept, self.first_line)]


class FileChange(Struct, frozen=True, kw_only=True):
    """What a diff does to one file; a path is None on the side where there is no file.

    ``depth`` is what `git apply -p` has to be told for these names.
    """

    old_path: str | None
    new_path: str | None
    hunks: tuple[Hunk, ...] = ()
    depth: int | None = None
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
    def added(self) -> tuple[tuple[int, str], ...]:
        """The lines that come, as they are numbered afterwards; a carriage return at the end belongs to the text."""
        return tuple((number, text) for hunk in self.hunks for number, text, is_added in hunk.new_side() if is_added)

    @property
    def removed(self) -> tuple[str, ...]:
        """The lines that go."""
        return tuple(text for hunk in self.hunks for sign, text in hunk.lines if sign == "-")


def parse(text: str) -> list[FileChange]:
    """Return the changes that ``text`` describes, in its order; what is wrong with one stands in its ``problem``."""
    return list(_Reader(text).changes())


def hunk_sources(changes: Iterable[FileChange]) -> list[Source]:
    """Return what ``changes`` alone let see of the files they leave: all of a new one, else the places that change."""
    return [
        _source(change, hunk)
        for change in changes
        for hunk in change.hunks
        if not change.is_deleted and any(sign != "-" for sign, _ in hunk.lines)
    ]


def normalised(text: str) -> str:
    """Return ``text`` as `git apply` wants it: without a fence around it, no carriage returns in what is not a file's.

    Lines of files are never touched.
    """
    lines = _lines(text)
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines and (fence := re.match(r"\s*(`{3,}|~{3,})", lines[first])):
        ends = (number for number in range(first + 1, len(lines)) if lines[number].strip() == fence[1])
        lines = lines[first + 1 : next(ends, len(lines))]
    reader = _Reader("")
    reader.lines = lines
    list(reader.changes())
    return "".join((line if number in reader.held else line.rstrip("\r")) + "\n" for number, line in enumerate(lines))


def _source(change: FileChange, hunk: Hunk) -> Source:
    side = hunk.new_side()
    is_whole = change.is_new and len(change.hunks) == 1 and hunk.first_line == 1 and not hunk.problem
    return Source(
        path=change.path,
        text="".join(f"{text}\n" for _, text, _ in side),
        first_line=hunk.first_line,
        added=frozenset(number for number, _, is_added in side if is_added),
        is_whole=is_whole,
    )


_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_BINARY = re.compile(r"Binary files (.+?) and (.+) differ$")


class _Draft:
    """A change as far as it was read."""

    def __init__(self, old: str | None = None, new: str | None = None, *, is_git: bool = False) -> None:
        self.old, self.new = old, new
        self.is_git = is_git
        self.has_names = not is_git
        self.moved: dict[str, str] = {}
        self.hunks: list[Hunk] = []
        self.is_new = self.is_deleted = self.is_binary = False

    def finished(self) -> FileChange:
        """Return the change."""
        old, new, depth = without_prefixes(self.old, self.new)
        old, new = self.moved.get("from", old), self.moved.get("to", new)
        old, new = None if self.is_new else old, None if self.is_deleted else new
        problems = [hunk.problem for hunk in self.hunks if hunk.problem] + [NO_NAME] * (not (old or new))
        return FileChange(
            old_path=old,
            new_path=new,
            hunks=tuple(self.hunks),
            depth=depth,
            is_binary=self.is_binary,
            is_rename=bool(self.moved),
            problem=problems[0] if problems else "",
        )


class _Reader:
    """Goes through the lines once; ``held`` are the numbers of those that are a file's, not the diff's own."""

    def __init__(self, text: str) -> None:
        self.lines = _lines(text)
        self.held = set[int]()
        self._at = 0

    def changes(self) -> Iterator[FileChange]:
        """Yield each change as soon as it ends."""
        draft: _Draft | None = None
        while self._at < len(self.lines):
            begun = self._begun(draft)
            if begun is not None:
                if draft:
                    yield draft.finished()
                draft = begun
            elif (match := _HUNK.match(self.lines[self._at])) is not None:
                draft = draft or _Draft()
                draft.hunks.append(self._hunk(match))
            else:
                if draft and not draft.hunks:
                    self._head(draft, self.lines[self._at].rstrip("\r"))
                self._at += 1
        if draft:
            yield draft.finished()

    def _begun(self, draft: _Draft | None) -> _Draft | None:
        """Return what begins at this line, if a change does."""
        line = self.lines[self._at].rstrip("\r")
        if line.startswith("diff --git "):
            self._at += 1
            return _Draft(*names_in_head(line.removeprefix("diff --git ")), is_git=True)
        in_head = draft is not None and draft.is_git and not draft.hunks and not draft.has_names
        if self._is_pair() and not in_head and self._starts(2, "@@ -"):
            return _Draft(*self._pair())
        if (binary := _BINARY.match(line)) and (draft is None or not draft.is_git or draft.hunks):
            self._at += 1
            begun = _Draft(name_in_line(binary[1]), name_in_line(binary[2]))
            begun.is_binary = True
            return begun
        return None

    def _head(self, draft: _Draft, line: str) -> None:
        """Take what a line between `diff --git` and the first hunk says."""
        if draft.is_git and not draft.has_names and self._is_pair():
            draft.old, draft.new = self._pair()
            draft.has_names = True
            self._at -= 1
            return
        draft.is_new |= line.startswith("new file mode ")
        draft.is_deleted |= line.startswith("deleted file mode ")
        draft.is_binary |= line.startswith(("GIT binary patch", "Binary files "))
        for side, heads in (("from", ("rename from ", "copy from ")), ("to", ("rename to ", "copy to "))):
            if line.startswith(heads):
                draft.moved[side] = unquoted(line.split(" ", 2)[2])

    def _starts(self, ahead: int, begin: str) -> bool:
        return self._at + ahead < len(self.lines) and self.lines[self._at + ahead].startswith(begin)

    def _is_pair(self) -> bool:
        return self._starts(0, "--- ") and self._starts(1, "+++ ")

    def _pair(self) -> tuple[str | None, str | None]:
        old, new = self.lines[self._at : self._at + 2]
        self._at += 2
        return name_in_line(old[4:]), name_in_line(new[4:])

    def _hunk(self, match: re.Match[str]) -> Hunk:
        self._at += 1
        lines: list[tuple[str, str]] = []
        left = {"-": int(match[2] or 1), "+": int(match[4] or 1)}
        while (sign := self._sign(left)) is not None:
            self.held.add(self._at)
            if sign != "\\":
                lines.append((sign, self.lines[self._at][1:]))
            for side in "-+":
                left[side] -= sign in (side, " ")
            self._at += 1
        if self._starts(0, "\\"):
            self._at += 1
        is_right = left == {"-": 0, "+": 0}
        return Hunk(max(1, int(match[3])), tuple(lines), "" if is_right else BAD_COUNTS)

    def _sign(self, left: dict[str, int]) -> str | None:
        """Return what this line is to the hunk; None: the hunk is over."""
        if self._at >= len(self.lines):
            return None
        line = self.lines[self._at]
        sign = line[:1] if line.rstrip("\r") else " "
        if sign not in ("-", "+", " ", "\\"):
            return None
        if max(left.values()) > 0:
            is_next_file = self._is_pair() and self._starts(2, "@@ -") and left != {"-": 1, "+": 1}
            return None if is_next_file else sign
        is_over = sign not in ("-", "+") or line.rstrip() == "--" or self._is_pair()
        return None if is_over else sign


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
