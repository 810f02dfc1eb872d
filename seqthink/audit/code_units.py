"""What a judge gets to read: pieces of code, each with the place that its findings name. Pure."""

from typing import Final

from msgspec import Struct

THOUGHT_PATH: Final = "thought"
"""The name under which findings and diffs speak of code that stands in the thought itself."""


class CodeUnit(Struct, frozen=True, kw_only=True):
    """A piece of code: a fenced block of the thought, a file of the workspace, or a file as a diff would leave it.

    ``path`` and ``first_line`` say where its first line stands, so that a finding names a place that the reader can
    open. ``language`` is a fence's name for it ("" when nobody knows). ``added`` are the lines that a change brought,
    numbered as the findings are; None: all of it is new. Only what is ``is_whole`` can be asked for its syntax: the
    lines around a hunk are missing. What is not ``is_code`` is only looked through for secrets and leftovers.
    """

    path: str
    text: str
    language: str = ""
    first_line: int = 1
    added_lines: frozenset[int] | None = None
    is_complete: bool = True
    is_code: bool = True

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
        """Return whether ``line``, numbered as findings are, came with the change that is judged."""
        return self.added_lines is None or line in self.added_lines
