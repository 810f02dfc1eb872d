"""Checks brackets, quotes and keywords where a grammar alone is often wrong. Pure.

No grammar expands C macros, and none knows all of the shell. In these languages a syntax error counts only if
brackets, quotes or keywords are unbalanced, too.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

_C_TEXT_OR_COMMENT: Final = re.compile(
    r'//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)|R"\((?:[^)]|\)(?!"))*\)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'',
    re.DOTALL,
)
_C_MACRO: Final = re.compile(r"\b_*[A-Z][A-Z0-9_]{2,}\b|^\s*#\s*(?:if|define)|__\w+", re.MULTILINE)
_SHELL_TEXT_OR_COMMENT: Final = re.compile(
    r"<<-?\s*['\"]?(\w+)['\"]?[^\n]*\n(?:.*?\n)??[ \t]*\1[ \t]*$|\\.|(?:(?<=\s)|^)#[^\n]*|'[^']*'|\"(?:[^\"\\]|\\.)*\"",
    re.DOTALL | re.MULTILINE,
)
_SHELL_WORD: Final = re.compile(r"(?:^|[;&|({]|\b(?:then|do|else|in)\b)[ \t]*(if|fi|do|done|case|esac)\b", re.MULTILINE)
_SHELL_PAIRS: Final[Mapping[str, str]] = {"if": "fi", "do": "done", "case": "esac"}


def may_be_grammar_fault(dialect: str, text: str) -> bool:
    """Return whether a syntax error in ``text`` may be a weakness of the grammar."""
    if dialect == "bash":
        return not _is_shell_unbalanced(text)
    if dialect in ("c", "cpp"):
        bare = _C_TEXT_OR_COMMENT.sub(" ", text)
        return bool(_C_MACRO.search(bare)) and ("#if" in bare or not _is_unbalanced(bare))
    return False


def _is_unbalanced(bare: str) -> bool:
    counts = Counter(bare)
    return any(counts[opening] != counts[closing] for opening, closing in ("()", "[]", "{}"))


def _is_shell_unbalanced(text: str) -> bool:
    bare = _SHELL_TEXT_OR_COMMENT.sub(" ", text)
    words = Counter(_SHELL_WORD.findall(bare))
    return (
        '"' in bare
        or "'" in bare
        or bare.count("{") != bare.count("}")
        or bare.count("$(") > bare.count(")")
        or any(words[opening] != words[closing] for opening, closing in _SHELL_PAIRS.items())
    )
