"""Predicates for rules that look at the code around a match, which a query cannot (docs/audit.md, "Predicates")."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from seqthink.audit.judges.rule_file import STANDARD_PREDICATES, PredicateCall, RuleError
from seqthink.audit.judges.searches.nodes import (
    enclosing_function,
    function_code,
    kind,
    names_around,
    node_text,
    nodes_inside,
)
from seqthink.audit.judges.searches.parts import parts
from seqthink.audit.judges.searches.uses import later_uses

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = Mapping[str, "list[Node]"]

_MAX_SEARCHED_CHARS: Final = 8 << 20
"""Characters that one rule may search in one file; beyond that its custom predicates do not hold."""
_NAME: Final = re.compile(r"\{([a-z_]+)\}")


def _itself(node: "Node") -> "Node":
    return node


def _none(matches: "Iterable[bool]") -> bool:
    return not any(matches)


class _CustomPredicate(NamedTuple):
    texts: "Callable[[Node], Sequence[str] | None]"
    """What is searched; None: the predicate does not hold, whatever is searched for."""
    quantifier: "Callable[[Iterable[bool]], bool]" = any
    """Of the texts, how many must match."""
    searched: "Callable[[Node], Node]" = _itself
    """What is read to find the texts."""


CUSTOM_PREDICATES: Final[Mapping[str, _CustomPredicate]] = {
    "holds?": _CustomPredicate(nodes_inside),
    "every-part?": _CustomPredicate(parts, all),
    "never-used-after?": _CustomPredicate(later_uses, _none, enclosing_function),
    "never-around?": _CustomPredicate(function_code, _none, enclosing_function),
    "within-named?": _CustomPredicate(names_around),
    "kind-match?": _CustomPredicate(kind),
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
        return all(self._holds(custom, node, pattern) is is_wanted for node in captures.get(args[0][0], ()))

    def _holds(self, custom: _CustomPredicate, node: "Node", pattern: str) -> bool | None:
        """Return whether ``custom`` holds for ``node``; None: this cannot be known."""
        texts = custom.texts(node) if self._chars_left > 0 else None
        if texts is None:
            return None
        searched = custom.searched(node)
        self._chars_left -= searched.end_byte - searched.start_byte
        return custom.quantifier(bool(re.search(pattern, text)) for text in texts)


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
