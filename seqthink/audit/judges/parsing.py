"""Parses a unit with the dialect and wrapping that give the fewest errors."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.languages import dialects, is_fragment, language_of, parser
from seqthink.audit.judges.misreadings import misread_nodes
from seqthink.audit.judges.snippet_wrapping import Wrapping, wrappings

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

MAX_WRAPPED_CHARS: Final = 16 << 10
"""Longer snippets are parsed only as they are."""
_MAX_PARSED_CHARS: Final = 512 << 10
"""Characters to parse before the best attempt so far is used."""
_MAX_ERROR_NODES: Final = 1000
"""Error nodes plus the most children of one; matching patterns beyond that takes quadratic time."""
_MAX_ERROR_BYTES: Final = 32 << 10
"""Bytes inside error nodes; beyond that the text is not a program, and ruff would report every one of them."""
_MAX_TREE_DEPTH: Final = 500
_TEMPLATE_MARKS: Final = ("{{", "{%", "<%")


class ParsedUnit(Struct, frozen=True):
    """A unit with its syntax tree."""

    unit: CodeUnit
    language: str
    """The language of the unit."""
    dialect: str
    """The grammar that parsed it."""
    wrapping: Wrapping
    """The text that was parsed."""
    tree: "Tree"
    error_nodes: "tuple[Node, ...]" = ()
    """Nodes that do not fit the grammar, are missing, or are read by mistake."""

    @property
    def unreadable_reason(self) -> str:
        """Why a unit with excusable errors is not judged."""
        return f"it cannot be read as {self.language}"

    def line_of_node(self, node: "Node") -> int:
        """Return the line on which ``node`` begins, numbered as in findings."""
        return self.line_of_row(node.start_point.row)

    def line_of_row(self, row: int) -> int:
        """Return the line of the unit, numbered as in findings, for a row of the parsed text."""
        last = max(0, self.unit.text.count("\n", 0, len(self.unit.text) - 1))
        return self.unit.first_line + min(max(0, row - self.wrapping.line_offset), last)

    @property
    def is_searchable(self) -> bool:
        """Whether patterns can be matched in reasonable time."""
        broken = len(self.error_nodes) + max((node.child_count for node in self.error_nodes), default=0)
        return broken <= _MAX_ERROR_NODES and _error_bytes(self) <= _MAX_ERROR_BYTES and not _is_deep(self.tree)


def parse_unit(unit: CodeUnit) -> ParsedUnit:
    """Parse ``unit``, whose language has a grammar."""
    language = language_of(unit)
    best: ParsedUnit | None = None
    parsed_chars = 0
    for dialect, wrapping in _attempts(unit, language):
        tree = parser(dialect).parse(wrapping.text.encode("utf-8", "replace"))
        error_nodes = (*_error_nodes(tree.root_node), *misread_nodes(dialect, tree))
        parsed = ParsedUnit(unit, language, dialect, wrapping, tree, error_nodes)
        if not parsed.error_nodes:
            return parsed
        if best is None or _error_bytes(parsed) < _error_bytes(best):
            best = parsed
        parsed_chars += len(wrapping.text)
        if parsed_chars > _MAX_PARSED_CHARS:
            break
    assert best is not None, "a language has a grammar, and a text is read at least as it is"
    return best


def is_template(text: str) -> bool:
    """Return whether ``text`` contains template marks, whose values are not code yet."""
    return any(mark in text for mark in _TEMPLATE_MARKS)


def _attempts(unit: CodeUnit, language: str) -> Iterator[tuple[str, Wrapping]]:
    names = dialects(language)
    text = unit.text
    may_vary = len(text) <= MAX_WRAPPED_CHARS
    if not (may_vary and is_fragment(unit)) and not (language == "c" and unit.path.endswith(".h")):
        names = names[:1]
    for name in names:
        for wrapping in wrappings(name, text, may_wrap=may_vary):
            yield name, wrapping


def _is_deep(tree: "Tree") -> bool:
    """Return whether the tree is so deep that reading the text of every node takes too long."""
    cursor, depth = tree.walk(), 0
    while depth <= _MAX_TREE_DEPTH:
        if cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False
            depth -= 1
    return True


def _error_bytes(parsed: ParsedUnit) -> int:
    return sum(max(1, node.end_byte - node.start_byte) for node in parsed.error_nodes)


def _error_nodes(root: "Node") -> "Iterator[Node]":
    """Yield the outermost erroneous or missing nodes, in source order."""
    if not root.has_error:
        return
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            if not node.children:  # its only token is missing, and hidden
                yield node
            pending += reversed(node.children)
