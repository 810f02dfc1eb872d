"""Which values in a client's configuration may be secrets, by their place in it. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, cast

_SECRET_MEMBERS: Final = re.compile(
    r"env|environment|env_vars|(?:.*[_-])?headers|.*(?:token|secret|password|api_?key|credentials?)", re.IGNORECASE
)
"""Members all of whose values are secrets of a server, of any shape."""
_PLAIN_MEMBERS: Final = re.compile(r".*_env(?:_var)?|SEQTHINK_.*")
"""Members that name a variable, and variables of our own."""
_SECRET_OPTION: Final = re.compile(
    r"--?[\w-]*(?:token|key|secret|pass|auth|header|bearer|credential)[\w-]*|-[Hk]", re.IGNORECASE
)
"""A word of a command line that asks for a secret."""
_ASSIGNED: Final = re.compile(r"[A-Z][A-Z0-9_]+=.+", re.DOTALL)
"""A variable and its value as a word, as containers are given it."""
_MIN_CHARS: Final = 2


def secrets_in(value: Mapping[str, Any]) -> frozenset[str]:
    """Return the strings, and the digits of numbers, in a configuration that may be secrets."""
    return frozenset(text for text in _walk(value) if len(text) >= _MIN_CHARS)


def _walk(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, Any]", value).items():
            if not _PLAIN_MEMBERS.fullmatch(name):
                yield from _leaves(inner) if _SECRET_MEMBERS.fullmatch(name) else _walk(inner)
    elif isinstance(value, list):
        yield from _words(cast("list[object]", value))


def _words(words: Sequence[object]) -> Iterator[str]:
    """Yield the secrets of a list, which may be a command line."""
    for word in words:
        if not isinstance(word, str):
            yield from _walk(word)
        elif _ASSIGNED.fullmatch(word):
            yield word
    for option, word in pairwise(words):
        if isinstance(option, str) and isinstance(word, str) and _SECRET_OPTION.fullmatch(option):
            yield word


def _leaves(value: object) -> Iterator[str]:
    """Yield all that a value holds; not what is ours to show."""
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, Any]", value).items():
            if not _PLAIN_MEMBERS.fullmatch(name):
                yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _leaves(inner)
    elif not isinstance(value, bool) and value is not None:
        yield str(value)
