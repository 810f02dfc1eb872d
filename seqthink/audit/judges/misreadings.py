"""Finds what a grammar reads although it is broken: it guesses an element's end, or takes a keyword for a name."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from seqthink.audit.judges.languages import grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Query, Tree

_MAX_MISREAD_NODES: Final = 1000
_QUERIES: Final[Mapping[str, str]] = {
    "ruby": '((identifier) @name (#any-of? @name "end" "else" "elsif" "when" "then" "ensure"))',
    "html": "(element (start_tag) @tag) (erroneous_end_tag) @tag",
}
_RUBY_METHOD_PARTS: Final = ("method", "singleton_method", "alias", "undef", "setter", "pair")
"""Parents in which a keyword is a method's name: `range.end`, `def end`."""
_HTML_VOID: Final = frozenset((
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"param", b"source", b"track",
    b"wbr", b"basefont", b"bgsound", b"command", b"frame", b"keygen", b"isindex", b"image",
))  # fmt: skip
"""Elements without content, and so without an end tag."""
_HTML_HARMLESS_ENDS: Final = frozenset((b"p", b"br"))
"""End tags that close nothing where a block has closed the paragraph already: browsers add an empty one."""
_HTML_OPTIONAL_ENDS: Final = frozenset((
    b"html", b"head", b"body", b"p", b"li", b"dt", b"dd", b"rt", b"rp", b"option", b"optgroup", b"thead", b"tbody",
    b"tfoot", b"tr", b"td", b"th", b"colgroup", b"caption",
))  # fmt: skip
"""Elements whose end tag may be left out, by the HTML standard, "Optional tags"."""


def misread_nodes(dialect: str, tree: "Tree") -> "list[Node]":
    """Return nodes that the grammar accepts and no compiler or browser takes as they are meant, in source order."""
    from tree_sitter import QueryCursor  # noqa: PLC0415 - optional dependency

    if dialect not in _QUERIES:
        return []
    is_misread = _TESTS[dialect]
    captures = QueryCursor(_query(dialect)).captures(tree.root_node)
    found: Iterator[Node] = (node for nodes in captures.values() for node in nodes if is_misread(node))
    return sorted((node for node, _ in zip(found, range(_MAX_MISREAD_NODES), strict=False)), key=_start)


@cache
def _query(dialect: str) -> "Query":
    from tree_sitter import Query  # noqa: PLC0415 - optional dependency

    return Query(grammar(dialect), _QUERIES[dialect])


def _start(node: "Node") -> int:
    return node.start_byte


def _is_keyword_as_name(node: "Node") -> bool:
    parent = node.parent
    if parent is not None and parent.type == "call":
        return parent.child_by_field_name("receiver") is None
    return parent is None or parent.type not in _RUBY_METHOD_PARTS


def _is_unpaired(tag: "Node") -> bool:
    """Return whether a start tag lacks the end tag that it needs, or an end tag closes nothing."""
    element = tag.parent
    name = next((child.text or b"" for child in tag.children if child.type.endswith("tag_name")), b"").lower()
    if tag.type == "erroneous_end_tag":
        return name not in _HTML_HARMLESS_ENDS
    if element is None or any(child.type == "end_tag" for child in element.children[-1:]):
        return False
    return name not in _HTML_OPTIONAL_ENDS | _HTML_VOID


_TESTS: "Final[Mapping[str, Callable[[Node], bool]]]" = {"ruby": _is_keyword_as_name, "html": _is_unpaired}
