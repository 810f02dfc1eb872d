"""Finds marks of fences that belong to the code in a fence, in strings of Python and here-documents of a shell. Pure.

CommonMark ends a fence at such a mark. Agents write them nevertheless, and what CommonMark leaves of the code would be
broken: half of a docstring. No program ends there, so the text itself shows what was meant.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from seqthink.drawing.markup.fences import FENCE_MARK

MAX_TEXT_LINES: Final = 200
"""Lines after which a string or a here-document that is still open counts as broken code."""

_CLOSING_MARK: Final = re.compile(r" {0,3}(?:`{3,}+|~{3,}+)[ \t]*+")
_PYTHON_TOKEN: Final = re.compile(r'"""|\'\'\'|"(?>(?:\\.|[^"\\]++)*)"|\'(?>(?:\\.|[^\'\\]++)*)\'|#.*')
_HERE_DOCUMENT: Final = re.compile(r"<<-?[ \t]*+(?P<quote>[\"']?)(?P<word>\w+)(?P=quote)")
_MAX_LINE_CHARS: Final = 1000

OpenText = Callable[[str, str], str]
"""Returns what ends the text that is open at the end of a line, "" if none is, by the line and what was open before."""


def end_of_inner_marks(language: str, lines: Sequence[str], first: int) -> int:
    """Return the end (exclusive) of the last text with a mark in the fence whose content begins at ``first``, or 0."""
    open_text = _OPEN_TEXTS.get(language)
    ender, began, end, has_mark = "", first, 0, False
    for number in range(first, len(lines) if open_text else 0):
        line = lines[number][:_MAX_LINE_CHARS]
        if not ender and _CLOSING_MARK.fullmatch(line):
            break
        has_mark = has_mark if ender else False
        has_mark |= bool(ender) and FENCE_MARK.fullmatch(line) is not None
        began = began if ender else number
        assert open_text is not None
        ender = open_text(line, ender)
        if ender and number - began > MAX_TEXT_LINES:
            break
        end = number + 1 if has_mark and not ender else end
    return end


def _open_python_string(line: str, quote: str) -> str:
    position = 0
    while True:
        if quote:
            position = _end_of_string(line, quote, position)
            if position < 0:
                return quote
        found = _PYTHON_TOKEN.search(line, position)
        if found is None:
            return ""
        quote, position = found[0] if found[0] in {'"""', "'''"} else "", found.end()


def _end_of_string(line: str, quote: str, position: int) -> int:
    """Return where a string goes out, or -1."""
    end = line.find(quote, position)
    while end > 0 and line[end - 1] == "\\":
        end = line.find(quote, end + 1)
    return end if end < 0 else end + len(quote)


def _open_here_document(line: str, word: str) -> str:
    if word:
        return "" if line.strip("\t ") == word else word
    found = _HERE_DOCUMENT.search(line)
    return found["word"] if found else ""


_OPEN_TEXTS: Final[dict[str, OpenText]] = {"python": _open_python_string, "bash": _open_here_document}
