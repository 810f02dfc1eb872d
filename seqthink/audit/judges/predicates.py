"""Predicates that refine a match of a pattern by looking at the code around it."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = Mapping[str, "list[Node]"]

_FUNCTION: Final = re.compile(r"function|method|lambda|closure|func_literal|constructor")
_MAX_ANCESTORS: Final = 100
_MAX_BODY_BYTES: Final = 64 << 10
_LOOP_EXIT: Final = re.compile(
    r"\b(?:break|return|raise|throw|panic!?|yield|await|exit|_exit|abort|goto|execv?|os\.Exit|log\.Fatal\w*|unreachable!"
    r"|process::exit|System\.exit|recv|accept|next|sleep|select|wait|poll|get|take|read\w*|Receive|Accept)\b|<-|\?;"
)
_SQL: Final = re.compile(
    r"""^\W*(?:(?:SELECT\b.+\bFROM|INSERT\s+INTO|UPDATE\b.+\bSET|DELETE\s+FROM|(?:DROP|ALTER|CREATE)\s+(?:TABLE|USER))
    |(?:select\b.+\bfrom|insert\s+into|update\b.+\bset|delete\s+from))\b""",
    re.DOTALL | re.VERBOSE,
)
_SECRET_NAME: Final = re.compile(
    r"token|secret|passw|session_?id|nonce|otp\b|api_?key|salt|csrf|reset_?code", re.IGNORECASE
)
_LITERAL: Final = ("string", "string_literal", "interpreted_string_literal", "raw_string_literal", "number")


_WRAPPER_FUNCTION: Final = re.compile(r"(?:[\w*]+ )*it\(")
"""The function that `snippet_wrapping` puts around statements."""
_CLOSING_VERB: Final = r"(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)"
_CLOSING_PATTERNS: Final = (
    rf"\b\w*{_CLOSING_VERB}\w*\s*\([^)]*\bNAME\b",
    r"\b(?:put(?!s\b)|end|delete|append|push|add|register|enter_context|callback|defer|insert|store)\w*\s*\([^)\n]*\bNAME\b",
    rf"\bNAME\s*\??\.\s*(?:\w+\.)*(?:\w*{_CLOSING_VERB}|end)\w*\s*\(",
    r"\b(?:return|yield)\s+[\w&{*:,\s]*\bNAME\b(?!\s*[.(\[])",
    r"[=:]\s*[&*]?NAME\s*(?:[,;)}\n]|$)",
    r"[{\[][^}\]\n]*\bNAME\b[^}\]\n(]*[}\]]",
    r"\b(?:with|using|try|await using|global|nonlocal)\b\s*\(?[^\n]*\bNAME\b",
)
"""Ways to take care of an open resource: close it, pass it on, return it, store it."""
_TAKES_OWNERSHIP: Final = r"(?:=|\breturn)\s*(?:await\s+)?(?:new\s+)?(?:\w+\.)*_?[A-Z]\w*\([^)\n]*\bNAME\b"
_TAKES_OWNERSHIP_BY_NODE: Final = {
    "short_var_declaration": r"\breturn\s+(?:\w+\.)?[nN]ew\w*\([^\n]*\bNAME\b",
    "declaration": (
        r"\b(?!(?:v?s?n?f?printf|f?puts|str\w+|mem\w+|f?get\w+|f?read|f?write|f?scanf|sizeof|if|while|for|feof|ferror)"
        r"\s*\()\w+\s*\((?:[^()]|\([^()]*\))*\bNAME\b"
    ),
}
"""Overrides per node type, where wrapping a resource does not take it over: a reader in Go does not close its file; in
C any function may close it."""


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
        if _FUNCTION.search(here.type) and "call" not in here.type and "declarator" not in here.type:
            break
    return here


def _is_endless(captures: Captures) -> bool:
    return not _LOOP_EXIT.search(node_text(captures["body"][0]))


def _is_kept_open(captures: Captures) -> bool:
    """Return whether the function neither closes, returns nor passes on the resource called ``name``."""
    name = re.escape(node_text(captures["name"][0]))
    here = captures["here"][0]
    scope = enclosing_function(here)
    if not _is_whole_function(scope):
        return False
    takes_ownership = _TAKES_OWNERSHIP_BY_NODE.get(here.type, _TAKES_OWNERSHIP)
    excuses = "|".join(excuse.replace("NAME", name) for excuse in (*_CLOSING_PATTERNS, takes_ownership))
    return not re.search(excuses, (scope.text or b"")[here.end_byte - scope.start_byte :].decode("utf-8", "replace"))


def _is_left_on_error(captures: Captures) -> bool:
    """Return whether a resource is released, but neither by a `with` nor in a `finally`."""
    scope = enclosing_function(captures["here"][0])
    name = re.escape(node_text(captures["name"][0]))
    excuse = (
        rf"\bfinally\b|\breturn\b[^\n]*\b{name}\b|[=(,]\s*{name}\s*[,)\n]|\bwith\s+{name}\b|\bglobal\s+{name}\b|except"
    )
    return _is_whole_function(scope) and not re.search(excuse, node_text(scope))


def _is_whole_function(scope: "Node") -> bool:
    """Return whether ``scope`` is a complete function: the rest of a partial one may close what it leaves open."""
    if scope.parent is None or scope.end_byte - scope.start_byte > _MAX_BODY_BYTES:
        return False
    return not _WRAPPER_FUNCTION.match(node_text(scope))


def _is_sql(captures: Captures) -> bool:
    return bool(_SQL.match(node_text(captures["sql"][0])))


def _is_computed(captures: Captures) -> bool:
    return captures["value"][0].type not in _LITERAL and not node_text(captures["value"][0]).isupper()


def _is_for_secrets(captures: Captures) -> bool:
    """Return whether the random value goes into something named like a secret."""
    node: Node | None = captures["here"][0]
    for _ in range(8):
        if node is None:
            return False
        name = node.child_by_field_name("name") or node.child_by_field_name("left")
        if name is not None and _SECRET_NAME.search(node_text(name)):
            return True
        node = node.parent
    return False


def _is_unreachable(captures: Captures) -> bool:
    after = captures["after"][0]
    return (
        after.is_named
        and not re.search(
            r"comment|function|label|break|class|case|type_|interface|enum|const_item|struct|macro|attribute|preproc|empty|yield"
            r"|default|use_declaration|fn_item|_item$",
            after.type,
        )
        and not re.match(r"yield\b|;|raise NotImplementedError|__builtin|break|\(?void\)", node_text(after))
    )


def _is_empty(captures: Captures) -> bool:
    """Return whether the body does nothing, without a comment that says why."""
    return not re.sub(r"[\s{}();]|pass|\.\.\.|continue|null|undefined", "", node_text(captures["body"][0]))


PREDICATES: Final[Mapping[str, Callable[[Captures], bool]]] = {
    "endless": _is_endless,
    "kept open": _is_kept_open,
    "left on error": _is_left_on_error,
    "sql": _is_sql,
    "computed": _is_computed,
    "for secrets": _is_for_secrets,
    "unreachable": _is_unreachable,
    "empty": _is_empty,
}
