"""Matches the patterns of known mistakes against syntax trees."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from seqthink.audit.judges.languages import grammar
from seqthink.audit.judges.parsing import ParsedUnit
from seqthink.audit.judges.patterns import PATTERNS, CodePattern
from seqthink.audit.judges.predicates import PREDICATES
from seqthink.audit.review import CodeFinding

if TYPE_CHECKING:
    from tree_sitter import Node, Query

Captures = Mapping[str, "list[Node]"]
Predicate = Callable[[Captures], bool]
_MAX_MATCHES: Final = 4096
_MAX_HITS: Final = 500
"""Matches of one pattern that are checked; further ones are ignored."""


def match_patterns(parsed: ParsedUnit, patterns: Sequence[CodePattern] = PATTERNS) -> list[CodeFinding]:
    """Return the mistakes in ``parsed``, which must be searchable, in the order of the patterns."""
    return [
        finding
        for pattern in patterns
        if parsed.dialect in pattern.languages
        for finding in _match_pattern(parsed, pattern)
    ]


def _match_pattern(parsed: ParsedUnit, pattern: CodePattern) -> list[CodeFinding]:
    from tree_sitter import QueryCursor  # noqa: PLC0415 - optional dependency

    query = _compile_query(parsed.dialect, pattern.query)
    if query is None:
        return []
    cursor = QueryCursor(query, match_limit=_MAX_MATCHES)
    predicate = PREDICATES.get(pattern.predicate, _always)
    matches = [captures for _, captures in cursor.matches(parsed.tree.root_node) if "here" in captures]
    in_unit = [
        captures
        for captures in matches[:_MAX_HITS]
        if captures["here"][0].start_point.row >= parsed.wrapping.line_offset
    ]
    lines = sorted({parsed.line_of_node(captures["here"][0]) for captures in in_unit if predicate(captures)})
    return [
        CodeFinding(
            path=parsed.unit.path,
            line=line,
            comment=pattern.comment,
            dimension=pattern.dimension,
            cost=pattern.cost,
        )
        for line in lines
    ]


@cache
def _compile_query(dialect: str, text: str) -> "Query | None":
    """Return the compiled query; None if this release of the grammar has other node types."""
    from tree_sitter import Query, QueryError  # noqa: PLC0415 - optional dependency

    try:
        return Query(grammar(dialect), text)
    except QueryError:
        return None


def _always(captures: Captures) -> bool:
    return bool(captures)
