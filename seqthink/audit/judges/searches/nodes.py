"""What predicates of rules search: the code around a match, the nodes in it, the names around it.

Comments and the text of strings do not run, so a search of the code around a match leaves them out.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTION: Final = re.compile(r"function|method|lambda|closure|func_literal|constructor")
_NO_FUNCTION: Final = re.compile(r"call|declarator|invocation|body|parameter|type|field")
_WRAPPER_FUNCTION: Final = re.compile(r"(?:[\w*]+ )*it\b")
"""The function that `snippet_wrapping` puts around statements."""
_LOOP: Final = re.compile(
    r"(?:^|_)(?:while|for|foreach|do|loop|until|repeat|switch|select)(?:_in)?(?:_statement|_expression)?$"
)
_OWN_BREAK: Final = re.compile(rb"break\s*;?$")
_TEXT: Final = re.compile(r"(?:^|_)(?:comment|string_content|string_fragment|string_literal_content|line_str_text)$")
_MAX_ANCESTORS: Final = 100
_MAX_NAMED_NODES: Final = 8
_MAX_BODY_BYTES: Final = 64 << 10
_MAX_NODE_BYTES: Final = 200
"""Of a node, the bytes that `#holds?` looks at."""


def node_text(node: "Node") -> str:
    """Return the code of ``node``."""
    return (node.text or b"").decode("utf-8", "replace")


def is_function(node: "Node") -> bool:
    """Return whether ``node`` is a function with its own `return`."""
    return bool(node.is_named and _FUNCTION.search(node.type) and not _NO_FUNCTION.search(node.type))


def enclosing_function(node: "Node") -> "Node":
    """Return the function around ``node``, or the whole file."""
    here = node
    for _ in range(_MAX_ANCESTORS):
        if here.parent is None:
            break
        here = here.parent
        if is_function(here):
            break
    return here


def whole_function(node: "Node") -> "Node | None":
    """Return the function around ``node`` if all of it is there: the rest of a partial one may hold what it lacks."""
    scope = enclosing_function(node)
    if scope.parent is None or scope.end_byte - scope.start_byte > _MAX_BODY_BYTES:
        return None
    return None if _WRAPPER_FUNCTION.match(node_text(scope)) else scope


def function_code(node: "Node") -> "Sequence[str] | None":
    """Return the code of the function around ``node``, without comments and the text of strings."""
    scope = whole_function(node)
    return None if scope is None else [_code(scope)]


def names_around(node: "Node") -> Sequence[str]:
    """Return the names of ``node`` and of the nodes around it, and what they assign to."""
    names, here = list[str](), node
    for _ in range(_MAX_NAMED_NODES):
        name = here.child_by_field_name("name") or here.child_by_field_name("left")
        if name is not None:
            names.append(node_text(name))
        if here.parent is None:
            break
        here = here.parent
    return names


def kind(node: "Node") -> Sequence[str]:
    """Return the type of ``node``."""
    return [node.type]


def nodes_inside(node: "Node") -> Sequence[str]:
    """Return the types and beginnings of the nodes inside ``node`` that belong to it.

    What is inside a nested function is not among them, nor the `break` of a nested loop.
    """
    return list(_nodes_inside(node))


def _nodes_inside(node: "Node") -> Iterator[str]:
    pending = [(child, False) for child in node.named_children]
    while pending:
        here, is_in_loop = pending.pop()
        beginning = (here.text or b"")[:_MAX_NODE_BYTES]
        if not (is_in_loop and _OWN_BREAK.match(beginning)):
            yield f"{here.type} {beginning.decode('utf-8', 'replace')}"
        if not is_function(here):
            is_loop = is_in_loop or bool(_LOOP.search(here.type))
            # Python's `else` of a loop is no longer in it.
            pending += [
                (child, is_in_loop if child.type == "else_clause" else is_loop) for child in here.named_children
            ]


def _code(node: "Node") -> str:
    """Return the code of ``node``, without comments and the text of strings."""
    source, code, at = node.text or b"", list[bytes](), 0
    for text in _texts(node):
        code.append(source[at : text.start_byte - node.start_byte])
        at = text.end_byte - node.start_byte
    return b" ".join([*code, source[at:]]).decode("utf-8", "replace")


def _texts(node: "Node") -> "Iterator[Node]":
    """Yield the comments and texts of strings in ``node``, in source order."""
    pending = [node]
    while pending:
        here = pending.pop()
        if _TEXT.search(here.type):
            yield here
        else:
            pending += reversed(here.children)
