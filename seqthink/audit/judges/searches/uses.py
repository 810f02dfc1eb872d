"""What a function does with a variable later on, for rules about what must be closed.

A use is written as what happens: `.close(` for a method, `fclose(` for an argument, else the type of the node that
holds the variable, and its place there: `return_statement`, `pair value`. Words before it say more: `finally_clause
.close(` where only the end of a `try` does so, `.Body ReadAll(` where only a part of the variable is used.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from seqthink.audit.judges.searches.nodes import is_function, node_text, whole_function
from seqthink.audit.judges.searches.parts import callee_text, is_call

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES: Final = ("identifier", "shorthand_property_identifier", "variable_name")
_BLOCK: Final = re.compile(r"(?:^|_)(?:block|statement_list|compound_statement|body|module|program|file)$|^case|_case$")
_MEMBER: Final = re.compile(r"^(?:attribute|(?:member|selector|field|navigation)_expression|field_access)$")
_ARGUMENTS: Final = re.compile(r"^(?:argument_list|arguments)$")
_PASSED: Final = re.compile(
    r"^(?:parenthesized_expression|await\w*|cast_expression|list_splat|spread_element|argument|expression_list"
    r"|pointer_expression|unary_expression|boolean_operator|(?:as|non_null)_expression)$"
)
"""What has the variable for its value, or for one of them."""
_CHOICE: Final = re.compile(r"^(?:conditional|ternary)_expression$")
_ALTERNATIVES: Final = ("&&", "||", "??")
_HANDLER: Final = re.compile(r"^(?:finally_clause|except_clause|except_group_clause|catch_clause)$")


def later_uses(name: "Node") -> "Sequence[str] | None":
    """Return the uses of the variable ``name`` after the statement that gives it its value, up to its next value.

    None: the function is not there as a whole.
    """
    scope = whole_function(name)
    if scope is None:
        return None
    variable, first, end = node_text(name), _end_of_value(name), _next_value(name, scope)
    return [_use(node, scope) for node in _named(scope, variable, first, end) if not _is_shadowed(node, scope)]


def _named(scope: "Node", variable: str, first: int, end: int) -> "Iterator[Node]":
    """Yield the nodes in ``scope`` between two bytes that are called ``variable``, in source order."""
    wanted, pending = variable.encode(), [scope]
    while pending:
        node = pending.pop()
        if node.end_byte <= first or node.start_byte >= end:
            continue
        if node.type in _NAMES and node.text == wanted:
            yield node
        pending += reversed(node.children)


def _end_of_value(name: "Node") -> int:
    """Return where the value ends that ``name`` gets."""
    here: Node | None = name
    while here is not None:
        if here.child_by_field_name("value") or here.child_by_field_name("right"):
            return here.end_byte
        here = here.parent
    return name.end_byte


def _next_value(name: "Node", scope: "Node") -> int:
    """Return the end of the next statement of the same block that gives ``name`` another value."""
    statement = name
    while statement.parent is not None and not _BLOCK.search(statement.parent.type):
        statement = statement.parent
    later = statement.next_named_sibling
    while later is not None:
        if node_text(name) in _assigned(later):
            return later.end_byte
        later = later.next_named_sibling
    return scope.end_byte


def _assigned(statement: "Node") -> Sequence[str]:
    """Return the variables that ``statement`` itself assigns to."""
    for node in (statement, *statement.named_children[:1]):
        left = node.child_by_field_name("left")
        if left is not None:
            return re.split(r"\s*,\s*", node_text(left))
    return ()


def _is_shadowed(node: "Node", scope: "Node") -> bool:
    """Return whether ``node`` is the parameter of a nested function with the same name."""
    return any(
        re.search(rf"(?<!\w){re.escape(node_text(node))}(?!\w)", node_text(parameters))
        for around in _ancestors(node, scope)
        if is_function(around) and around != scope
        for parameters in (around.child_by_field_name("parameters"), around.child_by_field_name("parameter"))
        if parameters is not None
    )


def _ancestors(node: "Node", scope: "Node") -> "Iterator[Node]":
    here = node.parent
    while here is not None and here != scope:
        yield here
        here = here.parent


def _use(node: "Node", scope: "Node") -> str:
    handlers = [around.type for around in _ancestors(node, scope) if _HANDLER.search(around.type)]
    members, place = _members(node)
    return " ".join(filter(None, (*handlers, members, "" if members.endswith("(") else _place(place))))


def _members(node: "Node") -> "tuple[str, Node]":
    """Return what of the variable ``node`` is used, such as `.body.close(`, and the node of this use."""
    members, here = "", node
    while here.parent is not None:
        parent = here.parent
        if is_call(parent) and _is_first(here, parent):
            name = parent.child_by_field_name("name")
            is_java = parent.child_by_field_name("object") == here and name is not None
            return f"{members}{f'.{node_text(name)}' if is_java and name else ''}(", parent
        if not (_MEMBER.search(parent.type) and _is_first(here, parent)):
            break
        members += f".{node_text(parent.named_children[-1])}"
        here = parent
    return members, here


def _is_first(node: "Node", parent: "Node") -> bool:
    return bool(parent.named_children) and parent.named_children[0] == node


def _place(node: "Node") -> str:
    """Return what holds the value ``node``: a call that it is an argument of, or the type of a node."""
    here, parent = node, node.parent
    while parent is not None and _passes(here, parent):
        here, parent = parent, parent.parent
    if parent is None:
        return ""
    if _ARGUMENTS.search(parent.type) and parent.parent is not None:
        return f"{callee_text(parent.parent)}("
    return f"{parent.type} {_field(here, parent)}".strip()


def _passes(node: "Node", parent: "Node") -> bool:
    """Return whether the value of ``parent`` is, or may be, that of ``node``."""
    if _CHOICE.search(parent.type):
        return node != (parent.child_by_field_name("condition") or parent.named_children[1])
    operator = parent.child_by_field_name("operator")
    if parent.type == "binary_expression":
        return operator is not None and node_text(operator) in _ALTERNATIVES
    return bool(_PASSED.search(parent.type)) and not (operator is not None and node_text(operator) in ("!", "*", "-"))


def _field(node: "Node", parent: "Node") -> str:
    return next(
        (parent.field_name_for_child(index) or "" for index, child in enumerate(parent.children) if child == node), ""
    )
