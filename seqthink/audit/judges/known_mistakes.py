"""Finds known mistakes in a syntax tree, by the rules of its language."""

from typing import Final

from seqthink.audit.judges.parsing import ParsedUnit
from seqthink.audit.judges.rule_file import PLACE
from seqthink.audit.judges.rule_folders import CompiledRule, rules_for
from seqthink.audit.judges.rule_predicates import PredicateRun
from seqthink.audit.review import CodeFinding

_MAX_MATCHES: Final = 4096


def find_known_mistakes(parsed: ParsedUnit, *, is_without_ruff: bool = False) -> list[CodeFinding]:
    """Return the mistakes in ``parsed``, which must be searchable, in the order of the rules.

    Args:
        parsed: The code.
        is_without_ruff: Find only what counts where ruff cannot judge, instead of the rest.
    """
    return [
        finding
        for compiled in rules_for(parsed.dialect).rules
        if compiled.rule.is_without_ruff == is_without_ruff
        for finding in match_rule(parsed, compiled)
    ]


def match_rule(parsed: ParsedUnit, compiled: CompiledRule) -> list[CodeFinding]:
    """Return what one rule finds, at most one finding a line."""
    from tree_sitter import QueryCursor  # noqa: PLC0415 - optional dependency

    cursor = QueryCursor(compiled.query, match_limit=_MAX_MATCHES)
    matches = cursor.matches(parsed.tree.root_node, PredicateRun())
    places = [captures[PLACE][0] for _, captures in matches if PLACE in captures]
    rows = [place.start_point.row for place in places if place.start_point.row >= parsed.wrapping.line_offset]
    rule = compiled.rule
    return [
        CodeFinding(path=parsed.unit.path, line=line, comment=rule.comment, dimension=rule.dimension, cost=rule.cost)
        for line in sorted({parsed.line_of_row(row) for row in rows})
    ]
