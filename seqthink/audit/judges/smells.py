"""Well-known mistakes in the trees of code: what the table of patterns finds and no check excuses."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from seqthink.audit.judges.checks import CHECKS
from seqthink.audit.judges.languages import grammar
from seqthink.audit.judges.patterns import PATTERNS, Pattern
from seqthink.audit.judges.reading import Reading
from seqthink.audit.review import Finding

if TYPE_CHECKING:
    from tree_sitter import Node, Query

Captures = Mapping[str, "list[Node]"]
Check = Callable[[Captures], bool]
_MOST_MATCHES: Final = 4096
_MOST_HITS: Final = 500


def smells(reading: Reading, patterns: Sequence[Pattern] = PATTERNS) -> list[Finding]:
    """Return the known mistakes in ``reading``, which is searchable, in the order of the table."""
    return [
        finding for pattern in patterns if reading.dialect in pattern.languages for finding in _found(reading, pattern)
    ]


def _found(reading: Reading, pattern: Pattern) -> list[Finding]:
    from tree_sitter import QueryCursor  # noqa: PLC0415 - an extra

    query = _query(reading.dialect, pattern.query)
    if query is None:
        return []
    cursor = QueryCursor(query, match_limit=_MOST_MATCHES)
    holds = CHECKS.get(pattern.check, _always)
    hits = [captures for _, captures in cursor.matches(reading.tree.root_node) if "here" in captures]
    ours = [captures for captures in hits[:_MOST_HITS] if captures["here"][0].start_point.row >= reading.way.shift]
    lines = sorted({reading.line(captures["here"][0]) for captures in ours if holds(captures)})
    return [
        Finding(
            path=reading.source.path,
            line=line,
            comment=pattern.comment,
            dimension=pattern.dimension,
            cost=pattern.cost,
        )
        for line in lines
    ]


@cache
def _query(dialect: str, text: str) -> "Query | None":
    """Return the pattern compiled; None for a grammar of another release that knows other nodes."""
    from tree_sitter import Query, QueryError  # noqa: PLC0415 - an extra

    try:
        return Query(grammar(dialect), text)
    except QueryError:
        return None


def _always(captures: Captures) -> bool:
    return bool(captures)
