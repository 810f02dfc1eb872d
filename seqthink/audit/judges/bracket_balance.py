"""Checks brackets, quotes and keywords where a grammar alone is often wrong. Pure.

No grammar expands C macros, and none knows all of the shell or the newest Kotlin, Scala and Swift. In these languages
a syntax error counts only if the text shows it, too: brackets, quotes or keywords are unbalanced, a keyword is
misspelled, or a value is missing.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from seqthink.audit.judges.text_syntax import has_text_check, keyword_meant

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
_CONDITION: Final = re.compile(r"^[ \t]*#[ \t]*if\b", re.MULTILINE)
"""Code for a compiler's conditions: of two branches, each may open the same bracket."""
_YOUNG: Final = ("kotlin", "scala", "swift")
"""Languages whose syntax grows faster than their grammars."""
_TEXT_OR_COMMENT: Final = re.compile(
    r'"""(?>(?:[^"]++|"(?!""))*)"""|"(?>(?:[^"\\\n]++|\\.)*)"|\'(?:[^\'\\\n]|\\[^\n]{1,6})\'|//[^\n]*|/\*(?>(?:[^*]++|\*(?!/))*)\*/'
)
_NO_VALUE: Final = re.compile(r"(?<![=!<>])=\s*[;)\]}]|[=,+(\[]\s*\Z")
_FIRST_WORDS: Final = re.compile(r"^[ \t]*((?:[a-z]+[ \t]+)+)(?=[\w(\[{`_*])", re.MULTILINE)
_KEYWORDS: Final = frozenset((
    "actor", "case", "catch", "class", "companion", "data", "def", "enum", "extension", "final", "for", "fun", "func",
    "guard", "implicit", "import", "internal", "interface", "lazy", "let", "mutating", "object", "open", "override",
    "package", "private", "protected", "protocol", "public", "return", "sealed", "static", "struct", "suspend",
    "switch", "throw", "trait", "try", "typealias", "val", "var", "when", "while", "yield",
))  # fmt: skip
_MATES: Final = {")": "(", "]": "[", "}": "{"}


def may_be_grammar_fault(dialect: str, text: str) -> bool:
    """Return whether a syntax error in ``text`` may be a weakness of the grammar."""
    if has_text_check(dialect):
        return True
    if dialect == "bash":
        return not _is_shell_unbalanced(text)
    if dialect in _YOUNG:
        return not _is_clearly_broken(text)
    if dialect == "csharp":
        return bool(_CONDITION.search(text))
    if dialect in ("c", "cpp"):
        bare = _C_TEXT_OR_COMMENT.sub(" ", text)
        return bool(_C_MACRO.search(bare)) and ("#if" in bare or not _is_unbalanced(bare))
    return False


def _is_unbalanced(bare: str) -> bool:
    counts = Counter(bare)
    return any(counts[opening] != counts[closing] for opening, closing in ("()", "[]", "{}"))


def _is_clearly_broken(text: str) -> bool:
    """Return whether ``text`` is broken by what every curly language shares."""
    bare = _TEXT_OR_COMMENT.sub("it", text)
    if '"' in bare or _NO_VALUE.search(bare) or _is_misnested(bare):
        return True
    words = {word for match in _FIRST_WORDS.finditer(bare) for word in match[1].split()}
    return any(keyword_meant(word, _KEYWORDS) for word in words)


def _is_misnested(bare: str) -> bool:
    opened = list[str]()
    for sign in re.findall(r"[()\[\]{}]", bare):
        if sign in "([{":
            opened.append(sign)
        elif not opened or opened.pop() != _MATES[sign]:
            return True
    return bool(opened)


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
