r"""What of a thought is code: fenced blocks, and code or diffs that stand in it without a fence. Pure.

The thought is read once, line by line, in time to its length: a diff's start takes its lines, an opening fence those up
to its end, and what is left is prose in which code may stand. A line ends with ``\n``, ``\r\n`` or ``\r``.
"""

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Final

from msgspec import Struct, structs

from seqthink.audit.code.naming import DIFF, language_named, language_of_path, path_above, path_in
from seqthink.audit.code.signs import CODE, INDENTED, OPEN, PROSE, is_code, is_record, kind, language_of

CONFIG: Final = "gan-config"
DEEPEST_QUOTE: Final = 20

_DOCUMENTS: Final = {"markdown", "md", ""}
"""Fences in these may hold fences themselves."""
_PROSE: Final = {
    "text", "txt", "plain", "plaintext", "markdown", "md", "output", "console", "log", "logs", "mermaid", "math",
    "latex", "tex", "katex", "ascii", "none", "csv", "tsv", "table", "quote", "tree", "diagram", "error", "stacktrace",
    "traceback", "email", "plantuml", "dot", "stdout", "stderr", "terminal", "session", "shell-session", "shellsession",
    "pycon", "bash-session", "note", "rst", "asciidoc", "pytb", "art", "bibtex", "example",
}  # fmt: skip
"""Fences in these hold no program."""

_FENCE = re.compile(
    r"(?P<quote>(?:[ \t]*+>)*+)(?P<item>[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+)"
    r"(?P<mark>`{3,}+(?=[^`]*+$)|~{3,}+)[ \t]*+(?P<info>.*+)"
)
_NO_BLANK = re.compile(r"[^ \t]")
_HUNK = re.compile(r"@@ -\d{1,9}(?:,(?P<old>\d{1,9}))? \+\d{1,9}(?:,(?P<new>\d{1,9}))? @@")
_HEADER = re.compile(
    r"(?:diff --git |index [\da-f]+\.\.|(?:new|deleted) file mode |(?:old|new) mode |similarity index |"
    r"dissimilarity index |(?:rename|copy) (?:from|to) |Binary files |--- |\+\+\+ )"
)


class Block(Struct, frozen=True):
    """A piece of code: its language (empty: nobody knows), its text, the thought's line on which it begins, its path.

    ``is_named`` is whether the thought says which language it is, or a path tells it; else that is a guess.
    ``path`` is the file that the thought names for it, "" when it names none: a name and no more, it may lead anywhere.
    """

    language: str
    text: str
    line: int
    is_fenced: bool = True
    path: str = ""
    is_named: bool = True

    @property
    def is_diff(self) -> bool:
        """Whether it is a change of files rather than a file."""
        return self.language == DIFF


class _Part(Struct, frozen=True):
    """Lines ``start`` to ``end`` of a thought: a diff (no fence), or what follows an opening fence."""

    start: int
    end: int
    lines: Sequence[str]
    info: str | None = None


def blocks(thought: str) -> list[Block]:
    """Return the code in ``thought``, in its order; configuration is none, nor is a log, a trace or a transcript."""
    lines = _lines(thought)
    return sorted(_blocks(lines, is_outermost=True), key=lambda block: block.line)


def fences(thought: str) -> list[Block]:
    """Return all fenced blocks that are not empty, whatever is in them; what stands in one is its text."""
    lines = _lines(thought)
    return [_fenced(part, lines) for part in _parts(lines) if part.info is not None and _is_filled(part)]


def is_diff(text: str) -> bool:
    """Return whether ``text`` is a change as `git diff` or `diff -u` writes it; a list with dashes is none."""
    lines = _lines(text)
    return any(_begins_diff(lines, number) for number in range(len(lines)))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _blocks(lines: list[str], *, is_outermost: bool) -> Iterator[Block]:
    bare = list(lines)
    for part in _parts(lines):
        bare[part.start : part.end] = [""] * (part.end - part.start)
        if part.info is None:
            yield Block(DIFF, _text(part.lines), part.start + 1, is_fenced=False)
        elif _is_filled(part):
            yield from _coded(_fenced(part, lines), is_outermost=is_outermost)
    yield from _bare(bare, lines)


def _coded(block: Block, *, is_outermost: bool) -> Iterator[Block]:
    """Yield ``block`` if it is code, or the fences in it if it is a document."""
    if block.language == CONFIG:
        return
    if is_outermost and block.language in _DOCUMENTS:
        inner = [one for one in _blocks(_lines(block.text.removesuffix("\n")), is_outermost=False) if one.is_fenced]
        if inner:
            yield from (_moved(one, block.line - 1) for one in inner)
            return
    if block.language in _PROSE or (block.language != DIFF and is_record(block.text)):
        return
    if block.language:
        yield block
    elif is_diff(block.text):
        yield Block(DIFF, block.text, block.line, path=block.path)
    elif is_code(block.text, is_fenced=True):
        yield Block(language_of(block.text), block.text, block.line, path=block.path, is_named=False)


