"""Finds syntax errors."""

import re
from typing import TYPE_CHECKING, Final

from seqthink.audit.judges.bracket_balance import may_be_grammar_fault
from seqthink.audit.judges.languages import is_fragment
from seqthink.audit.judges.parsing import ParsedUnit, is_template
from seqthink.audit.judges.pseudocode import must_parse
from seqthink.audit.judges.stdlib_syntax import check_with_stdlib
from seqthink.audit.judges.text_syntax import has_text_check, text_faults
from seqthink.audit.review import FATAL, CodeFinding
from seqthink.audit.unread_lines import UnreadLines, all_unread, some_unread

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_SYNTAX_FINDINGS: Final = 3
"""Findings per unit; later errors are mostly consequences of the first."""
_MAX_HEAD_BYTES: Final = 40
_WORD: Final = re.compile(r"[A-Za-z_]{1,20}\b|[^\w\s\"'`\x00-\x1f\x7f-\U0010ffff]{1,3}")
"""What a comment may quote of the code: one word or sign, too short for a secret."""


def find_syntax_errors(parsed: ParsedUnit) -> list[CodeFinding]:
    """Return the syntax errors of a unit that must parse."""
    unit = parsed.unit
    if parsed.dialect == "toml":
        return check_with_stdlib(unit, parsed.dialect)[0]
    if has_text_check(parsed.dialect):
        return _errors_in_text(parsed)
    if not parsed.error_nodes or is_template(unit.text) or may_be_grammar_fault(parsed.dialect, unit.text):
        return []
    if not must_parse(unit):
        return []
    comments = {parsed.line_of_row(_row(node)): _comment(node) for node in reversed(parsed.error_nodes)}
    return [syntax_finding(parsed, line, comments[line]) for line in sorted(comments)[:MAX_SYNTAX_FINDINGS]]


def unparsed_lines(parsed: ParsedUnit) -> list[UnreadLines]:
    """Return the lines that could not be parsed of a unit that need not parse.

    Of pseudocode, templates and guessed languages that is the whole unit; otherwise only the lines with errors.
    """
    unit = parsed.unit
    if parsed.dialect == "toml":
        return check_with_stdlib(unit, parsed.dialect)[1]
    if not parsed.error_nodes:
        return []
    if is_template(unit.text) or (unit.language and not may_be_grammar_fault(parsed.dialect, unit.text)):
        return [all_unread(unit, parsed.unreadable_reason)]
    return some_unread(
        unit, (line for node in parsed.error_nodes for line in _lines(parsed, node)), parsed.unreadable_reason
    )


def _errors_in_text(parsed: ParsedUnit) -> list[CodeFinding]:
    unit = parsed.unit
    if is_template(unit.text) or not must_parse(unit):
        return []
    is_file = not unit.language and not is_fragment(unit)
    faults = text_faults(parsed.dialect, unit.text, is_file=is_file, has_errors=bool(parsed.error_nodes))
    return [
        syntax_finding(
            parsed, min(unit.first_line + fault.row, unit.last_line), f"Syntax error: {fault.reason}; correct it."
        )
        for fault in faults[:MAX_SYNTAX_FINDINGS]
    ]


def _lines(parsed: ParsedUnit, node: "Node") -> range:
    last = node.end_point.row - (node.end_point.column == 0 and node.end_point.row > node.start_point.row)
    return range(parsed.line_of_node(node), parsed.line_of_row(last) + 1)


def syntax_finding(parsed: ParsedUnit, line: int, comment: str) -> CodeFinding:
    """Return a fatal finding of a syntax error."""
    return CodeFinding(
        path=parsed.unit.path, line=line, comment=comment, dimension="correctness", cost=FATAL, is_fatal=True
    )


def _row(node: "Node") -> int:
    """Return the row at which ``node`` really begins, after separators of the preceding code."""
    head = (node.text or b"")[:_MAX_HEAD_BYTES]
    return node.start_point.row + head[: len(head) - len(head.lstrip(b", ;\t\r\n"))].count(b"\n")


def _comment(node: "Node") -> str:
    if node.is_missing:
        name = "a name" if node.type in ("identifier", "type_identifier") else f'"{node.type}"'
        return f"Syntax error: {name} is missing; add it."
    if node.type in _MARKUP_COMMENTS:
        return f"Syntax error: {_MARKUP_COMMENTS[node.type]}."
    text = (node.text or b"").decode("utf-8", "replace").strip(", ;\t\r\n")
    if not node.text:
        return "Syntax error: something is missing here; add it."
    opening = next((child for child in reversed(node.children) if child.type in _PAIRS), None)
    if opening is not None and _PAIRS[opening.type] not in {child.type for child in node.children}:
        return f'Syntax error: "{opening.type}" is never closed; add "{_PAIRS[opening.type]}".'
    word = _WORD.match(text)
    return f'Syntax error at "{word[0]}"; correct it.' if word else "Syntax error; correct it."


_MARKUP_COMMENTS: Final = {
    "start_tag": "the element is never closed; add its end tag",
    "erroneous_end_tag": "the end tag closes nothing; remove it or open its element",
}
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
