"""What a judge gets to read: pieces of code, each with the place that its findings name. Pure."""

from msgspec import Struct


class Source(Struct, frozen=True, kw_only=True):
    """A piece of code: a fenced block of the thought, a file of the workspace, or a file as a diff would leave it.

    ``path`` and ``first_line`` say where its first line stands, so that a finding names a place that the reader can
    open. ``language`` is a fence's name for it ("" when nobody knows). ``added`` are the lines that a change brought,
    numbered as the findings are; None: all of it is new. Only what is ``is_whole`` can be asked for its syntax: the
    lines around a hunk are missing.
    """

    path: str
    text: str
    language: str = ""
    first_line: int = 1
    added: frozenset[int] | None = None
    is_whole: bool = True

    def is_new(self, line: int) -> bool:
        """Return whether ``line``, numbered as findings are, came with the change that is judged."""
        return self.added is None or line in self.added