def _is_filled(part: _Part) -> bool:
    return any(line.strip() for line in part.lines)


def _moved(block: Block, by: int) -> Block:
    return structs.replace(block, line=block.line + by)


def _parts(lines: list[str]) -> Iterator[_Part]:
    """Yield the diffs that stand without a fence, and the fences."""
    number = 0
    while number < len(lines):
        if _begins_diff(lines, number):
            end = _diff_end(lines, number)
            yield _Part(number, end, lines[number:end])
            number = end
        elif opening := _FENCE.fullmatch(lines[number]):
            part = _closed(lines, number, opening)
            yield part
            number = part.end
        else:
            number += 1


def _closed(lines: list[str], start: int, opening: re.Match[str]) -> _Part:
    """Return the fence that ``opening`` begins: up to its like, the end of its quote, or the end of all."""
    depth, indent, mark = opening["quote"].count(">"), _NO_BLANK.sub(" ", opening["item"]), opening["mark"]
    if depth > DEEPEST_QUOTE:
        return _Part(start, start + 1, (), "")
    if depth:  # the blank after a quote's mark belongs to the mark
        indent = indent[1:]
    held: list[str] = []
    for number in range(start + 1, len(lines)):
        line = _unquoted(lines[number], depth)
        if line is None:
            return _Part(start, number, held, opening["info"])
        if (bare := line.strip(" \t")) and len(bare) >= len(mark) and not bare.strip(mark[0]):
            return _Part(start, number + 1, held, opening["info"])
        held.append(_outdented(line, indent))
    return _Part(start, len(lines), held, opening["info"])


def _unquoted(line: str, depth: int) -> str | None:
    """Return ``line`` without ``depth`` marks of a quote; None if it has fewer."""
    for _ in range(depth):
        line = line.lstrip(" \t")
        if not line.startswith(">"):
            return None
        line = line[1:]
    return line.removeprefix(" ") if depth else line


def _outdented(line: str, indent: str) -> str:
    """Return ``line`` without the blanks that stand before its fence, as far as it has them."""
    if line.startswith(indent):
        return line[len(indent) :]
    blank = len(line) - len(line.lstrip(" \t"))
    return line[:blank].expandtabs(4)[len(indent.expandtabs(4)) :] + line[blank:]


def _begins_diff(lines: list[str], number: int) -> bool:
    """Return whether a diff begins here: a header or a hunk's mark, and what has to follow it."""
    line = lines[number]
    if not line.startswith(("diff --git ", "--- ", "@@ -")):
        return False
    following = [*lines[number + 1 : number + 3], "", ""]
    if line.startswith("diff --git "):
        return bool(_HEADER.match(following[0]))
    if line.startswith("--- "):
        return following[0].startswith("+++ ") and bool(_HUNK.match(following[1]))
    return bool(_HUNK.match(line)) and following[0][:1] in {"+", "-", " "}


def _diff_end(lines: list[str], start: int) -> int:
    """Return where a diff that begins at ``start`` ends: its hunks' counts say which blank lines are its own."""
    old = new = 0
    end = number = start
    while number < len(lines):
        line = lines[number]
        if hunk := _HUNK.match(line):
            old, new = int(hunk["old"] or 1), int(hunk["new"] or 1)
        elif not line or line.isspace():
            if (old <= 0 and new <= 0) and not (number + 1 < len(lines) and _begins_diff(lines, number + 1)):
                break
            old, new = old - 1, new - 1
        elif line[0] in "+- \\" or _HEADER.match(line):
            old, new = old - (line[0] in "- "), new - (line[0] in "+ ")
        else:
            break
        number += 1
        end = number if line.strip() or (line and number > 0) else end
    return end


def _bare(outside: list[str], lines: list[str]) -> Iterator[Block]:
    """Yield code that stands without a fence: lines that read like a program, one after another."""
    for start, end in _regions(outside):
        text = dedent(_text(outside[start:end]))
        if not is_record(text) and is_code(text, is_fenced=False):
            path = path_in("", text) or path_above(lines, start)
            yield Block(language_of(text), text, start + 1, is_fenced=False, path=path, is_named=False)


def _regions(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield from where to where a program may stand: from a line of it to the last before prose."""
    start, end, was_blank = -1, 0, False
    for number, line in enumerate(lines):
        what = kind(line)
        if what in CODE:
            start, end = (number if start < 0 else start), number + 1
        elif start >= 0 and (what == INDENTED or (what == OPEN and lines[start].startswith("#!"))):
            end = number + 1
        elif start >= 0 and (what == PROSE or (what == OPEN and was_blank)):
            yield start, end
            start = -1
        was_blank = not line.strip()
    if start >= 0:
        yield start, end


def _fenced(part: _Part, lines: list[str]) -> Block:
    info, text = part.info or "", _text(part.lines)
    language = language_named(info)
    if language == CONFIG:
        return Block(language, text, part.start + 2)
    path = path_in(info, "" if language == DIFF else text) or path_above(lines, part.start)
    language = language or language_of_path(path)
    return Block(language, text, part.start + 2, path=path)


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
