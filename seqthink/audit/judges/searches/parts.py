"""The parts that a text is put together from, for rules about text that runs, is sent or becomes markup.

Fixed text has no parts. In `"<b>" + name + escape(title)` they are `name` and `escape(`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from seqthink.audit.judges.searches.nodes import node_text

if TYPE_CHECKING:
    from tree_sitter import Node

_JOINED: Final = re.compile(
    r"^(?:binary\w*|sequence_expression|(?:if|unless)_modifier|await\w*|parenthesized\w*|ternary\w*|conditional\w*"
    r"|(?:value_)?argument|array|nowdoc\w*|heredoc\w*|\w*string\w*|template_substitution|interpolation|interpolated_\w+"
    r"|concatenat\w+)$"
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
