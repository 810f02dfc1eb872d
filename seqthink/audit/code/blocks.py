r"""What of a thought is code: fenced blocks, and code or diffs that stand in it without a fence. Pure.

The thought is read once, line by line, in time to its length: a diff's start takes its lines, an opening fence those up
to its end, and what is left is prose in which code may stand. A line ends with ``\n``, ``\r\n`` or ``\r``.
"""

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Final

from msgspec import Struct, structs

from seqthink.audit.code.heuristics import (
    CODE_KINDS,
    INDENTED,
    OPEN,
    PROSE,
    guess_language,
    is_code,
    is_program_output,
    line_kind,
)
from seqthink.audit.code.naming import DIFF, language_of_info, language_of_path, path_above, path_in_block

CONFIG_LANGUAGE: Final = "gan-config"
MAX_QUOTE_DEPTH: Final = 20

_DOCUMENT_LANGUAGES: Final = {"markdown", "md", ""}
"""Fences in these may hold fences themselves."""
_PROSE_LANGUAGES: Final = {
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


class CodeBlock(Struct, frozen=True):
    """A piece of code: its language (empty: nobody knows), its text, the thought's line on which it begins, its path.

    ``is_named`` is whether the thought says which language it is, or a path tells it; else that is a guess.
    ``path`` is the file that the thought names for it, "" when it names none: a name and no more, it may lead anywhere.
    """

    language: str
    text: str
    first_line: int
    is_fenced: bool = True
    path: str = ""
    is_language_given: bool = True

    @property
    def is_diff(self) -> bool:
        """Whether it is a change of files rather than a file."""
        return self.language == DIFF


class _Section(Struct, frozen=True):
    """Lines ``start`` to ``end`` of a thought: a diff (no fence), or what follows an opening fence."""

    start: int
    end: int
    lines: Sequence[str]
    info: str | None = None


def code_blocks(thought: str) -> list[CodeBlock]:
    """Return the code in ``thought``, in its order; configuration is none, nor is a log, a trace or a transcript."""
    lines = _lines(thought)
    return sorted(_find_blocks(lines, is_outermost=True), key=lambda block: block.first_line)


def fenced_blocks(thought: str) -> list[CodeBlock]:
    """Return all fenced blocks that are not empty, whatever is in them; what stands in one is its text."""
    lines = _lines(thought)
    return [_block_of_fence(part, lines) for part in _sections(lines) if part.info is not None and _is_filled(part)]


def is_diff(text: str) -> bool:
    """Return whether ``text`` is a change as `git diff` or `diff -u` writes it; a list with dashes is none."""
    lines = _lines(text)
    return any(_begins_diff(lines, number) for number in range(len(lines)))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _find_blocks(lines: list[str], *, is_outermost: bool) -> Iterator[CodeBlock]:
    bare = list(lines)
    for part in _sections(lines):
        bare[part.start : part.end] = [""] * (part.end - part.start)
        if part.info is None:
            yield CodeBlock(DIFF, _join_lines(part.lines), part.start + 1, is_fenced=False)
        elif _is_filled(part):
            yield from _code_in_fence(_block_of_fence(part, lines), is_outermost=is_outermost)
    yield from _unfenced_code(bare, lines)


def _code_in_fence(block: CodeBlock, *, is_outermost: bool) -> Iterator[CodeBlock]:
    """Yield ``block`` if it is code, or the fences in it if it is a document."""
    if block.language == CONFIG_LANGUAGE:
        return
    if is_outermost and block.language in _DOCUMENT_LANGUAGES:
        inner = [
            one for one in _find_blocks(_lines(block.text.removesuffix("\n")), is_outermost=False) if one.is_fenced
        ]
        if inner:
            yield from (_shifted(one, block.first_line - 1) for one in inner)
            return
    if block.language in _PROSE_LANGUAGES or (block.language != DIFF and is_program_output(block.text)):
        return
    if block.language:
        yield block
    elif is_diff(block.text):
        yield CodeBlock(DIFF, block.text, block.first_line, path=block.path)
    elif is_code(block.text, is_fenced=True):
        yield CodeBlock(
            guess_language(block.text), block.text, block.first_line, path=block.path, is_language_given=False
        )


def _is_filled(part: _Section) -> bool:
    return any(line.strip() for line in part.lines)


def _shifted(block: CodeBlock, by: int) -> CodeBlock:
    return structs.replace(block, first_line=block.first_line + by)


def _sections(lines: list[str]) -> Iterator[_Section]:
    """Yield the diffs that stand without a fence, and the fences."""
    number = 0
    while number < len(lines):
        if _begins_diff(lines, number):
            end = _diff_end(lines, number)
            yield _Section(number, end, lines[number:end])
            number = end
        elif opening := _FENCE.fullmatch(lines[number]):
            part = _fence_from(lines, number, opening)
            yield part
            number = part.end
        else:
            number += 1


def _fence_from(lines: list[str], start: int, opening: re.Match[str]) -> _Section:
    """Return the fence that ``opening`` begins: up to its like, the end of its quote, or the end of all."""
    depth, indent, mark = opening["quote"].count(">"), _NO_BLANK.sub(" ", opening["item"]), opening["mark"]
    if depth > MAX_QUOTE_DEPTH:
        return _Section(start, start + 1, (), "")
    if depth:  # the blank after a quote's mark belongs to the mark
        indent = indent[1:]
    content: list[str] = []
    for number in range(start + 1, len(lines)):
        line = _unquoted(lines[number], depth)
        if line is None:
            return _Section(start, number, content, opening["info"])
        if (bare := line.strip(" \t")) and len(bare) >= len(mark) and not bare.strip(mark[0]):
            return _Section(start, number + 1, content, opening["info"])
        content.append(_outdented(line, indent))
    return _Section(start, len(lines), content, opening["info"])


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


def _unfenced_code(unfenced: list[str], lines: list[str]) -> Iterator[CodeBlock]:
    """Yield code that stands without a fence: lines that read like a program, one after another."""
    for start, end in _code_regions(unfenced):
        text = dedent(_join_lines(unfenced[start:end]))
        if not is_program_output(text) and is_code(text, is_fenced=False):
            path = path_in_block("", text) or path_above(lines, start)
            yield CodeBlock(guess_language(text), text, start + 1, is_fenced=False, path=path, is_language_given=False)


def _code_regions(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield from where to where a program may stand: from a line of it to the last before prose."""
    start, end, was_blank = -1, 0, False
    for number, line in enumerate(lines):
        what = line_kind(line)
        if what in CODE_KINDS:
            start, end = (number if start < 0 else start), number + 1
        elif start >= 0 and (what == INDENTED or (what == OPEN and lines[start].startswith("#!"))):
            end = number + 1
        elif start >= 0 and (what == PROSE or (what == OPEN and was_blank)):
            yield start, end
            start = -1
        was_blank = not line.strip()
    if start >= 0:
        yield start, end


def _block_of_fence(part: _Section, lines: list[str]) -> CodeBlock:
    info, text = part.info or "", _join_lines(part.lines)
    language = language_of_info(info)
    if language == CONFIG_LANGUAGE:
        return CodeBlock(language, text, part.start + 2)
    path = path_in_block(info, "" if language == DIFF else text) or path_above(lines, part.start)
    language = language or language_of_path(path)
    return CodeBlock(language, text, part.start + 2, path=path)


def _join_lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
