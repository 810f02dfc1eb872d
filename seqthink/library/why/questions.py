"""What the user asks about: a file and lines of it, a commit, or a function. Pure."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from seqthink.core.errors import UsageError

_PLACE = re.compile(r"(?s)(.+?):(\d{1,9})(?:-(\d{1,9})|:\d{1,9})?:?")
_COMMIT_LIKE = re.compile(r"(?i)[0-9a-f]{7,64}|HEAD|@|.*[~^@{].*|.*/.*")
_NAME = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*[!?]?(?:\(\))?")
_CLOSERS: Final = (")", "]", "}", "end", "fi", "done", "esac", "endif")
_OPENERS: Final = (":", "{", "(", "[", ",", "=>")
_MAX_FUNCTION_LINES: Final = 5_000
MAX_DEFINITION_CHARS: Final = 500
"""How much of a line is looked at for a definition: patterns take too long in the lines of packed files."""


class AskedPlace(NamedTuple):
    """A file, and lines of it."""

    path: str
    first: int
    last: int


def place_in(argument: str) -> AskedPlace | None:
    """Return the place that ``FILE:LINE``, ``FILE:LINE-LINE`` or ``FILE:LINE:COLUMN`` names; None for anything else.

    Raises:
        UsageError: the lines are none.
    """
    found = _PLACE.fullmatch(argument)
    if found is None:
        return None
    first = int(found[2])
    last = int(found[3] or first)
    if not first or last < first:
        raise UsageError(f"why: there are no lines {found[2]}{'-' + found[3] if found[3] else ''}; they count from 1")
    return AskedPlace(found[1], first, last)


def looks_like_a_commit(argument: str) -> bool:
    """Return whether an argument is written as a commit rather than as a name."""
    return _COMMIT_LIKE.fullmatch(argument) is not None


def name_in(argument: str) -> str | None:
    """Return the name of a function or the like, without what it belongs to; None if it is not one."""
    if not _NAME.fullmatch(argument):
        return None
    return re.split(r"\.|::|#", argument.removesuffix("()"))[-1]


def is_definition(line: str, name: str) -> bool:
    """Return whether the beginning of a line defines a name, in one of the usual languages."""
    if len(line) > MAX_DEFINITION_CHARS:
        line = f"{line[:MAX_DEFINITION_CHARS]}…"
    word = rf"(?<![\w$]){re.escape(name)}(?![\w$])"
    return any(re.search(pattern.replace("NAME", word), line) is not None for pattern in _DEFINITIONS)


_DEFINITIONS: Final = (
    r"^\s*(?:[\w@#.()\[\]<>,*&-]+\s+){0,6}(?:def|class|function|func|fn|fun|sub|proc|interface|struct|trait|enum|type|"
    r"module|namespace|record|object|protocol|macro_rules!|defp?|defn|task)\*?\s+(?:\([^)]*\)\s*)?(?:self\.)?NAME",
    r"^\s*(?:export\s+)?(?:default\s+)?(?:const|let|var|val|static)\s+(?:mut\s+)?NAME\s*(?::[^=]+)?=",
    r"^\s*NAME\s*[:=]\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|\w+\s*=>|lambda\b)",
    r"^NAME\s*(?::\s*[\w\[\], .|\"']+)?\s*=(?!=)",
    r"^\s*(?:(?:async|get|set|static|public|private|protected)\s+)*NAME\s*\([^;]*\)\s*(?::[^;{]+)?\{\s*$",
    r"^(?!\s*(?:return|if|while|for|switch|else|throw|new|await|case)\b)\s*(?:[\w:<>,*&\[\]]+\s+)+[*&]*(?:\w+::)?NAME"
    r"\s*\([^;=]*(?:\{|\)|,)\s*$",
    r"^\s*(?:function\s+)?NAME\s*\(\)\s*\{?",
)
"""What a definition looks like; NAME stands for the name."""


def function_extent(lines: Sequence[str], number: int) -> tuple[int, int]:
    """Return the first and last line of what begins at a line, from 1: by its indentation."""
    start = number - 1
    indent = _indent(lines[start])
    first, last = start, start
    while first and lines[first - 1].strip().startswith("@") and _indent(lines[first - 1]) == indent:
        first -= 1
    for index in range(start + 1, min(len(lines), start + _MAX_FUNCTION_LINES)):
        line = lines[index]
        plain = line.strip()
        if not plain:
            continue
        if _indent(line) > indent or (plain.startswith("{") and index == last + 1):
            last = index
        elif plain.startswith(_CLOSERS) and _indent(line) == indent:
            last = index
            if not plain.endswith(_OPENERS):
                break
        else:
            break
    return first + 1, last + 1


def _indent(line: str) -> int:
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())
