"""A source, read: its tree, in the first dialect and the first way in which it has no error."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from seqthink.audit.judges.fragments import Way, ways
from seqthink.audit.judges.languages import dialects, is_fragment, language_of, parser
from seqthink.audit.sources import Source

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

MOST_TRIED: Final = 16 << 10
"""A fragment is shorter than that; what is longer is read as it is."""
_MOST_LETTERS: Final = 512 << 10
"""So much is parsed before the best way so far has to do."""
_MOST_BROKEN: Final = 1000
"""Errors and children of one, past which asking for patterns would take time to the square of their number."""
_MOST_DAMAGE: Final = 32 << 10
"""Bytes in errors, past which it is no program, and ruff would say so once for each of them."""
_MOST_DEEP: Final = 500
_TEMPLATE: Final = ("{{", "{%", "<%")


class Reading(Struct, frozen=True):
    """``source`` as the grammar called ``dialect`` reads it; ``broken`` are the nodes that do not fit."""

    source: Source
    language: str
    dialect: str
    way: Way
    tree: "Tree"
    broken: "tuple[Node, ...]" = ()

    @property
    def refusal(self) -> str:
        """Why it is not judged where it has errors that nobody is to be blamed for."""
        return f"it cannot be read as {self.language}"

    def line(self, node: "Node") -> int:
        """Return the line on which ``node`` begins, numbered as findings are."""
        return self.line_of_row(node.start_point.row)

    def line_of_row(self, row: int) -> int:
        """Return the source's line for a row of the text that was read."""
        last = max(0, self.source.text.count("\n", 0, len(self.source.text) - 1))
        return self.source.first_line + min(max(0, row - self.way.shift), last)

    @property
    def is_searchable(self) -> bool:
        """Whether it is enough of a program that looking for more than its errors takes no long time."""
        broken = len(self.broken) + max((node.child_count for node in self.broken), default=0)
        return broken <= _MOST_BROKEN and _damage(self) <= _MOST_DAMAGE and not _is_deep(self.tree)


def read(source: Source) -> Reading:
    """Return ``source``, whose language has a grammar, read."""
    language = language_of(source)
    best: Reading | None = None
    spent = 0
    for dialect, way in _attempts(source, language):
        tree = parser(dialect).parse(way.text.encode("utf-8", "replace"))
        reading = Reading(source, language, dialect, way, tree, tuple(_broken(tree.root_node)))
        if not reading.broken:
            return reading
        if best is None or _damage(reading) < _damage(best):
            best = reading
        spent += len(way.text)
        if spent > _MOST_LETTERS:
            break
    assert best is not None, "a language has a grammar, and a text is read at least as it is"
    return best


def is_template(text: str) -> bool:
    """Return whether ``text`` has places that another program fills in: what stands there is no code yet."""
    return any(mark in text for mark in _TEMPLATE)


def _attempts(source: Source, language: str) -> Iterator[tuple[str, Way]]:
    names = dialects(language)
    text = source.text
    may_vary = len(text) <= MOST_TRIED
    if not (may_vary and is_fragment(source)) and not (language == "c" and source.path.endswith(".h")):
        names = names[:1]
    for name in names:
        for way in ways(name, text, may_vary=may_vary):
            yield name, way


def _is_deep(tree: "Tree") -> bool:
    """Return whether nodes are so deep in each other that reading the text of each takes too long."""
    cursor, depth = tree.walk(), 0
    while depth <= _MOST_DEEP:
        if cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False
            depth -= 1
    return True


def _damage(reading: Reading) -> int:
    return sum(max(1, node.end_byte - node.start_byte) for node in reading.broken)


def _broken(root: "Node") -> "Iterator[Node]":
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
