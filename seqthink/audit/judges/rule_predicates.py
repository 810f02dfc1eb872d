"""Predicates for rules that look at the code around a match, which a query cannot (docs/audit.md, "Predicates")."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from seqthink.audit.judges.rule_file import STANDARD_PREDICATES, PredicateCall, RuleError

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = Mapping[str, "list[Node]"]

_FUNCTION: Final = re.compile(r"function|method|lambda|closure|func_literal|constructor")
_NO_FUNCTION: Final = re.compile(r"call|declarator|invocation|body|parameter")
_WRAPPER_FUNCTION: Final = re.compile(r"(?:[\w*]+ )*it\b")
"""The function that `snippet_wrapping` puts around statements."""
_MAX_ANCESTORS: Final = 100
_MAX_NAMED_NODES: Final = 8
_MAX_BODY_BYTES: Final = 64 << 10
_MAX_SEARCHED_CHARS: Final = 8 << 20
"""Characters that one rule may search in one file; beyond that its custom predicates do not hold."""
_NAME: Final = re.compile(r"\{([a-z_]+)\}")


def node_text(node: "Node") -> str:
    """Return the code of ``node``."""
    return (node.text or b"").decode("utf-8", "replace")


def enclosing_function(node: "Node") -> "Node":
    """Return the function around ``node``, or the whole file."""
    here = node
    for _ in range(_MAX_ANCESTORS):
        if here.parent is None:
            break
        here = here.parent
        if _FUNCTION.search(here.type) and not _NO_FUNCTION.search(here.type):
            break
    return here


def _rest_of_function(node: "Node") -> "Sequence[str] | None":
    scope = enclosing_function(node)
    if not _is_whole_function(scope):
        return None
    return [(scope.text or b"")[node.end_byte - scope.start_byte :].decode("utf-8", "replace")]


def _function(node: "Node") -> "Sequence[str] | None":
    scope = enclosing_function(node)
    return [node_text(scope)] if _is_whole_function(scope) else None


def _is_whole_function(scope: "Node") -> bool:
    """Return whether ``scope`` is a complete function: the rest of a partial one may hold what it lacks."""
    if scope.parent is None or scope.end_byte - scope.start_byte > _MAX_BODY_BYTES:
        return False
    return not _WRAPPER_FUNCTION.match(node_text(scope))


def _names(node: "Node") -> "Sequence[str]":
    names, here = list[str](), node
    for _ in range(_MAX_NAMED_NODES):
        name = here.child_by_field_name("name") or here.child_by_field_name("left")
        if name is not None:
            names.append(node_text(name))
        if here.parent is None:
            break
        here = here.parent
    return names


def _kind(node: "Node") -> "Sequence[str]":
    return [node.type]


class _CustomPredicate(NamedTuple):
    texts: "Callable[[Node], Sequence[str] | None]"
    """What is searched; None: the predicate does not hold, whatever is searched for."""
    wants_match: bool = True


CUSTOM_PREDICATES: Final[Mapping[str, _CustomPredicate]] = {
    "never-after?": _CustomPredicate(_rest_of_function, wants_match=False),
    "never-around?": _CustomPredicate(_function, wants_match=False),
    "within-named?": _CustomPredicate(_names),
    "kind-match?": _CustomPredicate(_kind),
}
"""Each takes a capture and a regular expression, in which ``{name}`` is the text captured as ``@name``."""


class PredicateRun:
    """Evaluates the custom predicates of one query over one file: the callback of ``QueryCursor.matches``."""

    def __init__(self) -> None:
        self._chars_left = _MAX_SEARCHED_CHARS

    def __call__(
        self,
        predicate: str,
        args: list[tuple[str, Literal["capture", "string"]]],
        pattern_index: int,  # noqa: ARG002 - the cursor passes it
        captures: dict[str, list["Node"]],
    ) -> bool:
        """Return whether a match satisfies ``predicate``; a capture without nodes satisfies every one."""
        custom = CUSTOM_PREDICATES[predicate.removeprefix("not-")]
        pattern = _NAME.sub(lambda name: _text_of(captures, name[1]), args[1][0])
        is_wanted = not predicate.startswith("not-")
        return all(self._holds(custom, node, pattern) == is_wanted for node in captures.get(args[0][0], ()))

    def _holds(self, custom: _CustomPredicate, node: "Node", pattern: str) -> bool:
        texts = custom.texts(node) if self._chars_left > 0 else None
        if texts is None:
            return False
        self._chars_left -= sum(map(len, texts))
        return any(re.search(pattern, text) for text in texts) == custom.wants_match


def check_predicates(calls: Sequence[PredicateCall]) -> None:
    """Raise RuleError if a query calls a predicate that there is not, or a custom one with wrong arguments.

    What standard predicates take is checked where the query is compiled.
    """
    for call in calls:
        if call.name in STANDARD_PREDICATES:
            continue
        if call.name.removeprefix("not-") not in CUSTOM_PREDICATES:
            raise RuleError(f"#{call.name} is not a predicate")
        if len(call.arguments) != 2 or not call.arguments[0].startswith("@"):
            raise RuleError(f"#{call.name} takes a capture and a regular expression")
        try:
            re.compile(_NAME.sub("x", call.arguments[1]))
        except re.error as error:
            raise RuleError(f"#{call.name}: {error}") from error


def _text_of(captures: Captures, name: str) -> str:
    return re.escape(" ".join(node_text(node) for node in captures.get(name, ())))
