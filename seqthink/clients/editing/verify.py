"""Whether a new configuration text differs from the old one by our server only, by other means than the editor's.

JSON is read with `json` after its comments are taken out, TOML with `tomllib`; what both texts say is compared with
the order of all keys, every duplicate, and the digits of every number.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from seqthink.clients.snippets import Syntax

_STRING_OR_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*+")|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
_STRING_OR_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*[}\]])', re.DOTALL)

_Frozen = tuple[str, Any]
"""A value with its kind: an object's value is all its keys and values in order."""
_EMPTY: _Frozen = ("object", ())


def change_is_only_ours(syntax: Syntax, old: str, new: str, keys: tuple[str, ...], name: str) -> bool:
    """Return whether both texts parse, and differ in nothing but the server ``name`` under ``keys``.

    Objects on the way that hold nothing else may come and go with it; an empty old text may become anything.
    """
    try:
        before, after = _pairs(syntax, old), _pairs(syntax, new)
        if before is None:
            return after is not None
        return _without(before, (*keys, name)) == _without(after or _EMPTY, (*keys, name))
    except (ValueError, RecursionError):
        return False


def _pairs(syntax: Syntax, text: str) -> _Frozen | None:
    text = text.removeprefix("\ufeff")
    if syntax == "toml":
        return _frozen(tomllib.loads(text, parse_float=_Number))
    if syntax == "jsonc":
        text = _STRING_OR_COMMENT.sub(lambda found: found[1] or " ", text)
        text = _STRING_OR_LAST_COMMA.sub(lambda found: found[1] or "", text)
    if not text.strip():
        return None
    value = json.loads(text, object_pairs_hook=_Object, parse_int=_Number, parse_float=_Number, parse_constant=_refuse)
    if not isinstance(value, _Object):
        return _refuse("a top level that is no object")
    return _frozen(value)


class _Object(list[tuple[str, Any]]):
    """Members in order."""


class _Number(str):
    """A number's digits: equal only to the same digits, and to no string."""

    __slots__ = ()


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _frozen(value: object) -> _Frozen:
    if isinstance(value, _Object):
        return "object", tuple((key, _frozen(inner)) for key, inner in value)
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value).items()
        return "object", tuple((key, _frozen(inner)) for key, inner in members)
    if isinstance(value, list):
        return "list", tuple(_frozen(inner) for inner in cast("list[Any]", value))
    return type(value).__name__, str(value)


def _without(value: _Frozen, path: tuple[str, ...]) -> _Frozen:
    """Return ``value`` without what is at ``path``, and without an object on the way that is empty then."""
    kind, members = value
    if kind != "object":
        return value
    first, *further = path
    kept: list[tuple[str, Any]] = []
    for key, inner in cast("tuple[tuple[str, _Frozen], ...]", members):
        if key != first:
            kept.append((key, inner))
        elif further:
            rest = _without(inner, tuple(further))
            if rest != _EMPTY:
                kept.append((key, rest))
    return kind, tuple(kept)
