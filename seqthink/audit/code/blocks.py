r"""Finds code in a thought: fenced blocks, diffs, and code without a fence. Pure.

markdown-it says where fences are. A diff takes the lines that belong to it; all lines outside both are prose, which may
contain unfenced code. A line ends with ``\n``, ``\r\n`` or ``\r``. All of it takes linear time.
"""

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Final

from msgspec import Struct, structs

from seqthink.audit.code.candidates import candidate_languages
from seqthink.audit.code.heuristics import is_program_output
from seqthink.audit.code.inner_marks import end_of_inner_marks
from seqthink.audit.code.naming import DIFF, language_of_info, language_of_path, line_above, path_above, path_in_block
from seqthink.audit.code.unfenced import is_code_in_fence, unfenced_regions
from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.secrets.search import find_secrets
from seqthink.core.codex_patch import begins_patch, is_patch, patch_end
from seqthink.core.unified_diff import begins_diff, diff_end
from seqthink.drawing.markup.fences import FENCE_MARK, FoundBlock, find_blocks

CONFIG_LANGUAGE: Final = "gan-config"

_DOCUMENT_LANGUAGES: Final = {"markdown", "md", ""}
"""Fences in these languages may contain fences."""
_PROSE_LANGUAGES: Final = {
    "text", "txt", "plain", "plaintext", "markdown", "md", "output", "console", "log", "logs", "mermaid", "math",
    "latex", "tex", "katex", "ascii", "none", "csv", "tsv", "table", "quote", "tree", "diagram", "error", "stacktrace",
    "traceback", "email", "plantuml", "dot", "stdout", "stderr", "terminal", "session", "shell-session", "shellsession",
    "pycon", "bash-session", "note", "rst", "asciidoc", "pytb", "art", "bibtex", "example",
}  # fmt: skip
"""Fences in these languages contain no program."""

_SHELL_CALL = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?\s*$")
"""The end of a command that reads the lines below it; its group is the word that ends them."""
_MAX_CALL_CHARS: Final = 300
_ENVIRONMENT: Final = re.compile(r"(?>(?:(?:[A-Z_][A-Z0-9_]*+=.*|#.*|)\n)+)")
"""The lines of an `.env` file."""
_PATCH_LANGUAGES: Final = {"", "bash", DIFF}
"""Fences in which a patch of Codex is a diff; in other languages it is a text of the program."""


class CodeBlock(Struct, frozen=True):
    """A piece of code in a thought."""

    language: str
    """As the fence or the file names it; "" if neither does."""
    text: str
    first_line: int
    """The line of the thought on which ``text`` begins, from 1."""
    is_fenced: bool = True
    path: str = ""
    """The file that the thought names for it, or ""; untrusted, it may lead anywhere."""
    candidates: tuple[str, ...] = ()
    """If it names no language: those that it may be in; the one that parses all of it is its language."""

    @property
    def is_diff(self) -> bool:
        """Whether it is a diff rather than the text of a file."""
        return self.language == DIFF


def code_blocks(thought: str) -> list[CodeBlock]:
    """Return the code in ``thought`` in its order, without configuration, logs, traces and transcripts."""
    lines = _lines(thought)
    return sorted(_find_blocks(lines, _sections(lines), is_outermost=True), key=lambda block: block.first_line)


def fenced_blocks(thought: str) -> list[CodeBlock]:
    """Return all fenced blocks, whatever their language; one may be empty."""
    lines = _lines(thought)
    return [_block_of_fence(part, lines) for part in _sections(lines) if part.info is not None]


def is_diff(text: str) -> bool:
    """Return whether ``text`` contains a diff of `git diff` or `diff -u`, or a patch of Codex; a list is none."""
    lines = _lines(text)
    return any(_diff_end(lines, number) for number in range(len(lines)))


