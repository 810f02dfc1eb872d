r"""Finds code in a thought: fenced blocks, diffs, and code without a fence. Pure.

One pass over the lines, in linear time. A diff takes the lines that belong to it, a fence those up to its end; all
other lines are prose, which may contain unfenced code. A line ends with ``\n``, ``\r\n`` or ``\r``.
"""

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Final

from msgspec import Struct, structs

from seqthink.audit.code.heuristics import (
    guess_language,
    is_program_output,
)
from seqthink.audit.code.naming import DIFF, language_of_info, language_of_path, path_above, path_in_block
from seqthink.audit.code.unfenced import is_code_in_fence, unfenced_regions
from seqthink.codex_patch import begins_patch, is_patch, patch_end
from seqthink.unified_diff import begins_diff, diff_end

CONFIG_LANGUAGE: Final = "gan-config"
MAX_QUOTE_DEPTH: Final = 20
"""Fences in deeper quotes are ignored."""

_DOCUMENT_LANGUAGES: Final = {"markdown", "md", ""}
"""Fences in these languages may contain fences."""
_PROSE_LANGUAGES: Final = {
    "text", "txt", "plain", "plaintext", "markdown", "md", "output", "console", "log", "logs", "mermaid", "math",
    "latex", "tex", "katex", "ascii", "none", "csv", "tsv", "table", "quote", "tree", "diagram", "error", "stacktrace",
    "traceback", "email", "plantuml", "dot", "stdout", "stderr", "terminal", "session", "shell-session", "shellsession",
    "pycon", "bash-session", "note", "rst", "asciidoc", "pytb", "art", "bibtex", "example",
}  # fmt: skip
"""Fences in these languages contain no program."""

_FENCE = re.compile(
    r"(?P<quote>(?:[ \t]*+>)*+)(?P<item>[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+)"
    r"(?P<mark>`{3,}+(?=[^`]*+$)|~{3,}+)[ \t]*+(?P<info>.*+)"
)
_SHELL_CALL = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?\s*$")
"""The end of a command that reads the lines below it; its group is the word that ends them."""
_MAX_CALL_CHARS: Final = 300
_PATCH_LANGUAGES: Final = {"", "bash", DIFF}
"""Fences in which a patch of Codex is a diff; in other languages it is a text of the program."""
_NO_BLANK = re.compile(r"[^ \t]")


class CodeBlock(Struct, frozen=True):
    """A piece of code in a thought."""

    language: str
    """As the fence names it or guessed; "" if unknown."""
    text: str
    first_line: int
    """The line of the thought on which ``text`` begins, from 1."""
    is_fenced: bool = True
    path: str = ""
    """The file that the thought names for it, or ""; untrusted, it may lead anywhere."""
    is_language_given: bool = True
    """Whether the thought or a file extension tells the language; else it was guessed."""

    @property
    def is_diff(self) -> bool:
        """Whether it is a diff rather than the text of a file."""
        return self.language == DIFF


class _Section(Struct, frozen=True):
    """Lines ``start`` to ``end`` (exclusive, from 0) of a thought: an unfenced diff, or a fence with its content."""

    start: int
    end: int
    lines: Sequence[str]
    """The diff, or the content of the fence."""
    info: str | None = None
    """The info string of the fence; None: a diff without a fence."""


def code_blocks(thought: str) -> list[CodeBlock]:
    """Return the code in ``thought`` in its order, without configuration, logs, traces and transcripts."""
    lines = _lines(thought)
    return sorted(_find_blocks(lines, is_outermost=True), key=lambda block: block.first_line)


def fenced_blocks(thought: str) -> list[CodeBlock]:
    """Return all fenced blocks that are not empty, whatever their language."""
    lines = _lines(thought)
    return [_block_of_fence(part, lines) for part in _sections(lines) if part.info is not None and _is_filled(part)]


def is_diff(text: str) -> bool:
    """Return whether ``text`` contains a diff of `git diff` or `diff -u`, or a patch of Codex; a list is none."""
    lines = _lines(text)
    return any(_diff_end(lines, number) for number in range(len(lines)))


def should_audit(thought: str) -> bool:
    """Return whether ``thought`` contains code, a diff or an audit configuration.

    Prose about code is not enough, nor are lists with dashes or plus signs: it takes whole lines of a program, or the
    beginning of a diff (docs/audit.md, "When a thought is audited").
    """
    return any(fence.language == CONFIG_LANGUAGE for fence in fenced_blocks(thought)) or bool(code_blocks(thought))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _find_blocks(lines: list[str], *, is_outermost: bool) -> Iterator[CodeBlock]:
    unfenced = list(lines)
    for part in _sections(lines):
        unfenced[part.start : part.end] = [""] * (part.end - part.start)
        if part.info is None:
            yield CodeBlock(DIFF, _join_lines(part.lines), part.start + 1, is_fenced=False)
            _drop_shell_call(unfenced, part)
        elif _is_filled(part):
            block = _block_of_fence(part, lines)
            is_patched = block.language in _PATCH_LANGUAGES and is_patch(block.text)
            yield from _patches_in(block) if is_patched else _code_in_fence(block, is_outermost=is_outermost)
    yield from _unfenced_code(unfenced, lines)


