"""Whether a new configuration text differs from the old one by our server only, by other means than the editor's.

JSON is read with `json` after its comments are taken out, TOML with `tomllib`; what both texts say is compared with
the order of all keys, every duplicate, and the digits of every number.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from seqthink.connect.clients.snippets import NO_ENTRY, ServerEntry, Syntax

_STRING = r'"(?>(?:[^"\\]++|\\.)*)"'
_TEXT_OR_COMMENT = re.compile(rf'((?>(?:[^"/]++|{_STRING}|/(?![/*]))+))|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
_TEXT_OR_LAST_COMMA = re.compile(rf'((?>(?:[^",]++|{_STRING}|,(?!\s*[}}\]]))+))|,', re.DOTALL)

_Value = Any
"""A value for `==`, in which kinds and order count: an object is a tuple of its keys with their values,
duplicates too; a list is a list, a number is a tuple of its digits, and all else is as `json` gives it."""
_Object = tuple[tuple[str, _Value], ...]


def change_is_only_ours(
    syntax: Syntax, old: str, new: str, keys: tuple[str, ...], name: str, base: ServerEntry = NO_ENTRY
) -> bool:
    """Return whether both texts parse, and differ in nothing but the server ``name`` under ``keys``.

    Objects on the way that hold nothing else may come and go with it; where the old text says nothing, the
    new one has the members of ``base`` before it.
    """
    try:
        before, after = _pairs(syntax, old), _pairs(syntax, new)
        if not before and (before is None or syntax == "toml"):
            return bool(after) and _without(after, (*keys, name)) == _comparable(base)
        return _without(before or (), (*keys, name)) == _without(after or (), (*keys, name))
    except (ValueError, RecursionError):
        return False


def _pairs(syntax: Syntax, text: str) -> _Object | None:
    """Return what a text says; None for one that says nothing."""
    text = text.removeprefix("\ufeff")
    if syntax == "toml":
        return _comparable(tomllib.loads(text, parse_float=_TomlFloat))
    if syntax == "jsonc":
        text = _TEXT_OR_COMMENT.sub(lambda found: found[1] or " ", text)
        text = _TEXT_OR_LAST_COMMA.sub(lambda found: found[1] or "", text)
    if not text.strip():
        return None
    value = json.loads(text, object_pairs_hook=tuple, parse_int=_number, parse_float=_number, parse_constant=_refuse)
    if not isinstance(value, tuple) or not text.lstrip().startswith("{"):
        return _refuse("a top level that is not an object")
    return cast("_Object", value)


def _number(digits: str) -> tuple[str]:
    return (digits,)


class _TomlFloat(str):
    """A float's digits, which are not a string."""

    __slots__ = ()


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _comparable(value: object) -> _Value:
    """Return what TOML, or a base, says, as `_Value` does: dates and times with their kind, as `==` mixes some up."""
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value).items()
        return tuple((key, _comparable(inner)) for key, inner in members)
    if isinstance(value, list):
        return [_comparable(inner) for inner in cast("list[Any]", value)]
    if isinstance(value, bool) or type(value) is str:
        return value
    return type(value).__name__, str(value)


def _without(value: _Value, path: tuple[str, ...]) -> _Value:
    """Return ``value`` without what is at ``path``, and without an object on the way that is empty then."""
    if not _is_object(value):
        return value
    first, *further = path
    kept: list[tuple[str, _Value]] = []
    for key, inner in cast("_Object", value):
        if key != first:
            kept.append((key, inner))
        elif further:
            rest = _without(inner, tuple(further))
            if rest != ():
                kept.append((key, rest))
    return tuple(kept)


def _is_object(value: _Value) -> bool:
    """Return whether a value is an object, and no number or date."""
    return isinstance(value, tuple) and all(isinstance(member, tuple) for member in cast("tuple[Any, ...]", value))