def should_audit(thought: str) -> bool:
    """Return whether ``thought`` contains code, a diff or an audit configuration.

    Prose about code is not enough, nor are lists with dashes or plus signs: it takes whole lines of a program, or the
    beginning of a diff (docs/audit.md, "When a thought is audited").
    """
    lines = _lines(thought)
    parts = _sections(lines)
    if any(language_of_info(part.info) == CONFIG_LANGUAGE for part in parts if part.info is not None):
        return True
    return any(True for _ in _find_blocks(lines, parts, is_outermost=True))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _find_blocks(lines: list[str], parts: list[FoundBlock], *, is_outermost: bool) -> Iterator[CodeBlock]:
    unfenced = ["" if FENCE_MARK.fullmatch(line) else line for line in lines]
    for part in parts:
        unfenced[part.start : part.end] = [""] * (part.end - part.start)
        if part.info is None:
            yield CodeBlock(DIFF, _join_lines(lines[part.start : part.end]), part.start + 1, is_fenced=False)
            _drop_shell_call(unfenced, part)
        elif part.text.strip():
            block = _block_of_fence(part, lines)
            is_patched = block.language in _PATCH_LANGUAGES and is_patch(block.text)
            above = line_above(lines, part.start)
            yield from _patches_in(block) if is_patched else _code_in_fence(block, above, is_outermost=is_outermost)
    yield from _unfenced_code(unfenced, lines)


def _drop_shell_call(lines: list[str], part: FoundBlock) -> None:
    """Empty the lines around a patch that pass it to a program; they are not code of their own."""
    above, below = part.start - 1, part.end
    if above >= 0 and (call := _SHELL_CALL.search(lines[above][:_MAX_CALL_CHARS])):
        lines[above] = ""
        if below < len(lines) and lines[below].strip() == call[1]:
            lines[below] = ""


def _code_in_fence(block: CodeBlock, above: str, *, is_outermost: bool) -> Iterator[CodeBlock]:
    """Yield ``block`` if it is code; if it is a document, the fences inside it."""
    if block.language == CONFIG_LANGUAGE:
        return
    if is_outermost and block.language in _DOCUMENT_LANGUAGES:
        lines = _lines(block.text.removesuffix("\n"))
        nested = _find_blocks(lines, _sections(lines), is_outermost=False)
        fences = [fence for fence in nested if fence.is_fenced]
        if fences:
            yield from (_shifted(fence, block.first_line - 1) for fence in fences)
            return
    is_output = block.language != DIFF and is_program_output(block.text)
    if block.language in _PROSE_LANGUAGES or (is_output and not _ENVIRONMENT.fullmatch(block.text)):
        return
    if block.language:
        yield block
    elif is_diff(block.text):
        yield CodeBlock(DIFF, block.text, block.first_line, path=block.path)
    elif is_code_in_fence(block.text) or find_secrets(CodeUnit(path="", text=block.text)):
        yield structs.replace(block, candidates=candidate_languages(block.text, block.path, above))


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


def _shifted(block: CodeBlock, by: int) -> CodeBlock:
    return structs.replace(block, first_line=block.first_line + by)


def _sections(lines: list[str]) -> list[FoundBlock]:
    """Return the unfenced diffs and the fences."""

    def inner_end(info: str, first: int) -> int:
        return _diff_end(lines, first) or end_of_inner_marks(language_of_info(info), lines, first)

    return find_blocks(lines, lambda number: _diff_end(lines, number), inner_end)


def _diff_end(lines: list[str], number: int) -> int:
    """Return the end (exclusive) of the diff or the patch that begins on this line, or 0."""
    if begins_diff(lines, number):
        return diff_end(lines, number)
    return patch_end(lines, number) if begins_patch(lines, number) else 0


def _unfenced_code(unfenced: list[str], lines: list[str]) -> Iterator[CodeBlock]:
    """Yield unfenced code: runs of lines that look like a program, and statements alone on a line."""
    for start, end in unfenced_regions(unfenced):
        text = dedent(_join_lines(unfenced[start:end]))
        path = path_in_block("", text) or path_above(lines, start)
        candidates = candidate_languages(text, path, line_above(lines, start))
        yield CodeBlock("", text, start + 1, is_fenced=False, path=path, candidates=candidates)


def _block_of_fence(part: FoundBlock, lines: list[str]) -> CodeBlock:
    info, text = part.info or "", part.text
    language = language_of_info(info)
    if language == CONFIG_LANGUAGE:
        return CodeBlock(language, text, part.start + 2)
    path = path_in_block(info, "" if language == DIFF else text) or path_above(lines, part.start)
    language = language or language_of_path(path)
    return CodeBlock(language, text, part.start + 2, path=path)


def _join_lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
