"""A source, read: its tree, in the first dialect and the first way in which it has no error."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.languages import dialects, is_fragment, language_of, parser
from seqthink.audit.judges.snippet_wrapping import Wrapping, wrappings

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

MAX_WRAPPED_CHARS: Final = 16 << 10
"""A fragment is shorter than that; what is longer is read as it is."""
_MAX_PARSED_CHARS: Final = 512 << 10
"""So much is parsed before the best way so far has to do."""
_MAX_ERROR_NODES: Final = 1000
"""Errors and children of one, past which asking for patterns would take time to the square of their number."""
_MAX_ERROR_BYTES: Final = 32 << 10
"""Bytes in errors, past which it is no program, and ruff would say so once for each of them."""
_MAX_TREE_DEPTH: Final = 500
_TEMPLATE_MARKS: Final = ("{{", "{%", "<%")


class ParsedUnit(Struct, frozen=True):
    """``source`` as the grammar called ``dialect`` reads it; ``broken`` are the nodes that do not fit."""

    unit: CodeUnit
    language: str
    dialect: str
    wrapping: Wrapping
    tree: "Tree"
    error_nodes: "tuple[Node, ...]" = ()

    @property
    def unreadable_reason(self) -> str:
        """Why it is not judged where it has errors that nobody is to be blamed for."""
        return f"it cannot be read as {self.language}"

    def line_of_node(self, node: "Node") -> int:
        """Return the line on which ``node`` begins, numbered as findings are."""
        return self.line_of_row(node.start_point.row)

    def line_of_row(self, row: int) -> int:
        """Return the source's line for a row of the text that was read."""
        last = max(0, self.unit.text.count("\n", 0, len(self.unit.text) - 1))
        return self.unit.first_line + min(max(0, row - self.wrapping.line_offset), last)

    @property
    def is_searchable(self) -> bool:
        """Whether it is enough of a program that looking for more than its errors takes no long time."""
        broken = len(self.error_nodes) + max((node.child_count for node in self.error_nodes), default=0)
        return broken <= _MAX_ERROR_NODES and _error_bytes(self) <= _MAX_ERROR_BYTES and not _is_deep(self.tree)


def parse_unit(unit: CodeUnit) -> ParsedUnit:
    """Return ``source``, whose language has a grammar, read."""
    language = language_of(unit)
    best: ParsedUnit | None = None
    spent = 0
    for dialect, wrapping in _attempts(unit, language):
        tree = parser(dialect).parse(wrapping.text.encode("utf-8", "replace"))
        parsed = ParsedUnit(unit, language, dialect, wrapping, tree, tuple(_error_nodes(tree.root_node)))
        if not parsed.error_nodes:
            return parsed
        if best is None or _error_bytes(parsed) < _error_bytes(best):
            best = parsed
        spent += len(wrapping.text)
        if spent > _MAX_PARSED_CHARS:
            break
    assert best is not None, "a language has a grammar, and a text is read at least as it is"
    return best


def is_template(text: str) -> bool:
    """Return whether ``text`` has places that another program fills in: what stands there is no code yet."""
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
    """Return whether nodes are so deep in each other that reading the text of each takes too long."""
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
    """Yield the outermost nodes that do not fit or are not there, in their order."""
    if not root.has_error:
        return
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            waiting += reversed(node.children)