def _drop_shell_call(lines: list[str], part: _Section) -> None:
    """Empty the lines around a patch that pass it to a program; they are no code of their own."""
    above, below = part.start - 1, part.end
    if above >= 0 and (call := _SHELL_CALL.search(lines[above][:_MAX_CALL_CHARS])):
        lines[above] = ""
        if below < len(lines) and lines[below].strip() == call[1]:
            lines[below] = ""


def _code_in_fence(block: CodeBlock, *, is_outermost: bool) -> Iterator[CodeBlock]:
    """Yield ``block`` if it is code; if it is a document, the fences inside it."""
    if block.language == CONFIG_LANGUAGE:
        return
    if is_outermost and block.language in _DOCUMENT_LANGUAGES:
        nested = _find_blocks(_lines(block.text.removesuffix("\n")), is_outermost=False)
        fences = [fence for fence in nested if fence.is_fenced]
        if fences:
            yield from (_shifted(fence, block.first_line - 1) for fence in fences)
            return
    if block.language in _PROSE_LANGUAGES or (block.language != DIFF and is_program_output(block.text)):
        return
    if block.language:
        yield block
    elif is_diff(block.text):
        yield CodeBlock(DIFF, block.text, block.first_line, path=block.path)
    elif is_code_in_fence(block.text):
        yield CodeBlock(
            guess_language(block.text), block.text, block.first_line, path=block.path, is_language_given=False
        )


def _patches_in(block: CodeBlock) -> Iterator[CodeBlock]:
    """Yield the patches in a fence as diffs, without the shell call around them."""
    lines = _lines(block.text)
    number = 0
    while number < len(lines):
        if begins_patch(lines, number):
            end = patch_end(lines, number)
            yield CodeBlock(DIFF, _join_lines(lines[number:end]), block.first_line + number, path=block.path)
            number = end
        else:
            number += 1


def _is_filled(part: _Section) -> bool:
    return any(line.strip() for line in part.lines)


def _shifted(block: CodeBlock, by: int) -> CodeBlock:
    return structs.replace(block, first_line=block.first_line + by)


def _sections(lines: list[str]) -> Iterator[_Section]:
    """Yield unfenced diffs and fences."""
    number = 0
    while number < len(lines):
        if end := _diff_end(lines, number):
            yield _Section(number, end, lines[number:end])
            number = end
        elif opening := _FENCE.fullmatch(lines[number]):
            part = _fence_from(lines, number, opening)
            yield part
            number = part.end
        else:
            number += 1


def _diff_end(lines: list[str], number: int) -> int:
    """Return the end (exclusive) of the diff or the patch that begins on this line, or 0."""
    if begins_diff(lines, number):
        return diff_end(lines, number)
    return patch_end(lines, number) if begins_patch(lines, number) else 0


def _fence_from(lines: list[str], start: int, opening: re.Match[str]) -> _Section:
    """Return the fence that ``opening`` begins; it ends at its closing mark, at the end of its quote or of the text."""
    depth, indent, mark = opening["quote"].count(">"), _NO_BLANK.sub(" ", opening["item"]), opening["mark"]
    if depth > MAX_QUOTE_DEPTH:
        return _Section(start, start + 1, (), "")
    if depth:  # the blank after a quote mark belongs to the mark
        indent = indent[1:]
    content: list[str] = []
    for number in range(start + 1, len(lines)):
        line = _unquoted(lines[number], depth)
        if line is None:
            return _Section(start, number, content, opening["info"])
        if (stripped := line.strip(" \t")) and len(stripped) >= len(mark) and not stripped.strip(mark[0]):
            return _Section(start, number + 1, content, opening["info"])
        content.append(_outdented(line, indent))
    return _Section(start, len(lines), content, opening["info"])


def _unquoted(line: str, depth: int) -> str | None:
    """Return ``line`` without ``depth`` quote marks; None if it has fewer."""
    for _ in range(depth):
        line = line.lstrip(" \t")
        if not line.startswith(">"):
            return None
        line = line[1:]
    return line.removeprefix(" ") if depth else line


def _outdented(line: str, indent: str) -> str:
    """Return ``line`` without the indentation of its fence, as far as it has it."""
    if line.startswith(indent):
        return line[len(indent) :]
    blank = len(line) - len(line.lstrip(" \t"))
    return line[:blank].expandtabs(4)[len(indent.expandtabs(4)) :] + line[blank:]


def _unfenced_code(unfenced: list[str], lines: list[str]) -> Iterator[CodeBlock]:
    """Yield unfenced code: runs of lines that look like a program, and statements that stand alone."""
    for start, end in unfenced_regions(unfenced):
        text = dedent(_join_lines(unfenced[start:end]))
        path = path_in_block("", text) or path_above(lines, start)
        yield CodeBlock(guess_language(text), text, start + 1, is_fenced=False, path=path, is_language_given=False)


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
