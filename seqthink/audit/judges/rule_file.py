"""Reads a rule: a file with a tree-sitter query and what a match of it means (docs/audit.md, "Rules"). Pure."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final, cast, get_args

from msgspec import Struct

from seqthink.audit.review import GRAVE, MINOR, SERIOUS, Dimension

COSTS: Final[Mapping[str, int]] = {"minor": MINOR, "serious": SERIOUS, "grave": GRAVE}
"""What a finding costs, by the word that a rule says."""
STANDARD_PREDICATES: Final = ("eq?", "not-eq?", "match?", "not-match?", "any-of?")
"""Those that py-tree-sitter evaluates itself. Its `#not-any-of?` is left out: with several texts it is always true."""
PLACE: Final = "here"
"""Name of the capture that is the place of the finding."""
_SETTINGS: Final = ("comment", "dimension", "cost")
_STRING: Final = r'"(?>(?:[^"\\\n]++|\\.)*)"'
_COMMENT: Final = re.compile(rf"({_STRING})|;[^\n]*+")
_CALL: Final = re.compile(rf"({_STRING})|\(\s*+#([\w-]++[?!]?)((?>(?:\s*+(?:{_STRING}|[^\s()\"]++))*))\s*+\)")
_ARGUMENT: Final = re.compile(rf"{_STRING}|[^\s()\"]++")
_HEADER: Final = re.compile(r"; (Also|Without): (.+)")
_PLACE: Final = re.compile(rf"@{PLACE}\b")
_ESCAPE: Final = re.compile(r"\\(.)")
_QUOTED: Final = re.compile(r"[\\\"]")
"""What a string of a query escapes."""
_FRAGMENT: Final = re.compile(r"\{([A-Z][A-Z_]+)\}")

NO_FRAGMENTS: Final[Mapping[str, str]] = {}


class RuleError(ValueError):
    """A rule that cannot be used; the text says why."""


class PredicateCall(Struct, frozen=True):
    """One use of a predicate in a query."""

    name: str
    """As it is written, without "#"; perhaps with "not-" in front."""
    arguments: tuple[str, ...]
    """Captures with their "@", the texts of strings."""


class Rule(Struct, frozen=True, kw_only=True):
    """How one kind of mistake is found in a language, and what to say about it."""

    name: str
    """``language/name``, as its file is called."""
    languages: tuple[str, ...]
    """The grammars that its query is for, that of its folder first."""
    query: str
    """The query without settings and comments; its lines are those of the file."""
    predicates: tuple[PredicateCall, ...]
    comment: str
    """What is wrong and what to do about it."""
    dimension: Dimension
    cost: int
    """Points that a finding costs its dimension."""
    is_without_ruff: bool = False
    """Whether its findings count only where ruff cannot judge."""


def read_fragments(text: str) -> dict[str, str]:
    """Return the regular expressions of a file of fragments by their names.

    Raises:
        RuleError: It is not TOML, or a fragment is not a text or uses one that is not above it.
    """
    fragments = dict[str, str]()
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"the fragments are not TOML: {error}") from error
    for name, value in values.items():
        if not isinstance(value, str):
            raise RuleError(f"the fragment {name} is not a text")
        fragments[name] = _with_fragments(value, fragments)
    return fragments


def read_rule(name: str, text: str, fragments: Mapping[str, str] = NO_FRAGMENTS) -> Rule:
    """Return the rule that the file ``name`` (``language/rule-name``) holds.

    Args:
        name: The name of the file.
        text: Its text.
        fragments: The regular expressions that replace ``{NAME}``.

    Raises:
        RuleError: A setting or header is missing, unknown or given twice, or says what it cannot say; or a fragment is
            unknown.
    """
    headers = _unique(_HEADER.findall(text))
    escaped = {key: _QUOTED.sub(r"\\\g<0>", value) for key, value in fragments.items()}
    query = _with_fragments(_COMMENT.sub(lambda match: match[1] or "", text), escaped)
    calls = [
        PredicateCall(match[2], tuple(_value(argument) for argument in _ARGUMENT.findall(match[3])))
        for match in _CALL.finditer(query)
        if match[2]
    ]
    settings = _settings(calls)
    without = headers.get("Without", "")
    if without not in ("", "ruff"):
        raise RuleError(f'"Without: {without}" is not known; only "ruff" can be missing')
    also = [language.strip() for language in headers.get("Also", "").split(",") if language.strip()]
    return Rule(
        name=name,
        languages=(name.partition("/")[0], *also),
        query=_CALL.sub(_without_setting, query),
        predicates=tuple(call for call in calls if call.name != "set!"),
        comment=settings["comment"],
        dimension=cast("Dimension", settings["dimension"]),
        cost=COSTS[settings["cost"]],
        is_without_ruff=bool(without),
    )


def captures_place(pattern: str) -> bool:
    """Return whether a pattern of a query captures ``@here``, not only in a predicate."""
    return bool(_PLACE.search(_CALL.sub("", pattern)))


def _with_fragments(text: str, fragments: Mapping[str, str]) -> str:
    unknown = next((name for name in _FRAGMENT.findall(text) if name not in fragments), "")
    if unknown:
        raise RuleError(f"{{{unknown}}} is not a fragment")
    return _FRAGMENT.sub(lambda match: fragments[match[1]], text)


def _settings(calls: list[PredicateCall]) -> dict[str, str]:
    pairs = list(_setting_pairs(calls))
    settings = _unique(pairs)
    for key, allowed in (("dimension", get_args(Dimension)), ("cost", tuple(COSTS))):
        if settings.get(key, allowed[0]) not in allowed:
            raise RuleError(f'"{settings[key]}" is not a {key}; it is one of {", ".join(allowed)}')
    if missing := [key for key in _SETTINGS if not settings.get(key)]:
        raise RuleError(f"no #set! gives its {', '.join(missing)}")
    return settings


def _setting_pairs(calls: list[PredicateCall]) -> Iterator[tuple[str, str]]:
    for call in calls:
        if call.name == "set!":
            if len(call.arguments) != 2 or call.arguments[0] not in _SETTINGS:
                raise RuleError(f"#set! takes {', '.join(_SETTINGS)} and a text")
            yield call.arguments[0], call.arguments[1]


def _unique(pairs: list[tuple[str, str]]) -> dict[str, str]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise RuleError(f"{', '.join(sorted({key for key, _ in pairs}))}: each may be given once")
    return values


def _without_setting(match: re.Match[str]) -> str:
    # py-tree-sitter 0.26 crashes when it frees a query that has settings and predicates.
    return re.sub(r"[^\n]", " ", match[0]) if match[2] == "set!" else match[0]


def _value(argument: str) -> str:
    return _ESCAPE.sub(r"\1", argument[1:-1]) if argument.startswith('"') else argument
