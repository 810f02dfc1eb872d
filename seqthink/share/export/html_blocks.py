"""Blocks of a page's text, unsanitized: what ``blocks.html`` draws in thoughts, refused calls and attachments."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from markupsafe import Markup
from msgspec import Struct

from seqthink.core.text import MAX_RENDERED_CHARS, sanitize
from seqthink.drawing.describe.audits import ReviewComment
from seqthink.drawing.markup.unified_diff import is_diff
from seqthink.drawing.text.spans import Role


class Words(NamedTuple):
    """A piece of a line."""

    text: str
    role: Role | None = None
    """Its colour; None for that of the line."""


class Paragraphs(Struct, frozen=True):
    """Text without markup."""

    kind: ClassVar = "paragraphs"
    paragraphs: Sequence[Sequence[str]]
    """The lines of each."""


class Rendered(Struct, frozen=True):
    """Text with markup."""

    kind: ClassVar = "rendered"
    html: Markup


class Raw(Struct, frozen=True):
    """A text as it is written; it may be huge."""

    kind: ClassVar = "raw"
    text: str | Iterable[str]
    role: Role | None = None


class Sentence(Struct, frozen=True):
    """A sentence of the page about what is here."""

    kind: ClassVar = "remark"
    text: str


class ModelQuestion(Struct, frozen=True):
    """A question to a model, folded."""

    kind: ClassVar = "prompt"
    text: str


class Pairs(Struct, frozen=True):
    """Names, and a text for each."""

    kind: ClassVar = "pairs"
    pairs: Sequence[tuple[str, str]]


class CallRow(NamedTuple):
    """A call of a tool."""

    tool: str
    object: str
    """What it touched."""
    end: str
    """How long it took, and how it ended."""
    role: Role
    reason: str
    """Why it failed; empty if that is not known."""


class Calls(Struct, frozen=True):
    """Calls of tools, and how many earlier ones are left out."""

    kind: ClassVar = "calls"
    calls: Sequence[CallRow]
    left_out: str
    """The sentence that says how many; empty if none are."""


class Bar(NamedTuple):
    """A score from 0 to 100, its name and colour."""

    name: str
    score: int
    role: Role


class Bars(Struct, frozen=True):
    """Scores as bars."""

    kind: ClassVar = "bars"
    bars: Sequence[Bar]


class Comments(Struct, frozen=True):
    """Comments on code."""

    kind: ClassVar = "comments"
    comments: Sequence[ReviewComment]


class Code(Struct, frozen=True):
    """Code as it is written; it may be huge."""

    kind: ClassVar = "code"
    text: str
    info: str = ""
    """What follows a fence: a language, and more."""

    @property
    def diff_lines(self) -> Sequence[Words]:
        """The coloured lines of a diff that is not too long, or []."""
        if len(self.text) > MAX_RENDERED_CHARS or not is_diff(self.info.split(" ", maxsplit=1)[0], self.text):
            return []
        return [Words(line, _diff_role(line)) for line in sanitize(self.text).removesuffix("\n").split("\n")]


class ChangedWords(Struct, frozen=True):
    """What a revision changed, word by word."""

    kind: ClassVar = "words"
    pieces: Sequence[tuple[str, str]]
    """``same``, ``removed`` or ``added``, and a text with the blanks before it."""


class ChangedLine(NamedTuple):
    """A line that was kept, removed or added."""

    kind: str
    """``same``, ``removed``, ``added``, or ``left out`` for a sentence about lines that are not shown."""
    text: str
    role: Role | None
    """Its colour beside that of the change: of a line within a diff."""


class ChangedLines(Struct, frozen=True):
    """What a revision changed, line by line."""

    kind: ClassVar = "lines"
    lines: Sequence[ChangedLine]


def code_block(text: str, info: str = "") -> Code:
    """Return code that ends with one line feed."""
    return Code(text.rstrip("\n") + "\n", info)


Block = (
    Paragraphs
    | Rendered
    | Raw
    | Sentence
    | ModelQuestion
    | Pairs
    | Calls
    | Bars
    | Comments
    | Code
    | ChangedWords
    | ChangedLines
)


def _diff_role(line: str) -> Role | None:
    if line.startswith(("--- ", "+++ ", "@@", "diff ", "index ")):
        return Role.MUTED
    return {"+": Role.GOOD, "-": Role.BAD}.get(line[:1])
