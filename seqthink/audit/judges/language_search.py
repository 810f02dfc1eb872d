"""Finds the language of code that does not name it: the only one in which all of it parses."""

from typing import Final

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.languages import dialects, missing_grammar_packages, parser
from seqthink.audit.judges.misreadings import misread_nodes
from seqthink.audit.judges.snippet_wrapping import wrappings
from seqthink.audit.judges.stdlib_syntax import SYNTAX_ONLY_LANGUAGES, check_with_stdlib, is_python

MAX_SEARCHED_CHARS: Final = 64 << 10
"""Longer code must name its language: each grammar would read all of it."""


def language_that_parses(unit: CodeUnit) -> str:
    """Return the one candidate of ``unit`` that parses all of it without an error, or ""."""
    if len(unit.text) > MAX_SEARCHED_CHARS:
        return ""
    found = ""
    for language in unit.candidates:
        if _parses(unit, language):
            if found:
                return ""
            found = language
    return found


def _parses(unit: CodeUnit, language: str) -> bool:
    if language in SYNTAX_ONLY_LANGUAGES or (len(unit.candidates) == 1 and missing_grammar_packages([language])):
        findings, unread = check_with_stdlib(unit, language)
        return not findings and not unread
    if language == "python" and not is_python(unit.text):  # its grammar also reads some of Go
        return False
    return any(_dialect_parses(dialect, unit.text) for dialect in dialects(language))


def _dialect_parses(dialect: str, text: str) -> bool:
    if missing_grammar_packages([dialect]):
        return False
    cleaned = next(wrappings(dialect, text, may_wrap=True)).text
    tree = parser(dialect).parse(cleaned.encode("utf-8", "replace"))
    return not tree.root_node.has_error and not misread_nodes(dialect, tree)
