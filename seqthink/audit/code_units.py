"""Code units: pieces of code that are judged, each with the place that findings name. Pure."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from seqthink.core.unified_diff import DiffHunk, FileChange, LineKind

THOUGHT_PATH: Final = "thought"
"""The path that stands for the thought itself in findings and diffs."""


class CodeUnit(Struct, frozen=True, kw_only=True):
    """A piece of code: a fenced block, a workspace file, or a file as a diff would leave it."""

    path: str
    """The file, or ``THOUGHT_PATH``."""
    text: str
    language: str = ""
    """The name that the fence gives; "" if unknown."""
    candidates: tuple[str, ...] = ()
    """If not empty, it is judged as the one of these languages that parses all of it, else not at all."""
    first_line: int = 1
    """The line of ``path`` on which ``text`` begins, from 1."""
    added_lines: frozenset[int] | None = None
    """Lines that a change added, numbered as in findings; None: all lines are new."""
    is_complete: bool = True
    """Whether the syntax can be checked; around a hunk, lines are missing."""
    is_code: bool = True
    """If false, only searched for secrets and leftovers."""

    @property
    def last_line(self) -> int:
        """The number of its last line."""
        return self.first_line + self.text.removesuffix("\n").count("\n")

    @property
    def new_lines(self) -> list[int]:
        """The numbers of the lines that are judged."""
        numbers = range(self.first_line, self.last_line + 1)
        return [number for number in numbers if self.is_new(number)]

    def is_new(self, line: int) -> bool:
        """Return whether ``line``, numbered as in findings, is new and therefore judged."""
        return self.added_lines is None or line in self.added_lines


def units_of_hunks(changes: Iterable[FileChange]) -> list[CodeUnit]:
    """Return the new side of ``changes`` as units: whole new files, otherwise one unit per hunk."""
    return [
        _unit_of_hunk(change, hunk)
        for change in changes
        for hunk in change.hunks
        if not change.is_deleted and hunk.new_side
    ]


def _unit_of_hunk(change: FileChange, hunk: DiffHunk) -> CodeUnit:
    is_whole = change.is_new and len(change.hunks) == 1 and hunk.first_line == 1 and not hunk.problem
    return CodeUnit(
        path=change.path,
        text="".join(f"{line.text}\n" for line in hunk.new_side),
        first_line=hunk.first_line,
        added_lines=frozenset(line.new for line in hunk.new_side if line.kind is LineKind.ADDED),
        is_complete=is_whole,
    )
