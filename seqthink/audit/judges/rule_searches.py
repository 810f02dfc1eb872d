"""What predicates of rules search: the code around a match, the nodes in it, the parts it is put together from.

Comments and the text of strings do not run, so a search of the code around a match leaves them out. Fixed text has no
parts: in `"<b>" + name + escape(title)` they are `name` and `escape(`.
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
_JOINED: Final = re.compile(
    r"^(?:binary\w*|sequence_expression|(?:if|unless)_modifier|await\w*|parenthesized\w*|ternary\w*|conditional\w*|(?:value_)?argument|array|nowdoc\w*|heredoc\w*"
    r"|\w*string\w*|template_substitution|interpolation|interpolated_\w+|concatenat\w+)$"
)
"""What consists of parts: texts with values in them, sums of texts, alternatives."""
_FIXED: Final = re.compile(
    r"(?:^|_)(?:literal|content|fragment|sequence|number|integer|float|null|nil|true|false|boolean|comment|undefined"
    r"|start|end|brace|encoding|text)$|string"
)
_TYPED: Final = re.compile(r"^(?:as|satisfies|non_null)_expression$")
_CALL: Final = re.compile(r"call|invocation|object_creation|^new_expression$|^type_conversion")
_ARGUMENTS: Final = re.compile(r"arguments?$|argument_list$|token_tree$|call_suffix$")
_KEPT: Final = re.compile(r"[.](?:join|trim|toString|concat|trimEnd|trimStart)$")
"""Methods whose result consists of the parts of what they are called on."""
_MAPPED: Final = re.compile(r"[.](?:map|flatMap)$")
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
            pending += [(child, is_loop) for child in here.named_children]


def parts(node: "Node") -> Sequence[str]:
    """Return the parts of ``node`` that are not fixed text; a call as what is called and an opening parenthesis."""
    return list(_parts(node))


def callee_text(call: "Node") -> str:
    """Return what ``call`` calls: its code before the arguments."""
    arguments = _arguments(call)
    end = call.end_byte if arguments is None else arguments.start_byte
    return (call.text or b"")[: end - call.start_byte].decode("utf-8", "replace").strip()


def is_call(node: "Node") -> bool:
    """Return whether ``node`` calls something."""
    return bool(_CALL.search(node.type))


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


def _parts(node: "Node") -> Iterator[str]:
    if _TYPED.search(node.type):
        yield from _parts(node.named_children[0])
    elif node.named_children and _JOINED.search(node.type):
        condition = node.child_by_field_name("condition")
        for child in node.named_children:
            if child != condition:
                yield from _parts(child)
    elif is_call(node):
        yield from _parts_of_call(node)
    elif node.named_children or not _FIXED.search(node.type):
        yield node_text(node)


def _parts_of_call(call: "Node") -> Iterator[str]:
    called, arguments = callee_text(call), _arguments(call)
    receiver = _receiver(call)
    if arguments is not None and receiver is not None and _KEPT.search(called):
        for part in (receiver, *arguments.named_children):
            yield from _parts(part)
    elif arguments is not None and _MAPPED.search(called) and arguments.named_children:
        yield from _results(arguments.named_children[0])
    else:
        yield f"{called}("


def _receiver(call: "Node") -> "Node | None":
    """Return what the method that ``call`` calls is of."""
    named = call.child_by_field_name("object") or call.child_by_field_name("receiver")
    function = call.child_by_field_name("function")
    return named or (function.named_children[0] if function and function.named_children else None)


def _results(function: "Node") -> Iterator[str]:
    """Yield the parts of what ``function`` returns."""
    body = function.child_by_field_name("body")
    if body is None:
        yield f"{node_text(function)}("
    elif not body.type.endswith("block"):
        yield from _parts(body)
    else:
        for statement in body.named_children:
            if statement.type == "return_statement":
                for value in statement.named_children:
                    yield from _parts(value)


def _arguments(call: "Node") -> "Node | None":
    return next((child for child in reversed(call.named_children) if _ARGUMENTS.search(child.type)), None)
